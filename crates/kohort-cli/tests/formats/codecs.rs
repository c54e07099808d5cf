//! Parquet files of other programs, packed in every way there is.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::common::Desk;

fn table(codec: Compression, version: WriterVersion) -> Vec<u8> {
    let ages: ArrayRef =
        Arc::new((0..2000).map(|i| (i % 9 != 0).then_some(20 + i % 7)).collect::<Int64Array>());
    let notes: ArrayRef = Arc::new((0..2000).map(|i| Some(format!("note {i}"))).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter([("age", ages), ("note", notes)]).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_writer_version(version)
        .set_dictionary_enabled(false)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

const LINE: &str = "--rest keep --qi age -k 3 --keep-order --quiet --no-audit";

#[test]
fn every_codec_reads_alike() {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    let mut desk = Desk::new();
    let mut first = None;
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for codec in codecs {
            desk = desk.with("t.parquet", table(codec, version));
            desk.done(&format!("anonymize t.parquet -o r.csv {LINE}"));
            let release = desk.read("r.csv");
            assert_eq!(first.get_or_insert_with(|| release.clone()), &release, "{codec} {version:?}");
        }
    }
}

/// Nobody writes LZO any more; the name of another codec is changed to it.
#[test]
fn a_codec_that_nobody_reads_is_named() {
    let mut bytes = table(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let named = b"\x03age\x15\x02";
    let at = bytes.windows(named.len()).rposition(|w| w == named).unwrap();
    bytes[at + named.len() - 1] = 6;
    let desk = Desk::new().with("t.parquet", bytes);
    insta::assert_snapshot!(desk.refused(&format!("anonymize t.parquet -o r.csv {LINE}")), @r"
    exit code 2
    error: the column is packed with LZO, expected zstd, snappy, gzip, lz4, brotli or nothing
      where: t.parquet, row group 1, column 1 (age)
      way out: save the file again with another compression, such as zstd or snappy
    ");
}

/// A page of a few kilobytes that becomes gigabytes, whatever its header promises.
#[test]
fn a_page_that_would_fill_the_memory() {
    let rows = 40_000_000;
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; rows]));
    let batch = RecordBatch::try_from_iter([("age", zeros)]).unwrap();
    for codec in [Compression::BROTLI(BrotliLevel::default()), Compression::GZIP(GzipLevel::default())] {
        let properties = WriterProperties::builder()
            .set_compression(codec)
            .set_dictionary_enabled(false)
            .set_data_page_size_limit(1 << 30)
            .set_data_page_row_count_limit(rows)
            .set_write_batch_size(rows)
            .set_max_row_group_row_count(Some(rows))
            .build();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        let desk = Desk::new().with("t.parquet", writer.into_inner().unwrap());
        let message = desk.refused(&format!("anonymize t.parquet -o r.csv {LINE}"));
        assert!(message.contains("it may become 256 times as long at most"), "{codec}: {message}");
    }
}
