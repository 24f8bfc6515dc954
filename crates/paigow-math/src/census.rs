//! The census: how many of all seven-card hands hold what.

use crate::SuitClasses;
use paigow::{ClassSet, HandClass, Holding, Holdings, Joker, Paytable, WinsOn};

/// How many hands there are of each holding, under one use of the joker.
pub struct Census {
    joker: Joker,
    counts: Vec<(ClassSet, u64)>,
}

impl Census {
    /// All seven-card hands there are: C(53, 7).
    pub const HANDS: u64 = 154_143_080;

    /// Counts all hands.
    ///
    /// # Panics
    /// If the hands counted are not all hands: every run checks it.
    pub fn take(joker: Joker) -> Census {
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

    /// The sets of classes that hands contain, and how many hands contain just these.
    pub fn holdings(&self) -> &[(ClassSet, u64)] {
        &self.counts
    }

    /// How many hands are what the condition says.
    pub fn count(&self, condition: impl Fn(ClassSet) -> bool) -> u64 {
        self.counts.iter().filter(|(classes, _)| condition(*classes)).map(|(_, hands)| hands).sum()
    }

    /// How many hands contain a class, whatever else they hold.
    pub fn containing(&self, class: HandClass) -> u64 {
        self.count(|classes| classes.contains(class))
    }

    /// How many hands are of a class by their rank in play: those that hold no higher one.
    pub fn in_play(&self, class: HandClass) -> u64 {
        self.count(|classes| classes.first_of(&HandClass::IN_PLAY) == class)
    }

    /// How many hands a paytable pays for a class: those that hold none that pays more. The hands it does
    /// not pay are under [`HandClass::Nothing`].
    pub fn paid(&self, paytable: &Paytable, class: HandClass) -> u64 {
        self.count(|classes| match paytable.best(classes).map(|row| row.wins_on) {
            Some(WinsOn::Class(paid)) => paid == class,
            _ => class == HandClass::Nothing,
        })
    }
}

/// How many hands have so many cards of a chosen color, by that number: the joker has no color (EZ-8).
pub fn color_counts() -> [u64; 8] {
    std::array::from_fn(|chosen| {
        let rest = 7 - chosen as u64;
        let without_joker = choose(26, rest);
        let with_joker = if rest == 0 { 0 } else { choose(26, rest - 1) };
        choose(26, chosen as u64) * (without_joker + with_joker)
    })
}

/// How many ways there are to take `k` of `n` things.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}
