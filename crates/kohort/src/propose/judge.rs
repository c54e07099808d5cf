//! What a column is: first what its values prove, then what its name says, then what its values suggest, and last a guess,
//! which is said to be one.

use super::lexicon::{Meaning, Sort, meaning, of_name, of_values};
use super::look::Looked;
use super::patterns::{self, Pattern};
use super::persons::{self, PEOPLE};
use crate::data::recipes::{PublicFacts, PublicTree};
use crate::data::{Kind, Role, folded, words_of_name};

/// From this share of different values on, a column tells rows apart.
const UNIQUE: f64 = 0.95;

/// A text column with more different values than this share tells most people apart.
const NEARLY: f64 = 0.5;

/// A code with so few values, or a value for so many rows, numbers a kind and no person.
const KINDS: u64 = 30;
const ROWS_PER_PERSON: f64 = 500.0;

/// Codes of diagnoses have at most so many different values for every row, and at least so many first letters.
const REPEATED: f64 = 0.3;
const CHAPTERS: usize = 4;

/// Fewer different first names could be those of wards or ships.
const FIRST_NAMES: usize = 5;

/// So many words in a value are a sentence.
const SENTENCE: f64 = 4.5;

/// What was found out about a column.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) role: Role,
    /// What it means, as in the lexicon; `unknown` where nothing said it.
    pub(super) meaning: &'static str,
    /// Why, in the order in which it was found.
    pub(super) reasons: Vec<String>,
    /// Whether the law protects it above all.
    pub(super) above_all: bool,
    /// Whether nothing was recognized.
    pub(super) is_guess: bool,
    /// Whether it may say whose row it is.
    pub(super) numbers_people: Option<Numbers>,
    /// Whether it numbers something by its values alone: nothing but that they hardly repeat speaks for it.
    pub(super) by_values_alone: bool,
    /// The public tree that its values are in.
    pub(super) public: Option<PublicTree>,
}

/// What a repeating number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Numbers {
    /// Households, families: several people.
    Groups,
    /// Something; perhaps people.
    Something,
    /// People.
    People,
}

impl Judged {
    fn new(role: Role, meaning: &'static str, reason: impl Into<String>) -> Self {
        Self {
            role,
            meaning,
            reasons: vec![reason.into()],
            above_all: false,
            is_guess: false,
            numbers_people: None,
            by_values_alone: false,
            public: None,
        }
    }

    fn guess(role: Role, reason: &str) -> Self {
        Self { is_guess: true, ..Self::new(role, "unknown", reason) }
    }

    fn because(mut self, reason: impl Into<String>) -> Self {
        self.reasons.push(reason.into());
        self
    }
}

/// What a column is.
pub(super) fn judge(column: &Looked, facts: &[PublicFacts]) -> Judged {
    if column.present == 0 {
        return Judged::new(Role::Drop, "nothing", "no row has a value");
    }
    let values = column.sample();
    let is_date = matches!(column.kind, Kind::Date | Kind::Timestamp) || column.unreadable.is_some();
    let public = (!is_date).then(|| in_public_tree(column, &values, facts)).flatten();
    let pattern = if is_date || column.kind == Kind::Decimal { None } else { patterns::pattern(&values) };
    let judged = match pattern {
        Some(pattern) => proven(pattern),
        None => by_name_or_values(column, &values, is_date, public),
    };
    let public = public.filter(|tree| suits(judged.meaning, *tree));
    let judged = Judged { public, ..judged };
    if let Some(why) = column.unreadable {
        return Judged { is_guess: true, ..judged.because(why) };
    }
    if !column.written.is_said() {
        return judged;
    }
    let open = if is_date {
        "whether days or months come first"
    } else {
        "whether its commas stand before decimals or thousands"
    };
    let judged = judged.because(format!("its values leave open {open}"));
    Judged { is_guess: true, ..judged }
}

fn proven(pattern: &'static Pattern) -> Judged {
    let judged = Judged::new(Role::Identifier, pattern.meaning, format!("every value is {}", pattern.words));
    Judged { numbers_people: Some(Numbers::People), ..judged }
}

fn by_name_or_values(column: &Looked, values: &[&str], is_date: bool, public: Option<PublicTree>) -> Judged {
    let is_number = column.is_number();
    if !is_number && !is_date && words_per_value(values) >= SENTENCE && column.uniqueness() >= 0.3 {
        return Judged::new(Role::Identifier, "free-text", "free text: sooner or later it names somebody");
    }
    if column.distinct == 1 && column.facts.missing == 0 {
        return Judged::new(
            Role::Drop,
            "constant",
            "the same in every row: it tells rows apart from nothing",
        );
    }
    let named = of_name(column.name());
    let named = named.iter().map(|hit| hit.meaning).find(|meaning| can_be(meaning, column, is_date));
    if let Some(judged) = of_people(column, values, named) {
        return judged;
    }
    // What a code numbers may be told by a tree that it is in, unless its name says that it numbers people.
    let in_tree = public.and_then(meaning_of_tree);
    let open =
        |meaning: &Meaning| meaning.sort == Sort::RecordId && what_numbers(column) == Numbers::Something;
    let named = named.filter(|meaning| in_tree.is_none() || !open(meaning));
    if let Some(meaning) = named {
        return of_meaning(meaning, column, is_date, &format!("its name says {}", meaning.words));
    }
    let by_values = if is_number || is_date { None } else { of_values(values) };
    if let Some(meaning) = by_values {
        return of_meaning(meaning, column, is_date, &format!("its values look like {}", meaning.words));
    }
    if let Some(meaning) = in_tree {
        return of_meaning(meaning, column, is_date, &format!("its values look like {}", meaning.words));
    }
    unrecognized(column, is_date)
}

/// Names and numbers of people, whatever else the name of the column says: `supervisor` is no house, and `insured` no money,
/// where their values are people.
fn of_people(column: &Looked, values: &[&str], named: Option<&'static Meaning>) -> Option<Judged> {
    let is_text = column.kind == Kind::Category;
    let first_names = || of_values(values).is_some_and(|meaning| meaning.name == "given-name");
    if is_text && (persons::are_names(values, column.name()) || values.len() >= FIRST_NAMES && first_names())
    {
        let judged = Judged::new(Role::Identifier, "person-name", "its values look like names of people");
        // A school may be called after somebody: whoever knows it must look.
        let agrees = |meaning: &Meaning| matches!(meaning.sort, Sort::Identifier | Sort::Text);
        let is_guess =
            named.is_some_and(|meaning| !agrees(meaning)) && !persons::is_only_a_person(column.name());
        return Some(Judged { is_guess, ..judged });
    }
    let numbers = persons::is_only_a_person(column.name()) && persons::numbers_persons(column);
    let named_otherwise = named.is_some_and(|meaning| meaning.sort == Sort::Identifier);
    if !numbers || named_otherwise {
        return None;
    }
    let numbered = meaning("record-id")?;
    let judged = Judged::new(Role::Identifier, numbered.name, "its name says a person, and it numbers many");
    Some(Judged { numbers_people: Some(Numbers::People), ..judged })
}

/// Whether the values of a column can be what its name says.
fn can_be(meaning: &Meaning, column: &Looked, is_date: bool) -> bool {
    match meaning.name {
        "birth-date" => is_date || !column.is_number(),
        "position" => column.kind == Kind::Decimal,
        // A point in time is no length of time, and what happened on a day is known to whoever saw it.
        "duration" | "mark" | "health-figure" => !is_date,
        "free-text" | "picture" => !column.is_number() && !is_date,
        _ => true,
    }
}

fn of_meaning(meaning: &'static Meaning, column: &Looked, is_date: bool, reason: &str) -> Judged {
    let judged = |role| Judged::new(role, meaning.name, reason);
    // Whoever knows when something happened need not know what: a day is known, whatever happened on it.
    if is_date && matches!(meaning.sort, Sort::Secret { .. } | Sort::RecordId | Sort::Identifier) {
        return Judged::new(Role::QuasiIdentifier, "event-date", reason)
            .because("its values are days, which others may know");
    }
    match meaning.sort {
        Sort::Identifier if is_flag(column) => Judged::new(Role::QuasiIdentifier, "unknown", reason)
            .because("it has two values only: it says whether, not which"),
        Sort::Identifier => {
            let strong =
                ["email", "phone", "national-number", "bank-account", "login"].contains(&meaning.name);
            Judged { numbers_people: strong.then_some(Numbers::People), ..judged(Role::Identifier) }
        }
        Sort::RecordId => numbered(meaning, column, reason),
        Sort::Text if words_per_value_of(column) < 2.0 && column.uniqueness() < 0.1 => {
            judged(Role::QuasiIdentifier).because("its values are few and short: kinds of something")
        }
        Sort::Text => judged(Role::Identifier).because("sooner or later it names somebody"),
        Sort::Known | Sort::Secret { .. } if !is_date && is_code(meaning, column) => {
            judged(Role::Identifier).because("it is a code of its own for every row")
        }
        Sort::Known => judged(Role::QuasiIdentifier),
        Sort::Secret { above_all } => Judged { above_all, ..judged(Role::Sensitive) },
        Sort::Technical if column.distinct <= KINDS && column.uniqueness() < NEARLY => {
            technical(meaning, column, reason)
        }
        Sort::Technical => judged(Role::Drop).because("it is so fine that it tells rows apart"),
        Sort::Useless => judged(Role::Drop),
    }
}

/// What was arranged and says nothing of anybody is kept, where its values can be that. A fold may be one of a cross-validation
/// and one of a skin.
fn technical(meaning: &'static Meaning, column: &Looked, reason: &str) -> Judged {
    if meaning.name != "study-arm" || is_flag(column) || is_arrangement(column) {
        return Judged::new(Role::Keep, meaning.name, reason);
    }
    Judged { is_guess: true, ..Judged::new(Role::Sensitive, meaning.name, reason) }
        .because("its values do not look like it: taken for what others do not know")
}

/// Whether values are how studies call their arms and parts: numbers, single letters, `placebo`, `arm 2`.
fn is_arrangement(column: &Looked) -> bool {
    const WORDS: [&str; 27] = [
        "treatment",
        "treated",
        "untreated",
        "control",
        "controls",
        "placebo",
        "intervention",
        "standard",
        "usual",
        "care",
        "active",
        "train",
        "training",
        "test",
        "testing",
        "validation",
        "valid",
        "dev",
        "holdout",
        "case",
        "exposed",
        "unexposed",
        "censored",
        "uncensored",
        "arm",
        "fold",
        "group",
    ];
    let is_known = |word: &str| {
        let is_short = word.chars().count() == 1 || word.bytes().all(|b| b.is_ascii_digit());
        is_short || WORDS.contains(&word)
    };
    let of_value = |value: &str| folded(value).split(' ').all(is_known);
    column.kind == Kind::Integer || column.kind == Kind::Category && column.values().all(of_value)
}

/// Whether it says yes or no.
fn is_flag(column: &Looked) -> bool {
    const FLAGS: [&str; 22] = [
        "0", "1", "2", "y", "n", "t", "f", "j", "s", "o", "x", "yes", "no", "true", "false", "ja", "nein",
        "oui", "non", "si", "vero", "falso",
    ];
    column.distinct <= 2 && column.values().all(|value| FLAGS.contains(&folded(value).as_str()))
}

/// Whether a column that should be a quantity or a kind is a code of its own for every row.
fn is_code(meaning: &Meaning, column: &Looked) -> bool {
    let quantities = [
        "age",
        "birth-year",
        "body",
        "position",
        "event-date",
        "birth-date",
        "money",
        "health-figure",
        "mark",
        "duration",
        "household",
        "education",
    ];
    let places = ["postcode", "place", "region", "nationality", "occupation"];
    let could_be = match column.kind {
        Kind::Integer => !quantities.contains(&meaning.name),
        Kind::Category => true,
        Kind::Decimal | Kind::Date | Kind::Timestamp => false,
    };
    could_be && column.present >= 20 && column.uniqueness() >= UNIQUE && !places.contains(&meaning.name)
}

/// A number of records or people: unique it is an identifier, repeated it says whose row it is, and with few values it is a kind.
fn numbered(meaning: &'static Meaning, column: &Looked, reason: &str) -> Judged {
    let judged = |role| Judged::new(role, meaning.name, reason);
    let numbers = what_numbers(column);
    if column.kind == Kind::Decimal {
        return Judged::guess(Role::Sensitive, "its name says a number, but its values are quantities");
    }
    let per_value = column.present as f64 / column.distinct.max(1) as f64;
    let is_kind = column.present >= 100 && column.distinct <= KINDS || per_value > ROWS_PER_PERSON;
    if numbers == Numbers::Something && is_kind {
        return Judged { is_guess: true, ..judged(Role::QuasiIdentifier) }
            .because("few values have all rows: it numbers kinds of something");
    }
    Judged { numbers_people: Some(numbers), ..judged(Role::Identifier) }
}

/// What a column of numbers is called for.
fn what_numbers(column: &Looked) -> Numbers {
    let words = words_of_name(column.name());
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.iter().any(|start| word.starts_with(start)));
    if has(&["household", "haushalt", "menage", "hogar", "hh", "famil", "couple"]) {
        Numbers::Groups
    } else if has(&PEOPLE) {
        Numbers::People
    } else {
        Numbers::Something
    }
}

fn unrecognized(column: &Looked, is_date: bool) -> Judged {
    if is_date {
        return Judged::guess(Role::QuasiIdentifier, "its values are days, which others may know");
    }
    let tells_apart = column.is_unique() || column.uniqueness() >= UNIQUE;
    let guess = Judged::guess;
    let numbers = |reason: &str| Judged {
        numbers_people: Some(Numbers::Something),
        by_values_alone: true,
        ..guess(Role::Identifier, reason)
    };
    match (column.kind, tells_apart) {
        // Whole numbers that hardly repeat may as well have been measured.
        (Kind::Integer | Kind::Category, true) => Judged {
            is_guess: column.kind == Kind::Integer && !column.is_unique() || persons::is_measured(column),
            ..numbers("different in (nearly) every row: it leads to one person")
        },
        (Kind::Category, false) if column.uniqueness() >= NEARLY && column.distinct > KINDS => Judged {
            is_guess: persons::is_measured(column),
            ..numbers("so many different values that most lead to one person")
        },
        (Kind::Integer, _) if persons::are_given_out(column) => {
            numbers("long numbers, all of one length: they look given out, perhaps to people")
        }
        (Kind::Integer | Kind::Decimal, _) => {
            guess(Role::Sensitive, "not recognized; numbers, taken for what others do not know")
        }
        _ if is_flag(column) => {
            guess(Role::Sensitive, "not recognized; yes or no, taken for what others do not know")
        }
        _ => guess(Role::QuasiIdentifier, "not recognized; kinds of something, which others may know"),
    }
}

fn words_per_value(values: &[&str]) -> f64 {
    let words: usize = values.iter().map(|value| value.split_whitespace().count()).sum();
    words as f64 / values.len().max(1) as f64
}

fn words_per_value_of(column: &Looked) -> f64 {
    words_per_value(&column.sample())
}

/// The public tree that most different values are in; the first that fits best.
fn in_public_tree(column: &Looked, values: &[&str], facts: &[PublicFacts]) -> Option<PublicTree> {
    let share = |facts: &PublicFacts| {
        let known = values.iter().filter(|value| facts.groups(value).is_some()).count();
        known as f64 / values.len().max(1) as f64
    };
    let is_short = values.iter().all(|value| value.trim().chars().count() <= 3);
    let enough = if is_short { 6 } else { 3 };
    if column.distinct < enough || column.kind == Kind::Decimal {
        return None;
    }
    let shares = facts.iter().map(|facts| (share(facts), facts.tree()));
    let fits = |(share, tree): &(f64, PublicTree)| match tree {
        // A letter and digits are a number of anything. Diagnoses repeat, and are of several chapters.
        PublicTree::Icd10 if column.uniqueness() > REPEATED || chapters(values) < CHAPTERS => false,
        PublicTree::Education | PublicTree::MaritalStatus => *share >= 0.7,
        _ => *share >= 0.9,
    };
    shares
        .filter(fits)
        .fold(None, |best: Option<(f64, PublicTree)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .map(|(_, tree)| tree)
}

/// How many different letters values begin with.
fn chapters(values: &[&str]) -> usize {
    let mut letters: Vec<char> = values.iter().filter_map(|value| value.trim().chars().next()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len()
}

/// What a column is whose values are in a tree, where nothing else says it. Codes of occupations are numbers of four digits
/// like any other: their name must say it.
fn meaning_of_tree(tree: PublicTree) -> Option<&'static Meaning> {
    super::lexicon::meaning(match tree {
        PublicTree::Countries => "nationality",
        PublicTree::UsStates => "region",
        PublicTree::Icd10 => "diagnosis",
        PublicTree::Education => "education",
        PublicTree::MaritalStatus => "marital-status",
        PublicTree::Isco08 => return None,
    })
}

/// Whether a column of this meaning climbs this tree.
fn suits(meaning: &str, tree: PublicTree) -> bool {
    match tree {
        PublicTree::Countries => ["nationality", "place", "region", "origin", "language"].contains(&meaning),
        PublicTree::UsStates => ["region", "place", "nationality"].contains(&meaning),
        PublicTree::Icd10 => ["diagnosis", "treatment"].contains(&meaning),
        PublicTree::Isco08 => meaning == "occupation",
        PublicTree::Education => meaning == "education",
        PublicTree::MaritalStatus => ["marital-status", "household"].contains(&meaning),
    }
}

/// The facts of all public trees, read once.
pub(super) fn all_facts() -> Vec<PublicFacts> {
    // Where several fit equally, the first: most abbreviations of states are those of countries, too.
    let order = [
        PublicTree::UsStates,
        PublicTree::Countries,
        PublicTree::Icd10,
        PublicTree::Isco08,
        PublicTree::Education,
        PublicTree::MaritalStatus,
    ];
    order.into_iter().map(PublicFacts::of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::look::tests::looked;

    fn column(name: &str, of: impl Fn(u32) -> String) -> Judged {
        let rows: Vec<String> = (0..200).map(of).collect();
        judge(&looked(name, &rows), &all_facts())
    }

    fn role(name: &str, of: impl Fn(u32) -> String) -> Role {
        column(name, of).role
    }

    #[test]
    fn values_go_before_names() {
        assert_eq!(role("note", |i| format!("user{i}@example.org")), Role::Identifier);
        assert_eq!(role("colour", |i| format!("{i:08x}-e89b-12d3-a456-426614174000")), Role::Identifier);
        assert_eq!(role("x", |i| ["Alice", "Bob", "Hans", "Marie"][i as usize % 4].into()), Role::Identifier);
        assert_eq!(
            role("x", |i| ["DE", "FR", "IT", "ES", "PL", "TR", "US"][i as usize % 7].into()),
            Role::QuasiIdentifier
        );
        let codes = ["E11.9", "I10", "J45.0", "K21.0", "C50.9", "A15.3", "F32.1"];
        assert_eq!(role("code", |i| codes[i as usize % 7].into()), Role::Sensitive);
    }

    #[test]
    fn numbers_of_people_are_no_diagnoses() {
        for name in ["id_paciente", "id", "code", "xyz"] {
            let role = role(name, |i| format!("P{:06}", 100_000 + i / 2 * 7));
            assert_eq!(role, Role::Identifier, "{name}");
        }
    }

    #[test]
    fn numbers_of_people_and_of_kinds() {
        assert_eq!(role("id", |i| i.to_string()), Role::Identifier);
        assert_eq!(column("patient_id", |i| (i / 4).to_string()).numbers_people, Some(Numbers::People));
        assert_eq!(column("hhid", |i| (i / 3).to_string()).numbers_people, Some(Numbers::Groups));
        assert_eq!(role("code", |i| (i % 5).to_string()), Role::QuasiIdentifier);
    }

    #[test]
    fn a_unique_code_is_never_published() {
        for name in ["xyz", "zip", "note", "status", "weight", "group", "version", "score", "ward", ""] {
            let role = role(name, |i| format!("Q{:05}-{}", i * 7919 % 99_991, i));
            assert!(!matches!(role, Role::Keep), "{name}: {role}");
        }
        for name in ["xyz", "group", "cens", "arm"] {
            let role = role(name, |i| (i * 37 + 100_000).to_string());
            assert!(matches!(role, Role::Identifier | Role::Drop), "{name}: {role}");
        }
    }

    #[test]
    fn what_nothing_says_is_a_guess() {
        let unknown = column("xyz", |i| (f64::from(i * i % 31) / 4.0).to_string());
        assert!(unknown.is_guess && unknown.role == Role::Sensitive);
        let unknown = column("xyz", |i| format!("kind {}", i % 6));
        assert!(unknown.is_guess && unknown.role == Role::QuasiIdentifier);
        assert_eq!(role("xyz", |_| "same".into()), Role::Drop);
        assert_eq!(role("name", |_| String::new()), Role::Drop);
    }

    #[test]
    fn days_are_known_whatever_happened_on_them() {
        let day = |i: u32| format!("{:02}.{:02}.2020", i % 28 + 1, i % 12 + 1);
        for name in ["diagnosis", "tod", "xyz", "geburtsdatum", "id"] {
            let judged = column(name, day);
            assert!(judged.role == Role::QuasiIdentifier, "{name}");
        }
    }
}
