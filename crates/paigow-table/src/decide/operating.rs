//! Commands of operators.

use super::{Decider, check_text};
use crate::{Actor, Command, Purpose, TableEvent, TableRefusal, TransferId};

impl Decider<'_> {
    pub(super) fn operate(&mut self, by: &Actor, command: &Command) -> Result<(), TableRefusal> {
        let by = by.clone();
        match command {
            Command::Pause if self.table.paused => Err(TableRefusal::AlreadyPaused),
            Command::Pause => {
                self.emit(TableEvent::Paused { by });
                Ok(())
            }
            Command::Resume if !self.table.paused => Err(TableRefusal::NotPaused),
            Command::Resume => {
                self.emit(TableEvent::Resumed { by });
                Ok(())
            }
            Command::Close if self.table.closing => Err(TableRefusal::AlreadyClosing),
            Command::Close => {
                self.emit(TableEvent::Closing { by });
                Ok(())
            }
            Command::Vacate { seat } => {
                let player = self.player_at(*seat).ok_or(TableRefusal::EmptySeat { seat: *seat })?;
                self.stand(*seat, &player)
            }
            Command::Suspend { seat } => {
                let player = self.player_at(*seat).ok_or(TableRefusal::EmptySeat { seat: *seat })?;
                self.sit_out(*seat, &player, by)
            }
            Command::Void { reason } => self.void_round(by, reason),
            Command::Notice { text } => {
                check_text(text)?;
                self.emit(TableEvent::Noticed { text: text.clone(), by });
                Ok(())
            }
            _ => Err(TableRefusal::PlayersOnly),
        }
    }

    /// Returns every hold of the round to its player.
    pub(super) fn return_all_holds(&mut self) {
        let Ok(round) = self.round() else { return };
        let wagers =
            round.wagers.iter().map(|((seat, _), placed)| (*seat, placed.hold.clone(), placed.held()));
        let bank = round.bank.iter().map(|bank| (bank.seat, bank.hold.clone(), bank.held()));
        let holds: Vec<(u8, TransferId, u64)> = wagers.chain(bank).collect();
        for (seat, hold, cents) in holds {
            // A player with money at stake keeps the seat until the round is over, so the player is found.
            if let Some(player) = self.player_at(seat) {
                self.void(&player, &hold, cents, Purpose::Voided);
            }
        }
    }
}
