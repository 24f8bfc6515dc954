//! Bots at play: what they do now, done.

use super::{BotAction, BotCommand, acts, person_name};
use crate::HostError;
use crate::app::{App, digest_name, house, practice};
use crate::people::{People, Person, PersonKind};
use paigow::{SevenCards, parse_cards};
use paigow_math::{BestSetting, Opposition};
use paigow_table::{Account, Actor, Command, CommandId, Owner, PlayerId, TableId, TableRefusal};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What a bot is given to play with.
const BOT_CHIPS_CENTS: u64 = 1_000_000;

/// What bots are at: they look up more often than some things take.
pub(crate) type Doing = Arc<Mutex<HashSet<(PlayerId, CommandId)>>>;

/// Lets bots do what they do now.
pub(crate) async fn play(app: &Arc<App>, doing: &Doing) {
    let (now, free, practice) =
        (app.now(), u8::try_from(app.settings.bots_leave_free).unwrap_or(u8::MAX), practice());
    let acts = app.tables.each(|table, seq| {
        // Bots have no money but practice chips.
        let own = table.config().currency == practice;
        let acts = if own { acts(table, seq, now, free, app.tables.keys()) } else { Vec::new() };
        (table.id().clone(), acts)
    });
    for (table, acts) in acts.await {
        for act in acts {
            let this = (act.bot.clone(), act.id.clone());
            if !doing.lock().unwrap_or_else(PoisonError::into_inner).insert(this.clone()) {
                continue;
            }
            app.metrics.bot_commands.inc();
            let (app, table, doing) = (app.clone(), table.clone(), doing.clone());
            tokio::spawn(async move {
                one(app, table, act).await;
                doing.lock().unwrap_or_else(PoisonError::into_inner).remove(&this);
            });
        }
    }
}

/// Lets one bot do one thing.
async fn one(app: Arc<App>, table: TableId, act: BotCommand) {
    let BotCommand { bot, name, id, does } = act;
    let command = match does {
        BotAction::Gives(command) => command,
        BotAction::SetsBest { cards } => match best_front(&app, &table, &cards).await {
            Some(front) => Command::Set { front },
            None => Command::HouseWay,
        },
    };
    if matches!(command, Command::Sit { .. }) && !ready_to_sit(&app, &bot, name).await {
        return;
    }
    let by = Actor::Player(bot.clone());
    match app.tables.command(&table, &by, &id, &command).await {
        Ok(_) => {}
        // It has lost everything: it gets chips like anybody, and tries again when it looks up.
        Err(HostError::Refused { refusal: TableRefusal::Ledger(refusal), .. })
            if refusal.code() == "insufficient_funds" =>
        {
            give_chips(&app, &bot, &format!("bot-chips:{}", app.now().0 / 60_000)).await;
        }
        // The table has moved on: what the bot does next follows from where it is now.
        // Or the same bot of another process did it in another way.
        Err(error @ (HostError::Refused { .. } | HostError::Reused(_))) => {
            tracing::debug!(%table, %bot, %error, "a bot was refused");
        }
        Err(error) => tracing::warn!(%table, %bot, %error, "a bot could not play"),
    }
}

/// Sees to it that a bot is somebody, and has chips.
async fn ready_to_sit(app: &App, bot: &PlayerId, name: &str) -> bool {
    let Some(name) = person_name(name) else { return false };
    let person = Person { id: bot.clone(), name, kind: PersonKind::Bot, since: app.now() };
    if let Err(error) = app.store().enrol(person).await {
        tracing::warn!(%bot, %error, "a bot could not be enrolled");
        return false;
    }
    give_chips(app, bot, "bot-chips:first").await;
    true
}

async fn give_chips(app: &App, bot: &PlayerId, what: &str) {
    let purse = Account { owner: Owner::Player(bot.clone()), currency: practice() };
    // Named for the bot as well: names are the house's, and it gives to many.
    let id = digest_name(what, bot.as_str());
    if let Err(error) = app.tables.issue(&house(), &id, purse, BOT_CHIPS_CENTS).await {
        tracing::warn!(%bot, %error, "a bot could not be given chips");
    }
}

/// The two cards of the low hand, if they can be found.
async fn best_front(app: &App, table: &TableId, cards: &str) -> Option<String> {
    let (table, _) = app.tables.table(table).await.ok()?;
    let hand = SevenCards::new(parse_cards(cards, Some(7)).ok()?)?;
    // Uses a slot for short questions; without a free slot the house way is used.
    let _slot = app.questions.try_short()?;
    let found = tokio::task::spawn_blocking(move || {
        let book = table.table_rules().book();
        // What is posted may have the joker be more than the book does.
        let ranking = table.table_rules().evaluator().ranking();
        let against = Opposition { ranking, ..Opposition::of(book, &book.house_way) };
        BestSetting::of(hand, &against).settings.first().map(|(setting, _)| setting.low.to_string())
    });
    found.await.ok().flatten()
}
