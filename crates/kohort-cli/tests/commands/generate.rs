//! `kohort generate`.

use crate::common::Desk;

#[test]
fn the_first_lines_of_every_table() {
    let desk = Desk::new();
    for name in ["art", "uu", "un", "nu", "nn", "census", "hospital"] {
        insta::assert_snapshot!(name, desk.done(&format!("generate {name} --rows 5")).text());
    }
}

#[test]
fn a_longer_table_begins_with_the_shorter_one() {
    let desk = Desk::new();
    for name in ["art", "nn", "census", "hospital"] {
        let short = desk.done(&format!("generate {name} --rows 5")).text();
        assert!(desk.done(&format!("generate {name} --rows 50")).text().starts_with(&short), "{name}");
        assert_ne!(desk.done(&format!("generate {name} --rows 5 --seed 2")).text(), short, "{name}");
    }
}

#[test]
fn hierarchies_come_along_and_fit() {
    let desk = Desk::new();
    desk.done("generate hospital --rows 300 -o t.csv --hierarchies trees");
    for file in std::fs::read_dir(desk.path("trees")).unwrap() {
        let path = file.unwrap().path();
        let column = path.file_stem().unwrap().to_str().unwrap().to_owned();
        desk.done(&format!("hierarchy check trees/{column}.csv --data t.csv --column {column}"));
    }
}
