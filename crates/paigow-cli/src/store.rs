//! A store, opened for a question.

use crate::Failure;
use crate::args::StoreArg;
use paigow_server::AnyStore;
use std::fmt::Display;
use std::future::Future;

/// Opens a store that is there and asks it something.
pub(crate) fn ask<T, F: Future<Output = Result<T, Failure>>>(
    place: &StoreArg,
    question: impl FnOnce(AnyStore) -> F,
) -> Result<T, Failure> {
    let place = &place.store;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(refused)?.block_on(async {
        let store = AnyStore::open_existing(place.reveal()).await;
        question(store.map_err(|error| Failure::Refused(format!("{place}: {error}")))?).await
    })
}

pub(crate) fn refused(error: impl Display) -> Failure {
    Failure::Refused(error.to_string())
}
