//! People with several rows: every class of a release has k of them and meets its demands as they are defined for people,
//! counted here by plain code that sees the persons; and what is refused no partition of the rows could give.

use std::collections::{BTreeMap, BTreeSet};

use kohort::Error;
use kohort::algorithm::{ALGORITHMS, Quiet};
use kohort::data::Suppressed;
use kohort::demand::Notion;
use kohort::input::{ColumnSpec, JobSpec, Scalar};
use kohort::job::files::{FileJob, FileVerifyJob};

use super::common::files::read;

/// Numbers that look random and are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.below(some.len() as u64) as usize]
    }
}

#[derive(Debug, Clone)]
struct Row {
    person: u64,
    age: u64,
    place: u64,
    /// Empty where it is missing.
    illness: String,
}

/// Rows of a few people; what is known of a person hardly changes, and neither does the illness.
fn table(dice: &mut Dice, people: u64, most_rows: u64, values: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for person in 0..people {
        let (age, place, illness) = (dice.below(40), dice.below(3), dice.below(values));
        for _ in 0..=dice.below(most_rows) {
            let other = if dice.below(3) == 0 { dice.below(values) } else { illness };
            let missing = dice.below(12) == 0;
            rows.push(Row {
                person,
                age: age + dice.below(3),
                place,
                illness: if missing { String::new() } else { format!("i{other}") },
            });
        }
    }
    let n = rows.len() as u64;
    for at in (1..n).rev() {
        rows.swap(at as usize, dice.below(at + 1) as usize);
    }
    rows
}

/// Everything that is asked beyond k, as options of a job.
const ASKED: &[&[(&str, &str)]] = &[
    &[],
    &[("p", "2")],
    &[("p", "3")],
    &[("l-diversity", "distinct:2")],
    &[("l-diversity", "entropy:1.7")],
    &[("l-diversity", "recursive:2,2")],
    &[("alpha", "0.6")],
    &[("t-closeness", "0.3")],
    &[("beta-likeness", "1.2")],
    &[("delta-disclosure", "1.5")],
    &[("p", "2"), ("alpha", "0.8"), ("t-closeness", "0.5")],
];

/// A class as its members, a person and a value each; values that are missing are none.
type Class = Vec<(u64, Option<String>)>;

fn pairs(class: &[(u64, Option<String>)]) -> BTreeSet<(u64, Option<String>)> {
    class.iter().cloned().collect()
}

/// How many pairs have each value, of all values or only of those that are there.
fn counts(class: &Class, with_missing: bool) -> BTreeMap<Option<String>, f64> {
    let mut counts = BTreeMap::new();
    for (_, value) in pairs(class).into_iter().filter(|(_, value)| with_missing || value.is_some()) {
        *counts.entry(value).or_insert(0.0) += 1.0;
    }
    counts
}

/// How many values can be given to different people: all ways are tried.
fn assignable(class: &Class) -> usize {
    fn best(left: &[BTreeSet<String>], taken: &BTreeSet<String>) -> usize {
        let Some((first, rest)) = left.split_first() else { return 0 };
        let mut most = best(rest, taken);
        for value in first.difference(taken) {
            let with: BTreeSet<String> = taken.iter().chain([value]).cloned().collect();
            most = most.max(1 + best(rest, &with));
        }
        most
    }
    let mut has: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for (person, value) in class {
        has.entry(*person).or_default().extend(value.clone());
    }
    let mut sets: Vec<BTreeSet<String>> = has.into_values().filter(|values| !values.is_empty()).collect();
    sets.sort();
    // Trying all ways takes long for many people; whoever has the same as many others adds nothing.
    let mut kept: Vec<BTreeSet<String>> = Vec::new();
    for set in sets {
        if kept.iter().filter(|other| **other == set).count() < set.len() {
            kept.push(set);
        }
    }
    best(&kept, &BTreeSet::new())
}

/// Whether a class meets a demand, by its definition for people.
fn meets(class: &Class, (option, text): (&str, &str), whole: &Class) -> bool {
    let number = |text: &str| text.parse::<f64>().unwrap();
    let (present, all, table) = (counts(class, false), counts(class, true), counts(whole, true));
    let sum = |counts: &BTreeMap<Option<String>, f64>| counts.values().sum::<f64>();
    match (option, text.split_once(':').unwrap_or((text, ""))) {
        ("p", (p, _)) | ("l-diversity", ("distinct", p)) => assignable(class) as f64 >= number(p),
        ("l-diversity", ("entropy", l)) => {
            let entropy: f64 = present.values().map(|n| n / sum(&present)).map(|s| -s * s.ln()).sum();
            entropy >= number(l).ln() - 1e-9
        }
        ("l-diversity", ("recursive", numbers)) => {
            let (c, l) = numbers.split_once(',').unwrap();
            let mut falling: Vec<f64> = present.values().copied().collect();
            falling.sort_by(|a, b| b.total_cmp(a));
            let tail: f64 = falling.iter().skip(number(l) as usize - 1).sum();
            falling.first().is_some_and(|most| *most < number(c) * tail)
        }
        ("alpha", (alpha, _)) => {
            let people: BTreeSet<u64> = class.iter().filter(|(_, v)| v.is_some()).map(|(p, _)| *p).collect();
            present.values().all(|n| n / people.len() as f64 <= number(alpha))
        }
        ("t-closeness", (t, _)) => {
            let of = |counts: &BTreeMap<_, f64>, v| counts.get(v).copied().unwrap_or(0.0) / sum(counts);
            let values: BTreeSet<_> = all.keys().chain(table.keys()).collect();
            let moved: f64 = values.iter().map(|v| (of(&all, v) - of(&table, v)).max(0.0)).sum();
            moved <= number(t) + 1e-12
        }
        ("beta-likeness", (beta, _)) => all.iter().all(|(v, n)| {
            let (in_class, in_table) = (n / sum(&all), table[v] / sum(&table));
            (in_class - in_table) / in_table <= number(beta) + 1e-12
        }),
        ("delta-disclosure", (delta, _)) => table.iter().all(|(v, n)| {
            let in_class = all.get(v).copied().unwrap_or(0.0) / sum(&all);
            (in_class / (n / sum(&table))).ln().abs() < number(delta)
        }),
        other => panic!("{other:?}"),
    }
}

fn holds(class: &Class, k: u32, asked: &[(&str, &str)], whole: &Class) -> bool {
    let people: BTreeSet<u64> = class.iter().map(|(person, _)| *person).collect();
    people.len() >= k as usize && asked.iter().all(|&demand| meets(class, demand, whole))
}

fn member(row: &Row) -> (u64, Option<String>) {
    (row.person, Some(row.illness.clone()).filter(|illness| !illness.is_empty()))
}

/// A job on a table of these rows, which is written to a folder.
fn job(folder: &std::path::Path, rows: &[Row], k: u32, asked: &[(&str, &str)]) -> JobSpec {
    let line = |(at, row): (usize, &Row)| {
        format!("p{},{},o{},{},{at}\n", row.person, 20 + row.age, row.place, row.illness)
    };
    let lines: String = rows.iter().enumerate().map(line).collect();
    std::fs::write(folder.join("t.csv"), format!("person,age,place,illness,note\n{lines}")).unwrap();
    let texts = |option: &str| -> Vec<Scalar> {
        let of = asked.iter().filter(|(name, _)| *name == option);
        of.map(|(_, text)| Scalar::Text((*text).to_owned())).collect()
    };
    let p = asked.iter().find(|(option, _)| *option == "p").map(|(_, p)| p.parse().unwrap());
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    JobSpec {
        input: Some(folder.join("t.csv")),
        output: Some(folder.join("r.csv")),
        person: names(&["person"]),
        qi: names(&["age", "place"]),
        sensitive: names(&["illness"]),
        keep: names(&["note"]),
        k: Some(k),
        p,
        l_diversity: texts("l-diversity"),
        t_closeness: texts("t-closeness"),
        alpha: texts("alpha"),
        beta_likeness: texts("beta-likeness"),
        delta_disclosure: texts("delta-disclosure"),
        no_audit: Some(true),
        ..JobSpec::default()
    }
}

/// The classes of a release, each as the rows of the table that it has.
fn classes(folder: &std::path::Path) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for row in read(&folder.join("r.csv")) {
        assert!(!row.contains_key("person"), "the column that names people is dropped");
        if !row["note"].is_empty() {
            let key = (row["age"].clone(), row["place"].clone());
            found.entry(key).or_default().push(row["note"].parse().unwrap());
        }
    }
    found.into_values().collect()
}

fn algorithms() -> Vec<&'static str> {
    let gives_k = ALGORITHMS.iter().filter(|entry| entry.gives.contains(&Notion::K));
    std::iter::once("auto").chain(gives_k.map(|entry| entry.name)).collect()
}

/// All algorithms and demands, with suppression, boundaries and blocks now and then.
#[test]
fn every_class_has_its_people() {
    let mut dice = Dice(7);
    let (mut released, mut refused) = (0, 0);
    for round in 0..3 {
        for algorithm in algorithms() {
            for asked in ASKED {
                let people = 3 + dice.below(if round == 0 { 8 } else { 40 });
                let (most_rows, values) = (dice.one_of(&[1, 2, 4, 9]), 2 + dice.below(4));
                let rows = table(&mut dice, people, most_rows, values);
                let folder = tempfile::tempdir().unwrap();
                let k = 2 + dice.below(4) as u32;
                if asked.iter().any(|(option, text)| *option == "p" && text.parse::<u32>().unwrap() > k) {
                    continue;
                }
                let counts_values = asked.iter().any(|(_, text)| !text.contains(['.', ',']));
                if algorithm == "enhanced-pk" && !counts_values {
                    continue;
                }
                let mut job =
                    JobSpec { algorithm: Some(algorithm.into()), ..job(folder.path(), &rows, k, asked) };
                if dice.below(4) == 0 {
                    job.suppress = Some(Scalar::Text("20%".into()));
                    job.suppressed = Some(dice.one_of(&[Suppressed::Drop, Suppressed::Star]));
                }
                if dice.below(4) == 0 {
                    let width = Some(10.0 + dice.below(20) as f64);
                    job.columns
                        .insert("age".into(), ColumnSpec { max_width: width, ..ColumnSpec::default() });
                }
                if dice.below(3) == 0 && algorithm != "incognito" {
                    job.block_rows = Some(5 + dice.below(20) as usize);
                }
                let may_leave_out = job.suppress.is_some() || !job.columns.is_empty();
                let what = format!("{algorithm}, k = {k}, {asked:?}, {} rows of {people} people", rows.len());
                match FileJob::new(job).and_then(|job| job.run(&Quiet)) {
                    Err(Error::Unsolvable(_)) => refused += 1,
                    Err(e) => panic!("{what}: {e}"),
                    Ok(outcome) => {
                        released += 1;
                        let whole: Class = rows.iter().map(member).collect();
                        let mut least = usize::MAX;
                        for class in classes(folder.path()) {
                            let class: Class = class.into_iter().map(|at| member(&rows[at])).collect();
                            assert!(holds(&class, k, asked, &whole), "{what}: {class:?}");
                            let people: BTreeSet<u64> = class.iter().map(|(person, _)| *person).collect();
                            least = least.min(people.len());
                        }
                        assert_eq!(outcome.summary.achieved.k, least as u64, "{what}");
                        assert!(
                            may_leave_out || outcome.summary.suppressed == 0,
                            "{what}: rows went unasked"
                        );
                        let counted = outcome.summary.people.unwrap();
                        assert_eq!(counted.in_table, Some(people), "{what}");
                    }
                }
            }
        }
    }
    assert!(released > 250 && refused > 20, "{released} released, {refused} refused");
}

/// All partitions of rows `0..n`.
fn partitions(n: usize) -> Vec<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for row in 0..n {
        let mut next = Vec::new();
        for partition in all {
            for at in 0..=partition.len() {
                let mut with = partition.clone();
                if at == partition.len() {
                    with.push(vec![row]);
                } else {
                    with[at].push(row);
                }
                next.push(with);
            }
        }
        all = next;
    }
    all
}

/// Whether a partition is a release: classes that are published alike are one.
fn is_release(rows: &[Row], partition: &[Vec<usize>], k: u32, asked: &[(&str, &str)], whole: &Class) -> bool {
    let mut published: BTreeMap<(u64, u64, Option<u64>), Class> = BTreeMap::new();
    for class in partition {
        let ages = || class.iter().map(|&at| rows[at].age);
        let places: BTreeSet<u64> = class.iter().map(|&at| rows[at].place).collect();
        let place = places.first().copied().filter(|_| places.len() == 1);
        let key = (ages().min().unwrap(), ages().max().unwrap(), place);
        published.entry(key).or_default().extend(class.iter().map(|&at| member(&rows[at])));
    }
    published.values().all(|class| holds(class, k, asked, whole))
}

/// Nothing is refused that some partition of a tiny table could give.
#[test]
fn what_is_refused_cannot_be_had() {
    let mut dice = Dice(3);
    let partitions: Vec<Vec<Vec<Vec<usize>>>> = (0..=7).map(partitions).collect();
    let mut refused = 0;
    for _ in 0..60 {
        for asked in ASKED {
            let (people, values) = (2 + dice.below(3), 1 + dice.below(3));
            let mut rows = table(&mut dice, people, 3, values);
            rows.truncate(7);
            let folder = tempfile::tempdir().unwrap();
            let job = job(folder.path(), &rows, 2, asked);
            if asked.contains(&("p", "3")) {
                continue;
            }
            let whole: Class = rows.iter().map(member).collect();
            if let Err(e) = FileJob::new(job).and_then(|job| job.run(&Quiet)) {
                assert!(matches!(e, Error::Unsolvable(_)), "{e}");
                refused += 1;
                let found = partitions[rows.len()].iter().find(|p| is_release(&rows, p, 2, asked, &whole));
                assert_eq!(found, None, "{asked:?}: {e}\n{rows:?}");
            }
        }
    }
    assert!(refused > 50, "{refused} refused");
}

/// A release is confirmed beside its original, however its rows are ordered; one that counted rows is not.
#[test]
fn the_verifier_counts_people() {
    let mut dice = Dice(5);
    let rows = table(&mut dice, 60, 6, 5);
    let folder = tempfile::tempdir().unwrap();
    for (keep_order, person) in [(true, true), (false, true), (true, false)] {
        let asked = job(folder.path(), &rows, 4, &[("p", "2")]);
        let named = |name: &str| vec![name.to_owned()];
        let made = JobSpec {
            keep_order: Some(keep_order),
            person: if person { named("person") } else { Vec::new() },
            identifier: if person { Vec::new() } else { named("person") },
            rows_are_people: (!person).then_some(true),
            ..asked.clone()
        };
        FileJob::new(made).unwrap().run(&Quiet).unwrap();
        let (release, original) = (folder.path().join("r.csv"), folder.path().join("t.csv"));
        let verdict = FileVerifyJob::new(&asked, release, Some(original)).unwrap().run(&Quiet).unwrap();
        assert_eq!(verdict.shortfalls.is_empty(), person, "{:?}", verdict.shortfalls);
        if !person {
            assert!(
                verdict.shortfalls[0].to_string().contains("a class has rows of only"),
                "{:?}",
                verdict.shortfalls
            );
        }
    }
}
