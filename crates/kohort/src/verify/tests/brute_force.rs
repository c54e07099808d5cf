//! Tiny releases, true and broken, of which everything is known: every assignment of their rows to those of the original is
//! tried. Texts are read, and boundaries checked, by code written for these tables.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::super::{Alignment, Findings, Notions, Prints, Reference, Released, SourceCheck, verify};
use crate::data::{Attribute, Boundary, Domain, Hierarchy, Kind, Numbers, QuasiIdentifier, Sensitive, Table};
use crate::demand::{Demands, Notion};
use crate::input::Column;

const AGES: [&str; 4] = ["20", "30", "40", ""];
const PLACES: [&str; 4] = ["a", "b", "c", "d"];
const ILLNESSES: [&str; 2] = ["flu", "gout"];
const AGE_TEXTS: [&str; 8] = ["20", "40", "[20, 30]", "[20, 40]", "[30, 40]", "*", "", "[21, 29]"];
const PLACE_TEXTS: [&str; 7] = ["a", "c", "x", "y", "*", "d", "nowhere"];

/// How far values may be generalized.
#[derive(Clone, Copy, PartialEq)]
enum Limits {
    None,
    /// Ages up to a width of 10, and `a` and `b` up to `x`.
    Width,
    /// No interval from below 30 to 30 or above.
    Cut,
}

/// A person, by place in the lists of values.
#[derive(Clone, Copy)]
struct Person {
    age: usize,
    place: usize,
    illness: usize,
    note: u64,
    verbatim: bool,
    lacking: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum As {
    InClass,
    Hidden,
    Verbatim,
}

/// A published row.
#[derive(Clone, Copy)]
struct Shown {
    from: usize,
    age: &'static str,
    place: &'static str,
    illness: &'static str,
    note: u64,
    how: As,
}

struct Case {
    people: Vec<Person>,
    rows: Vec<Shown>,
    limits: Limits,
    notes_match: bool,
}

struct Dice(ChaCha20Rng);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Whether a text can stand for an age.
fn admits_age(text: &str, age: &str) -> bool {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    match inner.and_then(|t| t.split_once(", ")) {
        _ if text == "*" => true,
        Some((lo, hi)) => !age.is_empty() && lo <= age && age <= hi,
        None => text == age,
    }
}

/// A place and what is above it.
fn path(place: &str) -> [&str; 3] {
    [place, if place < "c" { "x" } else { "y" }, "*"]
}

fn admits_place(text: &str, place: &str) -> bool {
    path(place).contains(&text)
}

fn admits(row: &Shown, person: &Person) -> bool {
    admits_age(row.age, AGES[person.age]) && admits_place(row.place, PLACES[person.place])
}

/// Cells of a row that tell less of a person than the limits allow.
fn beyond(limits: Limits, row: &Shown, person: &Person) -> u64 {
    let age = AGES[person.age];
    let ends = row.age.strip_prefix('[').and_then(|t| t.strip_suffix(']')).and_then(|t| t.split_once(", "));
    let (lo, hi) = ends.unwrap_or((row.age, row.age));
    let number = |text: &str| text.parse::<i32>().ok();
    let wide = match (limits, number(lo), number(hi)) {
        (Limits::None, ..) => false,
        (Limits::Width, Some(lo), Some(hi)) => hi - lo > 10,
        (Limits::Cut, Some(lo), Some(hi)) if !age.is_empty() => {
            if number(age) < Some(30) {
                hi >= 30
            } else {
                lo < 30
            }
        }
        _ => row.age == "*" && !age.is_empty(),
    };
    let place = PLACES[person.place];
    let allowed = if place < "c" { &path(place)[..2] } else { &path(place)[..] };
    let high = limits == Limits::Width && row.place != "nowhere" && !allowed.contains(&row.place);
    u64::from(wide) + u64::from(high)
}

impl Case {
    fn draw(dice: &mut Dice) -> Self {
        let limits = dice.pick(&[Limits::None, Limits::None, Limits::Width, Limits::Cut]);
        let (some_verbatim, some_lacking) = (dice.one_in(3), dice.one_in(3));
        let people: Vec<Person> = (0..2 + dice.below(4))
            .map(|_| {
                let verbatim = some_verbatim && dice.one_in(4);
                Person {
                    age: dice.below(AGES.len()),
                    place: dice.below(PLACES.len()),
                    illness: dice.below(ILLNESSES.len()),
                    note: dice.below(3) as u64,
                    verbatim,
                    lacking: !verbatim && some_lacking && dice.one_in(4),
                }
            })
            .collect();
        let notes_match = dice.one_in(2);
        let mut from: Vec<usize> = (0..people.len()).collect();
        if dice.one_in(2) {
            (0..from.len()).for_each(|i| from.swap(i, dice.below(i + 1)));
        }
        let omits = dice.one_in(3);
        from.retain(|_| !omits || !dice.one_in(4));
        // Cells that several rows share are likelier than cells of their own.
        let common = (dice.pick(&AGE_TEXTS), dice.pick(&PLACE_TEXTS[2..5]));
        let rows =
            from.into_iter().map(|from| Self::row(dice, &people[from], from, common, notes_match)).collect();
        Self { people, rows, limits, notes_match }
    }

    fn row(
        dice: &mut Dice,
        person: &Person,
        from: usize,
        common: (&'static str, &'static str),
        notes_match: bool,
    ) -> Shown {
        let mut how = if person.lacking || dice.one_in(8) { As::Hidden } else { As::InClass };
        if person.verbatim != dice.one_in(30) {
            how = As::Verbatim;
        }
        let (age, place) = (AGES[person.age], PLACES[person.place]);
        let wrong = dice.one_in(12);
        let fitting =
            |dice: &mut Dice, texts: &[&'static str], usual: &'static str, fits: &dyn Fn(&str) -> bool| {
                let good: Vec<&str> = texts.iter().copied().filter(|t| fits(t)).collect();
                if wrong {
                    dice.pick(texts)
                } else if fits(usual) && !dice.one_in(3) {
                    usual
                } else {
                    dice.pick(&good)
                }
            };
        let (mut age, mut place) = match how {
            As::Verbatim => (age, place),
            As::Hidden => ("*", "*"),
            As::InClass => (
                fitting(dice, &AGE_TEXTS, common.0, &|t| admits_age(t, age)),
                fitting(dice, &PLACE_TEXTS, common.1, &|t| admits_place(t, place)),
            ),
        };
        if how == As::Verbatim && dice.one_in(10) {
            (age, place) = (dice.pick(&AGE_TEXTS), dice.pick(&PLACE_TEXTS));
        }
        let illness =
            if dice.one_in(12) { dice.pick(&["flu", "gout", "plague"]) } else { ILLNESSES[person.illness] };
        let note = if !notes_match && dice.one_in(6) { dice.below(4) as u64 } else { person.note };
        Shown { from, age, place, illness: if how == As::Hidden { "" } else { illness }, note, how }
    }

    fn open(&self, person: usize) -> bool {
        !self.people[person].verbatim && !self.people[person].lacking
    }

    fn in_classes(&self) -> Vec<Shown> {
        self.rows.iter().copied().filter(|row| row.how == As::InClass).collect()
    }

    fn table(&self) -> Table {
        let texts = AGES.map(str::to_owned);
        let (numbers, code_of) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let tree = Hierarchy::from_paths("place", PLACES.map(path)).unwrap();
        let marked = vec![tree.node("x").unwrap()];
        let age_limit = match self.limits {
            Limits::None => None,
            Limits::Width => Some(Boundary::Line { cuts: Vec::new(), width: Some(10.0) }),
            Limits::Cut => Some(Boundary::Line { cuts: vec![30.0], width: None }),
        };
        let place_limit = (self.limits == Limits::Width).then_some(Boundary::Nodes(marked));
        let leaves = PLACES.map(|place| tree.leaf(place).unwrap());
        let column = |name: &str, domain, boundary, codes: Vec<u32>| QuasiIdentifier {
            attribute: Attribute { boundary, ..Attribute::new(name, domain, vec![1; 4]) },
            codes: codes.into_iter().collect(),
        };
        let of = |code: &dyn Fn(&Person) -> u32| self.people.iter().map(code).collect::<Vec<_>>();
        let illness = Sensitive {
            name: "illness".into(),
            distinct: 2,
            texts: ILLNESSES.map(str::to_owned).to_vec(),
            codes: of(&|p| p.illness as u32).into_iter().collect(),
            is_text: true,
            ..Sensitive::default()
        };
        Table {
            rows: self.people.len(),
            qi: vec![
                column("age", Domain::Interval(numbers), age_limit, of(&|p| code_of[p.age])),
                column("place", Domain::Tree(tree), place_limit, of(&|p| leaves[p.place])),
            ],
            sensitive: vec![illness],
            verbatim: self.people.iter().map(|p| p.verbatim).collect(),
            lacking: self.people.iter().map(|p| p.lacking).collect(),
            people: None,
        }
    }

    fn released(&self) -> Released {
        let column = |name: &str, text: &dyn Fn(&Shown) -> &'static str| {
            let mut column = Column { name: name.into(), ..Column::default() };
            for row in &self.rows {
                let known = column.texts.iter().position(|t| t == text(row));
                column.codes.push(known.unwrap_or(column.texts.len()) as u32);
                if known.is_none() {
                    column.texts.push(text(row).to_owned());
                }
            }
            column
        };
        Released {
            people: None,
            rows: self.rows.len(),
            qi: vec![vec![column("age", &|r| r.age)], vec![column("place", &|r| r.place)]],
            sensitive: vec![column("illness", &|r| r.illness)],
            hidden: self.rows.iter().map(|r| r.how == As::Hidden).collect(),
            verbatim: self.rows.iter().map(|r| r.how == As::Verbatim).collect(),
        }
    }

    fn findings(&self, order: Option<&[u32]>) -> Findings {
        self.findings_if(order, true)
    }

    fn findings_if(&self, order: Option<&[u32]>, readable: bool) -> Findings {
        let table = self.table();
        let notes = Prints {
            original: self.people.iter().map(|p| p.note).collect(),
            released: self.rows.iter().map(|r| r.note).collect(),
        };
        let reference = Reference {
            k: None,
            table: &table,
            alignment: order.map_or(Alignment::Unknown, Alignment::Known),
            beta: 0.0,
            readable,
            notion: Notion::Global,
            secrets: None,
            untouched: Some(&notes),
        };
        verify(&self.released(), Some(&reference), None, &Demands::default(), &table).unwrap()
    }

    /// How many values are released more often than they occur, or are not those of their rows where these are known.
    fn foreign<T: PartialEq>(
        &self,
        of_row: impl Fn(&Shown) -> T,
        of_person: impl Fn(&Person) -> T,
        known: bool,
    ) -> u64 {
        let shown = self.rows.iter().filter(|row| row.how != As::Hidden);
        if known {
            return shown.filter(|row| of_row(row) != of_person(&self.people[row.from])).count() as u64;
        }
        let mut left: Vec<T> = self.people.iter().map(of_person).collect();
        let mut foreign = 0;
        for row in shown {
            match left.iter().position(|value| *value == of_row(row)) {
                Some(at) => drop(left.swap_remove(at)),
                None => foreign += 1,
            }
        }
        foreign
    }

    fn foreign_notes(&self, known: bool) -> u64 {
        self.foreign(|row| row.note, |person| person.note, known)
    }

    /// Every way to give rows of classes people of their own, or nobody; who, by row.
    fn assignments(&self) -> Vec<Vec<Option<usize>>> {
        let notes_count = self.foreign_notes(false) == 0;
        let rows = self.in_classes();
        let fits = |row: &Shown, p: usize| {
            let person = &self.people[p];
            self.open(p)
                && admits(row, person)
                && row.illness == ILLNESSES[person.illness]
                && (!notes_count || row.note == person.note)
        };
        let mut all = vec![Vec::new()];
        for row in &rows {
            let longer = |so_far: Vec<Option<usize>>| {
                let free = (0..self.people.len()).filter(|p| !so_far.contains(&Some(*p)) && fits(row, *p));
                let choices: Vec<Option<usize>> = free.map(Some).chain([None]).collect();
                choices.into_iter().map(|choice| [so_far.clone(), vec![choice]].concat()).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    fn violations(&self, owners: &[usize]) -> u64 {
        self.in_classes().iter().zip(owners).map(|(row, &p)| beyond(self.limits, row, &self.people[p])).sum()
    }

    /// Rows that are published as they are, and people who want that, without their like on the other side.
    fn unmatched_verbatim(&self) -> u64 {
        let mut wanted: Vec<&Person> = self.people.iter().filter(|p| p.verbatim).collect();
        let here: Vec<&Shown> = self.rows.iter().filter(|row| row.how == As::Verbatim).collect();
        let (shown, all) = (here.len(), wanted.len());
        for row in here {
            let same = |p: &&Person| {
                (row.age, row.place, row.illness) == (AGES[p.age], PLACES[p.place], ILLNESSES[p.illness])
            };
            wanted.iter().position(same).map(|at| wanted.swap_remove(at));
        }
        let matched = all - wanted.len();
        (shown - matched).max(all - matched) as u64
    }

    /// Whether every row fits the one of the original that stands in the same place; then how many cells violate limits.
    fn violations_in_order(&self) -> Option<u64> {
        let notes_count = self.foreign_notes(false) == 0;
        let fits = |(row, person): (&Shown, &Person)| {
            let same = row.illness == ILLNESSES[person.illness] && (!notes_count || row.note == person.note);
            (row.how == As::Verbatim) == person.verbatim
                && (!person.lacking || row.how == As::Hidden)
                && (row.how == As::Hidden || same)
                && (row.how != As::InClass || admits(row, person))
        };
        let pairs = || self.rows.iter().zip(&self.people);
        let all = self.rows.len() == self.people.len() && pairs().all(fits);
        let in_class = pairs().filter(|(row, _)| row.how == As::InClass);
        all.then(|| in_class.map(|(row, person)| beyond(self.limits, row, person)).sum())
    }

    /// The notions where these people, and nobody else, own the rows of classes.
    fn notions(&self, owners: &[usize]) -> (u64, u64, Option<u64>, u64, f64) {
        let rows = self.in_classes();
        let lies = |p: usize, t: usize| admits(&rows[t], &self.people[p]);
        let mut ways = vec![vec![0u32; rows.len()]; owners.len()];
        let mut all = 0u32;
        let mut open = vec![Vec::new()];
        while let Some(tuples) = open.pop() {
            if tuples.len() == owners.len() {
                all += 1;
                tuples.iter().enumerate().for_each(|(at, &t): (usize, &usize)| ways[at][t] += 1);
                continue;
            }
            let free = (0..rows.len()).filter(|t| !tuples.contains(t) && lies(owners[tuples.len()], *t));
            open.extend(free.map(|t| [tuples.clone(), vec![t]].concat()));
        }
        let per_tuple = |t: usize| owners.iter().filter(|&&p| lies(p, t)).count() as u64;
        let per_person = |p: &usize| (0..rows.len()).filter(|&t| lies(*p, t)).count() as u64;
        let matches = |at: usize| (0..rows.len()).filter(|&t| ways[at][t] > 0).collect::<Vec<_>>();
        let values = |at: usize| {
            let mut values: Vec<&str> = matches(at).iter().map(|&t| rows[t].illness).collect();
            values.sort_unstable();
            values.dedup();
            values.len() as u64
        };
        let most = ways.iter().flatten().max().copied().unwrap_or(0);
        (
            (0..rows.len()).map(per_tuple).min().unwrap_or(0),
            owners.iter().map(per_person).min().unwrap_or(0),
            (0..owners.len()).map(|at| matches(at).len() as u64).min(),
            (0..owners.len()).map(values).min().unwrap_or(0),
            f64::from(most) / f64::from(all.max(1)),
        )
    }

    /// The rows of classes by what they read.
    fn classes(&self) -> Vec<Vec<Shown>> {
        let mut classes: Vec<Vec<Shown>> = Vec::new();
        for row in self.in_classes() {
            match classes.iter_mut().find(|c| (c[0].age, c[0].place) == (row.age, row.place)) {
                Some(class) => class.push(row),
                None => classes.push(vec![row]),
            }
        }
        classes
    }
}

fn check_counts(case: &Case, found: &Findings) {
    let classes = case.classes();
    let sizes = || classes.iter().map(|class| class.len() as u64);
    let count = |how: As| case.rows.iter().filter(|row| row.how == how).count() as u64;
    let (shown, as_they_are) = (count(As::InClass), count(As::Verbatim));
    assert_eq!((found.rows, found.released, found.opted_out), (case.people.len() as u64, shown, as_they_are));
    assert_eq!(found.suppressed, found.rows - shown - as_they_are);
    assert_eq!(found.classes, classes.len() as u64);
    assert_eq!((found.k, found.largest_class), (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)));
    let nowhere = case.in_classes().iter().filter(|row| row.place == "nowhere").count() as u64;
    let unreadable: Vec<_> =
        (nowhere > 0).then(|| ("place".to_owned(), nowhere, "nowhere".to_owned())).into_iter().collect();
    assert_eq!(found.unreadable, unreadable);
}

fn check_settled(case: &Case, found: &Notions, owners: &[usize]) {
    let (k1, one_k, global_1k, p, posterior) = case.notions(owners);
    assert_eq!((found.k1, found.one_k, found.global_1k), (k1, one_k, global_1k));
    assert_eq!((found.global_p["illness"], found.at_least, found.rows_without_posterior), (p, false, 0));
    if !owners.is_empty() {
        assert!((found.worst_posterior.unwrap() - posterior).abs() < 1e-9, "{posterior}");
    }
}

/// Where it is open who is suppressed: what is said holds for all who could be.
fn check_open(case: &Case, found: &Notions, all: &[Vec<usize>]) {
    let smallest = case.classes().iter().map(|class| class.len() as u64).min();
    let distinct =
        |class: &Vec<Shown>| 1 + u64::from(class.iter().any(|row| row.illness != class[0].illness));
    assert!(found.at_least && found.worst_posterior.is_none());
    assert_eq!(found.rows_without_posterior, case.in_classes().len() as u64);
    assert_eq!(
        (found.global_1k, found.global_p["illness"]),
        (smallest, case.classes().iter().map(distinct).min().unwrap())
    );
    let truth: Vec<_> = all.iter().map(|owners| case.notions(owners)).collect();
    assert!(truth.iter().all(|t| found.k1 <= t.0
        && found.one_k <= t.1
        && found.global_1k <= t.2
        && found.global_p["illness"] <= t.3));
    let open = (0..case.people.len()).filter(|&p| case.open(p));
    let suppressed = open.clone().count() - case.in_classes().len();
    let covers = |class: &Vec<Shown>| {
        let lie = open.clone().filter(|&p| admits(&class[0], &case.people[p])).count();
        lie.saturating_sub(suppressed).max(class.len()) as u64
    };
    assert_eq!(Some(found.k1), case.classes().iter().map(covers).min());
    let lies_in =
        |p: usize| case.in_classes().iter().filter(|row| admits(row, &case.people[p])).count() as u64;
    assert_eq!(Some(found.one_k), open.map(lies_in).filter(|&n| n > 0).min());
}

/// A release of which nobody says which row comes from where.
fn check_shuffled(case: &Case) {
    let found = case.findings(None);
    check_counts(case, &found);
    assert_eq!(found.foreign_values, Some(case.foreign(|r| r.illness, |p| ILLNESSES[p.illness], false)));
    assert_eq!(found.changed_rows, Some(case.foreign_notes(false)));
    let (rows, assignments) = (case.in_classes().len(), case.assignments());
    let filled = assignments.iter().map(|a| a.iter().flatten().count()).max().unwrap();
    assert_eq!(found.illegal_cells, Some((rows - filled) as u64 + case.unmatched_verbatim()));
    let notions = found.notions.as_ref().unwrap();
    let full: Vec<Vec<usize>> = assignments.into_iter().filter_map(|a| a.into_iter().collect()).collect();
    if full.is_empty() {
        assert!(notions.global_1k.is_none() && notions.global_p["illness"] == 0);
        return;
    }
    let violations: Vec<u64> = full.iter().map(|owners| case.violations(owners)).collect();
    let (least, most) = (*violations.iter().min().unwrap(), *violations.iter().max().unwrap());
    let told = found.boundary_violations.unwrap();
    assert!(if least == 0 { told == 0 } else { (least..=most).contains(&told) });
    let by_row = case.violations_in_order().is_some_and(|n| n == 0 || least > 0);
    assert_eq!(found.source, Some(if by_row { SourceCheck::RowByRow } else { SourceCheck::Matched }));
    // Who looks for owners knows the limits, too.
    let allowed: Vec<Vec<usize>> = full
        .into_iter()
        .zip(violations)
        .filter(|(_, n)| least > 0 || *n == 0)
        .map(|(owners, _)| owners)
        .collect();
    let left_out = |owners: &Vec<usize>| {
        let out = (0..case.people.len()).filter(|p| case.open(*p) && !owners.contains(p));
        let mut looks: Vec<_> = out.map(|p| (case.people[p].age, case.people[p].place)).collect();
        looks.sort_unstable();
        looks
    };
    let settled = allowed.iter().all(|owners| left_out(owners) == left_out(&allowed[0]));
    if settled {
        check_settled(case, notions, &allowed[0]);
    } else if least == 0 || notions.at_least {
        check_open(case, notions, &allowed);
    }
}

/// A release whose cells cannot be read as what they cover: of that nothing is said.
fn check_unreadable(case: &Case) {
    let found = case.findings_if(None, false);
    check_counts(case, &Findings { unreadable: case.findings(None).unreadable, ..found.clone() });
    assert!(found.loss.is_none() && found.notions.is_none() && found.unreadable.is_empty());
    assert_eq!((found.source, found.boundary_violations), (Some(SourceCheck::NotChecked), None));
    let misfits = Some(case.unmatched_verbatim()).filter(|&n| n > 0);
    assert_eq!(found.illegal_cells, misfits, "rows published as they are can be compared all the same");
}

/// The same where every row is known to come from a certain one.
fn check_known(case: &Case) {
    let order: Vec<u32> = case.rows.iter().map(|row| row.from as u32).collect();
    let found = case.findings(Some(&order));
    check_counts(case, &found);
    assert_eq!(found.source, Some(SourceCheck::RowByRow));
    assert_eq!(found.foreign_values, Some(case.foreign(|r| r.illness, |p| ILLNESSES[p.illness], true)));
    assert_eq!(found.changed_rows, Some(case.foreign_notes(true)));
    let mut illegal = 0;
    for row in &case.rows {
        let person = &case.people[row.from];
        let (age, place) = (AGES[person.age], PLACES[person.place]);
        illegal += u64::from((row.how == As::Verbatim) != person.verbatim);
        illegal += match row.how {
            As::InClass => u64::from(!admits_age(row.age, age)) + u64::from(!admits_place(row.place, place)),
            As::Verbatim => u64::from(row.age != age) + u64::from(row.place != place),
            As::Hidden => 0,
        };
    }
    let lost = |p: &usize| case.people[*p].verbatim && !case.rows.iter().any(|row| row.from == *p);
    illegal += (0..case.people.len()).filter(lost).count() as u64;
    assert_eq!(found.illegal_cells, Some(illegal));
    let owners: Vec<usize> = case.in_classes().iter().map(|row| row.from).collect();
    assert_eq!(found.boundary_violations, Some(case.violations(&owners)));
    if illegal == 0 {
        check_settled(case, found.notions.as_ref().unwrap(), &owners);
    }
}

#[test]
fn foreign_values_of_all_columns_are_counted() {
    let mut case = Case::draw(&mut Dice(ChaCha20Rng::seed_from_u64(1)));
    case.people.iter_mut().for_each(|p| p.note = 0);
    let shown = |how| Shown { from: 0, age: "*", place: "*", illness: "plague", note: 1, how };
    case.rows = vec![shown(As::InClass); 2];
    case.rows[1].illness = ILLNESSES[case.people[0].illness];
    let table = case.table();
    let prints = Prints { original: vec![0; case.people.len()], released: vec![1, 1] };
    let reference = Reference {
        k: None,
        table: &table,
        alignment: Alignment::Unknown,
        beta: 0.0,
        readable: true,
        notion: Notion::K,
        secrets: Some(&prints),
        untouched: None,
    };
    let found = verify(&case.released(), Some(&reference), None, &Demands::default(), &table).unwrap();
    assert_eq!((found.foreign_values, found.changed_rows), (Some(1 + 2), None));
}

#[test]
fn what_is_found_is_what_trying_everything_finds() {
    let mut dice = Dice(ChaCha20Rng::seed_from_u64(14));
    for number in 0..1000 {
        let case = Case::draw(&mut dice);
        let told = std::panic::catch_unwind(|| {
            check_unreadable(&case);
            check_shuffled(&case);
            check_known(&case);
        });
        assert!(told.is_ok(), "case {number}: {}", case.told());
    }
}

impl Case {
    /// For whoever looks into a case that fails.
    fn told(&self) -> String {
        let people = self.people.iter().map(|p| {
            format!(
                "{}/{}/{}/{} {} {}\n",
                AGES[p.age], PLACES[p.place], ILLNESSES[p.illness], p.note, p.verbatim, p.lacking
            )
        });
        let rows = self.rows.iter().map(|r| {
            let how = ["in class", "hidden", "as it is"][r.how as usize];
            format!("from {}: {}/{}/{}/{} {how}\n", r.from, r.age, r.place, r.illness, r.note)
        });
        format!(
            "limits {}, notes {}\n{}\n{}",
            self.limits as u8,
            self.notes_match,
            people.collect::<String>(),
            rows.collect::<String>()
        )
    }
}
