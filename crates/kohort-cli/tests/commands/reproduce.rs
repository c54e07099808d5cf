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

/// Without the table of the paper it says where to get it, and that nothing can be compared.
#[test]
fn without_the_table() {
    let desk = Desk::new();
    let ran = desk.done("reproduce 003 --quick --quiet -o kept");
    let text = ran.text();
    assert!(text.contains("https://archive.ics.uci.edu/dataset/2/adult"), "{text}");
    assert!(text.ends_with("(needs Adult)\n") && text.contains("\n003 cannot be compared: "), "{text}");
    assert!(text.starts_with(&desk.read("kept/reproduction.md")), "{text}");
    assert!(desk.read("kept/reproduction.json").starts_with("{\n  \"benchmark\": \"reproduction\""));
}
