//! What a certificate promises, in words.

use std::collections::BTreeMap;

use super::{Asked, Public, Recomputed, rounded_down, rounded_up};
use crate::data::Suppressed;
use crate::demand::{Demand, Model, Notion};
use crate::error::counted;

pub(super) fn guarantee(public: &Public) -> Vec<String> {
    let asked = &public.asked;
    let mut out = match asked.notion {
        Notion::K => vec![classes(public)],
        notion => promises(notion, asked),
    };
    out.push(if counts_people(public) {
        "By quasi-identifiers alone, an outsider who knows those of everybody, and who is in the table, cannot tell whose row of a class is whose among so many people.".to_owned()
    } else {
        asked.notion.adversary().to_owned()
    });
    if asked.notion == Notion::K {
        out.extend(asked.models.iter().flat_map(|demand| diversity(demand, public)));
    }
    if asked.keep_order {
        out.push("All this is about what rows show, not where they stand: rows kept the order of the original (asked.keep_order), and whoever knows anything about that order may tell whose they are.".into());
    }
    if !asked.boundaries.is_empty() {
        out.push("No cell is generalized beyond its boundary (asked.boundaries).".into());
    }
    if asked.opt_out.is_some() {
        let rows = public
            .recomputed
            .as_ref()
            .map_or_else(|_| "Rows".into(), |found| counted(found.opted_out, "row"));
        out.push(format!("{rows} of people who do not mind (asked.opt_out): published as in the table, without the dropped columns and with numbers and dates in their usual spelling, in no class and counted for nobody's k."));
    }
    if asked.suppressed_rows == Suppressed::Star {
        out.push(
            "Rows that show nothing but '*' and empty cells are suppressed rows. They are in no class."
                .into(),
        );
    }
    out.push("The release was read back as it was written before it was published: its rows were grouped, counted and compared with the original by code that the search does not use. Search and check have their own definitions of the demands; both read tables and hierarchies in the same way.".into());
    out
}

fn classes(public: &Public) -> String {
    let others = public.asked.opt_out.is_some() || public.asked.suppressed_rows == Suppressed::Star;
    let combination = if others {
        "Every combination of quasi-identifiers that is released in a class"
    } else {
        "Every released combination of quasi-identifiers"
    };
    let k = public.asked.models.k();
    let least = public.recomputed.as_ref().map_or(u64::from(k), |found| found.k);
    if counts_people(public) {
        return format!(
            "{combination} is that of rows of at least {k} different people (k = {k} was asked), and occurs at least {least} times. People are told apart by what asked.people names, which is not released."
        );
    }
    format!("{combination} occurs at least {least} times (k = {k} was asked).")
}

fn counts_people(public: &Public) -> bool {
    !public.asked.people.is_empty()
}

/// What a demand beyond k promises of every sensitive column.
fn diversity(demand: &Demand, public: &Public) -> Vec<String> {
    let asked = match demand.model {
        Model::TCloseness { t, .. } => format!("t = {t}"),
        other => other.to_string(),
    };
    let columns = public.columns.get("sensitive").into_iter().flatten();
    columns
        .filter(|column| demand.is_about(column))
        .map(|column| format!("Every class {} ({asked} was asked).", said(&demand.model, column, public)))
        .collect()
}

/// What t, beta and delta compare a class with.
pub(super) fn compared_with(public: &Public) -> &'static str {
    let some_are_open = public.asked.opt_out.is_some();
    match (public.series.is_some_and(|number| number > 1), some_are_open) {
        (false, false) => "the whole original table",
        (false, true) => "the original without the rows that are published as they are",
        (true, false) => {
            "the original of the first release of this growing table, without anything that came later"
        }
        (true, true) => {
            "the original of the first release of this growing table, without anything that came later and without the rows that are published as they are"
        }
    }
}

fn said(model: &Model, column: &str, public: &Public) -> String {
    let protected = public.asked.protected.contains_key(column);
    let people = counts_people(public);
    // What the release shows is about rows.
    let found = public.recomputed.as_ref().ok().filter(|_| !people);
    let once = if people { ", each value of a person counted once" } else { "" };
    let count = |of: fn(&Recomputed) -> &BTreeMap<String, u64>, asked: u32| {
        found.and_then(|f| of(f).get(column).copied()).unwrap_or(u64::from(asked))
    };
    let figure = |of: fn(&Recomputed) -> &BTreeMap<String, f64>, asked: f64| {
        found.and_then(|f| of(f).get(column).copied()).unwrap_or(asked)
    };
    let of = compared_with(public);
    match *model {
        Model::KAnonymity { .. } => String::new(),
        Model::PSensitive { p: n } | Model::DistinctL { l: n } if people => {
            let kinds = if protected && matches!(model, Model::PSensitive { .. }) {
                ", of different kinds; protected values (asked.protected) count as one"
            } else {
                ""
            };
            format!(
                "has at least {n} people each of whom has a value of '{column}' that was counted for none of the others{kinds}"
            )
        }
        Model::AlphaK { alpha } if people => {
            format!("has no value of '{column}' that a larger share of its people have than {alpha}")
        }
        Model::PSensitive { p } if protected => format!(
            "has values of '{column}' of at least {} kinds; protected values (asked.protected) count as one",
            count(|f| &f.p, p)
        ),
        Model::PSensitive { p } => {
            format!("has at least {} different values of '{column}'", count(|f| &f.p, p))
        }
        Model::DistinctL { l } => {
            format!("has at least {} different values of '{column}'", count(|f| &f.l_distinct, l))
        }
        Model::EntropyL { l } => format!(
            "has values of '{column}' that are as uncertain as {} equally frequent ones{once}",
            rounded_down(figure(|f| &f.l_entropy, l), 3)
        ),
        Model::RecursiveL { c, l } => format!(
            "has a most frequent value of '{column}' that occurs less than {c} times as often as all values from number {l} on{once}"
        ),
        Model::AlphaK { alpha } => format!(
            "gives no value of '{column}' a larger share than {}",
            rounded_up(figure(|f| &f.alpha, alpha), 3)
        ),
        Model::TCloseness { t, .. } => {
            let ground = public.asked.closeness.get(column).copied().unwrap_or_default().name();
            let shown = found.and_then(|f| f.t_against_release.get(column)).map_or_else(String::new, |&t| {
                format!("; from all released rows it is at most {} away", rounded_up(t, 4))
            });
            format!(
                "has values of '{column}' distributed as in {of}, up to an earth mover's distance ({ground}) of {t}{once}{shown}"
            )
        }
        Model::BetaLikeness { beta } => {
            let shown =
                found.and_then(|f| f.beta_against_release.get(column)).map_or_else(String::new, |&b| {
                    format!("; compared with all released rows the factor is at most {}", rounded_up(b, 3))
                });
            format!(
                "has no value of '{column}' that is more frequent than in {of} by more than {beta} times its frequency there{once}{shown}"
            )
        }
        Model::DeltaDisclosure { delta } => {
            let shown =
                found.and_then(|f| f.delta_against_release.get(column)).map_or_else(String::new, |&d| {
                    format!("; compared with all released rows it stays within {}", rounded_up(d, 3))
                });
            format!(
                "has all values of '{column}' that {of} has, each so often that the natural logarithm of its frequency over its frequency there stays within {delta} of 0{once}{shown}"
            )
        }
    }
}

/// What a notion other than k-anonymity promises. How much more than that holds is known to who has the original.
fn promises(notion: Notion, asked: &Asked) -> Vec<String> {
    let k = asked.models.k();
    let lines = [
        (Notion::OneK, "fits at least", "published rows"),
        (Notion::K1, "", ""),
        (
            Notion::Global,
            "has at least",
            "published rows that could be its own in an assignment of all released rows to all published rows",
        ),
    ];
    let said = lines.into_iter().filter(|(part, ..)| notion.implies(*part));
    let mut out: Vec<String> = said
        .map(|(part, verb, rest)| match part {
            Notion::K1 => format!("Every published row fits at least {k} rows of the original (k = {k} was asked)."),
            _ => format!("Every row of the original that is released in this way {verb} {k} {rest} (k = {k} was asked)."),
        })
        .collect();
    if asked.models.need_sensitive() {
        let p = asked.models.p();
        out.push(format!("The people behind them have at least {p} different values of each sensitive column (p = {p} was asked)."));
    }
    out
}

/// Demands that nobody can check who has only the release.
pub(super) fn checked_before(public: &Public) -> Vec<String> {
    let asked = &public.asked;
    let mut out = Vec::new();
    let title = asked.notion.title();
    if asked.notion != Notion::K {
        out.push(format!(
            "{title}: which people a published row could belong to only shows beside the original."
        ));
    }
    let later = public.series.is_some_and(|number| number > 1);
    let original = if later { "the original of the first release" } else { "the original" };
    for entry in asked.models.compared_with_table() {
        let (name, figure) = (entry.title, entry.figure());
        out.push(format!("{name}: classes were compared with {original}. recomputed.{figure}_against_release compares them with the release."));
    }
    if !asked.people.is_empty() {
        out.push("Everything that is said of people: whose rows these are only shows beside the original. recomputed counts rows.".into());
    }
    if !asked.boundaries.is_empty() {
        out.push("That no cell was generalized beyond its boundary (asked.boundaries): that depends on the original value.".into());
    }
    if asked.suppress.is_some() {
        out.push("That no more rows were suppressed than asked.suppress allows.".into());
    }
    out.push("That every cell is a generalization of the value it stands for, and that values which are not generalized are those of the original.".into());
    out
}
