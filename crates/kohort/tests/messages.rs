//! Messages that any door can speak: the library names options, it never spells a flag.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use kohort::Error;
use kohort::algorithm::Quiet;
use kohort::demand::{Demands, MODELS};
use kohort::error::{OPTIONS, Speech};
use kohort::input::{JobSpec, MemoryTable, Scalar};
use kohort::job::Outcome;
use kohort::output::MemorySink;

#[path = "messages/literals.rs"]
mod literals;

use literals::literals;

const MARKS: [char; 2] = ['‹', '›'];

/// What a command line would spell in a text: `--suppress`, `-k`, `kohort verify`.
fn spelled(text: &str) -> Option<&str> {
    let starts = |at: usize| text[..at].chars().next_back().is_none_or(|c| " \n(\"`'".contains(c));
    let ends = |at: usize| !text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let long = text
        .match_indices("--")
        .find(|(at, _)| starts(*at) && text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()));
    let short = ["-k", "-p", "-o"]
        .into_iter()
        .find_map(|flag| text.match_indices(flag).find(|(at, _)| starts(*at) && ends(at + flag.len())));
    let commands = ["anonymize", "verify", "hierarchy", "generate", "list"];
    let command = commands.into_iter().find_map(|name| {
        let start = text.find(&format!("kohort {name}"))?;
        Some((start, name))
    });
    long.or(short).or(command).map(|(at, _)| &text[at..])
}

/// The names between marks that are not those of options; a name in braces is filled in by the code.
fn unknown_options(text: &str) -> Vec<&str> {
    let inside = text.split(MARKS[0]).skip(1).map(|rest| rest.split(['=', MARKS[1]]).next().unwrap_or(rest));
    inside.filter(|name| !name.starts_with('{') && !OPTIONS.contains(name)).collect()
}

fn complaints(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for literal in literals(source) {
        let at = format!("src/{file}:{}", literal.line);
        found.extend(spelled(&literal.text).map(|flag| format!("{at}: spells a flag: {flag}")));
        let unknown = unknown_options(&literal.text).into_iter();
        found.extend(
            unknown.map(|name| format!("{at}: '{name}' is not among the options that messages name")),
        );
    }
    found
}

/// Every source file below a folder, except those that hold only tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs")
            && path.file_stem().is_some_and(|s| s != "tests")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn the_library_spells_no_flag() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut seen, mut marked) = (Vec::new(), 0, 0);
    for path in sources(&src) {
        let file = path.strip_prefix(&src).unwrap().display().to_string();
        // Where the marks themselves are defined.
        if file == "error/speech.rs" {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let all = literals(&source);
        seen += all.len();
        marked += all.iter().filter(|literal| literal.text.contains(MARKS[0])).count();
        found.extend(complaints(&file, &source));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(seen > 1000 && marked > 50, "only {seen} texts, {marked} with options: the reader is blind");
}

#[test]
fn models_are_asked_for_by_options_that_messages_may_name() {
    for model in MODELS {
        assert!(OPTIONS.contains(&model.option), "{}: {}", model.name, model.option);
    }
}

#[test]
fn a_spelled_flag_is_caught() {
    let caught = |text: &str| spelled(text).is_some();
    for text in
        ["--qi", "use --measure whd", "(--opt-out)", "-k", "such as -k 10", "ask for `-p 2`", "to -o -"]
    {
        assert!(caught(text), "{text}");
    }
    assert!(caught("`kohort hierarchy build` makes one"));
    for text in
        ["-", "0--1", "a -- b", "x-k", "-kind", "iconv -f A -t B", "k = 3", "-1", "kohort certificate"]
    {
        assert!(!caught(text), "{text}");
    }
    assert_eq!(unknown_options("‹k=3› ‹supress› ‹{name}›"), ["supress"]);
}

#[test]
fn comments_and_tests_may_say_what_they_like() {
    let source = r##"
//! `--qi`
fn f<'a>(x: &'a str) -> char { let _ = ("one \" --two", 'x', '"', '\'', '\u{2039}'); '"' }
const RAW: &str = r#"three "four""#; /* "--five" */
#[cfg(test)]
mod tests { const T: &str = "} --six"; }
#[cfg(test)]
use x;
const LAST: &str = "seven";
"##;
    let texts: Vec<_> = literals(source).into_iter().map(|l| (l.line, l.text)).collect();
    let expected = [(3, r#"one \" --two"#), (4, r#"three "four""#), (9, "seven")];
    assert_eq!(texts, expected.map(|(line, text)| (line, text.to_owned())));
    assert_eq!(complaints("x.rs", source), ["src/x.rs:3: spells a flag: --two"]);
}

/// Six people, of whom five share a sensitive value.
fn people() -> MemoryTable {
    let columns = [
        ("age", Arc::new(Int64Array::from(vec![34, 36, 35, 61, 58, 59])) as ArrayRef),
        ("illness", Arc::new(StringArray::from(vec!["flu", "flu", "flu", "flu", "flu", "gout"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    MemoryTable::new("people", &batch.schema(), vec![batch]).unwrap()
}

fn spec() -> JobSpec {
    JobSpec {
        qi: vec!["age".into()],
        sensitive: vec!["illness".into()],
        k: Some(3),
        keep_order: Some(true),
        ..JobSpec::default()
    }
}

fn run(spec: &JobSpec) -> Result<Outcome, Error> {
    kohort::anonymize(&spec.check()?, &people(), &mut MemorySink::new("release"), &Quiet)
}

/// The error of a job, and its numbers as JSON.
fn refused(spec: &JobSpec) -> (Error, serde_json::Value) {
    let error = run(spec).unwrap_err();
    let numbers = serde_json::to_value(&error).unwrap()["numbers"].clone();
    (error, numbers)
}

struct Python;

impl Speech for Python {
    fn option(&self, name: &str, value: Option<&str>) -> String {
        let name = name.replace('-', "_");
        value.map_or_else(|| name.clone(), |value| format!("{name}={value:?}"))
    }
}

#[test]
fn every_door_has_its_own_words() {
    let outcome = run(&spec()).unwrap();
    let warning = outcome.warnings.first().unwrap();
    assert!(warning.to_string().contains("(`keep-order`)"), "{warning}");
    assert!(warning.spoken_by(&Python).contains("(keep_order)"), "{warning}");
    let note = outcome.notes.first().unwrap();
    assert!(note.to_string().contains("`p = 2` prevents it"), "{note}");
    assert!(note.spoken_by(&Python).contains("p=\"2\" prevents it"), "{note}");
    let error = run(&JobSpec { k: None, ..spec() }).unwrap_err();
    assert_eq!(error.place().spoken_by(&Python), "k");
    assert_eq!(
        error.to_string(),
        "no k was given\n  where: `k`\n  way out: say how many people everyone must hide among, for example `k = 10`"
    );
}

#[test]
fn documents_are_in_plain_speech() {
    let outcome = run(&spec()).unwrap();
    let audit = serde_json::to_string(&outcome.audit).unwrap();
    assert!(audit.contains("`keep-order`"), "{audit}");
    let verdict = kohort::verify(&spec().check_for_verification().unwrap(), &people(), None, &Quiet).unwrap();
    let summary = serde_json::to_string(&verdict.summary).unwrap();
    assert!(summary.contains("that takes `original`"), "{summary}");
    let certificate = serde_json::to_string(&outcome.certificate).unwrap();
    let debugged = format!("{:?} {:?} {:?}", outcome.notes, outcome.warnings, verdict.shortfalls);
    for text in [audit, summary, certificate, debugged] {
        assert!(!text.contains(MARKS), "{text}");
    }
}

#[test]
fn numbers_are_there_for_programs() {
    let (error, numbers) = refused(&JobSpec { k: Some(9), ..spec() });
    assert_eq!((error.kind(), numbers.to_string().as_str()), ("unsolvable", r#"{"k":9,"rows":6}"#));
    let (error, numbers) = refused(&JobSpec { p: Some(4), ..spec() });
    assert_eq!((error.kind(), numbers.to_string().as_str()), ("job", r#"{"k":3,"p":4}"#));
    let (_, numbers) = refused(&JobSpec { p: Some(3), ..spec() });
    assert_eq!(numbers.to_string(), r#"{"p":3,"p_reachable":2}"#);
    let alpha = |suppress: Option<&str>| JobSpec {
        alpha: vec![Scalar::Number(0.5)],
        suppress: suppress.map(|share| Scalar::Text(share.into())),
        ..spec()
    };
    let (error, numbers) = refused(&alpha(None));
    assert_eq!(numbers.to_string(), r#"{"alpha":0.5,"alpha_reachable":0.834}"#);
    assert_eq!(error.place().options()[0].name, "alpha");
    let (_, numbers) = refused(&alpha(Some("20%")));
    assert_eq!(numbers["allowed"], 1, "{numbers}");
    assert!(Demands::new(1, None).unwrap_err().numbers().contains_key("k"));
}

#[test]
fn the_share_that_would_do_does() {
    let frequent = JobSpec { k: Some(2), p: None, alpha: vec![Scalar::Number(0.5)], ..spec() };
    let asked = |share: String| JobSpec { suppress: Some(Scalar::Text(share)), ..frequent.clone() };
    let (_, numbers) = refused(&asked("20%".into()));
    let share = numbers["suppress_at_least"].as_f64().unwrap();
    assert!(run(&asked(format!("{:.1}%", 100.0 * share))).is_ok(), "{numbers}");
    assert!(run(&asked(format!("{:.1}%", 100.0 * share - 0.1))).is_err(), "{numbers}");
}
