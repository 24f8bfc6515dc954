//! The proof of a house way: it is applied to every hand.
//!
//! [`Proof::of`] runs each of the 6,972,147 classes of hands through the clauses. It counts the hands that each clause
//! decides, and reports clauses that decide no hand, hands that no clause decides, and hands that cannot be set as
//! their clause says.

use crate::worth_table::Kinds;
use crate::{Census, SuitClasses};
use paigow::{Arrangement, Evaluator, HouseWayDraft, PartialHand, Ranking, SevenCards};
use rayon::prelude::*;

/// Result of applying a house way to every hand.
pub struct Proof {
    /// Hands decided by each clause, in the order of the clauses.
    pub clauses: Vec<ClauseCount>,
    /// Faults found. The house way is proved if there are none.
    pub faults: Vec<HouseWayFault>,
}

/// Number of hands that a clause decides, with an example.
#[derive(Clone, Copy, Default)]
pub struct ClauseCount {
    /// Number of hands, out of 154,143,080.
    pub hands: u64,
    /// Number of suit classes that these hands fall into.
    pub classes: u64,
    /// An example, or `None` if the clause decides no hand.
    pub example: Option<SevenCards>,
}

/// A fault of a house way, with a hand that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HouseWayFault {
    /// A hand that no clause decides.
    Undecided(SevenCards),
    /// A hand that fits a clause but cannot be set legally as the clause says.
    Impossible {
        /// Index of the clause.
        clause: usize,
        /// The hand.
        hand: SevenCards,
    },
    /// A hand that a clause sets with the low hand above the high hand.
    Illegal {
        /// Index of the clause.
        clause: usize,
        /// The hand.
        hand: SevenCards,
    },
    /// A clause that decides no hand.
    Dead {
        /// Index of the clause.
        clause: usize,
        /// A hand that fits the clause and the index of the clause that decides it, or `None` if no hand fits.
        instead: Option<(SevenCards, usize)>,
    },
}

/// Findings over a part of the hands.
#[derive(Clone)]
struct Findings {
    /// Number of hands visited.
    hands: u64,
    clauses: Vec<ClauseCount>,
    undecided: Option<SevenCards>,
    impossible: Vec<Option<SevenCards>>,
    illegal: Vec<Option<SevenCards>>,
}

impl Proof {
    /// Applies a house way to every hand under a ranking.
    ///
    /// # Panics
    /// If the number of hands visited is not [`Census::HANDS`].
    pub fn of(way: &HouseWayDraft, ranking: Ranking) -> Proof {
        let evaluator = Evaluator::of(ranking);
        let classes = SuitClasses::of(7);
        let findings = classes.fold(
            || Findings::empty(way),
            |findings, hand, weight| findings.visit(way, hand.complete(), weight, evaluator),
            Findings::join,
        );
        let fitting = |clause: usize| {
            let visit = |kept: &mut Option<SevenCards>, hand: PartialHand, _| {
                let hand = hand.complete();
                if way.fits(clause, hand, evaluator) {
                    keep(kept, Some(hand));
                }
            };
            classes.fold(|| None, visit, kept_of)
        };
        Proof::of_findings(way, findings, evaluator, fitting)
    }

    /// Applies a house way to a hand of each kind, which takes a tenth of the time of [`Proof::of`]. It finds a fault if
    /// and only if that proof does, because no house way can tell apart the hands of a kind. [`ClauseCount::classes`] counts
    /// kinds.
    ///
    /// # Panics
    /// If the number of hands visited is not [`Census::HANDS`].
    pub fn of_kinds(way: &HouseWayDraft, ranking: Ranking) -> Proof {
        let (kinds, evaluator) = (Kinds::without_settings(), Evaluator::of(ranking));
        let findings = (0..kinds.kinds.len())
            .into_par_iter()
            .fold(
                || Findings::empty(way),
                |mut findings, kind| {
                    let weight = u64::from(kinds.kinds[kind].hands);
                    findings.visit(way, kinds.hand(kind), weight, evaluator);
                    findings
                },
            )
            .reduce(|| Findings::empty(way), Findings::join);
        let fitting = |clause: usize| {
            let hands = (0..kinds.kinds.len()).into_par_iter().map(|kind| kinds.hand(kind));
            let hands = hands.filter(|hand| way.fits(clause, *hand, evaluator)).map(Some);
            hands.reduce(|| None, kept_of)
        };
        Proof::of_findings(way, findings, evaluator, fitting)
    }

    /// Lists the faults. `fitting` returns a hand that fits a clause, or `None` if no hand does.
    fn of_findings(
        way: &HouseWayDraft,
        findings: Findings,
        evaluator: &Evaluator,
        fitting: impl Fn(usize) -> Option<SevenCards>,
    ) -> Proof {
        assert_eq!(findings.hands, Census::HANDS, "the hands visited are not all hands");

        let mut faults: Vec<HouseWayFault> =
            findings.undecided.map(HouseWayFault::Undecided).into_iter().collect();
        let by_clause = |hands: &[Option<SevenCards>],
                         fault: fn(usize, SevenCards) -> HouseWayFault|
         -> Vec<HouseWayFault> {
            hands
                .iter()
                .enumerate()
                .filter_map(|(clause, hand)| hand.map(|hand| fault(clause, hand)))
                .collect()
        };
        faults.extend(by_clause(&findings.impossible, |clause, hand| HouseWayFault::Impossible {
            clause,
            hand,
        }));
        faults.extend(by_clause(&findings.illegal, |clause, hand| HouseWayFault::Illegal { clause, hand }));
        for (clause, decided) in findings.clauses.iter().enumerate() {
            if decided.hands == 0 {
                let decided_by = |hand| Some((hand, way.decide(hand, evaluator)?.clause));
                faults.push(HouseWayFault::Dead { clause, instead: fitting(clause).and_then(decided_by) });
            }
        }
        Proof { clauses: findings.clauses, faults }
    }
}

impl Findings {
    fn empty(way: &HouseWayDraft) -> Findings {
        let count = way.clauses().len();
        Findings {
            hands: 0,
            clauses: vec![ClauseCount::default(); count],
            undecided: None,
            impossible: vec![None; count],
            illegal: vec![None; count],
        }
    }

    fn visit(&mut self, way: &HouseWayDraft, hand: SevenCards, weight: u64, evaluator: &Evaluator) {
        self.hands += weight;
        let impossible = &mut self.impossible;
        let decision = way.decide_reporting(hand, evaluator, |clause| {
            if !way.clauses()[clause].if_possible {
                keep(&mut impossible[clause], Some(hand));
            }
        });
        let Some(decision) = decision else { return keep(&mut self.undecided, Some(hand)) };
        let decided = &mut self.clauses[decision.clause];
        decided.hands += weight;
        decided.classes += 1;
        keep(&mut decided.example, Some(hand));
        let arrangement = Arrangement::new(hand, decision.setting.low.cards());
        if arrangement.is_none_or(|arrangement| arrangement.set(evaluator) != Ok(decision.setting)) {
            keep(&mut self.illegal[decision.clause], Some(hand));
        }
    }

    fn join(mut self, other: Findings) -> Findings {
        self.hands += other.hands;
        for (mine, theirs) in self.clauses.iter_mut().zip(other.clauses) {
            mine.hands += theirs.hands;
            mine.classes += theirs.classes;
            keep(&mut mine.example, theirs.example);
        }
        keep(&mut self.undecided, other.undecided);
        self.impossible.iter_mut().zip(other.impossible).for_each(|(mine, theirs)| keep(mine, theirs));
        self.illegal.iter_mut().zip(other.illegal).for_each(|(mine, theirs)| keep(mine, theirs));
        self
    }
}

/// Keeps the greater of two hands, so that the result does not depend on how the work is split.
fn keep(kept: &mut Option<SevenCards>, new: Option<SevenCards>) {
    if let Some(hand) = new
        && kept.is_none_or(|kept| hand.cards() > kept.cards())
    {
        *kept = new;
    }
}

/// Returns the greater of two hands.
fn kept_of(mut one: Option<SevenCards>, other: Option<SevenCards>) -> Option<SevenCards> {
    keep(&mut one, other);
    one
}
