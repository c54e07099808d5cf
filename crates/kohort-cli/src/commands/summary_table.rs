//! What was achieved and what it cost, for a person.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use kohort::demand::{Demand, Model};
use kohort::job::{ColumnRead, Outcome, Verdict};
use kohort::report::{Agreement, CertificateCheck, Growth, Summary, rounded_down, rounded_up};
use kohort::verify::SourceCheck;

/// The end of `anonymize`; the certificate and the audit record are at these places.
pub(super) fn outcome(places: (Option<PathBuf>, Option<PathBuf>), outcome: &Outcome) -> String {
    format!("{}\n{}", columns(&outcome.columns), achieved(places, outcome))
}

/// The same where no table was read that would have columns.
pub(super) fn achieved(
    (certificate, audit): (Option<PathBuf>, Option<PathBuf>),
    outcome: &Outcome,
) -> String {
    let s = &outcome.summary;
    let but =
        if s.opted_out > 0 { format!(" but the {} opted out", count(s.opted_out)) } else { String::new() };
    let mut text = match s.notion {
        "k" => {
            let k = s.achieved.k;
            let whose = if s.people.is_some() {
                format!("rows of at least {k} people")
            } else {
                format!("at least {k}")
            };
            format!("Verified: every row{but} hides among {whose}{}.\n\n", diversity(outcome))
        }
        notion => format!("Verified: every row{but} {}.\n\n", promise(s, notion)),
    };
    text += &figures(s);
    text += &per_column(s);
    if let Some(place) = certificate {
        let _ = writeln!(text, "\nCertificate, goes with the release: {}", place.display());
    }
    if let Some(place) = audit {
        let _ = writeln!(text, "Audit record, private, stays here: {}", place.display());
    }
    text
}

/// Kept and dropped columns that are listed before the rest of them is counted.
const LISTED: usize = 12;

/// What became of a batch.
pub(super) fn growth(g: &Growth, ledger: &Path) -> String {
    let mut rows = vec![
        ("release of this table".to_owned(), count(u64::from(g.release))),
        ("rows of the batch".into(), count(g.batch)),
        ("rows that had waited".into(), count(g.had_waited)),
        ("  released now, in classes".into(), count(g.appended)),
        ("  waiting for the next batch, in no release".into(), count(g.waiting)),
    ];
    if g.waiting > 0 {
        rows.push(("    too few are like them to form a group".into(), count(g.waiting - g.waiting_lacking)));
        rows.push(("    they lack a quasi-identifier".into(), count(g.waiting_lacking)));
    }
    let some = [
        ("  published as they are", g.opened),
        ("  of people of earlier releases", g.returning),
        ("withdrawn", g.withdrawn),
        ("withheld with them", g.withheld),
        ("new groups that joined an earlier class", g.joined),
        ("  of them, joined an earlier group one by one", g.inserted),
        ("    into groups that covered them", g.covered),
    ];
    rows.extend(some.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), count(n))));
    rows.push(("groups that are never split".into(), count(g.atoms)));
    rows.push(("  new ones".into(), count(g.new_atoms)));
    if let Some(loss) = &g.loss {
        rows.push(("information loss of the new rows (il)".into(), format!("{:.4}", loss.il)));
    }
    if g.release > 1 {
        // Earlier rows come from the release before: what they were is kept nowhere.
        rows.push((
            "loss of the whole table, and its bound".into(),
            "unknown: originals of earlier rows are not kept".into(),
        ));
    }
    format!("\n{}\nLedger, private, stays here: {}\n", table(rows), ledger.display())
}

/// How every column was read, one line each.
fn columns(all: &[ColumnRead]) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let (mut others, mut left_out) = (0, 0);
    for column in all {
        let is_read = column.values.is_some();
        others += usize::from(!is_read);
        if !is_read && others > LISTED {
            left_out += 1;
            continue;
        }
        rows.push([format!("  {}", column.name), column.role.to_string(), read_as(column)]);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for row in rows {
        table.add_row(row);
    }
    let more = if left_out > 0 {
        format!("  and {left_out} more that are kept or dropped\n")
    } else {
        String::new()
    };
    format!("Columns\n{}\n{more}", table.trim_fmt())
}

fn read_as(column: &ColumnRead) -> String {
    let n = |n: u64, what: &str| {
        format!("{} {what}{}", count(n), if n == 1 || what == "missing" { "" } else { "s" })
    };
    let values = column.values.map(|values| n(values, "value"));
    let missing = column.missing.filter(|&missing| missing > 0).map(|missing| n(missing, "missing"));
    let parts = [column.read_as.clone(), values, missing];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What a notion other than k-anonymity achieved.
fn promise(s: &Summary, notion: &str) -> String {
    let of = |n: Option<u64>| n.map_or_else(|| "?".into(), count);
    match notion {
        "1k" => {
            format!("fits at least {} published rows; this protects nobody by itself", of(s.achieved.one_k))
        }
        "k1" => format!(
            "is published as something that fits at least {} rows; this protects nobody by itself",
            of(s.achieved.k1)
        ),
        "kk" => format!(
            "fits at least {} published rows, and every published row fits at least {}",
            of(s.achieved.one_k),
            of(s.achieved.k1)
        ),
        _ => {
            let diverse = s.achieved.global_p.iter().filter(|(_, p)| **p > 1);
            let lead =
                format!("has at least {} published rows that could be its own", of(s.achieved.global_1k));
            diverse.fold(lead, |mut text, (column, p)| {
                let _ = write!(text, ", with at least {p} different values of {column}");
                text
            })
        }
    }
}

/// What the classes have of each sensitive column, where it is more than one value, and what else was asked and met.
fn diversity(outcome: &Outcome) -> String {
    let (s, mut parts) = (&outcome.summary, Vec::new());
    for (column, p) in s.achieved.p.iter().filter(|(_, p)| **p > 1) {
        let kinds = if s.achieved.protected.contains(column) { "kinds of " } else { "" };
        parts.push(format!("at least {p} different {kinds}values of {column}"));
    }
    let said = |d: &&Demand| {
        !matches!(d.model, Model::KAnonymity { .. } | Model::PSensitive { .. } | Model::DistinctL { .. })
    };
    parts.extend(s.asked.iter().filter(said).map(ToString::to_string));
    match parts.split_last() {
        None => String::new(),
        Some((one, [])) => format!(", with {one}"),
        Some((last, others)) => format!(", with {} and {last}", others.join(", ")),
    }
}

/// The end of `verify`.
pub(super) fn verdict(verdict: &Verdict) -> String {
    let s = &verdict.summary;
    let mut rows = figure_rows(s);
    if !verdict.compared.is_empty() {
        rows.push(("untouched columns compared with the original".into(), verdict.compared.join(", ")));
    }
    let mut text = table(rows);
    text += &per_column(s);
    text
}

/// What a certificate was held against, in a line.
pub(super) fn certificate(check: &CertificateCheck) -> String {
    let named = |wanted: Agreement| {
        let parts = check.parts().into_iter().filter(|(_, found)| *found == wanted);
        listed(&parts.map(|(name, _)| name).collect::<Vec<_>>())
    };
    let said = [
        (named(Agreement::Same), "as it says"),
        (named(Agreement::Differs), "not as it says"),
        (named(Agreement::NotChecked), "not compared"),
    ];
    let said = said.into_iter().filter(|(names, _)| !names.is_empty());
    let said: Vec<String> = said.map(|(names, how)| format!("{names} {how}")).collect();
    format!("Certificate {}: {}", check.file, said.join("; "))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(parts: &[&str]) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((one, [])) => (*one).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

fn figures(s: &Summary) -> String {
    table(figure_rows(s))
}

fn figure_rows(s: &Summary) -> Vec<(String, String)> {
    let mut rows = vec![
        ("rows".to_owned(), count(s.rows)),
        ("released".into(), count(s.released)),
        ("suppressed".into(), count(s.suppressed)),
    ];
    if let Some(people) = s.people {
        rows.insert(1, ("people".into(), count(people.in_table.unwrap_or(people.released))));
    }
    if s.opted_out > 0 {
        rows.push(("opted out, published as they are".into(), count(s.opted_out)));
    }
    rows.extend(classes(s));
    rows.extend(notions(s));
    if let Some(algorithm) = &s.algorithm {
        let blocks = s.blocks.map(|b| format!(", in {} blocks", count(b.count))).unwrap_or_default();
        rows.push(("algorithm".into(), format!("{algorithm}{blocks}")));
        rows.extend(s.refined.map(|steps| ("  its groups refined, steps".into(), count(steps))));
    }
    if let Some(loss) = &s.loss {
        rows.push(("information loss (il), 0 none, 1 all".into(), format!("{:.4}", loss.il)));
        rows.push(("loss of possible values (lm)".into(), format!("{:.4}", loss.lm)));
        rows.push(("uncertainty (entropy), bits per cell".into(), format!("{:.4}", loss.entropy)));
        rows.push(("certainty penalty (ncp)".into(), format!("{:.4}", loss.ncp)));
        rows.push(("distortion ratio".into(), format!("{:.4}", loss.distortion_ratio)));
        rows.extend(least_loss(s));
        rows.push(("cells generalized".into(), format!("{:.1} %", 100.0 * loss.modification_rate)));
        if s.notion == "k" {
            rows.push(("rows per class / k (avg)".into(), format!("{:.3}", loss.avg)));
        }
    }
    if let Some(check) = s.achieved.source_check {
        let how = match check {
            SourceCheck::RowByRow => "row by row",
            SourceCheck::Matched => "by matching",
            SourceCheck::NotChecked if s.loss.is_none() => {
                "not checked: they cannot be read as what they cover"
            }
            SourceCheck::NotChecked => {
                "not checked: too many to match; releases made with --keep-order need no matching"
            }
        };
        rows.push(("cells traced to the original".into(), how.into()));
    }
    if let Some(n) = s.achieved.boundary_violations.filter(|&n| n > 0) {
        rows.push(("cells beyond their boundary".into(), count(n)));
    }
    if let Some(n) = s.achieved.illegal_cells.filter(|&n| n > 0) {
        rows.push(("cells without a source".into(), count(n)));
    }
    rows
}

/// What no release loses less than, and how far this one is from it. To the safe side: what is shown must still be a bound.
fn least_loss(s: &Summary) -> Vec<(String, String)> {
    let Some(bound) = s.lower_bound.bound else { return Vec::new() };
    let name = format!("no release loses less than ({})", s.lower_bound.measure);
    let gap = s.lower_bound.gap.map(|gap| format!("{:.3}", rounded_up(gap, 3)));
    let least = (name, format!("{:.4}", rounded_down(bound, 4)));
    [least].into_iter().chain(gap.map(|gap| ("loss of this release over that".into(), gap))).collect()
}

/// Groups of rows that look the same. Where the notion does not ask for them, only how many there are is of interest.
fn classes(s: &Summary) -> Vec<(String, String)> {
    if s.notion != "k" {
        return vec![("different published rows".to_owned(), count(s.classes))];
    }
    let mut rows = vec![
        ("classes".to_owned(), count(s.classes)),
        ("k, smallest class".into(), count(s.achieved.k)),
        ("largest class".into(), count(s.achieved.largest_class)),
    ];
    if let Some(people) = s.people {
        rows[1].0 = "k, fewest people in a class".into();
        rows[2].0 = "rows of the largest class".into();
        rows.insert(2, ("rows of the smallest class".into(), count(people.smallest_class_rows)));
    }
    for column in s.achieved.p.keys() {
        rows.extend(diversity_of(s, column));
    }
    rows
}

const BETA: &str = "  largest gain in frequency (beta)";
const DELTA: &str = "  largest change in frequency (delta)";

/// How diverse the worst class is in one column: all of it where a table was checked, what was asked where one was made.
fn diversity_of(s: &Summary, column: &str) -> Vec<(String, String)> {
    let found = &s.achieved;
    let asked = |wanted: fn(&Model) -> bool| s.algorithm.is_none() || s.asked.of(column).any(wanted);
    let (p, l) = (found.p[column], found.l_distinct[column]);
    let kinds = if found.protected.iter().any(|c| c == column) { "kinds of " } else { "" };
    let mut rows = vec![(format!("p, least different {kinds}{column}"), count(p))];
    if p != l {
        rows.push(("  without regard to what is protected".into(), count(l)));
    }
    let others = [
        (
            "  as uncertain as so many (entropy l)",
            &found.l_entropy,
            asked(|m| matches!(m, Model::EntropyL { .. })),
        ),
        ("  largest share of a value (alpha)", &found.alpha, asked(|m| matches!(m, Model::AlphaK { .. }))),
        ("  c of recursive diversity is above", &found.recursive, true),
        (
            // Without an original there is only the table itself.
            if found.source_check.is_some() {
                "  distance from the original (t)"
            } else {
                "  distance from this whole table (t)"
            },
            &found.t,
            asked(|m| matches!(m, Model::TCloseness { .. })),
        ),
        (BETA, &found.beta, asked(|m| matches!(m, Model::BetaLikeness { .. }))),
        (DELTA, &found.delta, asked(|m| matches!(m, Model::DeltaDisclosure { .. }))),
    ];
    for (name, by_column, _) in others.into_iter().filter(|(.., shown)| *shown) {
        // To the safe side: what is shown must still be a bound.
        let safe = if name.contains("entropy") { rounded_down } else { rounded_up };
        let text = |x: f64| {
            match name {
                _ if x.is_finite() => format!("{:.3}", safe(x, 3)),
                // From a class, or from the table it is compared with: there is no number for it.
                BETA | DELTA => "a value is absent".into(),
                _ => "too few values".into(),
            }
        };
        rows.extend(by_column.get(column).map(|&x| (name.to_owned(), text(x))));
    }
    rows
}

/// What is achieved beyond classes, where it was worked out; who asked for classes and has them need not read it.
fn notions(s: &Summary) -> Vec<(String, String)> {
    if s.notion == "k" && s.algorithm.is_some() {
        return Vec::new();
    }
    let found = [
        ("published rows a person fits, at least (1,k)", s.achieved.one_k),
        ("people a published row fits, at least (k,1)", s.achieved.k1),
        ("published rows that could be a person's (global)", s.achieved.global_1k),
    ];
    let mut rows: Vec<_> =
        found.into_iter().filter_map(|(name, n)| Some((name.to_owned(), count(n?)))).collect();
    if rows.is_empty() && s.notion == "k" && s.loss.is_some() {
        rows.push(("(1,k), (k,1), global".into(), "not worked out: too many rows and classes".into()));
    }
    if s.notion == "global-1k" {
        let diverse = s.achieved.global_p.iter();
        rows.extend(
            diverse.map(|(column, p)| (format!("p, least different {column} behind them"), count(*p))),
        );
    }
    rows
}

/// Where the detail went: a bar per column.
fn per_column(s: &Summary) -> String {
    let Some(loss) = &s.loss else { return String::new() };
    let bar = |il: f64| "█".repeat((il * 30.0).round() as usize);
    let rows =
        loss.per_column.iter().map(|(name, &il)| (format!("  {name}"), format!("{il:.4} {:<30}", bar(il))));
    format!("\nInformation lost per column (il)\n{}", table(rows))
}

fn table(rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for (name, value) in rows {
        table.add_row(vec![name, value]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n", table.trim_fmt())
}

/// Thousands apart, for reading.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
