//! The best clustering of a tiny table, by trying them all.

use super::Plain;

/// The least total cost over all partitions into classes that hold.
pub(crate) fn optimum(plain: &Plain<'_>) -> Option<u64> {
    let mut best = None;
    partitions(plain.table.rows as u32, &mut |parts| {
        if parts.iter().all(|part| plain.holds(part)) {
            let total = plain.total(parts);
            best = Some(best.map_or(total, |b: u64| b.min(total)));
        }
    });
    best
}

/// The largest number of classes that hold, over all partitions; 0 where not even one class of all rows holds.
pub(crate) fn most_classes(plain: &Plain<'_>) -> usize {
    let mut most = 0;
    partitions(plain.table.rows as u32, &mut |parts| {
        if parts.len() > most && parts.iter().all(|part| plain.holds(part)) {
            most = parts.len();
        }
    });
    most
}

/// Calls `visit` with every partition of the rows `0..rows`.
pub(crate) fn partitions(rows: u32, visit: &mut dyn FnMut(&[Vec<u32>])) {
    place(0, rows, &mut Vec::new(), visit);
}

fn place(row: u32, rows: u32, parts: &mut Vec<Vec<u32>>, visit: &mut dyn FnMut(&[Vec<u32>])) {
    if row == rows {
        return visit(parts);
    }
    for at in 0..parts.len() {
        parts[at].push(row);
        place(row + 1, rows, parts, visit);
        parts[at].pop();
    }
    parts.push(vec![row]);
    place(row + 1, rows, parts, visit);
    parts.pop();
}
