//! Parsing and validation of TOML documents: rule books, house ways and round files.
//!
//! A [`Document`] is a tree in which every value has a [`Span`], so a [`Problem`] can point at it. A document can be
//! overlaid with another, such as a book that extends a book or a `--set` option. The tree then has values from several
//! [`Source`]s. A [`Spec`] is the schema of a document. It checks the document and collects every problem. The JSON
//! Schemas for editors are made from it.
//!
//! The modules `rulebook`, `house_way` and `round` interpret the values.

pub(crate) mod check;
mod problem;
pub(crate) mod provenance;
pub(crate) mod spec;
mod tree;
mod wording;

pub(crate) use problem::sorted_problems;
pub use problem::{Edition, Problem, ProblemCode, Source, Span, TextOrigin};
pub use provenance::{Provenance, ValueKind, ValueRange, assumption};
pub use spec::{Field, FieldType, Spec};
pub use tree::{Document, DocumentEntry, DocumentTable, Node, Value};
pub(crate) use wording::apply_wording;
#[cfg(feature = "reword")]
pub use wording::reword;
