//! Rows published as they are must be exactly the rows that were meant to be, with exactly their values.

use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::grouping::AS_IT_IS;
use super::{Alignment, Published, Reference, Released, values};
use crate::data::{Attribute, Domain};
use crate::input::Column;

/// Cells of such rows that are not the value itself, and rows that are published as they are and should not be, or the
/// other way round. Without a known order the rows are compared as multisets.
pub(super) fn misfits(released: &Released, reference: &Reference<'_>, classes: &Classes<'_>) -> u64 {
    let here: Vec<usize> = (0..released.rows).filter(|&r| classes.of_row[r] == AS_IT_IS).collect();
    let table = reference.table;
    if here.is_empty() && table.verbatim_count() == 0 {
        return 0;
    }
    match reference.alignment {
        Alignment::Known(order) => {
            let meant = |place: usize| table.is_verbatim(order[place] as usize);
            let wrong = (0..released.rows).filter(|&p| (classes.of_row[p] == AS_IT_IS) != meant(p)).count();
            let lost =
                table.verbatim_count() - order.iter().filter(|&&r| table.is_verbatim(r as usize)).count();
            let cells = here.iter().map(|&place| changed(released, reference, place, order[place] as usize));
            (wrong + lost) as u64 + cells.sum::<u64>()
        }
        Alignment::Unknown => unmatched(released, reference, &here),
    }
}

fn changed(released: &Released, reference: &Reference<'_>, place: usize, row: usize) -> u64 {
    let pairs = released.qi.iter().zip(&reference.table.qi);
    let same = |(columns, q): &(&Vec<Column>, &crate::data::QuasiIdentifier)| {
        shown(columns, &q.attribute, place) == Some(q.codes.get(row))
    };
    pairs.filter(|pair| !same(pair)).count() as u64
}

/// The code of the value that a cell shows as it is; none for anything generalized or unknown.
fn shown(columns: &[Column], attribute: &Attribute, place: usize) -> Option<u32> {
    let text = |c: &'_ Column| c.texts[c.codes.get(place) as usize].clone();
    match (&attribute.domain, columns) {
        (Domain::Tree(h), [one]) => h.leaf(&text(one)),
        (Domain::Interval(n), _) => {
            let published = match columns {
                [lo, hi] if text(lo).is_empty() && text(hi).is_empty() => Published::Missing,
                [lo, hi] => Published::read_bounds(attribute, &text(lo), &text(hi)),
                // The middles of whole numbers are decimals: 40 is published as 40.0.
                [one] => match text(one).strip_suffix(".0") {
                    Some(whole) => Published::read(attribute, whole),
                    None => Published::read(attribute, &text(one)),
                },
                _ => return None,
            };
            match published {
                Published::Missing => n.has_missing().then(|| n.len()),
                Published::Range { codes: Some(c), lo, hi } if lo.total_cmp(&hi).is_eq() => Some(c.lo),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Rows on either side that have no like on the other.
fn unmatched(released: &Released, reference: &Reference<'_>, here: &[usize]) -> u64 {
    let table = reference.table;
    let meanings: Vec<_> =
        table.sensitive.iter().zip(&released.sensitive).map(|(o, c)| values::meaning(o, c)).collect();
    let compared = || released.sensitive.iter().zip(&meanings).filter_map(|(c, m)| Some((c, m.as_ref()?)));
    let originals = || table.sensitive.iter().zip(&meanings).filter(|(_, m)| m.is_some()).map(|(s, _)| s);
    let mut balance: FxHashMap<Vec<Option<u32>>, i64> = FxHashMap::default();
    for &place in here {
        let qi = released.qi.iter().zip(&table.qi).map(|(c, q)| shown(c, &q.attribute, place));
        let secret = compared().map(|(c, m)| m[c.codes.get(place) as usize]);
        *balance.entry(qi.chain(secret).collect()).or_default() += 1;
    }
    for row in (0..table.rows).filter(|&row| table.is_verbatim(row)) {
        let qi = table.qi.iter().map(|q| Some(q.codes.get(row)));
        let secret = originals().map(|s| Some(s.codes.get(row)));
        *balance.entry(qi.chain(secret).collect()).or_default() -= 1;
    }
    let (more, fewer) = balance.values().fold((0, 0), |(m, f), &b| (m + b.max(0), f + (-b).max(0)));
    more.max(fewer).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Kind, Numbers};

    fn column(text: &str) -> Column {
        Column { texts: vec![text.to_owned()], codes: [0].into_iter().collect(), ..Column::default() }
    }

    #[test]
    fn a_value_as_it_is_is_read_in_every_form() {
        let texts = ["20", "30", ""].map(str::to_owned);
        let age = |missing: usize| {
            let (numbers, _) = Numbers::order(Kind::Integer, &texts[..missing], None).unwrap();
            Attribute::new("age", Domain::Interval(numbers), vec![1; missing])
        };
        let bounds = |lo, hi| shown(&[column(lo), column(hi)], &age(3), 0);
        assert_eq!((bounds("30", "30"), bounds("20", "30"), bounds("", "")), (Some(1), None, Some(2)));
        assert_eq!((bounds("", "30"), bounds("20", ""), bounds("25", "25")), (None, None, None));
        assert_eq!(shown(&[column(""), column("")], &age(2), 0), None, "nobody lacks an age");
        let one = |text| shown(&[column(text)], &age(3), 0);
        assert_eq!((one("30"), one("30.0"), one(""), one("[20, 30]")), (Some(1), Some(1), Some(2), None));
    }
}
