//! The library names options; it never spells a flag (ARCHITECTURE.md, Messages).

use std::fs;
use std::path::Path;

use kohort::demand::MODELS;
use kohort::error::OPTIONS;

use super::literals::literals;
use super::sources;

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
const RAW: &str = r#"three "four" more"#; /* "--five" */
#[cfg(test)]
mod tests { const T: &str = "} --six"; }
#[cfg(test)]
use x;
const LAST: &str = "seven";
"##;
    let texts: Vec<_> = literals(source).into_iter().map(|l| (l.line, l.text)).collect();
    let expected = [(3, r#"one \" --two"#), (4, r#"three "four" more"#), (9, "seven")];
    assert_eq!(texts, expected.map(|(line, text)| (line, text.to_owned())));
    assert_eq!(complaints("x.rs", source), ["src/x.rs:3: spells a flag: --two"]);
}
