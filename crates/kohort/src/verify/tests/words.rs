//! What findings fall short of, in words.

use std::collections::BTreeMap;

use super::super::diversity::Shortfall;
use super::super::notions::Notions;
use super::super::{Diversity, Findings, SourceCheck};
use crate::demand::{Demands, Model, Notion};

/// A release of ten rows in two classes that meets k = 5.
fn fine() -> Findings {
    Findings {
        people: None,
        people_unknown: false,
        rows: 10,
        released: 10,
        suppressed: 0,
        opted_out: 0,
        is_empty: false,
        classes: 2,
        k: 5,
        largest_class: 5,
        diversity: Diversity::default(),
        illegal_cells: Some(0),
        unreadable: Vec::new(),
        boundary_violations: Some(0),
        foreign_values: Some(0),
        changed_rows: Some(0),
        notions: None,
        source: Some(SourceCheck::Matched),
        loss: None,
    }
}

fn asked(k: u32) -> Demands {
    Demands::new(k, None).unwrap()
}

fn short(found: &Findings, demands: &Demands, notion: Notion) -> Vec<String> {
    let words: Vec<String> =
        found.shortfalls(demands, notion, |_| true).iter().map(ToString::to_string).collect();
    assert_eq!(found.meet(demands, notion).is_ok(), words.is_empty());
    words
}

#[test]
fn what_is_fine_meets_all() {
    assert_eq!(short(&fine(), &asked(5), Notion::K), [""; 0]);
    assert_eq!(short(&fine(), &asked(6), Notion::K), ["the smallest class has 5 rows, k = 6 was asked"]);
    let single = Findings { k: 1, ..fine() };
    assert_eq!(short(&single, &asked(2), Notion::K), ["the smallest class has 1 row, k = 2 was asked"]);
    let nothing = Findings { released: 0, k: 0, ..fine() };
    assert_eq!(short(&nothing, &asked(2), Notion::K), ["no row is released in a class"]);
    assert_eq!(short(&nothing, &Demands::default(), Notion::K), [""; 0], "nothing was asked");
}

#[test]
fn one_is_told_from_many() {
    let told = |found: Findings| short(&found, &asked(5), Notion::K).remove(0);
    let cells = |n| told(Findings { illegal_cells: Some(n), ..fine() });
    assert_eq!(cells(1), "1 row or cell is not a generalization of any row it could come from");
    assert_eq!(cells(2), "2 rows or cells are not generalizations of any row they could come from");
    let beyond = |n| told(Findings { boundary_violations: Some(n), ..fine() });
    assert_eq!(beyond(1), "1 cell is generalized beyond the boundaries");
    assert_eq!(beyond(2), "2 cells are generalized beyond the boundaries");
    let foreign = |n| told(Findings { foreign_values: Some(n), ..fine() });
    assert_eq!(foreign(1), "1 sensitive value is not the original's");
    assert_eq!(foreign(3), "3 sensitive values are not the original's");
    let changed = |n| told(Findings { changed_rows: Some(n), ..fine() });
    assert_eq!(changed(1), "1 row is not the original's in the columns that are not generalized");
    assert_eq!(changed(2), "2 rows are not the original's in the columns that are not generalized");
    let unreadable = vec![("zip".to_owned(), 3, "??".to_owned())];
    let told = told(Findings { unreadable, ..fine() });
    let expected = "column 'zip' has 3 cells that mean nothing without its hierarchy, such as '??': `job` names the job that made the release, or `hierarchies` the folder";
    assert_eq!(told, expected);
}

#[test]
fn what_compares_with_the_table_counts_where_it_is_asked() {
    let of = |model, what: &str| Shortfall { model, what: what.into() };
    let beta = of(Model::BetaLikeness { beta: 1.0 }, "beta is short");
    let alpha = of(Model::AlphaK { alpha: 0.5 }, "alpha is short");
    let diversity = Diversity { short: vec![beta, alpha], ..Diversity::default() };
    let found = Findings { diversity, ..fine() };
    let words = |compared| -> Vec<String> {
        found
            .shortfalls_of_classes(&asked(5), |m| compared || !m.entry().compares_with_table)
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(words(true), ["beta is short", "alpha is short"]);
    assert_eq!(words(false), ["alpha is short"]);
    assert_eq!(short(&found, &asked(5), Notion::K), ["beta is short", "alpha is short"]);
}

fn weaker(one_k: u64, k1: u64, global_1k: Option<u64>, p: u64) -> Findings {
    let notions = Notions {
        k1,
        one_k,
        global_1k,
        global_p: BTreeMap::from([("d".to_owned(), p)]),
        worst_posterior: None,
        rows_without_posterior: 0,
        at_least: false,
    };
    // Classes do not matter here.
    Findings { k: 1, notions: Some(notions), ..fine() }
}

#[test]
fn weaker_notions_are_judged_by_what_they_ask() {
    let (kk, global) = (Notion::Kk, Notion::Global);
    assert_eq!(short(&weaker(5, 5, None, 1), &asked(5), kk), [""; 0]);
    let person = "a person fits only 4 published rows, k = 5 was asked";
    assert_eq!(short(&weaker(4, 5, None, 1), &asked(5), kk), [person]);
    let row = "a published row fits only 3 people, k = 5 was asked";
    assert_eq!(short(&weaker(4, 3, None, 1), &asked(5), kk), [person, row]);
    assert_eq!(short(&weaker(5, 1, Some(5), 1), &asked(5), global), [""; 0]);
    let own = "only 4 published rows could be some person's, k = 5 was asked";
    assert_eq!(short(&weaker(5, 5, Some(4), 1), &asked(5), global), [own]);
    let open = "the notion 'global-1k' could not be checked";
    assert_eq!(short(&weaker(5, 5, None, 1), &asked(5), global), [open]);
}

#[test]
fn p_counts_possible_owners_under_the_global_notion() {
    let demands = Demands::new(5, Some(3)).unwrap();
    let two =
        "the published rows that could be some person's have only 2 different values of 'd', p = 3 was asked";
    assert_eq!(short(&weaker(5, 5, Some(5), 2), &demands, Notion::Global), [two]);
    for enough in [3, 4] {
        assert_eq!(short(&weaker(5, 5, Some(5), enough), &demands, Notion::Global), [""; 0]);
    }
    assert_eq!(short(&weaker(5, 5, Some(5), 2), &demands, Notion::Kk), [""; 0], "only that one counts p");
}

#[test]
fn a_notion_that_was_not_looked_at_is_not_met() {
    let found = Findings { notions: None, source: None, ..fine() };
    let short_of = |found: &Findings| short(found, &asked(5), Notion::Kk).remove(0);
    assert_eq!(short_of(&found), "the notion 'kk' could not be checked: that takes `original`");
    assert!(short_of(&fine()).contains("too many people fit too many rows"));
    assert_eq!(short(&found, &Demands::default(), Notion::Kk), [""; 0], "no k was asked");
}
