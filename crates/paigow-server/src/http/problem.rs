//! Format of every refusal and failure over HTTP: `application/problem+json` (RFC 9457) with a code for programs.

use crate::people::credentials::PasswordHashError;
use crate::{HostError, PersonNameFault, StoreError};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoResponses, ToSchema};

/// Reason why a request was refused or failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiProblem {
    /// HTTP status code.
    pub status: u16,
    /// Standard reason phrase of the status.
    pub title: String,
    /// Stable code for programs.
    pub code: String,
    /// Description for people.
    pub detail: String,
    /// All faults of the request, if they are reported one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ApiFault>,
    /// Seconds until the client may retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_seconds: Option<u64>,
}

/// A single fault of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiFault {
    /// Stable code for programs.
    pub code: String,
    /// Location of the fault: the name of a field, or a position in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Description for people.
    pub message: String,
}

/// Problems that any endpoint may respond with.
#[derive(IntoResponses)]
#[allow(dead_code)] // only documented, never constructed
pub(crate) enum Problems {
    /// The request was refused.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(ApiProblem),
    /// The request failed.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Failed(ApiProblem),
}

impl ApiProblem {
    /// Creates a problem with the title of its status.
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> ApiProblem {
        ApiProblem {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or("Problem").to_owned(),
            code: code.to_owned(),
            detail: detail.into(),
            faults: Vec::new(),
            retry_seconds: None,
        }
    }

    /// The request has no session, or not one of the required kind.
    pub fn unauthorized(detail: &str) -> ApiProblem {
        ApiProblem::new(StatusCode::UNAUTHORIZED, "no_session", detail)
    }

    /// The resource does not exist.
    pub fn not_found(code: &str, detail: impl Into<String>) -> ApiProblem {
        ApiProblem::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// The client exceeds a limit.
    pub fn too_many(code: &str, detail: impl Into<String>, retry_seconds: u64) -> ApiProblem {
        ApiProblem {
            retry_seconds: Some(retry_seconds),
            ..ApiProblem::new(StatusCode::TOO_MANY_REQUESTS, code, detail)
        }
    }

    /// The server has a bug. The log has the details.
    pub fn internal_error() -> ApiProblem {
        ApiProblem::new(StatusCode::INTERNAL_SERVER_ERROR, "our_mistake", "internal error of the server")
    }

    /// The server cannot process the request at the moment. The client may retry.
    pub fn unavailable(detail: impl Into<String>) -> ApiProblem {
        ApiProblem {
            retry_seconds: Some(1),
            ..ApiProblem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail)
        }
    }
}

impl From<HostError> for ApiProblem {
    fn from(error: HostError) -> ApiProblem {
        let status = match &error {
            HostError::Refused { .. }
            | HostError::TableExists(_)
            | HostError::Reused(_)
            | HostError::NeedsApproval { .. }
            | HostError::RoundGone { .. }
            | HostError::OtherTransfers
            | HostError::StakeLimit { .. } => StatusCode::CONFLICT,
            HostError::Archived { .. }
            | HostError::CommandArchived { .. }
            | HostError::Store(StoreError::Archived { .. }) => StatusCode::GONE,
            HostError::NoSuchTable(_) => StatusCode::NOT_FOUND,
            HostError::Config(_) => StatusCode::UNPROCESSABLE_ENTITY,
            HostError::Damaged { table, .. } => {
                // The description of the damage may contain accounts and amounts, so it goes to the log only.
                let detail = format!("table {table} is closed to play: its records are damaged");
                return ApiProblem::new(StatusCode::INTERNAL_SERVER_ERROR, error.code(), detail);
            }
            HostError::Replay(_) => StatusCode::INTERNAL_SERVER_ERROR,
            HostError::Store(_) | HostError::Entropy(_) | HostError::Text(_) => {
                // The error may contain files and hosts, so it goes to the log only.
                tracing::error!(%error, "a command failed");
                return ApiProblem::unavailable("the store is not available; retry the command");
            }
        };
        ApiProblem::new(status, error.code(), error.to_string())
    }
}

impl From<PersonNameFault> for ApiProblem {
    fn from(fault: PersonNameFault) -> ApiProblem {
        let message = fault.to_string();
        let name_fault =
            ApiFault { code: fault.code().to_owned(), at: Some("name".to_owned()), message: message.clone() };
        ApiProblem {
            faults: vec![name_fault],
            ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", message)
        }
    }
}

impl From<PasswordHashError> for ApiProblem {
    fn from(error: PasswordHashError) -> ApiProblem {
        tracing::error!(%error, "a password could not be hashed");
        ApiProblem::unavailable("passwords cannot be checked at the moment")
    }
}

impl From<StoreError> for ApiProblem {
    fn from(error: StoreError) -> ApiProblem {
        if let StoreError::Archived { .. } = error {
            return ApiProblem::from(HostError::Store(error));
        }
        tracing::error!(%error, "the store failed");
        ApiProblem::unavailable("the store is not available")
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry = self.retry_seconds;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
