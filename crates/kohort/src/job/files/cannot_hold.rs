//! What a format cannot hold of a table: its types, where all cells become text.

use std::path::Path;

use arrow::datatypes::{DataType, Schema};

use crate::error::Said;
use crate::input::Format;

/// So many columns are named.
const NAMED: usize = 5;

/// What is lost, in words; none where nothing is.
pub(super) fn cannot_hold(format: Format, schema: &Schema, output: &Path) -> Option<Said> {
    let (name, types) = match format {
        Format::Csv { .. } => ("CSV", "has no types"),
        Format::JsonLines => ("JSON", "has no types but texts, numbers and truth values"),
        Format::Parquet | Format::Arrow => return None,
    };
    let lost = schema.fields().iter().filter(|field| !is_held(field.data_type()));
    let lost: Vec<String> = lost.map(|field| format!("'{}'", field.name())).collect();
    if lost.is_empty() {
        return None;
    }
    let more = match lost.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let columns = if lost.len() == 1 { "column" } else { "columns" };
    let verb = if lost.len() == 1 { "is" } else { "are" };
    Some(
        format!(
            "{}: {name} {types}, so that {columns} {}{more} {verb} written as text; .parquet and .arrow keep them",
            output.display(),
            lost[..lost.len().min(NAMED)].join(", ")
        )
        .into(),
    )
}

/// Texts and numbers are read back with all their digits.
fn is_held(data: &DataType) -> bool {
    let is_decimal = matches!(
        data,
        DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..)
    );
    is_decimal
        || data.is_integer()
        || data.is_floating()
        || matches!(data, DataType::Utf8 | DataType::LargeUtf8 | DataType::Null | DataType::Boolean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Field;

    #[test]
    fn types_that_become_text_are_named() {
        let field = |name: &str, data| Field::new(name, data, true);
        let schema = Schema::new(vec![
            field("name", DataType::Utf8),
            field("age", DataType::Int64),
            field("born", DataType::Date32),
            field("raw", DataType::Binary),
        ]);
        let said = |format| cannot_hold(format, &schema, Path::new("r")).map(|said| said.to_string());
        let csv = said(Format::Csv { separator: b',' }).unwrap();
        assert!(
            csv.starts_with("r: CSV has no types, so that columns 'born', 'raw' are written as text"),
            "{csv}"
        );
        assert!(said(Format::JsonLines).unwrap().contains("'born', 'raw'"));
        assert_eq!(said(Format::Parquet), None);
        let texts = Schema::new(vec![field("name", DataType::Utf8)]);
        assert_eq!(cannot_hold(Format::JsonLines, &texts, Path::new("r")), None);
    }
}
