//! How things were counted, and what the guarantee does not cover (`algorithms.md` §11), in words a data steward can repeat.

use super::guarantee::compared_with;
use super::{Asked, Public, Untold};
use crate::data::{Ground, Intervals, Missing, MissingSensitive};
use crate::demand::{Model, Notion};

pub(super) fn counting(public: &Public) -> Vec<String> {
    let asked = &public.asked;
    let missing = match asked.missing {
        Missing::Value => {
            let nothing = if asked.intervals == Intervals::Text {
                "it is published as '*'"
            } else {
                "it is published as '*', or as nothing where a column is published as numbers"
            };
            format!(
                "A missing quasi-identifier is a value of its own: rows that lack it can share a class. Mixed with present values {nothing}."
            )
        }
        Missing::Refuse => "The table was checked to have no missing quasi-identifier.".to_owned(),
        Missing::Suppress => "Rows with a missing quasi-identifier are suppressed.".to_owned(),
    };
    let mut out = vec![missing];
    out.extend(asked.missing_by_column.iter().map(|(column, missing)| match missing {
        Missing::Value => format!("But a missing '{column}' is a value of its own."),
        Missing::Refuse => format!("'{column}' was checked to have no missing value."),
        Missing::Suppress => format!("But rows with a missing '{column}' are suppressed."),
    }));
    if asked.opt_out.is_some() {
        out.push("Rows that are published as they are may lack what they like.".into());
    }
    if !asked.na.is_empty() || !asked.na_by_column.is_empty() {
        out.push("Missing is what is blank or spelled as asked.na and asked.na_by_column say.".into());
    }
    out.push(missing_sensitive(public).into());
    out.push("recomputed is what the release alone shows. Its loss is the mean over all cells of rows in classes: an interval counts with its width over the span of all published values of its column, a label of published_labels with the share of finest labels it covers, '*' as 1 (and so does a cell without a number where a column is published as numbers), everything else as 0.".into());
    if asked.notion != Notion::K {
        out.push("recomputed is about groups of rows that look the same. This notion needs none: that k and p are small there does not mean that it is not met.".into());
    }
    out.extend(public.recomputed.as_ref().err().map(|why| untold(*why).to_owned()));
    if !public.may_lack_rows() {
        out.push("No row of the original was left out: the job does not allow it.".into());
    }
    out.push(if asked.keep_order {
        "Rows stand in the order of the original.".into()
    } else {
        "Rows are sorted by a digest of what they show: their order tells nothing that they do not tell themselves.".into()
    });
    out
}

fn chances(public: &Public) -> String {
    let asked = &public.asked;
    let (one_of, all) = if asked.people.is_empty() {
        ("one of k rows", "all rows of a class are equally likely")
    } else {
        ("one of k people", "everybody of a class is equally likely")
    };
    let alone = if public.series.is_some() {
        "the only releases about these people are those of this growing table"
    } else {
        "this is the only release about these people"
    };
    format!(
        "This is not a statement about probabilities. Being {one_of} limits an outsider's chance to 1/k only if the quasi-identifiers listed here are all the outsider knows, {all}, {alone}, and the algorithm's choices did not depend on sensitive values."
    )
}

/// What several rows of a person can do.
fn whose(asked: &Asked) -> &'static str {
    if asked.people.is_empty() {
        "Rows are counted, not people. Somebody with several rows in the table makes a class look larger than it is, and can fill one alone: count people (asked.people), or release one row per person."
    } else {
        "Classes are looked at one by one. Somebody with rows in several classes is protected in each; whoever knows the quasi-identifiers of several rows of a person can compare their classes, and a sensitive value that all of them have is likely or certainly that person's. Whoever knows how many rows a person has in a class may learn more than the demands say: if fewer rows of the class lack a value, the person has it. And a demand counts a person with several values once for each of them."
    }
}

pub(super) fn not_covered(public: &Public) -> Vec<String> {
    let asked = &public.asked;
    let mut out = vec![
        chances(public),
        whose(asked).into(),
        "An outsider who knows a column that is not listed as quasi-identifier may single people out by it."
            .into(),
    ];
    if asked.notion != Notion::K {
        out.push(format!(
            "The published rows that could be somebody's need not be equally likely: the best guess can be right more often than once in {}, and with some notions always.",
            asked.models.k()
        ));
    }
    if let Some(passed) = public.columns.get("passed_through").filter(|c| !c.is_empty()) {
        out.push(format!("Released unchanged and protected by nothing: {}.", passed.join(", ")));
    }
    if asked.opt_out.is_some() {
        out.push("People whose rows are published as they are can be recognized and their sensitive values read. Whoever recognizes them also knows that the rows of the classes are not theirs.".into());
    }
    out.extend(asked.may_suppress().then(|| suppressed(public).to_owned()));
    out.extend(public.series.map(|_| waiting(public).to_owned()));
    out.extend(sensitive(public));
    out.extend(homogeneous(public));
    out.extend(ends(public));
    if !asked.cut_by_values.is_empty() {
        out.push(format!(
            "The groups of these columns were cut where the values of the original lie, left-out rows included: {}. Their ends are rounded or open, but where a cut lies tells roughly how many people are on either side, and how it is written whether all values are numbers.",
            asked.cut_by_values.join(", ")
        ));
    }
    if public.may_lack_rows() && !asked.untyped.is_empty() {
        out.push(format!(
            "The type of these columns was not declared but taken from the values of the original, left-out rows included: {}. That they are published as numbers, dates or words says whether all values are.",
            asked.untyped.join(", ")
        ));
    }
    if public.may_lack_rows() && asked.typed_by_values {
        out.push("The original declares no types. Which columns there are, in which order, and whether they hold whole numbers, decimals of how many digits, times, truth values or text was found from all rows, left-out rows included: a column of nothing but whole numbers that is published as decimals or as text says that somebody who was left out has another value in it.".into());
    }
    out.push("Values are generalized no further than needed; for some tables this allows parts of a value to be inferred again (downcoding).".into());
    out.push("The program is public, and what it does follows from the table and a seed. Whoever supposes what the whole table holds, or knows all of it but a few values, can make the release again and see whether it comes out the same, unless the seed is a large number that nobody can guess.".into());
    out.push(match public.series {
        None => "A second release about the same people can be compared with this one; together they may protect nobody.".to_owned(),
        Some(number) => format!(
            "This is release {number} of a growing table. Whoever holds several releases of this series can compare them: the groups of rows that comparing their classes leads to meet what was asked, too. They see which groups of rows were added, widened or taken out in between, and a value that somebody keeps from release to release, or has in rows of several groups, can be looked for in all of their groups. Groups that are taken out together may be those of one person who left: whoever knows who is in which groups may tell who it was. Any other release about the same people can be compared with these; together they may protect nobody."
        ),
    });
    out.push("Whether somebody is in the table at all is not hidden.".into());
    out
}

/// What a missing sensitive value counts.
fn missing_sensitive(public: &Public) -> &'static str {
    match public.asked.missing_sensitive {
        MissingSensitive::Count => {
            "A missing sensitive value counts as a value like any other: people whose value is missing help to hide those who have one."
        }
        MissingSensitive::Ignore => {
            "A missing sensitive value is no value for p, l and alpha, and has no share; where classes are compared with the table (t, beta, delta), missing is a value of its own."
        }
    }
}

fn untold(why: Untold) -> &'static str {
    match why {
        Untold::BlankRows => {
            "Nobody can tell from the release which of the rows that show nothing are suppressed and which are in a class, so there are no figures about its classes."
        }
        Untold::Hierarchy => {
            "The hierarchy of a sensitive column is made from its values; that of the released values is another one, so there are no figures about the classes."
        }
    }
}

fn suppressed(public: &Public) -> &'static str {
    if public.asked.models.need_sensitive() {
        "Rows may have been left out, and not at random: those of unusual people, or of sensitive values too frequent for the demands. Whoever looks in vain for somebody may conclude that she is one of them and, from what the others of her group show, which value she has: no demand on sensitive values protects those who were left out. Figures computed from the release may be biased."
    } else {
        "Rows may have been left out, and not at random: those of unusual people. Whoever looks in vain for somebody unusual may conclude that this row was left out. Figures computed from the release may be biased."
    }
}

fn waiting(public: &Public) -> &'static str {
    if public.asked.models.need_sensitive() {
        "Rows may wait for a later release, and not at random: those of unusual people, or of sensitive values too frequent for the demands, and with few rows all of them. Whoever knows who was given to be released when can tell that somebody waits, and from that and from what is released later which value she is likely or certain to have: no demand on sensitive values protects those who waited."
    } else {
        "Rows may wait for a later release, and not at random: those of unusual people. Whoever knows who was given to be released when can tell that somebody waits."
    }
}

fn sensitive(public: &Public) -> Vec<String> {
    let asked = &public.asked;
    let columns = || public.columns.get("sensitive").into_iter().flatten().map(String::as_str);
    let demands = |column: &str| -> Vec<Model> {
        asked.models.of(column).filter(|model| !model.asks_nothing()).copied().collect()
    };
    let mut out = Vec::new();
    let (protected, free): (Vec<&str>, Vec<&str>) = columns().partition(|column| !demands(column).is_empty());
    if !free.is_empty() {
        out.push(format!(
            "Nothing was asked of these sensitive columns, so nothing protects their values within a class: {}.",
            free.join(", ")
        ));
    }
    // Models that look at how often values occur do not survive adding rows.
    if protected.iter().any(|column| demands(column).iter().all(|m| m.entry().survives_adding_rows)) {
        out.push("Classes with p different sensitive values can still be skewed towards one value.".into());
    }
    let by_meaning = |column: &&str| {
        let ground = asked.closeness.get(*column).copied().unwrap_or_default();
        ground != Ground::Equal && demands(column).iter().any(|m| matches!(m, Model::TCloseness { .. }))
    };
    if !protected.iter().all(by_meaning) {
        out.push("Different sensitive values of a class may mean much the same; demands count values and do not read them.".into());
    }
    if columns().count() > 1 {
        out.push("Every sensitive column was looked at by itself: whoever knows one of them can learn more about the others.".into());
    }
    if asked.models.compared_with_table().next().is_some() && public.may_lack_rows() {
        let table = compared_with(public);
        out.push(format!("Classes were compared with {table}, left-out rows included. From that promise and the released rows, whoever supposes how many rows were left out can work out which sensitive values they had, down to the value of a single person; and the released rows alone may be distributed differently."));
    }
    if !asked.people.is_empty() {
        out.push("Classes were formed with regard to whose rows are whose. Whoever knows everybody's quasi-identifiers and the algorithm can exclude tables that would have been released differently, and may learn which rows are one person's (minimality attack).".into());
    }
    if asked.models.need_sensitive() {
        out.push("Classes were formed with regard to sensitive values. Whoever knows everybody's quasi-identifiers and the algorithm can exclude tables that would have been released differently, and may become certain of somebody's value (minimality attack).".into());
    }
    out
}

fn homogeneous(public: &Public) -> Option<String> {
    let uniform = || public.recomputed.as_ref().map_or(true, |found| found.p.values().any(|&p| p < 2));
    let has_secrets = public.columns.get("sensitive").is_some_and(|c| !c.is_empty());
    let may_be = has_secrets
        && match public.asked.notion {
            Notion::K => uniform(),
            Notion::Global => !public.asked.models.need_sensitive(),
            _ => true,
        };
    may_be.then(|| match public.asked.notion {
        Notion::K | Notion::Global => "All rows of a class may share a sensitive value, which then is known of each of them (homogeneity): ask for p-sensitivity to prevent it.".into(),
        _ => "All published rows that could be somebody's may share a sensitive value, which then is known; the notions k and global-1k can prevent it with p.".into(),
    })
}

/// What the ends of intervals, or their middles, say about single people.
fn ends(public: &Public) -> Vec<String> {
    let Ok(found) = &public.recomputed else { return Vec::new() };
    let asked = &public.asked;
    let named = |columns: Vec<&String>| columns.iter().map(|c| c.as_str()).collect::<Vec<_>>().join(", ");
    let (on_grid, true_ends): (Vec<&String>, Vec<&String>) =
        found.intervals.iter().partition(|column| asked.snap.contains_key(*column));
    let mut out = Vec::new();
    if !true_ends.is_empty() {
        let columns = named(true_ends);
        out.push(if asked.intervals == Intervals::Midpoint {
            format!("What is published of these columns is the middle between the smallest and the largest value of some class: {columns}. Where it is known how many values lie between, it narrows them down; in a class of equal values it is the value itself.")
        } else {
            format!("The ends of published intervals are true values of some person in the class: {columns}. The option `snap` moves ends to a public grid: of numbers to multiples of a step, of dates and times to steps of the calendar.")
        });
    }
    if !on_grid.is_empty() {
        let columns = named(on_grid);
        out.push(if asked.intervals == Intervals::Midpoint {
            format!("What is published of these columns is the middle between two lines of a public grid (asked.snap): {columns}. Some person in the class lies less than one step inside each of them.")
        } else {
            format!("The ends of these intervals were moved outwards to the next line of a public grid (asked.snap): {columns}. Some person in the class lies less than one step inside each end; where values are no finer than the grid, that is the end itself.")
        });
    }
    out
}
