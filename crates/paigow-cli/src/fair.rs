//! `paigow fair`: reproduces a deal from its secret, or checks signed receipts.

mod receipt;

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::FairArgs;
use crate::{Failure, print, problems};
use paigow::rulebook::{Banker, FirstHand, LoadError};
use paigow::{BySeat, Deal, Refusal, Rulebook, Seat, Shuffle};
use paigow_answers::files::Files;
use paigow_table::{Commitment, Contributions, FairDeal, SeatBytes, Secret, TableId};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::RangeInclusive;

pub(crate) fn run(args: &FairArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    if !args.receipt.is_empty() {
        return receipt::run(&args.receipt, args.public_key, format, out);
    }
    let request = DealRequest::read(args)?;
    let seats = match &request.committed {
        None => Contributions::Added(&request.bytes),
        Some((rules, commitments)) => {
            Contributions::Committed { rules, commitments, revealed: &request.bytes }
        }
    };
    let deal = FairDeal { secret: request.secret, table: &request.table, round: request.round, seats };
    let shuffle = deal.shuffle();
    let dealt = request.table_args.as_ref().map(|table| table.deal(&deal, &shuffle)).transpose()?;
    let commitment = deal.commitment();
    print(&answer(&request, &deal, &shuffle, commitment, dealt.as_ref()), format, out)?;
    if request.commitment.is_some_and(|given| given != commitment) {
        return Err(Failure::Refused(
            "the given commitment is not that of this secret, table and round".to_owned(),
        ));
    }
    Ok(())
}

/// Arguments for one deal.
struct DealRequest {
    secret: Secret,
    table: TableId,
    round: u64,
    bytes: BTreeMap<u8, SeatBytes>,
    /// Digest of the rules and commitments of the seats, in version 2 of fair deals.
    committed: Option<(String, BTreeMap<u8, Commitment>)>,
    commitment: Option<Commitment>,
    table_args: Option<TableArgs>,
}

impl DealRequest {
    /// Parses the arguments, or reports all their faults.
    fn read(args: &FairArgs) -> Result<DealRequest, Failure> {
        let mut faults = ArgFaults::default();
        let typed = |text: &Option<String>| text.clone().unwrap_or_default();
        let secret = faults.hex_of_32("--secret", &typed(&args.secret)).map(Secret);
        let table: Option<TableId> =
            typed(&args.table).parse().map_err(|fault| faults.note(format!("--table: {fault}"))).ok();
        let round = typed(&args.round).parse().ok();
        if round.is_none() {
            faults.note(format!("--round must be an integer from 0 to {}", u64::MAX));
        }
        let commitment =
            args.commitment.as_ref().map(|text| faults.hex_of_32("--commitment", text).map(Commitment));
        let book = args.book.as_ref().map(|name| Rulebook::load(name, &args.changes.set, &Files)).transpose();
        let (book, unreadable) = match book {
            Ok(book) => (book, None),
            Err(LoadError::Problems(problems)) => (None, Some(Failure::Problems(problems))),
            Err(error) => {
                faults.note(error.to_string());
                (None, None)
            }
        };
        let bytes = faults.seat_bytes(&args.seat, book.as_ref());
        let committed = faults.committed(args, table.as_ref().zip(round), &bytes);
        let table_args = faults.table_args(args, book);
        match (secret, table, round, unreadable) {
            (Some(secret), Some(table), Some(round), None) if faults.0.is_empty() => Ok(DealRequest {
                secret,
                table,
                round,
                bytes,
                committed,
                commitment: commitment.flatten(),
                table_args,
            }),
            (.., Some(failure)) => Err(faults.before(failure)),
            (.., None) => Err(Failure::Refused(faults.0.join("; "))),
        }
    }
}

/// Rule book, seats and banker of a deal.
struct TableArgs {
    book: Rulebook,
    plays: BySeat<bool>,
    banker: Option<Seat>,
    pile: Option<u8>,
}

impl TableArgs {
    /// Number of positions that the dice choose from: all seats, and the dealer if it has a hand.
    fn positions(book: &Rulebook) -> u8 {
        book.seats.players + u8::from(book.seats.dealer_hand)
    }

    fn deal(&self, deal: &FairDeal<'_>, shuffle: &Shuffle) -> Result<DealtHands<'_>, Failure> {
        let dice = deal.dice(TableArgs::positions(&self.book));
        let deal = Deal::new(&self.book, shuffle, dice, self.pile, self.plays, self.banker)
            .map_err(|refusal| Failure::Refused(refusal.to_string()))?;
        Ok(DealtHands { table: self, dice, deal })
    }
}

/// Faults of the arguments.
#[derive(Default)]
struct ArgFaults(Vec<String>);

impl ArgFaults {
    fn note(&mut self, fault: String) {
        self.0.push(fault);
    }

    /// Puts these faults before the problems of a text.
    fn before(self, failure: Failure) -> Failure {
        match failure {
            Failure::Problems(found) if !self.0.is_empty() => {
                Failure::Refused(format!("{}\n{}", self.0.join("; "), problems::render(&found)))
            }
            failure => failure,
        }
    }

    fn hex_of_32(&mut self, option: &str, text: &str) -> Option<[u8; 32]> {
        if let Ok(Secret(bytes)) = Secret::try_from(text.to_owned()) {
            return Some(bytes);
        }
        let reason =
            not_hex(text).unwrap_or_else(|| format!("expected 64 hexadecimal digits, found {}", text.len()));
        self.note(format!("{option}: {reason}"));
        None
    }

    /// Parses the number of a seat of the book, or of any table if there is no book.
    fn seat(&mut self, option: &str, text: &str, book: Option<&Rulebook>) -> Option<Seat> {
        let seats = book.map_or(Seat::COUNT_MAX as u8, |book| book.seats.players);
        let seat = text.trim().parse().ok().and_then(Seat::new).filter(|seat| seat.number() <= seats);
        if seat.is_none() {
            self.note(format!("{option}: the seat must be a number from 1 to {seats}"));
        }
        seat
    }

    fn seat_bytes(&mut self, typed: &[String], book: Option<&Rulebook>) -> BTreeMap<u8, SeatBytes> {
        let mut all = BTreeMap::new();
        for text in typed {
            let Some((number, hex)) = text.split_once('=') else {
                self.note("--seat: expected SEAT=HEX".to_owned());
                continue;
            };
            let seat = self.seat("--seat", number, book);
            let bytes = SeatBytes::try_from(hex.to_owned()).map_err(|_| {
                let reason = not_hex(hex).unwrap_or_else(|| match hex.len() {
                    digits if digits % 2 == 1 => format!("odd number of hexadecimal digits: {digits}"),
                    digits => format!("{} bytes: at most {} are allowed", digits / 2, SeatBytes::LENGTH_MAX),
                });
                self.note(format!("--seat: {reason}"));
            });
            if let (Some(seat), Ok(bytes)) = (seat, bytes)
                && all.insert(seat.number(), bytes).is_some()
            {
                self.note(format!("--seat: {seat} appears twice"));
            }
        }
        all
    }

    /// Returns the digest of the rules and the commitments of the seats.
    ///
    /// The commitments of silent seats are given. Those of other seats follow from their revealed bytes.
    fn committed(
        &mut self,
        args: &FairArgs,
        named: Option<(&TableId, u64)>,
        revealed: &BTreeMap<u8, SeatBytes>,
    ) -> Option<(String, BTreeMap<u8, Commitment>)> {
        let rules = args.rules.clone()?;
        self.hex_of_32("--rules", &rules)?;
        let (table, round) = named?;
        let mut commitments = BTreeMap::new();
        for (seat, bytes) in revealed {
            if !bytes.is_full_length() {
                self.note(format!("--seat: seat {seat} must reveal {} bytes", SeatBytes::LENGTH_MAX));
            }
            commitments.insert(*seat, bytes.commitment(table, round, *seat));
        }
        for text in &args.silent {
            let Some((number, hex)) = text.split_once('=') else {
                self.note("--silent: expected SEAT=HEX".to_owned());
                continue;
            };
            let seat = self.seat("--silent", number, None);
            let commitment = self.hex_of_32("--silent", hex).map(Commitment);
            if let (Some(seat), Some(commitment)) = (seat, commitment)
                && commitments.insert(seat.number(), commitment).is_some()
            {
                self.note(format!("--silent: {seat} appears twice, or has revealed its bytes"));
            }
        }
        Some((rules.to_lowercase(), commitments))
    }

    fn table_args(&mut self, args: &FairArgs, book: Option<Rulebook>) -> Option<TableArgs> {
        let known = book.as_ref();
        let faults_before = self.0.len();
        let mut plays = [false; Seat::COUNT_MAX];
        for text in args.plays.iter().flat_map(|plays| plays.split(',')) {
            if let Some(seat) = self.seat("--plays", text, known)
                && std::mem::replace(&mut plays[seat.index()], true)
            {
                self.note(format!("--plays: {seat} appears twice"));
            }
        }
        let banker = args.banker.as_ref().map(|text| self.seat("--banker", text, known));
        let all_seats_read = self.0.len() == faults_before;
        let pile = args.pile.as_ref().map(|text| text.parse::<u8>());
        if pile.as_ref().is_some_and(Result::is_err) {
            self.note("--pile must be a number".to_owned());
        }
        let pile = pile.and_then(Result::ok);

        let book = book?;
        let may_bank = |wanted: &dyn Fn(&Banker) -> bool| book.banking.bankers.iter().any(wanted);
        match banker {
            None if !may_bank(&|banker| *banker == Banker::Dealer) => {
                let refusal = Refusal::BankerNotAllowed { banker: "the dealer".to_owned() };
                self.note(format!(
                    "{}: give the seat with --banker",
                    book.with_book_terms(&refusal.to_string())
                ));
            }
            Some(Some(seat)) if !may_bank(&|banker| *banker != Banker::Dealer) => {
                let refusal = Refusal::BankerNotAllowed { banker: seat.to_string() };
                self.note(book.with_book_terms(&refusal.to_string()));
            }
            _ => {}
        }
        // The number of piles may depend on the active seats, so the deal checks the pile again.
        if let Some(pile) = pile
            && !(book.dealing.action_pile && (1..=TableArgs::positions(&book)).contains(&pile))
        {
            self.note(Refusal::BadActionPile { pile }.to_string());
        }
        let banker = banker.flatten();
        // A banker has a hand and no wager.
        let against = Seat::up_to(book.seats.players).filter(|seat| Some(*seat) != banker);
        if all_seats_read && against.filter(|seat| plays[seat.index()]).count() == 0 {
            self.note(format!("--plays: no seat plays against the {}", book.terms.banker));
        }
        if let Some(seat) = banker {
            plays[seat.index()] = true;
        }
        Some(TableArgs { book, plays, banker, pile })
    }
}

/// Reports the first character that is not a hexadecimal digit.
fn not_hex(text: &str) -> Option<String> {
    let other = text.chars().find(|c| !c.is_ascii_hexdigit())?;
    Some(format!("{other:?} is not a hexadecimal digit"))
}

/// Hands of a deal.
struct DealtHands<'a> {
    table: &'a TableArgs,
    dice: u8,
    deal: Deal,
}

impl DealtHands<'_> {
    /// Iterates over the seats that play and their hands.
    fn hands(&self) -> impl Iterator<Item = (Seat, String)> {
        let seats = Seat::up_to(self.table.book.seats.players);
        seats.filter_map(|seat| Some((seat, self.deal.hands[seat.index()]?.to_string())))
    }

    fn json(&self) -> Value {
        let hands: Map<String, Value> =
            self.hands().map(|(seat, hand)| (format!("seat-{}", seat.number()), hand.into())).collect();
        let banker = self.table.banker.map_or("dealer".to_owned(), |seat| format!("seat-{}", seat.number()));
        json!({
            "book": self.table.book.id,
            "banker": banker,
            "places": TableArgs::positions(&self.table.book),
            "dice": self.dice,
            "first": self.deal.first.number(),
            "hands": hands,
            "dealer": self.deal.dealer.map(|hand| hand.to_string()),
            "discards": self.deal.discards.to_string(),
        })
    }

    fn sheet(&self) -> Sheet {
        let TableArgs { book, banker, pile, .. } = self.table;
        let term = &book.terms.banker;
        let banks = format!(" ({term})");
        let chosen = Seat::new(self.dice).filter(|seat| seat.number() <= book.seats.players);
        let chosen = chosen.map_or("the dealer".to_owned(), |seat| seat.to_string());
        let first = match book.dealing.first {
            FirstHand::Dice => format!("the dice choose {chosen}"),
            FirstHand::Banker => format!("the first hand goes to the {term}"),
        };
        let picked = pile.map(|pile| format!(", the {term} picks pile {pile}")).unwrap_or_default();
        let mut rows: Vec<(String, String)> = self
            .hands()
            .map(|(seat, hand)| {
                let banks = if Some(seat) == *banker { &banks[..] } else { "" };
                (format!("{seat}{banks}"), hand)
            })
            .collect();
        rows.extend(self.deal.dealer.map(|hand| {
            let banks = if banker.is_none() { &banks[..] } else { "" };
            (format!("dealer{banks}"), hand.to_string())
        }));
        rows.push(("not in play".to_owned(), self.deal.discards.to_string()));
        Sheet {
            title: format!("{}: {first}{picked}", book.title),
            columns: vec!["who", "cards"],
            rows: rows.into_iter().map(|(who, cards)| vec![who.into(), cards.into()]).collect(),
        }
    }
}

/// Numbers of positions for which the dice are shown.
const DICE_POSITIONS: RangeInclusive<u8> = 2..=8;

fn answer(
    request: &DealRequest,
    deal: &FairDeal<'_>,
    shuffle: &Shuffle,
    commitment: Commitment,
    dealt: Option<&DealtHands<'_>>,
) -> Answer {
    let commitment_hex = String::from(commitment);
    let format_cards =
        |cards: &[paigow::Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let seat_bytes: Map<String, Value> = request
        .bytes
        .iter()
        .map(|(seat, bytes)| (seat.to_string(), String::from(bytes.clone()).into()))
        .collect();
    let json = json!({
        "table": request.table.as_str(),
        "round": request.round,
        "protocol": if request.committed.is_some() { 2 } else { 1 },
        "seat_bytes": seat_bytes,
        "commitment": commitment_hex,
        "commitment_given": request.commitment.map(String::from),
        "matches": request.commitment.map(|given| given == commitment),
        "cards": format_cards(shuffle.cards()),
        "dice": DICE_POSITIONS.map(|count| (count.to_string(), deal.dice(count).into())).collect::<Map<_, _>>(),
        "deal": dealt.map(DealtHands::json),
    });

    let dice: Vec<String> = DICE_POSITIONS.map(|count| format!("{} of {count}", deal.dice(count))).collect();
    let mut rows: Vec<Vec<Cell>> = vec![vec!["commitment".into(), commitment_hex.into()]];
    if let Some(given) = request.commitment {
        let compared = if given == commitment {
            "matches".to_owned()
        } else {
            format!("DIFFERENT: {}", String::from(given))
        };
        rows.push(vec!["given".into(), compared.into()]);
    }
    for (seat, bytes) in &request.bytes {
        let bytes = Some(String::from(bytes.clone())).filter(|bytes| !bytes.is_empty());
        let bytes = bytes.unwrap_or_else(|| "no bytes".to_owned());
        let verb = if request.committed.is_some() { "revealed" } else { "added" };
        rows.push(vec![format!("seat {seat} {verb}").into(), bytes.into()]);
    }
    let committed = request.committed.iter().flat_map(|(_, commitments)| commitments);
    for (seat, commitment) in committed.filter(|(seat, _)| !request.bytes.contains_key(seat)) {
        rows.push(vec![format!("seat {seat} did not reveal").into(), String::from(*commitment).into()]);
    }
    rows.push(vec!["dice".into(), dice.join(", ").into()]);
    let decided = Sheet {
        title: format!("Round {} at table {}", request.round, request.table),
        columns: vec!["item", "value"],
        rows,
    };
    let packets = shuffle.cards().chunks(7).enumerate().map(|(packet, cards)| {
        let first = 7 * packet + 1;
        vec![format!("{first} to {}", first + cards.len() - 1).into(), format_cards(cards).into()]
    });
    let cards = Sheet {
        title: "Cards in dealing order".to_owned(),
        columns: vec!["position", "cards"],
        rows: packets.collect(),
    };
    let sheets = [Some(decided), Some(cards), dealt.map(DealtHands::sheet)];
    Answer { json, sheets: sheets.into_iter().flatten().collect() }
}
