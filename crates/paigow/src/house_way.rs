//! House ways: how a dealer sets seven cards, as clauses in order.
//!
//! The first clause that fits a hand decides it. A clause says what the seven cards must show (`condition.rs`, over the
//! groups of ranks that `groups.rs` finds) and what is then done with them (`placement.rs`). The words are closed and few;
//! `docs/house-ways.md` lists them. `file.rs` reads a house way from text.
//!
//! A text whose words are right is a [`HouseWayDraft`], which may leave hands undecided. A [`HouseWay`] is a draft whose last clause
//! fits every hand and allows every setting, so it decides every hand. That each clause is reached and sets legally is proved
//! elsewhere, by trying every hand.

mod canonical;
mod condition;
mod file;
mod groups;
mod phrase;
mod placement;

use crate::document::{Problem, Span};
use crate::{Evaluator, HandClass, Holdings, Ranking, Setting, SevenCards};
use condition::Condition;
use groups::{GroupPattern, Groups};
use placement::Placement;

pub use file::HOUSE_WAY_SPEC;
pub(crate) use file::{JOKER, JOKERS, WHEEL};

/// A house way that decides every hand.
///
/// It is obtained from a [`HouseWayDraft`] only, by [`HouseWayDraft::complete`].
#[derive(Clone, Debug)]
pub struct HouseWay {
    draft: HouseWayDraft,
}

/// A house way as read, which may leave hands undecided.
///
/// Checks and proofs report on it; hands are set by a [`HouseWay`].
#[derive(Clone, Debug)]
pub struct HouseWayDraft {
    /// The name it is asked for by.
    pub id: String,
    /// The house.
    pub title: String,
    /// Where the text was found.
    pub source: String,
    /// The ranking it was written for; a rule book may use another.
    pub ranking: Ranking,
    clauses: Vec<Clause>,
    /// The clauses for each pattern of groups, so that a hand meets only those that can be its own.
    by_pattern: [Vec<usize>; GroupPattern::COUNT],
    /// The end of the text, where a missing last clause belongs.
    end: Span,
}

/// One clause of a house way.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What the seven cards must show, as written.
    pub when: String,
    /// What is done with them, as written; any of these.
    pub set: Vec<String>,
    /// Whether hands of which no legal setting does it go on to the next clause.
    pub if_possible: bool,
    /// What a dealer would say.
    pub says: String,
    /// Where it is written.
    pub cite: String,
    condition: Condition,
    placements: Vec<Placement>,
}

/// What a house way makes of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The place of the clause that decided.
    pub clause: usize,
    /// The hand as set.
    pub setting: Setting,
}

impl HouseWay {
    /// The name it is asked for by.
    pub fn id(&self) -> &str {
        &self.draft.id
    }

    /// The house.
    pub fn title(&self) -> &str {
        &self.draft.title
    }

    /// Where the text was found.
    pub fn source(&self) -> &str {
        &self.draft.source
    }

    /// The ranking it was written for; a rule book may use another.
    pub fn ranking(&self) -> Ranking {
        self.draft.ranking
    }

    /// The clauses in order.
    pub fn clauses(&self) -> &[Clause] {
        &self.draft.clauses
    }

    /// The draft it was completed from, for a proof.
    pub fn as_draft(&self) -> &HouseWayDraft {
        &self.draft
    }

    /// The clauses in their canonical form, one a line: two house ways with the same text set every hand alike.
    pub fn rules(&self) -> String {
        self.clauses().iter().map(|clause| clause.canonical() + "\n").collect()
    }

    /// Sets a hand.
    ///
    /// # Panics
    /// If no clause decides the hand, which the last clause of a complete draft excludes.
    pub fn decide(&self, hand: SevenCards, evaluator: &Evaluator) -> Decision {
        match self.draft.decide(hand, evaluator) {
            Some(decision) => decision,
            None => undecided(self.id(), hand),
        }
    }
}

#[cold]
fn undecided(id: &str, hand: SevenCards) -> ! {
    panic!("house way `{id}`: no clause decides {hand}, though the last allows every setting of every hand");
}

impl HouseWayDraft {
    /// The clauses in order.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The house way, which decides every hand.
    ///
    /// # Errors
    /// The last clause does not fit every hand or does not allow every setting. The problem points at the end of the text.
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

    /// Sets a hand; `None` where no clause decides it.
    pub fn decide(&self, hand: SevenCards, evaluator: &Evaluator) -> Option<Decision> {
        self.decide_telling(hand, evaluator, |_| {})
    }

    /// Sets a hand, and reports each earlier clause that the hand fits but that no legal setting satisfies.
    pub fn decide_telling(
        &self,
        hand: SevenCards,
        evaluator: &Evaluator,
        mut impossible: impl FnMut(usize),
    ) -> Option<Decision> {
        let dealt = HandFacts::new(hand, evaluator);
        for &i in &self.by_pattern[dealt.groups.pattern as usize] {
            let clause = &self.clauses[i];
            if !clause.condition.fits(&dealt.groups) {
                continue;
            }
            match dealt.best(&clause.placements, evaluator) {
                Some(setting) => return Some(Decision { clause: i, setting }),
                None => impossible(i),
            }
        }
        None
    }

    /// Whether a hand shows what a clause asks for, whatever the clauses before it do.
    pub fn fits(&self, clause: usize, hand: SevenCards, evaluator: &Evaluator) -> bool {
        self.clauses[clause].condition.fits(&HandFacts::new(hand, evaluator).groups)
    }
}

/// A hand with its groups.
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

    /// Of the legal settings that one of the placements allows, the one with the best low hand, then the best high hand.
    fn best(&self, placements: &[Placement], evaluator: &Evaluator) -> Option<Setting> {
        if let [only] = placements {
            return only.best(self.hand, &self.groups, evaluator);
        }
        let settings =
            placements.iter().filter_map(|placement| placement.best(self.hand, &self.groups, evaluator));
        settings.max_by_key(|setting| (setting.low_strength, setting.high_strength))
    }
}
