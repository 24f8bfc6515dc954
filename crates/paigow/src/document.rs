//! Text files that people write and the program checks: rule books, house ways.
//!
//! A [`Document`] is TOML read into a tree in which every value knows where it stands, so that a problem can point
//! at it. One document may be laid over another (a book that extends a book, a `--set` on the command line): the
//! tree then has values from several [`Source`]s. What a document may contain is a [`Spec`], which checks it, collecting
//! every problem, and which also describes it to editors as a JSON Schema.
//!
//! What the values mean is the business of `rulebook` and `house_way`.

pub(crate) mod check;
mod problem;
pub(crate) mod provenance;
mod schema;
pub(crate) mod spec;
mod tree;
mod wording;

pub(crate) use problem::in_order;
pub use problem::{Edition, Problem, ProblemCode, Source, Span, TextOrigin};
pub use provenance::{Provenance, ValueKind, ValueRange, assumption};
pub use schema::json_schema;
pub use spec::{Field, FieldType, Spec};
pub use tree::{Document, DocumentEntry, DocumentTable, Node, Value};
#[cfg(feature = "reword")]
pub use wording::reword;
pub(crate) use wording::worded;
