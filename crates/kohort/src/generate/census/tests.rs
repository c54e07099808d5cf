//! The table as a whole: what never happens, and how distinct people are.

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use rustc_hash::FxHashMap;

use crate::generate::find;

fn census(rows: u64) -> Vec<RecordBatch> {
    find("census").unwrap().rows(rows, 1).map(Result::unwrap).collect()
}

fn words<'a>(batch: &'a RecordBatch, column: &str) -> Vec<&'a str> {
    batch.column_by_name(column).unwrap().as_string::<i32>().iter().flatten().collect()
}

fn numbers(batch: &RecordBatch, column: &str) -> Vec<i64> {
    batch.column_by_name(column).unwrap().as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn impossible_people_never_occur() {
    for batch in census(150_000) {
        let (age, hours, income) =
            (numbers(&batch, "age"), numbers(&batch, "hours_per_week"), numbers(&batch, "income"));
        let (marital, education) = (words(&batch, "marital_status"), words(&batch, "education"));
        let (class, job) = (words(&batch, "work_class"), words(&batch, "occupation"));
        for i in 0..batch.num_rows() {
            assert!(age[i] >= 18 || marital[i] == "Single", "{} {}", age[i], marital[i]);
            assert!(age[i] >= 16 || job[i] == "Not in work");
            assert_eq!(job[i] == "Not in work", class[i] == "Not in work");
            assert_eq!(job[i] == "Not in work", hours[i] == 0);
            assert!(age[i] >= 22 || !education[i].ends_with("degree"), "{} {}", age[i], education[i]);
            assert!(age[i] >= 6 || education[i] == "No schooling");
            assert!(income[i] >= 0 && (class[i] != "Unpaid family help" || income[i] == 0));
            assert!(
                job[i] != "Police or military" || ["Civil service", "Local authority"].contains(&class[i])
            );
        }
    }
}

#[test]
fn people_are_about_as_distinct_as_in_real_tables() {
    const QI: [&str; 8] = [
        "age",
        "sex",
        "ethnic_group",
        "marital_status",
        "education",
        "birth_country",
        "work_class",
        "occupation",
    ];
    let batch = &census(30_000)[0];
    let mut seen: FxHashMap<Vec<String>, u32> = FxHashMap::default();
    for row in 0..batch.num_rows() {
        let cell = |name: &&str| {
            let column = batch.column_by_name(name).unwrap();
            column.as_string_opt::<i32>().map_or_else(
                || column.as_primitive::<Int64Type>().value(row).to_string(),
                |words| words.value(row).to_owned(),
            )
        };
        *seen.entry(QI.iter().map(cell).collect()).or_default() += 1;
    }
    let share = seen.len() as f64 / 30_000.0;
    let alone = seen.values().filter(|&&n| n == 1).count() as f64 / 30_000.0;
    println!("distinct combinations {:.1} %, unique people {:.1} %", share * 100.0, alone * 100.0);
    assert!((0.40..0.75).contains(&share), "{share}");
}

#[test]
fn home_is_where_most_were_born() {
    let batch = &census(60_000)[0];
    let countries = words(batch, "birth_country");
    let home = countries.iter().filter(|&&c| c == "Arvenia").count() as f64 / countries.len() as f64;
    let kinds: rustc_hash::FxHashSet<_> = countries.into_iter().collect();
    println!("born at home {:.1} %, {} countries", home * 100.0, kinds.len());
    assert!((0.86..0.90).contains(&home), "{home}");
    assert!(kinds.len() >= 40, "{}", kinds.len());
}
