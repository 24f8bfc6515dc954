//! Passwords: which ones are accepted, and how they are hashed and verified.

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;
use zxcvbn::Score;

/// Memory of one hash in KiB. This, two passes and one lane are OWASP's minimum for Argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Length of the salt in bytes, as the Argon2 specification recommends.
const SALT_BYTES: usize = 16;
/// Words of this program, which an attacker tries first here.
const OWN_WORDS: [&str; 4] = ["paigow", "pai", "gow", "poker"];

/// A password that a person chose and that is hard enough to guess.
pub(crate) struct NewPassword(String);

/// Why a password is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PasswordFault {
    /// The password is too short.
    #[error("a password must have at least {} characters, found {found}", NewPassword::CHARS_MIN)]
    Short {
        /// Number of characters in the password.
        found: usize,
    },
    /// The password is too long.
    #[error("a password may have at most {} characters, found {found}", NewPassword::CHARS_MAX)]
    Long {
        /// Number of characters in the password.
        found: usize,
    },
    /// The password is common, or made of common parts.
    #[error(
        "the password is too easy to guess: it is common, or made of common words, names, dates or keyboard rows; \
         use four or more unrelated words, or a password manager"
    )]
    Common,
}

impl PasswordFault {
    /// Stable code for programs.
    pub(crate) fn code(self) -> &'static str {
        match self {
            PasswordFault::Short { .. } => "password_short",
            PasswordFault::Long { .. } => "password_long",
            PasswordFault::Common => "password_common",
        }
    }
}

impl NewPassword {
    /// Minimum number of characters.
    pub(crate) const CHARS_MIN: usize = 10;
    /// Maximum number of characters.
    pub(crate) const CHARS_MAX: usize = 128;

    /// Checks a password that a person chooses. The password may not be built from `related` texts, such as the
    /// person's name. The check takes up to 20 ms for the longest passwords.
    ///
    /// # Errors
    /// All faults of the password.
    pub(crate) fn parse(text: &str, related: &[&str]) -> Result<NewPassword, Vec<PasswordFault>> {
        let text = normalize(text);
        let found = text.chars().count();
        let mut faults = Vec::new();
        if found < NewPassword::CHARS_MIN {
            faults.push(PasswordFault::Short { found });
        }
        if found > NewPassword::CHARS_MAX {
            faults.push(PasswordFault::Long { found });
        }
        let related: Vec<String> = related.iter().map(|text| normalize(text)).collect();
        // A name and each word of it count as one guess.
        let words = related.iter().flat_map(|text| text.split_whitespace().chain([text.as_str()]));
        let words: Vec<&str> = words.chain(OWN_WORDS).collect();
        // A score below three means that 10^8 guesses suffice.
        if zxcvbn::zxcvbn(&text, &words).score() < Score::Three {
            faults.push(PasswordFault::Common);
        }
        if faults.is_empty() { Ok(NewPassword(text)) } else { Err(faults) }
    }
}

impl fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPassword(…)")
    }
}

/// Keyboards encode the same characters differently. NIST SP 800-63B requires one form before hashing.
fn normalize(text: &str) -> String {
    text.nfkc().collect()
}

/// Argon2id hash of a password with its salt and parameters, in the PHC format `$argon2id$v=19$…`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PasswordHash(String);

impl PasswordHash {
    /// Whether the hash was made with other parameters than the current ones. After the password is verified, the caller
    /// hashes it again.
    pub(crate) fn needs_rehash(&self) -> bool {
        let current = (MEMORY_KIB, PASSES, LANES);
        phc::PasswordHash::new(&self.0).ok().is_none_or(|hash| {
            let costs =
                Params::try_from(&hash).map(|params| (params.m_cost(), params.t_cost(), params.p_cost()));
            hash.algorithm.as_str() != Algorithm::Argon2id.as_str()
                || hash.version != Some(Version::V0x13.into())
                || costs != Ok(current)
        })
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Why a password can be neither hashed nor verified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordHashError {
    /// The hash function failed, or the stored hash is damaged.
    #[error("password hash: {0}")]
    Hash(#[from] argon2::password_hash::Error),
    /// The parameters are out of range.
    #[error("password hash parameters: {0}")]
    Parameters(#[from] argon2::Error),
    /// The runtime shuts down.
    #[error("the server stopped before the password was hashed")]
    Stopped,
}

/// Hashes and verifies passwords on the blocking threads of the runtime.
///
/// A hash takes tens of milliseconds and 19 MiB. At most `concurrent` run at a time; more requests wait, so that a flood
/// of sign-ins exhausts neither memory nor all cores.
#[derive(Clone, Debug)]
pub(crate) struct PasswordHasher {
    permits: Arc<Semaphore>,
}

impl PasswordHasher {
    /// Creates a hasher that runs this many hashes at a time.
    pub(crate) fn new(concurrent: usize) -> PasswordHasher {
        PasswordHasher { permits: Arc::new(Semaphore::new(concurrent)) }
    }

    /// Hashes a new password with a salt, of which the first 16 bytes are used.
    ///
    /// # Errors
    /// The hash function failed, or the runtime shuts down.
    pub(crate) async fn hash(
        &self,
        password: NewPassword,
        salt: [u8; 32],
    ) -> Result<PasswordHash, PasswordHashError> {
        self.run(move || hash(&password.0, &salt)).await
    }

    /// Hashes a password again that was just verified, although today's rules might refuse it as a new one.
    ///
    /// # Errors
    /// The hash function failed, or the runtime shuts down.
    pub(crate) async fn rehash(
        &self,
        verified: &str,
        salt: [u8; 32],
    ) -> Result<PasswordHash, PasswordHashError> {
        let text = normalize(verified);
        self.run(move || hash(&text, &salt)).await
    }

    /// Whether a password is the one of the hash.
    ///
    /// # Errors
    /// The stored hash is damaged, or the runtime shuts down.
    pub(crate) async fn verify(&self, stored: &PasswordHash, text: &str) -> Result<bool, PasswordHashError> {
        let (stored, text) = (stored.clone(), normalize(text));
        self.run(move || verify(&stored, &text)).await
    }

    /// Whether there is a hash, and a password is the one of it.
    ///
    /// Takes as long without a hash, so that response times do not reveal which names have an account with a password.
    ///
    /// # Errors
    /// The stored hash is damaged, the hash function failed, or the runtime shuts down.
    pub(crate) async fn verify_any(
        &self,
        stored: Option<&PasswordHash>,
        text: &str,
    ) -> Result<bool, PasswordHashError> {
        if let Some(stored) = stored {
            return self.verify(stored, text).await;
        }
        self.verify_nothing(text).await.map(|()| false)
    }

    /// Takes as long as [`PasswordHasher::verify`] and compares with nothing.
    async fn verify_nothing(&self, text: &str) -> Result<(), PasswordHashError> {
        let text = normalize(text);
        self.run(move || hash(&text, &[0; 32])).await.map(drop)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordHashError> + Send + 'static,
    ) -> Result<T, PasswordHashError> {
        let permit =
            Arc::clone(&self.permits).acquire_owned().await.map_err(|_| PasswordHashError::Stopped)?;
        // A client that disconnects does not stop the hash, so the permit belongs to the hash and not to the request.
        let hashed = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        hashed.await.map_err(|_| PasswordHashError::Stopped)?
    }
}

fn argon2(memory_kib: u32, passes: u32, lanes: u32) -> Result<Argon2<'static>, PasswordHashError> {
    let params = Params::new(memory_kib, passes, lanes, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(text: &str, salt: &[u8; 32]) -> Result<PasswordHash, PasswordHashError> {
    let (salt, _) = salt.split_at(SALT_BYTES);
    let hash = argon2(MEMORY_KIB, PASSES, LANES)?.hash_password_with_salt(text.as_bytes(), salt)?;
    Ok(PasswordHash(hash.to_string()))
}

fn verify(stored: &PasswordHash, text: &str) -> Result<bool, PasswordHashError> {
    let stored = phc::PasswordHash::new(&stored.0).map_err(argon2::password_hash::Error::from)?;
    // The stored hash determines the parameters, so hashes of older versions can be verified.
    match argon2(MEMORY_KIB, PASSES, LANES)?.verify_password(text.as_bytes(), &stored) {
        Ok(()) => Ok(true),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    const GOOD: &str = "tidal lantern mosaic seven";

    fn codes(text: &str, related: &[&str]) -> Vec<&'static str> {
        let faults = NewPassword::parse(text, related).err().unwrap_or_default();
        faults.into_iter().map(PasswordFault::code).collect()
    }

    #[test]
    fn common_passwords_are_refused() {
        let common = [
            "password123",
            "Passw0rd123",
            "1234567890",
            "qwertyuiop",
            "qwertyuiop123",
            "iloveyou1234",
            "aaaaaaaaaaaa",
            "abcdefghij",
            "19840523198",
            "letmein2024!",
            "paigowpoker",
            "PaiGow2024",
        ];
        for text in common {
            assert_eq!(codes(text, &[]), ["password_common"], "{text}");
        }
        for text in [
            GOOD,
            "correct zebra staple battery",
            "Xk7#vQ2!mZp9",
            "ржавый чайник поёт утром",
            "山田は毎朝七時に泳ぐ",
        ] {
            assert_eq!(codes(text, &[]), [""; 0], "{text}");
        }
    }

    #[test]
    fn related_words_make_a_password_easy_to_guess() {
        let name = "Wilhelmina Oxenstierna";
        assert_eq!(codes("oxenstierna77", &[name]), ["password_common"]);
        assert_eq!(codes("wilhelmina oxenstierna", &[name]), ["password_common"]);
        assert_eq!(codes("oxenstierna77", &[]), [""; 0]);
        assert_eq!(codes(GOOD, &[name]), [""; 0]);
    }

    #[test]
    fn every_fault_is_reported() {
        assert_eq!(codes("", &[]), ["password_short", "password_common"]);
        assert_eq!(codes("Xk7#vQ2!m", &[]), ["password_short"]);
        assert_eq!(codes("Xk7#vQ2!mZ", &[]), [""; 0]);
        assert_eq!(codes(&"a".repeat(129), &[]), ["password_long", "password_common"]);
        assert_eq!(codes(&"Xk7#vQ2!".repeat(17), &[]), ["password_long"]);
        let long: String = GOOD.chars().chain("Xk7#vQ2!mZp9wR4t".chars().cycle()).take(128).collect();
        assert_eq!(codes(&long, &[]), [""; 0]);
        let message = PasswordFault::Short { found: 4 }.to_string();
        assert_eq!(message, "a password must have at least 10 characters, found 4");
    }

    #[test]
    fn long_passwords_are_judged_quickly() {
        for text in [
            "a".repeat(128),
            "password".repeat(16),
            "1".repeat(128),
            "p4ssw0rd!".repeat(14),
            "12.".repeat(42),
        ] {
            let start = Instant::now();
            let _ = NewPassword::parse(&text, &["Wilhelmina Oxenstierna"]);
            assert!(start.elapsed() < Duration::from_secs(2), "{text} took {:?}", start.elapsed());
        }
    }

    #[tokio::test]
    async fn the_right_password_is_verified_and_others_are_not() {
        let hasher = PasswordHasher::new(2);
        let password = NewPassword::parse("tidal lante\u{301}rn mosaic", &[]).unwrap();
        assert!(!format!("{password:?}").contains("tidal"));
        let hash = hasher.hash(password, [3; 32]).await.unwrap();
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$AwMDAwMDAwMDAwMDAwMDAw$"), "{}", hash.0);
        assert!(!format!("{hash:?}").contains("argon2"));
        assert!(!hash.needs_rehash());
        assert!(
            hasher.verify(&hash, "tidal lant\u{e9}rn mosaic").await.unwrap(),
            "both forms are the same text"
        );
        for wrong in ["tidal lantern mosaic", "Tidal lant\u{e9}rn mosaic", "tidal lant\u{e9}rn mosaic ", ""] {
            assert!(!hasher.verify(&hash, wrong).await.unwrap(), "{wrong}");
        }
        let again = hasher.rehash("tidal lant\u{e9}rn mosaic", [4; 32]).await.unwrap();
        assert_ne!(again.0, hash.0);
        assert!(hasher.verify(&again, "tidal lante\u{301}rn mosaic").await.unwrap());
        assert!(hasher.verify(&PasswordHash("damaged".into()), GOOD).await.is_err());
    }

    #[tokio::test]
    async fn hashes_with_older_parameters_are_verified_and_renewed() {
        let old = argon2(8 * 1024, 1, 1).unwrap().hash_password_with_salt(GOOD.as_bytes(), &[5; 16]).unwrap();
        let old = PasswordHash(old.to_string());
        assert!(PasswordHasher::new(1).verify(&old, GOOD).await.unwrap());
        assert!(old.needs_rehash());
    }

    #[tokio::test]
    async fn an_unknown_name_takes_as_long_as_a_wrong_password() {
        let hasher = PasswordHasher::new(2);
        let hash = hasher.hash(NewPassword::parse(GOOD, &[]).unwrap(), [6; 32]).await.unwrap();
        let (mut wrong, mut unknown) = (Duration::MAX, Duration::MAX);
        for _ in 0..5 {
            let start = Instant::now();
            assert!(!hasher.verify(&hash, "wrong").await.unwrap());
            wrong = wrong.min(start.elapsed());
            let start = Instant::now();
            hasher.verify_nothing("wrong").await.unwrap();
            unknown = unknown.min(start.elapsed());
        }
        assert!(unknown > wrong / 2 && wrong > unknown / 2, "{wrong:?} and {unknown:?}");
    }

    #[tokio::test]
    async fn hashes_wait_for_a_permit() {
        let hasher = PasswordHasher::new(1);
        let permit = Arc::clone(&hasher.permits).acquire_owned().await.unwrap();
        let waiting = tokio::time::timeout(Duration::from_millis(50), hasher.verify_nothing(GOOD));
        assert!(waiting.await.is_err());
        drop(permit);
        hasher.verify_nothing(GOOD).await.unwrap();
        assert_eq!(hasher.permits.available_permits(), 1);
    }
}
