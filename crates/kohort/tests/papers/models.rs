//! What the library says of a class, against the definitions: every model, on thousands of classes of random columns.

use std::sync::Arc;

use kohort::data::{Ground, MissingSensitive, Table};
use kohort::demand::Model;
use kohort::model::{
    BoundDemands, Closeness, Distribution, Gains, Tally, ValueCounts, entropy_l, largest_share,
    recursive_ratio,
};
use kohort::verify::{Diversity, Released, entropy_reaches, verify};
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::draw::{Shape, column_of};
use super::common::fixed;
use super::common::plain::models as plain;
use super::common::secrets::{Demand, Demands, Secret, demands, secrets};

/// A table of sensitive columns, which rows are published as they are, and two classes of the others.
#[derive(Debug, Clone)]
struct Drawn {
    secrets: Vec<Secret>,
    standing: Vec<u8>,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    (2..=14usize, 1..=3usize).prop_flat_map(|(rows, columns)| {
        (vec(secrets(rows), columns), vec(0..9u8, rows), any::<bool>()).prop_map(
            |(secrets, mut standing, out)| {
                // 0: published as it is; 1 to 3: first class; 4 to 6: second; others: in other classes.
                standing = standing.into_iter().map(|s| if s == 0 && !out { 8 } else { s }).collect();
                (standing[0], standing[1]) = (1, 4);
                Drawn { secrets, standing }
            },
        )
    })
}

impl Drawn {
    fn table(&self) -> Table {
        let encoded = |(i, s): (usize, &Secret)| s.encoded(&format!("s{i}"));
        Table {
            rows: self.standing.len(),
            sensitive: self.secrets.iter().enumerate().map(encoded).collect(),
            verbatim: self.standing.iter().map(|&s| s == 0).collect(),
            ..Table::default()
        }
    }

    fn rows(&self, standing: impl Fn(u8) -> bool) -> Vec<usize> {
        (0..self.standing.len()).filter(|&row| standing(self.standing[row])).collect()
    }

    fn all(&self) -> Vec<usize> {
        self.rows(|s| s > 0)
    }

    fn classes(&self) -> [Vec<usize>; 2] {
        [self.rows(|s| (1..=3).contains(&s)), self.rows(|s| (4..=6).contains(&s))]
    }
}

fn tally(models: &BoundDemands, table: &Table, rows: &[usize]) -> Tally {
    let mut tally = models.empty_class();
    for &row in rows {
        tally.add(codes(models, table, row), 1);
    }
    tally
}

/// What the demands look at in a row.
fn codes(models: &BoundDemands, table: &Table, row: usize) -> impl Iterator<Item = u32> {
    models.columns().iter().map(move |c| table.sensitive[c.at].codes.get(row))
}

/// How far a class is from the whole table, by the distance of the column.
fn distance(table: &Table, column: usize, counts: &ValueCounts) -> f64 {
    let s = &table.sensitive[column];
    let all = Arc::new(Distribution::new(table, s));
    Closeness::new(s, all, s.ground.unwrap()).unwrap().distance(counts)
}

/// The codes of a column in some rows.
fn values(table: &Table, column: usize, rows: &[usize]) -> Vec<u32> {
    rows.iter().map(|&row| table.sensitive[column].codes.get(row)).collect()
}

/// t-closeness alone, so that distances are known.
fn close(table: &Table) -> BoundDemands {
    Demands { k: 2, all: vec![Demand::T(10)], only: None }.models(table)
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

/// The order of the codes by what their texts say: the place of the first code that means the same.
fn ranked(secret: &Secret, table: &Table, column: usize) -> Option<Vec<i64>> {
    let place = |text: &String| text.parse().unwrap_or(i64::MAX);
    let s = &table.sensitive[column];
    // One number may be written in several ways; any of them will do.
    let text = |code: u32| {
        let spelled = s.spellings.iter().find(|(_, c)| *c == code).map(|(text, _)| text);
        spelled.unwrap_or_else(|| &s.texts[code as usize])
    };
    (secret.shape != Shape::Flat && !matches!(secret.shape, Shape::Tree(_)))
        .then(|| (0..s.distinct).map(|code| place(text(code))).collect())
}

/// What the verifier finds in a release of one class.
fn witnessed(drawn: &Drawn, table: &Table, class: &[usize], l: u32) -> Diversity {
    let texts = |secret: &Secret| class.iter().map(|&row| secret.texts[row].clone()).collect::<Vec<_>>();
    let sensitive = |(i, secret): (usize, &Secret)| column_of(&format!("s{i}"), &texts(secret));
    let released = Released {
        people: None,
        rows: class.len(),
        qi: vec![vec![column_of("q", &vec!["x".to_owned(); class.len()])]],
        sensitive: drawn.secrets.iter().enumerate().map(sensitive).collect(),
        hidden: Vec::new(),
        verbatim: Vec::new(),
    };
    let asked = vec![Model::TCloseness { t: 0.5, ground: Ground::Equal }, Model::RecursiveL { c: 2.0, l }];
    verify(&released, None, None, &asked.into(), table).unwrap().diversity
}

proptest! {
    #![proptest_config(fixed(3000))]

    #[test]
    fn figures_of_a_class_are_those_of_the_definitions(drawn in drawn(), l in 1..=5u32) {
        let table = drawn.table();
        let models = close(&table);
        let [class, _] = drawn.classes();
        let found = tally(&models, &table, &class);
        for (column, secret) in drawn.secrets.iter().enumerate() {
            let (counts, values) = (&found.columns()[column], values(&table, column, &class));
            prop_assert_eq!(counts.distinct(), plain::distinct(&values));
            prop_assert_eq!(models.columns()[column].kinds(counts), secret.kinds(&class));
            prop_assert!(near(entropy_l(counts), plain::entropy_l(&values)));
            prop_assert!(entropy_reaches(entropy_l(counts), plain::entropy_l(&values)));
            prop_assert!(near(largest_share(counts), plain::largest_share(&values)));
            let ratio = recursive_ratio(counts, l);
            for c in [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, ratio.min(1e6), ratio.min(1e6) + 1e-6] {
                prop_assert_eq!(ratio < c, plain::recursive_holds(&values, c, l as usize), "{} at {}", ratio, c);
            }
            let (moved, of) = secret.moved(&class, &drawn.all());
            let distance = distance(&table, column, counts);
            prop_assert!(near(distance, moved as f64 / of as f64), "{} of {:?}", distance, secret);
        }
    }

    /// The verifier reads texts, and has definitions of its own.
    #[test]
    fn the_verifier_finds_what_the_definitions_say(drawn in drawn(), l in 1..=5u32) {
        let table = drawn.table();
        let [class, _] = drawn.classes();
        let found = witnessed(&drawn, &table, &class, l);
        for (column, secret) in drawn.secrets.iter().enumerate() {
            let (name, values) = (format!("s{column}"), values(&table, column, &class));
            let counted: Vec<usize> = class.iter().copied().filter(|&row| secret.is_counted(row)).collect();
            let present = self::values(&table, column, &counted);
            prop_assert_eq!(found.distinct[&name], plain::distinct(&present) as u64);
            prop_assert_eq!(found.p[&name], secret.kinds(&class) as u64);
            prop_assert!(near(found.entropy[&name], plain::entropy_l(&present)));
            prop_assert!(near(found.alpha[&name], plain::largest_share(&present)));
            let ratio = found.recursive[&name];
            for c in [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, ratio.min(1e6), ratio.min(1e6) + 1e-6] {
                prop_assert_eq!(ratio < c, plain::recursive_holds(&present, c, l as usize), "{} at {}", ratio, c);
            }
            let (moved, of) = secret.moved(&class, &drawn.all());
            prop_assert!(near(found.t[&name], moved as f64 / of as f64), "{} of {:?}", found.t[&name], secret);
            let all = self::values(&table, column, &drawn.all());
            prop_assert!(near(found.beta[&name], plain::largest_gain(&values, &all)));
            let (delta, expected) = (found.delta[&name], plain::farthest_logarithm(&values, &all));
            prop_assert!(near(delta, expected) || (delta.is_infinite() && expected.is_infinite()));
        }
    }

    /// The formulas of `algorithms.md` §8, which know nothing of texts.
    #[test]
    fn distances_follow_the_formulas(drawn in drawn()) {
        let table = drawn.table();
        let models = close(&table);
        let ([class, _], all) = (drawn.classes(), drawn.all());
        let found = tally(&models, &table, &class);
        for (column, secret) in drawn.secrets.iter().enumerate() {
            let s = &table.sensitive[column];
            let (mine, theirs) = (values(&table, column, &class), values(&table, column, &all));
            let expected = match (secret.ground, ranked(secret, &table, column)) {
                (Ground::Equal, _) => plain::emd_equal(&mine, &theirs),
                (Ground::Hierarchical, _) => {
                    plain::emd_hierarchical(&mine, &theirs, s.tree.as_ref().unwrap(), &s.leaf_of)
                }
                (Ground::Ordered, None) => continue,
                (Ground::Ordered, Some(places)) => {
                    let same = |code: u32| places.iter().position(|&p| p == places[code as usize]).unwrap() as u32;
                    let (mine, theirs): (Vec<u32>, Vec<u32>) =
                        (mine.into_iter().map(same).collect(), theirs.into_iter().map(same).collect());
                    let mut order = theirs.clone();
                    order.sort_by_key(|&code| places[code as usize]);
                    order.dedup();
                    plain::emd_ordered(&mine, &theirs, &order)
                }
            };
            prop_assert!(near(distance(&table, column, &found.columns()[column]), expected));
        }
    }

    #[test]
    fn demands_hold_where_the_definitions_say_so(drawn in drawn(), asked in demands()) {
        let table = drawn.table();
        let models = asked.models(&table);
        let all = drawn.all();
        for class in drawn.classes().iter().chain([&all]) {
            let found = tally(&models, &table, class);
            let holds = asked.hold(&drawn.secrets, class, &all);
            prop_assert_eq!(models.hold(&found), holds, "{:?} of {:?}", class, asked);
            prop_assert_eq!(models.deficit(&found) == 0, holds);
            let diverse = Demands { k: 1, ..asked.clone() }.hold(&drawn.secrets, class, &all);
            prop_assert_eq!(models.diversity_deficit(&found) == 0, diverse);
        }
    }

    /// What a row brings is what the class lacks less with it, whoever is asked.
    #[test]
    fn gains_are_differences_of_deficits(drawn in drawn(), asked in demands()) {
        let table = drawn.table();
        let models = asked.models(&table);
        let found = tally(&models, &table, &drawn.classes()[0]);
        let gains = Gains::new(&models, &found);
        for row in drawn.all() {
            let mut with = found.clone();
            with.add(codes(&models, &table, row), 1);
            let less = models.diversity_deficit(&found).cast_signed()
                - models.diversity_deficit(&with).cast_signed();
            prop_assert_eq!(gains.of(codes(&models, &table, row)), less);
            prop_assert_eq!(models.gain(&found, codes(&models, &table, row)), less);
        }
    }
}

/// Every kind of demand, one at a time.
fn alone() -> impl Strategy<Value = Demands> {
    demands().prop_map(|asked| Demands { k: 2, all: vec![asked.all[asked.all.len() - 1]], ..asked })
}

proptest! {
    #![proptest_config(fixed(6000))]

    /// Two classes that hold, together hold.
    #[test]
    fn every_model_is_closed_under_merging(drawn in drawn(), asked in alone()) {
        let table = drawn.table();
        let models = Demands { k: 1, ..asked }.models(&table);
        let [a, b] = drawn.classes().map(|rows| tally(&models, &table, &rows));
        let mut union = a.clone();
        union.merge(&b);
        prop_assert!(models.hold(&union) || !models.hold(&a) || !models.hold(&b));
    }

    /// A class that holds and gets another row still holds, where the model says so.
    #[test]
    fn some_models_survive_adding_rows(drawn in drawn(), asked in alone()) {
        let table = drawn.table();
        let models = asked.models(&table);
        let found = tally(&models, &table, &drawn.classes()[0]);
        if models.survive_adding_rows() && models.hold(&found) {
            for row in drawn.all() {
                let mut with = found.clone();
                with.add(codes(&models, &table, row), 1);
                prop_assert!(models.hold(&with));
            }
        }
    }
}

/// One column of letters.
fn letters(texts: &str) -> Table {
    let texts = texts.chars().map(String::from).collect();
    let secret = Secret {
        shape: Shape::Flat,
        texts,
        protected: Vec::new(),
        ground: Ground::Equal,
        missing: MissingSensitive::Ignore,
    };
    Drawn { standing: vec![1; secret.texts.len()], secrets: vec![secret] }.table()
}

/// Every model that does not promise to survive adding rows has a class that does not.
#[test]
fn the_other_models_do_not() {
    for (demand, class, row) in [
        (Demand::Entropy(4), &[0, 3][..], 1),
        (Demand::Recursive(5, 2), &[0, 3], 1),
        (Demand::Alpha(10), &[0, 3], 1),
        (Demand::T(5), &[0, 1, 3], 3),
        (Demand::Beta(2), &[0, 3], 1),
        (Demand::Delta(1), &[0, 3], 1),
    ] {
        assert!(!demand.model().entry().survives_adding_rows, "{demand:?}");
        let table = letters("aaabbb");
        let table = if demand == Demand::T(5) { letters("aaab") } else { table };
        let models = Demands { k: 2, all: vec![demand], only: None }.models(&table);
        let mut found = tally(&models, &table, class);
        assert!(models.hold(&found), "{demand:?}");
        for _ in 0..8 {
            found.add(codes(&models, &table, row), 1);
        }
        assert!(!models.hold(&found), "{demand:?}");
    }
    for demand in [Demand::P(2), Demand::Distinct(2)] {
        assert!(demand.model().entry().survives_adding_rows);
    }
    assert!(Model::KAnonymity { k: 2 }.entry().survives_adding_rows);
}
