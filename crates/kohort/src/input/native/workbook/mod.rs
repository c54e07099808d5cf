//! A sheet of Excel or OpenDocument: its first line with anything in it names the columns, every line below is a row.

mod book;
mod value;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use self::book::Book;
use self::value::{address, cell, has_day, is_blank};
use super::cells::{Cell, Rows, See};
use super::recognize::Workbook;
use crate::error::{Error, Place, Result, nearest};

/// The table of a sheet.
pub(super) struct Sheet {
    book: Book,
    name: String,
    shown: String,
    /// The line of the header, and the place and name of every column that has a value.
    header: u32,
    columns: BTreeMap<u32, String>,
    /// Columns that have days, as far as they were read.
    of_days: BTreeSet<u32>,
    /// Lines below the header without any value.
    pub(super) blank: u64,
}

/// Some cells of a line, by column.
type Line = Vec<(u32, Cell<'static>)>;

impl Sheet {
    /// Opens the sheet of this name; without one, the only sheet that has anything in it.
    pub(super) fn open(
        path: &std::path::Path,
        kind: Workbook,
        wanted: Option<&str>,
        shown: &str,
    ) -> Result<Self> {
        let mut book = Book::open(path, kind, shown)?;
        let name = choose(&mut book, wanted, shown)?;
        let (columns, of_days) = (BTreeMap::new(), BTreeSet::new());
        let mut sheet = Self { book, name, shown: shown.into(), header: 0, columns, of_days, blank: 0 };
        sheet.look_at_header()?;
        Ok(sheet)
    }

    fn place(&self) -> Place {
        Place::default().in_file(&self.shown).and(format!("sheet '{}'", self.name))
    }

    /// Finds the header, and refuses one that does not name every column.
    fn look_at_header(&mut self) -> Result<()> {
        let (mut header, mut last, mut lines) = (None, 0, 0u64);
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        let mut used: BTreeMap<u32, u32> = BTreeMap::new();
        self.lines(&mut |number, line| {
            if line.iter().all(|(_, cell)| is_blank(cell)) {
                return Ok(());
            }
            if header.is_none() {
                header = Some(number);
                names.extend(line.iter().filter_map(|(column, cell)| Some((*column, name(cell)?))));
            } else {
                lines += 1;
            }
            for (column, _) in line.iter().filter(|(_, cell)| !is_blank(cell)) {
                used.entry(*column).or_insert(number);
            }
            last = number;
            Ok(())
        })?;
        let header = header.ok_or_else(|| {
            Error::input("the sheet is empty, expected a line with the names of the columns")
                .at(self.place())
                .help("name another sheet with ‹sheet›")
        })?;
        if let Some((&column, &below)) = used.iter().find(|(column, _)| !names.contains_key(column)) {
            let is_first = names.keys().all(|named| *named > column);
            let numbers = "if this column numbers the rows, write the table without (pandas: index=False, R: row.names = FALSE), or give it a name; ";
            let titles = "the first line with anything in it must name every column: take titles above the table away, and split merged cells of the header";
            return Err(Error::input(format!(
                "cell {} is empty, and there is a value below it in {}: expected the name of a column",
                address(header, column),
                address(below, column)
            ))
            .at(self.place())
            .help(format!("{}{titles}", if is_first { numbers } else { "" })));
        }
        let inside = |&(top, left, _, _): &(u32, u32, u32, u32)| {
            (header..=last).contains(&top) && names.contains_key(&left)
        };
        if let Some((top, left, bottom, right)) = self.book.merged(&self.name).into_iter().find(inside) {
            return Err(Error::input(format!(
                "cells {} to {} are merged: only the first of them has the value",
                address(top, left),
                address(bottom, right)
            ))
            .at(self.place())
            .help("split them, and write the value into every cell it is meant for"));
        }
        self.blank = u64::from(last - header) - lines;
        (self.header, self.columns) = (header, names);
        Ok(())
    }

    /// All lines with any cell, by their number from 0.
    fn lines(&mut self, see: &mut dyn FnMut(u32, &Line) -> Result<()>) -> Result<()> {
        let (name, shown, of_days) = (&self.name, &self.shown, &mut self.of_days);
        let mut line: Line = Vec::new();
        let mut number = 0;
        let place = || Place::default().in_file(shown).and(format!("sheet '{name}'"));
        self.book.cells(name, shown, &mut |row, column, value| {
            if row < number || (row == number && line.last().is_some_and(|(before, _)| *before >= column)) {
                return Err(Error::input("the workbook is damaged: its cells are not in order")
                    .at(place())
                    .help("open it in a spreadsheet and save it again"));
            }
            if row > number {
                see(number, &line)?;
                line.clear();
                number = row;
            }
            if has_day(value) {
                of_days.insert(column);
            }
            let read = cell(value, row, column, of_days.contains(&column));
            line.push((column, read.map_err(|e| e.at(place().and(address(row, column))))?));
            Ok(())
        })?;
        see(number, &line)
    }
}

impl Rows for Sheet {
    fn each(&mut self, see: &mut See<'_>) -> Result<()> {
        let (header, columns) = (self.header, std::mem::take(&mut self.columns));
        let mut row: Vec<Cell<'static>> = Vec::with_capacity(columns.len());
        let done = self.lines(&mut |number, line| {
            if number <= header || line.iter().all(|(_, cell)| is_blank(cell)) {
                return Ok(());
            }
            row.clear();
            row.resize(columns.len(), Cell::Nothing);
            let places = columns.keys().copied().collect::<Vec<_>>();
            for (column, cell) in line {
                if let Ok(at) = places.binary_search(column) {
                    row[at] = cell.clone();
                }
            }
            see(&row)
        });
        self.columns = columns;
        done
    }

    fn names(&self) -> Vec<String> {
        self.columns.values().cloned().collect()
    }
}

/// The name of a column, as its cell shows it.
fn name(cell: &Cell<'_>) -> Option<String> {
    let text: Cow<'_, str> = match cell {
        Cell::Text(text) | Cell::Number(text) => Cow::Borrowed(text),
        Cell::Truth(value) => Cow::Owned(value.to_string()),
        Cell::Nothing => return None,
    };
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The sheet that is meant.
fn choose(book: &mut Book, wanted: Option<&str>, shown: &str) -> Result<String> {
    let sheets = book.sheets();
    let listed = || sheets.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if let Some(wanted) = wanted {
        return sheets.iter().find(|name| *name == wanted).cloned().ok_or_else(|| {
            let near = nearest(wanted, sheets.iter().map(String::as_str));
            let help = near
                .map_or_else(|| format!("the sheets are: {}", listed()), |n| format!("did you mean '{n}'?"));
            Error::input(format!("there is no sheet '{wanted}'")).in_file(shown).help(help)
        });
    }
    let mut filled = Vec::new();
    for name in &sheets {
        if book.has_cells(name, shown)? {
            filled.push(name);
        }
    }
    match filled.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(Error::input("the workbook has no sheet with anything in it")
            .in_file(shown)
            .help("check that the export which made it has finished")),
        several => {
            Err(Error::input(format!("the workbook has {} sheets with something in them", several.len()))
                .in_file(shown)
                .option("sheet")
                .help(format!(
                    "say which one is the table, such as {}; they are: {}",
                    crate::error::marked("sheet", several[0]),
                    several.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ")
                )))
        }
    }
}
