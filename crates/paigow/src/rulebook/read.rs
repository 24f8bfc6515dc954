//! Parser of rule books.
//!
//! Parsing merges a text with the book it extends, checks it against the spec, converts it to values, and checks that
//! the values are consistent. It collects all problems of the text and returns a book only if there are none.

use super::library::{BookSource, LoadError, stem};
use super::overlay::{Departure, EXTENSIONS_MAX, apply_override, load_extended};
use super::{Banker, Banking, RULE_BOOK_SPEC};
use super::{
    BankerCommission, BaseGameRules, Collection, Commission, Dealing, DecidingCards, Definition, Envy, Fee,
    FeeTiming, Fouls, Limits, PayoutMax, PaysFrom, Rulebook, Seats, SettledBy, SideWager, Terms, TimeFee,
};
use crate::document::check::percent_basis_points;
use crate::document::{
    Document, DocumentTable, Edition, Node, Problem, Source, TextOrigin, Value, ValueKind, ValueRange,
    sorted_problems,
};
use crate::{Amount, HandClass, Holdings, HouseWay, Joker, PayRow, Pays, Paytable, Ranking, Wheel, WinsOn};
use std::sync::Arc;

impl Rulebook {
    /// Parses a book, merges it with the book it extends, and applies overrides.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn parse(
        id: &str,
        source: &Source,
        changes: &[(String, String)],
        book_source: &dyn BookSource,
    ) -> Result<Rulebook, Vec<Problem>> {
        let mut problems = Vec::new();
        let original = match load_extended(source, book_source, EXTENSIONS_MAX, &mut problems) {
            Ok(document) => document,
            Err(mut problems) => {
                // The base is not available, but the keys of the book itself can still be checked.
                if let Ok(own) = Document::parse(source) {
                    RULE_BOOK_SPEC.check_part(&own.root, &mut problems);
                }
                return Err(sorted_problems(problems));
            }
        };
        let (mut document, mut departures) = (original.clone(), Vec::new());
        for (key, value) in changes {
            let change = (key.as_str(), value.as_str());
            document = apply_override(document, &original, change, &mut problems, &mut departures);
        }
        RULE_BOOK_SPEC.check(&document.root, &mut problems);
        let book = Reader { problems: &mut problems, book_source }.book(id, &document, departures);
        match book {
            Some(book) if problems.is_empty() => Ok(book),
            _ => Err(sorted_problems(problems)),
        }
    }

    /// Returns the overrides that the document of a book does not allow, even if the book is invalid with them.
    ///
    /// # Errors
    /// As [`Rulebook::load`], for the book without overrides.
    pub fn departures_of(
        name: &str,
        changes: &[(String, String)],
        book_source: &dyn BookSource,
    ) -> Result<Vec<Departure>, LoadError> {
        let Some(source) = book_source.book(name, None) else {
            return Rulebook::load(name, &[], book_source).map(|_| Vec::new());
        };
        let mut departures = Vec::new();
        let mut ignored = Vec::new();
        let original =
            load_extended(&source, book_source, EXTENSIONS_MAX, &mut ignored).map_err(LoadError::Problems)?;
        for (key, value) in changes {
            apply_override(original.clone(), &original, (key, value), &mut ignored, &mut departures);
        }
        Ok(departures)
    }
}

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
    book_source: &'a dyn BookSource,
}

impl Reader<'_> {
    /// Converts a document to a book.
    ///
    /// Returns `None` if a value is missing or of the wrong type, which the check against the spec has reported. The
    /// other values are still checked for consistency.
    fn book(&mut self, id: &str, document: &Document, departures: Vec<Departure>) -> Option<Rulebook> {
        let root = &document.root;
        let ranking = root.table("ranking");
        let joker = ranking.and_then(|table| Joker::from_name(table.text("joker")?));
        let joker_choices =
            ranking.map(|table| earlier_choices(table, "joker", &Joker::ALL, Joker::from_name));
        let seats = root.table("seats").and_then(|table| self.seats(table));
        let dealing = root.table("dealing").and_then(|table| self.dealing(table, seats.as_ref()));
        let base_game = root.table("base_game").and_then(|table| self.base_game(table, joker));
        let collection = root.table("collection").map(|table| self.collection(table));
        let commission = root.table("commission").and_then(|table| self.commission(table));
        let banking = root.table("banking").and_then(|table| self.banking(table, seats.as_ref()));
        self.check_taken_last(root.table("collection"), banking.as_ref());
        self.check_guaranteed(root.table("banking"));
        let house_way = root.table("house_way").and_then(|table| self.house_way(table));
        let wagers: Vec<Option<SideWager>> = named(root, "wagers")
            .map(|(name, table)| self.wager(name, table, joker, seats.as_ref()))
            .collect();
        let setting = root.table("setting").and_then(|table| {
            Some(Fouls {
                player: word(table, "player_foul", super::PlayerFoul::from_name)?,
                banker: word(table, "banker_foul", super::BankerFoul::from_name)?,
            })
        });
        let term = |key: &str, default: &str| {
            let word = root.table("terms").and_then(|terms| terms.text(key));
            word.unwrap_or(default).to_owned()
        };
        Some(Rulebook {
            id: id.to_owned(),
            reference: id.to_owned(),
            title: root.text("title")?.to_owned(),
            source: root.text("source")?.to_owned(),
            effective: root.text("effective").map(str::to_owned),
            checked_on: root.text("checked_on")?.to_owned(),
            ranking: Ranking { joker: joker?, wheel: word(ranking?, "wheel", Wheel::from_name)? },
            joker_choices: joker_choices?,
            seats: seats?,
            dealing: dealing?,
            setting: setting?,
            base_game: base_game?,
            commission: commission?,
            collection: collection.map_or(Some(None), |read| read.map(Some))?,
            banking: banking?,
            house_way: Arc::new(house_way?),
            wagers: wagers.into_iter().collect::<Option<_>>()?,
            glossary: entries(root, "glossary", "means")?,
            duties: entries(root, "duties", "says")?,
            notes: entries(root, "notes", "says")?,
            terms: Terms { banker: term("banker", "banker"), color: term("color", "color") },
            departures,
            document: document.clone(),
        })
    }

    fn problem(&mut self, node: &Node, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::new(&node.span, message).help(help));
    }

    fn seats(&mut self, table: &DocumentTable) -> Option<Seats> {
        let players = u8::try_from(table.integer("players")?).ok()?;
        let dealer_hand = table.boolean("dealer_hand")?;
        let hands = players + u8::from(dealer_hand);
        if hands > 7 {
            let message = format!("{hands} hands of seven cards need more than 53 cards");
            self.problem(table.get("players")?, message, "allow at most seven hands, including the dealer's");
        }
        let hands_per_player = match table.get("hands_per_player") {
            Some(_) => u8::try_from(table.integer("hands_per_player")?).ok()?,
            None => 1,
        };
        Some(Seats { players, dealer_hand, hands_per_player })
    }

    fn dealing(&mut self, table: &DocumentTable, seats: Option<&Seats>) -> Option<Dealing> {
        let spots_choices = earlier_choices(table, "spots", super::Spots::ALL, super::Spots::from_name);
        let dealer_hand = word(table, "dealer_hand", super::DealerHandPosition::from_name)?;
        if seats.is_some_and(|seats| seats.dealer_hand == (dealer_hand == super::DealerHandPosition::None)) {
            self.problem(
                table.get("dealer_hand")?,
                "this contradicts `seats.dealer_hand`",
                "use `none` if and only if `seats.dealer_hand` is false",
            );
        }
        Some(Dealing {
            first: word(table, "first", super::FirstHand::from_name)?,
            order: word(table, "order", super::Direction::from_name)?,
            spots: word(table, "spots", super::Spots::from_name)?,
            spots_choices,
            dealer_hand,
            action_pile: table.boolean("action_pile")?,
        })
    }

    fn base_game(&mut self, table: &DocumentTable, joker: Option<Joker>) -> Option<BaseGameRules> {
        let mut dealer_push = Vec::new();
        for item in table.get("dealer_push").and_then(Node::items).unwrap_or_default() {
            let Some(class) = item.text().and_then(HandClass::from_name) else { continue };
            self.check_possible(class, joker, item);
            dealer_push.push(class);
        }
        let limits = table.table("limits").and_then(|limits| self.limits(limits));
        Some(BaseGameRules {
            copies: word(table, "copies", super::CopyWinner::from_name)?,
            dealer_push,
            dealer_push_fouls: table.boolean("dealer_push_fouls").unwrap_or(true),
            bonus_wagers_settled: word(table, "bonus_wagers_settled", super::BonusOrder::from_name)
                .unwrap_or(super::BonusOrder::AfterBaseWagers),
            limits: limits?,
        })
    }

    fn limits(&mut self, table: &DocumentTable) -> Option<Limits> {
        let (min, max) = (amount(table, "min"), amount(table, "max"));
        if min == Some(Amount::ZERO) {
            self.problem(table.get("min")?, "the minimum wager is zero", "`min` must be more than 0.00");
        }
        let (min, max) = (min?, max?);
        if min > max {
            let message = format!("the minimum {min} exceeds the maximum {max}");
            self.problem(table.get("min")?, message, "`min` must be at most `max`");
        }
        Some(Limits { min, max })
    }

    fn commission(&mut self, table: &DocumentTable) -> Option<Commission> {
        let unit = amount(table, "unit")?;
        if unit == Amount::ZERO {
            self.problem(table.get("unit")?, "the rounding unit is zero", "such as \"0.01\" or \"0.25\"");
        }
        Some(Commission {
            basis_points: percent_basis_points(table.text("percent")?)?,
            banker: word(table, "banker", BankerCommission::from_name)?,
            rounding: word(table, "rounding", super::Rounding::from_name)?,
            unit,
        })
    }

    fn collection(&mut self, table: &DocumentTable) -> Option<Collection> {
        let schedule = self.fees(table.get("schedule")?)?;
        let bonus = table.get("bonus").map_or(Some(Vec::new()), |rows| self.fees(rows))?;
        let taken = word(table, "taken", FeeTiming::from_name).unwrap_or(FeeTiming::First);
        let time = match (table.get("time_minutes"), table.get("time_fee")) {
            (None, None) => None,
            (Some(_), Some(_)) => Some(TimeFee {
                minutes: u16::try_from(table.integer("time_minutes")?).ok()?,
                player: amount(table, "time_fee")?,
            }),
            (Some(node), None) | (None, Some(node)) => {
                self.problem(
                    node,
                    "a time fee needs both an interval and an amount",
                    "set `time_minutes` and `time_fee`",
                );
                return None;
            }
        };
        Some(Collection { schedule, bonus, taken, time })
    }

    fn fees(&mut self, rows: &Node) -> Option<Vec<Fee>> {
        let mut schedule: Vec<Fee> = Vec::new();
        for row in rows.items()? {
            let fee = row.table()?;
            let fee = Fee {
                wager_from: amount(fee, "wager_from")?,
                player: amount(fee, "player")?,
                banker: amount(fee, "banker")?,
            };
            let is_ascending = schedule
                .last()
                .map_or(fee.wager_from == Amount::ZERO, |last| fee.wager_from > last.wager_from);
            if !is_ascending {
                self.problem(
                    row,
                    "the schedule does not ascend from 0.00",
                    "the first row starts at 0.00, every other row above the one before",
                );
            }
            schedule.push(fee);
        }
        Some(schedule)
    }

    /// Checks that fees are taken last only where the operator guarantees the bank, because no money may be left for
    /// them.
    fn check_taken_last(&mut self, collection: Option<&DocumentTable>, banking: Option<&Banking>) {
        let Some(node) = collection.and_then(|table| table.get("taken")) else { return };
        let last = node.text().and_then(FeeTiming::from_name) == Some(FeeTiming::Last);
        if last && banking.is_some_and(|banking| !banking.is_guaranteed()) {
            self.problem(node, "fees taken last may find no money left", "use `taken = \"first\"`");
        }
    }

    fn banking(&mut self, table: &DocumentTable, seats: Option<&Seats>) -> Option<Banking> {
        let node = table.get("bankers")?;
        let bankers: Vec<Banker> =
            node.items()?.iter().filter_map(|item| Banker::from_name(item.text()?)).collect();
        if seats.is_some_and(|seats| !seats.dealer_hand)
            && bankers.iter().any(|banker| *banker != Banker::PlayerDealer)
        {
            self.problem(
                node,
                "only a player/dealer can bank if the dealer has no hand",
                "see `seats.dealer_hand`",
            );
        }
        Some(Banking {
            bankers,
            cover: word(table, "cover", super::Cover::from_name)?,
            cover_use: word(table, "cover_use", super::CoverUse::from_name)?,
            pays_from: word(table, "pays_from", PaysFrom::from_name).unwrap_or(PaysFrom::PutUp),
            plays_dealer: table.boolean("plays_dealer")?,
            rounds_running_max: table
                .integer("rounds_running_max")
                .and_then(|rounds| u8::try_from(rounds).ok()),
            rotation: word(table, "rotation", super::Rotation::from_name)?,
        })
    }

    /// Checks that only editions of earlier releases use `guaranteed`. Their tables are audited and closed, not played.
    fn check_guaranteed(&mut self, banking: Option<&DocumentTable>) {
        let Some(node) = banking.and_then(|table| table.get("pays_from")) else { return };
        let guaranteed = node.text().and_then(PaysFrom::from_name) == Some(PaysFrom::Guaranteed);
        if guaranteed && node.span.source.origin == TextOrigin::Text(Edition::Current) {
            self.problem(node, "the house never pays for a bank", "use `put_up` or `reserved`");
        }
    }

    fn house_way(&mut self, table: &DocumentTable) -> Option<HouseWay> {
        let node = table.get("way")?;
        let name = node.text()?;
        let Some(source) = self.book_source.house_way(name, Some(&node.span.source)) else {
            let known = super::BuiltIn::house_way_names().collect::<Vec<_>>().join(", ");
            let help = if super::BuiltIn::card_names().any(|card| card == name) {
                "a later release may change the strategy card: use a copy of its file under another name"
                    .to_owned()
            } else {
                format!("use a path, or one of {known}")
            };
            self.problem(node, format!("there is no house way `{name}`"), help);
            return None;
        };
        match HouseWay::parse(stem(name), &source) {
            Ok(way) => Some(way),
            Err(found) => {
                self.problem(
                    node,
                    format!("the house way `{name}` has errors"),
                    "see the problems in its own file",
                );
                self.problems.extend(found);
                None
            }
        }
    }

    fn wager(
        &mut self,
        name: &str,
        table: &DocumentTable,
        joker: Option<Joker>,
        seats: Option<&Seats>,
    ) -> Option<SideWager> {
        if name == "pai-gow" {
            self.problems.push(
                Problem::new(&table.span, "`pai-gow` is the name of the base game")
                    .help("give the side wager another name"),
            );
        }
        let looks_at = word(table, "looks_at", DecidingCards::from_name);
        let limits = table.table("limits").and_then(|limits| self.limits(limits));
        let envy = table.table("envy").map(|envy| {
            Some(Envy {
                from: amount(envy, "from")?,
                button: envy.text("button")?.to_owned(),
                banker_hand: envy.boolean("banker_hand").unwrap_or(false),
            })
        });
        let payout_max = table.table("payout_max").map(|max| {
            Some(PayoutMax {
                amount: amount(max, "amount"),
                per: word(max, "per", super::PayoutScope::from_name)?,
            })
        });
        let paytables: Vec<Option<Paytable>> = named(table, "paytables")
            .map(|(name, paytable)| self.paytable(name, paytable, looks_at, joker, envy.is_some()))
            .collect();
        if let Some(node) = table.get("default")
            && let Some(default) = node.text()
        {
            let default_table = named(table, "paytables").find(|(name, _)| *name == default);
            let available: Vec<&str> = named(table, "paytables")
                .filter(|(_, table)| table.boolean("available").unwrap_or(true))
                .map(|(name, _)| name)
                .collect();
            let help = format!("use one of {}", available.join(", "));
            match default_table {
                None => self.problem(node, format!("there is no paytable `{default}`"), help),
                Some(_) if !available.contains(&default) => {
                    self.problem(node, format!("paytable `{default}` is not available"), help);
                }
                Some(_) => {}
            }
        }
        if let Some(node) =
            table.get("envy").filter(|_| looks_at.is_some_and(|it| it != DecidingCards::PlayerHand))
        {
            let help = "requires `looks_at = \"player_hand\"`";
            self.problem(node, "an envy bonus needs a wager on the player's hand", help);
        }
        if let Some(node) = table.get("looks_at").filter(|_| looks_at == Some(DecidingCards::DealerHand))
            && seats.is_some_and(|seats| !seats.dealer_hand)
        {
            self.problem(node, "the dealer has no hand to decide the wager", "see `seats.dealer_hand`");
        }
        let player_must_beat = table.boolean("player_must_beat").unwrap_or(false);
        if player_must_beat && looks_at.is_some_and(|looks_at| looks_at != DecidingCards::DealerFiveCards) {
            let node = table.get("player_must_beat")?;
            self.problem(
                node,
                "the wager has no dealer's high hand for the player to beat",
                "requires `looks_at = \"dealer_five_cards\"`",
            );
        }
        let settled_by = word(table, "settled_by", SettledBy::from_name);
        let banker_wagers = table.boolean("banker_wagers").unwrap_or(false);
        if banker_wagers && settled_by == Some(SettledBy::Banker) {
            self.problem(
                table.get("banker_wagers")?,
                "the banker cannot make a wager that the banker settles",
                "requires `settled_by = \"house\"`",
            );
        }
        Some(SideWager {
            name: name.to_owned(),
            title: table.text("title")?.to_owned(),
            offered: table.boolean("offered").unwrap_or(true),
            looks_at: looks_at?,
            player_must_beat,
            settled_by: settled_by?,
            banker_wagers,
            default: table.text("default")?.to_owned(),
            limits: limits?,
            envy: envy.map_or(Some(None), |read| read.map(Some))?,
            payout_max: payout_max.map_or(Some(None), |read| read.map(Some))?,
            paytables: paytables.into_iter().collect::<Option<_>>()?,
        })
    }

    fn paytable(
        &mut self,
        name: &str,
        table: &DocumentTable,
        looks_at: Option<DecidingCards>,
        book_joker: Option<Joker>,
        has_envy: bool,
    ) -> Option<Paytable> {
        let joker = word(table, "joker", Joker::from_name).or(book_joker);
        let mut rows: Vec<(PayRow, &DocumentTable)> = Vec::new();
        let mut whole = true;
        for node in table.get("pays")?.items()? {
            let Some((row, table)) =
                node.table().and_then(|table| Some((self.row(node, table, looks_at, joker)?, table)))
            else {
                whole = false;
                continue;
            };
            if rows.iter().any(|(before, _)| before.wins_on == row.wins_on) {
                self.problem(node, format!("{} already has a row", row.wins_on), "give each hand one row");
            }
            if row.envy.is_some() && !has_envy {
                self.problem(
                    table.get("envy")?,
                    "the wager has no envy bonus",
                    "add a table `envy` to the wager",
                );
            }
            rows.push((row, table));
        }
        self.check_order(&rows);
        Some(Paytable {
            name: name.to_owned(),
            also: table.text("also").map(str::to_owned),
            available: table.boolean("available").unwrap_or(true),
            joker: joker?,
            rows: rows.into_iter().map(|(row, _)| row).collect(),
        })
        .filter(|_| whole)
    }

    fn row(
        &mut self,
        node: &Node,
        table: &DocumentTable,
        looks_at: Option<DecidingCards>,
        joker: Option<Joker>,
    ) -> Option<PayRow> {
        let color = looks_at? == DecidingCards::Color;
        let (expected, other) = if color { ("cards", "hand") } else { ("hand", "cards") };
        if table.get(expected).is_none() || table.get(other).is_some() {
            let subject = if color { "a color" } else { "hands" };
            self.problem(
                node,
                format!("a row of a paytable for {subject} needs `{expected}`, not `{other}`"),
                format!("such as {{ {expected} = …, pays = 5 }}"),
            );
            return None;
        }
        let wins_on = if color {
            WinsOn::Cards(u8::try_from(table.integer("cards")?).ok().filter(|cards| (1..=7).contains(cards))?)
        } else {
            let hand = table.get("hand")?;
            let class = HandClass::from_name(hand.text()?)?;
            if looks_at? == DecidingCards::DealerFiveCards && !HandClass::PAI_GOWS.contains(&class) {
                let help = HandClass::PAI_GOWS.map(HandClass::name).join(", ");
                self.problem(
                    hand,
                    "five cards without a pair are named by their highest card",
                    format!("use one of {help}"),
                );
            }
            self.check_possible(class, joker, hand);
            WinsOn::Class(class)
        };
        let pays = match &table.get("pays")?.value {
            Value::Integer(times) => Pays::ToOne(u32::try_from(*times).ok()?),
            _ => Pays::Push,
        };
        Some(PayRow { wins_on, pays, envy: amount(table, "envy") })
    }

    /// Checks that some seven cards make a class.
    fn check_possible(&mut self, class: HandClass, joker: Option<Joker>, node: &Node) {
        let Some(joker) = joker else { return };
        if !Holdings::of(joker).all().any(|(_, classes)| classes.contains(class)) {
            let message = format!("no seven cards make `{}` if the joker is {}", class.name(), joker.name());
            self.problem(node, message, "see `ranking.joker` and the paytable's `joker`");
        }
    }

    /// Checks that no rarer hand pays less than a more common one, unless its row has `intended`.
    fn check_order(&mut self, rows: &[(PayRow, &DocumentTable)]) {
        let rarity = |row: &PayRow| match row.wins_on {
            WinsOn::Class(class) => HandClass::BY_RARITY
                .iter()
                .enumerate()
                .find_map(|(list, classes)| Some((list, classes.iter().position(|other| *other == class)?))),
            WinsOn::Cards(cards) => Some((2, 7 - usize::from(cards))),
        };
        for (row, table) in rows.iter().filter(|(_, table)| !table.boolean("intended").unwrap_or(false)) {
            let more_common =
                rows.iter().map(|(other, _)| other).filter(|other| match (rarity(row), rarity(other)) {
                    (Some((list, rank)), Some((other_list, other_rank))) => {
                        list == other_list && rank < other_rank
                    }
                    _ => false,
                });
            for (key, less) in [
                ("pays", more_common.clone().find(|other| other.pays > row.pays)),
                ("envy", more_common.clone().find(|other| other.envy > row.envy)),
            ] {
                if let Some(other) = less {
                    let node = table.get(key).or_else(|| table.get("pays"));
                    let message = format!(
                        "{} has less `{key}` than {}, a more common hand",
                        row.wins_on, other.wins_on
                    );
                    if let Some(node) = node {
                        self.problem(node, message, "if this is intended, add `intended = true` to the row");
                    }
                }
            }
        }
    }
}

fn word<T>(table: &DocumentTable, key: &str, from_name: impl Fn(&str) -> Option<T>) -> Option<T> {
    from_name(table.text(key)?)
}

fn amount(table: &DocumentTable, key: &str) -> Option<Amount> {
    table.text(key)?.parse().ok()
}

/// Returns the choices of the house in an earlier edition, whose digest includes them. Empty for other editions.
fn earlier_choices<T>(table: &DocumentTable, key: &str, all: &[T], from_name: fn(&str) -> Option<T>) -> Vec<T>
where
    T: Copy,
{
    let earlier = |node: &Node| node.span.source.origin == TextOrigin::Text(Edition::Earlier);
    if !table.get("option").is_some_and(earlier) {
        return Vec::new();
    }
    match table.provenance(key).filter(|from| from.kind == ValueKind::Option).map(|from| from.range) {
        Some(ValueRange::Choices(words)) => words.iter().filter_map(|word| from_name(word)).collect(),
        Some(_) => all.to_vec(),
        None => Vec::new(),
    }
}

/// Iterates over the named tables under a key.
fn named<'a>(table: &'a DocumentTable, key: &str) -> impl Iterator<Item = (&'a str, &'a DocumentTable)> {
    let entries = table.table(key).map(|table| &table.entries[..]).unwrap_or_default();
    entries.iter().filter_map(|entry| Some((entry.key.as_str(), entry.node.table()?)))
}

fn entries(root: &DocumentTable, key: &str, says: &str) -> Option<Vec<Definition>> {
    let entry = |(key, table): (&str, &DocumentTable)| {
        let cite = table.provenance(says)?.to_string();
        Some(Definition { key: key.to_owned(), says: table.text(says)?.to_owned(), cite })
    };
    named(root, key).map(entry).collect()
}
