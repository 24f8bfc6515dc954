//! Practice bots: they fill seats, so that a single player sees a full table.
//!
//! A bot's command follows from the state of the table alone. Several processes that watch the same table decide the
//! same command with the same id, and it is executed once.

mod play;

pub(crate) use play::{PendingCommands, play};

use crate::people::PersonName;
use paigow::rulebook::DecidingCards;
use paigow_table::{
    Command, CommandId, Commitment, MasterKeys, PhaseName, PlayerId, SeatBytes, SeatView, Stake, Table,
    TableId, Time, View, Viewer,
};
use sha2::{Digest, Sha256};

/// Names of the bots, by number.
const NAMES: [&str; 7] = ["Ada", "Bao", "Chen", "Dora", "Emil", "Fay", "Gus"];
/// Prefix of the ids of bots. No guest has it, because the server generates the ids of guests.
const PREFIX: &str = "bot-";
/// Thinking time of the first bot.
const THINKING_MS: u64 = 900;
/// Additional thinking time of each further bot.
const THINKING_STEP_MS: u64 = 600;

/// A command of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BotCommand {
    bot: PlayerId,
    /// Name that other players see.
    name: &'static str,
    id: CommandId,
    action: BotAction,
}

/// Action of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BotAction {
    /// Executes a command.
    Execute(Command),
    /// Sets the hand in the best way, which takes a while to compute.
    SetBest {
        /// Seven cards of the bot.
        cards: String,
    },
}

/// Whether a player is a bot.
pub(crate) fn is_bot(player: &PlayerId) -> bool {
    player.as_str().starts_with(PREFIX)
}

/// Returns the name of a bot as a person in the store.
fn person_name(name: &str) -> Option<PersonName> {
    format!("{name} (bot)").parse().ok()
}

fn bot_id(table: &TableId, number: usize) -> Option<PlayerId> {
    format!("{PREFIX}{number}-{table}").parse().ok()
}

/// State of a table from which the bots decide.
struct BotView<'a> {
    table: &'a Table,
    view: View,
    seq: u64,
    now: Time,
    keys: &'a MasterKeys,
}

/// Returns the commands of all bots at a table now. Bots leave `leave_free` seats free.
fn commands(table: &Table, seq: u64, now: Time, leave_free: u8, keys: &MasterKeys) -> Vec<BotCommand> {
    if table.config().bots == 0 || table.is_closed() {
        return Vec::new();
    }
    let state = BotView { table, view: table.view(&Viewer::Watcher), seq, now, keys };
    // A player who sits out may have left, and bots do not play among themselves.
    let is_active = |seat: &&SeatView| !is_bot(&seat.player) && !seat.out && !seat.leaving;
    let humans = state.view.seats.iter().filter(is_active).count();
    let bots = state.bots();
    if humans == 0 || state.view.closing {
        // Without human players, or before the table closes, the bots leave.
        let seated = bots.into_iter().filter(|(_, _, seat)| !seat.leaving);
        return seated.filter_map(|(number, _, _)| state.command(number, "stand", Command::Stand)).collect();
    }
    let mut commands: Vec<BotCommand> = state.sit(&bots, leave_free).into_iter().collect();
    for (index, (number, _, seat)) in bots.iter().enumerate() {
        commands.extend(state.play(index, *number, seat));
    }
    commands
}

impl BotView<'_> {
    /// Returns number, id and seat of the seated bots.
    fn bots(&self) -> Vec<(usize, PlayerId, SeatView)> {
        let seated = |number: usize| {
            let id = bot_id(self.table.id(), number)?;
            let seat = self.view.seats.iter().find(|seat| seat.player == id)?;
            Some((number, id, seat.clone()))
        };
        (0..NAMES.len()).filter_map(seated).collect()
    }

    fn command(&self, number: usize, purpose: &str, command: Command) -> Option<BotCommand> {
        self.action(number, purpose, BotAction::Execute(command))
    }

    fn action(&self, number: usize, purpose: &str, action: BotAction) -> Option<BotCommand> {
        let bot = bot_id(self.table.id(), number)?;
        // The id contains the sequence number of the event after which the bot decided.
        let id = format!("b:{}:{purpose}", self.seq).parse().ok()?;
        Some(BotCommand { bot, name: NAMES[number % NAMES.len()], id, action })
    }

    /// Seats one more bot, if the table allows it and enough seats are free.
    fn sit(&self, bots: &[(usize, PlayerId, SeatView)], leave_free: u8) -> Option<BotCommand> {
        let seats = self.table.table_rules().book().seats.players;
        let taken = |seat: &u8| self.view.seats.iter().any(|other| other.seat == *seat);
        let free: Vec<u8> = (1..=seats).filter(|seat| !taken(seat)).collect();
        if bots.len() >= usize::from(self.table.config().bots) || free.len() <= usize::from(leave_free) {
            return None;
        }
        let is_seated = |number: usize| bots.iter().any(|(other, _, _)| *other == number);
        let number = (0..NAMES.len()).find(|number| !is_seated(*number))?;
        let seat = free[self.pseudo_random(number, "seat") as usize % free.len()];
        self.command(number, "sit", Command::Sit { seat })
    }

    /// Returns the command of a seated bot in the current round. `index` is its position among the seated bots.
    fn play(&self, index: usize, number: usize, seat: &SeatView) -> Option<BotCommand> {
        if self.view.phase == PhaseName::Revealing {
            return self.reveal(number, seat.seat);
        }
        if self.view.phase == PhaseName::Between {
            return self.ask_for_next_round(number, seat);
        }
        let clocks = self.table.config().clocks;
        let until = self.view.until?;
        let clock = match self.view.phase {
            PhaseName::Offering => clocks.bank,
            PhaseName::Wagers => clocks.wagers,
            PhaseName::Settings => clocks.settings,
            _ => return None,
        };
        // With a short clock the thinking time is at most half of it.
        let thinking = (THINKING_MS + THINKING_STEP_MS * index as u64).min(clock / 2);
        let since = Time(until.0.saturating_sub(clock));
        if self.now < since.plus(thinking) || seat.leaving {
            return None;
        }
        match self.view.phase {
            PhaseName::Offering if self.view.offered == Some(seat.seat) => {
                self.command(number, "bank", Command::TakeBank { cents: self.bank_cents() })
            }
            PhaseName::Wagers => self.wager(number, seat),
            PhaseName::Settings => self.set(number, seat),
            _ => None,
        }
    }

    /// Asks for the next round once every human player has. Bots do not hurry human players.
    fn ask_for_next_round(&self, number: usize, seat: &SeatView) -> Option<BotCommand> {
        let mut humans =
            self.view.seats.iter().filter(|seat| !is_bot(&seat.player) && !seat.out && !seat.leaving);
        let may_ask = !seat.next && !seat.out && !seat.leaving && humans.all(|human| human.next);
        self.command(number, "next", Command::NextRound).filter(|_| may_ask)
    }

    /// Returns the bytes that a bot adds to the deal.
    fn bytes(&self, seat: u8) -> Option<SeatBytes> {
        let round = self.view.round.as_ref()?;
        self.keys.bot_bytes(&round.key?, self.table.id(), round.round, seat)
    }

    /// Returns the commitment of a bot, or `None` if it has already committed.
    fn commitment(&self, seat: u8) -> Option<Commitment> {
        let round = self.view.round.as_ref().filter(|round| !round.commitments.contains_key(&seat))?;
        Some(self.bytes(seat)?.commitment(self.table.id(), round.round, seat))
    }

    /// Reveals the bytes of a bot that has committed. It does not wait for a thinking time.
    fn reveal(&self, number: usize, seat: u8) -> Option<BotCommand> {
        let round = self.view.round.as_ref()?;
        let must_reveal = round.commitments.contains_key(&seat) && !round.bytes.contains_key(&seat);
        let bytes = self.bytes(seat).filter(|_| must_reveal)?;
        self.command(number, "reveal", Command::Reveal { bytes })
    }

    /// Amount that a banking bot puts up.
    fn bank_cents(&self) -> u64 {
        self.table.table_rules().book().base_game.limits.min.cents().saturating_mul(100)
    }

    fn wager(&self, number: usize, seat: &SeatView) -> Option<BotCommand> {
        let round = self.view.round.as_ref()?;
        let commitment = self.commitment(seat.seat);
        if round.bank.as_ref().is_some_and(|bank| bank.seat == seat.seat) {
            return self.command(number, "commit", Command::Commit { commitment: commitment? });
        }
        if seat.ready {
            return None;
        }
        let table_rules = self.table.table_rules();
        let base = &table_rules.book().base_game.limits;
        let factor = [1, 1, 2, 5][self.pseudo_random(number, "base") as usize % 4];
        let cents = (base.min.cents() * factor).min(base.max.cents());
        let mut wagers = vec![Stake { wager: "pai-gow".to_owned(), cents, color: None }];
        for index in 0..table_rules.side_wager_count() {
            let side = table_rules.wager(index);
            // About every other side wager, with a stake that qualifies for the envy bonus if there is one.
            if self.pseudo_random(number, &side.name).is_multiple_of(2) {
                let envy = side.envy.as_ref().map_or(0, |envy| envy.from.cents());
                let cents = side.limits.min.cents().max(envy).min(side.limits.max.cents());
                let color = (side.looks_at == DecidingCards::Color).then(|| self.color(number));
                wagers.push(Stake { wager: side.name.clone(), cents, color });
            }
        }
        self.command(number, "wagers", Command::Wagers { wagers, ready: true, commitment })
    }

    fn color(&self, number: usize) -> paigow_table::ColorName {
        if self.pseudo_random(number, "color").is_multiple_of(2) {
            paigow_table::ColorName::Red
        } else {
            paigow_table::ColorName::Black
        }
    }

    fn set(&self, number: usize, seat: &SeatView) -> Option<BotCommand> {
        if seat.hand.as_ref().is_none_or(|hand| hand.set) {
            return None;
        }
        // Bots with an odd number play the best setting, the others the house way.
        if number.is_multiple_of(2) {
            return self.command(number, "set", Command::HouseWay);
        }
        let own = self.table.view(&Viewer::Player(seat.player.clone()));
        let hand = own.seats.into_iter().find(|own| own.seat == seat.seat)?.hand?;
        self.action(number, "set", BotAction::SetBest { cards: hand.cards? })
    }

    /// Returns a pseudo-random number for a bot, the round and a purpose. It is the same in every process.
    fn pseudo_random(&self, number: usize, purpose: &str) -> u32 {
        let text = format!("{} {} {number} {purpose}", self.table.id(), self.table.round_number());
        let digest = Sha256::digest(text);
        u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
    }
}
