//! Results of a player's rounds, split into expectation, cost of the setting, and luck.
//!
//! For every round, in exact fractions of cents:
//!
//! `net = expected + given away + luck + not judged`
//!
//! - Expected: for the base wager, the best setting of the player's seven cards against every hand that the dealer may
//!   have. For a side wager, its odds before the deal. Collection fees of these wagers are expected in full.
//! - Given away: the chosen setting compared with the best one. Never positive.
//! - Luck: the rest of the result of these wagers.
//! - Not judged: results without an expectation: those of a banking seat and of wagers against one, because a player
//!   decides the other side; side wagers that the high hands decide; side wagers that share a maximum payout with other
//!   hands of the round.

use crate::RoundRecord;
use paigow::{Amount, CardSet, SevenCards, TableRules};
use paigow_answers::Exact;
use paigow_answers::judgement::{BaseJudgement, JudgedHand, side_expectation};
use paigow_answers::odds::BASE_GAME;
use paigow_math::Fraction;
use paigow_table::{HandView, LineView, PlayerId, SeatView, TableId, Time};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Result of a round for a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct RoundResult {
    /// Name of the table.
    pub(crate) table: TableId,
    /// Number of the round.
    pub(crate) round: u64,
    /// Id of the rule book.
    pub(crate) book: String,
    /// Title of the rule book.
    pub(crate) title: String,
    /// Name that the player who opened the table gave it.
    #[schema(required)]
    pub(crate) name: Option<String>,
    /// Whether a player opened the table, and not the house.
    pub(crate) opened_by_player: bool,
    /// Time of the end.
    #[schema(required)]
    pub(crate) ended_at: Option<Time>,
    /// `settled`, `voided` or `abandoned`.
    pub(crate) outcome: &'static str,
    /// Sum of the stakes.
    pub(crate) staked_cents: u64,
    /// Net win. Negative for a loss.
    pub(crate) net_cents: i64,
    /// Expected net win, in cents.
    pub(crate) expected: Exact,
    /// Cost of the setting, in cents. Zero or negative.
    pub(crate) given_away: Exact,
    /// Luck, in cents.
    pub(crate) luck: Exact,
    /// Part of the net win that has no expectation.
    pub(crate) unjudged_cents: i64,
    /// The player's seven cards. `null` if the player had several hands, or none.
    #[schema(required)]
    pub(crate) cards: Option<String>,
    /// The chosen low hand.
    #[schema(required)]
    pub(crate) low: Option<String>,
    /// Low hand of the best setting, if the base wager has an expectation.
    #[schema(required)]
    pub(crate) best_low: Option<String>,
    /// Result of each wager.
    pub(crate) wagers: Vec<WagerResult>,
}

/// Result of a wager.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct WagerResult {
    /// Name of the wager. `pai-gow` is the base game.
    pub(crate) wager: String,
    /// Title of the wager. The base game has the title `Pai Gow`.
    pub(crate) title: String,
    /// Stake.
    pub(crate) staked_cents: u64,
    /// Net win with commission, envy bonuses and collection fees. Negative for a loss.
    pub(crate) net_cents: i64,
    /// Expected net win, in cents. `null` if the wager has no expectation.
    #[schema(required)]
    pub(crate) expected: Option<Exact>,
    /// Cost of the setting, in cents. `null` if the wager has no expectation.
    #[schema(required)]
    pub(crate) given_away: Option<Exact>,
}

/// A round and the rules of its table.
pub(crate) struct PlayedRound {
    pub(crate) record: RoundRecord,
    pub(crate) rules: Arc<TableRules>,
    pub(crate) name: Option<String>,
    pub(crate) opened_by_player: bool,
}

impl PlayedRound {
    /// Table, number and last event of the round. They determine its result for a player.
    pub(crate) fn key(&self) -> (TableId, u64, u64) {
        (self.record.table.clone(), self.record.round, self.record.last_seq)
    }

    /// Judges the round for a player.
    pub(crate) fn judge(&self, player: &PlayerId) -> RoundResult {
        let record = &self.record;
        let own: Vec<&SeatView> = record.seats.iter().filter(|seat| seat.player == *player).collect();
        let nets = record.play.as_ref().and_then(|play| play.net_cents.as_ref());
        let net_cents = own.iter().filter_map(|seat| nets?.get(&seat.seat)).sum();
        let bases: Vec<Option<BaseJudgement>> = own.iter().map(|seat| self.judge_base(seat)).collect();
        let judge_seat = |(seat, base)| self.judge_seat(seat, base);
        let wagers: Vec<WagerResult> =
            own.iter().copied().zip(bases.iter().map(Option::as_ref)).flat_map(judge_seat).collect();
        let judged = || wagers.iter().filter(|wager| wager.expected.is_some());
        let judged_net: i64 = judged().map(|wager| wager.net_cents).sum();
        let total = |part: fn(&WagerResult) -> &Option<Exact>| -> Fraction {
            wagers.iter().filter_map(|wager| part(wager).as_ref()).map(|Exact(cents)| cents.clone()).sum()
        };
        let (expected, given_away) = (total(|wager| &wager.expected), total(|wager| &wager.given_away));
        let luck = Fraction::new(judged_net, 1) - expected.clone() - given_away.clone();
        // With several hands, none of them stands for the round.
        let dealt: Vec<&HandView> = own.iter().filter_map(|seat| seat.hand.as_ref()).collect();
        let hand = dealt.first().filter(|_| dealt.len() == 1);
        let best = bases
            .iter()
            .flatten()
            .next()
            .filter(|_| hand.is_some() && judged().any(|wager| wager.wager == BASE_GAME));
        RoundResult {
            table: record.table.clone(),
            round: record.round,
            book: record.book.clone(),
            title: self.rules.book().title.clone(),
            name: self.name.clone(),
            opened_by_player: self.opened_by_player,
            ended_at: record.ended_at,
            outcome: record.outcome,
            staked_cents: wagers.iter().map(|wager| wager.staked_cents).sum(),
            net_cents,
            expected: Exact(expected),
            given_away: Exact(given_away),
            luck: Exact(luck),
            unjudged_cents: net_cents - judged_net,
            cards: hand.and_then(|hand| hand.cards.clone()),
            low: hand.and_then(|hand| hand.low.clone()),
            best_low: best.map(|judgement| judgement.best_low.to_string()),
            wagers,
        }
    }

    /// Returns the results of a seat's wagers. A round that was not settled has none.
    fn judge_seat(&self, seat: &SeatView, base: Option<&BaseJudgement>) -> Vec<WagerResult> {
        if self.record.outcome != "settled" {
            return Vec::new();
        }
        let who = format!("seat-{}", seat.seat);
        let wagers = seat.wagers.iter().map(|(wager, placed)| {
            let lines = || self.record.lines.iter().filter(|line| line.who == who && line.wager == *wager);
            let fees: i64 = lines().filter(|line| is_fee(line)).map(|line| line.net_cents).sum();
            let expectation = self.expectation(seat, wager, placed.cents, &lines, base);
            let (expected, given_away) = expectation.unzip();
            let index = self.rules.side_wager_index(wager).ok();
            WagerResult {
                title: index.map_or("Pai Gow", |index| &self.rules.wager(index).title).to_owned(),
                wager: wager.clone(),
                staked_cents: placed.cents,
                net_cents: lines().map(|line| line.net_cents).sum(),
                expected: expected.map(|expected| Exact(expected + Fraction::new(fees, 1))),
                given_away: given_away.map(Exact),
            }
        });
        wagers.collect()
    }

    /// Returns the expected net win of a wager and the cost of the setting, without fees. `None` if the wager was not
    /// fully in action, or against a banking player.
    fn expectation<'a, L: Iterator<Item = &'a LineView>>(
        &self,
        seat: &SeatView,
        wager: &str,
        cents: u64,
        lines: &impl Fn() -> L,
        base: Option<&BaseJudgement>,
    ) -> Option<(Fraction, Fraction)> {
        let deciding = || lines().filter(|line| !is_fee(line) && line.outcome != "envy");
        let is_whole = deciding().any(|line| line.stake_cents == cents)
            && deciding().all(|line| line.outcome != "no_action");
        if !is_whole || self.is_against_player(deciding()) {
            return None;
        }
        if wager == BASE_GAME {
            let BaseJudgement { best, chosen, .. } = base?;
            return Some((best.clone(), chosen - best));
        }
        let index = self.rules.side_wager_index(wager).ok()?;
        let banker_counts = self.rules.wager(index).envy.as_ref().is_some_and(|envy| envy.banker_hand);
        let bank = self.record.play.as_ref().and_then(|play| Some(play.bank.as_ref()?.seat));
        let others = self.record.seats.iter().filter(|other| {
            // A player's own hands earn that player no envy bonus.
            other.player != seat.player && other.hand.is_some() && (banker_counts || Some(other.seat) != bank)
        });
        let expected = side_expectation(&self.rules, index, Amount::from_cents(cents), others.count())?;
        Some((expected, Fraction::zero()))
    }

    /// Whether lines are decided against a player who banks. Lines against the house's own dealer are not.
    fn is_against_player<'a>(&self, mut lines: impl Iterator<Item = &'a LineView>) -> bool {
        let has_bank = self.record.play.as_ref().is_some_and(|play| play.bank.is_some());
        has_bank && lines.any(|line| line.against == "banker")
    }

    /// Returns the expectation of a seat's base wager against the house's dealer.
    fn judge_base(&self, seat: &SeatView) -> Option<BaseJudgement> {
        let hand = seat.hand.as_ref()?;
        let cards: SevenCards = hand.cards.as_ref()?.parse().ok()?;
        let low: CardSet = hand.low.as_ref()?.parse().ok()?;
        let stake = Amount::from_cents(seat.wagers.get(BASE_GAME)?.cents);
        JudgedHand::of(&self.rules, cards).at_stake(&self.rules, low, stake)
    }
}

/// Whether a line is a fee that is certain before the deal.
fn is_fee(line: &LineView) -> bool {
    line.outcome == "collection"
}
