//! What is committed is what the newest result says: the page, and every figure.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kohort_reproduce::{Report, markdown};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The newest of the results; their names begin with the date.
fn newest() -> Report {
    let files = fs::read_dir(workspace().join("bench/results")).unwrap().map(|entry| entry.unwrap().path());
    let newest = files.filter(|file| file.to_string_lossy().ends_with("-reproduction.json")).max().unwrap();
    serde_json::from_str(&fs::read_to_string(newest).unwrap()).unwrap()
}

#[test]
fn the_page_is_written_from_the_result() {
    let page = fs::read_to_string(workspace().join("docs/reproduction.md")).unwrap();
    let expected = markdown(&newest(), "reproduction");
    for (at, (found, expected)) in page.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "docs/reproduction.md, line {}", at + 1);
    }
    assert_eq!(page, expected);
}

#[test]
fn the_figures_are_drawn_from_the_result() {
    let (report, folder) = (newest(), workspace().join("docs/reproduction"));
    let mut names = BTreeSet::new();
    for figure in report.figures() {
        let name = format!("{}.svg", figure.id);
        assert_eq!(fs::read_to_string(folder.join(&name)).unwrap(), figure.svg(), "{name}");
        assert!(names.insert(name), "two figures are called {}", figure.id);
    }
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<_>>(), names);
}

#[test]
fn a_report_comes_back_from_json() {
    let report = newest();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn every_claim_has_a_verdict_and_figures_for_it() {
    let report = newest();
    assert!(!report.quick && report.papers.len() == 5 && report.overall.is_some());
    for paper in &report.papers {
        assert!(!paper.claims.is_empty() && !paper.parts.is_empty(), "{}", paper.number);
        assert!(paper.claims.iter().all(|claim| !claim.found.is_empty()), "{}", paper.number);
    }
}

/// Sentences outside code and generated blocks that speak of a paper or of what was found.
fn sentences_on_papers(page: &str) -> Vec<String> {
    let mut generated = false;
    let typed: Vec<&str> = page
        .lines()
        .filter(|line| {
            let before = generated;
            generated = (generated || line.starts_with("<!-- figures:begin"))
                && !line.starts_with("<!-- figures:end");
            !before && !generated
        })
        .collect();
    let text = typed.join("\n");
    text.split("\n\n")
        .flat_map(|paragraph| paragraph.replace('\n', " ").split(". ").map(str::to_owned).collect::<Vec<_>>())
        .filter(|sentence| sentence.contains("paper") || sentence.contains("reproduction"))
        .collect()
}

/// Decimals and percentages, which are measured or quoted; not the numbers of sections, papers and rows.
fn figures(text: &str) -> Vec<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "()[],;:|\"*".contains(c))
        .filter(|w| !w.is_empty())
        .collect();
    let figure = |at: usize| {
        let word = words[at].trim_end_matches('.');
        let starts = word.starts_with(|c: char| c.is_ascii_digit());
        let is_decimal = word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
        let is_percent = words.get(at + 1).is_some_and(|next| next.starts_with('%'));
        let shown = if is_percent { format!("{word} %") } else { word.to_owned() };
        let is_place = at > 0 && matches!(words[at - 1], "section" | "equation");
        (starts && !is_place && (is_decimal || is_percent || word.ends_with('%'))).then_some(shown)
    };
    (0..words.len()).filter_map(figure).collect()
}

#[test]
fn figures_are_told_from_other_numbers() {
    let text = "In 18 % to 51 % of 5,000 rows, k = 10: 0.62 bits (14.81), and 7% at 2k; 002 has 12/137, section 4.2.";
    assert_eq!(figures(text), ["18 %", "51 %", "0.62", "14.81", "7%"]);
}

/// What compares with a paper is generated from the result, or says where it stands there.
#[test]
fn no_figure_beside_a_paper_is_typed_into_a_page() {
    let guide = fs::read_dir(workspace().join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        ["README.md", "bench/README.md"].map(|page| workspace().join(page)).to_vec();
    pages.extend(guide.filter(|page| page.extension().is_some_and(|ending| ending == "md")));
    for page in pages {
        for sentence in sentences_on_papers(&fs::read_to_string(&page).unwrap()) {
            let found = figures(&sentence);
            assert!(found.is_empty(), "{}: {found:?} in '{sentence}'", page.display());
        }
    }
}

/// Figures of the errata are quotations and worked examples: each is in the test of its example.
#[test]
fn every_figure_of_the_errata_is_tested() {
    let page = fs::read_to_string(workspace().join("docs/errata.md")).unwrap();
    let tests = fs::read_to_string(workspace().join("crates/kohort/tests/papers/errata.rs")).unwrap();
    let found = figures(&page);
    assert!(found.len() > 10, "{found:?}");
    for figure in found {
        assert!(tests.contains(&figure), "docs/errata.md: {figure} is in no test");
    }
}
