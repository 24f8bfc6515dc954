//! Strategy cards: short lists of lines that cost little against best play.
//!
//! A card is a house way. Its lines have placements (`placement.rs`) and at most three conditions on properties of the
//! hand (`property.rs`) besides the patterns of groups. The search finds short lists for each group pattern
//! (`pattern_search.rs`) and combines them (`combine.rs`). Of bounds that cost the same it takes round numbers
//! (`round_numbers.rs`). It uses no random numbers, so it always finds the same cards.
//!
//! The price of a card is exact. No claim is made that a card is the best of its length: only single conditions, and
//! pairs of conditions with open bounds, are tried exhaustively.

mod combine;
mod pattern_search;
mod placement;
mod property;
mod round_numbers;
mod vocabulary;
mod words;

use crate::WorthTable;
use crate::progress::Progress;
use combine::Combination;
use paigow::Ranking;
use pattern_search::{LineList, LineSpec, PatternSearch};
use property::Bounds;
use std::fmt::Write as _;
use vocabulary::{COST_UNIT, PATTERNS, Vocabulary};

/// A search for strategy cards against one opponent.
pub struct CardSearch {
    vocabulary: Vocabulary,
    patterns: Vec<PatternSearch>,
}

/// Lists of lines for one group pattern that a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternLists {
    /// First the list of the shared lines and the empty list, then lists with one more line each.
    lists: Vec<Vec<LineList>>,
}

/// A strategy card: a house way with few clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyCard {
    /// The lines, in order. The last fits every hand.
    pub lines: Vec<CardLine>,
}

/// A line of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardLine {
    /// Condition, in the phrases of house-way files.
    pub when: String,
    /// Placement, in the phrases of house-way files. Several texts are alternatives.
    pub set: Vec<String>,
    /// Whether hands that the line cannot set go on to the next line.
    pub if_possible: bool,
    /// The line in the words of a player.
    pub says: String,
}

/// A step of the search must save at least this much: a ten-millionth of a wager, in units of the vocabulary.
const SAVED_MIN: i64 = (crate::DEALS * 10_000 / COST_UNIT / 10_000_000) as i64;

impl CardSearch {
    /// Number of group patterns.
    pub const PATTERNS: usize = PATTERNS.len();

    /// Version of the search. It changes when the search may find other cards.
    pub const VERSION: u32 = 3;

    /// Prepares a search: applies every phrase of the vocabulary to every kind of hand.
    pub fn new(table: &WorthTable) -> CardSearch {
        let vocabulary = Vocabulary::of(table);
        let patterns = (0..PATTERNS.len()).map(|pattern| PatternSearch::new(&vocabulary, pattern)).collect();
        CardSearch { vocabulary, patterns }
    }

    /// Name of a group pattern.
    pub fn pattern_name(pattern: usize) -> &'static str {
        PATTERNS[pattern]
    }

    /// Work that a search of lists of at most `lines` lines reports.
    pub const fn work(lines: usize) -> u64 {
        2 * lines as u64
    }

    /// Finds lists of at most `lines` lines for a group pattern.
    pub fn search_pattern(&self, pattern: usize, lines: usize, progress: Progress<'_>) -> PatternLists {
        let search = &self.patterns[pattern];
        let [no_lines, shared] = search.first_lists();
        let mut lists = vec![vec![shared]];
        for count in 0..lines {
            let before = &lists[count];
            let longer = search.longer_lists(before, progress);
            progress(1);
            if longer.first().is_none_or(|best| before[0].cost - best.cost < SAVED_MIN) {
                break;
            }
            lists.push(longer);
        }
        // A list that lost a line may be better than one that grew.
        for count in (1..lists.len().saturating_sub(1)).rev() {
            lists[count] = search.shorter_lists(&lists[count + 1], &lists[count], progress);
            progress(1);
        }
        lists[0].push(no_lines);
        PatternLists { lists }
    }

    /// Combines the lists of all patterns into cards of 1 to `lines` lines.
    pub fn cards(&self, lists: &[PatternLists], lines: usize, progress: Progress<'_>) -> Vec<StrategyCard> {
        let lists: Vec<Vec<LineList>> = lists.iter().map(|lists| lists.lists.concat()).collect();
        let combined = combine::combine(&self.patterns, &lists, lines.saturating_sub(1), progress);
        combined.iter().map(|combination| self.card(combination)).collect()
    }

    /// Writes a combination as a card, without lines that decide no hand.
    fn card(&self, combination: &Combination) -> StrategyCard {
        let mut uses = vec![(0u16, false); combination.lines.len()];
        for (pattern, search) in self.patterns.iter().enumerate() {
            let indices =
                (0..combination.lines.len()).filter(|line| combination.lines[*line].0 >> pattern & 1 == 1);
            for (index, line_use) in indices.zip(search.uses(&combination.of_pattern(pattern))) {
                if line_use.decides {
                    uses[index].0 |= 1 << pattern;
                    uses[index].1 |= line_use.fails;
                }
            }
        }
        let used = combination.lines.iter().zip(uses).filter(|(_, (patterns, _))| *patterns != 0);
        let mut lines: Vec<CardLine> =
            used.map(|((_, line), (patterns, fails))| self.line(patterns, line, fails)).collect();
        let last = &self.vocabulary.placements[placement::LAST_PLACEMENT];
        lines.push(CardLine {
            when: "any hand".to_owned(),
            set: last.set.clone(),
            if_possible: false,
            says: format!("Any other hand: {}.", last.says),
        });
        StrategyCard { lines }
    }

    fn line(&self, patterns: u16, line: &LineSpec, if_possible: bool) -> CardLine {
        let names: Vec<&str> = (0..PATTERNS.len())
            .filter(|pattern| patterns >> pattern & 1 == 1)
            .map(|pattern| PATTERNS[pattern])
            .collect();
        let phrases = line.bounds.iter().filter_map(|bounds| bounds.phrase());
        let placement = &self.vocabulary.placements[line.placement];
        let mut says = words::capitalized(&words::join_or(&names));
        for bounds in &line.bounds {
            let _ = write!(says, ", {}", bounds.words()); // writing to a string cannot fail
        }
        CardLine {
            when: [names.join(" or ")].into_iter().chain(phrases).collect::<Vec<_>>().join(", "),
            set: placement.set.clone(),
            if_possible,
            says: format!("{says}: {}.", placement.says),
        }
    }
}

impl PatternLists {
    /// Cost of the best list of each number of lines, as a part of the wager in ten-thousandths over all deals.
    pub fn costs(&self) -> Vec<i128> {
        self.lists
            .iter()
            .map(|lists| lists.iter().map(|list| i128::from(list.cost)).min().unwrap_or(0) * COST_UNIT)
            .collect()
    }

    /// Writes the lists as numbers, to store them.
    pub fn to_numbers(&self) -> Vec<Vec<Vec<i64>>> {
        let write = |list: &LineList| {
            let mut numbers = vec![list.cost];
            for line in &list.lines {
                numbers.extend([line.placement as u32, line.bounds.len() as u32].map(i64::from));
                for Bounds { property, low, high } in &line.bounds {
                    numbers.extend([*property, *low, *high].map(i64::from));
                }
            }
            numbers
        };
        self.lists.iter().map(|lists| lists.iter().map(write).collect()).collect()
    }

    /// Reads lists from numbers. Returns `None` if they are not those of lists.
    pub fn from_numbers(numbers: &[Vec<Vec<i64>>]) -> Option<PatternLists> {
        let read = |numbers: &Vec<i64>| {
            let mut numbers = numbers.iter().copied();
            let cost = numbers.next()?;
            let mut lines = Vec::new();
            while let Some(placement) = numbers.next() {
                let placement =
                    usize::try_from(placement).ok().filter(|index| *index < placement::placement_count())?;
                let mut bounds = Vec::new();
                for _ in 0..numbers.next()? {
                    let mut byte = || u8::try_from(numbers.next()?).ok();
                    let read = Bounds { property: byte()?, low: byte()?, high: byte()? };
                    bounds.push(read.is_valid().then_some(read)?);
                }
                lines.push(LineSpec { bounds, placement });
            }
            Some(LineList { lines, cost })
        };
        let lists: Option<Vec<Vec<LineList>>> =
            numbers.iter().map(|lists| lists.iter().map(read).collect()).collect();
        lists.filter(|lists| lists.iter().all(|lists| !lists.is_empty())).map(|lists| PatternLists { lists })
    }
}

impl StrategyCard {
    /// Writes the card as a house-way file.
    pub fn to_text(&self, title: &str, source: &str, ranking: Ranking) -> String {
        let Ranking { joker, wheel } = ranking;
        let [title, source] = [title, source].map(escaped);
        let mut text = format!(
            "title  = \"{title}\"\nsource = \"{source}\"\n\n[ranking]\njoker = \"{}\"\nwheel = \"{}\"\ncite  = \"found by search\"\n",
            joker.name(),
            wheel.name()
        );
        for CardLine { when, set, if_possible, says } in &self.lines {
            let _ = write!(text, "\n[[clauses]]\nwhen = \"{when}\"\nset  = {}\n", placement::set_text(set));
            if *if_possible {
                text += "if_possible = true\n";
            }
            let _ = writeln!(text, "says = \"{says}\"\ncite = \"found by search\"");
        }
        text
    }
}

/// Escapes a text for a basic string of TOML.
fn escaped(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        control if control.is_control() => format!("\\u{:04X}", u32::from(control)),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}
