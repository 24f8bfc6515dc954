//! Stored lines of a settlement: codes and numbers.

use crate::RulesForm;
use crate::table::BASE_GAME;
use paigow::{HandClass, HandComparison, Line, Party, Reason, Round, Showdown, TableRules, WagerRef, WinsOn};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// Stored line of a settlement.
///
/// Version 0.0.0 stored a sentence and a citation instead of the reason. They are kept unchanged and never compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // as in `paigow::Line`
pub struct LineRecord {
    pub who: String,
    pub wager: String,
    pub stake_cents: u64,
    pub outcome: String,
    pub net_cents: i64,
    pub fee_cents: u64,
    pub against: String,
    /// Reason of the line. Missing in lines of version 0.0.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonCode>,
    /// Sentence of a line of version 0.0.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Citation of a line of version 0.0.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cite: Option<String>,
}

/// Reason for the result of a settlement line: a code and its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "code", rename_all = "snake_case", deny_unknown_fields)]
pub enum ReasonCode {
    /// The hands were compared with the banker's.
    Compared {
        /// Comparison of the high hands.
        high: ComparedCode,
        /// Comparison of the low hands.
        low: ComparedCode,
    },
    /// The hand was foul: its low hand was higher than its high hand.
    Foul,
    /// The dealer's hand makes every base wager push.
    DealerPush {
        /// Class of the dealer's hand.
        hand: HandCode,
    },
    /// The banker's cover was used up.
    NotCovered,
    /// A row of the posted paytable pays.
    Row {
        /// Hand of the row.
        hand: HandCode,
    },
    /// A row of the posted paytable pays, limited by the payout maximum.
    Limited {
        /// Hand of the row.
        hand: HandCode,
    },
    /// No row of the posted paytable matches.
    NoRow,
    /// The dealer's high hand matches a row, but the player's high hand does not beat it.
    NotBeaten {
        /// Hand of the row.
        hand: HandCode,
    },
    /// Another seat's hand pays an envy bonus.
    Envy {
        /// The other seat.
        seat: u8,
        /// Hand of the row.
        hand: HandCode,
    },
    /// Nothing is left of the amount that the banker put up.
    BankSpent,
    /// Another seat's hand pays an envy bonus that exceeds the rest of the amount that the banker put up.
    EnvyUnpaid {
        /// The other seat.
        seat: u8,
        /// Hand of the row.
        hand: HandCode,
        /// Unpaid part of the bonus.
        unpaid_cents: u64,
    },
    /// The house's collection fee.
    Collection,
    /// The house's fee for playing time.
    TimeFee,
    /// The banker's commission.
    BankerCommission,
}

/// How a hand compares with the banker's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // as in `paigow::HandComparison`
pub enum ComparedCode {
    Higher,
    Copy,
    Lower,
}

/// Hand of a paytable row: the name of a hand class, or a number of cards of the chosen color such as `7_cards`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = String)]
pub struct HandCode(pub WinsOn);

const CARDS: &str = "_cards";

impl Serialize for HandCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            WinsOn::Class(class) => serializer.serialize_str(class.name()),
            WinsOn::Cards(cards) => serializer.collect_str(&format_args!("{cards}{CARDS}")),
        }
    }
}

impl<'de> Deserialize<'de> for HandCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HandCode, D::Error> {
        let code = String::deserialize(deserializer)?;
        let cards = || code.strip_suffix(CARDS)?.parse().ok().map(WinsOn::Cards);
        let wins_on = HandClass::from_name(&code).map(WinsOn::Class).or_else(cards);
        wins_on
            .map(HandCode)
            .ok_or_else(|| de::Error::custom(format!("`{code}` is not a hand of a paytable")))
    }
}

impl From<HandComparison> for ComparedCode {
    fn from(compared: HandComparison) -> ComparedCode {
        match compared {
            HandComparison::Higher => ComparedCode::Higher,
            HandComparison::Copy => ComparedCode::Copy,
            HandComparison::Lower => ComparedCode::Lower,
        }
    }
}

impl ReasonCode {
    fn of(line: &Line, showdown: &Showdown<'_>) -> ReasonCode {
        let hand = |row: u8| HandCode(showdown.row(line.wager, row).wins_on);
        match line.reason {
            Reason::Compared { high, low } => ReasonCode::Compared { high: high.into(), low: low.into() },
            Reason::Foul => ReasonCode::Foul,
            Reason::DealerPush(class) => ReasonCode::DealerPush { hand: HandCode(WinsOn::Class(class)) },
            Reason::NotCovered => ReasonCode::NotCovered,
            Reason::Row(row) => ReasonCode::Row { hand: hand(row) },
            Reason::Limited(row) => ReasonCode::Limited { hand: hand(row) },
            Reason::NoRow => ReasonCode::NoRow,
            Reason::NotBeaten(row) => ReasonCode::NotBeaten { hand: hand(row) },
            Reason::Envy { of, row } => ReasonCode::Envy { seat: of.number(), hand: hand(row) },
            Reason::BankSpent => ReasonCode::BankSpent,
            Reason::EnvyUnpaid { of, row, unpaid } => {
                ReasonCode::EnvyUnpaid { seat: of.number(), hand: hand(row), unpaid_cents: unpaid.cents() }
            }
            Reason::Collection => ReasonCode::Collection,
            Reason::TimeFee => ReasonCode::TimeFee,
            Reason::BankerCommission => ReasonCode::BankerCommission,
        }
    }
}

impl LineRecord {
    pub(crate) fn of(line: &Line, showdown: &Showdown<'_>) -> LineRecord {
        LineRecord {
            who: party_code(line.who),
            wager: wager_code(line.wager, showdown.table_rules()),
            stake_cents: line.stake.cents(),
            outcome: line.outcome.name().to_owned(),
            net_cents: line.net.cents(),
            fee_cents: line.fee.cents(),
            against: party_code(line.against),
            reason: Some(ReasonCode::of(line, showdown)),
            because: None,
            cite: None,
        }
    }

    /// Returns whether stored lines equal these lines, which were decided again. At a table of version 0.0.0 a line may
    /// have a sentence instead of the reason, which is not compared.
    pub fn all_agree(lines: &[LineRecord], stored: &[LineRecord], form: RulesForm) -> bool {
        lines.len() == stored.len()
            && lines.iter().zip(stored).all(|(line, stored)| line.agrees_with(stored, form))
    }

    /// Returns whether a stored line equals this line, as in [`LineRecord::all_agree`].
    pub fn agrees_with(&self, stored: &LineRecord, form: RulesForm) -> bool {
        if form == RulesForm::SENTENCES && stored.reason.is_none() {
            let LineRecord { because, cite, .. } = stored.clone();
            return LineRecord { reason: None, because, cite, ..self.clone() } == *stored;
        }
        self == stored
    }
}

/// Returns the code of a party in lines and steps.
pub(crate) fn party_code(party: Party) -> String {
    match party {
        Party::Seat(seat) => format!("seat-{}", seat.number()),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    }
}

/// Returns the name of a wager in lines and steps.
pub(crate) fn wager_code(wager: WagerRef, table_rules: &TableRules) -> String {
    match wager {
        WagerRef::PaiGow => BASE_GAME.to_owned(),
        WagerRef::Side(index) => table_rules.wager(usize::from(index)).name.clone(),
    }
}

/// Returns the lines to store for a settled round, or `None` if it is not settled.
pub(crate) fn records_of(rules: &Round) -> Option<Vec<LineRecord>> {
    let (settlement, showdown) = (rules.settlement()?, rules.showdown().ok()?);
    Some(settlement.lines().iter().map(|line| LineRecord::of(line, &showdown)).collect())
}
