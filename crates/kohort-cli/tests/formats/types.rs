//! Types of columns that CSV does not have.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, LargeStringArray,
    ListArray, RecordBatch, StringArray, TimestampMicrosecondArray, TimestampMillisecondArray,
    TimestampNanosecondArray, TimestampSecondArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{Field, Int8Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;

use crate::common::Desk;

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn arrow(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// Moments with a time zone are published in UTC where they are quasi-identifiers. Elsewhere they are what clocks show there.
#[test]
fn time_zones() {
    for (zone, first) in [
        ("UTC", "2024-07-01T10:00:00Z"),
        ("Europe/Berlin", "2024-07-01T12:00:00+02:00"),
        ("+01:00", "2024-07-01T11:00:00+01:00"),
    ] {
        let moments = [1_719_828_000_000, 1_719_828_000_000, 1_706_522_400_000, 1_706_522_400_000];
        let moments = TimestampMillisecondArray::from(moments.to_vec()).with_timezone(zone);
        let moments: ArrayRef = Arc::new(moments);
        let batch = RecordBatch::try_from_iter([
            ("seen", moments.clone()),
            ("left", moments.clone()),
            ("other", moments),
        ])
        .unwrap();
        let desk = Desk::new().with("t.parquet", parquet(&batch)).with("t.arrow", arrow(&batch));
        for input in ["t.parquet", "t.arrow"] {
            let roles = "--rest keep --qi seen --sensitive left -k 2 --keep-order --quiet";
            desk.done(&format!("anonymize {input} -o r.csv {roles}"));
            let release = desk.read("r.csv");
            let line = release.lines().nth(1).unwrap();
            assert_eq!(line, format!("2024-07-01T10:00:00Z,{first},{first}"), "{zone} {input}");
            for release in ["r.csv", "r.parquet", "r.arrow"] {
                desk.done(&format!("anonymize {input} -o {release} {roles}"));
                desk.done(&format!("verify {release} --original {input} --qi seen --sensitive left -k 2"));
            }
        }
    }
}

/// Columns as pandas and others write them, and how they read.
fn as_others_write() -> (RecordBatch, [&'static str; 2]) {
    let seconds = 1_714_568_842;
    let units: [ArrayRef; 4] = [
        Arc::new(TimestampSecondArray::from(vec![seconds, 0])),
        Arc::new(TimestampMillisecondArray::from(vec![seconds * 1000 + 5, 0])),
        Arc::new(TimestampMicrosecondArray::from(vec![seconds * 1_000_000 + 5, 0]).with_timezone("UTC")),
        Arc::new(
            TimestampNanosecondArray::from(vec![seconds * 1_000_000_000, 0])
                .with_timezone("America/New_York"),
        ),
    ];
    let [s, ms, us, ns] = units;
    let q: ArrayRef = Arc::new(StringArray::from(vec!["x", "x"]));
    let decimals = Decimal128Array::from(vec![Some(1250), None]).with_precision_and_scale(10, 2).unwrap();
    let words: DictionaryArray<Int8Type> = vec![Some("b"), None].into_iter().collect();
    let batch = RecordBatch::try_from_iter([
        ("q", q),
        ("s", s),
        ("ms", ms),
        ("us", us),
        ("ns", ns),
        ("cost", Arc::new(decimals)),
        ("word", Arc::new(words)),
        ("ok", Arc::new(BooleanArray::from(vec![Some(true), None]))),
        ("day", Arc::new(Date32Array::from(vec![Some(10_956), None]))),
        ("large", Arc::new(LargeStringArray::from(vec![Some("é"), None]))),
    ]);
    let rows = [
        "x,2024-05-01T13:07:22,2024-05-01T13:07:22.005,2024-05-01T13:07:22.000005Z,2024-05-01T09:07:22-04:00,12.50,b,true,1999-12-31,é",
        "x,1970-01-01T00:00:00,1970-01-01T00:00:00,1970-01-01T00:00:00Z,1969-12-31T19:00:00-05:00,,,,,",
    ];
    (batch.unwrap(), rows)
}

#[test]
fn timestamps_decimals_dictionaries_and_truth_values() {
    let (batch, rows) = as_others_write();
    let options = |codec| IpcWriteOptions::default().try_with_compression(codec).unwrap();
    let feather = |codec| {
        let mut writer =
            FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options(codec)).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        writer.into_inner().unwrap()
    };
    let desk = Desk::new()
        .with("t.parquet", parquet(&batch))
        .with("t.arrow", arrow(&batch))
        .with("lz4.feather", feather(Some(CompressionType::LZ4_FRAME)))
        .with("zstd.feather", feather(Some(CompressionType::ZSTD)));
    for input in ["t.parquet", "t.arrow", "lz4.feather", "zstd.feather"] {
        let roles = "--rest keep --qi q --sensitive ms -k 2 --keep-order --quiet";
        desk.done(&format!("anonymize {input} -o r.csv {roles}"));
        assert_eq!(desk.read("r.csv").lines().skip(1).collect::<Vec<_>>(), rows, "{input}");
        for release in ["r.jsonl", "r.parquet"] {
            desk.done(&format!("anonymize {input} -o {release} {roles}"));
            desk.done(&format!("verify {release} --original {input} --qi q --sensitive ms -k 2"));
        }
        let first = desk.read("r.jsonl");
        assert!(first.contains(r#""cost":12.50,"word":"b","ok":true,"day":"1999-12-31""#), "{first}");
    }
}

/// A text inside so many lists.
fn nested(depth: usize) -> RecordBatch {
    let mut inside: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "b", "b"]));
    for _ in 0..depth {
        let field = Arc::new(Field::new_list_field(inside.data_type().clone(), true));
        let each = OffsetBuffer::from_lengths(std::iter::repeat_n(1, inside.len()));
        inside = Arc::new(ListArray::new(field, each, inside, None));
    }
    let ages: ArrayRef = Arc::new(StringArray::from(vec!["1", "1", "2", "2"]));
    RecordBatch::try_from_iter([("age", ages), ("deep", inside)]).unwrap()
}

#[test]
fn lists_in_lists_in_lists() {
    for depth in [1, 31, 60] {
        let desk =
            Desk::new().with("t.parquet", parquet(&nested(depth))).with("t.arrow", arrow(&nested(depth)));
        for input in ["t.parquet", "t.arrow"] {
            for release in ["r.parquet", "r.arrow", "r.csv"] {
                let line = format!("anonymize {input} -o {release} --rest keep --qi age -k 2 --quiet");
                let ran = desk.run(&line);
                assert_eq!(ran.code, Some(0), "{depth}: {line}\n{}", ran.err);
            }
        }
    }
}

/// Programs that do not know Arrow leave its schema out. The library does not read one that is nested deeper than about 60.
fn parquet_without_schema(batch: &RecordBatch) -> Vec<u8> {
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// What nobody could open again is refused in words.
#[test]
fn deeper_than_arrow_goes() {
    let refused = |ending: &str, write: fn(&RecordBatch) -> Vec<u8>, depth: usize| {
        // Writing goes deep, too.
        let deep = std::thread::Builder::new().stack_size(1 << 28).spawn(move || write(&nested(depth)));
        let input = format!("t.{ending}");
        let desk = Desk::new().with(&input, deep.unwrap().join().unwrap());
        desk.refused(&format!("anonymize {input} -o r.csv --rest keep --qi age -k 2 --quiet"))
    };
    for depth in [61, 70, 126, 127, 500] {
        for message in [
            refused("parquet", parquet_without_schema, depth),
            refused("arrow", arrow, depth),
            refused("parquet", parquet, depth),
        ] {
            let said = "exit code 2\nerror: lists, maps or structs lie more than 60 deep inside each other\n";
            assert!(message.starts_with(said) && message.contains("way out: flatten"), "{depth}: {message}");
        }
    }
}
