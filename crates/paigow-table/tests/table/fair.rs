//! Deals of protocol version 1: compared with another implementation, sensitive to every input bit, and uniform.
//!
//! `golden/deals.golden` was made by a program written only from the documentation of the module.

use paigow::Card;
use paigow_table::{Commitment, Contributions, FairDeal, HexFault, SeatBytes, Secret, TableId};
use std::collections::{BTreeMap, BTreeSet};

/// Owned inputs of a deal.
#[derive(Clone)]
struct DealInputs {
    secret: Secret,
    table: TableId,
    round: u64,
    bytes: BTreeMap<u8, SeatBytes>,
}

impl DealInputs {
    fn deal(&self) -> FairDeal<'_> {
        FairDeal {
            secret: self.secret,
            table: &self.table,
            round: self.round,
            seats: Contributions::Added(&self.bytes),
        }
    }

    fn cards(&self) -> Vec<Card> {
        self.deal().shuffle().cards().to_vec()
    }
}

fn added(bytes: &[u8]) -> SeatBytes {
    SeatBytes::new(bytes.to_vec()).unwrap()
}

#[test]
fn deals_match_golden_file() {
    const GOLDEN: &str = include_str!("../../../../golden/deals.golden");
    let mut checked = 0;
    for text in GOLDEN.split("\n\n").skip(1) {
        let lines =
            || text.lines().map(|line| line.split_once(' ').map(|(key, value)| (key, value.trim())).unwrap());
        let value = |wanted: &str| lines().find(|(key, _)| *key == wanted).unwrap().1;
        let seats = lines().filter(|(key, _)| *key == "seat").map(|(_, value)| {
            let (seat, bytes) = value.split_once(' ').unwrap_or((value, ""));
            (seat.parse().unwrap(), bytes.to_owned().try_into().unwrap())
        });
        let inputs = DealInputs {
            secret: value("secret").to_owned().try_into().unwrap(),
            table: value("table").parse().unwrap(),
            round: value("round").parse().unwrap(),
            bytes: seats.collect(),
        };
        let commitment = inputs.secret.commitment(&inputs.table, inputs.round);
        assert_eq!(String::from(commitment), value("commitment"), "{text}");
        let cards: Vec<String> = inputs.cards().iter().map(ToString::to_string).collect();
        assert_eq!(cards.join(" "), value("cards"), "{text}");
        let dice: Vec<String> = (2..=8).map(|count| inputs.deal().dice(count).to_string()).collect();
        assert_eq!(dice.join(" "), value("dice"), "{text}");
        checked += 1;
    }
    assert_eq!(checked, 14);
}

fn example() -> DealInputs {
    DealInputs {
        secret: Secret(std::array::from_fn(|i| (7 * i) as u8)),
        table: "table-1".parse().unwrap(),
        round: 12_345,
        bytes: BTreeMap::from([(1, added(&[0xAB, 0xCD, 0xEF])), (4, added(&[0; 32]))]),
    }
}

/// Returns copies of the bytes, each with another bit flipped.
fn flipped(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..8 * bytes.len()).map(|bit| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    })
}

/// Returns copies of the example, each with another bit flipped of its secret, its table's id (if the result is valid)
/// or its round.
fn other_rounds() -> Vec<DealInputs> {
    let example = example();
    let secrets = flipped(&example.secret.0)
        .map(|bytes| DealInputs { secret: Secret(bytes.try_into().unwrap()), ..example.clone() });
    let tables = flipped(example.table.as_str().as_bytes())
        .filter_map(|bytes| String::from_utf8(bytes).ok()?.parse().ok())
        .map(|table| DealInputs { table, ..example.clone() });
    let rounds = (0..64).map(|bit| DealInputs { round: example.round ^ 1 << bit, ..example.clone() });
    secrets.chain(tables).chain(rounds).collect()
}

#[test]
fn every_bit_of_round_changes_deal_and_commitment() {
    let all = [vec![example()], other_rounds()].concat();
    assert!(all.len() > 1 + 256 + 64 + 20, "most ids with a flipped bit are valid");
    let deals: BTreeSet<Vec<Card>> = all.iter().map(DealInputs::cards).collect();
    let commitment = |inputs: &DealInputs| inputs.secret.commitment(&inputs.table, inputs.round).0;
    let commitments: BTreeSet<[u8; 32]> = all.iter().map(commitment).collect();
    assert_eq!((deals.len(), commitments.len()), (all.len(), all.len()));
}

#[test]
fn every_bit_and_seat_of_added_bytes_changes_the_deal() {
    let example = example();
    let [few, many] = [vec![0xAB, 0xCD, 0xEF], vec![0; 32]];
    let mut all = vec![example.bytes.clone()];
    all.extend(flipped(&few).map(|few| BTreeMap::from([(1, added(&few)), (4, added(&many))])));
    all.extend(flipped(&many).map(|many| BTreeMap::from([(1, added(&few)), (4, added(&many))])));
    let others: [&[(u8, &[u8])]; 12] = [
        &[],
        &[(1, &few)],
        &[(4, &many)],
        &[(1, &[]), (4, &[])],
        &[(1, &many), (4, &few)],
        &[(2, &few), (4, &many)],
        &[(1, &few), (5, &many)],
        &[(1, &few), (3, &[]), (4, &many)],
        &[(1, &few), (4, &many), (5, &[])],
        &[(1, &few), (4, &many[1..])],
        &[(1, &few[..2]), (4, &many)],
        // The same concatenated bytes, divided differently.
        &[(1, &[0xAB, 0xCD, 0xEF, 0]), (4, &many[1..])],
    ];
    all.extend(others.map(|seats| seats.iter().map(|(seat, bytes)| (*seat, added(bytes))).collect()));
    let count = all.len();
    let deal = |bytes| DealInputs { bytes, ..example.clone() }.cards();
    let deals: BTreeSet<Vec<Card>> = all.into_iter().map(deal).collect();
    assert_eq!(deals.len(), count);
}

#[test]
fn deals_are_deterministic() {
    assert_eq!(example().cards(), example().cards());
    assert_eq!(example().deal(), example().deal());
}

/// Asserts that a count of `trials` is within five standard deviations of one in `ways`.
#[track_caller]
fn check_uniform(count: u64, trials: u64, ways: u64) {
    let off = (count * ways).abs_diff(trials);
    // The variance is trials · 1/ways · (1 - 1/ways).
    assert!(off * off <= 25 * trials * (ways - 1), "{count} of {trials} for one of {ways}");
}

#[test]
fn cards_are_uniform_over_positions() {
    const DEALS: u64 = 20_000;
    let index: BTreeMap<Card, usize> = Card::deck().enumerate().map(|(index, card)| (card, index)).collect();
    let mut counts = vec![[0; 53]; 53];
    let mut inputs = example();
    for round in 0..DEALS {
        inputs.round = round;
        for (counts, card) in counts.iter_mut().zip(inputs.cards()) {
            counts[index[&card]] += 1;
        }
    }
    for count in counts.into_iter().flatten() {
        check_uniform(count, DEALS, 53);
    }
}

#[test]
fn dice_are_uniform() {
    const THROWS: u64 = 20_000;
    let mut inputs = example();
    for spots in 2..=8_u8 {
        let mut counts = vec![0; usize::from(spots)];
        for round in 0..THROWS {
            inputs.round = round;
            counts[usize::from(inputs.deal().dice(spots)) - 1] += 1;
        }
        for count in counts {
            check_uniform(count, THROWS, spots.into());
        }
    }
    assert_eq!([0, 1].map(|spots| example().deal().dice(spots)), [1, 1]);
}

#[test]
fn only_hexadecimal_pairs_parse() {
    let long = |text: &str| text.repeat(32);
    for text in [
        String::new(),
        "00".to_owned(),
        long("00")[1..].to_owned(),
        long("00")[2..].to_owned(),
        long("00") + "0",
        long("00") + "00",
        long("0g"),
        long("0 "),
        long("+0"),
        long("-1"),
        long("é"), // two bytes, but not two digits
        long("٣"), // a digit, but not in ASCII
        "0x".to_owned() + &long("00")[2..],
        " ".to_owned() + &long("00")[1..],
        long("00")[1..].to_owned() + "\n",
    ] {
        assert_eq!(Secret::try_from(text.clone()), Err(HexFault), "{text:?}");
        assert_eq!(Commitment::try_from(text.clone()), Err(HexFault), "{text:?}");
    }
    assert_eq!(Secret::try_from(long("aF")), Ok(Secret([0xAF; 32])));
    assert_eq!(String::from(Secret([0xAF; 32])), long("af"));
    assert_eq!(Commitment::try_from(long("0A")), Ok(Commitment([10; 32])));
}

#[test]
fn seat_adds_at_most_32_bytes() {
    assert!(SeatBytes::new(vec![0; 33]).is_none());
    for length in 0..=32 {
        let bytes = SeatBytes::new(vec![0x5A; length]).unwrap();
        assert_eq!(String::from(bytes.clone()), "5a".repeat(length));
        assert_eq!(SeatBytes::try_from("5a".repeat(length)), Ok(bytes));
    }
    for text in ["5a".repeat(33), "5".to_owned(), "5a5".to_owned(), "zz".to_owned(), "é".to_owned()] {
        assert_eq!(SeatBytes::try_from(text.clone()), Err(HexFault), "{text:?}");
    }
}

#[test]
fn deal_inputs_round_trip_as_json() {
    let secret = example().secret;
    let commitment = secret.commitment(&example().table, 1);
    let text = serde_json::to_string(&(secret, commitment, example().bytes)).unwrap();
    assert!(text.starts_with(r#"["00070e151c23"#), "{text}");
    assert!(text.contains(r#"{"1":"abcdef","4":"0000"#), "{text}");
    let parsed: (Secret, Commitment, BTreeMap<u8, SeatBytes>) = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed, (secret, commitment, example().bytes));
    for text in [r#""00""#, "0", "[0]", "null", r#""zz""#] {
        assert!(serde_json::from_str::<Secret>(text).is_err(), "{text}");
        assert!(serde_json::from_str::<Commitment>(text).is_err(), "{text}");
    }
    for text in ["0", "[0]", "null", r#""zz""#, r#""000""#] {
        assert!(serde_json::from_str::<SeatBytes>(text).is_err(), "{text}");
    }
}

/// `Debug` output of a secret or an event does not contain the secret.
#[test]
fn debug_output_omits_secret() {
    let secret = Secret([0xab; 32]);
    assert_eq!(format!("{secret:?} {secret:#?}"), "Secret(…) Secret(…)");
    let table: TableId = "t1".parse().unwrap();
    let commitment = secret.commitment(&table, 1);
    let event =
        paigow_table::TableEvent::RoundOpened { round: 1, secret: Some(secret), commitment, derived: None };
    let text = format!("{event:?}");
    assert!(!text.contains("abab") && !text.contains("171, 171") && text.contains("Secret(…)"), "{text}");
    assert!(text.contains(&String::from(commitment)));
}
