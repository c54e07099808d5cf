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
