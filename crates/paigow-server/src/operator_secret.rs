//! The operator secret: it enrols the first admin and is in a file that only its owner can read.

use crate::app::App;
use crate::people::{People, SecretUse, load, secret_digest};
use crate::private_file::{create_private, tighten};
use crate::{Environment, ServeError};
use paigow_table::Secret;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Stores the digest of the operator secret if the store has none. If several processes start at once, exactly one
/// succeeds.
///
/// Returns the file with the secret, as long as the secret has not enrolled an admin.
pub(crate) async fn claim(app: &App) -> Result<Option<PathBuf>, ServeError> {
    let path = app.settings.operator_secret_path();
    let given = app.settings.operator_secret.reveal();
    if app.store().operator_secret().await?.is_none() {
        match given {
            Some(secret) => {
                app.store().claim_operator_secret(secret_digest(&secret), app.now()).await?;
            }
            None => claim_file(app, &path).await?,
        }
    }
    let Some(digest) = app.store().operator_secret().await? else { return Ok(None) };
    if given.is_some_and(|given| secret_digest(&given) != digest) {
        tracing::warn!("the setting `operator_secret` is not the secret of the store, which remains valid");
    }
    let is_used = load::<SecretUse>(app.store(), &String::from(Secret(digest))).await?.is_some();
    let is_in_file = read(&path).is_ok_and(|secret| secret_digest(&secret) == digest);
    Ok((is_in_file && !is_used).then_some(path))
}

/// Claims the secret in a file. Creates the file first, so that a crash in between does not lose the secret.
async fn claim_file(app: &App, path: &Path) -> Result<(), ServeError> {
    let failed =
        |why: io::Error| ServeError::OperatorSecretFile { path: path.to_owned(), why: why.to_string() };
    let secret = app.tables.environment().entropy()?;
    let (secret, is_new) = match write(path, &secret) {
        Ok(()) => (secret, true),
        // The file of an earlier start that failed, or of another process that starts at the same time.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (read(path).map_err(failed)?, false),
        Err(error) => return Err(failed(error)),
    };
    let claimed = app.store().claim_operator_secret(secret_digest(&secret), app.now()).await?;
    if is_new && !claimed {
        // Another process has another secret, so this one is of no use.
        fs::remove_file(path).map_err(failed)?;
    }
    Ok(())
}

/// Writes a secret to a new file that only its owner can read.
///
/// # Errors
/// The file exists (`AlreadyExists`) or cannot be written.
pub fn write(path: &Path, secret: &[u8; 32]) -> io::Result<()> {
    let mut file = create_private(path)?;
    writeln!(file, "{}", String::from(Secret(*secret)))?;
    file.sync_all()
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    tighten(path)?;
    let text = fs::read_to_string(path)?;
    let invalid = || io::Error::new(io::ErrorKind::InvalidData, "does not contain 64 hexadecimal digits");
    Secret::try_from(text.trim().to_owned()).map(|secret| secret.0).map_err(|_| invalid())
}
