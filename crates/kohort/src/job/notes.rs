//! What a person should hear although nothing is wrong: where detail is lost for no good reason, and what stays unprotected.

use std::path::Path;

use crate::data::{Attribute, Domain, Hierarchy, Kind, Point, Table};
use crate::input::{JobFile, Source};

/// From how many different values on a category without hierarchy is worth a note.
const MANY: usize = 20;

/// Everything worth saying about a job on this table.
pub(super) fn notes(job: &JobFile, source: &Source, table: &Table) -> Vec<String> {
    let mut out: Vec<String> = table
        .qi
        .iter()
        .filter(|q| is_guess(job, &q.attribute))
        .filter_map(|q| no_hierarchy(&q.attribute))
        .collect();
    out.extend(job.hierarchies.as_deref().into_iter().flat_map(|folder| unused(folder, source)));
    if job.p.unwrap_or(1) < 2 && !table.sensitive.is_empty() {
        let names: Vec<_> = table.sensitive.iter().map(|s| format!("'{}'", s.name)).collect();
        out.push(format!("without -p all rows of a class may share one value of {}", names.join(", ")));
    }
    out
}

/// Whether nobody said how the values of a column compare.
fn is_guess(job: &JobFile, attribute: &Attribute) -> bool {
    job.columns.get(&attribute.name).is_none_or(|e| e.kind.is_none() && e.hierarchy.is_none())
}

/// A category with many values that can only become `*` is often a number or date that was not recognized.
fn no_hierarchy(attribute: &Attribute) -> Option<String> {
    let Domain::Tree(h) = &attribute.domain else { return None };
    if h.height() > 1 || attribute.present() <= MANY {
        return None;
    }
    let labels = || (0..h.leaf_count()).map(|leaf| h.label(leaf)).filter(|l| !l.is_empty());
    let all = labels().count();
    let (kind, fitting) = [Kind::Integer, Kind::Decimal, Kind::Date]
        .map(|kind| (kind, labels().filter(|l| Point::parse(kind, l).is_some()).count()))
        .into_iter()
        .max_by_key(|(_, n)| *n)?;
    let name = &attribute.name;
    let lead = format!("'{name}' has {all} different values and no hierarchy, so they can only become '*'");
    Some(if fitting < all && 2 * fitting >= all {
        format!(
            "{lead}; {fitting} of them are of type {kind}, the others keep it from becoming intervals (--type {name}={kind} lists them)"
        )
    } else if 2 * labels().filter(|l| looks_like_a_date(l)).count() >= all {
        format!("{lead}; dates are understood when written as YYYY-MM-DD")
    } else {
        format!("{lead}; `kohort hierarchy build` makes one")
    })
}

/// `04.05.1960`, `4/5/60`.
fn looks_like_a_date(text: &str) -> bool {
    let parts: Vec<_> = text.split(['.', '/']).collect();
    parts.len() == 3 && parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

/// Hierarchy files that belong to no column are likely misnamed.
fn unused(folder: &Path, source: &Source) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect();
    files.sort();
    let stem = |p: &Path| p.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
    let stray = |p: &&std::path::PathBuf| !source.names().any(|name| name == stem(p));
    files.iter().filter(stray).map(|p| format!("{} belongs to no column of the table", p.display())).collect()
}

/// How a quasi-identifier was understood, for the certificate.
pub(super) fn understood(attribute: &Attribute) -> String {
    let height = |h: &Hierarchy| h.height();
    match &attribute.domain {
        Domain::Interval(n) => format!("{}, smallest interval", n.kind()),
        Domain::Tree(h) if height(h) > 1 => {
            format!("category, hierarchy of {} levels above the value", height(h))
        }
        Domain::Tree(_) => "category, the value or '*'".into(),
    }
}
