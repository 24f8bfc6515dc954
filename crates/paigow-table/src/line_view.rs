//! Displayed lines of a settlement, with sentences and citations.

use crate::{LineRecord, ReasonCode, Table};
use paigow::document::{ValueKind, assumption};
use paigow::{Line, Showdown, citation};
use serde::Serialize;
use utoipa::ToSchema;

/// A line of a settlement with its sentence and citation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LineView {
    /// Party that the line is about: `seat-3`, `dealer` or `banker`.
    pub who: String,
    /// Name of the wager. `pai-gow` is the base game.
    pub wager: String,
    /// Stake of the wager.
    pub stake_cents: u64,
    /// Outcome: `win`, `lose`, `push`, `foul`, `no_action`, `envy`, `collection` or `commission`.
    pub outcome: String,
    /// Net win of the party after the fee. Negative for a loss.
    pub net_cents: i64,
    /// Commission on a win.
    pub fee_cents: u64,
    /// Party that pays or collects.
    pub against: String,
    /// Reason as a code. `null` in lines of version 0.0.0.
    #[schema(required)]
    pub reason: Option<ReasonCode>,
    /// Reason as a sentence. Empty if the rules to generate it are not available.
    pub because: String,
    /// Citation of the rule.
    pub cite: String,
    /// Whether the rule is assumed because no document states it.
    pub assumed: bool,
}

/// Sentence and citation of a line.
#[derive(Default)]
struct Explanation {
    because: String,
    cite: String,
    assumed: bool,
}

impl LineView {
    /// Creates the view of a stored line. An explanation that was stored with the line takes precedence over
    /// `generated`.
    fn new(stored: LineRecord, generated: Option<Explanation>) -> LineView {
        let LineRecord {
            who,
            wager,
            stake_cents,
            outcome,
            net_cents,
            fee_cents,
            against,
            reason,
            because,
            cite,
        } = stored;
        let stored = because.zip(cite).map(|(because, cite)| {
            let assumed = assumption(&cite).is_some();
            Explanation { because, cite, assumed }
        });
        let Explanation { because, cite, assumed } = stored.or(generated).unwrap_or_default();
        LineView {
            who,
            wager,
            stake_cents,
            outcome,
            net_cents,
            fee_cents,
            against,
            reason,
            because,
            cite,
            assumed,
        }
    }
}

fn explain(line: &Line, showdown: &Showdown<'_>) -> Explanation {
    let sources = line.sources(showdown);
    let assumed = sources.iter().any(|source| source.provenance.kind == ValueKind::Assumed);
    Explanation { because: line.because(showdown), cite: citation(&sources), assumed }
}

impl Table {
    /// Returns the stored lines of the round settled last, with their sentences and citations.
    pub fn lines(&self, stored: &[LineRecord]) -> Vec<LineView> {
        let rules = self.round.as_ref().and_then(|round| round.dealt.as_ref());
        let settled = rules.and_then(|rules| rules.settlement().zip(rules.showdown().ok()));
        let explanation = |index: usize| {
            let (settlement, showdown) = settled.as_ref()?;
            Some(explain(settlement.lines().get(index)?, showdown))
        };
        let lines = stored.iter().enumerate();
        lines.map(|(index, line)| LineView::new(line.clone(), explanation(index))).collect()
    }
}
