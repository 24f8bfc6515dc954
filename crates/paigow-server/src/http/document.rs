//! The HTML document of the views: the page, its text for browsers without script, and the preview of its link.

use super::assets::Page;
use super::previews::{HandQuery, table_title};
use crate::app::App;
use crate::house::{LobbyTable, opened_by_player};
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use paigow::SevenCards;
use paigow_answers::cards;
use paigow_answers::puzzle::{Day, FIRST_DAY, parse_day};
use paigow_table::{PhaseName, Table, TableId, Viewer};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// Name of the page.
const NAME: &str = "Paigow";
/// Picture of views without one of their own.
const HAND_PICTURE: &str = "/previews/hand?cards=As+Kd+Qs+Th+9c+2h+Jk";
/// Maximum number of tables on the front page without script.
const TABLES_MAX: usize = 20;

/// Title, description and picture of a link.
struct LinkPreview {
    title: Cow<'static, str>,
    description: Cow<'static, str>,
    /// Path of the picture.
    picture: Option<String>,
}

/// Serves the document of a view.
pub(super) async fn document(
    State(app): State<Arc<App>>,
    Extension(page): Extension<Arc<Page>>,
    uri: Uri,
) -> Response {
    let preview = link_preview(&app, &uri).await;
    let mut html = page.document().replacen("<title>Paigow</title>", &head(&app, &uri, &preview), 1);
    if let Some(fragment) = static_text(&app, &page, uri.path()).await {
        html = html.replacen("<pg-app>", &format!("<div id=\"static\">\n{fragment}</div>\n  <pg-app>"), 1);
    }
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, html).into_response()
}

/// Returns the text of a view that can be read without script, if it has one.
async fn static_text(app: &App, page: &Page, path: &str) -> Option<String> {
    match path {
        "/" => {
            let text = page.text("pages/front.html")?;
            Some(text.replacen("<!-- tables -->", &table_list(app).await, 1))
        }
        "/how-to-play" => page.text("pages/how-to-play.html"),
        _ => None,
    }
}

/// Returns the tables of the house as a list, with their free seats.
async fn table_list(app: &App) -> String {
    let entry = |table: &Table, _| {
        let is_listed = !opened_by_player(table.id()) && !table.config().private;
        is_listed.then(|| LobbyTable::of(table))
    };
    let mut tables: Vec<LobbyTable> = app.tables.map_open(entry).await.into_iter().flatten().collect();
    tables.sort_by(|a, b| a.table.cmp(&b.table));
    let mut list = String::from("<ul>\n");
    for table in tables.iter().take(TABLES_MAX) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            list,
            "<li><a href=\"/table/{}\">{}</a>: {} of {} seats taken</li>",
            escaped(&encoded(table.table.as_str())),
            escaped(table_title(table.name.as_deref(), &table.title)),
            table.taken.len(),
            table.seats
        );
    }
    list + "</ul>"
}

/// Returns the preview of a link to a view.
async fn link_preview(app: &App, uri: &Uri) -> LinkPreview {
    let mut parts = uri.path().trim_start_matches('/').split('/').map(decoded);
    let (view, rest) = (parts.next().unwrap_or_default(), parts.collect::<Vec<String>>());
    let found = match (view.as_str(), rest.as_slice()) {
        ("table", [table]) => table_preview(app, table).await,
        ("replay", [table, round]) => round_preview(app, table, round).await,
        ("lab", []) => hand_preview(uri),
        ("cards", [card]) => card_preview(card),
        ("puzzle", []) => puzzle_preview(app, "today"),
        ("puzzle", [day]) => puzzle_preview(app, day),
        _ => None,
    };
    found.unwrap_or_else(|| LinkPreview {
        title: match view.as_str() {
            "how-to-play" => "How to play pai gow poker".into(),
            "cards" => "Strategy cards for pai gow poker".into(),
            _ => NAME.into(),
        },
        description: "Pai gow poker for practice chips: tables, rules and exact odds.".into(),
        picture: Some(HAND_PICTURE.to_owned()),
    })
}

async fn table_preview(app: &App, table: &str) -> Option<LinkPreview> {
    let table: TableId = table.parse().ok()?;
    let (loaded, _) = app.tables.table(&table).await.ok()?;
    let book = &loaded.table_rules().book().title;
    let title = table_title(loaded.config().name.as_deref(), book).to_owned();
    Some(LinkPreview {
        title: title.into(),
        description: format!("Take a seat: {book}, for practice chips.").into(),
        picture: Some(format!("/previews/tables/{}", encoded(table.as_str()))),
    })
}

async fn round_preview(app: &App, table: &str, round: &str) -> Option<LinkPreview> {
    let (table, round): (TableId, u64) = (table.parse().ok()?, round.parse().ok()?);
    let (loaded, _) = app.tables.table(&table).await.ok()?;
    let is_over = loaded.view(&Viewer::Watcher).phase == PhaseName::Between || round < loaded.round_number();
    if !is_over || !(1..=loaded.round_number()).contains(&round) {
        return None;
    }
    let title = table_title(loaded.config().name.as_deref(), &loaded.table_rules().book().title);
    Some(LinkPreview {
        title: format!("Round {round}, {title}").into(),
        description: "Replay the round with every card, and check the deal.".into(),
        picture: Some(format!("/previews/rounds/{}/{round}", encoded(table.as_str()))),
    })
}

fn hand_preview(uri: &Uri) -> Option<LinkPreview> {
    let Query(HandQuery { cards }) = Query::try_from_uri(uri).ok()?;
    let cards: SevenCards = cards.parse().ok()?;
    Some(LinkPreview {
        title: format!("How would you set {cards}?").into(),
        description: "Every legal setting, valued exactly against all possible dealer hands.".into(),
        picture: Some(format!("/previews/hand?cards={}", cards.to_string().replace(' ', "+"))),
    })
}

fn card_preview(card: &str) -> Option<LinkPreview> {
    let card = cards::answer(card).ok()?;
    let description =
        format!("{} rules for pai gow poker with their exact cost, to learn and to print.", card.lines.len());
    Some(LinkPreview {
        title: card.title.into(),
        description: description.into(),
        picture: Some(HAND_PICTURE.to_owned()),
    })
}

fn puzzle_preview(app: &App, day: &str) -> Option<LinkPreview> {
    let today = Day::at_ms(app.now().0);
    let day = parse_day(day, today).ok().filter(|day| (FIRST_DAY..=today).contains(day))?;
    Some(LinkPreview {
        title: format!("Pai gow puzzle of {day}").into(),
        description: "One hand for everyone. What is the best setting?".into(),
        picture: Some(format!("/previews/puzzles/{day}")),
    })
}

/// Returns the title and the Open Graph properties of a document.
fn head(app: &App, uri: &Uri, preview: &LinkPreview) -> String {
    let LinkPreview { title, description, picture } = preview;
    let origin = app.settings.origin();
    let address = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut head = format!("<title>{}</title>", escaped(title));
    let mut add = |property: &str, content: &str| {
        // Writing to a `String` cannot fail.
        let _ = write!(head, "\n  <meta property=\"{property}\" content=\"{}\">", escaped(content));
    };
    add("og:site_name", NAME);
    add("og:type", "website");
    add("og:title", title);
    add("og:description", description);
    add("og:url", &format!("{}{address}", origin.as_str()));
    if let Some(picture) = picture {
        add("og:image", &format!("{}{picture}", origin.as_str()));
        add("og:image:width", "1200");
        add("og:image:height", "630");
        head.push_str("\n  <meta name=\"twitter:card\" content=\"summary_large_image\">");
    }
    head
}

/// Escapes a text for HTML, also within quoted attributes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            letter => html.push(letter),
        }
    }
    html
}

/// Encodes the slashes of a table name for a path. Its other characters need no encoding.
fn encoded(table: &str) -> String {
    table.replace('/', "%2F")
}

/// Decodes a part of a path.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_attribute() {
        assert_eq!(escaped("\"><script>'&"), "&quot;&gt;&lt;script&gt;&#39;&amp;");
    }

    #[test]
    fn only_seven_cards_make_a_preview_of_a_hand() {
        let preview = |path: &str| hand_preview(&path.parse().unwrap());
        let hand = preview("/lab?book=ez&cards=As+Kd%20Tc+9h+2s+2d+Jk").unwrap();
        assert_eq!(hand.picture.unwrap(), "/previews/hand?cards=As+Kd+Tc+9h+2s+2d+Jk");
        assert_eq!(hand.title, "How would you set As Kd Tc 9h 2s 2d Jk?");
        assert!(preview("/lab?cards=As").is_none() && preview("/lab").is_none());
    }
}
