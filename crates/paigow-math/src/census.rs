//! The census: counts of all seven-card hands by the hand classes they contain.

use crate::SuitClasses;
use paigow::{ClassSet, HandClass, Holding, Holdings, Joker, Paytable, WinsOn};

/// Number of hands with each set of classes, under one use of the joker.
///
/// # Examples
///
/// ```
/// use paigow::{HandClass, Joker};
/// use paigow_math::Census;
///
/// let census = Census::compute(Joker::SemiWild);
/// assert_eq!(census.containing(HandClass::FiveAces), 1_128);
/// assert_eq!(census.count(|_| true), Census::HANDS);
/// ```
pub struct Census {
    joker: Joker,
    counts: Vec<(ClassSet, u64)>,
}

impl Census {
    /// Number of seven-card hands: C(53, 7).
    pub const HANDS: u64 = 154_143_080;

    /// Counts all hands.
    ///
    /// # Panics
    /// If the counts do not add up to [`Census::HANDS`].
    pub fn compute(joker: Joker) -> Census {
        let holdings = Holdings::of(joker);
        let mut hands = [0; Holding::COUNT_MAX];
        SuitClasses::of(7).for_each(|hand, weight| {
            hands[holdings.find(hand.complete()).index()] += weight;
        });
        assert_eq!(hands.iter().sum::<u64>(), Census::HANDS, "the census lost or doubled hands");
        let counts = holdings.all().map(|(holding, classes)| (classes, hands[holding.index()]));
        Census { joker, counts: counts.filter(|&(_, hands)| hands > 0).collect() }
    }

    /// The use of the joker.
    pub fn joker(&self) -> Joker {
        self.joker
    }

    /// The sets of classes that occur, each with the number of hands that contain exactly these classes.
    pub fn holdings(&self) -> &[(ClassSet, u64)] {
        &self.counts
    }

    /// Number of hands whose set of classes satisfies a condition.
    pub fn count(&self, condition: impl Fn(ClassSet) -> bool) -> u64 {
        self.counts.iter().filter(|(classes, _)| condition(*classes)).map(|(_, hands)| hands).sum()
    }

    /// Number of hands that contain a class, alone or with others.
    pub fn containing(&self, class: HandClass) -> u64 {
        self.count(|classes| classes.contains(class))
    }

    /// Number of hands whose highest class in play is this class.
    pub fn in_play(&self, class: HandClass) -> u64 {
        self.count(|classes| classes.first_of(&HandClass::IN_PLAY) == class)
    }

    /// Number of hands that a paytable pays for a class, because they contain no class that pays more.
    ///
    /// For [`HandClass::Nothing`], the number of hands that the paytable does not pay.
    pub fn paid(&self, paytable: &Paytable, class: HandClass) -> u64 {
        self.count(|classes| match paytable.best(classes).map(|row| row.wins_on) {
            Some(WinsOn::Class(paid)) => paid == class,
            _ => class == HandClass::Nothing,
        })
    }
}

/// Number of hands with 0 to 7 cards of a chosen color. The joker has no color (EZ-8).
pub fn color_counts() -> [u64; 8] {
    std::array::from_fn(|chosen| {
        let rest = 7 - chosen as u64;
        let without_joker = choose(26, rest);
        let with_joker = if rest == 0 { 0 } else { choose(26, rest - 1) };
        choose(26, chosen as u64) * (without_joker + with_joker)
    })
}

/// Number of ways to choose `k` of `n` items.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}
