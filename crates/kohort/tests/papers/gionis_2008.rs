//! k-Anonymization Revisited: notions between tables, entropy and LM, distances between clusters.

use kohort::data::{Cell, Table};
use kohort::measure::{Gauge, Measure};
use kohort::recode::{Release, recode};
use kohort::solution::Solution;
use kohort::space::Space;
use kohort::verify::{Alignment, Findings, Reference, Released, verify};

use super::close;
use super::common::draw::{Drawn, Shape, Sheet, column_of};

/// A table of flat categories, one string of values per column.
pub(super) fn flat(columns: &[&[&str]]) -> Table {
    let column = |(i, texts): (usize, &&[&str])| Drawn {
        name: format!("A{}", i + 1),
        shape: Shape::Flat,
        texts: texts.iter().map(|&t| t.to_owned()).collect(),
        weight: 1.0,
        snap: None,
    };
    Sheet {
        rows: columns[0].len(),
        qi: columns.iter().enumerate().map(column).collect(),
        sensitive: Vec::new(),
    }
    .table()
}

/// Publishes every row as the texts say; `*` is the whole domain.
pub(super) fn publish(table: &Table, rows: &[&[&str]]) -> Release {
    let cell = |(q, text): (&kohort::data::QuasiIdentifier, &&str)| match &q.attribute.domain {
        kohort::data::Domain::Tree(h) => q.attribute.leaf(h.node(text).unwrap()),
        kohort::data::Domain::Interval(_) => panic!("all columns are categories"),
    };
    let tuples = rows.iter().map(|row| table.qi.iter().zip(row.iter()).map(cell).collect()).collect();
    recode(table, &Solution::PerRecord(tuples))
}

/// What the verifier says about the published texts.
fn examine(table: &Table, release: &Release) -> Findings {
    let texts = |dim: usize| -> Vec<String> {
        let attribute = &table.qi[dim].attribute;
        (0..table.rows).map(|row| attribute.text(release.cell(dim, row).unwrap())).collect()
    };
    let qi = (0..table.qi.len()).map(|dim| vec![column_of(&table.qi[dim].attribute.name, &texts(dim))]);
    let released = Released {
        people: None,
        rows: table.rows,
        qi: qi.collect(),
        sensitive: Vec::new(),
        hidden: Vec::new(),
        verbatim: Vec::new(),
    };
    let order: Vec<u32> = (0..table.rows as u32).collect();
    let reference = Reference {
        k: None,
        table,
        alignment: Alignment::Known(&order),
        beta: 0.0,
        readable: true,
        notion: kohort::demand::Notion::K,
        secrets: None,
        untouched: None,
    };
    verify(&released, Some(&reference), None, &kohort::demand::Demands::default(), &Table::default()).unwrap()
}

/// `edges[i][j]`: row i of the original is consistent with row j of the release.
pub(super) fn edges(table: &Table, release: &Release) -> Vec<Vec<bool>> {
    let consistent = |i: usize, j: usize| {
        let inside = |dim: usize| {
            let q = &table.qi[dim];
            q.attribute.contains(release.cell(dim, j).unwrap(), q.codes.get(i))
        };
        (0..table.qi.len()).all(inside)
    };
    (0..table.rows).map(|i| (0..table.rows).map(|j| consistent(i, j)).collect()).collect()
}

pub(super) fn degrees(edges: &[Vec<bool>]) -> (Vec<usize>, Vec<usize>) {
    let n = edges.len();
    let original = edges.iter().map(|row| row.iter().filter(|e| **e).count()).collect();
    let released = (0..n).map(|j| edges.iter().filter(|row| row[j]).count()).collect();
    (original, released)
}

/// All perfect matchings, each as the released row of every original row.
pub(super) fn matchings(edges: &[Vec<bool>]) -> Vec<Vec<usize>> {
    fn extend(edges: &[Vec<bool>], so_far: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        if so_far.len() == edges.len() {
            return found.push(so_far.clone());
        }
        for j in 0..edges.len() {
            if edges[so_far.len()][j] && !so_far.contains(&j) {
                so_far.push(j);
                extend(edges, so_far, found);
                so_far.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(edges, &mut Vec::new(), &mut found);
    found
}

/// In how many of all perfect matchings i goes with j.
pub(super) fn pairs(matchings: &[Vec<usize>], i: usize) -> Vec<usize> {
    let n = matchings[0].len();
    (0..n).map(|j| matchings.iter().filter(|m| m[i] == j).count()).collect()
}

pub(super) fn matches(matchings: &[Vec<usize>]) -> Vec<usize> {
    (0..matchings[0].len()).map(|i| pairs(matchings, i).iter().filter(|&&c| c > 0).count()).collect()
}

struct Notion {
    rows: [[&'static str; 2]; 3],
    original: [usize; 3],
    released: [usize; 3],
    lm: f64,
    em: f64,
    matches: [usize; 3],
}

const STAR: [&str; 2] = ["*", "*"];

#[test]
fn example_1_four_notions_on_three_rows() {
    let table = flat(&[&["1", "1", "2"], &["3", "4", "4"]]);
    let notions = [
        Notion {
            rows: [STAR; 3],
            original: [3; 3],
            released: [3; 3],
            lm: 1.0,
            em: 0.918_296,
            matches: [3; 3],
        },
        Notion {
            rows: [["1", "3"], STAR, ["*", "4"]],
            original: [2; 3],
            released: [1, 3, 2],
            lm: 0.5,
            em: 0.459_148,
            matches: [1, 2, 2],
        },
        Notion {
            rows: [["1", "*"], ["*", "4"], ["*", "4"]],
            original: [1, 3, 2],
            released: [2; 3],
            lm: 0.5,
            em: 0.459_148,
            matches: [1, 2, 2],
        },
        Notion {
            rows: [["1", "*"], STAR, ["*", "4"]],
            original: [2, 3, 2],
            released: [2, 3, 2],
            lm: 2.0 / 3.0,
            em: 0.612_197,
            matches: [2, 3, 2],
        },
    ];
    for notion in notions {
        let rows: Vec<&[&str]> = notion.rows.iter().map(<[&str; 2]>::as_slice).collect();
        let release = publish(&table, &rows);
        let edges = edges(&table, &release);
        assert_eq!(
            degrees(&edges),
            (notion.original.to_vec(), notion.released.to_vec()),
            "{:?}",
            notion.rows
        );
        assert_eq!(matches(&matchings(&edges)), notion.matches, "{:?}", notion.rows);
        let findings = examine(&table, &release);
        assert_eq!(findings.illegal_cells, Some(0));
        let least = |counts: [usize; 3]| counts.into_iter().min().unwrap() as u64;
        let (original, released, matches) =
            (least(notion.original), least(notion.released), least(notion.matches));
        assert_eq!(achieved(&findings), (original, released, Some(matches)), "{:?}", notion.rows);
        let loss = findings.loss.unwrap();
        close(loss.lm, notion.lm);
        close(loss.entropy, notion.em);
    }
}

/// A match can be likelier than 1/k: "each of which is equally probable" does not hold.
#[test]
fn example_1_matches_are_not_equally_probable() {
    let table = flat(&[&["1", "1", "2"], &["3", "4", "4"]]);
    let release = publish(&table, &[&["1", "*"], &["*", "*"], &["*", "4"]]);
    let matchings = matchings(&edges(&table, &release));
    assert_eq!(matchings.len(), 3);
    let counts: Vec<_> = (0..3).map(|i| pairs(&matchings, i)).collect();
    assert_eq!(counts, [[2, 1, 0], [1, 1, 1], [0, 1, 2]]);
    let notions = examine(&table, &release).notions.unwrap();
    close(notions.worst_posterior.unwrap(), 2.0 / 3.0);
    assert_eq!(notions.rows_without_posterior, 0);
}

/// (1,k), (k,1) and global (1,k) as the verifier sees them.
fn achieved(findings: &Findings) -> (u64, u64, Option<u64>) {
    let notions = findings.notions.as_ref().unwrap();
    (notions.one_k, notions.k1, notions.global_1k)
}

/// §7.4: (2,2) is not global (1,2): row 5 has a single match.
#[test]
fn example_3_kk_is_not_global() {
    let table = flat(&[&["1", "0", "0", "1", "0"], &["0", "1", "1", "0", "0"]]);
    let release = publish(&table, &[&["1", "*"], &["0", "*"], &["*", "*"], &["1", "0"], &["*", "0"]]);
    assert_eq!(matches(&matchings(&edges(&table, &release)))[4], 1);
    assert_eq!(achieved(&examine(&table, &release)), (2, 2, Some(1)));
}

/// §7.4: global (1,3) is not (3,1): the second tuple covers two rows only.
#[test]
fn example_3_global_is_not_k1() {
    let column = |name: &str, shape, texts: [&str; 4]| Drawn {
        name: name.to_owned(),
        shape,
        texts: texts.map(str::to_owned).to_vec(),
        weight: 1.0,
        snap: None,
    };
    let paths = [vec!["0", "01", "*"], vec!["1", "01", "*"], vec!["2", "*"]];
    let paths = paths.iter().map(|path| path.iter().map(|&l| l.to_owned()).collect()).collect();
    let qi = vec![
        column("A1", Shape::Flat, ["0", "1", "0", "1"]),
        column("A2", Shape::Tree(paths), ["2", "1", "1", "2"]),
    ];
    let table = Sheet { rows: 4, qi, sensitive: Vec::new() }.table();
    let release = publish(&table, &[&["*", "*"], &["*", "01"], &["*", "*"], &["*", "*"]]);
    assert_eq!(achieved(&examine(&table, &release)), (3, 2, Some(3)));
}

/// Rows 1 to 3 verbatim, rows 4 and 5 suppressed: (1,2)-anonymous, and yet three people stand alone.
#[test]
fn example_2_the_insecure_one_k_release() {
    let table = flat(&[&["a", "b", "c", "d", "e"]]);
    let release = publish(&table, &[&["a"], &["b"], &["c"], &["*"], &["*"]]);
    let edges = edges(&table, &release);
    assert_eq!(degrees(&edges), (vec![3, 3, 3, 2, 2], vec![1, 1, 1, 5, 5]));
    assert_eq!(matches(&matchings(&edges)), [1, 1, 1, 2, 2]);
    let findings = examine(&table, &release);
    assert_eq!((findings.k, achieved(&findings)), (1, (2, 1, Some(1))));
}

/// The four distances of §V-A.2 on three values of a flat attribute under LM; natural logarithm, ε = 0.1.
#[test]
fn example_4_distances_between_clusters() {
    let table = flat(&[&["a", "b", "c"]]);
    let costs = Measure::Lm.search_costs(&table);
    let space = Space::new(&table, costs, &kohort::demand::Demands::default().bind(&table).unwrap());
    let closure = |rows: &[usize]| {
        let mut tuple: Vec<Cell> = space.tuple(rows[0]);
        for &row in rows {
            space.absorb(&mut tuple, row);
        }
        space.cost(&tuple) as f64 / f64::from(space.scale())
    };
    let distances = |a: &[usize], b: &[usize]| {
        let union = [a, b].concat();
        let (da, db, d) = (closure(a), closure(b), closure(&union));
        let (na, nb, n) = (a.len() as f64, b.len() as f64, union.len() as f64);
        [n * d - na * da - nb * db, d - da - db, (d - da - db) / n.ln(), d / (da + db + 0.1)]
    };
    let singles = distances(&[0], &[1]);
    let pair = distances(&[0, 1], &[2]);
    for (found, expected) in singles.into_iter().zip([2.0, 1.0, 1.0 / 2.0_f64.ln(), 10.0]) {
        close(found, expected);
    }
    for (found, expected) in pair.into_iter().zip([1.0, 0.0, 0.0, 1.0 / 1.1]) {
        close(found, expected);
    }
}

/// A larger cell can have less entropy, so closures are not cheapest under this measure.
#[test]
fn example_5_entropy_is_not_monotone() {
    let texts: Vec<String> = (0..100).map(|i| ["a", "b", "c"][i.min(2)].to_owned()).collect();
    let paths = [vec!["a", "ab", "*"], vec!["b", "ab", "*"], vec!["c", "*"]];
    let paths = paths.iter().map(|path| path.iter().map(|&l| l.to_owned()).collect()).collect();
    let column = Drawn { name: "A1".into(), shape: Shape::Tree(paths), texts, weight: 1.0, snap: None };
    let table = Sheet { rows: 100, qi: vec![column], sensitive: Vec::new() }.table();
    let attribute = &table.qi[0].attribute;
    let gauge = Gauge::new(Measure::Entropy, attribute);
    let pair = attribute.join(attribute.leaf(0), attribute.leaf(1));
    close(gauge.cell(pair), 1.0);
    close(gauge.cell(attribute.top()), 0.161_441);
    assert!(!Measure::Entropy.is_monotone());
}
