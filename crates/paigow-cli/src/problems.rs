//! Problems of texts, rendered with the source line underlined.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use paigow::document::{Problem, ProblemCode};
use paigow_answers::Faults;
use serde_json::{Value, json};
use std::io::IsTerminal;

/// Maximum length of a source line to print. Longer lines are left out.
const LINE_BYTES_MAX: usize = 400;

/// Renders problems in the style of a compiler.
pub(crate) fn render(problems: &[Problem]) -> String {
    let styled = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let reports: Vec<String> = problems.iter().map(|problem| report(problem, &renderer)).collect();
    reports.join("\n\n")
}

/// Renders faults of a question: one line per fault of the question itself, then the problems of texts.
pub(crate) fn render_faults(faults: &Faults) -> String {
    let of_question = faults.faults.iter().filter(|fault| fault.problem.is_none());
    let mut parts: Vec<String> = of_question.map(|fault| format!("paigow: {}", fault.message)).collect();
    let problems: Vec<Problem> = faults.faults.iter().filter_map(|fault| fault.problem.clone()).collect();
    if !problems.is_empty() {
        parts.push(render(&problems));
    }
    parts.join("\n")
}

fn report(problem: &Problem, renderer: &Renderer) -> String {
    let text = &*problem.span.source.text;
    let start = floor(text, problem.span.start);
    let end = floor(text, problem.span.end.max(start));
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    if line_end - line_start > LINE_BYTES_MAX {
        return match refusal_code(problem) {
            Some(code) => format!("error[{code}]: {problem}"),
            None => format!("error: {problem}"),
        };
    }
    let marked = AnnotationKind::Primary.span(start..end).label(problem.help.as_deref().unwrap_or_default());
    let snippet = Snippet::source(text).path(&*problem.span.source.name).annotation(marked);
    let mut title = Level::ERROR.primary_title(&*problem.message);
    if let Some(code) = refusal_code(problem) {
        title = title.id(code);
    }
    renderer.render(&[title.element(snippet)])
}

/// Returns the code of a refusal, or `None` for other problems.
fn refusal_code(problem: &Problem) -> Option<&'static str> {
    match problem.code {
        ProblemCode::BadText => None,
        ProblemCode::Refused(code) => Some(code.name()),
    }
}

/// Returns the nearest character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
}

/// Converts a problem to JSON.
pub(crate) fn json(problem: &Problem) -> Value {
    let (line, column) = problem.span.line_and_column();
    json!({
        "file": &*problem.span.source.name,
        "line": line,
        "column": column,
        "code": problem.code.name(),
        "message": problem.message,
        "help": problem.help,
    })
}
