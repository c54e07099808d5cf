//! What is known to be wrong and being mended, so that a campaign can look for other things. Each switch is one line to
//! remove, with the places that read it; none should be left when the mending is done.

/// Whole numbers beyond 2⁵³ end with exit 4.
pub const LONG_NUMBERS_FAIL: bool = true;
/// `verify` counts suppressed people for kk and global-1k where `anonymize` does not, and the other way round.
pub const NOTIONS_DISAGREE_ABOUT_SUPPRESSED: bool = true;
/// An empty text of Parquet or Arrow comes out as a null, and `verify` takes one for the other.
pub const EMPTY_TEXTS_BECOME_NULL: bool = true;
/// Middles of intervals together with starred rows are not understood by `verify`.
pub const MIDDLES_AND_STARS: bool = true;
/// `verify` cannot read Parquet and Arrow releases in which a row shows nothing (exit 2).
pub const BLANK_ROWS_OF_TYPED_FILES_FAIL: bool = true;
/// `verify` lets rows that `missing = "suppress"` keeps out stand behind released ones.
pub const VERIFY_FORGETS_MISSING_SUPPRESS: bool = true;
/// `verify` takes a class that shows nothing for suppressed rows, and rejects our own release without a hint.
pub const BLANK_CLASSES_ARE_REJECTED: bool = true;
/// The order of rows depends on more than the rows.
pub const ORDER_DEPENDS_ON_INPUT: bool = true;
