//! Any table, written in any dialect, reads back as it was.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use kohort::input::{FileTable, ReadOptions, TableSource, texts};
use proptest::prelude::*;

/// Cells by row; the first row names the columns.
type Cells = Vec<Vec<String>>;

#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
struct Dialect {
    separator: u8,
    all_quoted: bool,
    windows: bool,
    mark: bool,
    names_separator: bool,
    comments: usize,
    encoding: Encoding,
    packing: Packing,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Packing {
    None,
    Gzip,
    GzipInParts,
    Zstd,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Csv,
    JsonLines,
    JsonList,
}

fn dialects() -> impl Strategy<Value = Dialect> {
    let separator = prop::sample::select(b",;\t|".to_vec());
    let encoding = prop::sample::select(vec![
        Encoding::Utf8,
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Latin,
    ]);
    let packing = prop::sample::select(vec![
        Packing::None,
        Packing::None,
        Packing::Gzip,
        Packing::GzipInParts,
        Packing::Zstd,
    ]);
    let form = prop::sample::select(vec![Form::Csv, Form::Csv, Form::Csv, Form::JsonLines, Form::JsonList]);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 0..3usize);
    (separator, flags, encoding, packing, form).prop_map(
        |(separator, (all_quoted, windows, mark, names_separator, comments), encoding, packing, form)| {
            Dialect {
                separator,
                all_quoted,
                windows,
                mark,
                names_separator,
                comments,
                encoding,
                packing,
                form,
            }
        },
    )
}

/// Cells of what is hard to write. The first is never blank: a row that shows nothing is nobody's.
fn tables() -> impl Strategy<Value = Cells> {
    let hard = prop::sample::select(
        [
            "a", "7", "0", " ", ",", ";", "\t", "|", "\"", "\n", "\r\n", "#", "=", "é", "ü", "'", "{", "}",
            "[", "\\", ":", "null", "sep=", "-",
        ]
        .to_vec(),
    );
    let cell = prop::collection::vec(hard, 0..5).prop_map(|parts| parts.concat());
    let sizes = (1..5usize, 0..8usize);
    sizes.prop_flat_map(move |(columns, rows)| {
        let row = prop::collection::vec(cell.clone(), columns);
        prop::collection::vec(row, rows).prop_map(move |mut rows| {
            for row in &mut rows {
                row[0].insert(0, 'x');
            }
            rows.insert(0, (0..columns).map(|i| format!("column {i}")).collect());
            rows
        })
    })
}

fn csv_text(cells: &Cells, dialect: &Dialect) -> String {
    let end = if dialect.windows { "\r\n" } else { "\n" };
    let names = dialect.names_separator;
    // A single column has no separator that could be found: it is the usual one, unless the file names another.
    let separator = if cells[0].len() > 1 || names { char::from(dialect.separator) } else { ',' };
    let mut out = if names { format!("sep={separator}{end}") } else { String::new() };
    if cells[0].len() > 1 {
        out += &format!("# a comment{end}").repeat(dialect.comments);
    }
    let field = |text: &String| {
        let quoted = dialect.all_quoted || text.contains([separator, '"', '\n', '\r']) || text.is_empty();
        if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
    };
    for row in cells {
        out += &row.iter().map(field).collect::<Vec<_>>().join(&separator.to_string());
        out += end;
    }
    out
}

fn json_text(cells: &Cells, list: bool) -> String {
    let names = &cells[0];
    let object = |row: &Vec<String>| {
        let pair =
            |(name, text): (&String, &String)| format!("{name:?}: {}", serde_json::to_string(text).unwrap());
        format!("{{{}}}", names.iter().zip(row).map(pair).collect::<Vec<_>>().join(", "))
    };
    let objects: Vec<String> = cells[1..].iter().map(object).collect();
    if list { format!("[{}]", objects.join(",\n")) } else { objects.join("\n") }
}

fn bytes(text: &str, dialect: &Dialect) -> Vec<u8> {
    let encoded = match dialect.encoding {
        Encoding::Utf8 if dialect.mark => format!("\u{feff}{text}").into_bytes(),
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Encoding::Latin => encoding_rs::WINDOWS_1252.encode(text).0.into_owned(),
    };
    let gzip = |bytes: &[u8]| {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    };
    match dialect.packing {
        Packing::None => encoded,
        Packing::Gzip => gzip(&encoded),
        Packing::GzipInParts => {
            let (a, b) = encoded.split_at(encoded.len() / 2);
            [gzip(a), gzip(b)].concat()
        }
        Packing::Zstd => zstd::encode_all(encoded.as_slice(), 1).unwrap(),
    }
}

fn read(path: &Path, dialect: &Dialect) -> Cells {
    let encoding = (dialect.encoding == Encoding::Latin).then(|| "windows-1252".to_owned());
    let table = FileTable::open_with(path, &ReadOptions { encoding, ..ReadOptions::default() }).unwrap();
    let columns: Vec<usize> = (0..table.schema().fields().len()).collect();
    let mut cells = vec![table.names().map(str::to_owned).collect::<Vec<_>>()];
    for batch in table.batches(&columns).unwrap() {
        let batch = batch.unwrap();
        let columns: Vec<_> = batch.columns().iter().map(|c| texts(c).unwrap()).collect();
        let cell = |row: usize| {
            columns.iter().map(|c| c.iter().nth(row).flatten().unwrap_or_default().to_owned()).collect()
        };
        cells.extend((0..batch.num_rows()).map(cell));
    }
    cells
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_in_any_dialect_reads_back(cells in tables(), dialect in dialects()) {
        prop_assume!(dialect.form == Form::Csv || cells.len() > 1);
        let text = match dialect.form {
            Form::Csv => csv_text(&cells, &dialect),
            Form::JsonLines => json_text(&cells, false),
            Form::JsonList => json_text(&cells, true),
        };
        let ending = if dialect.form == Form::Csv { "csv" } else { "json" };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("t.{ending}"));
        std::fs::write(&path, bytes(&text, &dialect)).unwrap();
        prop_assert_eq!(read(&path, &dialect), cells);
    }
}
