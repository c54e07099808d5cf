//! Tuples that grow until every row has k matches, by the rule of Algorithm 6, many rows at a time.
//!
//! A kind that lacks matches lies in tuples whose owners it cannot change places with, because no way leads back from them. Its
//! own tuple grows by the owner that costs least; then the two can. Algorithm 6 looks for components after
//! every change; here many kinds grow in between. Each growth is
//! somebody's own. Fewer would do for the definition: one tuple out of every group of rows whose tuples cover nobody else,
//! grown to meet the rest of the table, closes a way for thousands. But of all assignments in which they change places
//! only one of them could at a time, and whoever guesses that nobody did is nearly always right (`algorithms.md` §7.4).

use super::cover::Cover;
use crate::algorithm::Run;
use crate::algorithm::k_type::Tuples;
use crate::data::Cell;
use crate::error::Result;

/// The least number of kinds that grow before components are found anew.
const FEW: usize = 64;

/// The share of kinds that do, where they are many.
const PART: usize = 256;

/// The grown tuples; none when time is up.
pub(super) fn grow(mut cover: Cover<'_>, run: &Run<'_>) -> Result<Option<Tuples>> {
    let rows = cover.places.rows_of_kinds();
    let kinds = cover.count.len();
    loop {
        if run.time_is_up()? {
            return Ok(None);
        }
        let lacking: Vec<u32> = (0..kinds as u32).filter(|&kind| cover.lacks(kind)).collect();
        let some = FEW.max(kinds / PART).min(lacking.len());
        let mut grew = false;
        for &kind in &lacking[..some] {
            if let Some((row, tuple)) = grown(&cover, &rows[kind as usize], kind) {
                cover.give(row, tuple);
                grew = true;
            }
        }
        if !grew {
            return Ok(Some(cover.into_tuples()));
        }
        run.watch.progress((kinds - lacking.len()) as u64, kinds as u64);
        cover.count_anew();
    }
}

/// The row of a kind whose tuple takes the owner of another in at least cost, and what its tuple becomes.
fn grown(cover: &Cover<'_>, rows: &[u32], kind: u32) -> Option<(u32, Vec<Cell>)> {
    let (space, kinds) = (cover.problem.space, cover.places.kinds);
    let mut strangers: Vec<u32> =
        cover.owners_around(kind).filter(|&o| !cover.counts(o, kind)).map(|o| cover.kind(o)).collect();
    strangers.sort_unstable();
    strangers.dedup();
    let with = |row: u32, other: u32| {
        let mut tuple = cover.held(row).tuple.clone();
        kinds.absorb(&mut tuple, other as usize);
        tuple
    };
    let more = |row: u32, other: u32| {
        space.cost(&with(row, other)).cast_signed() - cover.held(row).cost.cast_signed()
    };
    let pairs = rows.iter().flat_map(|&row| strangers.iter().map(move |&other| (row, other)));
    let (_, row, other) = pairs.map(|(row, other)| (more(row, other), row, other)).min()?;
    Some((row, with(row, other)))
}
