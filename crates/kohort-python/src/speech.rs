//! How Python spells options: what a message names can be typed as it is read.

use kohort::error::Speech;

/// `k=10`, `suppress="5%"`, `drop=["ward", "cost"]`; tables that are not options stand for themselves.
pub(crate) struct Python;

impl Speech for Python {
    fn option(&self, name: &str, value: Option<&str>) -> String {
        let keyword = keyword(name);
        match value {
            None => keyword,
            Some(value) if is_by_column(name) => by_column(&keyword, value),
            Some(value) if is_list(name) && value.contains(',') => format!("{keyword}=[{}]", list(value)),
            Some(value) => format!("{keyword}={}", literal(value)),
        }
    }
}

/// As the arguments are called.
fn keyword(name: &str) -> String {
    match name {
        "input" => "data".into(),
        "identifier" => "identifiers".into(),
        "set" => "settings".into(),
        word => word.replace('-', "_"),
    }
}

/// Arguments that are dictionaries by column, or by name.
fn is_by_column(name: &str) -> bool {
    matches!(
        name,
        "snap" | "levels" | "cuts" | "max-width" | "max-generalization" | "type" | "date-format" | "set"
    )
}

fn by_column(keyword: &str, value: &str) -> String {
    match value.split_once('=') {
        Some((column, value)) => format!("{keyword}={{{}: {}}}", text(column), literal(value)),
        None => format!("{keyword}={{{}: ...}}", text(value)),
    }
}

/// Arguments that are lists of columns.
fn is_list(name: &str) -> bool {
    matches!(name, "identifier" | "person" | "qi" | "sensitive" | "keep" | "drop" | "na")
}

fn list(value: &str) -> String {
    value.split(',').map(|one| text(one.trim())).collect::<Vec<_>>().join(", ")
}

/// A number as it is, anything else as a string.
fn literal(value: &str) -> String {
    let is_number = value.parse::<f64>().is_ok_and(f64::is_finite);
    if is_number { value.to_owned() } else { text(value) }
}

fn text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}
