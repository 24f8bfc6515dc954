//! Invariants checked after every commit, from the log, the journal and the ledger alone.

use crate::fair::{self, RoundName, SeatContribution};
use paigow::rulebook::{DealerHandPosition, Direction, FirstHand, Spots};
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
    /// The round whose secret is not revealed yet.
    open: Option<OpenRound>,
    /// Net cents that the round has moved, by owner.
    moved: BTreeMap<Owner, i64>,
    rounds: u64,
}

#[derive(Clone)]
struct OpenRound {
    number: u64,
    commitment: [u8; 32],
    /// Commitments of the seats, with the bytes of those that revealed them.
    seats: BTreeMap<u8, SeatContribution>,
    /// Cards and dice of the deal, derived when hands are dealt. The revealed secret must give the same.
    dealt: Option<(String, u8)>,
    pile: u8,
}

/// Counts of rounds by outcome.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RoundCounts {
    pub(crate) settled: u64,
    pub(crate) voided: u64,
    /// Voided rounds that had been settled.
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
    /// Settled rounds with several hands of one player.
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
    /// Audits a committed batch. `table` and `store` are the states after it.
    pub(crate) fn audit_commit(
        &mut self,
        batch: &Batch,
        events: &[TableEvent],
        table: &Table,
        store: &Memory,
        counts: &mut RoundCounts,
    ) {
        for transfer in &batch.transfers {
            self.audit_transfer(transfer);
        }
        for event in events {
            self.audit_event(event, table, counts);
        }
        let id = table.id();
        assert!(batch.transfers.is_empty() || self.rounds > 0, "money moved at {id} before the first round");
        let held: u64 = table.open_holds().map(|(_, cents)| cents).sum();
        let currency = table.config().currency.clone();
        let escrow = store.balance(&Account { owner: Owner::Escrow(id.clone()), currency });
        assert_eq!(escrow, held.cast_signed(), "escrow of {id} differs from the open holds");
        for (hold, cents) in table.open_holds() {
            assert_eq!(
                store.hold_remainder(hold),
                Some(cents),
                "hold {hold} differs between the ledger and the table"
            );
        }
    }

    fn audit_transfer(&mut self, transfer: &Transfer) {
        let cents = transfer.cents.cast_signed();
        *self.moved.entry(transfer.debit.owner.clone()).or_default() -= cents;
        *self.moved.entry(transfer.credit.owner.clone()).or_default() += cents;
        assert_ne!(transfer.purpose, Purpose::Guarantee, "the operator pays for a bank");
        assert_ne!(transfer.debit.owner, Owner::Guarantee, "the operator pays for a bank");
    }

    fn audit_event(&mut self, event: &TableEvent, table: &Table, counts: &mut RoundCounts) {
        match event {
            TableEvent::RoundOpened { round, secret, commitment, .. } => {
                assert!(self.open.is_none(), "round {round} opens before the last secret is revealed");
                assert_eq!(*round, self.rounds + 1, "round numbers are not consecutive");
                assert!(secret.is_none(), "the secret of round {round} is stored while the round is open");
                self.rounds = *round;
                let (number, commitment) = (*round, commitment.0);
                let seats = BTreeMap::new();
                self.open = Some(OpenRound { number, commitment, seats, dealt: None, pile: 1 });
                self.moved.clear();
            }
            TableEvent::BytesAdded { .. } => panic!("bytes were added without a commitment"),
            TableEvent::WagersClosed { commitments, .. } => {
                let part = |(seat, commitment): (&u8, &Commitment)| (*seat, (commitment.0, None));
                self.open_round().seats = commitments.iter().map(part).collect();
            }
            TableEvent::Revealed { seat, bytes } => {
                let hex = String::from(bytes.clone());
                let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
                let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
                let (number, rules) = (self.open_round().number, table.opening_rules_digest());
                let name = RoundName { table: table.id().as_str(), round: number, rules };
                let expected = name.seat_commitment(*seat, &bytes);
                let Some(part) = self.open_round().seats.get_mut(seat) else {
                    panic!("seat {seat} reveals bytes it has not committed to")
                };
                assert_eq!(
                    *part,
                    (expected, None),
                    "seat {seat} reveals bytes that do not match its commitment, or twice"
                );
                part.1 = Some(bytes);
                counts.revealed += 1;
            }
            TableEvent::Dealt { cards, dice, .. } => {
                assert!(cards.is_empty(), "the cards of an open round are stored");
                let silent = self.open_round().seats.values().filter(|(_, bytes)| bytes.is_none()).count();
                counts.silent += silent as u64;
                // Derived from the secret that the table holds. The revealed secret must be the same.
                let Some(secret) = table.view(&Viewer::Auditor).round.and_then(|round| round.secret) else {
                    panic!("hands are dealt without a secret")
                };
                let derived = self.derive_deal(table, &secret.0);
                assert_eq!(*dice, derived.1, "the dice do not follow from the secret");
                let open = self.open_round();
                counts.picked += u64::from(open.pile > 1);
                check_hands(table, &fair::piles(&derived.0), *dice, open.pile);
                open.dealt = Some(derived);
            }
            TableEvent::BankGivenBack { .. } => {
                counts.given_back += 1;
                self.open_round().pile = 1;
            }
            TableEvent::PilePicked { pile, .. } => self.open_round().pile = *pile,
            TableEvent::BankTaken { .. } => counts.banked += 1,
            TableEvent::Settled { secret, settlement, .. } => {
                counts.settled += 1;
                let spent = |line: &LineRecord| {
                    matches!(line.reason, Some(ReasonCode::BankSpent | ReasonCode::EnvyUnpaid { .. }))
                };
                counts.spent += u64::from(settlement.iter().any(spent));
                counts.several_hands += u64::from(has_several_hands(table));
                self.check_secret(table, secret.0);
                self.check_settlement(settlement, table);
            }
            TableEvent::RoundVoided { secret, .. } => {
                counts.voided += 1;
                if self.open.is_some() {
                    let Some(secret) = secret else { panic!("a voided round does not reveal its secret") };
                    self.check_secret(table, secret.0);
                } else {
                    // The round was settled: its secret is revealed, and all its money must be returned.
                    counts.voided_settled += 1;
                }
                assert!(
                    self.moved.values().all(|cents| *cents == 0),
                    "a voided round moves {:?}",
                    self.moved
                );
            }
            TableEvent::RoundAbandoned { secret, .. } => {
                counts.abandoned += 1;
                self.check_secret(table, secret.0);
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

    fn open_round(&mut self) -> &mut OpenRound {
        let Some(round) = &mut self.open else { panic!("an event of a round, but no round is open") };
        round
    }

    /// Derives the deal from a secret and the seats' bytes.
    fn derive_deal(&mut self, table: &Table, secret: &[u8; 32]) -> (String, u8) {
        let seats = &table.table_rules().book().seats;
        let positions = seats.players + u8::from(seats.dealer_hand);
        let open = self.open_round();
        let name =
            RoundName { table: table.id().as_str(), round: open.number, rules: table.opening_rules_digest() };
        name.deal(secret, &open.seats, positions)
    }

    /// Checks that a revealed secret matches the commitment and gives the deal.
    fn check_secret(&mut self, table: &Table, secret: [u8; 32]) {
        assert!(self.open.is_some(), "a secret is revealed without a commitment");
        let derived = self.derive_deal(table, &secret);
        let Some(open) = self.open.take() else { return };
        let name =
            RoundName { table: table.id().as_str(), round: open.number, rules: table.opening_rules_digest() };
        assert_eq!(open.commitment, name.commitment(&secret), "the commitment does not match the secret");
        if let Some(dealt) = open.dealt {
            assert_eq!(dealt, derived, "the deal does not follow from the revealed secret");
        }
    }

    /// Checks that the transfers of every player and of the house equal the net of the settlement lines.
    ///
    /// A bank pays no more than it has put up. The house account does not fall if the bank settles all wagers.
    fn check_settlement(&self, settlement: &[LineRecord], table: &Table) {
        let seats: BTreeMap<u8, &PlayerId> = table.players().collect();
        let bank = table.view(&Viewer::Auditor).round.and_then(|round| round.bank);
        let banker = bank.as_ref().map(|bank| bank.seat);
        let mut nets: BTreeMap<Owner, i64> = BTreeMap::new();
        for line in settlement {
            let seat = match line.who.as_str() {
                "banker" => banker,
                who => who.strip_prefix("seat-").and_then(|seat| seat.parse().ok()),
            };
            // The dealer's hand plays with the house's money.
            let who = seat.map_or(Owner::House, |seat| Owner::Player(seats[&seat].clone()));
            *nets.entry(who).or_default() += line.net_cents;
            // The opponent receives the opposite amount. Fees and commissions have separate accounts.
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
                assert_eq!(*moved, net, "{owner}: transfers move {moved} cents, settlement lines {net}");
            }
        }
        assert!(nets.values().all(|net| *net == 0), "settlement lines without a transfer: {nets:?}");
        let escrow = self.moved.get(&Owner::Escrow(table.id().clone()));
        assert_eq!(escrow.copied().unwrap_or(0), 0, "escrow holds money of a settled round");
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
            let bank_settles_all = !settlement.iter().any(by_house);
            assert!(house >= 0 || !bank_settles_all, "the house pays {} cents for a bank", -house);
        }
    }
}

/// Checks that every currency sums to zero and that only house, bank and issue accounts are negative.
pub(crate) fn check_balances(store: &Memory) {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for (account, balance) in store.balances() {
        *sums.entry(account.currency.to_string()).or_default() += balance;
        let may_owe = matches!(account.owner, Owner::House | Owner::Guarantee | Owner::Issue);
        assert!(balance >= 0 || may_owe, "{} has a negative balance: {balance}", account.owner);
    }
    assert!(sums.values().all(|sum| *sum == 0), "money appeared or vanished: {sums:?}");
}

/// Checks that the ledger and the tables have the same open holds.
pub(crate) fn check_holds<'a>(store: &Memory, tables: impl Iterator<Item = &'a Table>) {
    let known: BTreeMap<_, _> =
        tables.flat_map(Table::open_holds).map(|(id, cents)| (id.clone(), cents)).collect();
    assert_eq!(store.open_holds(), known, "the holds of the ledger and of the tables differ");
}

/// Checks that the events of each command are contiguous in the log, at the sequence numbers of its answer.
pub(crate) fn check_answers(store: &Memory, table: &TableId) {
    let mut ranges: Vec<(String, CommandResult)> = Vec::new();
    for row in store.events(table) {
        let name = format!("{:?} {}", row.by, row.command);
        match ranges.last_mut() {
            Some((last, done)) if *last == name => done.seq = row.seq,
            _ => {
                assert!(
                    ranges.iter().all(|(other, _)| *other != name),
                    "the events of {name} are not contiguous"
                );
                ranges.push((name.clone(), CommandResult { after: row.seq - 1, seq: row.seq }));
            }
        }
        let stored = store.stored_command(&row.by, &row.command);
        assert!(
            stored.is_some_and(|stored| stored.table.as_ref() == Some(table)),
            "{name} has no stored answer"
        );
    }
    for row in store.events(table) {
        let Some(stored) = store.stored_command(&row.by, &row.command) else { continue };
        let name = format!("{:?} {}", row.by, row.command);
        let range = ranges.iter().find(|(other, _)| *other == name).map(|(_, done)| done);
        let answer: Option<CommandResult> = serde_json::from_str(&stored.answer).ok();
        assert_eq!(answer.as_ref(), range, "the answer to {name} has other sequence numbers");
    }
}

/// Whether a player has wagered at several seats.
fn has_several_hands(table: &Table) -> bool {
    let view = table.view(&Viewer::Auditor);
    let mut players = BTreeSet::new();
    view.seats.into_iter().filter(|seat| !seat.wagers.is_empty()).any(|seat| !players.insert(seat.player))
}

/// Returns the cards of every player who has a hand.
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

/// Checks that every position has the right pile. The picked pile goes to the position that the dice choose, or to the
/// banker; the others follow in order.
fn check_hands(table: &Table, piles: &[BTreeSet<String>], dice: u8, pile: u8) {
    let view = table.view(&Viewer::Auditor);
    let book = table.table_rules().book();
    let Some(round) = view.round else { panic!("hands are dealt, but no round is open") };
    let dealt: Vec<u8> = view.seats.iter().filter(|seat| seat.hand.is_some()).map(|seat| seat.seat).collect();
    let (seats, dealer) = (book.seats.players, book.seats.players + 1);
    let start = match (book.dealing.first, &round.bank) {
        (FirstHand::Dice, _) => dice,
        (FirstHand::Banker, Some(bank)) => bank.seat,
        (FirstHand::Banker, None) => dealer,
    };
    // The seats in dealing order, from the start.
    let mut positions: Vec<u8> = (1..=seats).collect();
    if book.dealing.order == Direction::CounterClockwise {
        positions.reverse();
    }
    let from = positions.iter().position(|position| *position == start).unwrap_or(0);
    positions.rotate_left(from);
    positions.retain(|position| book.dealing.spots == Spots::Every || dealt.contains(position));
    if book.seats.dealer_hand {
        let turn = match book.dealing.dealer_hand {
            _ if start == dealer => 0,
            DealerHandPosition::AfterFirstSeat => 1,
            // The dealer's position in the ring of seats and dealer, in dealing order from the start.
            DealerHandPosition::InOrder => positions
                .iter()
                .take_while(|position| match book.dealing.order {
                    Direction::CounterClockwise => **position <= positions[0],
                    Direction::Clockwise => **position >= positions[0],
                })
                .count(),
            DealerHandPosition::Last | DealerHandPosition::None => positions.len(),
        };
        positions.insert(turn, dealer);
    }
    let hand = |position: u8| {
        let seat = view.seats.iter().find(|seat| seat.seat == position);
        if position == dealer { round.dealer.as_ref() } else { seat.and_then(|seat| seat.hand.as_ref()) }
    };
    for (index, position) in positions.iter().enumerate() {
        let Some(cards) = hand(*position).and_then(|hand| hand.cards.as_ref()) else { continue };
        let cards: BTreeSet<String> = cards.split(' ').map(ToOwned::to_owned).collect();
        let pile = &piles[(usize::from(pile) - 1 + index) % positions.len()];
        assert_eq!(cards, *pile, "position {position} of {positions:?} has the wrong pile");
    }
}
