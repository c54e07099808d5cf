//! Valid files to start from: made here in every form that the writers know, and those below `corpus/`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    ListArray, RecordBatch, StringArray, StringViewArray, StructArray, TimestampMicrosecondArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Int8Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use kohort::input::{JobSpec, MemoryTable, sha256_of};
use kohort::ledger::{Atom, Ledger, ReleaseRecord};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::Target;

/// A file: its ending and its bytes.
#[derive(Clone)]
pub struct Seed {
    /// Tells the format.
    pub ending: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Seed {
    fn new(ending: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { ending: ending.into(), bytes: bytes.into() }
    }
}

/// The table that releases are traced to.
pub const PEOPLE: &str = "\
age,zip,illness,note
34,41075,flu,plain
36,41076,flu,\"one, two\"
35,41076,gout,\"she said \"\"no\"\"\"
61,48201,gout,
58,48202,flu,\"two
lines\"
59,48202,asthma,ü
,48202,asthma,last
";

const JSON_LINES: &str = "\
{\"age\":34,\"zip\":41075,\"illness\":\"flu\",\"note\":\"pl\\\"ain\"}
{\"age\":null,\"ok\":true,\"note\":\"\\u00fc\",\"cost\":12.50}
{\"zip\":\"\",\"big\":12345678901234567890}
";

const RELEASE: &str = "\
age,zip,illness,note
\"[34, 36]\",\"[41075, 41076]\",flu,plain
\"[34, 36]\",\"[41075, 41076]\",flu,\"one, two\"
\"[34, 36]\",\"[41075, 41076]\",gout,x
\"[58, 61]\",\"[48201, 48202]\",gout,
\"[58, 61]\",\"[48201, 48202]\",flu,two
\"[58, 61]\",\"[48201, 48202]\",asthma,ü
*,*,asthma,
";

const ARX: &str = "San Diego;California;West;US\nLos Angeles;California;West;US\nWichita;Kansas;Midwest;US\n";
const RANGES: &str = "1,\"[0, 10[\",*\n12,10-19,*\n25,20+,*\n";
const AMNESIA: &str = "distinct\nstring\nplaces\nheight 3\n\nUS has: West,Midwest\nWest has: San Diego,Seattle\nMidwest has: Wichita\n";
const MOSAICROWN: &str = r#"{"cat": "US", "subcats": [{"cat": "West", "subcats": [{"cat": "Seattle"}, {"cat": "San Diego"}]}, {"cat": "Wichita"}]}"#;

const JOB: &str = r#"k = 2
p = 2
l-diversity = ["distinct:2", "entropy:1.5"]
t-closeness = "0.2"
alpha = 0.5
seed = 7
suppress = "5%"
intervals = "bounds"
snap = { age = 5 }
time-limit = "60s"
[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", type = "integer", cuts = [18, 65], max_width = 20 }
zip = { role = "quasi-identifier", hierarchy = { mask = "right", levels = 5 }, weight = 2.5 }
place = { role = "quasi-identifier", hierarchy = "place.csv", max_generalization = ["West"], level_weights = { 2 = 3.0 } }
illness = { role = "sensitive", protected = ["Cancer"], closeness = "ordered" }
"#;

/// The valid files of a target: those made here, and those of the folder `corpus`.
pub fn seeds(target: Target, corpus: &Path) -> Vec<Seed> {
    let mut seeds = made(target);
    seeds.extend(committed(target, corpus).into_iter().map(|(_, seed)| seed));
    seeds
}

/// The files of a target below a folder, with their names.
pub fn committed(target: Target, corpus: &Path) -> Vec<(String, Seed)> {
    let listed = std::fs::read_dir(corpus.join(target.to_string()));
    let mut paths: Vec<_> = listed.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned())?;
        Some((name, Seed { ending, bytes: std::fs::read(path).ok()? }))
    };
    paths.iter().filter_map(read).collect()
}

fn made(target: Target) -> Vec<Seed> {
    match target {
        Target::Csv => vec![
            Seed::new("csv", PEOPLE),
            Seed::new("csv", format!("\u{feff}{}", PEOPLE.replace(',', ";").replace('\n', "\r\n"))),
            Seed::new("tsv", PEOPLE.replace(',', "\t")),
            Seed::new("csv", format!("sep=;\n# made by hand\n{}", PEOPLE.replace(',', ";"))),
            Seed::new("jsonl", JSON_LINES),
            Seed::new("json", format!("[{}]", JSON_LINES.trim_end().replace('\n', ","))),
        ],
        Target::Parquet => parquets(&wide()).into_iter().map(|bytes| Seed::new("parquet", bytes)).collect(),
        Target::Arrow => arrows(&wide()).into_iter().map(|bytes| Seed::new("arrow", bytes)).collect(),
        Target::Hierarchy => vec![
            Seed::new("csv", ARX),
            Seed::new("csv", RANGES),
            Seed::new("txt", AMNESIA),
            Seed::new("json", MOSAICROWN),
        ],
        Target::Job => vec![Seed::new("toml", JOB)],
        Target::Release => {
            let table = release();
            let mut seeds = vec![Seed::new("csv", RELEASE)];
            seeds.extend(parquets(&table).into_iter().take(2).map(|bytes| Seed::new("parquet", bytes)));
            seeds.extend(arrows(&table).into_iter().take(2).map(|bytes| Seed::new("arrow", bytes)));
            seeds
        }
        Target::Ledger => {
            vec![Seed::new("ledger", ledger(Some(release()))), Seed::new("ledger", ledger(None))]
        }
    }
}

/// Two releases, one atom of the first withdrawn.
fn ledger(waiting: Option<RecordBatch>) -> Vec<u8> {
    let record = |number, rows, first_new_atom| ReleaseRecord {
        number,
        place: format!("/releases/{number}.csv").into(),
        sha256: sha256_of(RELEASE),
        rows,
        first_new_atom,
        batch: None,
    };
    let atom = |first_release, withdrawn_in, class| Atom {
        rows: 3,
        people: Some(2),
        first_release,
        withdrawn_in,
        class,
    };
    let table = |batch: RecordBatch| MemoryTable::new("waiting", &batch.schema(), vec![batch]);
    let ledger = Ledger {
        job: JobSpec { k: Some(2), qi: vec!["age".into(), "zip".into()], ..JobSpec::default() },
        trees: BTreeMap::from([("zip".into(), sha256_of(ARX))]),
        columns: vec![("age".into(), "Utf8".into()), ("zip".into(), "Utf8".into())],
        published: true,
        releases: vec![record(1, 6, 0), record(2, 6, 2)],
        atoms: vec![atom(1, None, 0), atom(1, Some(2), 1), atom(2, None, 0)],
        atom_of: vec![0, 2, 2, 0, 0, 2],
        keys: vec![[5; 16]; 6],
        gone: vec![kohort::ledger::Gone { key: [4; 16], first_release: 1 }],
        salt: [1; 32],
        frozen: BTreeMap::from([("illness".into(), vec![("flu".into(), 4), ("gout".into(), 2)])]),
        waiting: waiting.map(|batch| table(batch).unwrap_or_else(|e| panic!("{e}"))),
    };
    ledger.to_bytes().unwrap_or_else(|e| panic!("{e}"))
}

fn release() -> RecordBatch {
    let lines: Vec<Vec<&str>> = RELEASE
        .lines()
        .skip(1)
        .map(|line| {
            line.split(if line.starts_with('"') { "\"," } else { "," }).map(|f| f.trim_matches('"')).collect()
        })
        .collect();
    let column = |c: usize| -> ArrayRef {
        Arc::new(lines.iter().map(|line| line.get(c).copied()).collect::<StringArray>())
    };
    let columns = [("age", column(0)), ("zip", column(1)), ("illness", column(2))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// A small table with columns of many types.
fn wide() -> RecordBatch {
    let n = 40i64;
    let some = |i: i64| i % 7 != 3;
    let texts: StringArray = (0..n).map(|i| some(i).then(|| format!("text {}", i % 5))).collect();
    let numbers: Int64Array = (0..n).map(|i| some(i).then_some(i * i - 50)).collect();
    let words: DictionaryArray<Int8Type> = (0..n).map(|i| Some(["a", "bb", "ccc"][i as usize % 3])).collect();
    let views: StringViewArray =
        (0..n).map(|i| some(i).then(|| format!("a text that is too long to be inside {i}"))).collect();
    let item = Arc::new(Field::new_list_field(DataType::Int64, true));
    let entries: ArrayRef = Arc::new((0..2 * n).map(|i| some(i).then_some(i)).collect::<Int64Array>());
    let list =
        ListArray::new(item, OffsetBuffer::from_lengths((0..n as usize).map(|i| i % 5)), entries, None);
    let pair = StructArray::from(vec![
        (Arc::new(Field::new("x", DataType::Utf8, true)), Arc::new(texts.clone()) as ArrayRef),
        (Arc::new(Field::new("y", DataType::Int64, true)), Arc::new(numbers.clone()) as ArrayRef),
    ]);
    let columns: [(&str, ArrayRef); 11] = [
        ("text", Arc::new(texts)),
        ("number", Arc::new(numbers)),
        ("small", Arc::new((0..n as i32).collect::<Int32Array>())),
        ("flag", Arc::new((0..n).map(|i| some(i).then_some(i % 2 == 0)).collect::<BooleanArray>())),
        ("real", Arc::new((0..n).map(|i| i as f64 / 3.0).collect::<Float64Array>())),
        (
            "at",
            Arc::new(
                (0..n)
                    .map(|i| Some(i * 1_000_000_007))
                    .collect::<TimestampMicrosecondArray>()
                    .with_timezone("+01:00"),
            ),
        ),
        ("money", Arc::new((0..n).map(|i| i128::from(i) * 99).collect::<Decimal128Array>())),
        ("word", Arc::new(words)),
        ("view", Arc::new(views)),
        ("list", Arc::new(list)),
        ("pair", Arc::new(pair)),
    ];
    let all = columns.map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(all).unwrap_or_else(|e| panic!("{e}"))
}

fn arrows(table: &RecordBatch) -> Vec<Vec<u8>> {
    let write = |packed| {
        let options = IpcWriteOptions::default().try_with_compression(packed)?;
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &table.schema(), options)?;
        let half = table.num_rows() / 2;
        writer.write(&table.slice(0, half))?;
        writer.write(&table.slice(half, table.num_rows() - half))?;
        writer.into_inner()
    };
    let kinds = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    kinds.into_iter().map(|packed| write(packed).unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn parquets(table: &RecordBatch) -> Vec<Vec<u8>> {
    let plain = || {
        WriterProperties::builder().set_max_row_group_row_count(Some(25)).set_data_page_row_count_limit(10)
    };
    let packed = |codec| plain().set_compression(codec);
    let kinds = [
        packed(Compression::SNAPPY),
        packed(Compression::GZIP(parquet::basic::GzipLevel::default())),
        packed(Compression::BROTLI(parquet::basic::BrotliLevel::default())),
        packed(Compression::LZ4),
        packed(Compression::LZ4_RAW).set_writer_version(WriterVersion::PARQUET_2_0),
        packed(Compression::ZSTD(parquet::basic::ZstdLevel::default()))
            .set_writer_version(WriterVersion::PARQUET_2_0),
        plain().set_dictionary_enabled(false).set_writer_version(WriterVersion::PARQUET_2_0),
        plain()
            .set_dictionary_enabled(false)
            .set_column_encoding("text".into(), Encoding::DELTA_BYTE_ARRAY)
            .set_column_encoding("view".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_encoding("number".into(), Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding("real".into(), Encoding::BYTE_STREAM_SPLIT),
        plain().set_dictionary_enabled(false).set_compression(Compression::UNCOMPRESSED),
    ];
    let write = |properties: WriterProperties| {
        let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties))?;
        writer.write(table)?;
        writer.into_inner()
    };
    kinds.into_iter().map(|kind| write(kind.build()).unwrap_or_else(|e| panic!("{e}"))).collect()
}
