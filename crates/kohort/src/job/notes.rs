//! What a person should hear although nothing is wrong: where detail is lost for no good reason, and what stays unprotected.

use std::path::Path;

use super::CheckedJob;
use super::observed::Ended;
use super::prepare::hierarchy_file;
use super::roles::Roles;
use crate::algorithm::SuppressionCounts;
use crate::data::recipes::groups_of_words;
use crate::data::{
    Alone, Attribute, Boundary, Domain, Ground, Hierarchy, Kind, Point, Rest, Role, Sensitive, Table,
};
use crate::demand::Notion;
use crate::error::{Said, counted, marked};
use crate::input::{TableSource, header_of};
use crate::measure::Measure;
use crate::report::{Summary, UnfinishedSearch};

/// From how many different values on a category without hierarchy is worth a note.
const MANY: usize = 20;

/// The share of suppressed rows, in percent, from which on a person must hear of it.
const MUCH: f64 = 10.0;

/// The loss from which on there is nothing to learn.
const NOTHING_LEFT: f64 = 0.9999;

/// The share of opted-out rows, in percent, beyond which something is likely wrong.
const HALF: f64 = 50.0;

/// Everything worth saying about a job on this table.
pub(super) fn notes(
    job: &CheckedJob,
    source: &dyn TableSource,
    table: &Table,
    account: &SuppressionCounts,
    summary: &Summary,
) -> Vec<Said> {
    let mut out: Vec<String> = table
        .qi
        .iter()
        .filter(|q| is_guess(job, &q.attribute))
        .filter_map(|q| no_hierarchy(&q.attribute))
        .collect();
    let reasons = [
        (account.missing, "a quasi-identifier is missing"),
        (account.boundaries, too_few(job)),
        (account.skewed, "their sensitive values are so frequent that no class could hold all of them"),
        (account.outliers, "farther from all others than the threshold of the algorithm"),
        (account.levels, "their class fell short at the chosen levels"),
    ];
    for (rows, reason) in reasons.into_iter().filter(|(rows, _)| *rows > 0) {
        let reason =
            if rows == 1 { reason.replace("them", "it").replace("their", "its") } else { reason.to_owned() };
        out.push(format!("{} suppressed: {reason}", counted(rows, "row")));
    }
    if job.opt_out.is_some() && table.verbatim_count() == 0 {
        out.push("‹opt-out›: no row has this value, so nobody is published as they are".into());
    }
    if source.blank_lines() > 0 {
        let n = counted(source.blank_lines(), "line");
        out.push(format!("{n} of the table without any value left out: they are nobody's"));
    }
    out.extend(table.qi.iter().filter_map(|q| skipped_header(job, &q.attribute)));
    out.extend(table.qi.iter().filter_map(|q| alphabetical(&q.attribute)));
    out.extend(table.qi.iter().filter_map(|q| idle_marks(&q.attribute)));
    for q in &table.qi {
        let (name, free) = (&q.attribute.name, unlimited(&q.attribute));
        if let Some(first) = free.first() {
            let (n, verb) = (free.len(), if free.len() == 1 { "value has" } else { "values have" });
            out.push(format!(
                "column '{name}', max_generalization: {n} {verb} no limit, because no node above is named (such as '{first}')"
            ));
        }
        if !q.attribute.level_weights.is_empty() && !matches!(job.search.measure, Measure::Whd { .. }) {
            out.push(format!(
                "column '{name}': level_weights count in the distortion that is reported; ‹measure=whd› also searches by them"
            ));
        }
    }
    if job.search.choice.recodes_columns() {
        let numbers = table.qi.iter().filter(|q| matches!(q.attribute.domain, Domain::Interval(_)));
        out.extend(numbers.map(|q| {
            format!("'{}' has no hierarchy, so incognito keeps it as it is or makes it '*'; build one from ranges or dates with `hierarchy build`", q.attribute.name)
        }));
    }
    let ordered = |s: &&Sensitive| s.ground == Some(Ground::Ordered) && s.tree.is_some();
    out.extend(
        table
            .sensitive
            .iter()
            .filter(ordered)
            .map(|s| format!("the values of '{}' are ordered as they stand in its hierarchy", s.name)),
    );
    out.extend(job.hierarchies.as_deref().into_iter().flat_map(|folder| unused(folder, source)));
    let weaker = summary.notion != "k";
    if job.suppress.is_some() && weaker {
        out.push("‹suppress› is a limit here: only the notion k drops rows to save the others detail".into());
    }
    let achieved = &summary.achieved;
    let uniform = |name: &&String| match summary.notion {
        "k" => achieved.p.get(*name).is_none_or(|&p| p < 2),
        "global-1k" => achieved.global_p.get(*name).is_none_or(|&p| p < 2),
        _ => true,
    };
    let secrets: Vec<&String> = table.sensitive.iter().map(|s| &s.name).filter(uniform).collect();
    if !secrets.is_empty() {
        let names: Vec<_> = secrets.iter().map(|name| format!("'{name}'")).collect();
        let names = names.join(", ");
        out.push(match summary.notion {
            "k" => format!("in some class all rows share one value of {names}; ‹p=2› prevents it"),
            "global-1k" => {
                format!("all published rows that could be some person's share one value of {names}; ‹p=2› prevents it")
            }
            _ => format!(
                "all published rows that could be a person's may share one value of {names}; only the notions k and global-1k can prevent it (‹p›)"
            ),
        });
    }
    said(out)
}

fn said(texts: Vec<String>) -> Vec<Said> {
    texts.into_iter().map(Said::from).collect()
}

/// Why rows had to go within boundaries.
fn too_few(job: &CheckedJob) -> &'static str {
    if job.demands.need_sensitive() {
        "within the boundaries too few others are like them, or their sensitive values are too frequent there"
    } else {
        "within the boundaries too few others are like them"
    }
}

/// What it cost that the search ended early, in words; searches for levels say it by themselves. What was being refined had been
/// found.
pub(super) fn ended_early(why: Ended, was_refining: bool, has_bound: bool) -> Said {
    let why = why.said();
    if !was_refining {
        return format!("{why} before the search had finished: what was left was cut by mondrian").into();
    }
    let unknown = ", and nothing was found out about how little a release could lose";
    let unknown = if has_bound { "" } else { unknown };
    format!("{why} before the end of refinement: the best groups by then were taken{unknown}").into()
}

/// That better levels may exist, and by how much they can be better.
pub(super) fn not_exhaustive(search: &UnfinishedSearch, ended: Option<Ended>) -> Said {
    let why = ended.map_or_else(
        || "there are too many combinations of levels to look at all".to_owned(),
        |ended| format!("{} before the search had finished", ended.said()),
    );
    let lead = format!("{why}: levels that were found by then were taken, and better ones may exist");
    // Rounded down: what is shown must still be a bound.
    let least = search.at_least.map(|least| (least * 1e4).floor() / 1e4);
    let said = least.map_or_else(
        || lead.clone(),
        |least| {
            let (found, measure) = (search.found, search.measure);
            format!("{lead}; by {measure}, weights included, all lose at least {least:.4}, these {found:.4}")
        },
    );
    said.into()
}

/// What the release gives away although all demands are met.
pub(super) fn warnings(
    job: &CheckedJob,
    roles: &Roles,
    source: &dyn TableSource,
    summary: &Summary,
) -> Vec<Said> {
    let mut out: Vec<String> = Vec::new();
    let share = |n: u64| 100.0 * n as f64 / summary.rows.max(1) as f64;
    if summary.released > 0 && summary.loss.as_ref().is_some_and(|loss| loss.il > NOTHING_LEFT) {
        out.push(
            "nothing is left of the quasi-identifiers: every value is generalized as far as can be".into(),
        );
    }
    if !job.notion.protects() {
        out.push(format!(
            "the notion '{}' protects nobody by itself; this release is for study, not for sharing",
            summary.notion
        ));
    }
    if job.notion == Notion::Kk {
        let left = summary.achieved.global_1k.filter(|&n| n < u64::from(job.demands.k()));
        let left = left.map_or_else(String::new, |n| {
            format!(
                " (here {} for some person)",
                if n == 1 { "one is left".into() } else { format!("{n} are left") }
            )
        });
        out.push(format!(
            "the notion 'kk' is for tables of which nobody knows who is in them: whoever does may exclude published rows until fewer than k are left{left}"
        ));
    }
    if job.rest == Some(Rest::Keep) && !roles.unmentioned.is_empty() {
        let names = roles.unmentioned.join(", ");
        out.push(format!("released unchanged and protected by nothing, as the rest (‹rest=keep›): {names}"));
    }
    if job.keep_order {
        out.push("rows keep the order of the table (‹keep-order›): whoever knows anything about that order may tell whose they are".into());
    }
    if share(summary.suppressed) >= MUCH {
        let limit = if job.suppress.is_some() { "" } else { "; ‹suppress› sets a limit" };
        out.push(format!(
            "{:.0} % of the rows are suppressed, and not at random{limit}",
            share(summary.suppressed)
        ));
    }
    if summary.suppressed > 0
        && let Some(model) = job.demands.compared_with_table().next()
    {
        out.push(format!(
            "{} compares classes with the original, left-out rows included: from that promise and the released rows, outsiders can work out sensitive values of people who were left out. Release everybody, or ask for ‹p›, ‹l-diversity› or ‹alpha› instead",
            model.title
        ));
    }
    if share(summary.opted_out) > HALF {
        out.push(format!(
            "{:.0} % of the rows are published as they are: is this the value of ‹opt-out› you meant?",
            share(summary.opted_out)
        ));
    }
    if summary.opted_out > 0 {
        let n = summary.opted_out;
        let (rows, stand) = if n == 1 {
            ("1 row is".to_owned(), "it stands")
        } else {
            (format!("{n} rows are"), "they stand")
        };
        out.push(format!(
            "{rows} published as {stand} in the table (‹opt-out›): these people can be recognized and their sensitive values read; they count for nobody else's k, and whoever knows them can tell that the other rows are not theirs"
        ));
        let flag = job.opt_out.as_ref().and_then(|opt_out| source.column(&opt_out.column).ok());
        if flag.is_some_and(|column| roles.of[column] == Role::Sensitive) {
            out.push("the column of ‹opt-out› is sensitive: of everybody in a class it is known now that they do not have this value".into());
        }
    }
    said(out)
}

/// A marked node above which all values have a nearer one says nothing; perhaps something else was meant.
fn idle_marks(attribute: &Attribute) -> Option<String> {
    let (Domain::Tree(h), Some(Boundary::Nodes(marked))) = (&attribute.domain, &attribute.boundary) else {
        return None;
    };
    let used = attribute.ceilings()?;
    let idle: Vec<_> = marked
        .iter()
        .filter(|m| **m != h.root() && !used.contains(m))
        .map(|&m| format!("'{}'", h.label(m)))
        .collect();
    let name = &attribute.name;
    (!idle.is_empty()).then(|| {
        format!("column '{name}', max_generalization: {} changes nothing, because every value below has a nearer marked node", idle.join(", "))
    })
}

/// That the first line of a hierarchy file was taken for a header.
fn skipped_header(job: &CheckedJob, attribute: &Attribute) -> Option<String> {
    let (file, Domain::Tree(tree)) = (hierarchy_file(job, &attribute.name)?, &attribute.domain) else {
        return None;
    };
    let is_value = |text: &str| tree.leaf(text).is_some_and(|leaf| attribute.counts[leaf as usize] > 0);
    let header = header_of(&file, &attribute.name, &is_value).ok()??;
    Some(format!("{}: the first line, '{header}', is taken for a header and skipped", file.display()))
}

/// That groups follow the alphabet.
fn alphabetical(attribute: &Attribute) -> Option<String> {
    let Domain::Tree(tree) = &attribute.domain else { return None };
    let name = &attribute.name;
    groups_of_words(tree).then(|| {
        format!("the groups of '{name}' follow the alphabet and mean nothing: who is in one has nothing in common with the others but letters; a tree of what the values are keeps more of use")
    })
}

/// Whether nobody said how the values of a column compare.
fn is_guess(job: &CheckedJob, attribute: &Attribute) -> bool {
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
    let fits = |kind: Kind| {
        let is_one = |text: &str| Point::parse(kind, text).is_some();
        let means = |label: &str| matches!(Alone::read(label), Some(Alone::Meaning(text)) if is_one(&text));
        labels().filter(|label| is_one(label) || means(label)).count()
    };
    // Of two that fit as many the first: whoever has days alone has no times of day.
    let kinds = Kind::LINES.into_iter().rev().map(|kind| (kind, fits(kind)));
    let (kind, fitting) = kinds.max_by_key(|(_, n)| *n)?;
    let name = &attribute.name;
    let lead = format!(
        "'{name}' has {all} different values and no hierarchy, so each of its cells is kept as it is or hidden as '*'"
    );
    Some(if fitting < all && 2 * fitting >= all {
        let declared = marked("type", format!("{name}={kind}"));
        format!(
            "{lead}; {fitting} of them are of type {kind}, the others keep it from becoming intervals ({declared} lists them)"
        )
    } else if 2 * labels().filter(|l| looks_like_a_date(l)).count() >= all {
        format!("{lead}; {} says how dates are written", marked("date-format", format!("{name}=%d.%m.%y")))
    } else {
        format!("{lead}; a hierarchy keeps more of them, and `hierarchy build` makes one")
    })
}

/// `04.05.1960`, `4/5/60`.
fn looks_like_a_date(text: &str) -> bool {
    let parts: Vec<_> = text.split(['.', '/']).collect();
    parts.len() == 3 && parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

/// Hierarchy files that belong to no column are likely misnamed.
fn unused(folder: &Path, source: &dyn TableSource) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect();
    files.sort();
    let stem = |p: &Path| p.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
    let stray = |p: &&std::path::PathBuf| !source.names().any(|name| name == stem(p));
    files
        .iter()
        .filter(stray)
        .map(|p| format!("{} does not belong to any column of the table", p.display()))
        .collect()
}

/// How a quasi-identifier was understood, for the audit record.
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

/// The values of a column with marked nodes that have none above them and so no limit.
fn unlimited(attribute: &Attribute) -> Vec<&str> {
    let (Domain::Tree(h), Some(Boundary::Nodes(marked)), Some(ceilings)) =
        (&attribute.domain, &attribute.boundary, attribute.ceilings())
    else {
        return Vec::new();
    };
    if marked.contains(&h.root()) {
        return Vec::new();
    }
    let free = |leaf: &u32| {
        ceilings[*leaf as usize] == h.root()
            && attribute.counts[*leaf as usize] > 0
            && !h.label(*leaf).is_empty()
    };
    (0..h.leaf_count()).filter(free).map(|leaf| h.label(leaf)).collect()
}

/// Allowed values none of whose rows can be released: a map without these regions may not be what was wanted.
pub(super) fn vanished(table: &Table, out: &[u32]) -> Option<Said> {
    let gone: rustc_hash::FxHashSet<u32> = out.iter().copied().collect();
    let mut shown = Vec::new();
    for q in &table.qi {
        let (Domain::Tree(h), Some(ceilings)) = (&q.attribute.domain, q.attribute.ceilings()) else {
            continue;
        };
        let mut rows = vec![(0u64, 0u64); h.len()];
        for row in 0..table.rows as u32 {
            let count = &mut rows[ceilings[q.codes.get(row as usize) as usize] as usize];
            count.0 += 1;
            count.1 += u64::from(gone.contains(&row));
        }
        let lost = rows.iter().enumerate().filter(|(_, (all, gone))| *all > 0 && all == gone);
        let lost: Vec<String> =
            lost.map(|(node, (all, _))| format!("'{}' ({all})", h.label(node as u32))).collect();
        if !lost.is_empty() {
            let more = if lost.len() > 5 { format!(" and {} more", lost.len() - 5) } else { String::new() };
            let first = lost[..lost.len().min(5)].join(", ");
            shown.push(format!("column '{}': {first}{more}", q.attribute.name));
        }
    }
    (!shown.is_empty()).then(|| format!("nobody is left of {}", shown.join("; ")).into())
}
