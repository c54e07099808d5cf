//! Whole proposals, as a steward sees them: hospital, school, statistical office.

use crate::common::Desk;
use crate::tables::made;

fn shown(name: &str) -> (String, String) {
    let desk = Desk::new().with("table.csv", made(name).unwrap());
    let ran = desk.done("init table.csv");
    assert_eq!(ran.err, "");
    (ran.text(), desk.read("job.toml"))
}

#[test]
fn a_hospital_in_spain() {
    let (said, job) = shown("pacientes_es");
    insta::assert_snapshot!("hospital_said", said);
    insta::assert_snapshot!("hospital_job", job);
}

#[test]
fn schools_in_france() {
    let (said, job) = shown("eleves_fr");
    insta::assert_snapshot!("schools_said", said);
    insta::assert_snapshot!("schools_job", job);
}

#[test]
fn a_statistical_office_in_germany() {
    let (said, job) = shown("mikrozensus_de");
    insta::assert_snapshot!("statistics_said", said);
    insta::assert_snapshot!("statistics_job", job);
}

#[test]
fn a_company_in_britain() {
    let (_, job) = shown("staff_en");
    insta::assert_snapshot!("company_job", job);
}
