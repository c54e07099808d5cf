//! Bytes that no reader shows: below nulls, in dictionaries, in the layout of the file. Somebody looks at them with an
//! editor.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, GenericByteArray, Int32Array,
    Int64Array, LargeListArray, ListArray, MapArray, PrimitiveArray, RecordBatch, StringArray,
    StringViewArray, StructArray,
};
use arrow::buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, BinaryType, ByteArrayType, DataType, Date32Type, Decimal128Type, Decimal256Type,
    DurationSecondType, Field, Fields, Float32Type, Float64Type, Int32Type, Int64Type, LargeBinaryType,
    LargeUtf8Type, Schema, Time64MicrosecondType, TimestampMicrosecondType, UInt32Type, UInt64Type, Utf8Type,
    i256,
};
use arrow::ipc::CompressionType;
use arrow::ipc::reader::FileReader;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::common::Desk;

/// Rows of the tables here. Rows 5, 6 and 20 have null in every planted column; row 3 has no age and is suppressed.
const ROWS: usize = 24;

/// Bytes that stand only below nulls, in unused places, and in the suppressed row.
const MARK: [u8; 3] = [0xE7, 0xC2, 0x5E];
const NUMBER: i64 = 0x5E_C2E7;
const TEXT: &str = "SECRET-of-somebody";

fn hidden(row: usize) -> bool {
    matches!(row, 5 | 6 | 20)
}

fn secret(row: usize) -> bool {
    hidden(row) || row == 3
}

#[allow(clippy::unnecessary_wraps, reason = "arrays want an option")]
fn nulls() -> Option<NullBuffer> {
    Some((0..ROWS).map(|row| !hidden(row)).collect::<Vec<bool>>().into())
}

fn text(row: usize) -> String {
    if secret(row) { format!("{TEXT}-{row}") } else { format!("text {}", row % 4) }
}

fn number(row: usize) -> i64 {
    if secret(row) { NUMBER } else { [0, 1, 2, 3][row % 4] }
}

fn primitive<T: ArrowPrimitiveType>(value: impl Fn(i64) -> T::Native) -> PrimitiveArray<T> {
    let values: Vec<T::Native> = (0..ROWS).map(|row| value(number(row))).collect();
    PrimitiveArray::new(ScalarBuffer::from(values), nulls())
}

fn bytes<T: ByteArrayType>() -> GenericByteArray<T> {
    let texts: Vec<String> = (0..ROWS).map(text).collect();
    let offsets = OffsetBuffer::<T::Offset>::from_lengths(texts.iter().map(String::len));
    GenericByteArray::new(offsets, Buffer::from_vec(texts.concat().into_bytes()), nulls())
}

/// As many entries as rows, each secret where its row is, none of them null.
fn children() -> (ArrayRef, ArrayRef) {
    let texts: StringArray = (0..ROWS).map(|row| Some(text(row))).collect();
    let numbers: Int64Array = (0..ROWS).map(|row| Some(number(row))).collect();
    (Arc::new(texts), Arc::new(numbers))
}

fn nested() -> Vec<(&'static str, ArrayRef)> {
    let (texts, numbers) = children();
    let one = |size| OffsetBuffer::<i32>::from_lengths(std::iter::repeat_n(size, ROWS));
    let long = OffsetBuffer::<i64>::from_lengths(std::iter::repeat_n(1, ROWS));
    let item = |of: &ArrayRef| Arc::new(Field::new_list_field(of.data_type().clone(), false));
    let pair: Fields =
        vec![Field::new("keys", DataType::Utf8, false), Field::new("values", DataType::Int64, true)].into();
    let pairs = StructArray::new(pair.clone(), vec![texts.clone(), numbers.clone()], None);
    let entries = Arc::new(Field::new("entries", DataType::Struct(pair.clone()), false));
    let structure = StructArray::new(pair, vec![texts.clone(), numbers.clone()], nulls());
    let deep = ListArray::new(
        Arc::new(Field::new_list_field(structure.data_type().clone(), true)),
        one(1),
        Arc::new(structure.clone()),
        None,
    );
    vec![
        ("list", Arc::new(ListArray::new(item(&texts), one(1), texts.clone(), nulls()))),
        ("large_list", Arc::new(LargeListArray::new(item(&numbers), long, numbers.clone(), nulls()))),
        ("fixed_list", Arc::new(FixedSizeListArray::new(item(&numbers), 1, numbers, nulls()))),
        ("map", Arc::new(MapArray::new(entries, one(1), pairs, nulls(), false))),
        ("struct", Arc::new(structure)),
        ("deep", Arc::new(deep)),
    ]
}

/// Types whose values can be written as text, too.
fn simple() -> Vec<(&'static str, ArrayRef)> {
    let words = StringArray::from(vec!["text 0", TEXT, "text 1", "text 2"]);
    let keys: Vec<i32> = (0..ROWS).map(|row| if secret(row) { 1 } else { [0, 2, 3][row % 3] }).collect();
    let keys = Int32Array::new(keys.into(), nulls());
    let views: StringViewArray = (0..ROWS).map(|row| (!hidden(row)).then(|| text(row))).collect();
    let all: Vec<u8> = (0..ROWS).flat_map(|row| number(row).to_le_bytes()).collect();
    vec![
        ("i32", Arc::new(primitive::<Int32Type>(|n| n as i32))),
        ("i64", Arc::new(primitive::<Int64Type>(|n| n))),
        ("u32", Arc::new(primitive::<UInt32Type>(|n| n as u32))),
        ("u64", Arc::new(primitive::<UInt64Type>(|n| n as u64))),
        ("f32", Arc::new(primitive::<Float32Type>(|n| f32::from_bits(n as u32)))),
        ("f64", Arc::new(primitive::<Float64Type>(|n| f64::from_bits(n as u64)))),
        ("date", Arc::new(primitive::<Date32Type>(|n| n as i32 % 2_000_000))),
        ("at", Arc::new(primitive::<TimestampMicrosecondType>(|n| n).with_timezone("+02:00"))),
        ("clock", Arc::new(primitive::<Time64MicrosecondType>(|n| n))),
        ("lasts", Arc::new(primitive::<DurationSecondType>(|n| n))),
        ("money", Arc::new(primitive::<Decimal128Type>(i128::from).with_precision_and_scale(20, 2).unwrap())),
        ("large", Arc::new(primitive::<Decimal256Type>(|n| i256::from_i128(n.into())))),
        ("text", Arc::new(bytes::<Utf8Type>())),
        ("long_text", Arc::new(bytes::<LargeUtf8Type>())),
        ("bytes", Arc::new(bytes::<BinaryType>())),
        ("long_bytes", Arc::new(bytes::<LargeBinaryType>())),
        ("eight", Arc::new(FixedSizeBinaryArray::new(8, Buffer::from_vec(all), nulls()))),
        ("words", Arc::new(DictionaryArray::new(keys, Arc::new(words)))),
        ("views", Arc::new(views)),
    ]
}

/// The table as a file. Its metadata speaks of somebody, too.
fn table(planted: Vec<(&'static str, ArrayRef)>) -> RecordBatch {
    let ages: Int64Array = (0..ROWS).map(|row| (row != 3).then_some([20, 21, 22][row / 8])).collect();
    let mut columns: Vec<(&str, ArrayRef)> = vec![("age", Arc::new(ages))];
    columns.extend(planted);
    let field = |(name, array): &(&str, ArrayRef)| {
        let about = [("about".to_owned(), TEXT.to_owned())].into();
        Field::new(*name, array.data_type().clone(), true).with_metadata(about)
    };
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let schema = Schema::new(fields).with_metadata([("pandas".to_owned(), TEXT.to_owned())].into());
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

fn arrow_file(batch: &RecordBatch, packed: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(packed).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// Everything the program left behind.
fn search(desk: &Desk, given: &[&str], case: &str) {
    let given: Vec<_> = given.iter().map(|name| desk.path(name)).collect();
    for path in desk.files().into_iter().filter(|path| path.is_file() && !given.contains(path)) {
        let bytes = std::fs::read(&path).unwrap();
        let has = |mark: &[u8]| bytes.windows(mark.len()).any(|w| w == mark);
        let shown = path.display();
        assert!(!has(b"SECRET"), "{case}: a text of somebody is in {shown}");
        assert!(
            !has(&MARK) && !has(NUMBER.to_string().as_bytes()),
            "{case}: a number of somebody is in {shown}"
        );
    }
}

const ASKED: &str = "--rest keep --qi age --missing suppress -k 2 --suppress 10%";

/// Every type alone, so that the one that leaks is named.
#[test]
fn nothing_hidden_leaves_with_a_column() {
    for (name, array) in simple().into_iter().chain(nested()) {
        let nested = array.data_type().is_nested();
        let batch = table(vec![(name, array)]);
        for output in ["arrow", "parquet", "csv"].into_iter().filter(|&o| !(nested && o == "csv")) {
            for flags in ["", "--keep-order", "--suppressed star", "--suppressed star --keep-order"] {
                let desk = Desk::new().with("in.arrow", arrow_file(&batch, None));
                let ran = desk.run(&format!("anonymize in.arrow -o out.{output} {ASKED} {flags}"));
                // Not every type has a form in every format.
                let refused = ran.code == Some(2) && ran.err.contains("cannot write");
                assert!(ran.code == Some(0) || refused, "{name} into {output}: {}", ran.err);
                search(&desk, &["in.arrow"], &format!("{name} into {output} {flags}"));
            }
        }
    }
}

#[test]
fn nothing_hidden_leaves_with_a_sensitive_column() {
    for (name, array) in simple().into_iter().filter(|(name, _)| ["text", "i64"].contains(name)) {
        let desk = Desk::new().with("in.arrow", arrow_file(&table(vec![(name, array)]), None));
        for output in ["arrow", "parquet", "csv"] {
            desk.done(&format!("anonymize in.arrow -o out.{output} {ASKED} --sensitive {name} --keep-order"));
        }
        search(&desk, &["in.arrow"], name);
    }
}

/// Batches, pages and row groups follow from the release, not from where suppressed rows stood.
#[test]
fn the_layout_does_not_tell_where_suppressed_rows_stood() {
    let people = |first: bool| {
        let mut lines: Vec<String> = (0..20_000).map(|i| format!("{},note {i}", 20 + i % 50)).collect();
        let gone = std::iter::repeat_n(",gone".to_owned(), 900);
        if first {
            lines.splice(0..0, gone).for_each(drop);
        } else {
            lines.extend(gone);
        }
        format!("age,note\n{}\n", lines.join("\n"))
    };
    let desk = Desk::new().with("first.csv", people(true)).with("last.csv", people(false));
    for output in ["arrow", "parquet"] {
        for order in ["--keep-order"] {
            for name in ["first", "last"] {
                desk.done(&format!("anonymize {name}.csv -o {name}.{output} {ASKED} {order}"));
            }
            let same = desk.bytes(&format!("first.{output}")) == desk.bytes(&format!("last.{output}"));
            assert!(same, "{output}: the files of two equal releases differ");
        }
    }
}

/// Rows that are shown with stars only, in columns of every type.
#[test]
fn stars_go_into_every_type() {
    for (name, array) in simple().into_iter().chain(nested()) {
        let batch = table(vec![(name, array)]);
        let desk = Desk::new().with("in.arrow", arrow_file(&batch, None));
        for output in ["arrow", "parquet"] {
            let ran = desk
                .run(&format!("anonymize in.arrow -o out.{output} {ASKED} --suppressed star --keep-order"));
            let refused = ran.code == Some(2) && ran.err.contains("cannot write");
            assert!(ran.code == Some(0) || refused, "{name} into {output}: {}", ran.err);
            if refused {
                continue;
            }
            let released = read(&desk, &format!("out.{output}"));
            assert_eq!(released.num_rows(), ROWS, "{name}");
            assert!(released.column(1).is_null(3), "{name}: row 3 is suppressed");
            assert!((7..19).all(|row| released.column(1).is_valid(row)), "{name}: others are not");
        }
    }
}

/// Nothing is left to read of such a table but how many rows it has.
#[test]
fn stars_go_into_tables_of_quasi_identifiers_alone() {
    let desk = Desk::new().with("in.csv", "age,zip,ill\n20,1,a\n20,1,b\n30,2,a\n30,2,b\n,3,c\n");
    for output in ["arrow", "parquet"] {
        for roles in
            ["--rest keep --qi age,zip,ill", "--qi age,zip --sensitive ill", "--qi age --drop zip,ill"]
        {
            let asked = format!("{roles} -k 2 --suppressed star");
            let suppress = "--missing suppress --suppress 30%";
            desk.done(&format!("anonymize in.csv -o out.{output} {asked} {suppress}"));
            desk.done(&format!("verify out.{output} {asked}"));
        }
    }
}

fn read(desk: &Desk, name: &str) -> RecordBatch {
    let file = std::fs::File::open(desk.path(name)).unwrap();
    if name.ends_with("arrow") {
        return FileReader::try_new(file, None).unwrap().next().unwrap().unwrap();
    }
    ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap()
}

/// What pandas writes as Feather is packed.
#[test]
fn packed_arrow_files_are_read() {
    let batch = table(simple());
    let desk = Desk::new()
        .with("plain.arrow", arrow_file(&batch, None))
        .with("lz4.feather", arrow_file(&batch, Some(CompressionType::LZ4_FRAME)))
        .with("zstd.arrow", arrow_file(&batch, Some(CompressionType::ZSTD)));
    for name in ["plain.arrow", "lz4.feather", "zstd.arrow"] {
        desk.done(&format!("anonymize {name} -o {name}.out.arrow {ASKED} --keep-order"));
        let same = desk.bytes("plain.arrow.out.arrow") == desk.bytes(&format!("{name}.out.arrow"));
        assert!(same, "{name}");
    }
}

/// Parquet in, Arrow out: what stands in the metadata of the file stays there.
#[test]
fn metadata_stays_behind() {
    let batch = table(simple().into_iter().filter(|(name, _)| *name != "lasts").collect());
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let desk = Desk::new().with("in.parquet", writer.into_inner().unwrap());
    for output in ["out.arrow", "out.parquet"] {
        desk.done(&format!("anonymize in.parquet -o {output} {ASKED}"));
    }
    search(&desk, &["in.parquet"], "metadata");
}

/// Files that ended the program once: a panic, or room asked for that no machine has.
#[test]
fn damaged_files_are_refused_with_the_place() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for kind in ["arrow", "parquet"] {
        let listed = std::fs::read_dir(corpus.join(kind)).unwrap().map(|entry| entry.unwrap());
        let once = listed.filter(|entry| entry.file_name().to_string_lossy().starts_with("once-"));
        for entry in once {
            let name = entry.file_name().into_string().unwrap();
            let desk = Desk::new().with(&name, std::fs::read(entry.path()).unwrap());
            let said = desk
                .refused(&format!("anonymize {name} -o out.arrow --rest keep --qi n --type n=category -k 2"));
            assert!(said.starts_with("exit code 2\nerror: "), "{name}: {said}");
            assert!(said.contains(&format!("where: {name}")) && !said.contains("panicked"), "{name}: {said}");
        }
    }
}

/// A list of one that is null has a value below it.
#[test]
fn lists_of_one_hide_what_is_below_them() {
    let items: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 777_777, 777_777]));
    let nulls = NullBuffer::from(vec![true, true, false, false]);
    let field = Arc::new(arrow::datatypes::Field::new("item", items.data_type().clone(), true));
    let lists: ArrayRef = Arc::new(FixedSizeListArray::new(field, 1, items, Some(nulls)));
    let q: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 2, 2]));
    let batch = RecordBatch::try_from_iter_with_nullable([("q", q, false), ("x", lists, true)]).unwrap();
    for (roles, ending) in [
        ("--rest keep --qi q", "csv"),
        ("--rest keep --qi q --sensitive x", "csv"),
        ("--rest keep --qi q --sensitive x", "arrow"),
        ("--rest keep --qi x", "csv"),
        ("--rest keep --qi x", "arrow"),
    ] {
        let desk = Desk::new().with("t.arrow", arrow_file(&batch, None));
        desk.done(&format!("anonymize t.arrow -o r.{ending} {roles} -k 2 --quiet"));
        let bytes = desk.bytes(&format!("r.{ending}"));
        let shown = bytes.windows(6).any(|w| w == b"777777")
            || bytes.windows(8).any(|w| w == 777_777i64.to_le_bytes());
        assert!(!shown, "{roles} {ending}");
    }
}

/// A column of nothing but nulls shows nothing of suppressed rows.
#[test]
fn stars_beside_a_column_of_nulls() {
    let q: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 2, 2, 100]));
    let nothing: ArrayRef = Arc::new(arrow::array::NullArray::new(5));
    let batch = RecordBatch::try_from_iter_with_nullable([("q", q, false), ("n", nothing, true)]).unwrap();
    for ending in ["csv", "arrow", "parquet"] {
        let desk = Desk::new().with("t.arrow", arrow_file(&batch, None));
        desk.done(&format!(
            "anonymize t.arrow -o r.{ending} --rest keep --qi q -k 2 --max-width q=5 --suppressed star --quiet"
        ));
    }
}
