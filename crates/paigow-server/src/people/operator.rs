//! Operators: people who run tables, chips and accounts, each with a role and credentials.

use super::credentials::Credentials;
use super::{DocumentKind, Stored, name_key};
use paigow_table::{PlayerId, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Set of permissions of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// May read everything.
    Viewer,
    /// May also run tables: open, pause, close, void, free seats and post notices.
    Floor,
    /// May also issue and redeem chips.
    Cashier,
    /// May do everything, also administer operators and people.
    Admin,
}

/// What an operator needs to be allowed for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Permission {
    /// Read balances, journals, people, rounds and logs.
    Read,
    /// Run tables.
    Tables,
    /// Issue and redeem chips.
    Chips,
    /// Administer operators, people and the server.
    Administer,
}

impl Permission {
    /// All permissions.
    pub(crate) const ALL: [Permission; 4] =
        [Permission::Read, Permission::Tables, Permission::Chips, Permission::Administer];
}

impl Role {
    /// Whether the role has a permission.
    pub(crate) fn may(self, permission: Permission) -> bool {
        match self {
            Role::Viewer => permission == Permission::Read,
            Role::Floor => matches!(permission, Permission::Read | Permission::Tables),
            Role::Cashier => matches!(permission, Permission::Read | Permission::Chips),
            Role::Admin => true,
        }
    }

    /// Returns the permissions of the role.
    pub(crate) fn permissions(self) -> Vec<Permission> {
        Permission::ALL.into_iter().filter(|permission| self.may(*permission)).collect()
    }
}

/// Document of an operator, by name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Operator {
    pub(crate) role: Role,
    /// Time at which an admin added the operator, or the first admin enrolled.
    pub(crate) since: Time,
    #[serde(default)]
    pub(crate) disabled: bool,
    /// Code with which the operator sets credentials, until it is used.
    #[serde(default)]
    pub(crate) enrolment: Option<Enrolment>,
    pub(crate) credentials: Credentials,
}

impl Stored for Operator {
    const KIND: DocumentKind = DocumentKind::Operator;
}

impl Operator {
    /// Makes an operator without credentials.
    pub(crate) fn new(role: Role, since: Time) -> Operator {
        Operator { role, since, disabled: false, enrolment: None, credentials: Credentials::default() }
    }

    /// Whether the operator can sign in and administer.
    pub(crate) fn is_active_admin(&self) -> bool {
        self.role == Role::Admin && !self.disabled && self.credentials.can_sign_in()
    }
}

/// Enrolment code of an operator. The operator receives it from an admin and uses it once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Enrolment {
    /// Digest of the code, in hexadecimal digits.
    pub(crate) digest: String,
    pub(crate) until: Time,
}

/// Document that records the use of an operator secret, by the digest of the secret. A secret enrols one admin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SecretUse {
    /// Name of the admin.
    pub(crate) operator: PlayerId,
    pub(crate) at: Time,
}

impl Stored for SecretUse {
    const KIND: DocumentKind = DocumentKind::SecretUse;
}

/// Names that the program uses for itself in logs and accounts.
const RESERVED: [&str; 8] = ["house", "clock", "operator", "dealer", "bank", "server", "system", "paigow"];

/// Why a name is refused for an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OperatorNameFault {
    /// The program uses the name for itself.
    #[error("the name is reserved for the program: choose another name")]
    Reserved,
    /// The name cannot be a part of a path, or is too long.
    #[error(
        "an operator's name has 1 to {OPERATOR_NAME_MAX} letters, digits, `-`, `_` and `.`, and begins with a letter or a digit"
    )]
    Form,
}

/// Maximum number of characters in the name of an operator.
pub(crate) const OPERATOR_NAME_MAX: usize = 32;

impl OperatorNameFault {
    /// Stable code for programs.
    pub(crate) fn code(self) -> &'static str {
        match self {
            OperatorNameFault::Reserved => "name_reserved",
            OperatorNameFault::Form => "name_form",
        }
    }
}

/// Checks the name of a new operator.
///
/// # Errors
/// The name is reserved, or cannot be a part of a path.
pub(crate) fn check_operator_name(name: &PlayerId) -> Result<(), OperatorNameFault> {
    let name = name.as_str();
    if RESERVED.iter().any(|reserved| name_key(reserved) == name_key(name)) {
        return Err(OperatorNameFault::Reserved);
    }
    let first = name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    if !first || name.contains(['/', ':']) || name.len() > OPERATOR_NAME_MAX {
        return Err(OperatorNameFault::Form);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_documented_permissions() {
        use Permission::{Administer, Chips, Read, Tables};
        assert_eq!(Role::Viewer.permissions(), [Read]);
        assert_eq!(Role::Floor.permissions(), [Read, Tables]);
        assert_eq!(Role::Cashier.permissions(), [Read, Chips]);
        assert_eq!(Role::Admin.permissions(), [Read, Tables, Chips, Administer]);
    }

    #[test]
    fn reserved_names_and_names_outside_paths_are_refused() {
        let code = |name: &str| {
            check_operator_name(&name.parse().unwrap()).map_or_else(OperatorNameFault::code, |()| "")
        };
        for name in [
            "house", "House", "h0use", "ho-use", "CLOCK", "operator", "dealer", "bank", "server", "system",
            "paigow",
        ] {
            assert_eq!(code(name), "name_reserved", "{name}");
        }
        for name in ["a/b", "a:b", "-a", ".", &"a".repeat(33)] {
            assert_eq!(code(name), "name_form", "{name}");
        }
        for name in ["olga", "Olga-2", "o.k", "houses", &"a".repeat(32)] {
            assert_eq!(code(name), "", "{name}");
        }
    }
}
