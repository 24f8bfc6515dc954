//! Lines of a settlement as they are shown: with their sentence and citation.

use crate::{LineRecord, ReasonCode, Table};
use paigow::document::{ValueKind, assumption};
use paigow::{Line, Showdown, citation};
use serde::Serialize;
use utoipa::ToSchema;

/// A line of a settlement as it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)] // as in `paigow::Line`
pub struct LineView {
    pub who: String,
    pub wager: String,
    pub stake_cents: u64,
    pub outcome: String,
    pub net_cents: i64,
    pub fee_cents: u64,
    pub against: String,
    /// The reason as a code; lines of version 0.0.0 have none.
    #[schema(required)]
    pub reason: Option<ReasonCode>,
    /// The reason in a sentence; empty where the rules are not at hand to make one.
    pub because: String,
    /// Where the rule is written.
    pub cite: String,
    /// Whether the rule is assumed because no document says it.
    pub assumed: bool,
}

/// A line in words.
#[derive(Default)]
struct Said {
    because: String,
    cite: String,
    assumed: bool,
}

impl LineView {
    /// A stored line with the sentence and citation it was stored with, or else those made now.
    fn new(stored: LineRecord, made: Option<Said>) -> LineView {
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
        let kept = because.zip(cite).map(|(because, cite)| {
            let assumed = assumption(&cite).is_some();
            Said { because, cite, assumed }
        });
        let Said { because, cite, assumed } = kept.or(made).unwrap_or_default();
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

fn in_words(line: &Line, showdown: &Showdown<'_>) -> Said {
    let sources = line.sources(showdown);
    let assumed = sources.iter().any(|source| source.provenance.kind == ValueKind::Assumed);
    Said { because: line.because(showdown), cite: citation(&sources), assumed }
}

impl Table {
    /// The lines of the round that was settled last, as they are stored, with their sentences.
    pub fn lines(&self, stored: &[LineRecord]) -> Vec<LineView> {
        let rules = self.round.as_ref().and_then(|round| round.dealt.as_ref());
        let settled = rules.and_then(|rules| rules.settlement().zip(rules.showdown().ok()));
        let words = |number: usize| {
            let (settlement, showdown) = settled.as_ref()?;
            Some(in_words(settlement.lines().get(number)?, showdown))
        };
        stored.iter().enumerate().map(|(number, line)| LineView::new(line.clone(), words(number))).collect()
    }
}
