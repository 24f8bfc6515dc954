//! Extractors for request bodies, queries and path parameters that report an [`ApiProblem`].

use super::bounds;
use super::problem::ApiProblem;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// Query parameters.
pub(crate) struct Query<T>(pub(crate) T);

/// Path parameters.
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiProblem> {
        let (parts, body) = request.into_parts();
        let bytes = match Bytes::from_request(Request::from_parts(parts.clone(), body), state).await {
            Ok(bytes) => bytes,
            Err(rejection) => return Err(JsonRejection::BytesRejection(rejection).into()),
        };
        let request = Request::from_parts(parts, axum::body::Body::from(bytes.clone()));
        let axum::Json(value) = axum::Json::<T>::from_request(request, state).await?;
        // Bytes that parse as `T` are valid JSON.
        bounds::check(&serde_json::from_slice(&bytes).unwrap_or_default())?;
        Ok(Body(value))
    }
}

impl From<JsonRejection> for ApiProblem {
    fn from(rejection: JsonRejection) -> ApiProblem {
        match rejection {
            JsonRejection::BytesRejection(rejection) => {
                let status = rejection.status();
                let code =
                    if status == StatusCode::PAYLOAD_TOO_LARGE { "body_too_large" } else { "bad_body" };
                ApiProblem::new(status, code, rejection.body_text())
            }
            rejection => ApiProblem::new(rejection.status(), "bad_body", rejection.body_text()),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, ApiProblem> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query.map(|axum::extract::Query(value)| Query(value)).map_err(|rejection: QueryRejection| {
            ApiProblem::new(rejection.status(), "bad_query", rejection.body_text())
        })
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiProblem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Path(value)).map_err(|rejection: PathRejection| {
            // No resource has an id that does not parse.
            ApiProblem::not_found("no_such_thing", rejection.body_text())
        })
    }
}
