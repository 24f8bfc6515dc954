//! Expires guests who never played, and redeems their initial chips.

use crate::app::{App, derive_command_id, house, practice};
use crate::people::{People, SessionOwner};
use crate::{HostError, Store};
use paigow_table::{Account, Owner, PlayerId, Purpose};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Number of guests that one step checks.
const PAGE: u32 = 200;
/// Time between the end of a pass over all guests and the start of the next.
const PASS_INTERVAL: Duration = Duration::from_hours(1);

/// Position in the pass over all guests.
pub(crate) struct GuestExpiry {
    after: Option<PlayerId>,
    next: Instant,
}

impl GuestExpiry {
    pub(crate) fn new(now: Instant) -> GuestExpiry {
        GuestExpiry { after: None, next: now }
    }

    /// Checks the next guests and deletes the idle ones.
    pub(crate) async fn step(&mut self, app: &App, now: Instant) {
        let hours = app.settings.idle_guest_hours;
        if hours == 0 || now < self.next {
            return;
        }
        // Session time lags behind after a jump of the wall clock, so that guests have a day to return.
        let before = app.session_now().minus(hours * 3_600_000);
        let guests = app.store().guests_after(self.after.as_ref(), PAGE, before, &practice()).await;
        let guests = match guests {
            Ok(guests) => guests,
            Err(error) => return tracing::warn!(%error, "cannot list idle guests"),
        };
        if guests.len() < PAGE as usize {
            (self.after, self.next) = (None, now + PASS_INTERVAL);
        } else {
            self.after = guests.last().map(|(guest, _)| guest.clone());
        }
        let idle: Vec<PlayerId> =
            guests.into_iter().filter(|(_, idle)| *idle).map(|(guest, _)| guest).collect();
        if idle.is_empty() {
            return;
        }
        let seated =
            app.tables.map_open(|table, _| table.players().map(|(_, player)| player.clone()).collect());
        let seated: BTreeSet<PlayerId> =
            seated.await.into_iter().flat_map(|players: Vec<PlayerId>| players).collect();
        for guest in idle.iter().filter(|guest| !seated.contains(*guest)) {
            if let Err(error) = delete(app, guest, before).await {
                tracing::warn!(%guest, %error, "cannot delete an idle guest");
            }
        }
    }
}

/// Redeems the chips of a guest and deletes the guest. Each step takes effect once, however often it is retried.
async fn delete(app: &App, guest: &PlayerId, before: paigow_table::Time) -> Result<(), HostError> {
    let account = Account { owner: Owner::Player(guest.clone()), currency: practice() };
    let balances = app.store().balances(std::slice::from_ref(&account)).await?;
    let cents = u64::try_from(balances.get(&account).copied().unwrap_or(0)).unwrap_or(0);
    if cents > 0 {
        let issue = Account { owner: Owner::Issue, currency: practice() };
        let id = derive_command_id("expire", guest.as_str());
        app.tables.transfer(&house(), &id, (account, issue), cents, Purpose::Redeem).await?;
    }
    if app.store().forget_guest(guest, before, &practice()).await? {
        app.store().end_sessions_of(&SessionOwner::Player(guest.clone())).await?;
        app.metrics.guests_expired.inc();
    }
    Ok(())
}
