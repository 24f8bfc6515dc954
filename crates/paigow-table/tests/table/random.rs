//! Random play: commands that are mostly sensible, generated from a seed.

use crate::play::{Play, operator, player};
use paigow_table::{Actor, ColorName, Command, Commitment, PhaseName, SeatBytes, Stake, Viewer};
use paigow_testkit::Rng;

pub(crate) const NAMES: [&str; 5] = ["ann", "bob", "cat", "dan", "eve"];

/// Returns a random command and its actor.
pub(crate) fn command(rng: &mut Rng, play: &Play) -> (Actor, Command) {
    let name = *rng.pick(&NAMES);
    let view = play.table.view(&Viewer::Player(name.parse().unwrap()));
    // Players who may have several seats take them, and act at one of them.
    let may_sit = view.yours.len() < usize::from(view.facts.hands_per_player);
    let sits_again = !view.yours.is_empty() && may_sit && rng.below(8) == 0;
    let seat = if view.yours.len() > 1 { Some(*rng.pick(&view.yours)) } else { view.you };
    let command = match rng.below(60) {
        0 => return (operator(), Command::Void { reason: "a card was exposed".into() }),
        1 => return (operator(), Command::Pause),
        2 | 3 => return (operator(), Command::Resume),
        4 if rng.below(2) == 0 => return (operator(), Command::Vacate { seat: 1 + rng.below(6) as u8 }),
        4 if rng.below(2) == 0 => return (operator(), Command::Suspend { seat: 1 + rng.below(6) as u8 }),
        4 => Command::Stand,
        5 => Command::SitOut,
        6 => Command::Return,
        _ if sits_again || view.you.is_none() => Command::Sit { seat: 1 + rng.below(6) as u8 },
        _ => match view.phase {
            PhaseName::Offering if rng.below(4) == 0 => Command::PassBank,
            PhaseName::Offering => Command::TakeBank { cents: 5_000 + rng.below(20_000) },
            PhaseName::Wagers => wager_command(rng, play, seat.unwrap_or(1)),
            PhaseName::Revealing if rng.below(5) == 0 => Command::Reveal { bytes: seat_bytes(play, 0) },
            PhaseName::Revealing => Command::Reveal { bytes: seat_bytes(play, seat.unwrap_or(1)) },
            PhaseName::Settings => {
                let own = view.seats.iter().find(|view| Some(view.seat) == seat);
                let cards = own.and_then(|view| view.hand.as_ref()).and_then(|hand| hand.cards.clone());
                let cards: Vec<&str> = cards.iter().flat_map(|cards| cards.split(' ')).collect();
                if cards.is_empty() || rng.below(3) == 0 {
                    Command::HouseWay
                } else {
                    Command::Set { low: format!("{} {}", rng.pick(&cards), rng.pick(&cards)) }
                }
            }
            PhaseName::Between if rng.below(2) == 0 => Command::NextRound,
            _ => Command::Tick,
        },
    };
    let command = match seat {
        Some(seat) if view.yours.len() > 1 && !matches!(command, Command::Sit { .. } | Command::Tick) => {
            Command::At { seat, command: Box::new(command) }
        }
        _ => command,
    };
    (player(name), command)
}

/// Returns the bytes of a seat in the current round.
pub(crate) fn seat_bytes(play: &Play, seat: u8) -> SeatBytes {
    let mut bytes = vec![seat; SeatBytes::LENGTH_MAX];
    bytes[..8].copy_from_slice(&play.table.round_number().to_be_bytes());
    SeatBytes::new(bytes).unwrap()
}

pub(crate) fn seat_commitment(play: &Play, seat: u8) -> Commitment {
    seat_bytes(play, seat).commitment(play.table.id(), play.table.round_number(), seat)
}

/// Returns a random command for the phase in which wagers are open.
fn wager_command(rng: &mut Rng, play: &Play, seat: u8) -> Command {
    match rng.below(20) {
        15 => Command::TakeBank { cents: 5_000 + rng.below(40_000) },
        16 => Command::GiveBankBack,
        14 => Command::PickPile { pile: rng.below(9) as u8 },
        12 | 13 => {
            let mut wagers =
                vec![Stake { wager: "pai-gow".to_owned(), cents: 500 + rng.below(5_000), color: None }];
            for index in 0..play.table.table_rules().side_wager_count() {
                let wager = play.table.table_rules().wager(index).name.clone();
                let color = (wager == "red-black").then_some(ColorName::Red);
                if rng.below(2) == 0 {
                    wagers.push(Stake { wager, cents: 500, color });
                }
            }
            let commitment = (rng.below(2) == 0).then(|| seat_commitment(play, seat));
            Command::Wagers { wagers, ready: rng.below(2) == 0, commitment }
        }
        0 => Command::TakeBank { cents: 30_000 },
        1 => Command::Clear { wager: None },
        17 => Command::Commit { commitment: seat_commitment(play, seat) },
        // At least two bytes, because the digits of one byte could be mistaken for a card.
        2 => Command::AddBytes { bytes: SeatBytes::new(vec![rng.next() as u8; 2 + rng.index(30)]).unwrap() },
        3..=5 => {
            let index = rng.index(play.table.table_rules().side_wager_count());
            let wager = play.table.table_rules().wager(index).name.clone();
            let color = (wager == "red-black").then_some(ColorName::Black);
            Command::Wager { wager, cents: 500, color }
        }
        6..=8 => Command::Wager { wager: "pai-gow".to_owned(), cents: 500 + rng.below(5_000), color: None },
        _ => Command::Ready,
    }
}
