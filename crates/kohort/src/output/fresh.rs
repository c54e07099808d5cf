//! Arrays built anew from what they show.
//!
//! An array may carry bytes that nobody is meant to see: values below nulls, parts that a slice leaves out, entries of
//! lists that are null. Formats that copy buffers would publish them, so what leaves is copied value by value.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayData, ArrayRef, AsArray, BooleanArray, FixedSizeListArray, GenericByteArray,
    GenericListArray, MapArray, NullArray, OffsetSizeTrait, RecordBatch, StructArray, make_array,
    new_empty_array,
};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow::compute::concat;
use arrow::datatypes::{
    ArrowNativeType, BinaryType, ByteArrayType, DataType, Field, LargeBinaryType, LargeUtf8Type, Utf8Type,
};
use arrow::error::ArrowError;

type Built = std::result::Result<ArrayRef, ArrowError>;

/// The batch with all columns built anew.
pub(super) fn fresh_batch(batch: &RecordBatch) -> std::result::Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().map(|c| fresh(c, None)).collect::<std::result::Result<_, _>>()?;
    RecordBatch::try_new(batch.schema(), columns)
}

/// The same values in buffers of their own, which hold nothing else; null where the array is null or `shown` is.
pub(super) fn fresh(array: &ArrayRef, shown: Option<&NullBuffer>) -> Built {
    let nulls = nulls(array.nulls(), shown, array.len());
    match array.data_type() {
        DataType::Null => Ok(Arc::new(NullArray::new(array.len()))),
        DataType::Boolean => {
            let values = array.as_boolean();
            let bits =
                BooleanBuffer::collect_bool(array.len(), |i| is_shown(nulls.as_ref(), i) && values.value(i));
            Ok(Arc::new(BooleanArray::new(bits, nulls)))
        }
        DataType::Utf8 => bytes(array.as_bytes::<Utf8Type>(), nulls),
        DataType::LargeUtf8 => bytes(array.as_bytes::<LargeUtf8Type>(), nulls),
        DataType::Binary => bytes(array.as_bytes::<BinaryType>(), nulls),
        DataType::LargeBinary => bytes(array.as_bytes::<LargeBinaryType>(), nulls),
        DataType::List(field) => list(array.as_list::<i32>(), field, nulls),
        DataType::LargeList(field) => list(array.as_list::<i64>(), field, nulls),
        DataType::Map(field, sorted) => map(array.as_map(), field, *sorted, nulls),
        DataType::FixedSizeList(field, size) => fixed_list(array.as_fixed_size_list(), field, *size, nulls),
        DataType::Struct(_) => structure(array.as_struct(), nulls),
        DataType::FixedSizeBinary(width) => fixed(array, *width as usize, nulls),
        other => match other.primitive_width() {
            Some(width) => fixed(array, width, nulls),
            // Everything is read as plain values, so dictionaries and views do not come here.
            None => Err(ArrowError::NotYetImplemented(format!("columns of type {other} cannot be written"))),
        },
    }
}

/// Null where one of them is, in a buffer of its own; none where nothing is null.
fn nulls(own: Option<&NullBuffer>, shown: Option<&NullBuffer>, len: usize) -> Option<NullBuffer> {
    if own.is_none() && shown.is_none() {
        return None;
    }
    let bits = BooleanBuffer::collect_bool(len, |i| is_shown(own, i) && is_shown(shown, i));
    Some(NullBuffer::new(bits)).filter(|n| n.null_count() > 0)
}

fn is_shown(nulls: Option<&NullBuffer>, i: usize) -> bool {
    nulls.is_none_or(|n| n.is_valid(i))
}

/// Values of a fixed number of bytes; those below nulls become zeros.
fn fixed(array: &ArrayRef, width: usize, nulls: Option<NullBuffer>) -> Built {
    let data = array.to_data();
    let start = data.offset() * width;
    let mut values = data.buffers()[0].as_slice()[start..start + data.len() * width].to_vec();
    for i in nulls.iter().flat_map(|n| (0..n.len()).filter(|&i| n.is_null(i))) {
        values[i * width..(i + 1) * width].fill(0);
    }
    let fresh = ArrayData::builder(data.data_type().clone())
        .len(data.len())
        .add_buffer(Buffer::from_vec(values))
        .nulls(nulls)
        .align_buffers(true);
    Ok(make_array(fresh.build()?))
}

/// Texts and bytes, one behind the other.
fn bytes<T: ByteArrayType>(array: &GenericByteArray<T>, nulls: Option<NullBuffer>) -> Built {
    let (old, all) = (array.value_offsets(), array.value_data());
    let mut values = Vec::new();
    for (start, end) in runs(nulls.as_ref(), array.len()) {
        values.extend_from_slice(&all[old[start].as_usize()..old[end].as_usize()]);
    }
    let fresh =
        GenericByteArray::<T>::try_new(offsets(old, nulls.as_ref()), Buffer::from_vec(values), nulls)?;
    Ok(Arc::new(fresh))
}

/// Where the shown rows lie, stretch by stretch.
fn runs(nulls: Option<&NullBuffer>, len: usize) -> Vec<(usize, usize)> {
    nulls.map_or_else(|| vec![(0, len)], |n| n.valid_slices().collect())
}

/// Offsets of what is shown alone: from zero, and without the lengths below nulls.
fn offsets<O: OffsetSizeTrait>(old: &[O], nulls: Option<&NullBuffer>) -> OffsetBuffer<O> {
    let Some(shown) = nulls else {
        return OffsetBuffer::new(old.iter().map(|&o| o - old[0]).collect());
    };
    let mut at = O::zero();
    let next = old.windows(2).enumerate().map(|(i, ends)| {
        if shown.is_valid(i) {
            at += ends[1] - ends[0];
        }
        at
    });
    OffsetBuffer::new(std::iter::once(O::zero()).chain(next).collect())
}

/// The entries of the shown rows of a list.
fn entries<O: OffsetSizeTrait>(old: &[O], values: &ArrayRef, nulls: Option<&NullBuffer>) -> Built {
    let runs: Vec<(usize, usize)> = runs(nulls, old.len() - 1)
        .into_iter()
        .map(|(start, end)| (old[start].as_usize(), old[end].as_usize()))
        .collect();
    if let [(start, end)] = runs[..] {
        return fresh(&values.slice(start, end - start), None);
    }
    let parts: Vec<ArrayRef> = runs.iter().map(|&(start, end)| values.slice(start, end - start)).collect();
    let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    let all = if parts.is_empty() { new_empty_array(values.data_type()) } else { concat(&parts)? };
    fresh(&all, None)
}

fn list<O: OffsetSizeTrait>(
    array: &GenericListArray<O>,
    field: &Arc<Field>,
    nulls: Option<NullBuffer>,
) -> Built {
    let old = array.value_offsets();
    let values = entries(old, array.values(), nulls.as_ref())?;
    let fresh = GenericListArray::try_new(field.clone(), offsets(old, nulls.as_ref()), values, nulls)?;
    Ok(Arc::new(fresh))
}

fn map(array: &MapArray, field: &Arc<Field>, sorted: bool, nulls: Option<NullBuffer>) -> Built {
    let old = array.value_offsets();
    let all: ArrayRef = Arc::new(array.entries().clone());
    let pairs = entries(old, &all, nulls.as_ref())?.as_struct().clone();
    let fresh = MapArray::try_new(field.clone(), offsets(old, nulls.as_ref()), pairs, nulls, sorted)?;
    Ok(Arc::new(fresh))
}

/// Lists of equal length keep a place for what is null: what stands there is made null, too.
fn fixed_list(array: &FixedSizeListArray, field: &Arc<Field>, size: i32, nulls: Option<NullBuffer>) -> Built {
    let (each, start) = (size as usize, array.value_offset(0) as usize);
    let values = array.values().slice(start, array.len() * each);
    let below = nulls.as_ref().map(|n| n.expand(each));
    let values = fresh(&values, below.as_ref())?;
    Ok(Arc::new(FixedSizeListArray::try_new_with_length(field.clone(), size, values, nulls, array.len())?))
}

fn structure(array: &StructArray, nulls: Option<NullBuffer>) -> Built {
    let columns =
        array.columns().iter().map(|c| fresh(c, nulls.as_ref())).collect::<std::result::Result<_, _>>()?;
    Ok(Arc::new(StructArray::try_new_with_length(array.fields().clone(), columns, nulls, array.len())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, StringArray};
    use arrow::datatypes::Int64Type;

    /// Every byte that an array keeps in memory.
    fn all_bytes(data: &ArrayData) -> Vec<u8> {
        let own = data.buffers().iter().flat_map(|b| b.as_slice().to_vec());
        own.chain(data.child_data().iter().flat_map(all_bytes)).collect()
    }

    fn check(array: &ArrayRef) {
        let fresh = fresh(array, None).unwrap();
        assert_eq!(&fresh, array);
        let bytes = all_bytes(&fresh.to_data());
        assert!(!bytes.windows(6).any(|w| w == b"SECRET" || w == [0x5E; 6]), "{}", array.data_type());
    }

    const NUMBER: i64 = 0x5E5E_5E5E_5E5E_5E5E;

    /// Rows 0, 3 and 5 are secret; 3 is null and the others are cut off.
    fn check_seen(array: &dyn Array) {
        check(&array.slice(1, 4));
    }

    fn nulls() -> NullBuffer {
        vec![true, true, true, false, true, true].into()
    }

    fn texts(nulls: Option<NullBuffer>) -> StringArray {
        let texts = ["SECRET-0", "a", "", "SECRET-3", "bc", "SECRET-5"];
        let offsets = OffsetBuffer::from_lengths(texts.iter().map(|t| t.len()));
        StringArray::new(offsets, Buffer::from(texts.concat().as_bytes()), nulls)
    }

    fn numbers(nulls: Option<NullBuffer>) -> Int64Array {
        Int64Array::new(vec![NUMBER, 1, 2, NUMBER, 4, NUMBER].into(), nulls)
    }

    #[test]
    fn what_is_cut_off_or_below_a_null_is_gone() {
        check_seen(&texts(Some(nulls())));
        check_seen(&numbers(Some(nulls())));
        let item = |t: DataType| Arc::new(Field::new_list_field(t, true));
        let one = || OffsetBuffer::<i32>::from_lengths([1; 6]);
        let inside: ArrayRef = Arc::new(texts(None));
        check_seen(&GenericListArray::new(item(DataType::Utf8), one(), inside.clone(), Some(nulls())));
        let inside_number: ArrayRef = Arc::new(numbers(None));
        let fixed = FixedSizeListArray::new(item(DataType::Int64), 1, inside_number.clone(), Some(nulls()));
        check_seen(&fixed);
        let fields =
            vec![Field::new("t", DataType::Utf8, true), Field::new("n", DataType::Int64, true)].into();
        let pair = StructArray::new(fields, vec![inside, inside_number], Some(nulls()));
        check_seen(&pair);
    }

    #[test]
    fn empty_arrays_stay_empty() {
        for kind in [
            DataType::Utf8,
            DataType::Boolean,
            DataType::Int64,
            DataType::new_list(DataType::Utf8, true),
            DataType::new_fixed_size_list(DataType::Int64, 2, true),
        ] {
            assert_eq!(fresh(&new_empty_array(&kind), None).unwrap().len(), 0, "{kind}");
        }
    }

    #[test]
    fn rows_that_are_not_shown_become_null() {
        let array: ArrayRef = Arc::new(numbers(None));
        let shown: NullBuffer = vec![false, true, true, false, true, false].into();
        let fresh = fresh(&array, Some(&shown)).unwrap();
        assert_eq!(fresh.null_count(), 3);
        assert_eq!(fresh.as_primitive::<Int64Type>().values(), &[0, 1, 2, 0, 4, 0]);
    }
}
