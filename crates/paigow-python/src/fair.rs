//! Deals derived from their secret, and checks of signed receipts.

use crate::answers::bad_question;
use crate::errors::raise;
use crate::handles::Book;
use paigow::rulebook::Banker;
use paigow::{Deal, Refusal, Rulebook, Seat};
use paigow_answers::{Fault, Faults};
use paigow_table::{Commitment, Contributions, FairDeal, PublicKey, Receipt, SeatBytes, Secret, TableId};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Numbers of positions for which the dice are shown.
const DICE_POSITIONS: RangeInclusive<u8> = 2..=8;

/// Inputs of a deal. They are text, so that all faults are reported at once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FairQuestion {
    secret: String,
    table: String,
    round: u64,
    /// Bytes of the seats, in hexadecimal digits.
    seats: BTreeMap<u8, String>,
    /// Digest of the rules, in version 2.
    rules: Option<String>,
    /// Commitments of the seats that did not reveal their bytes, in version 2.
    silent: BTreeMap<u8, String>,
    commitment: Option<String>,
    plays: Vec<u8>,
    banker: Option<u8>,
    pile: Option<u8>,
}

/// The inputs of a deal, parsed.
struct FairInputs {
    secret: Secret,
    table: TableId,
    revealed: BTreeMap<u8, SeatBytes>,
    commitments: BTreeMap<u8, Commitment>,
    given: Option<Commitment>,
}

/// Derives a deal. The question and the answer are JSON, the answer that of `paigow fair`.
#[pyfunction]
pub(crate) fn fair_deal(py: Python<'_>, question: &str, book: Option<&Book>) -> PyResult<String> {
    let answer = || -> Result<Value, Faults> {
        let question: FairQuestion = serde_json::from_str(question).map_err(bad_question)?;
        let inputs = question.inputs()?;
        question.answer(&inputs, book.map(|book| &*book.book))
    };
    Ok(answer().map_err(|faults| raise(py, &faults))?.to_string())
}

impl FairQuestion {
    fn inputs(&self) -> Result<FairInputs, Faults> {
        let mut faults = Faults::default();
        let secret = bytes_of_32(&mut faults, "secret", &self.secret).map(Secret);
        let table: Option<TableId> = self
            .table
            .parse()
            .map_err(|fault| faults.push(Fault::new("bad_table", "table", format!("table: {fault}"))))
            .ok();
        let given = self.commitment.as_ref().map(|text| bytes_of_32(&mut faults, "commitment", text));
        if let Some(rules) = &self.rules {
            bytes_of_32(&mut faults, "rules", rules);
        }
        let mut revealed = BTreeMap::new();
        for (number, text) in &self.seats {
            let at = format!("seats.{number}");
            check_seat(&mut faults, &at, *number);
            let is_full = |bytes: &SeatBytes| self.rules.is_none() || bytes.is_full_length();
            if let Some(bytes) = SeatBytes::try_from(text.clone()).ok().filter(is_full) {
                revealed.insert(*number, bytes);
                continue;
            }
            let most = if self.rules.is_some() { "" } else { "at most " };
            let message =
                format!("{at}: expected {most}{} bytes in hexadecimal digits", SeatBytes::LENGTH_MAX);
            faults.push(Fault::new("bad_hex", &at, message));
        }
        let mut commitments = BTreeMap::new();
        for (number, text) in &self.silent {
            let at = format!("silent.{number}");
            check_seat(&mut faults, &at, *number);
            if self.rules.is_none() || self.seats.contains_key(number) {
                let message =
                    format!("{at}: only a seat that did not reveal its bytes, in version 2, is silent");
                faults.push(Fault::new("bad_silent_seat", &at, message));
            }
            commitments.extend(bytes_of_32(&mut faults, &at, text).map(|bytes| (*number, Commitment(bytes))));
        }
        let (secret, table) = faults.into_result(secret.zip(table))?;
        if self.rules.is_some() {
            let committed = revealed
                .iter()
                .map(|(seat, bytes): (&u8, &SeatBytes)| (*seat, bytes.commitment(&table, self.round, *seat)));
            commitments.extend(committed);
        }
        Ok(FairInputs { secret, table, revealed, commitments, given: given.flatten().map(Commitment) })
    }

    fn answer(&self, inputs: &FairInputs, book: Option<&Rulebook>) -> Result<Value, Faults> {
        let rules = self.rules.as_ref().map(|rules| rules.to_lowercase());
        let revealed = &inputs.revealed;
        let seats = match &rules {
            None => Contributions::Added(revealed),
            Some(rules) => Contributions::Committed { rules, commitments: &inputs.commitments, revealed },
        };
        let deal = FairDeal { secret: inputs.secret, table: &inputs.table, round: self.round, seats };
        let commitment = deal.commitment();
        let cards: Vec<String> = deal.shuffle().cards().iter().map(ToString::to_string).collect();
        let seat_bytes: Map<String, Value> = revealed
            .iter()
            .map(|(seat, bytes)| (seat.to_string(), String::from(bytes.clone()).into()))
            .collect();
        let dealt = book.map(|book| self.dealt(book, &deal)).transpose()?;
        Ok(json!({
            "table": inputs.table.as_str(),
            "round": self.round,
            "protocol": if rules.is_some() { 2 } else { 1 },
            "seat_bytes": seat_bytes,
            "commitment": String::from(commitment),
            "commitment_given": inputs.given.map(String::from),
            "matches": inputs.given.map(|given| given == commitment),
            "cards": cards.join(" "),
            "dice": DICE_POSITIONS.map(|count| (count.to_string(), deal.dice(count).into())).collect::<Map<_, _>>(),
            "deal": dealt,
        }))
    }

    /// Deals the hands of a table.
    fn dealt(&self, book: &Rulebook, deal: &FairDeal<'_>) -> Result<Value, Faults> {
        let mut faults = Faults::default();
        let max = book.seats.players;
        let mut seat = |at: &str, number: u8| {
            let seat = Seat::new(number).filter(|seat| seat.number() <= max);
            if seat.is_none() {
                let message = format!("{at}: the seat must be a number from 1 to {max}");
                faults.push(Fault::new("bad_seat", at, message));
            }
            seat
        };
        let banker = self.banker.map(|number| seat("banker", number));
        let mut plays = [false; Seat::COUNT_MAX];
        for number in &self.plays {
            if let Some(seat) = seat("plays", *number) {
                plays[seat.index()] = true;
            }
        }
        faults.into_result(Some(()))?;
        let banker = banker.flatten();
        let may_bank = |wanted: &dyn Fn(&Banker) -> bool| book.banking.bankers.iter().any(wanted);
        let refused = match banker {
            None if !may_bank(&|banker| *banker == Banker::Dealer) => Some("the dealer".to_owned()),
            Some(seat) if !may_bank(&|banker| *banker != Banker::Dealer) => Some(seat.to_string()),
            _ => None,
        };
        if let Some(banker) = refused {
            return Err(refusal(book, &Refusal::BankerNotAllowed { banker }));
        }
        let against = Seat::up_to(max).filter(|seat| Some(*seat) != banker && plays[seat.index()]);
        if against.count() == 0 {
            return Err(refusal(book, &Refusal::NoWagers));
        }
        if let Some(seat) = banker {
            plays[seat.index()] = true;
        }
        let positions = max + u8::from(book.seats.dealer_hand);
        let dice = deal.dice(positions);
        let dealt = Deal::new(book, &deal.shuffle(), dice, self.pile, plays, banker)
            .map_err(|refused| refusal(book, &refused))?;
        let hands = Seat::up_to(max).filter_map(|seat| {
            Some((format!("seat-{}", seat.number()), dealt.hands[seat.index()]?.to_string().into()))
        });
        Ok(json!({
            "book": book.id,
            "banker": banker.map_or("dealer".to_owned(), |seat| format!("seat-{}", seat.number())),
            "places": positions,
            "dice": dice,
            "first": dealt.first.number(),
            "hands": hands.collect::<Map<_, _>>(),
            "dealer": dealt.dealer.map(|hand| hand.to_string()),
            "discards": dealt.discards.to_string(),
        }))
    }
}

fn refusal(book: &Rulebook, refusal: &Refusal) -> Faults {
    Fault::new(refusal.code(), "", book.with_book_terms(&refusal.to_string())).into()
}

fn check_seat(faults: &mut Faults, at: &str, number: u8) {
    if Seat::new(number).is_none() {
        let message = format!("{at}: the seat must be a number from 1 to {}", Seat::COUNT_MAX);
        faults.push(Fault::new("bad_seat", at, message));
    }
}

fn bytes_of_32(faults: &mut Faults, at: &str, text: &str) -> Option<[u8; 32]> {
    let bytes = Secret::try_from(text.to_owned()).ok().map(|secret| secret.0);
    if bytes.is_none() {
        let message =
            format!("{at}: expected 64 hexadecimal digits, found {} characters", text.chars().count());
        faults.push(Fault::new("bad_hex", at, message));
    }
    bytes
}

/// Checks a signed receipt. Returns the checks and the payload as JSON.
#[pyfunction]
pub(crate) fn check_receipt(py: Python<'_>, receipt: &str, public_key: Option<&str>) -> PyResult<String> {
    let answer = || -> Result<Value, Faults> {
        let not_read = |error: serde_json::Error| Fault::new("bad_receipt", "receipt", error.to_string());
        let receipt: Receipt = serde_json::from_str(receipt).map_err(not_read)?;
        let house = public_key.map(|key| {
            PublicKey::try_from(key.to_owned()).map_err(|_| {
                let message = "public_key: expected 64 hexadecimal digits";
                Faults::from(Fault::new("bad_hex", "public_key", message))
            })
        });
        let key_matches = house.transpose()?.map(|house| house == receipt.public_key);
        let (checks, payload) = receipt.check();
        let all_hold = checks.iter().all(|check| check.holds == Some(true));
        let checks: Vec<Value> = checks
            .iter()
            .map(|check| json!({ "check": check.step.description(), "holds": check.holds }))
            .collect();
        Ok(json!({
            "holds": all_hold && key_matches != Some(false),
            "key": receipt.key,
            "public_key": receipt.public_key,
            "key_matches": key_matches,
            "checks": checks,
            "receipt": payload,
        }))
    };
    Ok(answer().map_err(|faults| raise(py, &faults))?.to_string())
}
