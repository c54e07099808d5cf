//! Refinement of tuples: each shrinks as long as the notion holds.

mod cover;
mod exchange;
pub(super) mod places;
mod propose;
mod wishes;

use rayon::prelude::*;

use self::cover::Cover;
use self::places::Places;
use super::start::Kinds;
use super::{Goal, Tuples};
use crate::algorithm::{Problem, Run};
use crate::error::Result;

/// Rows that are looked at side by side; what is found is taken one after the other.
const TOGETHER: usize = 512;

/// Tuples that cost no more, for the same goal.
pub fn refine_tuples(problem: Problem<'_>, goal: Goal, tuples: Tuples, steps: usize, run: &Run<'_>) -> Result<Tuples> {
    let start = std::time::Instant::now();
    let kinds = Kinds::new(problem.space);
    let places = Places::new(&kinds);
    let wished = super::optimal::of_kinds(problem, &kinds, run)?.unwrap();
    let near = wishes::Wishes::new(&places, wished);
    eprintln!("wishes {:?}", start.elapsed());
    let mut cover = Cover::new(problem, &places, goal == Goal::Global, tuples);
    let n = problem.space.rows() as f64 * problem.space.dims() as f64 * f64::from(1u32 << 24);
    eprintln!("cover {:?}, pairs {}, boxes {}", start.elapsed(), cover.around.iter().map(Vec::len).sum::<usize>(), cover.boxes.len());
    for step in 0..steps {
        let before = cover.cost();
        eprintln!("step {step}: {:.5} {:?}", before as f64 / n, start.elapsed());
        shrink(&mut cover, &near, run)?;
        eprintln!("   shrunk: {:.5} {:?}", cover.cost() as f64 / n, start.elapsed());
        exchange_all(&mut cover, &near, run)?;
        eprintln!("   exchanged: {:.5} {:?}", cover.cost() as f64 / n, start.elapsed());
        cover.count_anew();
        if cover.cost() == before || run.time_is_up()? {
            break;
        }
    }
    Ok(cover.into_tuples())
}

fn shrink(cover: &mut Cover<'_>, near: &wishes::Wishes, run: &Run<'_>) -> Result<()> {
    let mut rows: Vec<u32> = (0..cover.of_row.len() as u32).filter(|&row| cover.held(row).cost > 0).collect();
    rows.sort_by_key(|&row| (std::cmp::Reverse(cover.held(row).cost), row));
    for some in rows.chunks(TOGETHER) {
        if run.time_is_up()? {
            return Ok(());
        }
        let found: Vec<_> = some.par_iter().map(|&row| propose::smaller(cover, near, row, None)).collect();
        for (&row, found) in some.iter().zip(found) {
            let Some(found) = found else { continue };
            if !cover.try_give(row, found.tuple, None)
                && let Some(again) = propose::smaller(cover, near, row, None)
            {
                cover.try_give(row, again.tuple, None);
            }
        }
    }
    Ok(())
}

fn exchange_all(cover: &mut Cover<'_>, near: &wishes::Wishes, run: &Run<'_>) -> Result<()> {
    let kinds: Vec<u32> = (0..cover.count.len() as u32).filter(|&k| cover.count[k as usize] <= cover.problem.demands.k()).collect();
    eprintln!("   tight: {}", kinds.len());
    for some in kinds.chunks(TOGETHER) {
        if run.time_is_up()? {
            return Ok(());
        }
        let found: Vec<_> = some.par_iter().map(|&kind| exchange::exchange(cover, near, kind)).collect();
        for found in found.into_iter().flatten() {
            exchange::apply(cover, found);
        }
    }
    Ok(())
}
