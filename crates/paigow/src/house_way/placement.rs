//! What is done with seven cards: which settings a clause allows, and which of them is taken.

use super::groups::{Group, GroupPattern, Groups};
use super::phrase::phrases;
use crate::document::{Problem, Span};
use crate::{Category, Evaluator, HighStrength, LowStrength, Rank, Setting, SevenCards};

/// The `set` of a clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    fronts: Vec<LowHandRule>,
    /// What the high hand may be, any of these; anything where empty.
    behind: Vec<HighHandRule>,
    front_at_least: Option<LowStrength>,
}

/// What must be so of the two cards of the low hand.
#[derive(Clone, Copy, Debug)]
enum LowHandRule {
    /// Both are of this group.
    Within(Group),
    /// Neither is of this group, which the hand has.
    Avoids(Group),
    /// Neither is of a pair.
    AvoidsPairs,
    /// As many are of this group as leave two of it in the high hand.
    LeavesTwo(Group),
    /// One is an ace.
    Ace,
    /// They are a pair.
    Pair,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HighHandRule {
    Category(Category),
    StraightBelowAceHigh,
}

const ALLOWED: &str = "`best`; `pair in the low hand`, `higher pair in the high hand`, `both pairs in the high hand`, \
                       `three in the high hand`, `two of the four in the low hand`, `two of the three in the high hand`, \
                       `ace in the low hand`, `any pair in the low hand`; `complete hand in the high hand`, \
                       `straight or flush in the high hand`, `straight below ace high in the high hand`; `low hand at least K`";

/// How a phrase names the two hands: as houses speak of them, and as files written before that spelling was known do.
const IN_LOW_HAND: [&str; 2] = [" in the low hand", " in front"];
const IN_HIGH_HAND: [&str; 2] = [" in the high hand", " behind"];
const LOW_HAND_AT_LEAST: [&str; 2] = ["low hand at least ", "front at least "];

impl Placement {
    /// Reads the phrases.
    pub(crate) fn parse(text: &str, span: &Span) -> Result<Placement, Vec<Problem>> {
        let mut placement = Placement::default();
        let mut problems = Vec::new();
        let phrases = phrases(text, span);
        let count = phrases.len();
        for phrase in phrases {
            let known = if phrase.text == "best" {
                if count > 1 {
                    problems.push(
                        phrase.problem("`best` stands alone").help("leave it out beside other phrases"),
                    );
                }
                true
            } else if let Some(rest) =
                LOW_HAND_AT_LEAST.iter().find_map(|words| phrase.text.strip_prefix(words))
            {
                match at_least(rest) {
                    Some(_) if placement.front_at_least.is_some() => {
                        problems.push(
                            phrase
                                .problem("there is a lowest low hand already")
                                .help("give the higher one alone"),
                        );
                    }
                    Some(low) => placement.front_at_least = Some(low),
                    None => problems.push(
                        phrase
                            .problem(format!("`{rest}` is no hand of two cards"))
                            .help("such as `K`, `AJ`, `TT`"),
                    ),
                }
                true
            } else if let Some(front) =
                IN_LOW_HAND.iter().find_map(|words| phrase.text.strip_suffix(words)).and_then(in_front)
            {
                placement.fronts.push(front);
                true
            } else if let Some(thing) = IN_HIGH_HAND.iter().find_map(|words| phrase.text.strip_suffix(words))
            {
                let categories = categories(thing);
                if categories.is_some() && !placement.behind.is_empty() {
                    problems.push(
                        phrase
                            .problem("five cards make one hand")
                            .help("join what may be in the high hand with `or` in one phrase"),
                    );
                }
                let group = group_behind(thing);
                placement.behind.extend(categories.iter().flatten());
                if matches!(group, Some(LowHandRule::LeavesTwo(_)))
                    && placement.fronts.iter().any(|front| matches!(front, LowHandRule::LeavesTwo(_)))
                {
                    problems.push(
                        phrase
                            .problem("`two of … in the high hand` is said of one group")
                            .help("leave one out"),
                    );
                }
                placement.fronts.extend(group);
                categories.is_some() || group.is_some()
            } else {
                false
            };
            if !known {
                problems.push(
                    phrase.problem(format!("`{}` is nothing that can be done", phrase.text)).help(ALLOWED),
                );
            }
        }
        if problems.is_empty() { Ok(placement) } else { Err(problems) }
    }

    /// Whether it allows every setting.
    pub(crate) fn allows_all(&self) -> bool {
        self.fronts.is_empty() && self.behind.is_empty() && self.front_at_least.is_none()
    }

    /// The best setting it allows, if there is one: the best low hand, then the best high hand.
    pub(crate) fn best(&self, hand: SevenCards, groups: &Groups, evaluator: &Evaluator) -> Option<Setting> {
        // With the cards in this order, the low hands with one card never get higher from one to the next.
        let seven = hand.descending();
        let ranks = seven.map(|card| card.rank().or(groups.joker_as).unwrap_or(Rank::Ace));
        let rules = Masks::of(&self.fronts, groups, ranks)?;
        let mut best: Option<(LowStrength, HighStrength, usize, usize)> = None;
        // Where there is nothing but high cards, the highest must be in the high hand.
        let high_cards = groups.pattern == GroupPattern::NoPair && groups.completes == [false; 4];
        for i in usize::from(high_cards)..7 {
            for j in i + 1..7 {
                if !rules.allow(1 << i | 1 << j) {
                    continue;
                }
                let low = evaluator.low_of(seven[i], seven[j]);
                let worse = best.is_some_and(|(front, ..)| low < front);
                if worse || self.front_at_least.is_some_and(|least| low < least) {
                    break;
                }
                if rules.pair && low.category() != Category::Pair {
                    continue;
                }
                let high = evaluator.high(hand.without(seven[i], seven[j]));
                let allowed = evaluator.may_stand(high, low) && self.allows_behind(high);
                if allowed && best.is_none_or(|(front, behind, ..)| (low, high) > (front, behind)) {
                    best = Some((low, high, i, j));
                }
            }
        }
        let (low_strength, high_strength, i, j) = best?;
        let (high, low) = hand.split(seven[i], seven[j]);
        Some(Setting { high, low, high_strength, low_strength })
    }

    fn allows_behind(&self, high: HighStrength) -> bool {
        self.behind.is_empty()
            || self.behind.iter().any(|behind| match behind {
                HighHandRule::Category(category) => high.category() == *category,
                HighHandRule::StraightBelowAceHigh => {
                    high.category() == Category::Straight && high != HighStrength::ACE_HIGH_STRAIGHT
                }
            })
    }
}

/// The placement as codes, all of which must hold.
pub(super) fn codes(placement: &Placement) -> Vec<String> {
    let Placement { fronts, behind, front_at_least } = placement;
    let mut codes: Vec<String> = fronts.iter().map(|front| front.code()).collect();
    if !behind.is_empty() {
        let mut names: Vec<&str> = behind.iter().map(|behind| behind.code()).collect();
        names.sort_unstable();
        names.dedup();
        codes.push(format!("high_is:{}", names.join(",")));
    }
    if let Some(least) = front_at_least {
        let [high, low] = least.ranks().map(Rank::letter);
        codes.push(format!("low_at_least:{high}{low}"));
    }
    codes
}

impl LowHandRule {
    fn code(self) -> String {
        match self {
            LowHandRule::Within(group) => format!("low_from:{}", group.code()),
            LowHandRule::Avoids(group) => format!("low_without:{}", group.code()),
            LowHandRule::AvoidsPairs => "low_without:pairs".to_owned(),
            LowHandRule::LeavesTwo(group) => format!("high_keeps_two:{}", group.code()),
            LowHandRule::Ace => "low_has:ace".to_owned(),
            LowHandRule::Pair => "low_is:pair".to_owned(),
        }
    }
}

impl HighHandRule {
    const fn code(self) -> &'static str {
        match self {
            HighHandRule::Category(category) => category.name(),
            HighHandRule::StraightBelowAceHigh => "straight_below_ace_high",
        }
    }
}

/// The rules for the low hand as masks of places among the seven cards.
struct Masks {
    within: u8,
    avoid: u8,
    touch: u8,
    /// Places of which just so many are in the low hand.
    exact: Option<(u8, u32)>,
    pair: bool,
}

impl Masks {
    /// The masks, or nothing where the hand lacks a group that a rule names.
    fn of(fronts: &[LowHandRule], groups: &Groups, ranks: [Rank; 7]) -> Option<Masks> {
        let places = |mask: u16| {
            let mut places = 0;
            for (i, rank) in ranks.iter().enumerate() {
                places |= u8::from(mask & rank.bit() != 0) << i;
            }
            (places != 0).then_some(places)
        };
        let mut masks = Masks { within: 0x7F, avoid: 0, touch: 0x7F, exact: None, pair: false };
        for front in fronts {
            match *front {
                LowHandRule::Within(group) => masks.within &= places(groups.rank(group))?,
                LowHandRule::Avoids(group) => masks.avoid |= places(groups.rank(group))?,
                LowHandRule::AvoidsPairs => masks.avoid |= places(groups.pairs)?,
                LowHandRule::LeavesTwo(group) => {
                    let places = places(groups.rank(group))?;
                    masks.exact = Some((places, places.count_ones() - 2));
                }
                LowHandRule::Ace => masks.touch = places(Rank::Ace.bit())?,
                LowHandRule::Pair => masks.pair = true,
            }
        }
        Some(masks)
    }

    fn allow(&self, front: u8) -> bool {
        front & !self.within == 0
            && front & self.avoid == 0
            && front & self.touch != 0
            && self.exact.is_none_or(|(places, count)| (front & places).count_ones() == count)
    }
}

fn group(word: &str) -> Option<Group> {
    Group::WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, group)| group)
}

fn in_front(thing: &str) -> Option<LowHandRule> {
    match thing {
        "ace" => Some(LowHandRule::Ace),
        "any pair" => Some(LowHandRule::Pair),
        _ => match thing.strip_prefix("two of the ") {
            Some(word) => group(word).map(LowHandRule::Within),
            None => group(thing)
                .filter(|group| matches!(group, Group::Pair | Group::HigherPair | Group::LowerPair))
                .map(LowHandRule::Within),
        },
    }
}

fn group_behind(thing: &str) -> Option<LowHandRule> {
    if thing == "both pairs" {
        return Some(LowHandRule::AvoidsPairs);
    }
    match thing.strip_prefix("two of the ") {
        Some(word) => group(word).map(LowHandRule::LeavesTwo),
        None => group(thing).map(LowHandRule::Avoids),
    }
}

fn categories(thing: &str) -> Option<Vec<HighHandRule>> {
    let named = |word: &str| {
        Some(match word.trim() {
            "straight" => vec![HighHandRule::Category(Category::Straight)],
            "flush" => vec![HighHandRule::Category(Category::Flush)],
            "straight flush" => vec![HighHandRule::Category(Category::StraightFlush)],
            "royal flush" => vec![HighHandRule::Category(Category::RoyalFlush)],
            "straight below ace high" => vec![HighHandRule::StraightBelowAceHigh],
            "complete hand" => {
                [Category::Straight, Category::Flush, Category::StraightFlush, Category::RoyalFlush]
                    .map(HighHandRule::Category)
                    .to_vec()
            }
            _ => return None,
        })
    };
    let all: Option<Vec<Vec<HighHandRule>>> = thing.split(" or ").map(named).collect();
    all.map(|all| all.concat())
}

/// The lowest two cards that a phrase means: `K` any with a king, `AJ` ace-jack, `TT` a pair of tens.
fn at_least(text: &str) -> Option<LowStrength> {
    let ranks: Option<Vec<Rank>> = text.chars().map(Rank::from_letter).collect();
    match ranks?[..] {
        [only] if only > Rank::Two => Some(LowStrength::of(only, Rank::Two)),
        [one, other] => Some(LowStrength::of(one, other)),
        _ => None,
    }
}
