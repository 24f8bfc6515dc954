//! Pictures for links: a hand, a round, a table, and the puzzle of a day. They have no names of players.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss)] // coordinates of drawings, not money or odds

mod canvas;

use super::ApiProblem;
use super::guard::Client;
use super::input::{Path, Query};
use super::questions::compute;
use crate::app::App;
use crate::house::LobbyTable;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName};
use axum::response::{IntoResponse, Response};
use canvas::{BRASS, Canvas, Font, IVORY, has_letters};
use paigow::{Amount, Card, CardSet, Net, SevenCards};
use paigow_answers::CancelFlag;
use paigow_answers::puzzle::{Day, Puzzle, parse_day};
use paigow_table::{HandView, TableId};
use serde::Deserialize;
use std::sync::Arc;

/// Left margin of texts and cards.
const LEFT: f32 = 64.0;
/// Lifetime in caches of pictures that do not change: a day.
const LONG_LIFETIME: &str = "public, max-age=86400";
/// Lifetime in caches of pictures that change, such as those of tables: a minute.
const SHORT_LIFETIME: &str = "public, max-age=60";

/// Cards of a preview.
#[derive(Deserialize)]
pub(super) struct HandQuery {
    #[serde(default)]
    pub(super) cards: String,
}

/// Draws a hand of the lab.
pub(super) async fn hand(
    State(app): State<Arc<App>>,
    client: Client,
    Query(query): Query<HandQuery>,
) -> Result<Response, ApiProblem> {
    let cards: SevenCards = query.cards.parse().map_err(|_| {
        let detail = "the preview needs `cards` with seven different cards";
        ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_cards", detail)
    })?;
    draw(app, client, format!("hand {cards}"), LONG_LIFETIME, move |canvas| {
        heading(
            canvas,
            "How would you set this hand?",
            "Five cards for the high hand, two for the low hand.",
        );
        row(canvas, cards.cards(), 250.0, 138.0);
        footer(canvas, "Every setting valued exactly in the hand lab");
        Ok(())
    })
    .await
}

/// Draws the puzzle of a day. The solution is not shown.
pub(super) async fn puzzle(
    State(app): State<Arc<App>>,
    client: Client,
    Path(day): Path<String>,
) -> Result<Response, ApiProblem> {
    let today = Day::at_ms(app.now().0);
    let lifetime = if day == "today" { SHORT_LIFETIME } else { LONG_LIFETIME };
    let day = parse_day(&day, today)?;
    draw(app, client, format!("puzzle {day} {today}"), lifetime, move |canvas| {
        let question = Puzzle::of(day, today)?.answer(today);
        let title = format!("Puzzle of the day {}", question.number);
        let lead =
            format!("{}. Difficulty {} of 5. What is the best setting?", question.day, question.difficulty);
        heading(canvas, &title, &lead);
        row(canvas, question.cards.0.cards(), 250.0, 138.0);
        footer(canvas, "One hand for everyone, judged exactly");
        Ok(())
    })
    .await
}

/// Draws a table: its name, its game, its limits and how many seats are taken.
pub(super) async fn table(
    State(app): State<Arc<App>>,
    client: Client,
    Path(table): Path<TableId>,
) -> Result<Response, ApiProblem> {
    let (loaded, _) = app.tables.table(&table).await?;
    let entry = LobbyTable::of(&loaded);
    draw(app, client, format!("table {entry:?}"), SHORT_LIFETIME, move |canvas| {
        // A table with a name also shows its game.
        let name = entry.name.as_deref().filter(|name| has_letters(name));
        let lead = match name {
            Some(_) => entry.title.as_str(),
            None if entry.closing => "The table is closed.",
            None => "Take a seat.",
        };
        heading(canvas, table_title(name, &entry.title), lead);
        let dollars = |cents| format!("${:#}", Amount::from_cents(cents));
        let limits = format!("Wagers from {} to {}", dollars(entry.min_cents), dollars(entry.max_cents));
        let seats = format!("{} of {} seats taken", entry.taken.len(), entry.seats);
        canvas.text(Font::Sans, 40.0, (LEFT, 300.0), IVORY, &limits);
        canvas.text(Font::Sans, 40.0, (LEFT, 360.0), IVORY, &seats);
        for (index, card) in
            ["As", "Kd", "Jk"].iter().filter_map(|card| card.parse::<Card>().ok()).enumerate()
        {
            canvas.card(card, (692.0 + 152.0 * index as f32, 262.0), 136.0);
        }
        footer(canvas, "Pai gow poker for practice chips");
        Ok(())
    })
    .await
}

/// Draws a finished round: the hand of the dealer or banker, and the result of each seat.
pub(super) async fn round(
    State(app): State<Arc<App>>,
    client: Client,
    Path((table, round)): Path<(TableId, u64)>,
) -> Result<Response, ApiProblem> {
    let (loaded, _) = app.tables.table(&table).await?;
    let title = table_title(loaded.config().name.as_deref(), &loaded.table_rules().book().title).to_owned();
    let banker_term = loaded.table_rules().book().terms.banker.clone();
    // The record of a round that is not over would have no cards.
    let records = app.tables.rounds(&table, std::slice::from_ref(&(round..round.saturating_add(1)))).await?;
    let record = records.into_iter().next();
    let record =
        record.ok_or_else(|| ApiProblem::not_found("no_such_round", "there is no such finished round"))?;
    // The last round may still be voided.
    let lifetime = if loaded.round_number() > round { LONG_LIFETIME } else { SHORT_LIFETIME };
    draw(app, client, format!("round {table} {round} {}", record.last_seq), lifetime, move |canvas| {
        heading(canvas, &format!("Round {round}"), &title);
        let play = record.play.as_ref();
        let bank = play.and_then(|play| play.bank.as_ref());
        let banker = bank.and_then(|bank| record.seats.iter().find(|seat| seat.seat == bank.seat));
        let (label, hand) = match banker {
            Some(seat) => (banker_term.as_str(), seat.hand.as_ref()),
            None => ("dealer", play.and_then(|play| play.dealer.as_ref())),
        };
        if let Some(hand) = hand {
            canvas.text(Font::Sans, 30.0, (LEFT, 236.0), BRASS, &format!("The {label}'s hand"));
            set_hand(canvas, hand, 256.0, 116.0);
        }
        let results = play.and_then(|play| play.net_cents.as_ref());
        let results: Vec<String> = results
            .into_iter()
            .flatten()
            .map(|(seat, cents)| format!("Seat {seat} {:#}", Net::from_cents(*cents)))
            .collect();
        let lines = match record.outcome {
            "settled" => rows_of(&results),
            outcome => vec![format!("The round was {outcome}.")],
        };
        for (index, line) in lines.iter().enumerate() {
            canvas.text(Font::Sans, 28.0, (LEFT, 462.0 + 42.0 * index as f32), IVORY, line);
        }
        footer(canvas, "Replay with every card, and the proof of the deal");
        Ok(())
    })
    .await
}

/// Draws a picture in the queue of questions, because it takes processor time. Requests with the same key share it.
async fn draw(
    app: Arc<App>,
    client: Client,
    key: String,
    lifetime: &'static str,
    paint: impl Fn(&mut Canvas) -> Result<(), ApiProblem> + Send + Sync + 'static,
) -> Result<Response, ApiProblem> {
    let job = move || {
        let mut canvas = Canvas::new().ok_or_else(ApiProblem::internal_error)?;
        paint(&mut canvas)?;
        canvas.into_png().map(Into::into).ok_or_else(ApiProblem::internal_error)
    };
    let picture =
        compute(app, client, format!("preview {key}"), Arc::new(move |_, _: &CancelFlag| job())).await?;
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, lifetime),
        // Pages of other sites show the picture of a link.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    Ok((headers, picture).into_response())
}

/// Name of a table: the one that its player gave it, or the title of its book.
pub(super) fn table_title<'a>(name: Option<&'a str>, book: &'a str) -> &'a str {
    name.unwrap_or(book)
}

/// Distributes the results of seats over two rows, four to each.
fn rows_of(results: &[String]) -> Vec<String> {
    results.chunks(4).take(2).map(|row| row.join("    ")).collect()
}

fn heading(canvas: &mut Canvas, title: &str, lead: &str) {
    canvas.text(Font::Serif, 66.0, (LEFT, 122.0), IVORY, title);
    canvas.text(Font::Sans, 32.0, (LEFT, 180.0), BRASS, lead);
}

fn footer(canvas: &mut Canvas, text: &str) {
    canvas.rule(528.0, BRASS);
    let width = canvas.text(Font::Serif, 40.0, (LEFT, 580.0), BRASS, "Paigow");
    canvas.text(Font::Sans, 28.0, (LEFT + width + 28.0, 578.0), IVORY, text);
}

/// Draws cards side by side.
fn row(canvas: &mut Canvas, cards: CardSet, y: f32, width: f32) {
    for (index, card) in cards.iter().enumerate() {
        canvas.card(card, (LEFT + (width + 16.0) * index as f32, y), width);
    }
}

/// Draws a hand that is set: the high hand, a gap, and the low hand.
fn set_hand(canvas: &mut Canvas, hand: &HandView, y: f32, width: f32) {
    let cards = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<CardSet>().ok());
    let mut x = LEFT;
    for part in [cards(&hand.high), cards(&hand.low)].into_iter().flatten() {
        for card in part {
            canvas.card(card, (x, y), width);
            x += width + 14.0;
        }
        x += 54.0;
    }
}
