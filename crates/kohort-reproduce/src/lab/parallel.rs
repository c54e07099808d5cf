//! Experiments that are not timed, side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kohort::{Error, Result};

/// Does the same with every item, as many at once as there are cores; results are in the order of the items. Not for what
/// is timed.
pub(crate) fn each<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> Result<T> + Sync) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let found: Vec<Mutex<Option<Result<T>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < items.len()) {
            let result = work(&items[at]);
            if result.is_err() {
                // Nothing new is begun.
                next.store(items.len(), Ordering::Relaxed);
            }
            *found[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        (1..cores.min(items.len())).for_each(|_| drop(scope.spawn(worker)));
        worker();
    });
    let mut results = Vec::with_capacity(items.len());
    let mut left_out = false;
    for place in found {
        match place.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(result) => results.push(result?),
            None => left_out = true,
        }
    }
    // Only where another item failed, whose error was returned above.
    if left_out { Err(Error::internal("an experiment was left out")) } else { Ok(results) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = each(&items, |n| Ok(n * n));
        assert_eq!(squares.ok(), Some(items.iter().map(|n| n * n).collect()));
        let failed = each(&items, |n| if *n == 7 { Err(Error::job("seven")) } else { Ok(*n) });
        assert!(failed.is_err_and(|e| e.to_string().contains("seven")));
    }
}
