//! Boxes that the prices of rows recommend: a search for the least that can be lost has found that classes there nearly pay
//! for themselves ([`Guide`]).

use super::dice::Dice;
use crate::bound::Guide;
use crate::data::Cell;

/// The boxes of the groups of a region.
pub(super) struct Guided<'a> {
    guide: &'a Guide,
    /// A row of every group.
    rows: Vec<u32>,
}

impl<'a> Guided<'a> {
    pub(super) fn new(guide: &'a Guide, rows: Vec<u32>) -> Self {
        Self { guide, rows }
    }

    /// One of the boxes of a group, drawn at random.
    pub(super) fn draw(&self, group: u32, dice: &mut Dice) -> Option<&'a [Cell]> {
        let boxes = self.guide.boxes_of(self.rows[group as usize]);
        (!boxes.is_empty()).then(|| self.guide.cells(boxes[dice.below(boxes.len())]))
    }
}
