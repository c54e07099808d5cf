//! Decimals must have no more digits than their type says: Arrow would cut the rest off when it writes them as text, and two
//! different numbers would read alike.

use arrow::array::{Array, AsArray, PrimitiveArray};
use arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    validate_decimal_precision_and_scale,
};
use arrow::error::ArrowError;

/// An error where a decimal, also inside lists and structs, does not fit its type. Dictionaries and views must be gone.
pub(super) fn check_decimals(array: &dyn Array) -> Result<(), ArrowError> {
    match array.data_type() {
        DataType::Decimal32(..) => check(array.as_primitive::<Decimal32Type>()),
        DataType::Decimal64(..) => check(array.as_primitive::<Decimal64Type>()),
        DataType::Decimal128(..) => check(array.as_primitive::<Decimal128Type>()),
        DataType::Decimal256(..) => check(array.as_primitive::<Decimal256Type>()),
        DataType::List(_) => check_decimals(array.as_list::<i32>().values()),
        DataType::LargeList(_) => check_decimals(array.as_list::<i64>().values()),
        DataType::FixedSizeList(..) => check_decimals(array.as_fixed_size_list().values()),
        DataType::Map(..) => check_decimals(array.as_map().entries()),
        DataType::Struct(_) => array.as_struct().columns().iter().try_for_each(|c| check_decimals(c)),
        _ => Ok(()),
    }
}

fn check<T: DecimalType>(array: &PrimitiveArray<T>) -> Result<(), ArrowError> {
    validate_decimal_precision_and_scale::<T>(array.precision(), array.scale())?;
    array.validate_decimal_precision(array.precision())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::Decimal128Array;

    #[test]
    fn digits_beyond_the_type_are_refused() {
        let of = |value: i128| {
            let data = Decimal128Array::from(vec![Some(value), None]).into_data().into_builder();
            let data = data.data_type(DataType::Decimal128(3, 1)).build().unwrap();
            check_decimals(&Decimal128Array::from(data)).is_ok()
        };
        assert!(of(999) && of(-999) && !of(1000) && !of(-123_456));
    }
}
