//! The rows that wait, as an Arrow file inside the ledger.

use std::io::Write;

use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;

use crate::error::{Error, Result};
use crate::input::{FileTable, Format, MemoryTable, Scratch, TableSource, no_scratch};

/// The bytes of an Arrow file.
pub(super) fn to_bytes(table: &MemoryTable) -> Result<Vec<u8>> {
    let broken = |e: ArrowError| Error::internal(format!("the waiting rows cannot be written: {e}"));
    let mut writer = FileWriter::try_new(Vec::new(), table.schema()).map_err(broken)?;
    let all: Vec<usize> = (0..table.schema().fields().len()).collect();
    for batch in table.batches(&all)? {
        let batch = batch?.with_schema(table.schema().clone()).map_err(broken)?;
        writer.write(&batch).map_err(broken)?;
    }
    writer.into_inner().map_err(broken)
}

/// Reads them as any Arrow file is read: each block is checked before it is used. The file has no name, so that rows of the
/// original are in no folder.
pub(super) fn from_bytes(bytes: &[u8], name: &str) -> Result<MemoryTable> {
    let scratch = Scratch::new()?;
    scratch.writer().and_then(|mut file| file.write_all(bytes)).map_err(|e| no_scratch(&e))?;
    let file = FileTable::open_as(scratch.path(), Format::Arrow, name)?;
    let all: Vec<usize> = (0..file.schema().fields().len()).collect();
    let batches = file.batches(&all)?.collect::<Result<Vec<_>>>()?;
    MemoryTable::new("the rows that wait", file.schema(), batches)
}
