//! Reads Parquet files whose headers were checked before the library makes room for what they promise.

use std::fs::File;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, RowGroups,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::Compression;
use parquet::column::page::{PageIterator, PageReader};
use parquet::errors::{ParquetError, Result as Read};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::parquet_pages::CheckedPages;
use super::parquet_shapes::{FOOTER, PAGE};
use super::platform::read_exact_at;
use super::plausible::{self, damaged};
use super::thrift::{Found, Stopped, walk};
use super::unpack::keeps_promise;
use crate::error::{Error, Place, Result};

/// How deep the elements of a schema may be nested: the library's own walk over it has no limit. A list takes two, a map
/// three.
const DEEPEST: usize = 256;

/// A Parquet file whose headers hold what they promise.
pub(super) struct ParquetFile {
    file: Arc<File>,
    head: ArrowReaderMetadata,
}

impl ParquetFile {
    /// Opens a file and checks its footer, and the header of every page.
    pub(super) fn open(file: File, shown: &str) -> Result<Self> {
        let bytes = file.metadata().map_err(|e| unreadable(&e, shown))?.len();
        check_footer(&file, bytes, shown)?;
        let head = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            .map_err(|e| unopened(&e.to_string(), shown))?;
        check_groups(&file, bytes, head.metadata(), shown)?;
        Ok(Self { file: Arc::new(file), head })
    }

    /// Names and types of all columns.
    pub(super) fn schema(&self) -> &SchemaRef {
        self.head.schema()
    }

    /// How many bytes all values take when unpacked.
    pub(super) fn unpacked(&self) -> u64 {
        self.head.metadata().row_groups().iter().map(|g| g.total_byte_size().max(0) as u64).sum()
    }

    /// Batches of the chosen columns, in the order of the file.
    pub(super) fn batches(&self, columns: &[usize], rows: usize) -> Read<ParquetRecordBatchReader> {
        let mask = ProjectionMask::roots(self.head.parquet_schema(), columns.iter().copied());
        let levels =
            parquet_to_arrow_field_levels(self.head.parquet_schema(), mask, Some(self.schema().fields()))?;
        let groups = Groups { file: self.file.clone(), metadata: self.head.metadata().clone() };
        ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows, None)
    }
}

const ENDINGS: &str = "the file ending tells the format: .csv, .tsv, .parquet, .arrow";

/// What the library says about a footer that it does not understand.
fn unopened(e: &str, shown: &str) -> Error {
    if e.contains("DepthLimitReached") {
        return plausible::too_deep(Place::default().in_file(shown));
    }
    Error::input(format!("cannot read the table: {e}")).in_file(shown).help(ENDINGS)
}

fn unreadable(e: &std::io::Error, shown: &str) -> Error {
    Error::input(format!("cannot read the file: {e}"))
        .in_file(shown)
        .help("check that the file can be opened by other programs")
}

/// Lists and texts of the footer are no longer than the footer, and columns not nested without end.
fn check_footer(file: &File, bytes: u64, shown: &str) -> Result<()> {
    let no = || {
        Error::input("cannot read the table: this is not a Parquet file, or its end is missing")
            .in_file(shown)
            .help(ENDINGS)
    };
    let end = bytes.checked_sub(8).ok_or_else(no)?;
    let mut tail = [0; 8];
    read_exact_at(file, &mut tail, end).map_err(|e| unreadable(&e, shown))?;
    let length = tail.first_chunk().filter(|_| tail.ends_with(b"PAR1")).ok_or_else(no)?;
    let length = u32::from_le_bytes(*length);
    let start = end.checked_sub(u64::from(length)).ok_or_else(no)?;
    let mut footer = vec![0; length as usize];
    read_exact_at(file, &mut footer, start).map_err(|e| unreadable(&e, shown))?;
    // The elements of the schema, from the root down, by how many each has below it.
    let mut below: Vec<i64> = Vec::new();
    let walked = walk(&footer, FOOTER, &mut |path, found| match (path, found) {
        ([2], Found::Entry) => below.push(0),
        ([2, 5], Found::Number(n)) => below.last_mut().into_iter().for_each(|last| *last = n),
        _ => {}
    });
    let place = Place::default().in_file(shown).and("footer");
    if walked.is_err() {
        return Err(damaged("what stands there is not a description of a table", place));
    }
    if depth(&below) > DEEPEST {
        return Err(plausible::too_deep(place));
    }
    Ok(())
}

/// How deep the elements of a schema are nested, each given by how many lie below it.
fn depth(below: &[i64]) -> usize {
    let (mut open, mut deepest) = (Vec::new(), 0);
    for &n in below {
        while open.last() == Some(&0) {
            open.pop();
        }
        open.last_mut().into_iter().for_each(|left: &mut i64| *left -= 1);
        open.push(n.max(0));
        deepest = deepest.max(open.len());
    }
    deepest
}

/// Every column of every row group lies inside the file, and its pages inside it.
fn check_groups(file: &File, bytes: u64, metadata: &ParquetMetaData, shown: &str) -> Result<()> {
    let whole = || Place::default().in_file(shown);
    let rows = metadata
        .row_groups()
        .iter()
        .try_fold(0i64, |sum, g| (g.num_rows() >= 0).then(|| sum.saturating_add(g.num_rows())));
    if !rows.is_some_and(|rows| plausible::rows(rows, bytes)) {
        return Err(damaged("it promises more rows than its bytes can hold", whole()));
    }
    let mut all = 0u64;
    for (g, group) in metadata.row_groups().iter().enumerate() {
        for (c, chunk) in group.columns().iter().enumerate() {
            let place = || {
                let (group, column) = (g + 1, c + 1);
                whole().and(format!("row group {group}, column {column} ({})", chunk.column_path().string()))
            };
            check_codec(chunk.compression()).map_err(|e| e.at(place()))?;
            let pages = check_chunk(file, bytes, group, chunk);
            all = all.saturating_add(pages.map_err(|what| damaged(what, place()))?);
        }
    }
    if all > bytes {
        return Err(damaged("its columns are longer than the file", whole()));
    }
    Ok(())
}

/// Refuses what nobody here can unpack.
fn check_codec(codec: Compression) -> Result<()> {
    if codec != Compression::LZO {
        return Ok(());
    }
    Err(Error::input("the column is packed with LZO, expected zstd, snappy, gzip, lz4, brotli or nothing")
        .help("save the file again with another compression, such as zstd or snappy"))
}

/// Checks the pages of a column; returns how many bytes they take.
fn check_chunk(
    file: &File,
    bytes: u64,
    group: &RowGroupMetaData,
    chunk: &ColumnChunkMetaData,
) -> std::result::Result<u64, String> {
    let inside = place(chunk).filter(|(_, end)| *end <= bytes);
    let (start, end) = inside.ok_or("it lies outside the file")?;
    let flat = chunk.column_descr().max_rep_level() == 0;
    let (mut at, mut values) = (start, 0i64);
    while at < end && values < chunk.num_values() {
        let page = page_header(file, at, end)?;
        page.check(end - at, chunk.compression(), flat)?;
        values += page.values;
        at += page.header + page.packed as u64;
    }
    if flat && values > group.num_rows() {
        return Err("its pages hold more values than there are rows".into());
    }
    Ok(end - start)
}

/// Where the pages of a column begin and end.
fn place(chunk: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let first = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let start = u64::try_from(first).ok()?;
    Some((start, start.checked_add(u64::try_from(chunk.compressed_size()).ok()?)?))
}

/// Refuses a column with a page that would become more than it promises. What else is wrong shows when it is read.
fn check_promises(file: &File, chunk: &ColumnChunkMetaData) -> Read<()> {
    let codec = chunk.compression();
    if !matches!(codec, Compression::GZIP(_) | Compression::BROTLI(_) | Compression::LZ4) {
        return Ok(());
    }
    let (mut at, end) = place(chunk).unwrap_or_default();
    while at < end {
        let Ok(page) = page_header(file, at, end) else { return Ok(()) };
        let start = at + page.header;
        at = start.saturating_add(page.packed.max(0) as u64);
        if at > end {
            return Ok(());
        }
        // In pages of the second version levels come first, and are not packed.
        let levels = page.levels.clamp(0, page.packed.max(0)) as u64;
        let mut packed = vec![0; (at - start - levels) as usize];
        read_exact_at(file, &mut packed, start + levels)?;
        let promised = (page.unpacked.max(0) as u64).saturating_sub(levels);
        if !keeps_promise(&packed, promised, codec) {
            return Err(ParquetError::General("a page holds more than it promises".into()));
        }
    }
    Ok(())
}

/// What a page says about itself.
#[derive(Default)]
struct PageHead {
    header: u64,
    packed: i64,
    unpacked: i64,
    /// How many rows and entries of lists it holds; none, if it is a dictionary.
    values: i64,
    words: i64,
    /// How many bytes of levels stand before the values, unpacked.
    levels: i64,
}

fn page_header(file: &File, at: u64, end: u64) -> std::result::Result<PageHead, String> {
    let mut room = 256;
    loop {
        let mut bytes = vec![0; room.min(end - at) as usize];
        read_exact_at(file, &mut bytes, at).map_err(|e| format!("its pages cannot be read: {e}"))?;
        let mut page = PageHead::default();
        let walked = walk(&bytes, PAGE, &mut |path, found| {
            let Found::Number(n) = found else { return };
            match path {
                [2] => page.unpacked = n,
                [3] => page.packed = n,
                [5 | 8, 1] => page.values = n,
                [7, 1] => page.words = n,
                [8, 5 | 6] => page.levels = page.levels.saturating_add(n),
                _ => {}
            }
        });
        match walked {
            Ok(header) => return Ok(PageHead { header: header as u64, ..page }),
            Err(Stopped::Short) if room < end - at => room *= 8,
            Err(_) => return Err(format!("what stands at byte {at} is not a page")),
        }
    }
}

impl PageHead {
    fn check(&self, room: u64, codec: Compression, flat: bool) -> std::result::Result<(), String> {
        let packed = u64::try_from(self.packed).ok().filter(|p| self.header + p <= room);
        let packed = packed.ok_or("a page is longer than its column")?;
        let unpacked = u64::try_from(self.unpacked).map_err(|_| "a page has a negative length")?;
        let most = match codec {
            Compression::UNCOMPRESSED => 1,
            Compression::SNAPPY => plausible::SNAPPY,
            Compression::GZIP(_) => plausible::GZIP,
            Compression::LZ4 | Compression::LZ4_RAW => plausible::LZ4,
            Compression::BROTLI(_) => plausible::BROTLI,
            _ => plausible::ZSTD,
        };
        if !plausible::unpacked(packed, unpacked, most) {
            return Err("a page promises more than its packed bytes can hold".into());
        }
        if !plausible::is_no_bomb(packed, unpacked) {
            return Err(format!(
                "a page of {packed} bytes would become {unpacked}; beyond {} MiB it may become {} times as long at most",
                plausible::FREE >> 20,
                plausible::LZ4
            ));
        }
        // Entries of lists may be many in few bytes, but all those of a row are read at once.
        let entries = (1 << 20) + unpacked.saturating_mul(1024);
        let values = u64::try_from(self.values).ok().filter(|v| flat || *v <= entries);
        let words = u64::try_from(self.words).ok().filter(|w| *w <= unpacked.saturating_mul(8));
        if values.is_none() || words.is_none() {
            return Err("a page promises more values than its bytes can hold".into());
        }
        Ok(())
    }
}

/// The row groups of a file, with pages that are checked before they are decoded.
struct Groups {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
}

impl RowGroups for Groups {
    fn num_rows(&self) -> usize {
        self.metadata.row_groups().iter().map(|g| g.num_rows() as usize).sum()
    }

    fn column_chunks(&self, column: usize) -> Read<Box<dyn PageIterator>> {
        let groups = 0..self.metadata.num_row_groups();
        Ok(Box::new(Chunks { file: self.file.clone(), metadata: self.metadata.clone(), column, groups }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// One column, row group by row group.
struct Chunks {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    column: usize,
    groups: std::ops::Range<usize>,
}

impl Iterator for Chunks {
    type Item = Read<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.row_group(self.groups.next()?);
        let chunk = group.column(self.column);
        let pages = check_promises(&self.file, chunk).and_then(|()| {
            SerializedPageReader::new(self.file.clone(), chunk, group.num_rows() as usize, None)
        });
        Some(
            pages
                .map(|pages| Box::new(CheckedPages::new(pages, chunk.column_descr())) as Box<dyn PageReader>),
        )
    }
}

impl PageIterator for Chunks {}
