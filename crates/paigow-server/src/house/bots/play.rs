//! Executes the commands of the bots.

use super::{BotAction, BotCommand, commands, person_name};
use crate::HostError;
use crate::app::{App, derive_command_id, house, practice};
use crate::people::{People, Person, PersonKind};
use paigow::{SevenCards, parse_cards};
use paigow_math::{BestSetting, Opposition};
use paigow_table::{Account, Actor, Command, CommandId, Owner, PlayerId, TableId, TableRefusal};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Chips issued to a bot.
const BOT_CHIPS_CENTS: u64 = 1_000_000;

/// Commands of bots that are being executed. A command may take longer than the interval between two runs of the bots.
pub(crate) type PendingCommands = Arc<Mutex<HashSet<(PlayerId, CommandId)>>>;

/// Starts the commands of the bots at all tables.
pub(crate) async fn play(app: &Arc<App>, pending: &PendingCommands) {
    let (now, free, practice) =
        (app.now(), u8::try_from(app.settings.bots_leave_free).unwrap_or(u8::MAX), practice());
    let commands = app.tables.map_open(|table, seq| {
        // Bots have only practice chips.
        let is_practice = table.config().currency == practice;
        let commands =
            if is_practice { commands(table, seq, now, free, app.tables.keys()) } else { Vec::new() };
        (table.id().clone(), commands)
    });
    for (table, commands) in commands.await {
        for command in commands {
            let key = (command.bot.clone(), command.id.clone());
            if !pending.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone()) {
                continue;
            }
            app.metrics.bot_commands.inc();
            let (app, table, pending) = (app.clone(), table.clone(), pending.clone());
            tokio::spawn(async move {
                execute(app, table, command).await;
                pending.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
            });
        }
    }
}

/// Executes the command of a bot.
async fn execute(app: Arc<App>, table: TableId, command: BotCommand) {
    let BotCommand { bot, name, id, action } = command;
    let command = match action {
        BotAction::Execute(command) => command,
        BotAction::SetBest { cards } => match best_low_hand(&app, &table, &cards).await {
            Some(low) => Command::Set { low },
            None => Command::HouseWay,
        },
    };
    if matches!(command, Command::Sit { .. }) && !enrol(&app, &bot, name).await {
        return;
    }
    let by = Actor::Player(bot.clone());
    match app.tables.command(&table, &by, &id, &command).await {
        Ok(_) => {}
        // The bot has lost its chips. It gets new ones and decides again in the next run.
        Err(HostError::Refused { refusal: TableRefusal::Ledger(refusal), .. })
            if refusal.code() == "insufficient_funds" =>
        {
            give_chips(&app, &bot, &format!("bot-chips:{}", app.now().0 / 60_000)).await;
        }
        // The table has changed, and the bot decides again in the next run. Or another process executed another command
        // with this id.
        Err(error @ (HostError::Refused { .. } | HostError::Reused(_))) => {
            tracing::debug!(%table, %bot, %error, "the table refused a bot's command");
        }
        Err(error) => tracing::warn!(%table, %bot, %error, "a bot's command failed"),
    }
}

/// Enrolls a bot in the store and gives it chips. Returns whether it may sit.
async fn enrol(app: &App, bot: &PlayerId, name: &str) -> bool {
    let Some(name) = person_name(name) else { return false };
    let person = Person { id: bot.clone(), name, kind: PersonKind::Bot, since: app.now() };
    if let Err(error) = app.store().enrol(person).await {
        tracing::warn!(%bot, %error, "cannot enroll a bot");
        return false;
    }
    give_chips(app, bot, "bot-chips:first").await;
    true
}

async fn give_chips(app: &App, bot: &PlayerId, prefix: &str) {
    let account = Account { owner: Owner::Player(bot.clone()), currency: practice() };
    // The id contains the bot, because the house issues chips to many bots and its ids must differ.
    let id = derive_command_id(prefix, bot.as_str());
    if let Err(error) = app.tables.issue(&house(), &id, account, BOT_CHIPS_CENTS).await {
        tracing::warn!(%bot, %error, "cannot issue chips to a bot");
    }
}

/// Returns the low hand of the best setting, or `None` if it could not be computed.
async fn best_low_hand(app: &App, table: &TableId, cards: &str) -> Option<String> {
    let (table, _) = app.tables.table(table).await.ok()?;
    let hand = SevenCards::new(parse_cards(cards, Some(7)).ok()?)?;
    // Without a free slot for short questions, the bot plays the house way.
    let _slot = app.questions.try_short()?;
    let found = tokio::task::spawn_blocking(move || {
        let book = table.table_rules().book();
        // The posted paytables decide the joker, which may differ from the book's.
        let ranking = table.table_rules().evaluator().ranking();
        let opposition = Opposition { ranking, ..Opposition::of(book, &book.house_way) };
        BestSetting::of(hand, &opposition).settings.first().map(|(setting, _)| setting.low.to_string())
    });
    found.await.ok().flatten()
}
