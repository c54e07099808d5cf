//! The table as a whole: what never happens, and what is missing.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Date32Type, Int64Type};

use crate::generate::find;

fn words<'a>(batch: &'a RecordBatch, column: &str) -> Vec<&'a str> {
    batch.column_by_name(column).unwrap().as_string::<i32>().iter().flatten().collect()
}

#[test]
fn impossible_admissions_never_occur() {
    for batch in find("hospital").unwrap().rows(150_000, 1).map(Result::unwrap) {
        let day =
            |column| batch.column_by_name(column).unwrap().as_primitive::<Date32Type>().values().clone();
        let (birth, admission) = (day("birth_date"), day("admission_date"));
        let (sex, ward, diagnosis) =
            (words(&batch, "sex"), words(&batch, "ward"), words(&batch, "diagnosis"));
        let procedure = words(&batch, "procedure");
        for i in 0..batch.num_rows() {
            let days = admission[i] - birth[i];
            let years = f64::from(days) / 365.25;
            let mother = sex[i] == "Female" && (15.9..49.1).contains(&years);
            assert!(days >= 0);
            assert!(ward[i] != "Obstetrics" || mother, "{} {years}", sex[i]);
            assert!(!diagnosis[i].starts_with('O') || ward[i] == "Obstetrics");
            assert!(procedure[i] != "Caesarean section" || mother);
            assert!(!procedure[i].starts_with("Prostate") || sex[i] == "Male");
            assert!(ward[i] != "Neonatal unit" || days < 28);
            assert!(ward[i] != "Paediatrics" || years < 16.1);
            assert!(ward[i] != "Geriatrics" || years > 79.9);
        }
    }
}

#[test]
fn about_one_postcode_in_a_hundred_is_missing() {
    let batch = find("hospital").unwrap().rows(60_000, 1).next().unwrap().unwrap();
    let missing = batch.column_by_name("postcode").unwrap().null_count();
    assert!((480..720).contains(&missing), "{missing}");
    let ids = batch.column_by_name("patient_id").unwrap().as_primitive::<Int64Type>();
    assert!(ids.values().windows(2).all(|pair| pair[0] < pair[1]));
}
