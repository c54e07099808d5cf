//! What models say, and by how much they are missed: numbers worked out by hand.

use std::sync::Arc;

use super::alpha_k::AlphaK;
use super::beta_likeness::BetaLikeness;
use super::column_model::{ColumnModel, UNIT};
use super::delta_disclosure::DeltaDisclosure;
use super::distinct_l::DistinctL;
use super::entropy_l::EntropyL;
use super::p_sensitive::{Kinds, PSensitive};
use super::recursive_l::RecursiveL;
use super::t_closeness::{Closeness, TCloseness};
use super::tally::counts;
use super::{Distribution, Gains, Tally};
use crate::data::{Ground, Hierarchy, Sensitive, Table};
use crate::demand::{Demand, Demands, Model};

fn table_of(times: &[u64]) -> Arc<Distribution> {
    Arc::new(Distribution::of(times.to_vec()))
}

fn t_closeness(t: f64, times: &[u64]) -> TCloseness {
    let to = Closeness::new(&Sensitive::default(), table_of(times), Ground::Equal).unwrap();
    TCloseness { t, to }
}

fn distinct(l: u32) -> DistinctL {
    DistinctL { l, values: Kinds::none_protected(None) }
}

fn beta(beta: f64) -> BetaLikeness {
    BetaLikeness { beta, table: table_of(&[60, 30, 10]) }
}

fn delta(delta: f64) -> DeltaDisclosure {
    DeltaDisclosure { delta, table: table_of(&[50, 40, 10]) }
}

/// What a column of such values has, what would help, and the number to ask for.
fn unmet(model: &dyn ColumnModel, times: &[u32]) -> (String, String, Option<f64>) {
    let found = model.reason(&counts(times), "d");
    // What is said of leaving rows out is the same for all models.
    let help = found.help.split(", or allow rows").next().unwrap().to_owned();
    (found.has, help, found.reachable)
}

fn said(has: &str, help: &str, reachable: Option<f64>) -> (String, String, Option<f64>) {
    (has.to_owned(), help.to_owned(), reachable)
}

#[test]
fn a_single_value_is_said_to_be_one() {
    let single = said(
        "has a single value",
        "drop 'd' from the release: everybody has this value, and whoever is in the table has it, too",
        None,
    );
    assert_eq!(unmet(&AlphaK { alpha: 0.5 }, &[4]), single);
    assert_eq!(unmet(&EntropyL { l: 2.0 }, &[4]), single);
    assert_eq!(unmet(&RecursiveL { c: 2.0, l: 2 }, &[4]), single);
    let help = "ask for distinct:1 or less, or drop 'd' from the release";
    assert_eq!(unmet(&distinct(2), &[4]), said("has a single value", help, Some(1.0)));
}

#[test]
fn what_can_be_had_is_said() {
    let alpha = said("has a value with a share of 0.667", "ask for alpha ≥ 0.667", Some(0.667));
    assert_eq!(unmet(&AlphaK { alpha: 0.5 }, &[2, 1]), alpha);
    let entropy = said("as a whole is only entropy 1.75-diverse", "ask for entropy:1.75 or less", Some(1.75));
    assert_eq!(unmet(&EntropyL { l: 3.0 }, &[3, 1]), entropy);
    let help = "ask for recursive:1.34,2 or a larger c";
    let recursive = said("as a whole is only recursive (1.34,2)-diverse", help, Some(1.34));
    assert_eq!(unmet(&RecursiveL { c: 0.5, l: 2 }, &[4, 2, 1]), recursive);
    let help = "ask for recursive:2.01,2 or a larger c";
    let recursive = said("as a whole is only recursive (2.01,2)-diverse", help, Some(2.01));
    assert_eq!(unmet(&RecursiveL { c: 0.5, l: 2 }, &[2, 1]), recursive);
    let help = "ask for a smaller l than 4, or drop 'd' from the release";
    assert_eq!(
        unmet(&RecursiveL { c: 0.5, l: 4 }, &[4, 2, 1]),
        said("has only 3 different values", help, None)
    );
    let help = "ask for distinct:2 or less, or drop 'd' from the release";
    assert_eq!(unmet(&distinct(3), &[3, 1]), said("has only 2 different values", help, Some(2.0)));
}

#[test]
fn what_can_be_had_of_a_comparison_with_the_table_is_said() {
    let without = "without the rows that are left out";
    let t = said(
        &format!("{without} is 0.167 away from the whole table"),
        "ask for t ≥ 0.167, or leave fewer rows out",
        Some(0.167),
    );
    assert_eq!(unmet(&t_closeness(0.1, &[1, 2]), &[1, 1]), t);
    // 2 of 11 instead of 1 of 10: more frequent by 9/11 of that.
    let gain = format!(
        "{without} has a value that is more frequent than in the whole table by 0.819 times its frequency there"
    );
    let help = "ask for beta ≥ 0.819, or leave fewer rows out";
    assert_eq!(unmet(&beta(0.5), &[6, 3, 2]), said(&gain, help, Some(0.819)));
    let far = format!("{without} only reaches a delta of 0.694");
    let help = "ask for delta ≥ 0.694, or leave fewer rows out";
    assert_eq!(unmet(&delta(0.5), &[4, 4, 2]), said(&far, help, Some(0.694)));
    let lost = format!("{without} has lost a value of the whole table");
    assert_eq!(unmet(&delta(0.5), &[5, 5]), said(&lost, "leave fewer rows out", None));
}

#[test]
fn kinds_are_told_from_values() {
    let model = |kinds: &[u32]| PSensitive { p: 3, kinds: Kinds::new(kinds.to_vec(), None) };
    let help = "ask for p ≤ 2, or drop 'd' from the release";
    assert_eq!(unmet(&model(&[]), &[3, 1]), said("has only 2 different values", help, Some(2.0)));
    let has = "has values of only 2 kinds, protected ones counted as one";
    let help = "ask for p ≤ 2, or protect fewer values together";
    assert_eq!(unmet(&model(&[0, 0, 1]), &[3, 1, 1]), said(has, help, Some(2.0)));
    let has = "has values of only 1 kind, protected ones counted as one";
    let help = "ask for p ≤ 1, or protect fewer values together";
    assert_eq!(unmet(&model(&[0, 0]), &[3, 1]), said(has, help, Some(1.0)));
}

#[test]
fn shortages_are_shares_of_the_class() {
    let short = |model: &dyn ColumnModel, times: &[u32], expected: f64| {
        let found = (model.shortage(&counts(times)) - 1) as f64 / UNIT as f64;
        assert!((found - expected).abs() < 1e-5, "{model:?}: {found} instead of {expected}");
    };
    short(&AlphaK { alpha: 0.5 }, &[3, 1], 0.25);
    short(&EntropyL { l: 4.0 }, &[1, 1], 0.5);
    // Three times as often as the rest, and once is allowed: two thirds of three quarters are too much.
    short(&RecursiveL { c: 1.0, l: 2 }, &[3, 1], 0.5);
    short(&RecursiveL { c: 3.0, l: 2 }, &[9, 2], 9.0 / 11.0 * (1.0 - 3.0 / 4.5));
    // Two values lack, and nothing can be said of their share.
    short(&RecursiveL { c: 1.0, l: 4 }, &[3, 1], 1.0 + 2.0);
    short(&t_closeness(0.1, &[2, 2]), &[3, 1], 0.15);
    short(&beta(1.0), &[5, 3, 3], 3.0 / 11.0 - 0.2);
    short(&beta(2.0), &[0, 0, 1], 1.0 - 0.3);
    // A tenth instead of at least half of 0.4; nothing is more than twice as frequent.
    short(&delta(std::f64::consts::LN_2), &[8, 1, 1], 0.1);
    short(&delta(std::f64::consts::LN_2), &[3, 3, 4], 0.4 - 0.2);
}

#[test]
fn a_class_has_less_of_a_value_or_not() {
    assert_eq!((Distribution::of(vec![6, 0, 1]).distinct(), Distribution::of(vec![6, 0, 1]).rows()), (2, 7));
    let table = Distribution::of(vec![6, 3, 1]);
    let less = |class: &[u32]| (0..3).map(|code| table.has_more(&counts(class), code)).collect::<Vec<_>>();
    assert_eq!(less(&[1, 1]), [true, false, true]);
    assert_eq!(less(&[2, 1]), [false, false, true]);
    assert_eq!(less(&[12, 6, 2]), [false; 3], "as in the table");
}

fn column(name: &str, codes: &[u32]) -> Sensitive {
    let distinct = codes.iter().max().map_or(0, |c| c + 1);
    Sensitive { name: name.into(), distinct, codes: codes.iter().copied().collect(), ..Sensitive::default() }
}

fn table(columns: Vec<Sensitive>) -> Table {
    Table { rows: columns[0].codes.len(), sensitive: columns, ..Table::default() }
}

fn tally(columns: usize, rows: &[&[u32]]) -> Tally {
    let mut tally = Tally::new(columns);
    for codes in rows {
        tally.add(codes.iter().copied(), 1);
    }
    tally
}

/// Of many values only the direction is worked out.
#[test]
fn gains_are_exact_up_to_512_values() {
    for (values, exact) in [(512, true), (513, false)] {
        let codes: Vec<u32> = (0..values).collect();
        let table = table(vec![column("d", &codes)]);
        let demand = Demand::read("t-closeness", "0.1").unwrap();
        let demands = Demands::new(2, None).unwrap().and(demand).unwrap().bind(&table).unwrap();
        let class = tally(1, &[&[0], &[0], &[1]]);
        let gains = Gains::new(&demands, &class);
        assert_eq!(gains.of([2]) > 1, exact, "one of what is missing, {values} values");
    }
}

#[test]
fn a_smaller_k_asks_for_fewer_values() {
    let table = table(vec![column("d", &[0, 1, 2, 3, 4])]);
    for demand in [Model::PSensitive { p: 4 }, Model::DistinctL { l: 4 }] {
        let demands = Demands::new(5, None).unwrap().and(demand).unwrap().bind(&table).unwrap();
        let two = tally(1, &[&[0], &[1]]);
        assert!(!demands.hold(&two) && demands.with_k(2).hold(&two) && !demands.with_k(3).hold(&two));
        let smaller = demands.with_k(2);
        let column = &smaller.columns()[0];
        let p = matches!(demand, Model::PSensitive { .. }).then_some(2);
        assert_eq!((column.values(), column.p(), smaller.p(), smaller.k()), (2, p, 2, 2));
    }
    let asked =
        Demands::new(5, None).unwrap().and(Model::AlphaK { alpha: 0.5 }).unwrap().bind(&table).unwrap();
    assert!(!asked.with_k(2).hold(&tally(1, &[&[0], &[0]])), "what does not know k stays");
}

#[test]
fn a_bound_column_is_the_column_without_its_rows() {
    let tree = Hierarchy::from_paths("d", [["flu", "lung", "*"], ["hiv", "immune", "*"]]).unwrap();
    let leaf_of = ["flu", "hiv"].map(|text| tree.leaf(text).unwrap()).to_vec();
    let full = Sensitive {
        kinds: vec![4, 5],
        ranks: vec![1, 0],
        leaf_of,
        tree: Some(tree),
        ground: Some(Ground::Hierarchical),
        texts: vec!["flu".into(), "hiv".into()],
        ..column("d", &[0, 1])
    };
    let expected = Sensitive { codes: [].into_iter().collect(), texts: Vec::new(), ..full.clone() };
    let demands = Demands::new(2, Some(2)).unwrap().bind(&table(vec![full])).unwrap();
    let bound = &demands.columns()[0];
    assert_eq!(format!("{:?}", bound.column()), format!("{expected:?}"));
    assert_eq!((bound.kind(0), bound.kind(1), bound.p(), bound.values()), (4, 5, Some(2), 2));
    let plain = Demands::new(2, Some(2)).unwrap().bind(&table(vec![column("d", &[0, 1])])).unwrap();
    assert_eq!((0..2).map(|code| plain.columns()[0].kind(code)).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn demands_say_what_may_be_relied_on() {
    let table = table(vec![column("d", &[0, 1])]);
    let bound = |model: Model| Demands::new(2, None).unwrap().and(model).unwrap().bind(&table).unwrap();
    let k = Demands::new(2, None).unwrap().bind(&table).unwrap();
    assert!(!k.need_sensitive() && k.survive_adding_rows() && k.look_at_frequencies_alone() && k.p() == 1);
    let p = bound(Model::PSensitive { p: 2 });
    assert!(p.need_sensitive() && p.survive_adding_rows() && p.look_at_frequencies_alone());
    let alpha = bound(Model::AlphaK { alpha: 0.5 });
    assert!(!alpha.survive_adding_rows() && alpha.look_at_frequencies_alone());
    let beta = bound(Model::BetaLikeness { beta: 1.0 });
    assert!(!beta.survive_adding_rows() && !beta.look_at_frequencies_alone());
}

#[test]
fn a_tally_is_filled_and_emptied() {
    let mut class = Tally::new(1);
    class.fill(3, vec![vec![2, 0, 1]]);
    assert_eq!(class, tally(1, &[&[0], &[0], &[2]]));
    class.subtract(&tally(1, &[&[2]]));
    assert_eq!(class, tally(1, &[&[0], &[0]]));
    class.subtract(&tally(1, &[&[0]]));
    assert_eq!(class, tally(1, &[&[0]]));
}

#[test]
fn a_table_with_too_few_rows_is_refused() {
    let refused = |rows: usize| {
        let table = table(vec![column("d", &vec![0; rows])]);
        let demands = Demands::new(3, None).unwrap().bind(&table).unwrap();
        demands.check_solvable(&table, false).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(refused(1).contains("only 1 row to release") && refused(1).contains("nobody can hide alone"));
    assert!(refused(2).contains("only 2 rows to release") && refused(2).contains("ask for k ≤ 2"));
    assert_eq!(refused(3), "");
}

fn ordered(times: &[u64], ranks: &[u32]) -> Closeness {
    let column = Sensitive { ranks: ranks.to_vec(), ..Sensitive::default() };
    Closeness::new(&column, table_of(times), Ground::Ordered).unwrap()
}

#[test]
fn an_empty_class_is_nowhere() {
    let equal = Closeness::new(&Sensitive::default(), table_of(&[1, 1]), Ground::Equal).unwrap();
    assert!(equal.distance(&counts(&[])) == 0.0 && ordered(&[1, 1], &[0, 1]).distance(&counts(&[])) == 0.0);
    let nothing = Closeness::new(&Sensitive::default(), table_of(&[]), Ground::Equal).unwrap();
    assert!(nothing.distance(&counts(&[1])) == 0.0);
}

/// What the table does not have travels all the way.
#[test]
fn strange_values_travel_all_the_way() {
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    let table = ordered(&[1, 1], &[0, 1]);
    near(table.distance(&counts(&[3, 0, 1])), 0.75);
    near(table.distance(&counts(&[0, 0, 1])), 1.0);
    // Code 1 is that of nobody but people who are published as they are.
    near(ordered(&[1, 0, 1], &[0, 1, 2]).distance(&counts(&[1, 1])), 1.0);
    near(ordered(&[1, 0, 1], &[0, 1, 2]).distance(&counts(&[1, 0, 1])), 0.0);
    let tree =
        Hierarchy::from_paths("d", [["flu", "lung", "*"], ["cold", "lung", "*"], ["hiv", "immune", "*"]])
            .unwrap();
    let leaf_of = ["flu", "cold", "hiv"].map(|text| tree.leaf(text).unwrap()).to_vec();
    let column = Sensitive { leaf_of, tree: Some(tree), ..Sensitive::default() };
    let table = Closeness::new(&column, table_of(&[1, 1, 2]), Ground::Hierarchical).unwrap();
    // A quarter goes from flu to cold, half of the way up.
    near(table.distance(&counts(&[2, 0, 2])), 0.125);
    // A quarter goes from flu to hiv, all the way up.
    near(table.distance(&counts(&[2, 1, 1])), 0.25);
    near(table.distance(&counts(&[1, 1, 1, 1])), 0.25);
}

/// A row or value that lacks counts 2²⁰.
#[test]
fn values_that_lack_are_counted() {
    let distinct = distinct(3);
    let p = PSensitive { p: 3, kinds: Kinds::new(vec![0, 0, 1, 2], None) };
    assert!(!distinct.holds(&counts(&[1, 1])) && distinct.holds(&counts(&[1, 1, 1])));
    assert_eq!(distinct.shortage(&counts(&[4])), 2 * UNIT);
    assert_eq!(p.shortage(&counts(&[1, 1])), 2 * UNIT, "two values of one kind");
    let gains = |model: &dyn ColumnModel, class: &[u32]| {
        (0..3).map(|code| model.gain(&counts(class), code)).collect::<Vec<_>>()
    };
    let one = UNIT.cast_signed();
    assert_eq!(gains(&distinct, &[1]), [0, one, one]);
    assert_eq!(gains(&distinct, &[1, 1, 0, 1]), [0, 0, 0], "nothing lacks");
    assert_eq!(gains(&p, &[1]), [0, 0, one]);
    let table = table(vec![column("d", &[0, 1])]);
    let demands = Demands::new(4, Some(2)).unwrap().bind(&table).unwrap();
    assert_eq!(demands.deficit(&tally(1, &[&[0]])), 3 * UNIT + UNIT);
    assert_eq!(demands.deficit(&tally(1, &[&[0], &[0], &[1]])), UNIT);
}

/// By how much one more row helps, where that is a matter of shares: a quarter too much becomes a tenth.
#[test]
fn gains_of_shares_are_differences_of_shortages() {
    let alpha = AlphaK { alpha: 0.5 };
    let quarter = UNIT as f64 / 4.0;
    let found = alpha.gain(&counts(&[3, 1]), 1) as f64;
    assert!((found - (quarter - UNIT as f64 / 10.0)).abs() < 2.0, "{found}");
    assert!(alpha.gain(&counts(&[3, 1]), 0) < 0);
    assert_eq!(alpha.gain(&counts(&[1, 1]), 2), 0);
    assert_eq!(alpha.shortage(&counts(&[2, 2])), 1, "never nothing");
    // The same from the table of all gains.
    let table = table(vec![column("d", &[0, 1, 1])]);
    let demands =
        Demands::new(2, None).unwrap().and(Model::AlphaK { alpha: 0.5 }).unwrap().bind(&table).unwrap();
    let class = tally(1, &[&[0], &[0], &[0], &[1]]);
    let gains = Gains::new(&demands, &class);
    assert_eq!(
        (gains.of([1]), gains.of([0])),
        (alpha.gain(&counts(&[3, 1]), 1), alpha.gain(&counts(&[3, 1]), 0))
    );
}

#[test]
fn kinds_are_counted_as_the_column_says() {
    let protected = Sensitive { kinds: vec![0, 0, 1], ..column("d", &[0, 1, 2]) };
    let demands = Demands::new(2, Some(2)).unwrap().bind(&table(vec![protected])).unwrap();
    assert_eq!(demands.columns()[0].kinds(&counts(&[1, 1])), 1);
    assert_eq!(demands.columns()[0].kinds(&counts(&[1, 1, 1])), 2);
}
