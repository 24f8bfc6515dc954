//! A table of worths as bytes, little-endian. The caller stores them with a digest.

use super::build::outcomes;
use super::kinds::{Kind, Kinds};
use super::{SettingWorth, Valuation, WinsAndLossesSum, WorthTable};
use crate::set_hand::SetHand;
use paigow::Evaluator;

impl WorthTable {
    /// Writes the table as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.kinds.kinds.len() * 27 + self.settings.len() * 24);
        bytes.extend((self.kinds.kinds.len() as u32).to_le_bytes());
        for (kind, best) in self.kinds.kinds.iter().zip(&self.best) {
            bytes.extend(kind.pattern.to_le_bytes());
            bytes.extend(kind.flush_ranks.to_le_bytes());
            bytes.extend(kind.hands.to_le_bytes());
            bytes.push(kind.settings_count);
            best.write(&mut bytes);
        }
        for SettingWorth { setting, worse, sums } in &self.settings {
            bytes.extend(setting.0.to_le_bytes());
            bytes.extend(worse.to_le_bytes());
            sums.write(&mut bytes);
        }
        bytes
    }

    /// Reads a table of this valuation from bytes. Returns `None` if the length is wrong.
    pub fn from_bytes(valuation: &Valuation<'_>, bytes: &[u8]) -> Option<WorthTable> {
        let mut reader = Reader(bytes);
        let count = reader.u32()? as usize;
        let (mut kinds, mut best, mut first_setting) = (Vec::new(), Vec::new(), 0);
        for _ in 0..count {
            let kind = Kind {
                pattern: reader.u32()?,
                flush_ranks: u16::from_le_bytes(reader.take()?),
                hands: reader.u32()?,
                settings_count: u8::from_le_bytes(reader.take()?),
                first_setting,
            };
            first_setting += u32::from(kind.settings_count);
            kinds.push(kind);
            best.push(reader.sums()?);
        }
        let mut settings = Vec::with_capacity(reader.0.len() / 24);
        for _ in 0..first_setting {
            let (setting, worse) = (SetHand(reader.u32()?), reader.u32()?);
            settings.push(SettingWorth { setting, worse, sums: reader.sums()? });
        }
        reader.0.is_empty().then(|| WorthTable {
            evaluator: Evaluator::of(valuation.ranking),
            stakes: valuation.stakes(),
            kinds: Kinds::of(kinds),
            settings,
            best_outcomes: outcomes(best.iter().copied()),
            best,
        })
    }
}

impl WinsAndLossesSum {
    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.win.to_le_bytes());
        bytes.extend(self.lose.to_le_bytes());
    }
}

/// The bytes not yet read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn sums(&mut self) -> Option<WinsAndLossesSum> {
        let (win, lose) = (u64::from_le_bytes(self.take()?), u64::from_le_bytes(self.take()?));
        Some(WinsAndLossesSum { win, lose })
    }
}
