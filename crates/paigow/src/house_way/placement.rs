//! Placements: the `set` part of a clause. It restricts the legal settings, of which the best is chosen.

use super::groups::{Group, GroupPattern, Groups, parse_singles};
use super::phrase::phrases;
use crate::document::{Problem, Span};
use crate::{Category, Evaluator, HighStrength, LowStrength, Rank, Setting, SevenCards};

/// One parsed `set` text of a clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Rules for the low hand. All must hold.
    low_rules: Vec<LowHandRule>,
    /// Rules for the high hand. One of them must hold, unless the list is empty.
    high_rules: Vec<HighHandRule>,
    low_at_least: Option<LowStrength>,
}

/// A rule for the two cards of the low hand.
#[derive(Clone, Copy, Debug)]
enum LowHandRule {
    /// Both cards are from this group.
    Within(Group),
    /// Neither card is from this group. The hand must have the group.
    Avoids(Group),
    /// Neither card is from a pair. The hand must have a pair.
    AvoidsPairs,
    /// Neither card is from the only group of the hand.
    AvoidsOnlyGroup,
    /// Both cards are from the highest group of exactly two.
    HighestPair,
    /// The cards are these two singles, counted from the highest.
    Singles(u8, u8),
    /// Exactly two cards of this group stay in the high hand.
    LeavesTwo(Group),
    /// At least one card is an ace.
    Ace,
    /// The two cards are a pair.
    Pair,
}

/// A rule for the five cards of the high hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HighHandRule {
    Category(Category),
    StraightBelowAceHigh,
}

const ALLOWED: &str = "`best`; `pair in the low hand`, `higher pair in the high hand`, `both pairs in the high hand`, \
                       `three in the high hand`, `group in the high hand`, `two of the four in the low hand`, `two of the three in the high hand`, \
                       `ace in the low hand`, `any pair in the low hand`, `highest pair in the low hand`, \
                       `second and third highest singles in the low hand`; `complete hand in the high hand`, \
                       `straight or flush in the high hand`, `straight below ace high in the high hand`; `low hand at least K`";

/// Spellings that name the hand in a phrase. Files of earlier releases use the second.
const IN_LOW_HAND: [&str; 2] = [" in the low hand", " in front"];
const IN_HIGH_HAND: [&str; 2] = [" in the high hand", " behind"];
const LOW_HAND_AT_LEAST: [&str; 2] = ["low hand at least ", "front at least "];

impl Placement {
    /// Parses comma-separated phrases, and returns every problem.
    pub(crate) fn parse(text: &str, span: &Span) -> Result<Placement, Vec<Problem>> {
        let mut placement = Placement::default();
        let mut problems = Vec::new();
        let phrases = phrases(text, span);
        let count = phrases.len();
        for phrase in phrases {
            let known = if phrase.text == "best" {
                if count > 1 {
                    problems.push(
                        phrase.problem("`best` cannot be combined with other phrases").help("remove `best`"),
                    );
                }
                true
            } else if let Some(rest) =
                LOW_HAND_AT_LEAST.iter().find_map(|words| phrase.text.strip_prefix(words))
            {
                match parse_low_strength(rest) {
                    Some(_) if placement.low_at_least.is_some() => {
                        problems.push(
                            phrase
                                .problem("`low hand at least` is given twice")
                                .help("keep only the higher one"),
                        );
                    }
                    Some(low) => placement.low_at_least = Some(low),
                    None => problems.push(
                        phrase
                            .problem(format!("`{rest}` is not a two-card hand"))
                            .help("such as `K`, `AJ`, `TT`"),
                    ),
                }
                true
            } else if let Some(rule) = IN_LOW_HAND
                .iter()
                .find_map(|words| phrase.text.strip_suffix(words))
                .and_then(parse_low_hand_rule)
            {
                placement.low_rules.push(rule);
                true
            } else if let Some(subject) =
                IN_HIGH_HAND.iter().find_map(|words| phrase.text.strip_suffix(words))
            {
                let high_rules = parse_high_hand_rules(subject);
                if high_rules.is_some() && !placement.high_rules.is_empty() {
                    problems.push(
                        phrase
                            .problem("two phrases give the category of the high hand")
                            .help("join the categories with `or` in one phrase"),
                    );
                }
                let group_rule = parse_high_hand_group(subject);
                placement.high_rules.extend(high_rules.iter().flatten());
                if matches!(group_rule, Some(LowHandRule::LeavesTwo(_)))
                    && placement.low_rules.iter().any(|rule| matches!(rule, LowHandRule::LeavesTwo(_)))
                {
                    problems.push(
                        phrase
                            .problem("`two of … in the high hand` is given for two groups")
                            .help("keep only one"),
                    );
                }
                placement.low_rules.extend(group_rule);
                high_rules.is_some() || group_rule.is_some()
            } else {
                false
            };
            if !known {
                let message = format!("unknown phrase `{}` in `set`", phrase.text);
                problems.push(phrase.problem(message).help(ALLOWED));
            }
        }
        if problems.is_empty() { Ok(placement) } else { Err(problems) }
    }

    /// Returns `true` if the placement allows every setting.
    pub(crate) fn allows_all(&self) -> bool {
        self.low_rules.is_empty() && self.high_rules.is_empty() && self.low_at_least.is_none()
    }

    /// Returns the placement without a lowest low hand.
    pub(crate) fn without_minimum(&self) -> Placement {
        Placement { low_at_least: None, ..self.clone() }
    }

    /// Returns the best legal setting that the placement allows: the best low hand, then the best high hand.
    pub(crate) fn best(&self, hand: SevenCards, groups: &Groups, evaluator: &Evaluator) -> Option<Setting> {
        // In this order, the low hands that share their first card never get higher.
        let seven = hand.descending();
        let ranks = seven.map(|card| card.rank().or(groups.joker_as).unwrap_or(Rank::Ace));
        let rules = LowHandMasks::of(&self.low_rules, groups, ranks)?;
        let mut best: Option<(LowStrength, HighStrength, usize, usize)> = None;
        // Without a pair or a complete hand, the highest card must be in the high hand.
        let high_cards = groups.pattern == GroupPattern::NoPair && groups.completes == [false; 4];
        for i in usize::from(high_cards)..7 {
            for j in i + 1..7 {
                if !rules.allow(1 << i | 1 << j) {
                    continue;
                }
                let low = evaluator.low_of_cards(seven[i], seven[j]);
                let worse = best.is_some_and(|(best_low, ..)| low < best_low);
                if worse || self.low_at_least.is_some_and(|least| low < least) {
                    break;
                }
                if rules.pair && low.category() != Category::Pair {
                    continue;
                }
                let high = evaluator.high(hand.without(seven[i], seven[j]));
                let allowed = evaluator.is_legal(high, low) && self.allows_high(high);
                if allowed && best.is_none_or(|(best_low, best_high, ..)| (low, high) > (best_low, best_high))
                {
                    best = Some((low, high, i, j));
                }
            }
        }
        let (low_strength, high_strength, i, j) = best?;
        let (high, low) = hand.split(seven[i], seven[j]);
        Some(Setting { high, low, high_strength, low_strength })
    }

    fn allows_high(&self, high: HighStrength) -> bool {
        self.high_rules.is_empty()
            || self.high_rules.iter().any(|rule| match rule {
                HighHandRule::Category(category) => high.category() == *category,
                HighHandRule::StraightBelowAceHigh => {
                    high.category() == Category::Straight && high != HighStrength::ACE_HIGH_STRAIGHT
                }
            })
    }
}

/// Returns the codes of the placement. All must hold.
pub(super) fn codes(placement: &Placement) -> Vec<String> {
    let Placement { low_rules, high_rules, low_at_least } = placement;
    let mut codes: Vec<String> = low_rules.iter().map(|rule| rule.code()).collect();
    if !high_rules.is_empty() {
        let mut names: Vec<&str> = high_rules.iter().map(|rule| rule.code()).collect();
        names.sort_unstable();
        names.dedup();
        codes.push(format!("high_is:{}", names.join(",")));
    }
    if let Some(least) = low_at_least {
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
            LowHandRule::AvoidsOnlyGroup => "low_without:group".to_owned(),
            LowHandRule::HighestPair => "low_from:highest_pair".to_owned(),
            LowHandRule::Singles(one, other) => format!("low_is:single_{one},single_{other}"),
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

/// The rules for the low hand as masks of card positions, 0 to 6.
struct LowHandMasks {
    /// Positions from which both cards must come.
    within: u8,
    /// Positions from which no card may come.
    avoid: u8,
    /// Positions from which at least one card must come.
    touch: u8,
    /// Positions from which exactly this many cards must come.
    exact: Option<(u8, u32)>,
    /// Whether the two cards must be a pair.
    pair: bool,
}

impl LowHandMasks {
    /// Returns the masks, or `None` if the hand lacks a group that a rule names.
    fn of(rules: &[LowHandRule], groups: &Groups, ranks: [Rank; 7]) -> Option<LowHandMasks> {
        let positions = |mask: u16| {
            let mut positions = 0;
            for (i, rank) in ranks.iter().enumerate() {
                positions |= u8::from(mask & rank.bit() != 0) << i;
            }
            (positions != 0).then_some(positions)
        };
        let mut masks = LowHandMasks { within: 0x7F, avoid: 0, touch: 0x7F, exact: None, pair: false };
        for rule in rules {
            match *rule {
                LowHandRule::Within(group) => masks.within &= positions(groups.rank(group))?,
                LowHandRule::Avoids(group) => masks.avoid |= positions(groups.rank(group))?,
                LowHandRule::AvoidsPairs => masks.avoid |= positions(groups.pairs)?,
                LowHandRule::HighestPair => masks.within &= positions(groups.highest_pair())?,
                LowHandRule::AvoidsOnlyGroup => masks.avoid |= positions(groups.only_group())?,
                LowHandRule::Singles(one, other) => {
                    masks.within &= positions(groups.nth_single(one))? | positions(groups.nth_single(other))?;
                }
                LowHandRule::LeavesTwo(group) => {
                    let positions = positions(groups.rank(group))?;
                    masks.exact = Some((positions, positions.count_ones() - 2));
                }
                LowHandRule::Ace => masks.touch = positions(Rank::Ace.bit())?,
                LowHandRule::Pair => masks.pair = true,
            }
        }
        Some(masks)
    }

    /// Returns `true` if the masks allow a low hand with the cards at these positions.
    fn allow(&self, low: u8) -> bool {
        low & !self.within == 0
            && low & self.avoid == 0
            && low & self.touch != 0
            && self.exact.is_none_or(|(positions, count)| (low & positions).count_ones() == count)
    }
}

fn parse_group(word: &str) -> Option<Group> {
    Group::WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, group)| group)
}

/// Parses the subject of a phrase that ends with `in the low hand`.
fn parse_low_hand_rule(subject: &str) -> Option<LowHandRule> {
    if let Some(singles) = subject.strip_suffix(" highest singles") {
        return parse_singles(singles).map(|(one, other)| LowHandRule::Singles(one, other));
    }
    match subject {
        "ace" => Some(LowHandRule::Ace),
        "any pair" => Some(LowHandRule::Pair),
        "highest pair" => Some(LowHandRule::HighestPair),
        _ => match subject.strip_prefix("two of the ") {
            Some(word) => parse_group(word).map(LowHandRule::Within),
            None => parse_group(subject)
                .filter(|group| matches!(group, Group::Pair | Group::HigherPair | Group::LowerPair))
                .map(LowHandRule::Within),
        },
    }
}

/// Parses the subject of a phrase that ends with `in the high hand`, if it names a group.
fn parse_high_hand_group(subject: &str) -> Option<LowHandRule> {
    match subject {
        "both pairs" => return Some(LowHandRule::AvoidsPairs),
        "group" => return Some(LowHandRule::AvoidsOnlyGroup),
        _ => {}
    }
    match subject.strip_prefix("two of the ") {
        Some(word) => parse_group(word).map(LowHandRule::LeavesTwo),
        None => parse_group(subject).map(LowHandRule::Avoids),
    }
}

/// Parses the subject of a phrase that ends with `in the high hand`, if it names categories joined by `or`.
fn parse_high_hand_rules(subject: &str) -> Option<Vec<HighHandRule>> {
    let parse_category = |word: &str| {
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
    let all: Option<Vec<Vec<HighHandRule>>> = subject.split(" or ").map(parse_category).collect();
    all.map(|all| all.concat())
}

/// Parses the weakest low hand of a phrase: `K` is king-two, `AJ` is ace-jack, `TT` is a pair of tens.
fn parse_low_strength(text: &str) -> Option<LowStrength> {
    let ranks: Option<Vec<Rank>> = text.chars().map(Rank::from_letter).collect();
    match ranks?[..] {
        [only] if only > Rank::Two => Some(LowStrength::of(only, Rank::Two)),
        [one, other] => Some(LowStrength::of(one, other)),
        _ => None,
    }
}
