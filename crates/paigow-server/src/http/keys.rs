//! `GET /api/keys`: public keys of the house.

use crate::app::App;
use axum::Json;
use axum::extract::State;
use paigow_table::{KeyId, PublicKey};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Public keys of the house.
#[derive(Serialize, ToSchema)]
pub(super) struct HouseKeys {
    /// Keys, the one for new rounds first.
    keys: Vec<HouseKey>,
}

/// A public key of the house.
#[derive(Serialize, ToSchema)]
struct HouseKey {
    /// Id of the key.
    key: KeyId,
    /// Ed25519 public key.
    public_key: PublicKey,
    /// Whether new rounds use this key.
    current: bool,
}

/// Public keys that verify the signatures of rounds and receipts.
#[utoipa::path(get, path = "/api/keys", tag = "tables", responses((status = 200, body = HouseKeys)))]
pub(super) async fn keys(State(app): State<Arc<App>>) -> Json<HouseKeys> {
    let keys = app.tables.keys();
    let current = keys.current();
    let house_key = |(key, public_key)| HouseKey { key, public_key, current: key == current };
    Json(HouseKeys { keys: keys.public().map(house_key).collect() })
}
