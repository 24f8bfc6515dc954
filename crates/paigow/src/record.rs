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
//! cards  = "…"
//! low    = "As Kd"                               # left out: the house way
//! wagers = { pai-gow = "25.00", red-black = { amount = "5.00", color = "red" } }
//! ```
//!
//! Reading collects every problem, of the text and of the rules, each at its place. [`Record::print`] writes a round so that
//! reading it again gives the same settlement.

use crate::document::spec::{optional, required};
use crate::document::{Document, Kind, Node, Problem, Source, Span, Spec, Table, in_order};
use crate::rulebook::{LoadError, Shelf};
use crate::{
    Amount, Bank, BySeat, CardSet, Color, Dealer, Laid, Player, Posting, Refusal, Rulebook, Seat, SevenCards,
    Showdown, SideStake, Stakes, parse_cards,
};
use std::fmt::Write;
use std::sync::Arc;

/// What a round's text may contain.
pub static ROUND_SPEC: Spec = Spec {
    about: "A round to be settled.",
    cited: false,
    fields: &[
        required("book", Kind::Text, "a rule book's name, or a path"),
        optional("paytables", Kind::Open, "the posted paytable of each side wager"),
        optional("banker", Kind::Open, "who banks"),
        optional("first", Kind::Count(1, 7), "the seat where settling starts"),
        optional("dealer", Kind::Table(&DEALER), "the house's hand"),
        required("seats", Kind::Rows(&SEAT), "the seats that play"),
    ],
};

static DEALER: Spec = Spec {
    about: "The house's hand.",
    cited: false,
    fields: &[
        required("cards", Kind::Text, "its seven cards"),
        optional("wager", Kind::Amount, "what the house wagers against a seat that banks"),
    ],
};

static SEAT: Spec = Spec {
    about: "A seat that plays.",
    cited: false,
    fields: &[
        required("seat", Kind::Count(1, 7), "its number"),
        required("cards", Kind::Text, "its seven cards"),
        optional("low", Kind::Text, "the two cards in front; left out: the house way"),
        optional("wagers", Kind::Open, "what it wagered, by wager"),
    ],
};

/// A round read from text, or to be written as one.
pub struct Record {
    posting: Arc<Posting>,
    posted: Vec<(String, String)>,
    book: String,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
}

impl Record {
    /// Reads a round.
    ///
    /// # Errors
    /// Everything wrong with the text, and everything the rules have against the round.
    pub fn parse(source: &Source, shelf: &dyn Shelf) -> Result<Record, Vec<Problem>> {
        let document = Document::parse(source)?;
        let mut problems = Vec::new();
        ROUND_SPEC.check(&document.root, &mut problems);
        let record = Reader { problems: &mut problems }.record(&document.root, shelf);
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
        Showdown::new(&self.posting, self.bank, self.first, self.players, self.dealer)
    }

    /// The record of a round that is ready to be settled.
    pub fn of(showdown: &Showdown<'_>, posting: &Arc<Posting>) -> Record {
        let posted = (0..posting.side_wagers())
            .map(|place| (posting.wager(place).name.clone(), posting.paytable(place).name.clone()))
            .collect();
        Record {
            posting: posting.clone(),
            posted,
            book: posting.book().id.clone(),
            bank: showdown.bank(),
            first: showdown.first(),
            players: std::array::from_fn(|index| {
                Seat::new(index as u8 + 1).and_then(|seat| showdown.player(seat)).copied()
            }),
            dealer: showdown.dealer().copied(),
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
                self.posted.iter().map(|(wager, table)| format!("{wager} = {table:?}")).collect();
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
        for (number, player) in (1..).zip(&self.players) {
            let Some(player) = player else { continue };
            let low = match player.laid {
                Laid::Set(setting) => setting.low,
                Laid::Foul(foul) => foul.0.low,
            };
            writeln!(text, "\n[[seats]]\nseat = {number}\ncards = \"{}\"\nlow = \"{low}\"", player.hand)?;
            let mut wagers = Vec::new();
            if player.stakes.pai_gow > Amount::ZERO {
                wagers.push(format!("pai-gow = \"{}\"", player.stakes.pai_gow));
            }
            for (place, stake) in player.stakes.sides.iter().enumerate() {
                let Some(stake) = stake else { continue };
                let name = &self.posting.wager(place).name;
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

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn record(&mut self, root: &Table, shelf: &dyn Shelf) -> Option<Record> {
        let (posted, posted_span) = self.posted(root);
        let bank = self.bank(root);
        let posting = self.posting(root, &posted, posted_span.as_ref(), shelf);
        let first =
            root.integer("first").map_or(Some(Seat::FIRST), |first| Seat::new(u8::try_from(first).ok()?));
        let dealer = root.table("dealer").map(|table| self.dealer(table, posting.as_deref()));

        let rows = root.get("seats").and_then(Node::items).unwrap_or_default();
        let mut players: BySeat<Option<Player>> = [None; Seat::COUNT_MAX];
        let mut spans: BySeat<Option<Span>> = [const { None }; Seat::COUNT_MAX];
        let mut whole = true;
        for row in rows {
            let Some(table) = row.table() else { continue };
            let seat = table.integer("seat").and_then(|number| Seat::new(u8::try_from(number).ok()?));
            let banks =
                matches!((bank, seat), (Some(Bank::Seat { seat: banker, .. }), Some(seat)) if banker == seat);
            let player = self.player(table, seat, banks, posting.as_deref());
            whole &= player.is_some();
            let Some(seat) = seat else { continue };
            if spans[seat.index()].replace(row.span.clone()).is_some() {
                let node = table.get("seat").map_or(&row.span, |node| &node.span);
                self.refused(&Refusal::SeatTwice { seat }, node);
            }
            players[seat.index()] = player;
        }

        let (posting, bank, first) = (posting?, bank?, first?);
        let dealer = dealer.map_or(Some(None), |dealer| dealer.map(Some))?;
        // The rules are asked about whatever could be read, so that all that is wrong is said at once.
        if let Err(refusals) = Showdown::new(&posting, bank, first, players, dealer) {
            for refusal in refusals {
                let span = refusal
                    .seat()
                    .and_then(|seat| spans[seat.index()].clone())
                    .unwrap_or_else(|| root.span.clone());
                let hidden =
                    !whole && matches!(refusal, Refusal::NoWagers | Refusal::BankerWithoutHand { .. });
                if !hidden {
                    self.refused(&refusal, &span);
                }
            }
        }
        let book = root.text("book")?.to_owned();
        Some(Record { posting, posted, book, bank, first, players, dealer }).filter(|_| whole)
    }

    fn refused(&mut self, refusal: &Refusal, span: &Span) {
        self.problems.push(Problem::new(span, refusal.to_string()).help(refusal.code()));
    }

    fn posted(&mut self, root: &Table) -> (Vec<(String, String)>, Option<Span>) {
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

    fn bank(&mut self, root: &Table) -> Option<Bank> {
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

    fn posting(
        &mut self,
        root: &Table,
        posted: &[(String, String)],
        posted_span: Option<&Span>,
        shelf: &dyn Shelf,
    ) -> Option<Arc<Posting>> {
        let node = root.get("book")?;
        let name = node.text()?;
        let book = match Rulebook::load(name, &[], shelf) {
            Ok(book) => book,
            Err(LoadError::Problems(found)) => {
                self.problems.extend(found);
                return None;
            }
            Err(error @ (LoadError::NotFound { .. } | LoadError::Unreadable { .. })) => {
                self.problems.push(Problem::new(&node.span, error.to_string()));
                return None;
            }
        };
        match Posting::new(Arc::new(book), posted) {
            Ok(posting) => Some(Arc::new(posting)),
            Err(refusals) => {
                for refusal in refusals {
                    self.refused(&refusal, posted_span.unwrap_or(&node.span));
                }
                None
            }
        }
    }

    fn cards(&mut self, table: &Table, key: &str, count: usize) -> Option<CardSet> {
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

    fn dealer(&mut self, table: &Table, posting: Option<&Posting>) -> Option<Dealer> {
        let hand = SevenCards::new(self.cards(table, "cards", 7)?)?;
        let wager = table.text("wager").map_or(Some(Amount::ZERO), |text| text.parse().ok())?;
        Some(Dealer { hand, setting: posting?.house_way_setting(hand)?, wager })
    }

    fn player(
        &mut self,
        table: &Table,
        seat: Option<Seat>,
        banks: bool,
        posting: Option<&Posting>,
    ) -> Option<Player> {
        let hand = self.cards(table, "cards", 7).and_then(SevenCards::new);
        let low = table.get("low").map(|_| self.cards(table, "low", 2));
        let stakes = self.stakes(table, seat, posting);
        let (hand, stakes, posting) = (hand?, stakes?, posting?);
        let house_way = || posting.house_way_setting(hand).map(Laid::Set);
        let laid = match low {
            None => house_way()?,
            Some(low) => {
                let place = seat.map_or_else(String::new, |seat| seat.to_string());
                match posting.lay(hand, low?, &place) {
                    // A banker's foul is set the house way (SB-4).
                    Ok(Laid::Foul(_)) if banks => house_way()?,
                    Ok(laid) => laid,
                    Err(refusal) => {
                        let span = table.get("low").map_or(&table.span, |node| &node.span).clone();
                        self.refused(&refusal, &span);
                        return None;
                    }
                }
            }
        };
        Some(Player { hand, laid, stakes })
    }

    fn stakes(&mut self, table: &Table, seat: Option<Seat>, posting: Option<&Posting>) -> Option<Stakes> {
        let mut stakes = Stakes::default();
        let Some(node) = table.get("wagers") else { return Some(stakes) };
        let Some(wagers) = node.table() else {
            self.problems.push(
                Problem::new(&node.span, "`wagers` is not a table").help("such as { pai-gow = \"25.00\" }"),
            );
            return None;
        };
        let mut whole = true;
        for entry in &wagers.entries {
            let stake = self.stake(&entry.node);
            whole &= stake.is_some();
            if entry.key == "pai-gow" {
                let Some(stake) = stake else { continue };
                if let (Some(_), Some(seat)) = (stake.color, seat) {
                    self.refused(
                        &Refusal::ColorUnexpected { seat, wager: entry.key.clone() },
                        &entry.node.span,
                    );
                }
                stakes.pai_gow = stake.amount;
                continue;
            }
            match posting.map(|posting| posting.place(&entry.key)) {
                Some(Some(place)) => stakes.sides[place] = stake,
                Some(None) => {
                    self.refused(&Refusal::UnknownWager { wager: entry.key.clone() }, &entry.key_span);
                    whole = false;
                }
                None => {}
            }
        }
        whole.then_some(stakes)
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

static BANKER: Spec = Spec {
    about: "A seat that banks.",
    cited: false,
    fields: &[
        required("seat", Kind::Count(1, 7), "which seat"),
        optional("covers", Kind::Amount, "how much it covers; left out: all"),
    ],
};

static STAKE: Spec = Spec {
    about: "A wager on a colour.",
    cited: false,
    fields: &[
        required("amount", Kind::Amount, "how much"),
        required("color", Kind::Choice(&["red", "black"]), "on which colour"),
    ],
};
