//! Reads a CSV text back into cells, with the library everybody trusts for that.

/// All rows, header first.
pub(crate) fn cells(text: &str) -> Vec<Vec<String>> {
    cells_by(text, b',')
}

/// The same with another separator.
pub(crate) fn cells_by(text: &str, separator: u8) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(text.as_bytes());
    reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The named columns of all rows but the header.
pub(crate) fn columns(rows: &[Vec<String>], names: &[&str]) -> Vec<Vec<String>> {
    let at: Vec<usize> = names.iter().map(|n| rows[0].iter().position(|h| h == n).unwrap()).collect();
    rows[1..].iter().map(|row| at.iter().map(|&c| row[c].clone()).collect()).collect()
}

/// Rows in no order.
pub(crate) fn sorted(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.sort();
    rows
}
