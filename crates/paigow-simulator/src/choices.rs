//! Commands of clients: mostly valid ones for the table they see, sometimes random ones.

use paigow::rulebook::DecidingCards;
use paigow_table::{Actor, ColorName, Command, PhaseName, PlayerId, SeatBytes, Stake, Table, View, Viewer};
use paigow_testkit::Rng;

/// Chooses a command for a player with this balance, in cents, and the player's view of the table.
pub(crate) fn choose(rng: &mut Rng, player: &PlayerId, balance: u64, table: &Table) -> Command {
    if rng.chance(40) {
        return random_command(rng, table);
    }
    let view = table.view(&Viewer::Player(player.clone()));
    let has_several_seats = view.yours.len() > 1;
    let seat = if has_several_seats { Some(*rng.pick(&view.yours)) } else { view.you };
    let may_take_seat = view.yours.len() < usize::from(view.facts.hands_per_player);
    let Some(seat) = seat.filter(|_| !(may_take_seat && view.you.is_some() && rng.chance(150))) else {
        let free: Vec<u8> = (1..=table.table_rules().book().seats.players)
            .filter(|seat| view.seats.iter().all(|taken| taken.seat != *seat))
            .collect();
        return if free.is_empty() {
            random_command(rng, table)
        } else {
            Command::Sit { seat: *rng.pick(&free) }
        };
    };
    let command = choose_at_seat(rng, balance, table, view, seat);
    // A player with several seats mostly names one of them, and sometimes omits the seat.
    if has_several_seats && !matches!(command, Command::Sit { .. } | Command::Tick) && !rng.chance(20) {
        return Command::At { seat, command: Box::new(command) };
    }
    command
}

/// Chooses a command at a seat.
fn choose_at_seat(rng: &mut Rng, balance: u64, table: &Table, view: View, seat: u8) -> Command {
    let Some(sitting) = view.seats.iter().find(|sitting| sitting.seat == seat) else { return Command::Stand };
    if rng.chance(15) {
        return Command::Stand;
    }
    if sitting.out {
        return Command::Return;
    }
    match view.phase {
        PhaseName::Offering if rng.chance(700) => Command::TakeBank {
            // The whole balance, one chip against high wagers, or an amount between.
            cents: match rng.below(10) {
                0..=2 => balance,
                3..=4 => 500,
                _ => amount(rng) * rng.between(1, 4),
            },
        },
        PhaseName::Offering => Command::PassBank,
        PhaseName::Wagers if rng.chance(40) => Command::TakeBank { cents: amount(rng) * rng.between(1, 30) },
        PhaseName::Wagers
            if view.round.is_some_and(|round| round.bank.is_some_and(|bank| bank.seat == seat)) =>
        {
            match rng.below(7) {
                4 | 5 => Command::TakeBank { cents: amount(rng) * rng.between(1, 8) },
                6 => Command::GiveBankBack,
                0 => Command::PickPile { pile: rng.below(9) as u8 },
                1 => commit(table, seat),
                2 => Command::Ready,
                _ => random_command(rng, table),
            }
        }
        PhaseName::Wagers if sitting.wagers.is_empty() => {
            if rng.chance(400) {
                wagers(rng, table)
            } else if rng.chance(850) {
                base_wager(rng)
            } else {
                random_command(rng, table)
            }
        }
        PhaseName::Wagers => match rng.below(11) {
            0 => base_wager(rng),
            10 => wagers(rng, table),
            1..=3 => side_wager(rng, table),
            4 => commit(table, sitting.seat),
            5 => Command::Clear { wager: rng.chance(500).then(|| wager_name(rng, table)) },
            _ => Command::Ready,
        },
        PhaseName::Revealing => match rng.below(12) {
            0 => Command::Reveal { bytes: bytes(rng) },
            1 => random_command(rng, table),
            _ => Command::Reveal { bytes: own_bytes(table, sitting.seat) },
        },
        PhaseName::Settings => {
            match sitting.hand.as_ref().filter(|hand| !hand.set).and_then(|hand| hand.cards.as_ref()) {
                Some(cards) if rng.chance(600) => {
                    let cards: Vec<&str> = cards.split(' ').collect();
                    let (first, second) = (rng.pick(&cards), rng.pick(&cards));
                    Command::Set { low: format!("{first} {second}") }
                }
                _ => Command::HouseWay,
            }
        }
        _ => random_command(rng, table),
    }
}

/// Chooses a command for an operator.
pub(crate) fn choose_for_operator(rng: &mut Rng) -> Command {
    match rng.below(200) {
        0..=19 => Command::Pause,
        20..=119 => Command::Resume,
        120..=149 => Command::Void { reason: "a card lay open".into() },
        150 => Command::Close,
        151..=155 => Command::Vacate { seat: 1 + rng.below(6) as u8 },
        156..=159 => Command::Suspend { seat: 1 + rng.below(6) as u8 },
        _ => Command::Notice { text: "the table is moved at noon".to_owned() },
    }
}

/// Chooses the actor of a command: nearly always the player, sometimes a forbidden one.
pub(crate) fn actor(rng: &mut Rng, player: &PlayerId) -> Actor {
    match rng.below(400) {
        0 => Actor::Clock,
        1 => Actor::Operator(player.clone()),
        _ => Actor::Player(player.clone()),
    }
}

fn base_wager(rng: &mut Rng) -> Command {
    Command::Wager { wager: "pai-gow".to_owned(), cents: amount(rng), color: None }
}

fn side_wager(rng: &mut Rng, table: &Table) -> Command {
    let color = match rng.below(4) {
        0 => Some(ColorName::Red),
        1 => Some(ColorName::Black),
        _ => None,
    };
    Command::Wager { wager: wager_name(rng, table), cents: side_amount(rng), color }
}

/// Places all wagers in one command: mostly the base wager and some side wagers, each once.
fn wagers(rng: &mut Rng, table: &Table) -> Command {
    let mut wagers = vec![Stake { wager: "pai-gow".to_owned(), cents: amount(rng), color: None }];
    let table_rules = table.table_rules();
    for index in 0..table_rules.side_wager_count() {
        if rng.chance(400) {
            let wager = table_rules.wager(index);
            let color = (wager.looks_at == DecidingCards::Color)
                .then(|| if rng.chance(500) { ColorName::Red } else { ColorName::Black });
            wagers.push(Stake { wager: wager.name.clone(), cents: side_amount(rng), color });
        }
    }
    if rng.chance(100) {
        wagers.remove(rng.below(wagers.len() as u64) as usize);
    }
    if rng.chance(50) {
        wagers.push(Stake { wager: wager_name(rng, table), cents: amount(rng), color: None });
    }
    Command::Wagers { wagers, ready: rng.chance(500), commitment: None }
}

fn wager_name(rng: &mut Rng, table: &Table) -> String {
    let table_rules = table.table_rules();
    match rng.below(table_rules.side_wager_count() as u64 + 2) as usize {
        0 => "pai-gow".to_owned(),
        index if index <= table_rules.side_wager_count() => table_rules.wager(index - 1).name.clone(),
        _ => "lucky-sevens".to_owned(),
    }
}

fn amount(rng: &mut Rng) -> u64 {
    match rng.below(20) {
        0 => rng.below(500),
        1 => rng.below(2_000_000),
        2..=5 => rng.between(500, 20_000),
        _ => 500 * rng.between(1, 20),
    }
}

/// Mostly a few dollars, sometimes the maximum that books allow.
fn side_amount(rng: &mut Rng) -> u64 {
    if rng.chance(150) { 50_000 } else { 100 * rng.between(1, 30) }
}

/// Returns the bytes that a client contributes for a seat in the current round.
fn own_bytes(table: &Table, seat: u8) -> SeatBytes {
    let mut bytes = vec![seat; SeatBytes::LENGTH_MAX];
    bytes[..8].copy_from_slice(&table.round_number().to_be_bytes());
    let Some(bytes) = SeatBytes::new(bytes) else { panic!("the bytes of seat {seat} are too long") };
    bytes
}

fn commit(table: &Table, seat: u8) -> Command {
    let bytes = own_bytes(table, seat);
    Command::Commit { commitment: bytes.commitment(table.id(), table.round_number(), seat) }
}

fn bytes(rng: &mut Rng) -> SeatBytes {
    let length = rng.below(33) as usize;
    let Some(bytes) = SeatBytes::new(rng.bytes()[..length].to_vec()) else {
        panic!("{length} bytes are too many")
    };
    bytes
}

fn random_command(rng: &mut Rng, table: &Table) -> Command {
    match rng.below(23) {
        22 => Command::GiveBankBack,
        21 => Command::PickPile { pile: rng.below(9) as u8 },
        20 => wagers(rng, table),
        0 | 1 => Command::Sit { seat: rng.below(9) as u8 },
        2 => Command::Stand,
        3 => Command::SitOut,
        4 => Command::Return,
        5 | 6 => base_wager(rng),
        7 => side_wager(rng, table),
        8 => Command::Clear { wager: None },
        9 => Command::AddBytes { bytes: bytes(rng) },
        10 => Command::TakeBank { cents: amount(rng) },
        11 => Command::PassBank,
        12 | 13 => Command::Ready,
        14 => Command::Set { low: "As Kd".to_owned() },
        15 => Command::HouseWay,
        16 => Command::Tick,
        17 => Command::Pause,
        18 => Command::Void { reason: "".into() },
        _ => Command::Clear { wager: Some(wager_name(rng, table)) },
    }
}
