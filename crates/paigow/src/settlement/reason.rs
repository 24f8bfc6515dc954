//! Sentences that explain settlement lines to players.

use crate::document::apply_wording;
use crate::rulebook::{DecidingCards, PayoutMax, PayoutScope, SideWager};
use crate::{
    Amount, HandComparison, Line, Net, Outcome, Party, PayRow, PlayedHand, Reason, Showdown, WagerRef, WinsOn,
};

impl Line {
    /// Returns the reason of the line as a sentence.
    pub fn because(&self, showdown: &Showdown<'_>) -> String {
        apply_wording(showdown.table_rules().book().with_book_terms(&self.sentence(showdown)))
    }

    fn sentence(&self, showdown: &Showdown<'_>) -> String {
        let table_rules = showdown.table_rules();
        let index = match self.wager {
            WagerRef::PaiGow => 0,
            WagerRef::Side(index) => usize::from(index),
        };
        let row = |row: u8| table_rules.row(index, row);
        match self.reason {
            Reason::Compared { high, low } => self.compared(showdown, high, low),
            Reason::Foul => {
                "The low hand is higher than the high hand: the hand is foul and loses.".to_owned()
            }
            Reason::DealerPush(class) if table_rules.book().base_game.dealer_push_fouls => {
                format!("The dealer has a {class}: every base wager pushes.")
            }
            Reason::DealerPush(class) => {
                format!("The dealer has a {class}: every base wager pushes, except with a foul hand.")
            }
            Reason::NotCovered => {
                "The banker's cover is used up: this amount has no action and is returned.".to_owned()
            }
            Reason::Row(found) | Reason::Limited(found) => {
                let whose = match table_rules.wager(index).looks_at {
                    DecidingCards::PlayerHand | DecidingCards::Color => "The hand",
                    DecidingCards::DealerHand | DecidingCards::DealerFiveCards => "The dealer",
                };
                let limited = match (self.reason, &table_rules.wager(index).payout_max) {
                    (
                        Reason::Limited(_),
                        Some(PayoutMax { amount: Some(max), per: PayoutScope::Hand, .. }),
                    ) => {
                        format!(", but at most ${max:#} is paid for a hand")
                    }
                    (
                        Reason::Limited(_),
                        Some(PayoutMax { amount: Some(max), per: PayoutScope::Round, .. }),
                    ) => {
                        format!(", but at most ${max:#} is paid for a round: this is its share")
                    }
                    _ => String::new(),
                };
                format!(
                    "{whose} has {}: {}{limited}.",
                    hand_text(table_rules.wager(index), row(found)),
                    row(found).pays
                )
            }
            Reason::NoRow => match table_rules.wager(index).looks_at {
                DecidingCards::PlayerHand | DecidingCards::Color => {
                    "The hand has nothing the paytable pays for.".to_owned()
                }
                DecidingCards::DealerHand | DecidingCards::DealerFiveCards => {
                    "The dealer has nothing the paytable pays for.".to_owned()
                }
            },
            Reason::NotBeaten(found) => {
                format!(
                    "The dealer has {}, but the player's high hand does not beat it.",
                    hand_text(table_rules.wager(index), row(found))
                )
            }
            Reason::Envy { of, row: found } => {
                format!(
                    "{} has {}: the envy bonus.",
                    capitalized(&of.to_string()),
                    hand_text(table_rules.wager(index), row(found))
                )
            }
            Reason::BankSpent => {
                "The banker's money is used up: this amount has no action and is returned.".to_owned()
            }
            Reason::EnvyUnpaid { of, row: found, unpaid } => {
                format!(
                    "{} has {}: the banker's money is used up, and ${unpaid:#} of the envy bonus is not paid.",
                    capitalized(&of.to_string()),
                    hand_text(table_rules.wager(index), row(found))
                )
            }
            Reason::Collection if self.who == Party::Banker => {
                "The house's fee for the round, by the size of the action.".to_owned()
            }
            Reason::Collection => "The house's fee for the round, by the size of the wager.".to_owned(),
            Reason::TimeFee => {
                let time = table_rules.book().collection.as_ref().and_then(|collection| collection.time);
                let minutes = time.map_or(0, |time| time.minutes);
                format!("The house's fee for {minutes} minutes of playing time.")
            }
            Reason::BankerCommission => {
                format!("The banker's commission on ${:#} won.", self.stake)
            }
        }
    }

    /// Returns the sentences about foul hands that were set the house way.
    fn reset_sentences(&self, showdown: &Showdown<'_>) -> String {
        let mut sentences = String::new();
        if matches!(self.who, Party::Seat(seat) if showdown.reset(seat).is_some()) {
            sentences.push_str("The hand was foul and is set the house way. ");
        }
        if showdown.banking_seat().is_some_and(|seat| showdown.reset(seat).is_some()) {
            sentences.push_str("The banker's hand was foul and is set the house way. ");
        }
        sentences
    }

    fn compared(&self, showdown: &Showdown<'_>, high: HandComparison, low: HandComparison) -> String {
        let evaluator = showdown.table_rules().evaluator();
        let mine = match self.who {
            Party::Seat(seat) => showdown.player(seat).and_then(|player| match player.played {
                PlayedHand::Set(setting) => Some(setting),
                PlayedHand::Foul(_) => None,
            }),
            _ => showdown.dealer().map(|dealer| dealer.setting),
        };
        let (Some(mine), Some(banker)) = (mine, showdown.banker_setting()) else { return String::new() };
        let [mine_high, against] = [mine, banker].map(|setting| evaluator.shape(setting.high_strength));
        let mut named = [mine_high, against].map(|shape| shape.to_string());
        // Hands with equal names that differ, such as two pairs of aces: name the other cards too.
        if named[0] == named[1] && high != HandComparison::Copy {
            named = [mine_high, against].map(|shape| format!("{shape:#}"));
        }
        let sides = format!(
            "High hand: {}, {} {}; low hand: {}, {} {}",
            named[0],
            comparison_text(high),
            named[1],
            mine.low_strength,
            comparison_text(low),
            banker.low_strength,
        );
        let end = match self.outcome {
            Outcome::Win if self.fee.cents() > 0 => {
                format!("Both hands win: even money less ${:#} commission.", self.fee)
            }
            Outcome::Win => "Both hands win: even money.".to_owned(),
            Outcome::Push => "One hand each: a push.".to_owned(),
            _ => "Both hands lose.".to_owned(),
        };
        let copies = match (high, low) {
            (HandComparison::Copy, _) | (_, HandComparison::Copy) => {
                format!(" A copy goes to the {}.", showdown.table_rules().book().base_game.copies.name())
            }
            _ => String::new(),
        };
        format!("{}{sides}.{copies} {end}", self.reset_sentences(showdown))
    }
}

/// Formats a net as in files: `+23.75`, `-5.00`. With `{:#}` as casinos print it: `+$23.75`, `-$5`, `$0`.
impl std::fmt::Display for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = match self.cents() {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let cents = self.cents().unsigned_abs();
        if f.alternate() {
            return write!(f, "{sign}${:#}", Amount::from_cents(cents));
        }
        f.pad(&format!("{sign}{}.{:02}", cents / 100, cents % 100))
    }
}

fn comparison_text(compared: HandComparison) -> &'static str {
    match compared {
        HandComparison::Higher => "higher than",
        HandComparison::Copy => "equal to",
        HandComparison::Lower => "lower than",
    }
}

fn hand_text(wager: &SideWager, row: &PayRow) -> String {
    let title = wager.row_title(row);
    match (row.wins_on, wager.looks_at) {
        (WinsOn::Cards(_), _) => title,
        (_, DecidingCards::DealerFiveCards) => format!("{title} in the high hand"),
        _ => format!("{}{title}", article(&title)),
    }
}

/// Returns the article `a ` or `an `, or nothing before a numeral.
fn article(title: &str) -> &'static str {
    match title.as_bytes() {
        [b'f', b'i', b'v', b'e', ..]
        | [b'f', b'o', b'u', b'r', ..]
        | [b't', b'h', b'r', b'e', b'e', ..]
        | [b't', b'w', b'o', ..] => "",
        [b'a' | b'e' | b'i' | b'o' | b'u', ..] => "an ",
        _ => "a ",
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
