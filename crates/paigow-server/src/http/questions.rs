//! Questions: what the command line answers, over HTTP. Books are those of the program and those read from the operator's folder at the
//! start: no question can name a file.

pub(super) mod best;
pub(super) mod books;
pub(super) mod house_way;
pub(super) mod house_ways;
pub(super) mod lab;
pub(super) mod odds;
pub(super) mod rules;
pub(super) mod set;
pub(super) mod settle;
pub(super) mod verify;

use super::problem::{Fault, Problem};
use crate::app::App;
use axum::Json;
use axum::http::StatusCode;
use paigow_answers::Faults;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};

/// How many questions are worked on at once, and how many wait. Each keeps a core busy.
const AT_ONCE: usize = 2;
const WAITING_MAX: usize = 64;

/// Room for questions.
pub(crate) struct Desk {
    turns: Arc<Semaphore>,
    room: Arc<Semaphore>,
}

impl Default for Desk {
    fn default() -> Desk {
        let places = |count| Arc::new(Semaphore::new(count));
        Desk { turns: places(AT_ONCE), room: places(AT_ONCE + WAITING_MAX) }
    }
}

impl Desk {
    /// A turn, if one is free.
    pub(crate) fn try_turn(&self) -> Option<SemaphorePermit<'_>> {
        self.turns.try_acquire().ok()
    }
}

/// Works a question out beside the tables, in its turn.
async fn answer<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Faults> + Send + 'static,
) -> Result<Json<T>, Problem> {
    let busy = |_: TryAcquireError| {
        app.metrics.limited("questions");
        Problem { code: "busy".to_owned(), ..Problem::unavailable("too many questions are waiting already") }
    };
    let room = app.desk.room.clone().try_acquire_owned().map_err(busy)?;
    let turn = app.desk.turns.clone().acquire_owned().await;
    let turn = turn.map_err(|_| Problem::unavailable("the server is stopping"))?;
    // Work that was begun goes on when whoever asked goes away: so it is the work that holds its places.
    let working = tokio::task::spawn_blocking(move || {
        let _places = (room, turn);
        work(&app)
    });
    Ok(Json(working.await.map_err(|_| Problem::our_mistake())??))
}

impl From<Faults> for Problem {
    fn from(faults: Faults) -> Problem {
        let detail = faults.to_string();
        let fault = |fault: paigow_answers::Fault| Fault {
            code: fault.code.to_owned(),
            at: fault.at,
            message: fault.help.map_or(fault.message.clone(), |help| format!("{}; {help}", fault.message)),
        };
        let not_found = faults.faults.iter().all(|fault| fault.code == "not_found");
        let status = if not_found { StatusCode::NOT_FOUND } else { StatusCode::UNPROCESSABLE_ENTITY };
        let code = faults.faults.first().map_or("bad_question", |fault| fault.code);
        Problem {
            faults: faults.faults.into_iter().map(fault).collect(),
            ..Problem::new(status, code, detail)
        }
    }
}
