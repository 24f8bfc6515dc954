//! Practice bots: they fill seats, so that one person sees a whole table play. What they do follows from the table alone; of several
//! processes that look at the same table all would say the same, under the same name, and it is done once.

mod play;

pub(crate) use play::{Doing, play};

use crate::people::PersonName;
use paigow::rulebook::LooksAt;
use paigow_table::{
    Command, CommandId, Commitment, MasterKeys, PhaseName, PlayerId, SeatBytes, SeatView, Stake, Table,
    TableId, Time, View, Viewer,
};
use sha2::{Digest, Sha256};

/// What bots are called.
const NAMES: [&str; 7] = ["Ada", "Bao", "Chen", "Dora", "Emil", "Fay", "Gus"];
/// How their ids begin. Nobody else's do: guests get theirs from the server.
const PREFIX: &str = "bot-";
/// How long the first bot thinks, and each one after it longer.
const THINKS_MS: u64 = 900;
const LONGER_MS: u64 = 600;

/// What a bot does.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BotCommand {
    bot: PlayerId,
    /// What others see it called.
    name: &'static str,
    id: CommandId,
    does: BotAction,
}

/// What it is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BotAction {
    /// A command.
    Gives(Command),
    /// Its hand is set the best way, which takes a while to find.
    SetsBest {
        /// Its seven cards.
        cards: String,
    },
}

/// Whether somebody is a bot.
pub(crate) fn is_bot(player: &PlayerId) -> bool {
    player.as_str().starts_with(PREFIX)
}

/// A bot's name as a person.
fn person_name(name: &str) -> Option<PersonName> {
    format!("{name} (bot)").parse().ok()
}

fn bot_id(table: &TableId, number: usize) -> Option<PlayerId> {
    format!("{PREFIX}{number}-{table}").parse().ok()
}

/// A table that bots look at.
struct BotView<'a> {
    table: &'a Table,
    view: View,
    seq: u64,
    now: Time,
    keys: &'a MasterKeys,
}

/// What bots do at a table now, leaving some seats free.
fn acts(table: &Table, seq: u64, now: Time, leave_free: u8, keys: &MasterKeys) -> Vec<BotCommand> {
    if table.config().bots == 0 || table.is_closed() {
        return Vec::new();
    }
    let looked = BotView { table, view: table.view(&Viewer::Watcher), seq, now, keys };
    // Who sits out may have gone home: bots do not play for themselves.
    let plays = |seat: &&SeatView| !is_bot(&seat.player) && !seat.out && !seat.leaving;
    let humans = looked.view.seats.iter().filter(plays).count();
    let bots = looked.bots();
    if humans == 0 || looked.view.closing {
        // There is nobody to play with.
        let leaving = bots.into_iter().filter(|(_, _, seat)| !seat.leaving);
        return leaving.filter_map(|(number, _, _)| looked.act(number, "stand", Command::Stand)).collect();
    }
    let mut acts: Vec<BotCommand> = looked.sits_down(&bots, leave_free).into_iter().collect();
    for (place, (number, _, seat)) in bots.iter().enumerate() {
        acts.extend(looked.plays(place, *number, seat));
    }
    acts
}

impl BotView<'_> {
    /// The bots that sit: their numbers, ids and seats.
    fn bots(&self) -> Vec<(usize, PlayerId, SeatView)> {
        let at = |number: usize| {
            let id = bot_id(self.table.id(), number)?;
            let seat = self.view.seats.iter().find(|seat| seat.player == id)?;
            Some((number, id, seat.clone()))
        };
        (0..NAMES.len()).filter_map(at).collect()
    }

    fn act(&self, number: usize, what: &str, command: Command) -> Option<BotCommand> {
        self.does(number, what, BotAction::Gives(command))
    }

    fn does(&self, number: usize, what: &str, does: BotAction) -> Option<BotCommand> {
        let bot = bot_id(self.table.id(), number)?;
        // Named for where it was decided.
        let id = format!("b:{}:{what}", self.seq).parse().ok()?;
        Some(BotCommand { bot, name: NAMES[number % NAMES.len()], id, does })
    }

    /// One more sits down, where there is room.
    fn sits_down(&self, bots: &[(usize, PlayerId, SeatView)], leave_free: u8) -> Option<BotCommand> {
        let seats = self.table.table_rules().book().seats.players;
        let taken = |seat: &u8| self.view.seats.iter().any(|other| other.seat == *seat);
        let free: Vec<u8> = (1..=seats).filter(|seat| !taken(seat)).collect();
        if bots.len() >= usize::from(self.table.config().bots) || free.len() <= usize::from(leave_free) {
            return None;
        }
        let sits = |number: usize| bots.iter().any(|(other, _, _)| *other == number);
        let number = (0..NAMES.len()).find(|number| !sits(*number))?;
        let seat = free[self.chance(number, "seat") as usize % free.len()];
        self.act(number, "sit", Command::Sit { seat })
    }

    /// What a bot that sits does in the round that goes on.
    fn plays(&self, place: usize, number: usize, seat: &SeatView) -> Option<BotCommand> {
        if self.view.phase == PhaseName::Revealing {
            return self.reveals(number, seat.seat);
        }
        let clocks = self.table.config().clocks;
        let until = self.view.until?;
        let clock = match self.view.phase {
            PhaseName::Offering => clocks.bank,
            PhaseName::Wagers => clocks.wagers,
            PhaseName::Settings => clocks.settings,
            _ => return None,
        };
        // A clock that runs short leaves no time to look as if one thought.
        let thinks = (THINKS_MS + LONGER_MS * place as u64).min(clock / 2);
        let since = Time(until.0.saturating_sub(clock));
        if self.now < since.plus(thinks) || seat.leaving {
            return None;
        }
        match self.view.phase {
            PhaseName::Offering if self.view.offered == Some(seat.seat) => {
                self.act(number, "bank", Command::TakeBank { cents: self.cover() })
            }
            PhaseName::Wagers => self.wagers(number, seat),
            PhaseName::Settings => self.sets(number, seat),
            _ => None,
        }
    }

    /// The bytes a bot adds to the deal.
    fn bytes(&self, seat: u8) -> Option<SeatBytes> {
        let round = self.view.round.as_ref()?;
        self.keys.bot_bytes(&round.key?, self.table.id(), round.round, seat)
    }

    /// The commitment of a bot that has not committed yet.
    fn commitment(&self, seat: u8) -> Option<Commitment> {
        let round = self.view.round.as_ref().filter(|round| !round.commitments.contains_key(&seat))?;
        Some(self.bytes(seat)?.commitment(self.table.id(), round.round, seat))
    }

    /// A bot that has committed reveals its bytes at once.
    fn reveals(&self, number: usize, seat: u8) -> Option<BotCommand> {
        let round = self.view.round.as_ref()?;
        let owes = round.commitments.contains_key(&seat) && !round.bytes.contains_key(&seat);
        let bytes = self.bytes(seat).filter(|_| owes)?;
        self.act(number, "reveal", Command::Reveal { bytes })
    }

    /// What a bot that banks puts up.
    fn cover(&self) -> u64 {
        self.table.table_rules().book().base_game.limits.min.cents().saturating_mul(100)
    }

    fn wagers(&self, number: usize, seat: &SeatView) -> Option<BotCommand> {
        let round = self.view.round.as_ref()?;
        let commitment = self.commitment(seat.seat);
        if round.bank.as_ref().is_some_and(|bank| bank.seat == seat.seat) {
            return self.act(number, "commit", Command::Commit { commitment: commitment? });
        }
        if seat.ready {
            return None;
        }
        let table_rules = self.table.table_rules();
        let base = &table_rules.book().base_game.limits;
        let times = [1, 1, 2, 5][self.chance(number, "base") as usize % 4];
        let cents = (base.min.cents() * times).min(base.max.cents());
        let mut wagers = vec![Stake { wager: "pai-gow".to_owned(), cents, color: None }];
        for place in 0..table_rules.side_wagers() {
            let side = table_rules.wager(place);
            // Every other one, and then enough for an envy bonus where there is one.
            if self.chance(number, &side.name).is_multiple_of(2) {
                let envy = side.envy.as_ref().map_or(0, |envy| envy.from.cents());
                let cents = side.limits.min.cents().max(envy).min(side.limits.max.cents());
                let color = (side.looks_at == LooksAt::Color).then(|| self.color(number));
                wagers.push(Stake { wager: side.name.clone(), cents, color });
            }
        }
        self.act(number, "wagers", Command::Wagers { wagers, ready: true, commitment })
    }

    fn color(&self, number: usize) -> paigow_table::ColorName {
        if self.chance(number, "color").is_multiple_of(2) {
            paigow_table::ColorName::Red
        } else {
            paigow_table::ColorName::Black
        }
    }

    fn sets(&self, number: usize, seat: &SeatView) -> Option<BotCommand> {
        if seat.hand.as_ref().is_none_or(|hand| hand.set) {
            return None;
        }
        // Every other bot plays as well as can be, the rest as the house does.
        if number.is_multiple_of(2) {
            return self.act(number, "set", Command::HouseWay);
        }
        let own = self.table.view(&Viewer::Player(seat.player.clone()));
        let hand = own.seats.into_iter().find(|own| own.seat == seat.seat)?.hand?;
        self.does(number, "set", BotAction::SetsBest { cards: hand.cards? })
    }

    /// A number that is another for each bot, round and question, and the same for everybody who asks.
    fn chance(&self, number: usize, what: &str) -> u32 {
        let text = format!("{} {} {number} {what}", self.table.id(), self.table.round_number());
        let digest = Sha256::digest(text);
        u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
    }
}
