//! Expires guests who never played, and returns their first chips to the issue.

use crate::app::{App, digest_name, house, practice};
use crate::people::{People, SessionOf};
use crate::{HostError, Store};
use paigow_table::{Account, Owner, PlayerId, Purpose};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How many guests are looked at at once.
const PAGE: u32 = 200;
/// How long until the first guest is looked at again after the last.
const AGAIN: Duration = Duration::from_hours(1);

/// How far the guests have been looked through.
pub(crate) struct Walk {
    after: Option<PlayerId>,
    next: Instant,
}

impl Walk {
    pub(crate) fn new(now: Instant) -> Walk {
        Walk { after: None, next: now }
    }

    /// Looks at the next guests, and forgets those who are idle.
    pub(crate) async fn step(&mut self, app: &App, now: Instant) {
        let hours = app.settings.idle_guest_hours;
        if hours == 0 || now < self.next {
            return;
        }
        // The time of sessions: after a jump of the wall clock it lags behind, so that guests have a day to come back.
        let before = app.session_now().minus(hours * 3_600_000);
        let guests = app.store().guests_after(self.after.as_ref(), PAGE, before, &practice()).await;
        let guests = match guests {
            Ok(guests) => guests,
            Err(error) => return tracing::warn!(%error, "idle guests could not be looked for"),
        };
        if guests.len() < PAGE as usize {
            (self.after, self.next) = (None, now + AGAIN);
        } else {
            self.after = guests.last().map(|(guest, _)| guest.clone());
        }
        let idle: Vec<PlayerId> =
            guests.into_iter().filter(|(_, idle)| *idle).map(|(guest, _)| guest).collect();
        if idle.is_empty() {
            return;
        }
        let seated = app.tables.each(|table, _| table.players().map(|(_, player)| player.clone()).collect());
        let seated: BTreeSet<PlayerId> = seated.await.into_iter().flat_map(|of: Vec<PlayerId>| of).collect();
        for guest in idle.iter().filter(|guest| !seated.contains(*guest)) {
            if let Err(error) = forget(app, guest, before).await {
                tracing::warn!(%guest, %error, "an idle guest could not be forgotten");
            }
        }
    }
}

/// Takes a guest's first chips back and forgets the guest. Each step is done once, however often it is tried.
async fn forget(app: &App, guest: &PlayerId, before: paigow_table::Time) -> Result<(), HostError> {
    let purse = Account { owner: Owner::Player(guest.clone()), currency: practice() };
    let balances = app.store().balances(std::slice::from_ref(&purse)).await?;
    let cents = u64::try_from(balances.get(&purse).copied().unwrap_or(0)).unwrap_or(0);
    if cents > 0 {
        let issue = Account { owner: Owner::Issue, currency: practice() };
        let id = digest_name("expire", guest.as_str());
        app.tables.transfer(&house(), &id, (purse, issue), cents, Purpose::Redeem).await?;
    }
    if app.store().forget_guest(guest, before, &practice()).await? {
        app.store().end_sessions_of(&SessionOf::Player(guest.clone())).await?;
        app.metrics.guests_expired.inc();
    }
    Ok(())
}
