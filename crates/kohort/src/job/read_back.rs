//! A written release as it stands on disk, read once for everybody who looks at it.

use super::ask_verifier::{blank_rows, names, read_release};
use super::{CheckedJob, Made};
use crate::data::{Intervals, Role, Suppressed};
use crate::error::Result;
use crate::input::TableSource;
use crate::verify::{Grouping, Released};

/// What was read, and which rows of it read the same.
pub(super) struct ReadBack<'a> {
    pub(super) source: &'a dyn TableSource,
    /// At first with what the file itself tells of rows in no class; whoever knows more says so by [`ReadBack::told`].
    pub(super) released: Released,
    pub(super) grouping: Grouping,
}

impl CheckedJob {
    /// Reads a written file as a stranger would: rows in no class are those that look like it.
    pub(super) fn read_back<'a>(
        &self,
        made: &Made<'_>,
        intervals: Intervals,
        source: &'a dyn TableSource,
    ) -> Result<ReadBack<'a>> {
        let named = |role| names(made.source, &made.roles.of, role);
        let (qi, sensitive) = (named(Role::QuasiIdentifier), named(Role::Sensitive));
        let mut released = read_release(source, &qi, &sensitive, self.opt_out.as_ref())?;
        if self.suppressed == Some(Suppressed::Star) {
            let numbers = intervals == Intervals::Midpoint;
            released.hidden = blank_rows(source, &released, numbers, true)?;
        }
        let grouping = Grouping::of(&released);
        Ok(ReadBack { source, released, grouping })
    }
}

impl ReadBack<'_> {
    /// The same file for somebody who knows which rows are suppressed and which are published as they are. Mostly the file
    /// tells the same, and rows need not be grouped again.
    pub(super) fn told(self, hidden: Vec<bool>, verbatim: Vec<bool>) -> Self {
        let Self { source, released, grouping } = self;
        let same = alike(&released.hidden, &hidden) && alike(&released.verbatim, &verbatim);
        let released = Released { hidden, verbatim, ..released };
        let grouping = if same {
            grouping
        } else {
            drop(grouping);
            Grouping::of(&released)
        };
        Self { source, released, grouping }
    }
}

/// Whether the same rows are marked; where none is, there may be no marks at all.
fn alike(some: &[bool], others: &[bool]) -> bool {
    some == others || !(some.contains(&true) || others.contains(&true))
}
