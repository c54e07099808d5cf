//! How many should hide together, and how different what they hide must be.

use super::judge::Judged;
use super::look::Looked;
use crate::data::Role;

/// Crowds by the number of people: from so many on, so large.
const CROWDS: [(u64, u32); 4] = [(1000, 10), (200, 5), (30, 3), (0, 2)];

/// How many columns get a demand of their own: every one costs detail.
const MOST: usize = 3;

/// What is demanded first, where several columns ask for it.
const FIRST: [&str; 7] = ["diagnosis", "health", "sexual-life", "faith", "opinion", "crime", "money"];

/// The size of a crowd for so many people, and why.
pub(super) fn crowd(people: u64, are_people: bool) -> (u32, String) {
    let k = CROWDS.iter().find(|(from, _)| people >= *from).map_or(2, |(_, k)| *k);
    let what = if are_people { "people" } else { "rows" };
    let why = match k {
        10 => format!(
            "everybody hides among at least 10 of {} {what}: what many health and statistics offices ask for",
            grouped(people)
        ),
        k => format!(
            "everybody hides among at least {k} of {} {what}: 10, as many offices ask for, would cost a table of this size much detail; ask for more where it goes to strangers",
            grouped(people)
        ),
    };
    (k, why)
}

/// A number in groups of three digits.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many different values every class should have in which columns, with the reason.
pub(super) fn different(columns: &[Looked], judged: &[Judged], k: u32) -> Vec<Option<(u32, String)>> {
    let mut protected: Vec<usize> = (0..columns.len())
        .filter(|&at| judged[at].role == Role::Sensitive && judged[at].above_all && !judged[at].is_guess)
        .collect();
    let place =
        |at: &usize| FIRST.iter().position(|name| *name == judged[*at].meaning).unwrap_or(FIRST.len());
    protected.sort_by_key(place);
    let mut found: Vec<Option<(u32, String)>> = vec![None; columns.len()];
    let mut left = MOST;
    for at in protected {
        let p = feasible(&columns[at], k);
        if p >= 2 && left > 0 {
            left -= 1;
            let why = format!(
                "every class has at least {p} different values, so that being found in a class does not tell which"
            );
            found[at] = Some((p, why));
        }
    }
    found
}

/// The largest number of different values up to 3 that classes of k rows can have without becoming much larger: as many rows
/// must lie outside of the most frequent values as there are classes, twice over.
fn feasible(column: &Looked, k: u32) -> u32 {
    let mut counts: Vec<u64> = column.counted().map(|(_, n)| u64::from(n)).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let rows: u64 = counts.iter().sum();
    let enough = |p: u32| {
        let frequent: u64 = counts.iter().take(p as usize - 1).sum();
        counts.len() >= p as usize && (rows - frequent) * u64::from(k) >= rows * 2 * u64::from(p - 1)
    };
    [3, 2].into_iter().find(|&p| p <= k && enough(p)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::look::tests::looked;

    #[test]
    fn crowds_grow_with_the_table() {
        let k = |people| crowd(people, true).0;
        assert_eq!([k(1_000_000), k(1000), k(999), k(199), k(10)], [10, 10, 5, 3, 2]);
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!([grouped(0), grouped(999), grouped(1000)], ["0", "999", "1,000"]);
    }

    #[test]
    fn what_hardly_differs_is_not_demanded_to() {
        let of = |rare: u32| {
            let rows: Vec<String> = (0..1000).map(|i| u32::from(i < rare).to_string()).collect();
            feasible(&looked("hiv", &rows), 10)
        };
        assert_eq!([of(0), of(5), of(199), of(200), of(500)], [1, 1, 1, 2, 2]);
        let many: Vec<String> = (0..1000).map(|i| (i % 50).to_string()).collect();
        assert_eq!(feasible(&looked("dx", &many), 10), 3);
        assert_eq!(feasible(&looked("dx", &many), 2), 1, "of crowds of two, half would have to differ");
    }
}
