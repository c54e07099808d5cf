//! What the headers of Parquet consist of: field numbers and their types, from the format's own definition.
//!
//! The library goes by the numbers alone. A field that says it is a text where a list is expected would be read as a list,
//! and from there on everything would be taken for something else than what it was when the lengths were checked.

/// The type of a field, as far as it decides how its bytes are read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// A flag.
    Flag,
    /// One byte.
    Byte,
    /// A whole number; all widths are written alike.
    Number,
    /// Eight bytes.
    Real,
    /// A text, or bytes.
    Text,
    /// A list.
    List(&'static Shape),
    /// A structure.
    Fields(Fields),
}

/// The fields of a structure by their numbers. Others may come in later versions of the format; they are skipped.
pub(super) type Fields = &'static [(i16, Shape)];

impl Shape {
    /// Whether values of this type are written under that code of the compact protocol.
    pub(super) fn is_written_as(self, kind: u8) -> bool {
        match self {
            Self::Flag => matches!(kind, 1 | 2),
            Self::Byte => kind == 3,
            Self::Number => matches!(kind, 4..=6),
            Self::Real => kind == 7,
            Self::Text => kind == 8,
            Self::List(_) => matches!(kind, 9 | 10),
            Self::Fields(_) => kind == 12,
        }
    }
}

use Shape::{Byte, Flag, List, Number, Real, Text};

const NOTHING: Shape = Shape::Fields(&[]);
const PAIR: Shape = Shape::Fields(&[(1, Text), (2, Text)]);
const STATISTICS: Shape = Shape::Fields(&[
    (1, Text),
    (2, Text),
    (3, Number),
    (4, Number),
    (5, Text),
    (6, Text),
    (7, Flag),
    (8, Flag),
]);
const TIME: Shape =
    Shape::Fields(&[(1, Flag), (2, Shape::Fields(&[(1, NOTHING), (2, NOTHING), (3, NOTHING)]))]);
const LOGICAL_TYPE: Shape = Shape::Fields(&[
    (1, NOTHING),
    (2, NOTHING),
    (3, NOTHING),
    (4, NOTHING),
    (5, Shape::Fields(&[(1, Number), (2, Number)])),
    (6, NOTHING),
    (7, TIME),
    (8, TIME),
    (10, Shape::Fields(&[(1, Byte), (2, Flag)])),
    (11, NOTHING),
    (12, NOTHING),
    (13, NOTHING),
    (14, NOTHING),
    (15, NOTHING),
    (16, Shape::Fields(&[(1, Byte)])),
    (17, Shape::Fields(&[(1, Text)])),
    (18, Shape::Fields(&[(1, Text), (2, Number)])),
]);
const SCHEMA_ELEMENT: Shape = Shape::Fields(&[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Text),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, Number),
    (9, Number),
    (10, LOGICAL_TYPE),
]);
const BOX: Shape =
    Shape::Fields(&[(1, Real), (2, Real), (3, Real), (4, Real), (5, Real), (6, Real), (7, Real), (8, Real)]);
const COLUMN: Shape = Shape::Fields(&[
    (1, Number),
    (2, List(&Number)),
    (3, List(&Text)),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, List(&PAIR)),
    (9, Number),
    (10, Number),
    (11, Number),
    (12, STATISTICS),
    (13, List(&Shape::Fields(&[(1, Number), (2, Number), (3, Number)]))),
    (14, Number),
    (15, Number),
    (16, Shape::Fields(&[(1, Number), (2, List(&Number)), (3, List(&Number))])),
    (17, Shape::Fields(&[(1, BOX), (2, List(&Number))])),
]);
const COLUMN_KEY: Shape = Shape::Fields(&[(1, NOTHING), (2, Shape::Fields(&[(1, List(&Text)), (2, Text)]))]);
const COLUMN_CHUNK: Shape = Shape::Fields(&[
    (1, Text),
    (2, Number),
    (3, COLUMN),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, COLUMN_KEY),
    (9, Text),
]);
const SORTING: Shape = Shape::Fields(&[(1, Number), (2, Flag), (3, Flag)]);
const ROW_GROUP: Shape = Shape::Fields(&[
    (1, List(&COLUMN_CHUNK)),
    (2, Number),
    (3, Number),
    (4, List(&SORTING)),
    (5, Number),
    (6, Number),
    (7, Number),
]);
const CIPHER: Shape = Shape::Fields(&[(1, Text), (2, Text), (3, Flag)]);

/// The footer of a file.
pub(super) const FOOTER: Fields = &[
    (1, Number),
    (2, List(&SCHEMA_ELEMENT)),
    (3, Number),
    (4, List(&ROW_GROUP)),
    (5, List(&PAIR)),
    (6, Text),
    (7, List(&Shape::Fields(&[(1, NOTHING), (2, NOTHING)]))),
    (8, Shape::Fields(&[(1, CIPHER), (2, CIPHER)])),
    (9, Text),
];

/// The header of a page.
pub(super) const PAGE: Fields = &[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Number),
    (5, Shape::Fields(&[(1, Number), (2, Number), (3, Number), (4, Number), (5, STATISTICS)])),
    (6, NOTHING),
    (7, Shape::Fields(&[(1, Number), (2, Number), (3, Flag)])),
    (
        8,
        Shape::Fields(&[
            (1, Number),
            (2, Number),
            (3, Number),
            (4, Number),
            (5, Number),
            (6, Number),
            (7, Flag),
            (8, STATISTICS),
        ]),
    ),
];
