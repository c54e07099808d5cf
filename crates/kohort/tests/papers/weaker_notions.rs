//! Why some demands do not go with the weaker notions (`algorithms.md` §8): the smallest tables on which they would be false.

use std::collections::BTreeSet;

use super::close;
use super::common::plain::models::entropy_l;
use super::gionis_2008::{edges, flat, matchings, pairs, publish};

/// Counted over the rows that could be a person's, entropy looks higher than what an outsider is left with.
#[test]
fn entropy_of_matches_is_not_that_of_the_posterior() {
    let table = flat(&[&["1", "1", "2"], &["3", "4", "4"]]);
    let release = publish(&table, &[&["1", "*"], &["*", "*"], &["*", "4"]]);
    let counts = pairs(&matchings(&edges(&table, &release)), 0);
    // Row 1 could own the first tuple, whose value is a, or the second, whose value is b.
    assert_eq!(counts, [2, 1, 0]);
    close(entropy_l(&[0, 1]), 2.0);
    // An outsider who counts assignments sees a twice and b once.
    let likely = entropy_l(&[0, 0, 1]);
    assert!((1.88..1.90).contains(&likely), "{likely}");
}

/// The rows that a person fits show two values; only one of them can be hers.
#[test]
fn values_of_fitting_rows_are_no_protection() {
    let table = flat(&[&["1", "0", "0", "1", "0"], &["0", "1", "1", "0", "0"]]);
    let release = publish(&table, &[&["1", "*"], &["0", "*"], &["*", "*"], &["1", "0"], &["*", "0"]]);
    let values = ["b", "a", "b", "b", "a"];
    let fits = edges(&table, &release);
    let seen: BTreeSet<&str> = (0..5).filter(|&tuple| fits[4][tuple]).map(|tuple| values[tuple]).collect();
    assert_eq!(seen.len(), 2);
    let own = pairs(&matchings(&fits), 4);
    assert_eq!(own.iter().filter(|&&times| times > 0).count(), 1);
    assert!(own[4] > 0, "it is her own");
}
