//! `GET /api/keys`: the public keys of the house.

use crate::app::App;
use axum::Json;
use axum::extract::State;
use paigow_table::{KeyId, PublicKey};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The public keys of the house.
#[derive(Serialize, ToSchema)]
pub(super) struct HouseKeys {
    /// The key for new rounds first.
    keys: Vec<HouseKey>,
}

/// A public key of the house.
#[derive(Serialize, ToSchema)]
struct HouseKey {
    /// Its id.
    key: KeyId,
    /// The public key (Ed25519).
    public_key: PublicKey,
    /// Whether new rounds use it.
    current: bool,
}

/// The public keys that rounds and receipts are signed with.
#[utoipa::path(get, path = "/api/keys", tag = "tables", responses((status = 200, body = HouseKeys)))]
pub(super) async fn keys(State(app): State<Arc<App>>) -> Json<HouseKeys> {
    let keys = app.tables.keys();
    let current = keys.current();
    let one = |(key, public_key)| HouseKey { key, public_key, current: key == current };
    Json(HouseKeys { keys: keys.public().map(one).collect() })
}
