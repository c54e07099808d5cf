//! The new rows, generalized, and the release that they make with the old ones.

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Schema, SchemaRef};

use super::chained::marked;
use super::fate::Fate;
use super::join::Widened;
use super::origin::Origin;
use super::withdraw::Withdrawal;
use crate::error::{Error, Result, Said};
use crate::input::TableSource;
use crate::job::ask_verifier::same_count;
use crate::job::{CheckedJob, Made, said};
use crate::output::{Carried, MemorySink, TableSink, write_carried};
use crate::recode::Release;
use crate::solution::{VERBATIM, is_class};
use crate::verify::Loss;

/// New rows that the release shows, ascending.
pub(super) fn shown_rows(release: &Release, fates: &[Fate]) -> Vec<u32> {
    let is_shown =
        |(class, fate): &(&u32, &Fate)| is_class(**class) || (**class == VERBATIM && **fate == Fate::Open);
    let rows = (0..).zip(release.class_of.iter().zip(fates));
    rows.filter(|(_, row)| is_shown(row)).map(|(row, _)| row).collect()
}

/// The new rows as they are published, in a table of their own.
pub(super) struct NewRows {
    pub(super) part: Option<Box<dyn TableSource>>,
    /// Which row of the batch stands at each place.
    pub(super) order: Vec<u32>,
    pub(super) loss: Option<Loss>,
    pub(super) risks: Vec<Said>,
}

impl CheckedJob {
    /// Generalizes the new rows, and compares them with what they were.
    pub(super) fn write_new(&self, made: &Made<'_>) -> Result<NewRows> {
        if made.rows.is_empty() {
            return Ok(NewRows { part: None, order: Vec::new(), loss: None, risks: Vec::new() });
        }
        let mut sink = MemorySink::new("the new rows");
        // Where all of them are published as they are, nothing is left to give away.
        let hides = made.release.classes() > 0;
        let kept = made.kept_columns(self.demands.k()).filter(|_| hides);
        let order = self.write(made, self.intervals, kept.as_ref(), &mut sink)?;
        let risks = said(&self.risks(made, kept)?);
        let part = sink.finish()?;
        let read = self.read_back(made, self.intervals, part.as_ref())?;
        let findings = self.compared(made, self.intervals, read, &order)?;
        same_count("new rows", made.rows.len() as u64, findings.released + findings.opted_out)?;
        Ok(NewRows { part: Some(part), order, loss: findings.loss, risks })
    }
}

/// The last release, and what becomes of its rows.
pub(super) struct LastRows<'a> {
    pub(super) source: &'a dyn TableSource,
    /// The class of every row.
    pub(super) class_of: &'a [Option<u32>],
    pub(super) withdrawal: &'a Withdrawal,
    pub(super) widened: &'a Widened,
}

/// Writes old and new rows together; says where each comes from.
pub(super) fn write_together(
    last: &LastRows<'_>,
    new: &NewRows,
    sink: &mut dyn TableSink,
) -> Result<Vec<Origin>> {
    let LastRows { source, class_of, withdrawal, widened } = *last;
    let schema = common_schema(source, new.part.as_deref())?;
    let change = |first: u32, batch: RecordBatch| {
        let here = first as usize..first as usize + batch.num_rows();
        let batch = widened.apply(batch, &class_of[here.clone()])?;
        let stays = &withdrawal.stays[here];
        let kept = (first..).zip(stays).filter(|(_, stays)| **stays).map(|(row, _)| row).collect();
        Ok((kept, if stays.contains(&false) { marked(&batch, stays)? } else { batch }))
    };
    let all =
        |first: u32, batch: RecordBatch| Ok(((first..first + batch.num_rows() as u32).collect(), batch));
    let mut parts = vec![Carried { source, change: Box::new(change) }];
    parts.extend(new.part.as_deref().map(|source| Carried { source, change: Box::new(all) }));
    let old_rows = class_of.len();
    let order = write_carried(&schema, parts, &[old_rows, new.order.len()], sink)?;
    let origin = |at: u32| match (at as usize).checked_sub(old_rows) {
        None => Origin::Old(at),
        Some(place) => Origin::New(new.order[place]),
    };
    Ok(order.into_iter().map(origin).collect())
}

/// The columns of the last release, with types that hold the new rows, too: what was published as whole numbers may need
/// fractions now.
fn common_schema(last: &dyn TableSource, part: Option<&dyn TableSource>) -> Result<SchemaRef> {
    let Some(part) = part else { return Ok(last.schema().clone()) };
    if !last.names().eq(part.names()) {
        return Err(Error::input("the last release has other columns than the next one would have")
            .in_file(last.name())
            .help("bring the file back that was published"));
    }
    let fields = last.schema().fields().iter().zip(part.schema().fields());
    let common = fields.map(|(old, new)| {
        let field = old.as_ref().clone().with_nullable(true);
        match (old.data_type(), new.data_type()) {
            (DataType::Int64, DataType::Float64) => field.with_data_type(DataType::Float64),
            // Days that are midnights of instants now.
            (DataType::Date32, DataType::Timestamp(..)) => field.with_data_type(new.data_type().clone()),
            _ => field,
        }
    });
    Ok(SchemaRef::new(Schema::new(common.collect::<Vec<_>>())))
}
