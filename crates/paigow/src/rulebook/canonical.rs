//! Canonical form of the rules in force. Its hash tells whether two tables play by the same rules.
//!
//! The first line is the version of the form. One `key = value` per line follows, in a fixed order. Keys are the paths
//! of the rule-book file. Amounts are in cents, percentages in hundredths of a percent, and names are JSON strings. The
//! form has no sentence, citation or title, so rewording a book or the program changes no digest. Optional keys at
//! their default are omitted, so a key added by a later release does not change the digests of books without it.
//! `docs/store.md` documents the form.

use super::{
    Banking, BaseGameRules, BonusOrder, Collection, Commission, Dealing, Envy, Fee, FeeTiming, Fouls, Limits,
    PayoutMax, PaysFrom, Rulebook, Seats, SideWager, TimeFee,
};
use crate::{Amount, PayRow, Pays, Paytable, TableRules, WinsOn};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

impl TableRules {
    /// Version of the canonical form. It changes when the same rules would be written differently.
    pub const CANONICAL_FORM: u32 = 1;

    /// Returns the canonical form of the rules in force.
    pub fn canonical(&self) -> String {
        let mut form = CanonicalText(format!("paigow rules {}\n", TableRules::CANONICAL_FORM));
        form.book(self);
        form.0
    }

    /// Returns the SHA-256 of the canonical form, in hexadecimal.
    pub fn digest(&self) -> String {
        Sha256::digest(self.canonical()).iter().fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a `String` never fails.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

/// Builder of a canonical form.
struct CanonicalText(String);

/// Every struct is destructured without `..`, so a new field fails to compile until it is written or ignored here.
impl CanonicalText {
    fn book(&mut self, table_rules: &TableRules) {
        let Rulebook {
            id: _,
            reference: _,
            title: _,
            source: _,
            effective: _,
            checked_on: _,
            // The posted paytables decide the use of the joker.
            ranking: _,
            joker_choices,
            seats,
            dealing,
            setting,
            base_game,
            commission,
            collection,
            banking,
            house_way,
            // Only posted wagers are written.
            wagers: _,
            glossary: _,
            duties: _,
            notes: _,
            terms: _,
            departures: _,
            document: _,
        } = &**table_rules.book();
        let ranking = table_rules.evaluator().ranking();
        self.number("deck.cards", 53);
        self.word("ranking.joker", ranking.joker.name());
        self.word("ranking.wheel", ranking.wheel.name());
        self.choices("ranking.joker_choices", joker_choices.iter().map(|joker| joker.name()));
        self.seats(seats);
        self.dealing(dealing);
        let Fouls { player, banker } = setting;
        self.word("setting.player_foul", player.name());
        self.word("setting.banker_foul", banker.name());
        self.base_game(base_game);
        self.commission(commission);
        if let Some(collection) = collection {
            self.collection(collection);
        }
        self.banking(banking);
        for (number, clause) in (1..).zip(house_way.clauses()) {
            self.value(&format!("house_way.{number}"), &clause.canonical());
        }
        for index in 0..table_rules.side_wager_count() {
            self.wager(index, table_rules.wager(index), table_rules.paytable(index));
        }
    }

    fn seats(&mut self, seats: &Seats) {
        let Seats { players, dealer_hand, hands_per_player } = seats;
        self.number("seats.players", (*players).into());
        self.bool("seats.dealer_hand", *dealer_hand);
        // Release 0.1.0 did not have this key and dealt each player one hand.
        if *hands_per_player != 1 {
            self.number("seats.hands_per_player", (*hands_per_player).into());
        }
    }

    fn dealing(&mut self, dealing: &Dealing) {
        let Dealing { first, order, spots, spots_choices, dealer_hand, action_pile } = dealing;
        self.word("dealing.first", first.name());
        self.word("dealing.order", order.name());
        self.word("dealing.spots", spots.name());
        self.choices("dealing.spots_choices", spots_choices.iter().map(|spots| spots.name()));
        self.word("dealing.dealer_hand", dealer_hand.name());
        self.bool("dealing.action_pile", *action_pile);
    }

    fn base_game(&mut self, base_game: &BaseGameRules) {
        let BaseGameRules { copies, dealer_push, dealer_push_fouls, bonus_wagers_settled, limits } =
            base_game;
        self.word("base_game.copies", copies.name());
        if !dealer_push.is_empty() {
            self.words("base_game.dealer_push", dealer_push.iter().map(|class| class.name()));
        }
        if !dealer_push_fouls {
            self.bool("base_game.dealer_push_fouls", false);
        }
        if *bonus_wagers_settled != BonusOrder::SeatBySeat {
            self.word("base_game.bonus_wagers_settled", bonus_wagers_settled.name());
        }
        self.limits("base_game", limits);
    }

    fn limits(&mut self, path: &str, limits: &Limits) {
        let Limits { min, max } = limits;
        self.amount(&format!("{path}.limits.min"), *min);
        self.amount(&format!("{path}.limits.max"), *max);
    }

    fn commission(&mut self, commission: &Commission) {
        let Commission { basis_points, banker, rounding, unit } = commission;
        self.number("commission.percent", (*basis_points).into());
        self.word("commission.banker", banker.name());
        self.word("commission.rounding", rounding.name());
        self.amount("commission.unit", *unit);
    }

    fn collection(&mut self, collection: &Collection) {
        let Collection { schedule, bonus, taken, time } = collection;
        self.fees("collection.schedule", schedule);
        self.fees("collection.bonus", bonus);
        if *taken != FeeTiming::Last {
            self.word("collection.taken", taken.name());
        }
        if let Some(TimeFee { minutes, player }) = time {
            self.number("collection.time_minutes", (*minutes).into());
            self.amount("collection.time_fee", *player);
        }
    }

    fn fees(&mut self, key: &str, schedule: &[Fee]) {
        for (row, fee) in (1..).zip(schedule) {
            let values = [fee.wager_from, fee.player, fee.banker].map(|amount| amount.cents().to_string());
            self.value(&format!("{key}.{row}"), &format!("[{}]", values.join(",")));
        }
    }

    fn banking(&mut self, banking: &Banking) {
        let Banking { bankers, cover, cover_use, pays_from, plays_dealer, rounds_running_max, rotation } =
            banking;
        self.words("banking.bankers", bankers.iter().map(|banker| banker.name()));
        self.word("banking.cover", cover.name());
        self.word("banking.cover_use", cover_use.name());
        if *pays_from != PaysFrom::Guaranteed {
            self.word("banking.pays_from", pays_from.name());
        }
        self.bool("banking.plays_dealer", *plays_dealer);
        if let Some(rounds) = rounds_running_max {
            self.number("banking.rounds_running_max", (*rounds).into());
        }
        self.word("banking.rotation", rotation.name());
    }

    /// Writes a side wager under its position, because settlement lines follow that order.
    fn wager(&mut self, index: usize, wager: &SideWager, posted: &Paytable) {
        let SideWager {
            name,
            title: _,
            // A wager that is not offered is not posted and not written.
            offered: _,
            looks_at,
            player_must_beat,
            settled_by,
            banker_wagers,
            // The posted paytable is written, whether it is the default or not.
            default: _,
            limits,
            envy,
            payout_max,
            paytables: _,
        } = wager;
        let path = format!("wagers.{}", index + 1);
        self.word(&format!("{path}.name"), name);
        self.word(&format!("{path}.looks_at"), looks_at.name());
        if *player_must_beat {
            self.bool(&format!("{path}.player_must_beat"), true);
        }
        self.word(&format!("{path}.settled_by"), settled_by.name());
        if *banker_wagers {
            self.bool(&format!("{path}.banker_wagers"), true);
        }
        self.limits(&path, limits);
        if let Some(Envy { from, button: _, banker_hand }) = envy {
            self.amount(&format!("{path}.envy.from"), *from);
            if *banker_hand {
                self.bool(&format!("{path}.envy.banker_hand"), true);
            }
        }
        if let Some(PayoutMax { amount, per }) = payout_max {
            if let Some(amount) = amount {
                self.amount(&format!("{path}.payout_max.amount"), *amount);
            }
            self.word(&format!("{path}.payout_max.per"), per.name());
        }
        // The use of the joker is written in the ranking. A paytable that is not available cannot be posted.
        let Paytable { name, also: _, available: _, joker: _, rows } = posted;
        self.word(&format!("{path}.paytable"), name);
        for (number, row) in (1..).zip(rows) {
            self.row(&format!("{path}.pays.{number}"), row);
        }
    }

    fn row(&mut self, key: &str, row: &PayRow) {
        let PayRow { wins_on, pays, envy } = row;
        let wins_on = match wins_on {
            WinsOn::Class(class) => quoted(class.name()),
            WinsOn::Cards(cards) => cards.to_string(),
        };
        let pays = match pays {
            Pays::Push => 0,
            Pays::ToOne(times) => *times,
        };
        let envy = envy.map_or(String::new(), |envy| format!(",{}", envy.cents()));
        self.value(key, &format!("[{wins_on},{pays}{envy}]"));
    }

    fn amount(&mut self, key: &str, amount: Amount) {
        self.number(key, amount.cents());
    }

    fn number(&mut self, key: &str, number: u64) {
        self.value(key, &number.to_string());
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.value(key, if value { "true" } else { "false" });
    }

    fn word(&mut self, key: &str, word: &str) {
        self.value(key, &quoted(word));
    }

    fn words<'a>(&mut self, key: &str, words: impl Iterator<Item = &'a str>) {
        let words: Vec<String> = words.map(quoted).collect();
        self.value(key, &format!("[{}]", words.join(",")));
    }

    /// Writes the choices of the house, sorted. Omitted unless there are several.
    fn choices<'a>(&mut self, key: &str, words: impl Iterator<Item = &'a str>) {
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        if words.len() > 1 {
            self.words(key, words.into_iter());
        }
    }

    fn value(&mut self, key: &str, value: &str) {
        // Writing to a `String` never fails.
        let _ = writeln!(self.0, "{key} = {value}");
    }
}

/// Returns the text as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => {
                // Writing to a `String` never fails.
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
