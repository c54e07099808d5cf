//! `kohort hierarchy check`: everything that would stop a run, before it runs.

use std::fmt::Write;
use std::path::PathBuf;

use kohort::Error;
use kohort::data::{Hierarchy, is_missing, plain_number};
use kohort::error::nearest;
use kohort::input::{ByMeaning, bind, column_counts, examine_hierarchy_of};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::job_flags::ReadFlags;
use super::{count, stem, summary};
use crate::exit::ExitCode;
use crate::terminal::say;

/// Up to this many missing values, each is compared with all values of the file to spot typing errors.
const COMPARED: usize = 20;

/// Arguments of `kohort hierarchy check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hierarchy: ARX/anjana CSV, Amnesia text or mosaicrown JSON
    file: PathBuf,
    /// A table whose values must all be in the hierarchy
    #[arg(long, requires = "column")]
    data: Option<PathBuf>,
    /// The column of the table
    #[arg(long, value_name = "NAME", requires = "data")]
    column: Option<String>,
    /// Texts that mean a missing value besides blank ones, such as NA,-99
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', allow_hyphen_values = true, requires = "data")]
    na: Vec<String>,
    #[command(flatten)]
    read: ReadFlags,
}

/// Prints all findings; exit code 2 when the hierarchy cannot be used.
pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    let (text, problems) = report(args)?;
    say(&text)?;
    Ok(if problems == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// What to print, and how many problems there are.
fn report(args: &Args) -> Result<(String, usize), Error> {
    let name = args.column.clone().unwrap_or_else(|| stem(&args.file));
    let counts = match (&args.data, &args.column) {
        (Some(data), Some(column)) => {
            Some(with_one_missing(column_counts(data, &args.read.options(), column)?, &args.na))
        }
        _ => None,
    };
    let is_value = |text: &str| counts.iter().flatten().any(|(value, _)| value == text);
    let examined = examine_hierarchy_of(&args.file, &name, &is_value)?;
    let mut text = format!("{}: {}\n", args.file.display(), summary(&examined.draft));
    for finding in &examined.findings {
        let kind = if finding.fatal { "error" } else { "note" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{kind}: line {}: {}", finding.line, finding.what);
    }
    let mut problems = examined.findings.iter().filter(|f| f.fatal).count();
    if let Some(counts) = &counts {
        problems += missing(examined.draft, counts, &mut text)?;
    }
    let verdict = match problems {
        0 => "the hierarchy can be used".to_owned(),
        n => format!("the hierarchy cannot be used: {}", count(n as u64, "problem")),
    };
    let _ = writeln!(text, "{verdict}");
    Ok((text, problems))
}

/// Values with their rows, those that mean a missing one as the empty text.
fn with_one_missing(counts: Vec<(String, u64)>, na: &[String]) -> Vec<(String, u64)> {
    let (missing, mut present): (Vec<_>, Vec<_>) =
        counts.into_iter().partition(|(value, _)| is_missing(value, na));
    if !missing.is_empty() {
        present.push((String::new(), missing.iter().map(|(_, rows)| rows).sum()));
    }
    present
}

/// Names every value of the table that has no place in the tree, and returns how many there are.
fn missing(tree: Hierarchy, counts: &[(String, u64)], text: &mut String) -> Result<usize, Error> {
    let rows: FxHashMap<&str, u64> = counts.iter().map(|(v, n)| (v.as_str(), *n)).collect();
    let values: Vec<String> = counts.iter().map(|(v, _)| v.clone()).filter(|v| !v.is_empty()).collect();
    let labels: Vec<String> = (0..tree.leaf_count()).map(|l| tree.label(l).to_owned()).collect();
    let no_leaf_for_missing = tree.leaf("").is_none();
    let by_meaning = ByMeaning::new(&tree, &values);
    let (elsewhere, homeless): (Vec<_>, Vec<_>) = bind(tree, &values)?
        .homeless
        .into_iter()
        .map(|value| (by_meaning.leaf(&value), value))
        .partition(|(leaf, _)| leaf.is_some());
    let homeless: Vec<String> = homeless.into_iter().map(|(_, value)| value).collect();
    let respelled: FxHashSet<u32> = elsewhere.iter().filter_map(|(leaf, _)| *leaf).collect();
    if !elsewhere.is_empty() {
        let _ = writeln!(
            text,
            "note: {} of the table stand in the hierarchy in another spelling",
            count(elsewhere.len() as u64, "value")
        );
    }
    for value in &homeless {
        let hint = (homeless.len() <= COMPARED).then(|| hint(value, &labels)).flatten().unwrap_or_default();
        let _ = writeln!(
            text,
            "error: '{value}' is not in the hierarchy ({}){hint}",
            count(rows[value.as_str()], "row")
        );
    }
    if let (true, Some(&n)) = (no_leaf_for_missing, rows.get("")) {
        let _ = writeln!(
            text,
            "note: {} without a value: missing stands directly below the root",
            count(n, "row")
        );
    }
    let is_used = |leaf: u32, label: &str| rows.contains_key(label) || respelled.contains(&leaf);
    let unused = (0..).zip(&labels).filter(|(leaf, label)| !is_used(*leaf, label)).count();
    let _ = writeln!(
        text,
        "{} of the table checked, {} of the hierarchy not among them",
        count(values.len() as u64, "value"),
        count(unused as u64, "value")
    );
    Ok(homeless.len())
}

/// A likely typing error; numbers are always near some other number, which says nothing.
fn hint(value: &str, labels: &[String]) -> Option<String> {
    if plain_number(value).is_some() {
        return None;
    }
    nearest(value, labels.iter().map(String::as_str)).map(|near| format!(", did you mean '{near}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hierarchy: &str, data: Option<&str>) -> (String, usize) {
        let directory = tempfile::tempdir().unwrap();
        let (file, table) = (directory.path().join("h.csv"), directory.path().join("t.csv"));
        std::fs::write(&file, hierarchy).unwrap();
        std::fs::write(&table, data.unwrap_or("")).unwrap();
        let column = data.map(|_| "place".to_owned());
        report(&Args {
            file,
            data: data.map(|_| table),
            read: ReadFlags::default(),
            column,
            na: vec!["NA".into()],
        })
        .unwrap()
    }

    #[test]
    fn what_means_missing_needs_no_place() {
        let (text, problems) = check("a;A;*\nb;A;*\n", Some("place\na\nNA\n NA\nb\n"));
        assert_eq!(problems, 0, "{text}");
        assert!(
            text.contains("note: 2 rows without a value") && text.contains("2 values of the table"),
            "{text}"
        );
    }

    #[test]
    fn a_good_file_says_so() {
        let (text, problems) = check("a;A;*\nb;A;*\n", None);
        assert!(text.ends_with("the hierarchy can be used\n") && problems == 0, "{text}");
        assert!(text.contains("2 values, 2 levels above them, root '*'"), "{text}");
    }

    #[test]
    fn contradictions_and_missing_values_are_all_named() {
        let data = "id,place\n1,Kansas\n2,Kanzas\n3,Kanzas\n4,Oz\n5,\n";
        let (text, problems) = check("Kansas;Midwest;*\nKansas;West;*\nOhio;Midwest;*\n", Some(data));
        assert_eq!(problems, 3, "{text}");
        assert!(text.contains("error: line 2: 'Kansas' has another path on line 1"), "{text}");
        assert!(
            text.contains("error: 'Kanzas' is not in the hierarchy (2 rows), did you mean 'Kansas'?"),
            "{text}"
        );
        assert!(text.contains("error: 'Oz' is not in the hierarchy (1 row)\n"), "{text}");
        assert!(text.contains("note: 1 row without a value"), "{text}");
        assert!(text.contains("cannot be used: 3 problems"), "{text}");
    }

    #[test]
    fn a_header_is_skipped_unless_the_column_has_that_value() {
        let file = "place;region;world\na;A;*\nb;A;*\n";
        let (text, problems) = check(file, Some("place\na\nb\n"));
        assert!(problems == 0 && text.contains("2 values, 2 levels"), "{text}");
        assert!(
            text.contains("note: line 1: 'place;region;world' is taken for a header and skipped"),
            "{text}"
        );
        let (text, problems) = check(file, Some("place\na\nplace\n"));
        assert!(problems == 0 && !text.contains("skipped") && text.contains("if it is a header"), "{text}");
    }

    #[test]
    fn values_in_another_spelling_have_their_place() {
        let file = "1999-12-31;1999;*\n2000-01-02;2000;*\n2001-05-06;2001;*\n";
        let (text, problems) = check(file, Some("place\n31.12.1999\n02.01.2000\n"));
        assert_eq!(problems, 0, "{text}");
        assert!(
            text.contains("note: 2 values of the table stand in the hierarchy in another spelling"),
            "{text}"
        );
        assert!(text.contains("2 values of the table checked, 1 value of the hierarchy not among"), "{text}");
        let (text, problems) = check(file, Some("place\n31.12.1999\n02.02.2000\n"));
        assert!(problems == 1 && text.contains("error: '02.02.2000' is not in the hierarchy"), "{text}");
    }

    #[test]
    fn numbers_inside_ranges_are_not_missing() {
        let (text, problems) = check("0-9;*\n10-19;*\n", Some("place\n3\n19\n20\n"));
        assert!(problems == 1 && text.contains("error: '20' is not in the hierarchy (1 row)\n"), "{text}");
    }
}
