//! Sums of one round, by wager.

use super::{BASE_GAME, Risk, WagerTally};
use crate::RoundRecord;
use paigow::rulebook::DecidingCards;
use paigow::{Amount, TableRules};
use paigow_answers::house_win::{SideHand, may_share_maximum};
use paigow_table::{LineView, SeatView};
use std::collections::BTreeMap;

/// Returns the sums of a finished round by the name of the wager.
pub(super) fn tallies(record: &RoundRecord, rules: &TableRules) -> BTreeMap<String, WagerTally> {
    let mut tallies: BTreeMap<String, WagerTally> = BTreeMap::new();
    if record.outcome == "voided" {
        for wager in record.seats.iter().flat_map(|seat| seat.wagers.keys()) {
            tallies.entry(wager.clone()).or_default().voided = 1;
        }
        return tallies;
    }
    for line in &record.lines {
        let tally = tallies.entry(line.wager.clone()).or_default();
        tally.win_cents += house_cents(record, line);
        if is_stake(line) && line.outcome != "no_action" {
            tally.wagers += 1;
            tally.handle_cents += line.stake_cents;
        }
    }
    for (wager, tally) in &mut tallies {
        let lines: Vec<&LineView> = record.lines.iter().filter(|line| line.wager == *wager).collect();
        if wager == BASE_GAME {
            judge_base(record, &lines, tally);
        } else if let Ok(index) = rules.side_wager_index(wager) {
            judge_side(record, rules, index, &lines, tally);
        }
    }
    tallies
}

/// Returns the house's win by a line.
fn house_cents(record: &RoundRecord, line: &LineView) -> i64 {
    match (is_against_player(record, line), &*line.who) {
        // The dealer plays for the house.
        (true, "dealer") => line.net_cents,
        // The banking seat pays and collects. The house keeps the commission.
        (true, _) => line.fee_cents.cast_signed(),
        (false, _) => -line.net_cents,
    }
}

/// Returns whether a banking player pays or collects a line.
fn is_against_player(record: &RoundRecord, line: &LineView) -> bool {
    line.against == "banker" && record.play.as_ref().is_some_and(|play| play.bank.is_some())
}

/// Returns whether a line decides a stake of a seat, or returns a part of it.
fn is_stake(line: &LineView) -> bool {
    line.who.starts_with("seat-")
        && matches!(&*line.outcome, "win" | "lose" | "push" | "foul" | "no_action")
        && line.stake_cents > 0
}

fn is_fee(line: &LineView) -> bool {
    line.outcome == "collection"
}

/// Returns whether a stake is in action against the house as a whole.
fn is_judged(record: &RoundRecord, line: &LineView) -> bool {
    line.outcome != "no_action" && !is_against_player(record, line)
}

impl WagerTally {
    /// Adds the wins of judged lines. Fees are certain before the deal.
    fn judge(&mut self, record: &RoundRecord, lines: &[&LineView]) {
        for line in lines {
            let cents = house_cents(record, line);
            self.judged_win_cents += cents;
            self.certain_cents += if is_fee(line) { cents } else { 0 };
            self.judged_wagers += u64::from(is_stake(line));
        }
    }
}

/// Judges the base wagers against the dealer. A wager against a banking seat or without full action is left out.
fn judge_base(record: &RoundRecord, lines: &[&LineView], tally: &mut WagerTally) {
    let mut seats: BTreeMap<&str, Vec<&LineView>> = BTreeMap::new();
    for line in lines {
        seats.entry(&line.who).or_default().push(line);
    }
    let mut judged = Vec::new();
    for lines in seats.values() {
        let stakes: Vec<&&LineView> = lines.iter().filter(|line| is_stake(line)).collect();
        if let [stake] = stakes[..]
            && is_judged(record, stake)
        {
            tally.judge(record, lines);
            judged.push(Amount::from_cents(stake.stake_cents));
        }
    }
    if !judged.is_empty() {
        judged.sort_unstable();
        tally.risks.insert(Risk::Base(judged), 1);
    }
}

/// Judges the wagers of a round on one side wager together, because one hand may decide several of them.
fn judge_side(
    record: &RoundRecord,
    rules: &TableRules,
    index: usize,
    lines: &[&LineView],
    tally: &mut WagerTally,
) {
    let placed: Vec<&&LineView> = lines.iter().filter(|line| is_stake(line)).collect();
    let amount = |line: &LineView| Amount::from_cents(line.stake_cents);
    let stakes: Vec<Amount> = placed.iter().map(|line| amount(line)).collect();
    let looks_at = rules.wager(index).looks_at;
    let is_dealt = looks_at != DecidingCards::DealerHand
        || record.play.as_ref().is_some_and(|play| play.dealer.is_some());
    if looks_at == DecidingCards::DealerFiveCards
        || !is_dealt
        || placed.is_empty()
        || !placed.iter().all(|line| is_judged(record, line))
        || may_share_maximum(rules, index, &stakes)
    {
        return;
    }
    let stake_of = |seat: &SeatView| {
        let who = format!("seat-{}", seat.seat);
        placed.iter().find(|line| line.who == who).map(|line| amount(line))
    };
    let mut hands: Vec<SideHand> = Vec::new();
    if looks_at == DecidingCards::DealerHand {
        let mut stakes = stakes.clone();
        stakes.sort_unstable();
        hands.push(SideHand { stakes, envy_buttons: 0 });
    }
    let bank = record.play.as_ref().and_then(|play| Some(play.bank.as_ref()?.seat));
    for seat in record.seats.iter().filter(|seat| seat.hand.is_some()) {
        let own = stake_of(seat).filter(|_| looks_at != DecidingCards::DealerHand);
        let envy =
            rules.wager(index).envy.as_ref().filter(|envy| envy.banker_hand || Some(seat.seat) != bank);
        let buttons = record.seats.iter().filter(|holder| {
            // A player's own hands earn that player no envy bonus.
            holder.player != seat.player
                && envy.is_some_and(|envy| stake_of(holder).is_some_and(|stake| stake >= envy.from))
        });
        let envy_buttons = buttons.count() as u32;
        if own.is_some() || envy_buttons > 0 {
            hands.push(SideHand { stakes: own.into_iter().collect(), envy_buttons });
        }
    }
    tally.judge(record, lines);
    for hand in hands {
        *tally.risks.entry(Risk::Side(hand)).or_default() += 1;
    }
}
