//! The format libraries may panic at damaged files where nobody thought of the damage. Reading stops there with an error
//! instead.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// The result of the work, or none if it panicked. Nothing is printed then.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                before(panic);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    done.ok()
}

/// Hands on what an iterator yields; where it panics, `broken` comes in its place, and then nothing.
pub(super) struct Guarded<I, B> {
    inner: Option<I>,
    broken: B,
}

impl<I, B> Guarded<I, B> {
    pub(super) fn new(inner: I, broken: B) -> Self {
        Self { inner: Some(inner), broken }
    }
}

impl<I: Iterator, B: Fn() -> I::Item> Iterator for Guarded<I, B> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let inner = self.inner.as_mut()?;
        guarded(|| inner.next()).unwrap_or_else(|| {
            self.inner = None;
            Some((self.broken)())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_walk() {
        let numbers = (0..9).map(|i| if i == 2 { panic!("nobody sees this") } else { i });
        assert_eq!(Guarded::new(numbers, || -1).collect::<Vec<_>>(), [0, 1, -1]);
    }
}
