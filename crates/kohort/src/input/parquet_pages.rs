//! Pages of Parquet files, checked after they are unpacked.
//!
//! Numbers and lengths that are stored as differences come with a count of their own, for which the library makes room.

use std::fs::File;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;

/// Pages that promise no more values than they hold.
pub(super) struct CheckedPages {
    inner: SerializedPageReader<File>,
    /// Whether levels of repetition and of definition stand before the values.
    levels: [bool; 2],
}

impl CheckedPages {
    pub(super) fn new(inner: SerializedPageReader<File>, column: &ColumnDescriptor) -> Self {
        Self { inner, levels: [column.max_rep_level() > 0, column.max_def_level() > 0] }
    }

    fn check(&self, page: &Page) -> Option<()> {
        let (values, streams) = match page {
            Page::DataPage { buf, encoding, .. } => (self.behind_levels(buf)?, streams(*encoding)),
            Page::DataPageV2 { buf, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let start = (*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize)?;
                (buf.get(start..)?, streams(*encoding))
            }
            Page::DictionaryPage { buf, .. } => (&buf[..], 0),
        };
        let mut rest = values;
        for _ in 0..streams {
            rest = differences(rest, u64::from(page.num_values()))?;
        }
        Some(())
    }

    /// In pages of the first version levels come with their lengths.
    fn behind_levels<'a>(&self, page: &'a [u8]) -> Option<&'a [u8]> {
        self.levels.iter().filter(|&&has| has).try_fold(page, |rest, _| {
            let (length, rest) = rest.split_first_chunk()?;
            rest.get(u32::from_le_bytes(*length) as usize..)
        })
    }
}

/// How many rows of differences a page begins with.
fn streams(encoding: Encoding) -> usize {
    match encoding {
        Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => 0,
    }
}

/// What stands behind a row of differences: a head, then blocks, each with the smallest difference, the widths of its
/// parts, and the parts. None if there are more than `most`, or fewer bytes than they take.
fn differences(bytes: &[u8], most: u64) -> Option<&[u8]> {
    let mut at = 0;
    let block = varint(bytes, &mut at)?;
    let parts = varint(bytes, &mut at)?;
    let count = varint(bytes, &mut at).filter(|count| *count <= most)?;
    varint(bytes, &mut at)?;
    // Blocks of this many values are what is usual a thousand times over.
    if block == 0 || block > 1 << 17 || parts == 0 || parts > block || block % parts != 0 {
        return None;
    }
    let per_part = block / parts;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(bytes, &mut at)?;
        let widths = bytes.get(at..at.checked_add(parts as usize)?)?;
        at += parts as usize;
        for &width in widths.iter().take(left.div_ceil(per_part).min(parts) as usize) {
            at = at.checked_add((per_part * u64::from(width)).div_ceil(8) as usize)?;
            left = left.saturating_sub(per_part);
        }
    }
    // The last part may be cut short.
    Some(bytes.get(at..).unwrap_or_default())
}

fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.inner.get_next_page()?;
        let bad = page.as_ref().is_some_and(|page| self.check(page).is_none());
        if bad { Err(ParquetError::General("a page is damaged".into())) } else { Ok(page) }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.inner.at_record_boundary()
    }
}
