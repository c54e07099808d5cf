//! Reads Arrow files block by block, each checked before the library sees it: a block lies inside the file, a buffer inside
//! its block, and nothing promises more than the bytes can hold.

use std::fs::File;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::buffer::{Buffer, MutableBuffer};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::reader::{FileDecoder, read_footer_length};
use arrow::ipc::{self, Block, CompressionType};

use super::platform::read_exact_at;
use super::plausible;
use crate::error::{Error, Place, Result};

/// A checked Arrow file: batches of the chosen columns, at most so many rows each.
pub(super) struct IpcFile {
    file: File,
    shown: String,
    bytes: u64,
    schema: SchemaRef,
    decoder: FileDecoder,
    blocks: std::vec::IntoIter<Block>,
    read: usize,
    rest: Option<RecordBatch>,
    most: usize,
}

/// Behind the footer stand its length, in four bytes, and the mark of the format.
const TAIL: u64 = 10;

impl IpcFile {
    /// Opens a file; `columns` are ascending.
    pub(super) fn open(file: File, shown: &str, columns: Option<Vec<usize>>, most: usize) -> Result<Self> {
        let bytes = file.metadata().map_err(|e| unreadable(&e, shown))?.len();
        let footer = footer(&file, bytes, shown)?;
        let whole = || Place::default().in_file(shown);
        let wrong = |what: &str| plausible::damaged(what, whole().and("footer"));
        let footer = ipc::root_as_footer(&footer).map_err(|e| match e.to_string() {
            e if e.contains("depth limit") => plausible::too_deep(whole()),
            _ => wrong("what stands there is not a footer"),
        })?;
        let schema = footer.schema().ok_or_else(|| wrong("there is no schema"))?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(Error::input(
                "the bytes of its numbers stand in the order of another kind of machine",
            )
            .in_file(shown)
            .help("write the file again on a little-endian machine"));
        }
        let schema = Arc::new(fb_to_schema(schema));
        let blocks: Vec<Block> = footer
            .recordBatches()
            .ok_or_else(|| wrong("there is no list of batches"))?
            .iter()
            .copied()
            .collect();
        let words: Vec<Block> =
            footer.dictionaries().map(|d| d.iter().copied().collect()).unwrap_or_default();
        check_blocks(words.iter().chain(&blocks), bytes).map_err(|what| wrong(&what))?;
        let mut decoder = FileDecoder::new(schema.clone(), footer.version());
        if let Some(columns) = columns {
            decoder = decoder.with_projection(columns);
        }
        let blocks = blocks.into_iter();
        let mut opened =
            Self { file, shown: shown.into(), bytes, schema, decoder, blocks, read: 0, rest: None, most };
        for (i, block) in words.iter().enumerate() {
            let body = opened.block(block, &format!("dictionary {}", i + 1))?;
            opened.decoder.read_dictionary(block, &body).map_err(|e| opened.broken(&e))?;
        }
        Ok(opened)
    }

    /// Names and types of all columns.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next part of a batch. Batches may be large; what is made of them should not be.
    fn part(&mut self) -> Result<Option<RecordBatch>> {
        while self.rest.is_none() {
            let Some(block) = self.blocks.next() else { return Ok(None) };
            self.read += 1;
            let body = self.block(&block, &format!("batch {}", self.read))?;
            let batch = self.decoder.read_record_batch(&block, &body).map_err(|e| self.broken(&e))?;
            self.rest = batch.filter(|b| b.num_rows() > 0);
        }
        Ok(self.rest.take().map(|batch| {
            let rows = batch.num_rows().min(self.most);
            let left = batch.num_rows() - rows;
            self.rest = (left > 0).then(|| batch.slice(rows, left));
            batch.slice(0, rows)
        }))
    }

    /// The bytes of a block, checked.
    fn block(&self, block: &Block, name: &str) -> Result<Buffer> {
        let mut body = MutableBuffer::from_len_zeroed(block_len(block).unwrap_or(0) as usize);
        read_exact_at(&self.file, &mut body, block.offset() as u64)
            .map_err(|e| unreadable(&e, &self.shown))?;
        let place = || Place::default().in_file(&self.shown).and(name);
        check_message(&body, block, self.bytes).map_err(|what| plausible::damaged(what, place()))?;
        Ok(body.into())
    }

    /// The library's words may quote a value; they are not passed on, but for what it does not know.
    fn broken(&self, e: &ArrowError) -> Error {
        match e {
            ArrowError::NotYetImplemented(what) => Error::input(format!("cannot read the table: {what}"))
                .in_file(&self.shown)
                .help("write it again in a simpler way, for example without compression"),
            _ => plausible::damaged(
                "a value cannot be read",
                Place::default().in_file(&self.shown).and(format!("batch {}", self.read.max(1))),
            ),
        }
    }
}

impl Iterator for IpcFile {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.part().transpose()
    }
}

fn unreadable(e: &std::io::Error, shown: &str) -> Error {
    Error::input(format!("cannot read the file: {e}"))
        .in_file(shown)
        .help("check that the file can be opened by other programs")
}

fn footer(file: &File, bytes: u64, shown: &str) -> Result<Vec<u8>> {
    let no = || {
        Error::input("cannot read the table: this is not an Arrow file, or its end is missing")
            .in_file(shown)
            .help("the file ending tells the format: .csv, .tsv, .parquet, .arrow")
    };
    let start = bytes.checked_sub(TAIL).ok_or_else(no)?;
    let mut tail = [0; TAIL as usize];
    read_exact_at(file, &mut tail, start).map_err(|e| unreadable(&e, shown))?;
    let length = read_footer_length(tail).map_err(|_| no())?;
    let start = start.checked_sub(length as u64).ok_or_else(no)?;
    let mut footer = vec![0; length];
    read_exact_at(file, &mut footer, start).map_err(|e| unreadable(&e, shown))?;
    Ok(footer)
}

/// Blocks lie inside the file, and not one upon another: together they are no longer than it.
fn check_blocks<'a>(blocks: impl Iterator<Item = &'a Block>, bytes: u64) -> std::result::Result<(), String> {
    let mut all = 0u64;
    for (i, block) in blocks.enumerate() {
        let len = block_len(block)
            .filter(|len| u64::try_from(block.offset()).is_ok_and(|at| at.saturating_add(*len) <= bytes));
        all = all.saturating_add(len.ok_or_else(|| format!("block {} lies outside the file", i + 1))?);
    }
    if all > bytes {
        return Err("its blocks are longer than the file".into());
    }
    Ok(())
}

/// The length of head and body; none if one is too short or the sum too large.
fn block_len(block: &Block) -> Option<u64> {
    let head = u64::try_from(block.metaDataLength()).ok().filter(|&n| n >= 8)?;
    head.checked_add(u64::try_from(block.bodyLength()).ok()?)
}

/// The head of a block describes what its body has room for.
fn check_message(block: &[u8], at: &Block, file: u64) -> std::result::Result<(), String> {
    let (head, body) = block.split_at(at.metaDataLength() as usize);
    let start = if head[..4] == [255; 4] { 8 } else { 4 };
    let message = ipc::root_as_message(&head[start..]).map_err(|_| "what stands there is not a message")?;
    let batch = match message.header_type() {
        ipc::MessageHeader::RecordBatch => message.header_as_record_batch(),
        ipc::MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|d| d.data()),
        _ => None,
    };
    let batch = batch.ok_or("what stands there is neither a batch nor a dictionary")?;
    let rows = |n: i64| plausible::rows(n, file);
    let fits =
        |node: &ipc::FieldNode| rows(node.length()) && (0..=node.length()).contains(&node.null_count());
    if !rows(batch.length()) || !batch.nodes().is_none_or(|nodes| nodes.iter().all(fits)) {
        return Err("it promises more rows than its bytes can hold".into());
    }
    // Every buffer of a view is listed, so there cannot be more of them than bytes that list them.
    let listed = |n: i64| usize::try_from(n).is_ok_and(|n| n <= head.len());
    if batch.variadicBufferCounts().is_some_and(|counts| !counts.iter().all(listed)) {
        return Err("it promises more buffers than it lists".into());
    }
    check_buffers(&batch, body)
}

fn check_buffers(batch: &ipc::RecordBatch<'_>, body: &[u8]) -> std::result::Result<(), String> {
    let codec = batch.compression().map(|c| c.codec());
    let mut all = 0;
    for buffer in batch.buffers().iter().flatten() {
        let range = usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let part = range.and_then(|(at, len)| body.get(at..at.checked_add(len)?));
        let part = part.ok_or("a buffer lies outside its block")?;
        all += part.len();
        if let Some(codec) = codec {
            check_packed(part, codec)?;
        }
    }
    if all > body.len() {
        return Err("its buffers are longer than its block".into());
    }
    Ok(())
}

/// A packed buffer begins with its length when unpacked, or with -1 if it is not packed.
fn check_packed(part: &[u8], codec: CompressionType) -> std::result::Result<(), String> {
    if part.is_empty() {
        return Ok(());
    }
    let length = part.first_chunk().map(|eight| i64::from_le_bytes(*eight));
    let most = if codec == CompressionType::LZ4_FRAME { plausible::LZ4 } else { plausible::ZSTD };
    let fits = |n: u64| {
        // Room is made for all of it at once; where there is none, that would end the program.
        plausible::unpacked(part.len() as u64, n, most)
            && Vec::<u8>::new().try_reserve_exact(n as usize).is_ok()
    };
    match length {
        Some(-1) => Ok(()),
        Some(n) if u64::try_from(n).is_ok_and(fits) => Ok(()),
        _ => Err("a buffer promises more than its packed bytes can hold".into()),
    }
}
