//! Text format of a round, as read by `paigow settle`.
//!
//! ```toml
//! book      = "my-cardroom.toml"
//! paytables = { fortune = "FPG-03" }             # default: the book's paytables
//! banker    = { seat = 2, covers = "500.00" }    # default: "dealer"
//! first     = 3                                  # seat where settling starts; default: seat 1
//! dealer    = { cards = "…", wager = "25.00" }   # if the book has one; a wager only against a banking seat
//!
//! [[seats]]
//! seat   = 1
//! player = "Ann"                                 # if one player has several seats
//! cards  = "…"
//! low    = "As Kd"                               # default: the house way
//! wagers = { pai-gow = "25.00", red-black = { amount = "5.00", color = "red" } }
//! ```
//!
//! Parsing collects all syntax errors and rule violations with their positions. [`RoundFile::print`] writes a round so
//! that parsing it again gives the same settlement.

use crate::document::spec::{optional, required};
use crate::document::{
    Document, DocumentTable, FieldType, Node, Problem, Source, Span, Spec, sorted_problems,
};
use crate::round::check_stakes;
use crate::rulebook::{BankerFoul, BookSource, LoadError};
use crate::{
    Amount, Bank, BySeat, CardSet, Color, Dealer, Foul, Owners, PlayedHand, Player, Refusal, Rulebook, Seat,
    SevenCards, Showdown, SideStake, Stakes, TableRules, parse_cards,
};
use std::fmt::Write;
use std::sync::Arc;

/// Schema of round files.
pub static ROUND_SPEC: Spec = Spec {
    about: "A round to settle.",
    cited: false,
    fields: &[
        required("book", FieldType::Text, "name or path of a rule book"),
        optional("paytables", FieldType::Open, "posted paytable of each side wager"),
        optional("banker", FieldType::Open, "banker of the round"),
        optional("first", FieldType::Count(1, 7), "seat where settling starts"),
        optional("dealer", FieldType::Table(&DEALER), "hand of the dealer"),
        required("seats", FieldType::Rows(&SEAT), "seats that play"),
    ],
};

static DEALER: Spec = Spec {
    about: "The dealer's hand.",
    cited: false,
    fields: &[
        required("cards", FieldType::Text, "the seven cards"),
        optional("wager", FieldType::Amount, "wager of the house against a banking seat"),
    ],
};

static SEAT: Spec = Spec {
    about: "A seat that plays.",
    cited: false,
    fields: &[
        required("seat", FieldType::Count(1, 7), "number of the seat"),
        required("cards", FieldType::Text, "the seven cards"),
        optional("low", FieldType::Text, "the two cards of the low hand (default: set the house way)"),
        optional("player", FieldType::Text, "name of the player, if one player has several seats"),
        optional("owes_time", FieldType::Bool, "whether the seat owes a fee for playing time"),
        optional("wagers", FieldType::Open, "amounts by wager"),
    ],
};

/// A round that was parsed from text or can be printed as text.
pub struct RoundFile {
    table_rules: Arc<TableRules>,
    posted: Vec<(String, String)>,
    book: String,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
    owners: Owners,
    /// Fouls that the house way replaced.
    reset: BySeat<Option<Foul>>,
}

impl RoundFile {
    /// Parses a round.
    ///
    /// # Errors
    /// All syntax errors and rule violations.
    pub fn parse(source: &Source, book_source: &dyn BookSource) -> Result<RoundFile, Vec<Problem>> {
        let document = Document::parse(source)?;
        let mut problems = Vec::new();
        ROUND_SPEC.check(&document.root, &mut problems);
        let file = Reader { problems: &mut problems }.round_file(&document.root, book_source);
        match file {
            Some(file) if problems.is_empty() => Ok(file),
            _ => Err(sorted_problems(problems)),
        }
    }

    /// Returns the showdown of the round.
    ///
    /// # Errors
    /// All violations of the rules. A parsed round has none.
    pub fn showdown(&self) -> Result<Showdown<'_>, Vec<Refusal>> {
        let RoundFile { bank, first, players, dealer, owners, reset, .. } = *self;
        let showdown = Showdown::with_owners(&self.table_rules, bank, first, players, dealer, owners)?;
        Ok(showdown.with_resets(reset))
    }

    /// Creates the round file of a showdown.
    pub fn of(showdown: &Showdown<'_>, table_rules: &Arc<TableRules>) -> RoundFile {
        let posted = (0..table_rules.side_wager_count())
            .map(|index| (table_rules.wager(index).name.clone(), table_rules.paytable(index).name.clone()))
            .collect();
        RoundFile {
            table_rules: table_rules.clone(),
            posted,
            book: table_rules.book().reference.clone(),
            bank: showdown.bank(),
            first: showdown.first(),
            players: std::array::from_fn(|index| {
                Seat::new(index as u8 + 1).and_then(|seat| showdown.player(seat)).copied()
            }),
            dealer: showdown.dealer().copied(),
            owners: *showdown.owners(),
            reset: std::array::from_fn(|index| {
                Seat::new(index as u8 + 1).and_then(|seat| showdown.reset(seat))
            }),
        }
    }

    /// Returns the round as text.
    pub fn print(&self) -> String {
        let mut text = format!("book = {:?}\n", self.book);
        // Writing to a `String` never fails.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        if !self.posted.is_empty() {
            let posted: Vec<String> =
                self.posted.iter().map(|(wager, table)| format!("{} = {table:?}", key(wager))).collect();
            writeln!(text, "paytables = {{ {} }}", posted.join(", "))?;
        }
        match self.bank {
            Bank::Dealer => {}
            Bank::Seat { seat, covers: None } => writeln!(text, "banker = {{ seat = {} }}", seat.number())?,
            Bank::Seat { seat, covers: Some(covers) } => {
                writeln!(text, "banker = {{ seat = {}, covers = \"{covers}\" }}", seat.number())?;
            }
        }
        writeln!(text, "first = {}", self.first.number())?;
        if let Some(dealer) = &self.dealer {
            let wager = match dealer.wager {
                Amount::ZERO => String::new(),
                wager => format!(", wager = \"{wager}\""),
            };
            writeln!(text, "dealer = {{ cards = \"{}\"{wager} }}", dealer.hand)?;
        }
        for (number, (player, reset)) in (1..).zip(self.players.iter().zip(self.reset)) {
            let Some(player) = player else { continue };
            let low = match (reset, player.played) {
                (Some(foul), _) | (None, PlayedHand::Foul(foul)) => foul.0.low,
                (None, PlayedHand::Set(setting)) => setting.low,
            };
            writeln!(text, "\n[[seats]]\nseat = {number}")?;
            if let Some(seat) = Seat::new(number)
                && self.owners.seats_of(seat).nth(1).is_some()
            {
                writeln!(text, "player = \"player of {}\"", self.owners.first_of(seat))?;
            }
            if player.stakes.owes_time {
                writeln!(text, "owes_time = true")?;
            }
            writeln!(text, "cards = \"{}\"\nlow = \"{low}\"", player.hand)?;
            let mut wagers = Vec::new();
            if player.stakes.pai_gow > Amount::ZERO {
                wagers.push(format!("pai-gow = \"{}\"", player.stakes.pai_gow));
            }
            for (index, stake) in player.stakes.sides.iter().enumerate() {
                let Some(stake) = stake else { continue };
                let name = key(&self.table_rules.wager(index).name);
                wagers.push(match stake.color {
                    None => format!("{name} = \"{}\"", stake.amount),
                    Some(color) => {
                        format!("{name} = {{ amount = \"{}\", color = \"{}\" }}", stake.amount, color.name())
                    }
                });
            }
            writeln!(text, "wagers = {{ {} }}", wagers.join(", "))?;
        }
        Ok(())
    }
}

/// Returns a name as a TOML key.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare { name.to_owned() } else { format!("{name:?}") }
}

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn round_file(&mut self, root: &DocumentTable, book_source: &dyn BookSource) -> Option<RoundFile> {
        let (posted, posted_span) = self.posted(root);
        let bank = self.bank(root);
        let (table_rules, paytables_valid) =
            self.table_rules(root, &posted, posted_span.as_ref(), book_source)?;
        let first = self.first(root, &table_rules);
        let dealer_given = root.get("dealer").is_some();
        let dealer = root.table("dealer").and_then(|table| self.dealer(table, &table_rules));
        let rows: Vec<Row<'_>> = root
            .get("seats")
            .and_then(Node::items)
            .unwrap_or_default()
            .iter()
            .map(|node| self.row(node, bank, &table_rules))
            .collect();

        let mut players: BySeat<Option<Player>> = [None; Seat::COUNT_MAX];
        let mut reset: BySeat<Option<Foul>> = [None; Seat::COUNT_MAX];
        for (i, row) in rows.iter().enumerate() {
            let Some(seat) = row.seat else { continue };
            if rows[..i].iter().any(|before| before.seat == Some(seat)) {
                self.push_refusal(&Refusal::SeatTwice { seat }, &row.seat_span);
                self.check_row(row, bank, &table_rules);
            } else if row.player.is_none() {
                self.check_row(row, bank, &table_rules);
            } else {
                players[seat.index()] = row.player;
                reset[seat.index()] = row.reset;
            }
        }
        let rows_complete = rows.iter().all(|row| row.complete);
        let owners = Owners::by_name(|seat| rows.iter().find(|row| row.seat == Some(seat))?.name);
        let parts = Parts { bank, first, players, dealer, owners, dealer_given, rows_complete };
        self.check_rules(root, &parts, &rows, &table_rules);

        let complete = rows_complete && paytables_valid && dealer.is_some() == dealer_given;
        let file = RoundFile {
            book: table_rules.book().reference.clone(),
            table_rules,
            posted,
            bank: bank?,
            first: first?,
            players,
            dealer,
            owners,
            reset,
        };
        Some(file).filter(|_| complete)
    }

    /// Reports the rule violations of the parts that parsed, with their positions.
    ///
    /// Violations that only result from parts that did not parse are not reported.
    fn check_rules(
        &mut self,
        root: &DocumentTable,
        parts: &Parts,
        rows: &[Row<'_>],
        table_rules: &TableRules,
    ) {
        let Parts { bank, first, players, dealer, owners, dealer_given, rows_complete } = *parts;
        let showdown = Showdown::unchecked(
            table_rules,
            bank.unwrap_or(Bank::Dealer),
            first.unwrap_or(Seat::FIRST),
            &players,
            dealer,
            owners,
        );
        let refusals = showdown.refusals();
        let no_base = refusals.iter().any(|refusal| matches!(refusal, Refusal::NoPaiGowWager { .. }));
        let at = |key: &str| root.get(key).map_or(&root.span, |node| &node.span);
        for refusal in refusals {
            let (is_certain, span) = match &refusal {
                Refusal::NoWagers => (rows_complete && !no_base && !rows.is_empty(), &root.span),
                Refusal::DealerHandMissing => (!dealer_given, &root.span),
                Refusal::DealerHandUnexpected | Refusal::DealerWagerOutOfLimits { .. } => {
                    (true, at("dealer"))
                }
                Refusal::DealerWagerUnexpected => (bank.is_some(), at("dealer")),
                Refusal::BankerNotAllowed { .. } | Refusal::CoverMissing { .. } => {
                    (bank.is_some(), at("banker"))
                }
                Refusal::CoverShort { .. }
                | Refusal::ReserveExceeded { .. }
                | Refusal::BankerWithoutHand { .. } => (bank.is_some() && rows_complete, at("banker")),
                Refusal::CardTwice { card, .. } => {
                    let holder = rows
                        .iter()
                        .rev()
                        .find(|row| row.player.is_some_and(|player| player.hand.cards().contains(*card)));
                    (true, holder.map_or(&root.span, |row| &row.cards_span))
                }
                other => {
                    let row = rows.iter().find(|row| row.seat.is_some() && row.seat == other.seat());
                    (true, row.map_or_else(|| at("banker"), |row| row.span))
                }
            };
            if is_certain {
                let problem = Problem::refused(span, &refusal);
                let message = table_rules.book().with_book_terms(&problem.message);
                self.problems.push(Problem { message, ..problem });
            }
        }
    }

    /// Reports the rule violations of the wagers in a row that is not part of the round.
    fn check_row(&mut self, row: &Row<'_>, bank: Option<Bank>, table_rules: &TableRules) {
        let Some(seat) = row.seat else { return };
        let banks = matches!(bank, Some(Bank::Seat { seat: banker, .. }) if banker == seat);
        let mut refusals = Vec::new();
        if !banks {
            check_stakes(seat, &row.stakes, table_rules, false, &mut refusals);
        }
        for refusal in refusals
            .iter()
            .filter(|refusal| row.complete || !matches!(refusal, Refusal::NoPaiGowWager { .. }))
        {
            self.push_refusal(refusal, row.span);
        }
    }

    fn first(&mut self, root: &DocumentTable, table_rules: &TableRules) -> Option<Seat> {
        let Some(node) = root.get("first") else { return Some(Seat::FIRST) };
        let seat = root.integer("first").and_then(|number| Seat::new(u8::try_from(number).ok()?))?;
        let seats = table_rules.book().seats.players;
        if seat.number() > seats {
            self.push_refusal(&Refusal::SeatOutOfRange { seat: seat.number(), seats }, &node.span);
            return None;
        }
        Some(seat)
    }

    /// Parses a row of `seats`. Parts that do not parse are `None`.
    fn row<'a>(&mut self, node: &'a Node, bank: Option<Bank>, table_rules: &TableRules) -> Row<'a> {
        let span = &node.span;
        let Some(table) = node.table() else {
            let (seat_span, cards_span) = (span.clone(), span.clone());
            return Row {
                span,
                seat_span,
                cards_span,
                seat: None,
                name: None,
                player: None,
                reset: None,
                stakes: Stakes::default(),
                complete: false,
            };
        };
        let seat = table.integer("seat").and_then(|number| Seat::new(u8::try_from(number).ok()?));
        let banks =
            matches!((bank, seat), (Some(Bank::Seat { seat: banker, .. }), Some(seat)) if banker == seat);
        let hand = self.cards(table, "cards", 7).and_then(SevenCards::new);
        let low = match (table.get("low"), self.cards(table, "low", 2)) {
            (None, _) => LowHandEntry::HouseWay,
            (Some(_), Some(cards)) => LowHandEntry::Cards(cards),
            (Some(_), None) => LowHandEntry::Unreadable,
        };
        let (mut stakes, stakes_complete) = self.stakes(table, seat, table_rules);
        stakes.owes_time = table.boolean("owes_time").unwrap_or(false);
        let played = hand.and_then(|hand| self.played(table, hand, low, seat, banks, table_rules));
        // A hand with an invalid low hand still counts for duplicate cards, so the house way stands in.
        let fallback = || hand.map(|hand| PlayedHand::Set(table_rules.house_way_setting(hand)));
        let player = hand.zip(played.or_else(fallback)).map(|(hand, played)| Player { hand, played, stakes });
        // The hand is set although the given low hand is foul: the house way replaced the foul.
        let reset = match (hand, low, played) {
            (Some(hand), LowHandEntry::Cards(cards), Some(PlayedHand::Set(_))) => {
                table_rules.foul(hand, cards)
            }
            _ => None,
        };
        let at = |key: &str| table.get(key).map_or(span, |node| &node.span).clone();
        let complete = seat.is_some() && played.is_some() && stakes_complete;
        let name = table.text("player");
        let (seat_span, cards_span) = (at("seat"), at("cards"));
        Row { span, seat_span, cards_span, seat, name, player, reset, stakes, complete }
    }

    /// Returns the hand as played, or `None` if the given low hand is invalid.
    fn played(
        &mut self,
        table: &DocumentTable,
        hand: SevenCards,
        low: LowHandEntry,
        seat: Option<Seat>,
        banks: bool,
        table_rules: &TableRules,
    ) -> Option<PlayedHand> {
        let house_way = || Some(PlayedHand::Set(table_rules.house_way_setting(hand)));
        let low = match low {
            LowHandEntry::HouseWay => return house_way(),
            LowHandEntry::Cards(cards) => cards,
            LowHandEntry::Unreadable => return None,
        };
        let owner = seat.map_or_else(String::new, |seat| seat.to_string());
        let refusal = match (table_rules.played_hand(hand, low, &owner), seat) {
            // The book has a banker's foul set the house way (SB-4) or set again by the banker.
            (Ok(PlayedHand::Foul(_)), Some(seat)) if banks => match table_rules.book().setting.banker {
                BankerFoul::HouseWay => return house_way(),
                BankerFoul::SetAgain => Refusal::SetAgain { seat },
            },
            (Ok(played), _) => return Some(played),
            (Err(refusal), _) => refusal,
        };
        let span = table.get("low").map_or(&table.span, |node| &node.span).clone();
        self.push_refusal(&refusal, &span);
        None
    }

    fn push_refusal(&mut self, refusal: &Refusal, span: &Span) {
        self.problems.push(Problem::refused(span, refusal));
    }

    fn posted(&mut self, root: &DocumentTable) -> (Vec<(String, String)>, Option<Span>) {
        let Some(node) = root.get("paytables") else { return (Vec::new(), None) };
        let Some(table) = node.table() else {
            self.problems.push(
                Problem::new(&node.span, "`paytables` is not a table").help("such as { fortune = \"1\" }"),
            );
            return (Vec::new(), None);
        };
        let mut posted = Vec::new();
        for entry in &table.entries {
            match entry.node.text() {
                Some(name) => posted.push((entry.key.clone(), name.to_owned())),
                None => self.problems.push(
                    Problem::new(&entry.node.span, "the name of a paytable must be text")
                        .help("such as \"1\" or \"FPG-03\""),
                ),
            }
        }
        (posted, Some(node.span.clone()))
    }

    fn bank(&mut self, root: &DocumentTable) -> Option<Bank> {
        let Some(node) = root.get("banker") else { return Some(Bank::Dealer) };
        if node.text() == Some("dealer") {
            return Some(Bank::Dealer);
        }
        let help = "\"dealer\", or { seat = 2, covers = \"500.00\" }";
        let Some(table) = node.table() else {
            self.problems
                .push(Problem::new(&node.span, "`banker` is neither \"dealer\" nor a seat").help(help));
            return None;
        };
        let before = self.problems.len();
        BANKER.check(table, self.problems);
        if self.problems.len() > before {
            return None;
        }
        let seat = Seat::new(u8::try_from(table.integer("seat")?).ok()?)?;
        Some(Bank::Seat { seat, covers: table.text("covers").and_then(|text| text.parse().ok()) })
    }

    /// Loads the table rules and returns whether the posted paytables are valid.
    ///
    /// If they are not, the default paytables stand in so that the rest can be checked.
    fn table_rules(
        &mut self,
        root: &DocumentTable,
        posted: &[(String, String)],
        posted_span: Option<&Span>,
        book_source: &dyn BookSource,
    ) -> Option<(Arc<TableRules>, bool)> {
        let node = root.get("book")?;
        let name = node.text()?;
        let book = match Rulebook::load_from(name, Some(&node.span.source), &[], book_source) {
            Ok(book) => Arc::new(book),
            Err(LoadError::Problems(found)) => {
                self.problems.extend(found);
                return None;
            }
            Err(error @ (LoadError::NotFound { .. } | LoadError::Unreadable { .. })) => {
                self.problems.push(Problem::new(&node.span, error.to_string()));
                return None;
            }
        };
        match TableRules::new(book.clone(), posted) {
            Ok(table_rules) => Some((Arc::new(table_rules), true)),
            Err(refusals) => {
                for refusal in refusals {
                    self.push_refusal(&refusal, posted_span.unwrap_or(&node.span));
                }
                TableRules::new(book, &[]).ok().map(|table_rules| (Arc::new(table_rules), false))
            }
        }
    }

    fn cards(&mut self, table: &DocumentTable, key: &str, count: usize) -> Option<CardSet> {
        let node = table.get(key)?;
        match parse_cards(node.text()?, Some(count)) {
            Ok(cards) => Some(cards),
            Err(faults) => {
                self.problems
                    .push(Problem::new(&node.span, faults.to_string()).help("such as \"As Kd 10c Jk\""));
                None
            }
        }
    }

    fn dealer(&mut self, table: &DocumentTable, table_rules: &TableRules) -> Option<Dealer> {
        let hand = SevenCards::new(self.cards(table, "cards", 7)?)?;
        let wager = table.text("wager").map_or(Some(Amount::ZERO), |text| text.parse().ok())?;
        Some(Dealer { hand, setting: table_rules.house_way_setting(hand), wager })
    }

    /// Parses the wagers of a seat and returns whether all of them parsed.
    fn stakes(
        &mut self,
        table: &DocumentTable,
        seat: Option<Seat>,
        table_rules: &TableRules,
    ) -> (Stakes, bool) {
        let mut stakes = Stakes::default();
        let Some(node) = table.get("wagers") else { return (stakes, true) };
        let Some(wagers) = node.table() else {
            self.problems.push(
                Problem::new(&node.span, "`wagers` is not a table").help("such as { pai-gow = \"25.00\" }"),
            );
            return (stakes, false);
        };
        let mut complete = true;
        for entry in &wagers.entries {
            let stake = self.stake(&entry.node);
            complete &= stake.is_some();
            if entry.key == "pai-gow" {
                let Some(stake) = stake else { continue };
                let (wager, min) = (entry.key.clone(), table_rules.book().base_game.limits.min);
                match seat {
                    Some(seat) if stake.color.is_some() => {
                        self.push_refusal(&Refusal::ColorUnexpected { seat, wager }, &entry.node.span);
                    }
                    Some(seat) if stake.amount == Amount::ZERO => {
                        let refusal = Refusal::BelowMinimum { seat, wager, amount: stake.amount, min };
                        self.push_refusal(&refusal, &entry.node.span);
                        complete = false;
                    }
                    _ => {}
                }
                stakes.pai_gow = stake.amount;
                continue;
            }
            match table_rules.side_wager_index(&entry.key) {
                Ok(index) => stakes.sides[index] = stake,
                Err(refusal) => {
                    self.push_refusal(&refusal, &entry.key_span);
                    complete = false;
                }
            }
        }
        (stakes, complete)
    }

    fn stake(&mut self, node: &Node) -> Option<SideStake> {
        let (amount, color) = match node.table() {
            None => (Some(node), None),
            Some(table) => {
                let before = self.problems.len();
                STAKE.check(table, self.problems);
                if self.problems.len() > before {
                    return None;
                }
                (table.get("amount"), table.text("color").and_then(Color::from_name))
            }
        };
        let node = amount?;
        let parsed = node.text().map(str::parse::<Amount>);
        match parsed {
            Some(Ok(amount)) => Some(SideStake { amount, color }),
            Some(Err(fault)) => {
                self.problems.push(
                    Problem::new(
                        &node.span,
                        format!("{:?} is not an amount", node.text().unwrap_or_default()),
                    )
                    .help(fault.to_string()),
                );
                None
            }
            None => {
                self.problems.push(
                    Problem::new(&node.span, "a wager must be an amount")
                        .help("such as \"25.00\", or { amount = \"5.00\", color = \"red\" }"),
                );
                None
            }
        }
    }
}

/// A parsed row of `seats`. Parts that did not parse are `None`.
struct Row<'a> {
    span: &'a Span,
    seat_span: Span,
    cards_span: Span,
    seat: Option<Seat>,
    /// Name of the player, if given.
    name: Option<&'a str>,
    player: Option<Player>,
    /// The foul that the house way replaced.
    reset: Option<Foul>,
    stakes: Stakes,
    /// Whether all parts parsed.
    complete: bool,
}

/// The `low` key of a seat.
#[derive(Clone, Copy)]
enum LowHandEntry {
    /// The key is missing.
    HouseWay,
    Cards(CardSet),
    /// The cards do not parse.
    Unreadable,
}

/// Parsed parts of a round. Parts that did not parse are `None`.
struct Parts {
    bank: Option<Bank>,
    first: Option<Seat>,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
    owners: Owners,
    /// Whether the text has a dealer's hand, parsed or not.
    dealer_given: bool,
    /// Whether all rows of `seats` parsed completely.
    rows_complete: bool,
}

static BANKER: Spec = Spec {
    about: "A banking seat.",
    cited: false,
    fields: &[
        required("seat", FieldType::Count(1, 7), "number of the seat"),
        optional("covers", FieldType::Amount, "amount it covers (default: all)"),
    ],
};

static STAKE: Spec = Spec {
    about: "A wager on a color.",
    cited: false,
    fields: &[
        required("amount", FieldType::Amount, "amount of the wager"),
        required("color", FieldType::Choice(&["red", "black"]), "chosen color"),
    ],
};
