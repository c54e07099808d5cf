//! `kohort hierarchy build|check|show|convert`.

use crate::common::Desk;

const ZIP: &str = "41075;410**;*\n41076;410**;*\n41099;410**;*\n48201;482**;*\n48202;482**;*\n";

#[test]
fn build_every_way() {
    let ages: Vec<String> = (0..36).map(|i| (21 + i * i % 53).to_string()).collect();
    let desk = Desk::with_people()
        .with("days.csv", "day\n2020-02-29\n2020-03-01\n2021-12-31\n")
        .with("ages.csv", format!("age\n{}\n", ages.join("\n")));
    for (name, line) in [
        ("mask", "people.csv --column zip --mask right --levels 3"),
        ("mask_left", "people.csv --column zip --mask left --levels 2"),
        ("ranges", "people.csv --column age --ranges 5,10,20"),
        ("dates", "days.csv --column day --dates month/quarter/year/decade"),
        ("balanced", "ages.csv --column age --balanced 2"),
        ("balanced_few_rows", "people.csv --column zip --balanced 2"),
        ("amnesia", "people.csv --column sex --balanced 2 --to amnesia"),
        ("mosaicrown", "people.csv --column sex --balanced 2 --to mosaicrown"),
    ] {
        insta::assert_snapshot!(
            format!("build_{name}"),
            desk.done(&format!("hierarchy build {line}")).text()
        );
    }
}

#[test]
fn build_to_a_file_and_use_it() {
    let desk = Desk::with_people();
    std::fs::create_dir(desk.path("trees")).unwrap();
    let ran = desk.done("hierarchy build people.csv --column zip --mask right --levels 3 -o trees/zip.csv");
    insta::assert_snapshot!(ran.text());
    desk.done("anonymize people.csv -o r.csv --rest keep --qi zip -k 3 --hierarchies trees --quiet");
    desk.done("hierarchy check trees/zip.csv --data people.csv --column zip");
}

#[test]
fn check_a_good_one() {
    let desk = Desk::with_people().with("zip.csv", ZIP);
    insta::assert_snapshot!("check_good", desk.done("hierarchy check zip.csv").text());
    let ran = desk.done("hierarchy check zip.csv --data people.csv --column zip");
    insta::assert_snapshot!("check_good_with_data", ran.text());
}

#[test]
fn check_a_bad_one() {
    let bad = "41075;410**;*\n\n41075;482**;*\n41076;410**;*\n41076;410**;*\n410**;x;*\n";
    let desk = Desk::with_people().with("zip.csv", bad);
    let ran = desk.run("hierarchy check zip.csv --data people.csv --column zip");
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ran.text());
}

#[test]
fn check_without_a_root() {
    let desk = Desk::new().with("zip.csv", "1;East\n2;East\n3;West\n");
    insta::assert_snapshot!(desk.done("hierarchy check zip.csv").text());
}

#[test]
fn show() {
    let desk = Desk::new().with("zip.csv", ZIP);
    insta::assert_snapshot!("show", desk.done("hierarchy show zip.csv").text());
    insta::assert_snapshot!("show_depth", desk.done("hierarchy show zip.csv --depth 1").text());
}

#[test]
fn convert_there_and_back() {
    let desk = Desk::new().with("zip.csv", ZIP);
    insta::assert_snapshot!("convert", desk.done("hierarchy convert zip.csv -o zip.json").text());
    desk.done("hierarchy convert zip.json -o zip.txt");
    desk.done("hierarchy convert zip.txt -o back.csv");
    assert_eq!(desk.read("back.csv"), ZIP);
    insta::assert_snapshot!("convert_json", desk.read("zip.json"));
    insta::assert_snapshot!("convert_txt", desk.read("zip.txt"));
}

const PLACES: &str = "\
precinct,district,city,note
1,North,Bay,a
1,North,Bay,b
2,North,Bay,c
3,South,Bay,d
3,,Bay,e
4,1,Millvale,f
,North,Bay,g
NA,South,Bay,h
";

#[test]
fn build_from_columns() {
    let desk = Desk::new().with("places.csv", PLACES);
    let line = "hierarchy build places.csv --from-columns precinct,district,city --na NA";
    insta::assert_snapshot!("build_from_columns", desk.done(line).text());
    let to_file = desk.done(&format!("{line} -o precinct.json"));
    insta::assert_snapshot!("build_from_columns_to_a_file", to_file.text());
    desk.done("hierarchy check precinct.json --data places.csv --column precinct --na NA");
    let note = desk.done("hierarchy build places.csv --from-columns note,precinct --na NA").err;
    assert!(note.contains("note: nothing says in which 'precinct' 2 values of 'note' lie"), "{note}");
}

#[test]
fn columns_that_do_not_lie_above_each_other() {
    let desk = Desk::new().with("places.csv", PLACES.replace("2,North,Bay,c", "1,South,Bay,c"));
    let refused = |columns: &str| {
        desk.refused(&format!("hierarchy build places.csv --from-columns {columns} -o x.csv"))
    };
    insta::assert_snapshot!("from_columns_torn", refused("precinct,district"));
    insta::assert_snapshot!("from_columns_reversed", refused("city,precinct"));
    insta::assert_snapshot!("from_columns_unknown", refused("precinct,distrct"));
    let one = refused("precinct");
    assert!(one.contains("at least two columns, 1 given"), "{one}");
    let twice = refused("precinct,city,precinct");
    assert!(twice.contains("'precinct' is named twice"), "{twice}");
    let both = refused("precinct,city --column precinct");
    assert!(both.starts_with("exit code 2") && both.contains("cannot be used with"), "{both}");
}

#[test]
fn standard_output_is_a_place() {
    let desk = Desk::with_people().with("zip.csv", ZIP);
    let built = desk.done("hierarchy build people.csv --column sex --balanced 2 -o -").text();
    assert_eq!(built, desk.done("hierarchy build people.csv --column sex --balanced 2").text());
    assert_eq!(desk.done("hierarchy convert zip.csv -o -").text(), ZIP);
    let json = desk.done("hierarchy convert zip.csv -o - --to mosaicrown").text();
    assert!(json.starts_with("{\"cat\": \"*\""), "{json}");
    assert!(!desk.path("-").exists());
}

/// A header line is skipped, and said to be, wherever the file is used; a value of that name is none.
#[test]
fn a_header_line() {
    let with_header = format!("zip;region;country\n{ZIP}41000;410**;*\n");
    let desk = Desk::with_people().with("trees/zip.csv", with_header);
    let line = "anonymize people.csv -o r.csv --rest keep --qi zip -k 3 --hierarchies trees";
    let ran = desk.done(line);
    assert!(
        ran.err.contains("the first line, 'zip;region;country', is taken for a header and skipped"),
        "{}",
        ran.err
    );
    assert!(ran.text().contains("hierarchy of 2 levels"), "{}", ran.text());
    desk.done("verify r.csv --original people.csv --hierarchies trees");
    insta::assert_snapshot!(
        "check_header",
        desk.done("hierarchy check trees/zip.csv --data people.csv --column zip").text()
    );
    let plain = Desk::with_people().with("trees/zip.csv", format!("{ZIP}41000;410**;*\n"));
    let without = plain.done(line);
    assert!(!without.err.contains("header"), "{}", without.err);
    assert_eq!(plain.read("r.csv"), desk.read("r.csv"));
    let called_so = crate::common::PEOPLE.replace("Lea,44,f,48201", "Lea,44,f,zip");
    let desk = desk.with("people.csv", called_so);
    let ran = desk.done(line);
    assert!(!ran.err.contains("header"), "{}", ran.err);
}

/// Groups of names say nothing about who is in them.
#[test]
fn trees_of_names_mean_nothing() {
    let towns: Vec<String> = (0..90).map(|row| format!("town{:02},{row}", row * 7 % 45)).collect();
    let desk = Desk::new().with("t.csv", format!("town,n\n{}\n", towns.join("\n")));
    std::fs::create_dir(desk.path("trees")).unwrap();
    let ran = desk.done("hierarchy build t.csv --column town --balanced 3 -o trees/town.csv");
    assert!(ran.err.contains("follow the alphabet and mean nothing"), "{}", ran.err);
    let used =
        desk.done("anonymize t.csv -o r.csv --qi town --keep n -k 3 --hierarchies trees --rows-are-people");
    assert!(used.err.contains("the groups of 'town' follow the alphabet and mean nothing"), "{}", used.err);
    let numbers = desk.done("hierarchy build t.csv --column n --balanced 3 -o trees/n.csv");
    assert_eq!(numbers.err, "");
}

#[test]
fn json_that_is_no_taxonomy() {
    let desk = Desk::new().with("zip.csv", "{\"Bay\": [\"10013\", \"10014\"]}\n");
    insta::assert_snapshot!("other_json", desk.refused("hierarchy check zip.csv"));
}

/// What `check` and every job would refuse is not written.
#[test]
fn values_of_several_lines_are_refused_where_a_tree_is_built() {
    let table = "place,district\n\"Old\nTown\",North\nBay,\"South\nEast\"\n";
    let desk = Desk::new().with("t.csv", table).with("n.csv", "place\n\"Old\nTown\"\nBay\n");
    for line in [
        "t.csv --from-columns place,district",
        "t.csv --from-columns district,place",
        "n.csv --column place --balanced 2",
        "n.csv --column place --mask right --levels 2",
    ] {
        for output in ["", "-o x.csv"] {
            let said = desk.refused(&format!("hierarchy build {line} {output}"));
            assert!(said.contains("has a line break") && !said.contains("Old\n"), "{line}: {said}");
        }
        assert!(!desk.path("x.csv").exists());
    }
    desk.done("hierarchy build t.csv --from-columns place,district -o x.json");
    desk.done("hierarchy check x.json --data t.csv --column place");
}
