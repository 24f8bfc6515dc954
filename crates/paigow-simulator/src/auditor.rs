//! Invariants checked after every commit, from the log, the journal and the ledger alone.

use crate::fair::{self, RoundName, SeatContribution};
use paigow::rulebook::{DealerTurn, Direction, FirstHand, Spots};
use paigow_server::simulation::Memory;
use paigow_server::{Batch, CommandResult};
use paigow_table::{
    Account, Commitment, LineRecord, Owner, PlayerId, Purpose, ReasonCode, Table, TableEvent, TableId,
    Transfer, Viewer,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// The auditor's state for one table.
#[derive(Clone, Default)]
pub(crate) struct TableAudit {
    /// The round whose secret is not out yet.
    open: Option<OpenRound>,
    /// What the round has moved, by owner.
    moved: BTreeMap<Owner, i64>,
    rounds: u64,
}

#[derive(Clone)]
struct OpenRound {
    number: u64,
    commitment: [u8; 32],
    /// Commitments of seats, and the bytes of those that revealed them.
    seats: BTreeMap<u8, SeatContribution>,
    /// The cards that must be shown to follow, with the dice and the pile, once hands are dealt.
    dealt: Option<(String, u8)>,
    pile: u8,
}

/// Counts of rounds by outcome.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RoundCounts {
    pub(crate) settled: u64,
    pub(crate) voided: u64,
    /// Those of them that were settled before.
    pub(crate) voided_settled: u64,
    pub(crate) abandoned: u64,
    pub(crate) banked: u64,
    pub(crate) given_back: u64,
    pub(crate) picked: u64,
    /// Seats that revealed their bytes.
    pub(crate) revealed: u64,
    /// Seats that committed and did not reveal.
    pub(crate) silent: u64,
    /// Settled rounds in which a bank could not pay every wager.
    pub(crate) spent: u64,
    /// Settled with several hands of one player.
    pub(crate) several_hands: u64,
}

impl AddAssign for RoundCounts {
    fn add_assign(&mut self, other: RoundCounts) {
        self.settled += other.settled;
        self.voided += other.voided;
        self.voided_settled += other.voided_settled;
        self.abandoned += other.abandoned;
        self.banked += other.banked;
        self.given_back += other.given_back;
        self.picked += other.picked;
        self.revealed += other.revealed;
        self.silent += other.silent;
        self.spent += other.spent;
        self.several_hands += other.several_hands;
    }
}

impl TableAudit {
    /// Looks at a commit that was written; the table is as it is afterwards.
    pub(crate) fn look(
        &mut self,
        batch: &Batch,
        events: &[TableEvent],
        table: &Table,
        store: &Memory,
        counts: &mut RoundCounts,
    ) {
        for transfer in &batch.transfers {
            self.moves(transfer);
        }
        for event in events {
            self.happens(event, table, counts);
        }
        let id = table.id();
        assert!(batch.transfers.is_empty() || self.rounds > 0, "money has moved at {id} before any round");
        let held: u64 = table.open_holds().map(|(_, cents)| cents).sum();
        let currency = table.config().currency.clone();
        let escrow = store.balance(&Account { owner: Owner::Escrow(id.clone()), currency });
        assert_eq!(escrow, held.cast_signed(), "escrow of {id} differs from the open holds");
        for (hold, cents) in table.open_holds() {
            assert_eq!(
                store.left_of(hold),
                Some(cents),
                "hold {hold} differs between the ledger and the table"
            );
        }
    }

    fn moves(&mut self, transfer: &Transfer) {
        let cents = transfer.cents.cast_signed();
        *self.moved.entry(transfer.debit.owner.clone()).or_default() -= cents;
        *self.moved.entry(transfer.credit.owner.clone()).or_default() += cents;
        assert_ne!(transfer.purpose, Purpose::Guarantee, "the operator pays for a bank");
        assert_ne!(transfer.debit.owner, Owner::Bank, "the operator pays for a bank");
    }

    fn happens(&mut self, event: &TableEvent, table: &Table, counts: &mut RoundCounts) {
        match event {
            TableEvent::RoundOpened { round, secret, commitment, .. } => {
                assert!(self.open.is_none(), "round {round} opens before the secret of the last is out");
                assert_eq!(*round, self.rounds + 1, "rounds are numbered one by one");
                assert!(secret.is_none(), "the secret of round {round} is stored while the round is open");
                self.rounds = *round;
                let (number, commitment) = (*round, commitment.0);
                let seats = BTreeMap::new();
                self.open = Some(OpenRound { number, commitment, seats, dealt: None, pile: 1 });
                self.moved.clear();
            }
            TableEvent::BytesAdded { .. } => panic!("bytes are added without a commitment"),
            TableEvent::WagersClosed { commitments, .. } => {
                let part = |(seat, commitment): (&u8, &Commitment)| (*seat, (commitment.0, None));
                self.round().seats = commitments.iter().map(part).collect();
            }
            TableEvent::Revealed { seat, bytes } => {
                let hex = String::from(bytes.clone());
                let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
                let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
                let (number, rules) = (self.round().number, table.opened_with());
                let name = RoundName { table: table.id().as_str(), round: number, rules };
                let expected = name.seat_commitment(*seat, &bytes);
                let Some(part) = self.round().seats.get_mut(seat) else {
                    panic!("seat {seat} reveals bytes it has not committed to")
                };
                assert_eq!(*part, (expected, None), "seat {seat} reveals other bytes, or twice");
                part.1 = Some(bytes);
                counts.revealed += 1;
            }
            TableEvent::Dealt { cards, dice, .. } => {
                assert!(cards.is_empty(), "the cards of an open round are stored");
                let silent = self.round().seats.values().filter(|(_, bytes)| bytes.is_none()).count();
                counts.silent += silent as u64;
                // Derived from the secret that the table has; the secret that is shown must be the same.
                let Some(secret) = table.view(&Viewer::Auditor).round.and_then(|round| round.secret) else {
                    panic!("hands are dealt without a secret")
                };
                let derived = self.derive(table, &secret.0);
                assert_eq!(*dice, derived.1, "the dice are not the secret's");
                let open = self.round();
                counts.picked += u64::from(open.pile > 1);
                hands_are(table, &fair::piles(&derived.0), *dice, open.pile);
                open.dealt = Some(derived);
            }
            TableEvent::BankGivenBack { .. } => {
                counts.given_back += 1;
                self.round().pile = 1;
            }
            TableEvent::PilePicked { pile, .. } => self.round().pile = *pile,
            TableEvent::BankTaken { .. } => counts.banked += 1,
            TableEvent::Settled { secret, settlement, .. } => {
                counts.settled += 1;
                let spent = |line: &LineRecord| {
                    matches!(line.reason, Some(ReasonCode::BankSpent | ReasonCode::EnvyUnpaid { .. }))
                };
                counts.spent += u64::from(settlement.iter().any(spent));
                counts.several_hands += u64::from(has_several_hands(table));
                self.reveal(table, secret.0);
                self.settled(settlement, table);
            }
            TableEvent::RoundVoided { secret, .. } => {
                counts.voided += 1;
                if self.open.is_some() {
                    let Some(secret) = secret else { panic!("a void round does not show its secret") };
                    self.reveal(table, secret.0);
                } else {
                    // A round that was settled: its secret is out, and all its money must have come back.
                    counts.voided_settled += 1;
                }
                assert!(self.moved.values().all(|cents| *cents == 0), "a void moves {:?}", self.moved);
            }
            TableEvent::RoundAbandoned { secret, .. } => {
                counts.abandoned += 1;
                self.reveal(table, secret.0);
                assert!(
                    self.moved.values().all(|cents| *cents == 0),
                    "an abandoned round moves {:?}",
                    self.moved
                );
            }
            TableEvent::Closed => assert!(self.open.is_none(), "a table closes in the middle of a round"),
            _ => {}
        }
    }

    fn round(&mut self) -> &mut OpenRound {
        let Some(round) = &mut self.open else { panic!("something happens in a round, and there is none") };
        round
    }

    /// The deal that follows from a secret and the seats' bytes.
    fn derive(&mut self, table: &Table, secret: &[u8; 32]) -> (String, u8) {
        let seats = &table.table_rules().book().seats;
        let places = seats.players + u8::from(seats.dealer_hand);
        let open = self.round();
        let name = RoundName { table: table.id().as_str(), round: open.number, rules: table.opened_with() };
        name.deal(secret, &open.seats, places)
    }

    /// Checks a secret that is shown: it is the one committed to, and the deal follows from it.
    fn reveal(&mut self, table: &Table, secret: [u8; 32]) {
        assert!(self.open.is_some(), "a secret is revealed without a commitment");
        let derived = self.derive(table, &secret);
        let Some(open) = self.open.take() else { return };
        let name = RoundName { table: table.id().as_str(), round: open.number, rules: table.opened_with() };
        assert_eq!(open.commitment, name.commitment(&secret), "the commitment is not of the secret");
        if let Some(dealt) = open.dealt {
            assert_eq!(dealt, derived, "the deal is not that of the secret shown");
        }
    }

    /// Every player and the house receive the net of the settlement lines, to the cent. A bank pays no more than it has put up, and the house
    /// never falls where all wagers are settled by the bank.
    fn settled(&self, settlement: &[LineRecord], table: &Table) {
        let seats: BTreeMap<u8, &PlayerId> = table.players().collect();
        let bank = table.view(&Viewer::Auditor).round.and_then(|round| round.bank);
        let banker = bank.as_ref().map(|bank| bank.seat);
        let mut nets: BTreeMap<Owner, i64> = BTreeMap::new();
        for line in settlement {
            let seat = match line.who.as_str() {
                "banker" => banker,
                who => who.strip_prefix("seat-").and_then(|seat| seat.parse().ok()),
            };
            // The house's own hand plays with the house's money.
            let who = seat.map_or(Owner::House, |seat| Owner::Player(seats[&seat].clone()));
            *nets.entry(who).or_default() += line.net_cents;
            // What it was against is the other side of it. Fees and commissions have accounts of their own.
            let against = match (line.against.as_str(), line.outcome.as_str()) {
                ("banker", _) => banker.map(|seat| Owner::Player(seats[&seat].clone())),
                (_, "collection" | "commission") => None,
                _ => Some(Owner::House),
            };
            if let Some(against) = against {
                *nets.entry(against).or_default() -= line.net_cents + line.fee_cents.cast_signed();
            }
            if let (Some(ReasonCode::Envy { seat: other, .. }), Some(seat)) = (&line.reason, seat) {
                assert_ne!(seats[other], seats[&seat], "an envy bonus for a hand of the same player");
            }
        }
        for (owner, moved) in &self.moved {
            if matches!(owner, Owner::Player(_) | Owner::House) {
                let net = nets.remove(owner).unwrap_or(0);
                assert_eq!(*moved, net, "{owner} has {moved} of a round that was worth {net}");
            }
        }
        assert!(nets.values().all(|net| *net == 0), "lines without a transfer: {nets:?}");
        let escrow = self.moved.get(&Owner::Escrow(table.id().clone()));
        assert_eq!(escrow.copied().unwrap_or(0), 0, "something of a settled round is still held");
        if let Some(bank) = bank {
            let against = settlement.iter().filter(|line| line.against == "banker");
            let paid = against.map(|line| (line.net_cents + line.fee_cents.cast_signed()).max(0));
            let (paid, put_up) = (paid.sum::<i64>(), bank.covers_cents.cast_signed());
            assert!(paid <= put_up, "a bank of {put_up} cents pays {paid}");
            let by_house = |line: &LineRecord| {
                line.who == "dealer"
                    || line.against == "house" && !matches!(&*line.outcome, "collection" | "commission")
            };
            let house = self.moved.get(&Owner::House).copied().unwrap_or(0);
            let bank_alone = !settlement.iter().any(by_house);
            assert!(house >= 0 || !bank_alone, "the house pays {} cents for a bank", -house);
        }
    }
}

/// All money there is.
pub(crate) fn look_at_money(store: &Memory) {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for (account, balance) in store.balances() {
        *sums.entry(account.currency.to_string()).or_default() += balance;
        let may_owe = matches!(account.owner, Owner::House | Owner::Bank | Owner::Issue);
        assert!(balance >= 0 || may_owe, "{} owes {balance}", account.owner);
    }
    assert!(sums.values().all(|sum| *sum == 0), "money appeared or vanished: {sums:?}");
}

/// Every open hold is one that a table knows, and the other way round.
pub(crate) fn look_at_holds<'a>(store: &Memory, tables: impl Iterator<Item = &'a Table>) {
    let known: BTreeMap<_, _> =
        tables.flat_map(Table::open_holds).map(|(id, cents)| (id.clone(), cents)).collect();
    assert_eq!(store.open_holds(), known, "holds of the ledger and of the tables");
}

/// Every command is in a table's log once, in one piece, and where its answer says.
pub(crate) fn look_at_answers(store: &Memory, table: &TableId) {
    let mut runs: Vec<(String, CommandResult)> = Vec::new();
    for row in store.log_of(table) {
        let name = format!("{:?} {}", row.by, row.command);
        match runs.last_mut() {
            Some((last, done)) if *last == name => done.seq = row.seq,
            _ => {
                assert!(runs.iter().all(|(other, _)| *other != name), "{name} is in the log in two places");
                runs.push((name.clone(), CommandResult { after: row.seq - 1, seq: row.seq }));
            }
        }
        let kept = store.answer_to(&row.by, &row.command);
        assert!(kept.is_some_and(|kept| kept.table.as_ref() == Some(table)), "{name} was never answered");
    }
    for row in store.log_of(table) {
        let Some(kept) = store.answer_to(&row.by, &row.command) else { continue };
        let name = format!("{:?} {}", row.by, row.command);
        let run = runs.iter().find(|(other, _)| *other == name).map(|(_, done)| done);
        let answer: Option<CommandResult> = serde_json::from_str(&kept.answer).ok();
        assert_eq!(answer.as_ref(), run, "{name} is elsewhere in the log");
    }
}

/// Whether a player has wagered at several seats.
fn has_several_hands(table: &Table) -> bool {
    let view = table.view(&Viewer::Auditor);
    let mut players = BTreeSet::new();
    view.seats.into_iter().filter(|seat| !seat.wagers.is_empty()).any(|seat| !players.insert(seat.player))
}

/// The cards of every player who has any.
pub(crate) fn hands_of(table: &Table) -> BTreeMap<PlayerId, BTreeSet<String>> {
    let view = table.view(&Viewer::Auditor);
    let mut hands: BTreeMap<PlayerId, BTreeSet<String>> = BTreeMap::new();
    for seat in view.seats {
        if let Some(cards) = seat.hand.and_then(|hand| hand.cards) {
            hands.entry(seat.player).or_default().extend(cards.split(' ').map(ToOwned::to_owned));
        }
    }
    hands
}

/// Every place has the pile it should have: the picked one goes to the place the dice chose, or the banker's, the others follow.
fn hands_are(table: &Table, piles: &[BTreeSet<String>], dice: u8, pile: u8) {
    let view = table.view(&Viewer::Auditor);
    let book = table.table_rules().book();
    let Some(round) = view.round else { panic!("hands are dealt in no round") };
    let dealt: Vec<u8> = view.seats.iter().filter(|seat| seat.hand.is_some()).map(|seat| seat.seat).collect();
    let (seats, dealer) = (book.seats.players, book.seats.players + 1);
    let start = match (book.dealing.first, &round.bank) {
        (FirstHand::Dice, _) => dice,
        (FirstHand::Banker, Some(bank)) => bank.seat,
        (FirstHand::Banker, None) => dealer,
    };
    // Seat by seat, from the start once round.
    let mut places: Vec<u8> = (1..=seats).collect();
    if book.dealing.order == Direction::CounterClockwise {
        places.reverse();
    }
    let from = places.iter().position(|place| *place == start).unwrap_or(0);
    places.rotate_left(from);
    places.retain(|place| book.dealing.spots == Spots::Every || dealt.contains(place));
    if book.seats.dealer_hand {
        let turn = match book.dealing.dealer_hand {
            _ if start == dealer => 0,
            DealerTurn::AfterFirstSeat => 1,
            // Where the ring of seats and dealer, gone round from the start, comes to the dealer.
            DealerTurn::InOrder => places
                .iter()
                .take_while(|place| match book.dealing.order {
                    Direction::CounterClockwise => **place <= places[0],
                    Direction::Clockwise => **place >= places[0],
                })
                .count(),
            DealerTurn::Last | DealerTurn::None => places.len(),
        };
        places.insert(turn, dealer);
    }
    let hand = |place: u8| {
        let seat = view.seats.iter().find(|seat| seat.seat == place);
        if place == dealer { round.dealer.as_ref() } else { seat.and_then(|seat| seat.hand.as_ref()) }
    };
    for (at, place) in places.iter().enumerate() {
        let Some(cards) = hand(*place).and_then(|hand| hand.cards.as_ref()) else { continue };
        let cards: BTreeSet<String> = cards.split(' ').map(ToOwned::to_owned).collect();
        let pile = &piles[(usize::from(pile) - 1 + at) % places.len()];
        assert_eq!(cards, *pile, "place {place} of {places:?} has another pile");
    }
}
