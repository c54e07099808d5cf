//! The cells of a workbook, whichever program wrote it.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Data, DataRef, Dimensions, Ods, Range, Reader as _, SheetType, Xls, Xlsb, Xlsx};

use crate::error::{Error, Result};
use crate::input::guarded::guarded;
use crate::input::native::recognize::Workbook;

type Bytes = BufReader<File>;

/// An open workbook. The newer formats are read cell by cell, however far they are apart.
pub(super) enum Book {
    Xlsx(Box<Xlsx<Bytes>>),
    Xlsb(Box<Xlsb<Bytes>>),
    Xls(Box<Xls<Bytes>>),
    Ods(Box<Ods<Bytes>>),
}

/// Takes a cell: its line and column from 0, and its value.
pub(super) type SeeCell<'a> = dyn FnMut(u32, u32, &DataRef<'_>) -> Result<()> + 'a;

impl Book {
    pub(super) fn open(path: &Path, kind: Workbook, shown: &str) -> Result<Self> {
        let file = File::open(path)
            .map_err(|e| Error::input(format!("cannot read the file: {e}")).in_file(shown))?;
        let bytes = BufReader::with_capacity(1 << 16, file);
        let opened = guarded(|| match kind {
            Workbook::Xlsx => Xlsx::new(bytes).ok().map(|book| Self::Xlsx(Box::new(book))),
            Workbook::Xlsb => Xlsb::new(bytes).ok().map(|book| Self::Xlsb(Box::new(book))),
            Workbook::Xls => Xls::new(bytes).ok().map(|book| Self::Xls(Box::new(book))),
            Workbook::Ods => Ods::new(bytes).ok().map(|book| Self::Ods(Box::new(book))),
        });
        opened.flatten().ok_or_else(|| unreadable(shown))
    }

    /// The names of the sheets that can hold cells.
    pub(super) fn sheets(&self) -> Vec<String> {
        let all = match self {
            Self::Xlsx(book) => book.sheets_metadata(),
            Self::Xlsb(book) => book.sheets_metadata(),
            Self::Xls(book) => book.sheets_metadata(),
            Self::Ods(book) => book.sheets_metadata(),
        };
        all.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet).map(|sheet| sheet.name.clone()).collect()
    }

    /// Whether there is anything in a sheet.
    pub(super) fn has_cells(&mut self, sheet: &str, shown: &str) -> Result<bool> {
        let mut found = false;
        let enough = Error::stopped("one cell is enough");
        let done = self.cells(sheet, shown, &mut |_, _, _| {
            found = true;
            Err(enough.clone())
        });
        if found { Ok(true) } else { done.map(|()| false) }
    }

    /// Cells that were merged: first line and column, last line and column. OpenDocument does not tell.
    pub(super) fn merged(&mut self, sheet: &str) -> Vec<(u32, u32, u32, u32)> {
        let found: Option<Vec<Dimensions>> = match self {
            Self::Xlsx(book) => guarded(|| book.merge_cells_by_sheet_name(sheet).ok()).flatten(),
            Self::Xls(book) => book.merge_cells_by_sheet_name(sheet).ok(),
            Self::Xlsb(_) | Self::Ods(_) => None,
        };
        let ends = |d: Dimensions| (d.start.0, d.start.1, d.end.0, d.end.1);
        found.into_iter().flatten().filter(|d| d.start != d.end).map(ends).collect()
    }

    /// All cells with a value, line by line.
    pub(super) fn cells(&mut self, sheet: &str, shown: &str, see: &mut SeeCell<'_>) -> Result<()> {
        let range = |range: Option<Range<Data>>, see: &mut SeeCell<'_>| {
            let range = range.ok_or_else(|| unreadable(shown))?;
            let (top, left) = range.start().unwrap_or_default();
            range.used_cells().try_for_each(|(row, column, value)| {
                see(top + row as u32, left + column as u32, &borrowed(value))
            })
        };
        let read = guarded(|| match self {
            Self::Xlsx(book) => {
                let mut cells = book.worksheet_cells_reader(sheet).map_err(|_| unreadable(shown))?;
                while let Some(cell) = cells.next_cell().map_err(|_| unreadable(shown))? {
                    let (row, column) = cell.get_position();
                    pass(row, column, cell.get_value(), see)?;
                }
                Ok(())
            }
            Self::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(sheet).map_err(|_| unreadable(shown))?;
                while let Some(cell) = cells.next_cell().map_err(|_| unreadable(shown))? {
                    let (row, column) = cell.get_position();
                    pass(row, column, cell.get_value(), see)?;
                }
                Ok(())
            }
            Self::Xls(book) => range(book.worksheet_range(sheet).ok(), see),
            Self::Ods(book) => range(book.worksheet_range(sheet).ok(), see),
        });
        read.unwrap_or_else(|| Err(unreadable(shown)))
    }
}

fn pass(row: u32, column: u32, value: &DataRef<'_>, see: &mut SeeCell<'_>) -> Result<()> {
    if *value == DataRef::Empty { Ok(()) } else { see(row, column, value) }
}

fn borrowed(value: &Data) -> DataRef<'_> {
    match value {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(value) => DataRef::Bool(*value),
        Data::DateTime(moment) => DataRef::DateTime(*moment),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}

/// The library's words may quote a value; they are not passed on.
fn unreadable(shown: &str) -> Error {
    Error::input("the workbook cannot be read: it is damaged, or protected by a password")
        .in_file(shown)
        .help("open it in a spreadsheet and save the sheet as .csv, or the workbook without a password")
}
