//! `kohort reproduce`.

use crate::common::Desk;

/// Nothing is run before what was asked is understood.
#[test]
fn what_is_refused() {
    let desk = Desk::new();
    for (line, words) in [
        ("reproduce 005", "there is no paper '005'"),
        ("reproduce 003 --adult nowhere.csv", "nowhere.csv"),
        ("reproduce 000 --cmc nowhere.csv", "nowhere.csv"),
    ] {
        let ran = desk.run(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(ran.err.contains(words) && ran.err.contains("way out:"), "{line}: {}", ran.err);
    }
}

/// Without the table of the paper it says where to get it, runs on made-up people, and that nothing can be compared.
#[test]
fn without_the_table() {
    let desk = Desk::new();
    for paper in ["003", "004"] {
        let ran = desk.done(&format!("reproduce {paper} --quick --quiet -o kept"));
        let text = ran.text();
        assert!(text.contains("https://archive.ics.uci.edu/dataset/2/adult"), "{text}");
        let verdicts: Vec<&str> = text.lines().filter(|line| line.starts_with(paper)).collect();
        let open = format!("{paper} cannot be compared: ");
        assert!(verdicts.len() > 5, "{text}");
        for line in verdicts {
            assert!(line.starts_with(&open) && line.contains("(needs Adult; on made-up people: "), "{line}");
        }
        assert!(text.starts_with(&desk.read("kept/reproduction.md")), "{text}");
        assert!(text.contains(&format!("`kohort reproduce {paper} --quick`")), "{text}");
        assert!(desk.read("kept/reproduction.json").starts_with("{\n  \"benchmark\": \"reproduction\""));
    }
}
