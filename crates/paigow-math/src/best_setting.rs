//! The exact worth of every setting of one hand.
//!
//! The dealer has one of the C(46, 7) = 53,524,680 hands of the remaining cards, set the house way.

use crate::dominance::WinsAndLosses;
use crate::house_way_settings::HouseWaySettings;
use crate::set_hand::{HandSetter, SetHand};
use crate::worth_table::{TableSide, Valuation};
use paigow::rulebook::CopyWinner;
use paigow::{Arrangement, Evaluator, HandClass, HouseWay, Ranking, Rulebook, Setting, SevenCards};

/// The dealer and the rules that a player's setting is valued against.
#[derive(Clone, Copy)]
pub struct Opposition<'a> {
    /// House way of the dealer.
    pub dealer: &'a HouseWay,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Hand classes of the dealer that make every base wager push.
    pub dealer_push: &'a [HandClass],
    /// Side that wins copies.
    pub copies: CopyWinner,
    /// The commission on a win, in hundredths of a percent.
    pub commission: u32,
}

impl<'a> Opposition<'a> {
    /// The rules of a book, with a dealer who sets by this house way.
    pub fn of(book: &'a Rulebook, dealer: &'a HouseWay) -> Opposition<'a> {
        Opposition {
            dealer,
            ranking: book.ranking,
            dealer_push: &book.base_game.dealer_push,
            copies: book.base_game.copies,
            commission: book.commission.basis_points,
        }
    }
}

/// Number of dealer's hands that share no card with a given hand: C(46, 7).
pub const DEALER_HANDS: u64 = 53_524_680;

/// Wins and losses of a setting over all dealer's hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Number of dealer's hands against which the setting wins.
    pub win: u32,
    /// Number of dealer's hands against which the setting loses.
    pub lose: u32,
}

impl Worth {
    /// Number of dealer's hands against which the setting pushes.
    pub fn push(self) -> u64 {
        DEALER_HANDS - u64::from(self.win) - u64::from(self.lose)
    }

    /// Net win in ten-thousandths of a wager, summed over all dealer's hands. `commission` is in basis points.
    pub fn value(self, commission: u32) -> i64 {
        i64::from(self.win) * i64::from(10_000 - commission) - i64::from(self.lose) * 10_000
    }
}

/// The legal settings of a hand, ordered by their worth.
///
/// # Examples
///
/// ```
/// use paigow::rulebook::BuiltIn;
/// use paigow::{Rulebook, SevenCards};
/// use paigow_math::{BestSetting, DEALER_HANDS, Opposition};
///
/// let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// let book = Rulebook::built_in(name)?;
/// let hand: SevenCards = "As Kd Tc 9h 2s 2d Jk".parse()?;
/// let best = BestSetting::of(hand, &Opposition::of(&book, &book.house_way));
/// let (setting, worth) = best.settings[0];
/// println!("{setting} wins against {} of {DEALER_HANDS} dealer's hands", worth.win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BestSetting {
    /// All legal settings, the best first.
    pub settings: Vec<(Setting, Worth)>,
    /// Index of the dealer's house-way setting.
    pub house_way: usize,
    /// Number of dealer's hands that make every base wager push.
    pub dealer_pushes: u32,
}

impl BestSetting {
    /// Values every legal setting of a hand against every possible dealer's hand.
    ///
    /// # Panics
    /// If the number of dealer's hands counted is not [`DEALER_HANDS`], or if the house-way setting is not legal.
    pub fn of(hand: SevenCards, opposition: &Opposition<'_>) -> BestSetting {
        let Opposition { dealer, ranking, dealer_push, copies, commission } = *opposition;
        BestSetting::of_side(
            hand,
            &Valuation {
                side: TableSide::Player,
                opponent: dealer,
                ranking,
                dealer_push,
                copies,
                commission,
            },
        )
    }

    /// Values every legal setting of a hand for one side of the table, against every possible hand of the other side.
    /// [`BestSetting::house_way`] is the setting by the opponent's house way, and [`Valuation::value`] the value of a
    /// setting.
    ///
    /// # Panics
    /// If the number of hands counted is not [`DEALER_HANDS`], or if the house-way setting is not legal.
    pub fn of_side(hand: SevenCards, valuation: &Valuation<'_>) -> BestSetting {
        let Valuation { opponent, ranking, .. } = *valuation;
        let opponents = HouseWaySettings::of(opponent, ranking, valuation.opponent_push());
        let (others, pushing) = opponents.count(hand.cards());
        let counted = u64::from(others.total()) + u64::from(pushing);
        assert_eq!(counted, DEALER_HANDS, "the hands counted are not all hands of the other side");
        let evaluator = Evaluator::of(ranking);
        let own_push = HandSetter::new(opponent, ranking, valuation.own_push()).pushes(hand);
        let copies = valuation.copies_of_side();
        let legal = hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(evaluator).ok());
        let worth = |setting: &Setting| {
            if own_push {
                return Worth { win: 0, lose: 0 };
            }
            let WinsAndLosses { win, lose } = others.wins_and_losses(SetHand::of(setting), copies);
            Worth { win, lose }
        };
        let mut settings: Vec<(Setting, Worth)> = legal.map(|setting| (setting, worth(&setting))).collect();
        let chosen = opponent.decide(hand, evaluator).setting;
        settings.sort_by_key(|(setting, worth)| {
            let tie_break = (setting.low_strength, setting.high_strength, setting.low.cards());
            (-valuation.value(*worth), std::cmp::Reverse(tie_break))
        });
        let house_way = settings.iter().position(|(setting, _)| *setting == chosen);
        let Some(house_way) = house_way else {
            panic!("the house way `{}` sets {hand} as {chosen}, which is not legal", opponent.id())
        };
        BestSetting { settings, house_way, dealer_pushes: pushing }
    }
}
