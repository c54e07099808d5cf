//! Every model with every algorithm, through files: what is released satisfies it in the eyes of a witness that knows
//! only texts, and what is refused does not exist.

use std::collections::BTreeMap;

use kohort::Error;
use kohort::algorithm::{ALGORITHMS, AlgorithmEntry, Quiet};
use kohort::data::{Ground, Kind, Missing, MissingSensitive, Suppressed, Table};
use kohort::demand::Notion;
use kohort::input::{JobSpec, Scalar};
use kohort::job::Verdict;
use kohort::job::files::{FileJob, FileVerifyJob};
use kohort::measure::Measure;
use kohort::model::Regions;
use kohort::parameter::Accepts;
use kohort::report::Summary;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::boundaries::{Drawn, allowed, boundaries, bounded, is_plain_tree, put_boundaries};
use super::common::asked::block_rows;
use super::common::by_hand::{drawn, sheet};
use super::common::draw::{Shape, Sheet, sheets};
use super::common::files::{Folder, Row, read};
use super::common::fixed;
use super::common::plain::Plain;
use super::common::secrets::{Demand, Demands, Secret, demands, secrets};
use super::common::witness::{ambiguous, published};

/// How the job is to be done.
#[derive(Debug, Clone)]
struct Way {
    algorithm: &'static str,
    setting: Option<(&'static str, String)>,
    seed: u64,
    /// In percent.
    suppress: Option<u32>,
    missing: Missing,
    suppressed: Suppressed,
    keep_order: bool,
    opt_out: bool,
    block_rows: Option<usize>,
}

/// A table with all that is asked of its release.
#[derive(Debug, Clone)]
struct Case {
    sheet: Sheet,
    secrets: Vec<Secret>,
    asked: Demands,
    way: Way,
    boundaries: Drawn,
}

fn entries() -> Vec<&'static AlgorithmEntry> {
    ALGORITHMS.iter().filter(|e| e.gives.contains(&Notion::K)).collect()
}

fn ways() -> impl Strategy<Value = Way> {
    let suppress = prop_oneof![2 => Just(None), 1 => Just(Some(0)), 2 => (1..=60u32).prop_map(Some)];
    let form = (
        prop_oneof![Just(Missing::Value), Just(Missing::Suppress)],
        select(vec![Suppressed::Drop, Suppressed::Star]),
        any::<bool>(),
        prop::bool::weighted(0.2),
        block_rows(),
    );
    (any::<Index>(), any::<Index>(), 0..3u64, suppress, form).prop_map(
        |(entry, choice, seed, suppress, form)| {
            let entries = entries();
            let entry = entries[entry.index(entries.len())];
            let (missing, suppressed, keep_order, opt_out, blocks) = form;
            let block_rows = blocks.filter(|_| entry.name != "incognito");
            let setting = setting(entry, choice, suppress);
            Way {
                algorithm: entry.name,
                setting,
                seed,
                suppress,
                missing,
                suppressed,
                keep_order,
                opt_out,
                block_rows,
            }
        },
    )
}

/// One of the settings. A threshold needs a limit on what it may suppress.
fn setting(entry: &AlgorithmEntry, choice: Index, suppress: Option<u32>) -> Option<(&'static str, String)> {
    let first = entry.settings.first()?;
    if let Accepts::Choice { values, .. } = first.accepts {
        return Some((first.name, values[choice.index(values.len())].to_owned()));
    }
    let number = choice.index(8).to_string();
    Some((first.name, number)).filter(|_| suppress.is_some() && choice.index(3) > 0)
}

fn cases(sheet: impl Strategy<Value = Sheet>, bounds: u8) -> impl Strategy<Value = Case> {
    let with_secrets = sheet.prop_flat_map(|sheet| {
        let columns = prop_oneof![4 => vec(secrets(sheet.rows), 1), 1 => vec(secrets(sheet.rows), 2)];
        (Just(sheet), columns)
    });
    let bounds = prop_oneof![Just(Vec::new()).boxed(), boundaries(bounds).boxed()];
    (with_secrets, demands(), ways(), bounds).prop_map(|((sheet, secrets), asked, mut way, boundaries)| {
        let texts = secrets.iter().map(|s| s.texts.clone()).collect();
        if way.algorithm == "enhanced-pk" && asked.p().is_none() {
            (way.algorithm, way.setting) = ("k-member", None);
        }
        // Of two nodes with one name nobody can tell which is meant.
        let boundaries = if is_plain_tree(&sheet) { boundaries } else { Vec::new() };
        // A width below the step of a grid is refused, whatever the values.
        let sheet = if boundaries.is_empty() { sheet } else { sheet.without_grids() };
        Case { sheet: Sheet { sensitive: texts, ..sheet }, secrets, asked, way, boundaries }
    })
}

fn is_bounded(table: &Table) -> bool {
    table.qi.iter().any(|q| q.attribute.boundary.is_some())
}

impl Case {
    /// The table with its boundaries.
    fn table(&self) -> Table {
        bounded(&self.sheet, &self.boundaries)
    }

    /// Who does not mind, by the first sensitive column.
    fn opted_out(&self) -> Option<&str> {
        Some(self.secrets[0].texts[0].as_str()).filter(|text| self.way.opt_out && !text.is_empty())
    }

    /// The rows that are not published as they are.
    fn all(&self) -> Vec<usize> {
        (0..self.sheet.rows)
            .filter(|&row| Some(self.secrets[0].texts[row].as_str()) != self.opted_out())
            .collect()
    }

    /// Those that may be in a class.
    fn kept(&self) -> Vec<usize> {
        let whole = |row: &usize| self.sheet.qi.iter().all(|c| !c.texts[*row].is_empty());
        self.all().into_iter().filter(|row| self.way.missing == Missing::Value || whole(row)).collect()
    }

    /// The fewest rows that must be in classes; `None` when too many are gone already.
    fn fewest(&self, table: &Table) -> Option<usize> {
        let (all, kept) = (self.all().len(), self.kept().len());
        match self.way.suppress {
            Some(percent) => {
                let least = all - all * percent as usize / 100;
                (least <= kept).then_some(least.max(1))
            }
            None => Some(if is_bounded(table) { 1 } else { kept.max(1) }),
        }
    }

    fn job(&self, folder: &Folder, table: &Table) -> JobSpec {
        let way = &self.way;
        let mut job = JobSpec {
            algorithm: Some(way.algorithm.to_owned()),
            settings: way.setting.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            seed: Some(way.seed),
            block_rows: way.block_rows,
            suppress: way.suppress.map(|percent| Scalar::Text(format!("{percent}%"))),
            missing: Some(way.missing),
            suppressed: Some(way.suppressed),
            keep_order: Some(way.keep_order),
            opt_out: self.opted_out().map(|text| format!("s0={text}")),
            ..folder.job(&self.sheet)
        };
        put_boundaries(&mut job, table);
        self.asked.ask(&mut job, &self.secrets);
        job
    }

    fn folder(&self) -> Folder {
        let folder = Folder::of(&self.sheet);
        for (i, secret) in self.secrets.iter().enumerate() {
            if let Shape::Tree(paths) = &secret.shape {
                let lines: Vec<String> = paths.iter().map(|p| p.join(";")).collect();
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                folder.lines(&format!("trees/s{i}.csv"), &lines);
            }
        }
        folder
    }

    /// Whether any release exists: every way to put rows into classes or to leave them out. By sets of rows, written as
    /// bits: those that may be a class, and those that fall into classes.
    fn has_release(&self, table: &Table) -> bool {
        let (kept, all) = (self.kept(), self.all());
        let Some(fewest) = self.fewest(table) else { return false };
        let plain = Plain::new(table, Measure::Il, 1, 1);
        let rows = |set: usize| (0..kept.len()).filter(move |i| set & (1 << i) != 0).map(|i| kept[i]);
        let class = |set: usize| {
            let rows: Vec<usize> = rows(set).collect();
            let numbers: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
            set != 0 && self.asked.hold(&self.secrets, &rows, &all) && allowed(&plain, &numbers)
        };
        let classes: Vec<bool> = (0..1 << kept.len()).map(class).collect();
        let mut parted = vec![true];
        for set in 1..classes.len() {
            let mut part = set;
            while part > 0 && !(classes[part] && parted[set & !part]) {
                part = (part - 1) & set;
            }
            parted.push(part > 0);
        }
        (1..parted.len()).any(|set| parted[set] && rows(set).count() >= fewest)
    }
}

/// The classes of a release, as rows of the original, by the texts they show; and the rows published as they are.
fn classes(case: &Case, released: &[Row]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut by_text: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let mut verbatim = Vec::new();
    for row in released.iter().filter(|row| !row["note"].is_empty()) {
        let source: usize = row["note"].parse().unwrap();
        for (i, secret) in case.secrets.iter().enumerate() {
            assert_eq!(row[&format!("s{i}")], secret.texts[source], "sensitive values stay with their row");
        }
        if case.opted_out() == Some(row["s0"].as_str()) {
            verbatim.push(source);
        } else {
            by_text.entry(published(&case.sheet, row)).or_default().push(source);
        }
    }
    (by_text.into_values().collect(), verbatim)
}

/// The figures a summary gives of every column, against the worst class.
fn same_figures(case: &Case, classes: &[Vec<usize>], summary: &Summary) {
    let all = case.all();
    for (i, secret) in case.secrets.iter().enumerate() {
        let name = format!("s{i}");
        let plain = Secret { protected: Vec::new(), ..secret.clone() };
        let counted = if case.asked.p().is_some_and(|p| p > 1) { secret } else { &plain };
        let kinds = classes.iter().map(|rows| counted.kinds(rows)).min().unwrap();
        assert_eq!(summary.achieved.p[&name], kinds as u64);
        if case.asked.all.iter().any(|d| matches!(d, Demand::T(_))) {
            let distance = |rows: &Vec<usize>| {
                let (moved, of) = secret.moved(rows, &all);
                moved as f64 / of as f64
            };
            let farthest = classes.iter().map(distance).fold(0.0, f64::max);
            assert!((summary.achieved.t[&name] - farthest).abs() < 1e-9);
        }
        let worst = |found: &BTreeMap<String, f64>, of: fn(&Secret, &[usize], &[usize]) -> f64| {
            let expected = classes.iter().map(|rows| of(secret, rows, &all)).fold(0.0, f64::max);
            // Columns of which no demand compares classes with the table are not compared.
            let same = |&found: &f64| {
                (found - expected).abs() < 1e-9 || (found.is_infinite() && expected.is_infinite())
            };
            assert!(found.get(&name).is_none_or(same), "{found:?}, expected {expected}");
        };
        worst(&summary.achieved.beta, Secret::largest_gain);
        worst(&summary.achieved.delta, Secret::farthest_logarithm);
    }
}

/// Looks at a release with nothing but the texts of both tables.
fn inspect(case: &Case, table: &Table, folder: &Folder, summary: &Summary) {
    let released = read(&folder.path("release.csv"));
    let (classes, verbatim) = classes(case, &released);
    let all = case.all();
    for rows in &classes {
        assert!(case.asked.hold(&case.secrets, rows, &all), "{rows:?} falls short");
    }
    let shown: usize = classes.iter().map(Vec::len).sum();
    assert!(shown >= case.fewest(table).unwrap(), "only {shown} rows are in classes");
    assert_eq!(summary.suppressed as usize, all.len() - shown);
    assert_eq!((summary.opted_out as usize, verbatim.len()), (verbatim.len(), case.sheet.rows - all.len()));
    same_figures(case, &classes, summary);
}

fn verdict(folder: &Folder, file: &JobSpec, original: bool) -> Verdict {
    let original = original.then(|| folder.path("people.csv"));
    FileVerifyJob::new(file, folder.path("release.csv"), original).and_then(|job| job.run(&Quiet)).unwrap()
}

/// Whoever checks the release, with or without the original, finds what was asked.
fn verified(case: &Case, table: &Table, folder: &Folder, file: &JobSpec, summary: &Summary) {
    if ambiguous(&case.sheet, &read(&folder.path("release.csv"))) {
        return;
    }
    let with = verdict(folder, file, true);
    assert!(with.shortfalls.is_empty(), "{:?}", with.shortfalls);
    assert_eq!(with.summary.achieved.t, summary.achieved.t);
    if !is_bounded(table) {
        // Rows that are not there may have made the table look different.
        let whole = summary.suppressed == 0;
        let without = verdict(folder, file, false);
        assert!(!whole || without.shortfalls.is_empty(), "{:?}", without.shortfalls);
    }
}

fn bytes(folder: &Folder, file: &JobSpec, threads: usize) -> Vec<u8> {
    let output = folder.path(&format!("release{threads}.csv"));
    let file = JobSpec { output: Some(output.clone()), ..file.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| FileJob::new(file).unwrap().run(&Quiet).unwrap());
    std::fs::read(output).unwrap()
}

/// What became of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Released,
    /// There is no release.
    Refused,
    /// None was found, and there is none.
    NotThere,
    /// None was found, though there is one.
    NotFound,
    /// None was found; nobody looked for one.
    Unknown,
}

/// Up to how many rows every release is tried.
const TINY: usize = 9;

fn refused(case: &Case, table: &Table, folder: &Folder, message: &str) -> End {
    assert!(!folder.path("release.csv").exists(), "nothing may be written");
    let (kept, found) = (case.kept(), message.contains("no release was found"));
    // Levels of whole columns may leave no release where rows one by one do; that is looked at in `incognito.rs`.
    if kept.len() <= TINY && case.way.algorithm != "incognito" {
        let exists = case.has_release(table);
        assert!(!exists || found, "there is a release: {message}");
        return if !found {
            End::Refused
        } else if exists {
            End::NotFound
        } else {
            End::NotThere
        };
    }
    if !is_bounded(table) && case.fewest(table) == Some(kept.len()) {
        assert!(!case.asked.hold(&case.secrets, &kept, &case.all()), "all rows are a class: {message}");
    }
    if found { End::Unknown } else { End::Refused }
}

fn run(case: &Case) -> End {
    let (table, folder) = (case.table(), case.folder());
    let file = case.job(&folder, &table);
    match FileJob::new(file.clone()).and_then(|job| job.run(&Quiet)) {
        Ok(outcome) => {
            inspect(case, &table, &folder, &outcome.summary);
            verified(case, &table, &folder, &file, &outcome.summary);
            if case.way.seed == 1 {
                assert!(bytes(&folder, &file, 1) == bytes(&folder, &file, 2), "threads change the release");
            }
            End::Released
        }
        Err(Error::Unsolvable(e)) => refused(case, &table, &folder, &e.to_string()),
        // It recodes whole columns and may ask for hierarchies, or refuse boundaries.
        Err(Error::Job(_)) if case.way.algorithm == "incognito" => End::Unknown,
        // A boundary at a value that nobody has who could be released.
        Err(Error::Job(e))
            if case.way.missing == Missing::Suppress && e.to_string().contains("has no node") =>
        {
            End::Unknown
        }
        Err(e) => panic!("{e}"),
    }
}

fn any_sheet() -> impl Strategy<Value = Sheet> {
    let rows = || prop_oneof![2 => 2..=5usize, 8 => 6..=40usize, 1 => 41..=120usize];
    prop_oneof![
        4 => sheets(rows(), 1..=1, 0..=0),
        8 => sheets(rows(), 2..=4, 0..=0),
        1 => sheets(rows(), 40..=40, 0..=0),
    ]
}

proptest! {
    #![proptest_config(fixed(1000))]

    #[test]
    fn releases_satisfy_every_model(case in cases(any_sheet(), 5)) {
        run(&case);
    }
}

/// The fewest rows that must go so that the others are a class, all of them if nothing helps.
fn fewest_out(asked: &Demands, secrets: &[Secret], rows: usize) -> usize {
    let all: Vec<usize> = (0..rows).collect();
    let kept = |set: usize| (0..rows).filter(move |row| set & (1 << row) != 0).collect::<Vec<_>>();
    let holds = (1..1usize << rows).map(kept).filter(|kept| asked.hold(secrets, kept, &all));
    rows - holds.map(|kept| kept.len()).max().unwrap_or(0)
}

/// Trimming is exact where it says so; elsewhere it leaves out as few rows as possible nearly always.
#[test]
fn trimming_leaves_out_few_rows() {
    let tables =
        (2..=9usize, 1..=2usize).prop_flat_map(|(rows, columns)| (vec(secrets(rows), columns), demands()));
    let (worse, trimmed) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let trims = |(secrets, asked): (Vec<Secret>, Demands)| {
        let encoded = |(i, s): (usize, &Secret)| s.encoded(&format!("s{i}"));
        let sensitive = secrets.iter().enumerate().map(encoded).collect();
        let table = Table { rows: secrets[0].texts.len(), sensitive, ..Table::default() };
        let models = asked.models(&table);
        let parts = Regions::new(&table, &models);
        let fewest = fewest_out(&asked, &secrets, table.rows);
        let compares = |d: &Demand| matches!(d, Demand::T(_) | Demand::Beta(_) | Demand::Delta(_));
        let by_frequency = models.columns().len() == 1 && !asked.all.iter().any(compares);
        prop_assert_eq!(parts.minimal, models.survive_adding_rows() || by_frequency);
        prop_assert!(parts.out.len() >= fewest);
        prop_assert!(
            !parts.minimal || parts.out.len() == fewest,
            "{} instead of {}",
            parts.out.len(),
            fewest
        );
        if !parts.minimal && fewest > 0 && fewest < table.rows {
            trimmed.set(trimmed.get() + 1);
            worse.set(worse.get() + usize::from(parts.out.len() > fewest));
        }
        Ok(())
    };
    proptest::test_runner::TestRunner::new(fixed(4000)).run(&tables, trims).unwrap();
    println!("{} of {} could do with fewer", worse.get(), trimmed.get());
    assert!(trimmed.get() > 50 && 10 * worse.get() < trimmed.get(), "{} of {}", worse.get(), trimmed.get());
}

/// How jobs on tiny tables ended, by whether there were boundaries.
#[test]
fn refusals_of_tiny_tables_are_right() {
    let mut runner = proptest::test_runner::TestRunner::new(fixed(2500));
    let ends = std::cell::RefCell::new(BTreeMap::<(bool, End), usize>::new());
    runner
        .run(&cases(sheets(2..=7usize, 1..=2, 0..=0), 3), |case| {
            let end = run(&case);
            *ends.borrow_mut().entry((is_bounded(&case.table()), end)).or_default() += 1;
            Ok(())
        })
        .unwrap();
    println!("{:?}", ends.borrow());
    let of = |end| ends.borrow().iter().filter(|((_, e), _)| *e == end).map(|(_, n)| n).sum::<usize>();
    assert!(of(End::Released) > 300 && of(End::Refused) > 300, "{:?}", ends.borrow());
    assert!(20 * of(End::NotFound) < of(End::NotThere), "{:?}", ends.borrow());
}

/// Numbers as the only quasi-identifier, letters as the only secret.
fn by_hand(numbers: &[&str], letters: &str) -> (Sheet, Folder) {
    let sheet = sheet(vec![drawn(Shape::Number(Kind::Integer), numbers.iter().copied())], letters);
    let folder = Folder::of(&sheet);
    (sheet, folder)
}

/// The table as a whole is too skewed, but what boundaries leave out anyway is what skews it.
#[test]
fn a_boundary_may_leave_out_what_makes_the_table_fail() {
    let (sheet, folder) = by_hand(&["1", "1", "2", "2", "9", "9", "9"], "abcdaaa");
    let mut file = JobSpec { k: Some(2), alpha: vec![Scalar::Number(0.5)], ..folder.job(&sheet) };
    let refused = FileJob::new(file.clone()).unwrap().run(&Quiet).err();
    assert!(matches!(refused, Some(Error::Unsolvable(_))), "{refused:?}");
    file.columns.entry("q0".into()).or_default().cuts = Some(vec![Scalar::Number(5.0)]);
    let summary = FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap().summary;
    assert_eq!((summary.released, summary.suppressed), (4, 3));
    let refused =
        FileJob::new(JobSpec { suppress: Some(Scalar::Number(0.0)), ..file }).unwrap().run(&Quiet).err();
    assert!(matches!(refused, Some(Error::Unsolvable(_))), "{refused:?}");
}

/// Salaries of people who do not mind lie far above all others; that must not make those others look alike.
#[test]
fn opted_out_values_do_not_make_others_close() {
    let numbers: Vec<String> = (0..24).map(|row| (row / 2).to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let (mut sheet, _) = by_hand(&numbers, &"xx".repeat(12));
    // Two salaries, one below and one above; twenty others far away.
    let salary = |row: usize| if row < 4 { (row / 2).to_string() } else { (100 + row).to_string() };
    sheet.sensitive[0] = (0..24).map(salary).collect();
    sheet.sensitive.push((0..24).map(|row| if row < 4 { "no" } else { "yes" }.to_owned()).collect());
    let folder = Folder::of(&sheet);
    let file = JobSpec {
        k: Some(2),
        t_closeness: vec![Scalar::Text("0.2:ordered".into())],
        sensitive: vec!["s0".into()],
        opt_out: Some("s1=yes".into()),
        ..folder.job(&sheet)
    };
    let summary = FileJob::new(file.clone()).unwrap().run(&Quiet).unwrap().summary;
    assert_eq!((summary.classes, summary.opted_out), (1, 20));
    assert!(verdict(&folder, &file, false).shortfalls.is_empty());
}

/// So many values that what a row brings is no longer worked out value by value, and trimming looks at the most frequent.
#[test]
fn many_values_are_no_trouble() {
    let rows = 900;
    let text =
        |row: usize| if row.is_multiple_of(4) { "0".to_owned() } else { (row * 7919 % 640).to_string() };
    let secret = |ground| Secret {
        missing: MissingSensitive::Ignore,
        shape: Shape::Number(Kind::Integer),
        texts: (0..rows).map(text).collect(),
        protected: Vec::new(),
        ground,
    };
    let numbers: Vec<String> = (0..rows).map(|row| (row * 31 % 97).to_string()).collect();
    let sheet = sheet(vec![drawn(Shape::Number(Kind::Integer), numbers.iter().map(String::as_str))], "");
    for demand in [
        Demand::T(4),
        Demand::Alpha(6),
        Demand::Entropy(8),
        Demand::Recursive(6, 3),
        Demand::Alpha(4),
        Demand::Beta(400),
        Demand::Delta(8),
    ] {
        for entry in entries().into_iter().filter(|e| e.name != "enhanced-pk" && e.name != "incognito") {
            let secrets = vec![secret(Ground::Ordered), secret(Ground::Equal)];
            let way = Way {
                algorithm: entry.name,
                setting: None,
                seed: 0,
                suppress: (demand == Demand::Alpha(4)).then_some(20),
                missing: Missing::Value,
                suppressed: Suppressed::Drop,
                keep_order: false,
                opt_out: false,
                block_rows: None,
            };
            let texts = secrets.iter().map(|s| s.texts.clone()).collect();
            let sheet = Sheet { sensitive: texts, ..sheet.clone() };
            let asked = Demands { k: 4, all: vec![demand], only: None };
            let case = Case { sheet, secrets, asked, way, boundaries: Vec::new() };
            assert_eq!(light(&case), End::Released, "{} with {demand:?}", entry.name);
        }
    }
}

/// The walk without the witness, whose distances take long on many values; the job itself fails where its release does.
fn light(case: &Case) -> End {
    let (table, folder) = (case.table(), case.folder());
    match FileJob::new(case.job(&folder, &table)).and_then(|job| job.run(&Quiet)) {
        Ok(outcome) => {
            assert!(case.asked.k <= outcome.summary.achieved.k as u32);
            End::Released
        }
        Err(Error::Unsolvable(_)) => End::Refused,
        Err(e) => panic!("{e}"),
    }
}
