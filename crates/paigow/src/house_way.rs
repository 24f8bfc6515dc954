//! House ways: ordered clauses by which a dealer sets seven cards.
//!
//! The first clause that fits a hand and allows a legal setting decides it. A clause has a condition on the seven cards
//! (`condition.rs`, based on the rank groups of `groups.rs`) and a placement, the settings it allows (`placement.rs`).
//! Both are written in a small closed vocabulary, which `docs/house-ways.md` lists. `file.rs` parses house-way files.
//!
//! A file whose phrases are all valid is a [`HouseWayDraft`], which may leave hands undecided. A [`HouseWay`] is a
//! draft whose last clause fits every hand and allows every setting, so it decides every hand. The proof in
//! `paigow-math` tries every hand to check that each clause is reached and sets legally.

mod canonical;
mod condition;
mod file;
mod groups;
mod phrase;
mod placement;
mod trial;

use crate::document::{Problem, Span};
use crate::{Evaluator, HandClass, Holdings, Ranking, Setting, SevenCards};
use condition::Condition;
use groups::{GroupPattern, Groups};
use placement::Placement;

pub use file::HOUSE_WAY_SPEC;
pub(crate) use file::{JOKER, JOKERS, WHEEL};
pub use trial::ClauseTrial;

/// A house way that decides every hand.
///
/// [`HouseWay::parse`] reads a house way from text. [`HouseWayDraft::complete`] converts a draft.
///
/// # Examples
///
/// ```
/// use paigow::rulebook::BuiltIn;
/// use paigow::{Evaluator, HouseWay, SevenCards};
///
/// let name = BuiltIn::house_way_names().next().expect("house ways are built in");
/// let way = HouseWay::built_in(name)?;
/// let hand: SevenCards = "As Ac Ad Kh 9c 6d 2s".parse()?;
/// let decision = way.decide(hand, Evaluator::of(way.ranking()));
/// println!("{}: {}", decision.setting, way.clauses()[decision.clause].says);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HouseWay {
    draft: HouseWayDraft,
}

/// A parsed house way, which may leave hands undecided.
///
/// Checks and proofs work on drafts. Use a [`HouseWay`] to set hands.
#[derive(Clone, Debug)]
pub struct HouseWayDraft {
    /// Identifier of the house way.
    pub id: String,
    /// Name of the house.
    pub title: String,
    /// Document or page from which the text was taken.
    pub source: String,
    /// Ranking for which the house way was written. A rule book may use another.
    pub ranking: Ranking,
    clauses: Vec<Clause>,
    /// Indices of the clauses that can fit each group pattern. Other clauses need no test.
    by_pattern: [Vec<usize>; GroupPattern::COUNT],
    /// End of the text, where a missing last clause is reported.
    end: Span,
}

/// A clause of a house way.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Condition on the seven cards, as written in the file.
    pub when: String,
    /// Allowed settings, as written in the file. Several texts are alternatives.
    pub set: Vec<String>,
    /// Whether hands without a legal setting under this clause may go on to the next clause.
    ///
    /// Such hands always go on. Without this flag, a proof reports them as a fault.
    pub if_possible: bool,
    /// The rule in a dealer's words.
    pub says: String,
    /// Citation of the passage that the clause comes from.
    pub cite: String,
    condition: Condition,
    placements: Vec<Placement>,
}

/// The setting of a hand by a house way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Index of the clause that decided the hand.
    pub clause: usize,
    /// The setting.
    pub setting: Setting,
}

impl HouseWay {
    /// Returns the identifier of the house way.
    pub fn id(&self) -> &str {
        &self.draft.id
    }

    /// Returns the name of the house.
    pub fn title(&self) -> &str {
        &self.draft.title
    }

    /// Returns the document or page from which the text was taken.
    pub fn source(&self) -> &str {
        &self.draft.source
    }

    /// Returns the ranking for which the house way was written. A rule book may use another.
    pub fn ranking(&self) -> Ranking {
        self.draft.ranking
    }

    /// Returns the clauses in order.
    pub fn clauses(&self) -> &[Clause] {
        &self.draft.clauses
    }

    /// Returns the house way as a draft, for a proof.
    pub fn as_draft(&self) -> &HouseWayDraft {
        &self.draft
    }

    /// Returns the canonical form of the clauses, one clause per line.
    ///
    /// Two house ways with the same canonical form set every hand alike.
    pub fn rules(&self) -> String {
        self.clauses().iter().map(|clause| clause.canonical() + "\n").collect()
    }

    /// Sets a hand under the ranking for which the house way was written.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow::HouseWay;
    /// use paigow::rulebook::BuiltIn;
    ///
    /// let name = BuiltIn::house_way_names().next().expect("house ways are built in");
    /// let way = HouseWay::built_in(name)?;
    /// let setting = way.set("As Ac Ad Kh 9c 6d 2s".parse()?);
    /// assert_eq!(setting.low.to_string(), "As Kh");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&self, hand: SevenCards) -> Setting {
        self.decide(hand, Evaluator::of(self.ranking())).setting
    }

    /// Sets a hand, and returns the clause that decided.
    ///
    /// # Panics
    /// Panics if no clause decides the hand. The last clause of a house way fits every hand, so this is a bug.
    pub fn decide(&self, hand: SevenCards, evaluator: &Evaluator) -> Decision {
        match self.draft.decide(hand, evaluator) {
            Some(decision) => decision,
            None => panic_undecided(self.id(), hand),
        }
    }
}

#[cold]
fn panic_undecided(id: &str, hand: SevenCards) -> ! {
    panic!("house way `{id}`: no clause decides {hand}, although the last fits every hand");
}

impl HouseWayDraft {
    /// Returns the clauses in order.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Converts the draft to a house way, which decides every hand.
    ///
    /// # Errors
    /// Returns a problem at the end of the text if the last clause does not fit every hand or allow every setting.
    pub fn complete(self) -> Result<HouseWay, Problem> {
        let complete = self.clauses.last().is_some_and(|last| {
            last.condition.fits_every_hand() && last.placements.iter().any(Placement::allows_all)
        });
        if complete {
            return Ok(HouseWay { draft: self });
        }
        let problem = Problem::new(&self.end, "the last clause must fit every hand and allow every setting");
        Err(problem.help("end with `when = \"any hand\"`, `set = \"best\"`"))
    }

    /// Sets a hand, or returns `None` if no clause decides it.
    pub fn decide(&self, hand: SevenCards, evaluator: &Evaluator) -> Option<Decision> {
        self.decide_reporting(hand, evaluator, |_| {})
    }

    /// Sets a hand, and calls `impossible` with the index of each fitting clause that allows no legal setting.
    pub fn decide_reporting(
        &self,
        hand: SevenCards,
        evaluator: &Evaluator,
        mut impossible: impl FnMut(usize),
    ) -> Option<Decision> {
        self.decide_from(0, HandFacts::new(hand, evaluator), evaluator, |_| true, &mut impossible)
    }

    /// Sets a hand by the clauses after this one, or returns `None` if none of them decides it.
    ///
    /// For a hand that the clause decides, this is the setting if the clause is removed.
    pub fn decide_after(&self, clause: usize, hand: SevenCards, evaluator: &Evaluator) -> Option<Decision> {
        self.decide_after_reporting(clause, hand, evaluator, |_| true, |_| {})
    }

    /// Sets a hand by the clauses after this one that `is_kept` accepts, by their index. Calls `impossible` with the
    /// index of each of them that fits and allows no legal setting.
    pub fn decide_after_reporting(
        &self,
        clause: usize,
        hand: SevenCards,
        evaluator: &Evaluator,
        is_kept: impl Fn(usize) -> bool,
        mut impossible: impl FnMut(usize),
    ) -> Option<Decision> {
        self.decide_from(clause + 1, HandFacts::new(hand, evaluator), evaluator, is_kept, &mut impossible)
    }

    /// Sets a hand by one clause, or returns `None` if the clause does not fit or allows no legal setting.
    pub fn decide_by(&self, clause: usize, hand: SevenCards, evaluator: &Evaluator) -> Option<Setting> {
        HandFacts::new(hand, evaluator).set_by(&self.clauses[clause], evaluator)?
    }

    fn decide_from(
        &self,
        first: usize,
        dealt: HandFacts,
        evaluator: &Evaluator,
        is_kept: impl Fn(usize) -> bool,
        impossible: &mut impl FnMut(usize),
    ) -> Option<Decision> {
        let clauses = &self.by_pattern[dealt.groups.pattern as usize];
        let clauses = &clauses[clauses.partition_point(|clause| *clause < first)..];
        for i in clauses.iter().copied().filter(|clause| is_kept(*clause)) {
            match dealt.set_by(&self.clauses[i], evaluator) {
                Some(Some(setting)) => return Some(Decision { clause: i, setting }),
                Some(None) => impossible(i),
                None => {}
            }
        }
        None
    }

    /// Returns `true` if the hand fits the condition of a clause. Earlier clauses are ignored.
    pub fn fits(&self, clause: usize, hand: SevenCards, evaluator: &Evaluator) -> bool {
        self.clauses[clause].condition.fits(&HandFacts::new(hand, evaluator).groups)
    }

    /// Returns the clauses whose conditions the hand fits, in order.
    pub fn fitting(&self, hand: SevenCards, evaluator: &Evaluator) -> impl Iterator<Item = usize> {
        let groups = HandFacts::new(hand, evaluator).groups;
        let clauses = self.clauses.iter().enumerate();
        clauses.filter(move |(_, clause)| clause.condition.fits(&groups)).map(|(index, _)| index)
    }
}

/// A hand with its rank groups.
#[derive(Clone, Copy)]
struct HandFacts {
    hand: SevenCards,
    groups: Groups,
}

impl HandFacts {
    fn new(hand: SevenCards, evaluator: &Evaluator) -> HandFacts {
        let holdings = Holdings::of(evaluator.ranking().joker);
        let classes = holdings.classes_of(hand);
        let completes =
            [HandClass::Straight, HandClass::Flush, HandClass::StraightFlush, HandClass::RoyalFlush]
                .map(|class| classes.contains(class));
        HandFacts { hand, groups: Groups::of(hand.cards(), evaluator.ranking().joker, completes) }
    }

    /// Sets the hand by a clause. Returns `None` if the clause does not fit, and `Some(None)` if it allows no legal
    /// setting.
    #[allow(clippy::option_option)] // the two cases differ: a proof reports the second
    fn set_by(&self, clause: &Clause, evaluator: &Evaluator) -> Option<Option<Setting>> {
        clause.condition.fits(&self.groups).then(|| self.best(&clause.placements, evaluator))
    }

    /// Returns the best legal setting that any of the placements allows: the best low hand, then the best high hand.
    fn best(&self, placements: &[Placement], evaluator: &Evaluator) -> Option<Setting> {
        if let [only] = placements {
            return only.best(self.hand, &self.groups, evaluator);
        }
        let settings =
            placements.iter().filter_map(|placement| placement.best(self.hand, &self.groups, evaluator));
        settings.max_by_key(|setting| (setting.low_strength, setting.high_strength))
    }
}
