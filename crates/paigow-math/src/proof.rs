//! The proof of a house way: every hand is tried.
//!
//! Nothing about a house way's text is taken on trust. Each of the 6,972,147 classes of hands goes through its clauses, and
//! what is found is counted: which clause decides how many hands, which clause decides none, which hand is left over or
//! cannot be set as its clause says.

use crate::{Census, SuitClasses};
use paigow::{Arrangement, Evaluator, HouseWayDraft, PartialHand, Ranking, SevenCards};

/// What trying every hand has shown of a house way.
pub struct Proof {
    /// What each clause decides, in the order of the clauses.
    pub clauses: Vec<Decided>,
    /// What is wrong. None: the way is proved.
    pub faults: Vec<HouseWayFault>,
}

/// What a clause decides.
#[derive(Clone, Copy, Default)]
pub struct Decided {
    /// How many of the 154,143,080 hands.
    pub hands: u64,
    /// How many of the classes they fall into.
    pub classes: u64,
    /// One of them.
    pub example: Option<SevenCards>,
}

/// Something wrong with a house way, and a hand that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HouseWayFault {
    /// A hand that no clause decides.
    Undecided(SevenCards),
    /// A hand that fits a clause and cannot be set legally as it says.
    Impossible {
        /// The clause.
        clause: usize,
        /// The hand.
        hand: SevenCards,
    },
    /// A hand that a clause sets with the front higher than the back.
    Illegal {
        /// The clause.
        clause: usize,
        /// The hand.
        hand: SevenCards,
    },
    /// A clause that decides no hand.
    Dead {
        /// The clause.
        clause: usize,
        /// A hand that fits it, and the clause that decides that hand; none if no hand fits.
        instead: Option<(SevenCards, usize)>,
    },
}

/// What one part of the work has found.
#[derive(Clone)]
struct Found {
    /// How many of the 154,143,080 hands.
    hands: u64,
    clauses: Vec<Decided>,
    undecided: Option<SevenCards>,
    impossible: Vec<Option<SevenCards>>,
    illegal: Vec<Option<SevenCards>>,
}

impl Proof {
    /// Tries every hand under a ranking.
    ///
    /// # Panics
    /// If the hands tried are not all there are: every run checks it.
    pub fn of(way: &HouseWayDraft, ranking: Ranking) -> Proof {
        let evaluator = Evaluator::of(ranking);
        let count = way.clauses().len();
        let nothing = Found {
            hands: 0,
            clauses: vec![Decided::default(); count],
            undecided: None,
            impossible: vec![None; count],
            illegal: vec![None; count],
        };
        let classes = SuitClasses::of(7);
        let found = classes.fold(
            || nothing.clone(),
            |found, hand, weight| found.visit(way, hand, weight, evaluator),
            Found::join,
        );
        assert_eq!(found.hands, Census::HANDS, "the hands tried are not all there are");

        let mut faults: Vec<HouseWayFault> =
            found.undecided.map(HouseWayFault::Undecided).into_iter().collect();
        let shown = |hands: &[Option<SevenCards>],
                     fault: fn(usize, SevenCards) -> HouseWayFault|
         -> Vec<HouseWayFault> {
            hands
                .iter()
                .enumerate()
                .filter_map(|(clause, hand)| hand.map(|hand| fault(clause, hand)))
                .collect()
        };
        faults.extend(shown(&found.impossible, |clause, hand| HouseWayFault::Impossible { clause, hand }));
        faults.extend(shown(&found.illegal, |clause, hand| HouseWayFault::Illegal { clause, hand }));
        for (clause, decided) in found.clauses.iter().enumerate() {
            if decided.hands == 0 {
                faults.push(HouseWayFault::Dead {
                    clause,
                    instead: fits_but_decided_before(way, clause, evaluator, &classes),
                });
            }
        }
        Proof { clauses: found.clauses, faults }
    }
}

impl Found {
    fn visit(&mut self, way: &HouseWayDraft, hand: PartialHand, weight: u64, evaluator: &Evaluator) {
        let hand = hand.complete();
        self.hands += weight;
        let impossible = &mut self.impossible;
        let decision = way.decide_telling(hand, evaluator, |clause| {
            if !way.clauses()[clause].if_possible {
                keep(&mut impossible[clause], Some(hand));
            }
        });
        let Some(decision) = decision else { return keep(&mut self.undecided, Some(hand)) };
        let decided = &mut self.clauses[decision.clause];
        decided.hands += weight;
        decided.classes += 1;
        keep(&mut decided.example, Some(hand));
        let offered = Arrangement::new(hand, decision.setting.low.cards());
        if offered.is_none_or(|offered| offered.set(evaluator) != Ok(decision.setting)) {
            keep(&mut self.illegal[decision.clause], Some(hand));
        }
    }

    fn join(mut self, other: Found) -> Found {
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

/// Keeps one hand of all that are shown, the same however the work is shared out.
fn keep(kept: &mut Option<SevenCards>, shown: Option<SevenCards>) {
    if let Some(hand) = shown
        && kept.is_none_or(|kept| hand.cards() > kept.cards())
    {
        *kept = shown;
    }
}

fn fits_but_decided_before(
    way: &HouseWayDraft,
    clause: usize,
    evaluator: &Evaluator,
    classes: &SuitClasses,
) -> Option<(SevenCards, usize)> {
    let fitting = classes.fold(
        || None,
        |kept, hand, _| {
            let hand = hand.complete();
            if way.fits(clause, hand, evaluator) {
                keep(kept, Some(hand));
            }
        },
        |mut one, other| {
            keep(&mut one, other);
            one
        },
    );
    let hand = fitting?;
    Some((hand, way.decide(hand, evaluator)?.clause))
}
