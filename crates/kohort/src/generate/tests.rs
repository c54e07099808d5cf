//! What must hold for every table in the list.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::util::display::array_value_to_string;

use super::*;

fn table(name: &str, rows: u64, seed: u64) -> RecordBatch {
    let rows = find(name).unwrap().rows(rows, seed);
    let schema = rows.schema();
    let batches: Vec<_> = rows.map(Result::unwrap).collect();
    concat_batches(&schema, &batches).unwrap()
}

#[test]
fn an_unknown_name_is_met_with_the_nearest() {
    let message = find("sensus").unwrap_err().to_string();
    assert!(message.contains("did you mean 'census'?"), "{message}");
    assert!(find("warehouse-stock").unwrap_err().to_string().contains("there are art, uu"));
}

#[test]
fn the_same_seed_gives_the_same_table_and_another_seed_another() {
    for g in GENERATORS {
        assert_eq!(table(g.name, 500, 7), table(g.name, 500, 7), "{}", g.name);
        assert_ne!(table(g.name, 500, 7), table(g.name, 500, 8), "{}", g.name);
    }
}

/// A seed is a promise to everyone who noted one down: these change only with a line in the changelog.
#[test]
fn first_rows_stay_what_they_were() {
    const EXPECTED: [&str; 5] = [
        "a2,a2,a3,a3,a3,a3",
        "54,d,h,a,b,e",
        "54,d,f,d,e,d",
        "1,54,Male,South Asian,Married,Bachelor degree,Sri Lanka,Private company,Office clerk,37,14404,75800,Anxiety",
        "100001,Ivo Delacroft,1970-11-16,Male,13304,2024-12-15,Cardiology,3,I48 Irregular heartbeat,Pacemaker,10870",
    ];
    let first = |name: &str| {
        let batch = table(name, 1, 1);
        let cell = |c: &arrow::array::ArrayRef| array_value_to_string(c, 0).unwrap();
        batch.columns().iter().map(cell).collect::<Vec<_>>().join(",")
    };
    assert_eq!(["art", "uu", "nn", "census", "hospital"].map(first), EXPECTED);
}

#[test]
fn neither_length_nor_chunk_order_changes_a_row() {
    for g in GENERATORS {
        let long = table(g.name, CHUNK_ROWS + 300, 3);
        assert_eq!(long.slice(0, 1000), table(g.name, 1000, 3), "{}", g.name);
        let rows = g.rows(CHUNK_ROWS + 300, 3);
        let second = rows.chunk(1).unwrap();
        assert_eq!(second.num_rows(), 300);
        assert_eq!(long.slice(CHUNK_ROWS as usize, 300), second, "{}", g.name);
    }
}

#[test]
fn no_rows_are_no_batches_but_still_a_schema() {
    let mut rows = find("art").unwrap().rows(0, 1);
    assert_eq!(rows.schema().fields().len(), 6);
    assert!(rows.next().is_none());
}

#[test]
fn every_category_value_is_a_leaf_and_only_postcodes_are_missing() {
    for g in GENERATORS {
        let batch = table(g.name, 20_000, 5);
        let hierarchies = g.hierarchies().unwrap();
        let categories: Vec<_> =
            g.columns().iter().filter(|c| c.kind == Kind::Category).map(|c| c.name).collect();
        assert_eq!(hierarchies.iter().map(Hierarchy::name).collect::<Vec<_>>(), categories, "{}", g.name);
        for h in &hierarchies {
            let column = batch.column_by_name(h.name()).unwrap().as_string::<i32>();
            for value in column.iter().flatten() {
                assert!(h.leaf(value).is_some(), "{}: '{value}' is no leaf of {}", g.name, h.name());
            }
        }
        for (info, column) in g.columns().iter().zip(batch.columns()) {
            let may_miss = g.name == "hospital" && info.name == "postcode";
            assert!(may_miss || column.null_count() == 0, "{}.{}", g.name, info.name);
        }
    }
}

#[test]
fn hierarchies_survive_being_written_as_paths() {
    for h in GENERATORS.iter().flat_map(|g| g.hierarchies().unwrap()) {
        let paths: Vec<_> = (0..h.leaf_count()).map(|leaf| h.path(leaf)).collect();
        assert_eq!(Hierarchy::from_paths(h.name(), paths).unwrap(), h);
        assert!(h.leaves(h.root()).all(|l| h.path(l).iter().all(|label| !label.contains([';', ',']))));
    }
}

/// `cargo test --release -p kohort --lib -- generate --ignored --nocapture` prints rows per second.
#[test]
#[ignore = "a measurement, not a check"]
fn ten_million_census_rows() {
    for name in ["census", "hospital"] {
        let start = std::time::Instant::now();
        let rows: usize = find(name).unwrap().rows(10_000_000, 1).map(|b| b.unwrap().num_rows()).sum();
        println!("{name}: {rows} rows in {:.1?}", start.elapsed());
    }
}
