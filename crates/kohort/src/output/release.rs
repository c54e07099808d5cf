//! Lays a release out as a table: original column order, identifiers gone, quasi-identifiers generalized, everything else
//! as it was, rows in an order that only depends on them.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, TimestampMicrosecondArray, UInt32Array,
};
use arrow::datatypes::{Field, Schema, SchemaRef};
use rayon::prelude::*;

use super::column::{Labels, OutColumn};
use super::fresh::fresh;
use super::row_key::{RowKey, row_keys};
use super::sink::{OutBatch, TableSink};
use super::sort::Sorter;
use crate::data::{
    Attribute, Cell, Domain, Intervals, Kind, MIDNIGHT, Numbers, Role, Sensitive, Table, bound_names,
};
use crate::error::{Error, Result};
use crate::input::{TableSource, pipelined};
use crate::recode::Release;
use crate::solution::{SUPPRESSED, VERBATIM};

/// How a release is to be laid out.
pub struct ReleasePlan<'a> {
    /// Where the untouched columns come from.
    pub source: &'a dyn TableSource,
    /// One role per source column.
    pub roles: &'a [Role],
    /// The encoded table, one quasi-identifier per column of that role, in column order.
    pub table: &'a Table,
    /// The generalized tuples.
    pub release: &'a Release,
    /// How intervals are published.
    pub intervals: Intervals,
    /// The rows that are published, ascending.
    pub rows: &'a [u32],
    /// Whether they stay in this order; otherwise they are sorted by what they show.
    pub in_order: bool,
    /// Whether all cells are written as text.
    pub as_text: bool,
    /// Who looks at the untouched columns as they pass by, where somebody does.
    pub onlooker: Option<&'a dyn Onlooker>,
}

/// Looks at the rows of a release while they are read once more to be written.
pub trait Onlooker: Sync {
    /// Columns of the source that are read for this alone.
    fn beside(&self) -> Vec<usize>;

    /// Some published rows, with the source's numbers of the columns that are shown of them.
    fn see(&self, rows: &[u32], batch: &RecordBatch, columns: &[usize]) -> Result<()>;
}

/// One column of the release.
enum Laid {
    /// Column number among the carried ones.
    Carried(usize),
    /// Sensitive column whose values are in memory, and the number of the empty label suppressed rows get.
    Kept(usize, Arc<Labels>),
    /// Quasi-identifier, and the labels of its cells; after them that of a suppressed row and, where rows are published
    /// as they are, those of all values.
    Coded(usize, Arc<Labels>),
}

/// Rows written at once when nothing is carried.
const CHUNK: usize = 8192;

impl ReleasePlan<'_> {
    /// The columns that must be read again, because they are not in memory.
    fn carried(&self) -> Vec<usize> {
        let mut kept = self.table.sensitive.iter().map(Sensitive::is_kept);
        let mut again = |role: &Role| match role {
            Role::Sensitive => kept.next() != Some(true),
            role => *role == Role::Keep,
        };
        (0..self.roles.len()).filter(|&c| again(&self.roles[c])).collect()
    }

    fn lay_out(&self) -> Result<(Vec<Laid>, SchemaRef)> {
        let (mut laid, mut fields) = (Vec::new(), Vec::new());
        let (mut dim, mut carried, mut secret) = (0, 0, 0);
        for (field, role) in self.source.schema().fields().iter().zip(self.roles) {
            match role {
                Role::Identifier | Role::Person | Role::Drop => {}
                Role::Sensitive if self.table.sensitive[secret].is_kept() => {
                    let texts = self.table.sensitive[secret].texts.iter().cloned().chain([String::new()]);
                    fields.push(Field::new(field.name(), field.data_type().clone(), true));
                    laid.push(Laid::Kept(secret, Arc::new(Labels::of_texts(texts))));
                    secret += 1;
                }
                Role::Sensitive | Role::Keep => {
                    fields.push(Field::new(field.name(), field.data_type().clone(), true));
                    laid.push(Laid::Carried(carried));
                    carried += 1;
                    secret += usize::from(*role == Role::Sensitive);
                }
                Role::QuasiIdentifier => {
                    for (name, labels) in self.published(dim)? {
                        fields.push(Field::new(name, labels.values.data_type().clone(), true));
                        laid.push(Laid::Coded(dim, Arc::new(labels)));
                    }
                    dim += 1;
                }
            }
        }
        let input = self.source.schema();
        for (i, field) in fields.iter().enumerate() {
            let (old, new) = (input.index_of(field.name()).is_ok(), field.name());
            let made_up = self.intervals == Intervals::Bounds && old && self.is_bound(new);
            if made_up || fields[..i].iter().any(|f| f.name() == field.name()) {
                return Err(Error::job(format!(
                    "the release would have two columns named '{}'",
                    field.name()
                ))
                .option_with("intervals", "bounds")
                .help("rename the column in the input"));
            }
        }
        Ok((laid, Arc::new(Schema::new(fields))))
    }

    /// Whether the name is one that publishing bounds makes up.
    fn is_bound(&self, name: &str) -> bool {
        let intervals = self.table.qi.iter().filter(|q| matches!(q.attribute.domain, Domain::Interval(_)));
        intervals.flat_map(|q| bound_names(&q.attribute.name)).any(|bound| bound == name)
    }

    /// The columns a quasi-identifier becomes.
    fn published(&self, dim: usize) -> Result<Vec<(String, Labels)>> {
        let attribute = &self.table.qi[dim].attribute;
        let cells = &self.release.cells[dim];
        let name = attribute.name.clone();
        let values = if self.release.has_verbatim() { attribute.code_count() } else { 0 };
        match (&attribute.domain, self.intervals) {
            (Domain::Interval(n), Intervals::Bounds) => {
                let (lo, hi) = bounds(n, cells, values, self.published_kind(dim, n));
                let [min, max] = bound_names(&name);
                Ok(vec![(min, Labels::new(lo)?), (max, Labels::new(hi)?)])
            }
            (Domain::Interval(n), Intervals::Midpoint) => {
                Ok(vec![(name, Labels::new(middles(n, cells, values, self.published_kind(dim, n)))?)])
            }
            (Domain::Interval(n), Intervals::Text)
                if n.kind() == Kind::Timestamp && self.published_kind(dim, n) == Kind::Date =>
            {
                // Where nothing but midnights is published they are days.
                let texts = texts(attribute, cells, values).map(|text| text.replace(MIDNIGHT, ""));
                Ok(vec![(name, Labels::of_texts(texts))])
            }
            _ => Ok(vec![(name, Labels::of_texts(texts(attribute, cells, values)))]),
        }
    }

    /// The kind of number that the ends of a column's intervals are.
    fn published_kind(&self, dim: usize, n: &Numbers) -> Kind {
        let (cells, codes) = (&self.release.cells[dim], &self.table.qi[dim].codes);
        let as_it_is = |row: &&u32| self.release.class_of[**row as usize] == VERBATIM;
        let rows = self.rows.iter().filter(as_it_is).map(|&row| codes.get(row as usize));
        let values = rows.filter(|&code| code < n.len()).map(|code| n.position(code));
        let ends = ends(n, cells, 0).flatten().flat_map(|(lo, hi)| [lo, hi]);
        n.published_kind(ends.chain(values))
    }

    fn coded(&self, dim: usize, rows: &[u32], labels: &Arc<Labels>) -> OutColumn {
        let (tuples, star) = (&self.release.tuples[dim], self.release.cells[dim].len() as u32);
        let codes = &self.table.qi[dim].codes;
        let code = |&row: &u32| match self.release.class_of[row as usize] {
            SUPPRESSED => star,
            VERBATIM => star + 1 + codes.get(row as usize),
            class => tuples[class as usize],
        };
        OutColumn::Coded { codes: rows.iter().map(code).collect(), labels: labels.clone() }
    }

    fn kept(&self, secret: usize, rows: &[u32], labels: &Arc<Labels>) -> OutColumn {
        let column = &self.table.sensitive[secret];
        let code = |&row: &u32| match self.release.class_of[row as usize] {
            SUPPRESSED => column.distinct,
            _ => column.codes.get(row as usize),
        };
        OutColumn::Coded { codes: rows.iter().map(code).collect(), labels: labels.clone() }
    }

    fn columns(&self, laid: &[Laid], rows: &[u32], carried: Option<&RecordBatch>) -> Result<Vec<OutColumn>> {
        let column = |l: &Laid| match (l, carried) {
            (Laid::Coded(dim, labels), _) => Ok(self.coded(*dim, rows, labels)),
            (Laid::Kept(secret, labels), _) => Ok(self.kept(*secret, rows, labels)),
            (Laid::Carried(c), Some(batch)) => Ok(OutColumn::Array(self.blank(batch.column(*c), rows)?)),
            (Laid::Carried(_), None) => Err(Error::internal("an untouched column was not read")),
        };
        laid.par_iter().map(column).collect()
    }

    /// The published rows by what they show, where all of it is in memory.
    fn sorted(&self, laid: &[Laid]) -> Result<Vec<u32>> {
        let mut keyed: Vec<(RowKey, u32)> = Vec::with_capacity(self.rows.len());
        for rows in self.rows.chunks(CHUNK) {
            let keys = row_keys(&self.columns(laid, rows, None)?, self.as_text)?;
            keyed.extend(keys.into_iter().zip(rows.iter().copied()));
        }
        keyed.par_sort_unstable();
        // Collected from the pairs themselves, the rows would keep the memory of their keys.
        Ok(keyed.iter().map(|&(_, row)| row).collect())
    }

    /// Suppressed rows that stay must not show anything else of the person.
    fn blank(&self, values: &ArrayRef, rows: &[u32]) -> Result<ArrayRef> {
        let shown: Vec<bool> =
            rows.iter().map(|&r| self.release.class_of[r as usize] != SUPPRESSED).collect();
        if !shown.contains(&false) {
            return Ok(values.clone());
        }
        fresh(values, Some(&shown.into())).map_err(|e| Error::internal(e.to_string()))
    }
}

/// Writes the release. Returns which row stands at each place.
pub fn write_release(plan: &ReleasePlan<'_>, sink: &mut dyn TableSink) -> Result<Vec<u32>> {
    let (laid, schema) = plan.lay_out()?;
    sink.begin(&schema)?;
    let mut write = |columns: Vec<OutColumn>| sink.write(&OutBatch { schema: &schema, columns });
    let carried = plan.carried();
    let order = if carried.is_empty() {
        let order = if plan.in_order { plan.rows.to_vec() } else { plan.sorted(&laid)? };
        for rows in order.chunks(CHUNK) {
            write(plan.columns(&laid, rows, None)?)?;
        }
        order
    } else if plan.in_order {
        stream(plan, &carried, |rows, batch| write(plan.columns(&laid, rows, Some(batch))?))?;
        plan.rows.to_vec()
    } else {
        reorder(plan, &laid, &carried, &mut write)?
    };
    Ok(order)
}

/// Passes the untouched columns of the published rows by, in the order of the table.
fn stream(
    plan: &ReleasePlan<'_>,
    carried: &[usize],
    mut each: impl FnMut(&[u32], &RecordBatch) -> Result<()>,
) -> Result<()> {
    let (mut at, mut next) = (0u32, 0usize);
    let mut columns = carried.to_vec();
    columns.extend(plan.onlooker.iter().flat_map(|onlooker| onlooker.beside()));
    let ours: Vec<usize> = (0..carried.len()).collect();
    pipelined(plan.source.batches(&columns)?, |batch| {
        let end = at + batch.num_rows() as u32;
        if end as usize > plan.table.rows {
            return Err(changed(plan.source));
        }
        let stop = next + plan.rows[next..].partition_point(|&row| row < end);
        let rows = &plan.rows[next..stop];
        let kept = if rows.len() == batch.num_rows() {
            batch
        } else {
            let here: UInt32Array = rows.iter().map(|&row| Some(row - at)).collect();
            arrow::compute::take_record_batch(&batch, &here).map_err(|e| Error::internal(e.to_string()))?
        };
        (at, next) = (end, stop);
        if let Some(onlooker) = plan.onlooker {
            onlooker.see(rows, &kept, &columns)?;
        }
        let kept = kept.project(&ours).map_err(|e| Error::internal(e.to_string()))?;
        each(rows, &kept)
    })?;
    if (at as usize) < plan.table.rows { Err(changed(plan.source)) } else { Ok(()) }
}

/// Writes the rows by their keys.
fn reorder(
    plan: &ReleasePlan<'_>,
    laid: &[Laid],
    carried: &[usize],
    write: &mut dyn FnMut(Vec<OutColumn>) -> Result<()>,
) -> Result<Vec<u32>> {
    let schema = plan.source.schema().project(carried).map_err(|e| Error::internal(e.to_string()))?;
    let share = plan.source.bytes() * carried.len() as u64 / plan.roles.len().max(1) as u64;
    let mut sorter = Sorter::new(schema, plan.rows.len(), share)?;
    stream(plan, carried, |rows, batch| {
        let keys = row_keys(&plan.columns(laid, rows, Some(batch))?, plan.as_text)?;
        sorter.push(batch, &keys, rows)
    })?;
    let mut order = Vec::with_capacity(plan.rows.len());
    sorter.finish(|rows, batch| {
        order.extend_from_slice(rows);
        write(plan.columns(laid, rows, Some(batch))?)
    })?;
    Ok(order)
}

fn changed(source: &dyn TableSource) -> Error {
    Error::input("the table changed while it was read")
        .in_file(source.name())
        .help("run again on a table nobody writes to")
}

/// The texts of all cells, of a suppressed row, and of the first `values` values as they are.
fn texts<'a>(attribute: &'a Attribute, cells: &'a [Cell], values: u32) -> impl Iterator<Item = String> + 'a {
    let star = std::iter::once(crate::data::ROOT_LABEL.to_owned());
    let as_they_are = (0..values).map(|code| attribute.value(code).to_owned());
    cells.iter().map(|&cell| attribute.text(cell)).chain(star).chain(as_they_are)
}

/// The ends of every cell; none where the cell tells nothing or is missing, and for suppressed rows. A value as it is has
/// itself for both ends.
fn ends<'a>(n: &'a Numbers, cells: &'a [Cell], values: u32) -> impl Iterator<Item = Option<(f64, f64)>> + 'a {
    let of = |&cell: &Cell| (!n.is_missing(cell) && !n.is_any(cell)).then(|| n.bounds(cell));
    let value = |code: u32| (code < n.len()).then(|| (n.position(code), n.position(code)));
    cells.iter().map(of).chain(std::iter::once(None)).chain((0..values).map(value))
}

fn bounds(n: &Numbers, cells: &[Cell], values: u32, kind: Kind) -> (ArrayRef, ArrayRef) {
    let lo = ends(n, cells, values).map(|e| e.map(|e| e.0));
    let hi = ends(n, cells, values).map(|e| e.map(|e| e.1));
    (typed(n, kind, lo), typed(n, kind, hi))
}

fn middles(n: &Numbers, cells: &[Cell], values: u32, kind: Kind) -> ArrayRef {
    // Of whole numbers middles are decimals.
    let kind = if kind == Kind::Integer { Kind::Decimal } else { kind };
    typed(n, kind, ends(n, cells, values).map(|ends| ends.map(|(lo, hi)| n.middle(lo, hi))))
}

/// Places of a column as values of the kind in which they are published.
fn typed(n: &Numbers, kind: Kind, values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    let day = |place: f64| if n.kind() == Kind::Timestamp { Numbers::day_of(place) } else { place };
    match kind {
        Kind::Integer => Arc::new(values.map(|v| v.map(|v| v as i64)).collect::<Int64Array>()),
        Kind::Date => Arc::new(values.map(|v| v.map(|v| day(v) as i32)).collect::<Date32Array>()),
        Kind::Timestamp => {
            let instants = values.map(|v| v.map(|v| v as i64)).collect::<TimestampMicrosecondArray>();
            Arc::new(instants.with_timezone_opt(n.is_zoned().then_some("UTC")))
        }
        Kind::Decimal | Kind::Category => Arc::new(values.collect::<Float64Array>()),
    }
}
