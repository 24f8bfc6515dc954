//! The one form of every refusal and failure over HTTP: `application/problem+json` (RFC 9457) with a code for programs.

use crate::{HostError, PersonNameFault};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoResponses, ToSchema};

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiProblem {
    /// The status of the answer.
    pub status: u16,
    /// What the status means.
    pub title: String,
    /// The code for programs. It does not change.
    pub code: String,
    /// What is wrong, for people.
    pub detail: String,
    /// Everything that is wrong, where it is more than one thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ApiFault>,
    /// After how many seconds it may be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_seconds: Option<u64>,
}

/// One of the things that are wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiFault {
    /// The code for programs.
    pub code: String,
    /// Where: the name of a field, or a place in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// The problems any question may be answered with.
#[derive(IntoResponses)]
#[allow(dead_code)] // only described, never made
pub(crate) enum Problems {
    /// It was refused.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(ApiProblem),
    /// It failed.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Failed(ApiProblem),
}

impl ApiProblem {
    /// A problem of a status.
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

    /// Somebody asks who has no session, or not of the kind that is needed.
    pub fn unauthorized(detail: &str) -> ApiProblem {
        ApiProblem::new(StatusCode::UNAUTHORIZED, "no_session", detail)
    }

    /// There is no such thing.
    pub fn not_found(code: &str, detail: impl Into<String>) -> ApiProblem {
        ApiProblem::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// Too much at once.
    pub fn too_many(code: &str, detail: impl Into<String>, retry_seconds: u64) -> ApiProblem {
        ApiProblem {
            retry_seconds: Some(retry_seconds),
            ..ApiProblem::new(StatusCode::TOO_MANY_REQUESTS, code, detail)
        }
    }

    /// Something that cannot be has happened: we are wrong. What it was is in the log.
    pub fn our_mistake() -> ApiProblem {
        ApiProblem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "our_mistake",
            "something is wrong with the server",
        )
    }

    /// It cannot be done now, through no fault of whoever asks.
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
            HostError::Refused { .. } | HostError::TableExists(_) | HostError::Reused(_) => {
                StatusCode::CONFLICT
            }
            HostError::NoSuchTable(_) => StatusCode::NOT_FOUND,
            HostError::Config(_) => StatusCode::UNPROCESSABLE_ENTITY,
            HostError::Damaged { table, .. } => {
                // The damage may name accounts and amounts: that is for the log.
                let detail = format!("table {table} is closed to play: its records are damaged");
                return ApiProblem::new(StatusCode::INTERNAL_SERVER_ERROR, error.code(), detail);
            }
            HostError::Replay(_) => StatusCode::INTERNAL_SERVER_ERROR,
            HostError::Store(_) | HostError::Entropy(_) | HostError::Text(_) => {
                // What the store says may name files and hosts: that is for the log.
                tracing::error!(%error, "a command could not be seen to");
                return ApiProblem::unavailable("the store does not answer; give the command again");
            }
        };
        ApiProblem::new(status, error.code(), error.to_string())
    }
}

impl From<PersonNameFault> for ApiProblem {
    fn from(fault: PersonNameFault) -> ApiProblem {
        let message = fault.to_string();
        let of_name =
            ApiFault { code: fault.code().to_owned(), at: Some("name".to_owned()), message: message.clone() };
        ApiProblem {
            faults: vec![of_name],
            ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", message)
        }
    }
}

impl From<crate::StoreError> for ApiProblem {
    fn from(error: crate::StoreError) -> ApiProblem {
        tracing::error!(%error, "the store failed");
        ApiProblem::unavailable("the store does not answer")
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
