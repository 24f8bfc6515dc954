//! A round as text: what `paigow settle` reads, and what a settled round is kept as.
//!
//! ```toml
//! book      = "my-cardroom.toml"
//! paytables = { fortune = "FPG-03" }             # left out: the book's own choice
//! banker    = { seat = 2, covers = "500.00" }    # or "dealer", the default
//! first     = 3                                  # where settling starts; left out: seat 1
//! dealer    = { cards = "…", wager = "25.00" }   # where the book has one; a wager only against a seat that banks
//!
//! [[seats]]
//! seat   = 1
//! player = "Ann"                                 # where one player has several seats
//! cards  = "…"
//! low    = "As Kd"                               # left out: the house way
//! wagers = { pai-gow = "25.00", red-black = { amount = "5.00", color = "red" } }
//! ```
//!
//! Reading collects every problem, of the text and of the rules, each at its place. [`RoundFile::print`] writes a round so that
//! reading it again gives the same settlement.

use crate::document::spec::{optional, required};
use crate::document::{Document, DocumentTable, FieldType, Node, Problem, Source, Span, Spec, in_order};
use crate::round::check_stakes;
use crate::rulebook::{BankerFoul, BookSource, LoadError};
use crate::{
    Amount, Bank, BySeat, CardSet, Color, Dealer, Foul, Owners, PlayedHand, Player, Refusal, Rulebook, Seat,
    SevenCards, Showdown, SideStake, Stakes, TableRules, parse_cards,
};
use std::fmt::Write;
use std::sync::Arc;

/// What a round's text may contain.
pub static ROUND_SPEC: Spec = Spec {
    about: "A round to be settled.",
    cited: false,
    fields: &[
        required("book", FieldType::Text, "a rule book's name, or a path"),
        optional("paytables", FieldType::Open, "the posted paytable of each side wager"),
        optional("banker", FieldType::Open, "who banks"),
        optional("first", FieldType::Count(1, 7), "the seat where settling starts"),
        optional("dealer", FieldType::Table(&DEALER), "the house's hand"),
        required("seats", FieldType::Rows(&SEAT), "the seats that play"),
    ],
};

static DEALER: Spec = Spec {
    about: "The house's hand.",
    cited: false,
    fields: &[
        required("cards", FieldType::Text, "its seven cards"),
        optional("wager", FieldType::Amount, "what the house wagers against a seat that banks"),
    ],
};

static SEAT: Spec = Spec {
    about: "A seat that plays.",
    cited: false,
    fields: &[
        required("seat", FieldType::Count(1, 7), "its number"),
        required("cards", FieldType::Text, "its seven cards"),
        optional("low", FieldType::Text, "the two cards of the low hand; left out: the house way"),
        optional("player", FieldType::Text, "who plays there, where one player has several seats"),
        optional("owes_time", FieldType::Bool, "whether a fee for playing time is due"),
        optional("wagers", FieldType::Open, "what it wagered, by wager"),
    ],
};

/// A round read from text, or to be written as one.
pub struct RoundFile {
    table_rules: Arc<TableRules>,
    posted: Vec<(String, String)>,
    book: String,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
    owners: Owners,
    /// The fouls in whose place the house way was set.
    reset: BySeat<Option<Foul>>,
}

impl RoundFile {
    /// Reads a round.
    ///
    /// # Errors
    /// Everything wrong with the text, and everything the rules have against the round.
    pub fn parse(source: &Source, book_source: &dyn BookSource) -> Result<RoundFile, Vec<Problem>> {
        let document = Document::parse(source)?;
        let mut problems = Vec::new();
        ROUND_SPEC.check(&document.root, &mut problems);
        let record = Reader { problems: &mut problems }.record(&document.root, book_source);
        match record {
            Some(record) if problems.is_empty() => Ok(record),
            _ => Err(in_order(problems)),
        }
    }

    /// The round, ready to be settled.
    ///
    /// # Errors
    /// What the rules have against it; a record that was read has nothing.
    pub fn showdown(&self) -> Result<Showdown<'_>, Vec<Refusal>> {
        let RoundFile { bank, first, players, dealer, owners, reset, .. } = *self;
        let showdown = Showdown::with_owners(&self.table_rules, bank, first, players, dealer, owners)?;
        Ok(showdown.with_resets(reset))
    }

    /// The record of a round that is ready to be settled.
    pub fn of(showdown: &Showdown<'_>, table_rules: &Arc<TableRules>) -> RoundFile {
        let posted = (0..table_rules.side_wagers())
            .map(|place| (table_rules.wager(place).name.clone(), table_rules.paytable(place).name.clone()))
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

    /// The round as text.
    pub fn print(&self) -> String {
        let mut text = format!("book = {:?}\n", self.book);
        // Writing to a string cannot fail.
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
            let low = match (reset, player.laid) {
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
            for (place, stake) in player.stakes.sides.iter().enumerate() {
                let Some(stake) = stake else { continue };
                let name = key(&self.table_rules.wager(place).name);
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

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare { name.to_owned() } else { format!("{name:?}") }
}

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn record(&mut self, root: &DocumentTable, book_source: &dyn BookSource) -> Option<RoundFile> {
        let (posted, posted_span) = self.posted(root);
        let bank = self.bank(root);
        let (table_rules, postable) = self.table_rules(root, &posted, posted_span.as_ref(), book_source)?;
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
                self.refused(&Refusal::SeatTwice { seat }, &row.seat_span);
                self.check_row(row, bank, &table_rules);
            } else if row.player.is_none() {
                self.check_row(row, bank, &table_rules);
            } else {
                players[seat.index()] = row.player;
                reset[seat.index()] = row.reset;
            }
        }
        let readable = rows.iter().all(|row| row.whole);
        let owners = Owners::by_name(|seat| rows.iter().find(|row| row.seat == Some(seat))?.name);
        let parts = Parts { bank, first, players, dealer, owners, dealer_given, readable };
        self.check_rules(root, &parts, &rows, &table_rules);

        let whole = readable && postable && dealer.is_some() == dealer_given;
        let record = RoundFile {
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
        Some(record).filter(|_| whole)
    }

    /// What the rules have against whatever could be read, each at the place it is about, and nothing that comes only of
    /// what could not be read.
    fn check_rules(
        &mut self,
        root: &DocumentTable,
        parts: &Parts,
        rows: &[Row<'_>],
        table_rules: &TableRules,
    ) {
        let Parts { bank, first, players, dealer, owners, dealer_given, readable } = *parts;
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
            let (known, span) = match &refusal {
                Refusal::NoWagers => (readable && !no_base && !rows.is_empty(), &root.span),
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
                | Refusal::BankerWithoutHand { .. } => (bank.is_some() && readable, at("banker")),
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
            if known {
                let problem = Problem::refused(span, &refusal);
                let message = table_rules.book().in_its_terms(&problem.message);
                self.problems.push(Problem { message, ..problem });
            }
        }
    }

    /// What the rules have against the wagers of a seat that has no place in the round.
    fn check_row(&mut self, row: &Row<'_>, bank: Option<Bank>, table_rules: &TableRules) {
        let Some(seat) = row.seat else { return };
        let banks = matches!(bank, Some(Bank::Seat { seat: banker, .. }) if banker == seat);
        let mut refusals = Vec::new();
        if !banks {
            check_stakes(seat, &row.stakes, table_rules, false, &mut refusals);
        }
        for refusal in
            refusals.iter().filter(|refusal| row.whole || !matches!(refusal, Refusal::NoPaiGowWager { .. }))
        {
            self.refused(refusal, row.span);
        }
    }

    fn first(&mut self, root: &DocumentTable, table_rules: &TableRules) -> Option<Seat> {
        let Some(node) = root.get("first") else { return Some(Seat::FIRST) };
        let seat = root.integer("first").and_then(|number| Seat::new(u8::try_from(number).ok()?))?;
        let seats = table_rules.book().seats.players;
        if seat.number() > seats {
            self.refused(&Refusal::SeatOutOfRange { seat: seat.number(), seats }, &node.span);
            return None;
        }
        Some(seat)
    }

    /// A row of `seats`, as far as it can be read.
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
                whole: false,
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
        let (mut stakes, stakes_whole) = self.stakes(table, seat, table_rules);
        stakes.owes_time = table.truth("owes_time").unwrap_or(false);
        let laid = hand.and_then(|hand| self.laid(table, hand, low, seat, banks, table_rules));
        // A hand that cannot be laid as written is in somebody's way all the same.
        let stand_in = || hand.map(|hand| PlayedHand::Set(table_rules.house_way_setting(hand)));
        let player = hand.zip(laid.or_else(stand_in)).map(|(hand, laid)| Player { hand, laid, stakes });
        // A foul that does not lie there has been set the house way.
        let reset = match (hand, low, laid) {
            (Some(hand), LowHandEntry::Cards(cards), Some(PlayedHand::Set(_))) => {
                table_rules.foul(hand, cards)
            }
            _ => None,
        };
        let at = |key: &str| table.get(key).map_or(span, |node| &node.span).clone();
        let whole = seat.is_some() && laid.is_some() && stakes_whole;
        let name = table.text("player");
        let (seat_span, cards_span) = (at("seat"), at("cards"));
        Row { span, seat_span, cards_span, seat, name, player, reset, stakes, whole }
    }

    /// How a hand lies; nothing where what is written cannot be done.
    fn laid(
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
        let place = seat.map_or_else(String::new, |seat| seat.to_string());
        let refusal = match (table_rules.lay(hand, low, &place), seat) {
            // A banker's foul is set the house way (SB-4), or set again where the book says so.
            (Ok(PlayedHand::Foul(_)), Some(seat)) if banks => match table_rules.book().setting.banker {
                BankerFoul::HouseWay => return house_way(),
                BankerFoul::SetAgain => Refusal::SetAgain { seat },
            },
            (Ok(laid), _) => return Some(laid),
            (Err(refusal), _) => refusal,
        };
        let span = table.get("low").map_or(&table.span, |node| &node.span).clone();
        self.refused(&refusal, &span);
        None
    }

    fn refused(&mut self, refusal: &Refusal, span: &Span) {
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
                    Problem::new(&entry.node.span, "a paytable is named by text")
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
                .push(Problem::new(&node.span, "`banker` says neither the dealer nor a seat").help(help));
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

    /// What is posted, and whether it may be. Where it may not, the book's own choice stands in, so that the rest can be
    /// looked at.
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
                    self.refused(&refusal, posted_span.unwrap_or(&node.span));
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

    /// A seat's wagers as far as they can be read, and whether that is all of them.
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
        let mut whole = true;
        for entry in &wagers.entries {
            let stake = self.stake(&entry.node);
            whole &= stake.is_some();
            if entry.key == "pai-gow" {
                let Some(stake) = stake else { continue };
                let (wager, min) = (entry.key.clone(), table_rules.book().base_game.limits.min);
                match seat {
                    Some(seat) if stake.color.is_some() => {
                        self.refused(&Refusal::ColorUnexpected { seat, wager }, &entry.node.span);
                    }
                    Some(seat) if stake.amount == Amount::ZERO => {
                        let refusal = Refusal::BelowMinimum { seat, wager, amount: stake.amount, min };
                        self.refused(&refusal, &entry.node.span);
                        whole = false;
                    }
                    _ => {}
                }
                stakes.pai_gow = stake.amount;
                continue;
            }
            match table_rules.place(&entry.key) {
                Ok(place) => stakes.sides[place] = stake,
                Err(refusal) => {
                    self.refused(&refusal, &entry.key_span);
                    whole = false;
                }
            }
        }
        (stakes, whole)
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
                    Problem::new(&node.span, format!("{:?} is no amount", node.text().unwrap_or_default()))
                        .help(fault.to_string()),
                );
                None
            }
            None => {
                self.problems.push(
                    Problem::new(&node.span, "a wager is an amount")
                        .help("such as \"25.00\", or { amount = \"5.00\", color = \"red\" }"),
                );
                None
            }
        }
    }
}

/// A row of `seats`, as far as it could be read.
struct Row<'a> {
    span: &'a Span,
    seat_span: Span,
    cards_span: Span,
    seat: Option<Seat>,
    /// Who plays there, where it is said.
    name: Option<&'a str>,
    player: Option<Player>,
    /// The foul in whose place the house way is set.
    reset: Option<Foul>,
    stakes: Stakes,
    /// Whether all of it could be.
    whole: bool,
}

/// The two cards that a seat is said to have as its low hand.
#[derive(Clone, Copy)]
enum LowHandEntry {
    /// None is given.
    HouseWay,
    Cards(CardSet),
    /// They cannot be read.
    Unreadable,
}

/// The parts of a round, each as far as it could be read.
struct Parts {
    bank: Option<Bank>,
    first: Option<Seat>,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
    owners: Owners,
    /// Whether a dealer's hand is given at all.
    dealer_given: bool,
    /// Whether all seats could be read.
    readable: bool,
}

static BANKER: Spec = Spec {
    about: "A seat that banks.",
    cited: false,
    fields: &[
        required("seat", FieldType::Count(1, 7), "which seat"),
        optional("covers", FieldType::Amount, "how much it covers; left out: all"),
    ],
};

static STAKE: Spec = Spec {
    about: "A wager on a color.",
    cited: false,
    fields: &[
        required("amount", FieldType::Amount, "how much"),
        required("color", FieldType::Choice(&["red", "black"]), "on which color"),
    ],
};
