"""Frames of pandas. They become Arrow, and the release becomes a frame again, by pyarrow, which pandas itself asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _kohort, _pyarrow
from ._errors import InputError
from ._frames import Opened, check_names, paired


def open_frame(data: Any, name: str, is_release: bool) -> Opened:
    import pandas as pd

    if not isinstance(data, pd.DataFrame):
        raise InputError(
            f"{name} is no table but pandas.{type(data).__qualname__}",
            where=name,
            help="give a DataFrame, such as series.to_frame()",
        )
    if isinstance(data.columns, pd.MultiIndex):
        raise InputError(
            f"the columns of {name} have {data.columns.nlevels} levels (a MultiIndex)",
            where=name,
            help='give every column one name, such as df.columns = ["_".join(c) for c in df.columns]',
        )
    check_names(list(data.columns), name, "rename them, such as df.columns = df.columns.astype(str)")
    _check_index(pd, data, name)
    dtypes = {column: data.dtypes.iloc[at] for at, column in enumerate(data.columns)}
    source = _to_arrow(pd, _split(pd, data) if is_release else data, name)
    # Whoever read the table let pandas find most of its dtypes: one missing cell makes decimals of whole numbers.
    return Opened(source, name, lambda table, intervals: back(table, intervals, dtypes), len(data), typed_by_values=True)


def _check_index(pd: Any, data: Any, name: str) -> None:
    """Row numbers are left behind. Anything else in an index is data that no role was given to."""
    index = data.index
    if isinstance(index, pd.MultiIndex):
        raise InputError(
            f"the rows of {name} are named by {index.nlevels} levels (a MultiIndex), which have no role",
            where=name,
            help="make columns of them, which get roles: df.reset_index(); or leave them behind: df.reset_index(drop=True)",
        )
    if index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        return
    called = f" ('{index.name}')" if index.name is not None else ""
    raise InputError(
        f"the index of {name}{called} is more than row numbers, and has no role",
        where=name,
        help="make a column of it, which gets a role: df.reset_index(); or leave it behind: df.reset_index(drop=True)",
    )


def _to_arrow(pd: Any, data: Any, name: str) -> Any:
    """Column by column, so that a message can say which one it is; messages of pyarrow show cells."""
    pa = _pyarrow.module()
    columns, fields = [], []
    for at, column in enumerate(data.columns):
        series = data.iloc[:, at]
        _check_dtype(pd, series, column, name)
        array = _array(pd, pa, series)
        if array is None:
            # Outside of what caught pyarrow's own error, which holds cells.
            raise _objects(series, column, name)
        columns.append(array)
        fields.append(pa.field(column, array.type))
    return pa.table(columns, schema=pa.schema(fields))


def _array(pd: Any, pa: Any, series: Any) -> Any:
    """The cells as Arrow, in types that do not depend on single ones; none where they are no values."""
    try:
        array = pa.Array.from_pandas(series)
        if pa.types.is_decimal(array.type) and not isinstance(series.dtype, pd.ArrowDtype):
            # As many digits as there can be: how many somebody needs is somebody's.
            return array.cast(pa.decimal128(38, array.type.scale))
        if series.dtype == object and pa.types.is_timestamp(array.type) and array.type.tz is not None:
            return array.cast(pa.timestamp("us", "UTC"))
        return array
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None


def _check_dtype(pd: Any, series: Any, column: str, name: str) -> None:
    dtype = series.dtype
    odd = {"period": "months or other periods", "interval": "intervals", "complex": "complex numbers", "sparse": "sparse values"}
    # The dtype of categories, where these are intervals or periods.
    inner = dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype
    kind = next((words for start, words in odd.items() if str(inner).lower().startswith(start)), None)
    if kind is not None:
        way = "df[{0!r}].sparse.to_dense()" if kind.startswith("sparse") else "df[{0!r}].astype(str)"
        raise InputError(
            f"column '{column}' holds {kind}",
            where=f"{name}, column '{column}'",
            help=f"make plain values of them, such as df[{column!r}] = {way.format(column)}",
        )
    if dtype == object:
        kinds = _kinds(series)
        if (len(kinds) > 1 and not kinds <= {"int", "float"}) or kinds & _NESTED:
            raise _objects(series, column, name)


# Names of keys are somebody's, and so are lengths.
_NESTED = {"dict", "list", "tuple", "set", "frozenset", "ndarray"}


def _kinds(series: Any) -> set[str]:
    """The types of what a column of objects holds, all of it: pyarrow makes one of two that are near each other."""
    return {one.__qualname__ for one in set(map(type, series.dropna().to_numpy(dtype=object)))}


def _objects(series: Any, column: str, name: str) -> InputError:
    kinds = sorted(_kinds(series)) if series.dtype == object else [str(series.dtype)]
    what = f"objects of different types ({', '.join(kinds)})" if len(kinds) > 1 else f"objects that are no values ({', '.join(kinds)})"
    return InputError(
        f"column '{column}' holds {what}",
        where=f"{name}, column '{column}'",
        help=f"make texts of them, such as df[{column!r}] = df[{column!r}].astype('string'), or leave the column out",
    )


def back(table: _kohort.Table, intervals: Sequence[str], dtypes: dict[str, Any]) -> Any:
    """The release with the dtypes that columns had, where their cells still can have them."""
    import pandas as pd

    made = _pyarrow.arrow(table)
    shown = {one for name in made.column_names for one in (name, _base(name))}
    style = _style(pd, {name: dtype for name, dtype in dtypes.items() if name in shown})
    columns = {
        name: _series(pd, made[name], dtypes.get(name, dtypes.get(_base(name))), style) for name in made.column_names
    }
    for one in paired(made.column_names, intervals):
        both = _intervals(pd, made[f"{one}_min"], made[f"{one}_max"])
        columns = {
            one if name == f"{one}_min" else name: both if name == f"{one}_min" else old
            for name, old in columns.items()
            if name != f"{one}_max"
        }
    return pd.DataFrame(columns, copy=False) if columns else pd.DataFrame(index=range(made.num_rows))


def _base(name: str) -> str:
    """The column whose bound this is."""
    return name[:-4] if name.endswith(("_min", "_max")) else name


def _style(pd: Any, dtypes: dict[str, Any]) -> str:
    """How the frame keeps its texts: new texts of the release are kept alike."""
    kinds = [type(dtype).__name__ for dtype in dtypes.values()]
    if kinds.count("ArrowDtype") > len(kinds) / 2:
        return "arrow"
    plain = sum(hasattr(dtype, "kind") and type(dtype).__module__.startswith("numpy") for dtype in dtypes.values())
    return "nullable" if kinds and not plain and "ArrowDtype" not in kinds and _has_nullable(pd, dtypes) else "plain"


def _has_nullable(pd: Any, dtypes: dict[str, Any]) -> bool:
    return any(_is_masked(pd, dtype) for dtype in dtypes.values())


def _is_masked(pd: Any, dtype: Any) -> bool:
    return str(dtype) in _NULLABLE or (isinstance(dtype, pd.StringDtype) and getattr(dtype, "na_value", pd.NA) is pd.NA)


_NULLABLE = {"boolean", "Float32", "Float64", *(f"{u}Int{n}" for u in ("", "U") for n in (8, 16, 32, 64))}


def _series(pd: Any, column: Any, was: Any, style: str) -> Any:
    import pyarrow as pa

    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if isinstance(was, pd.ArrowDtype) or (was is None and style == "arrow"):
        kept = column
        if was is not None and is_text and _pyarrow._is_text(pa, was.pyarrow_dtype):
            kept = column.cast(was.pyarrow_dtype)
        elif was is not None and pa.types.is_dictionary(was.pyarrow_dtype):
            kept = _pyarrow._typed(pa, column, was.pyarrow_dtype)
        return pd.Series(pd.arrays.ArrowExtensionArray(kept))
    if isinstance(was, pd.CategoricalDtype):
        return _categories(pd, column, was)
    if is_text:
        return _texts(pd, column, was, style)
    return _numbers(pd, column, was, style)


def _texts(pd: Any, column: Any, was: Any, style: str) -> Any:
    if isinstance(was, pd.StringDtype):
        return pd.Series(column.to_pandas(), dtype=was)
    if style == "nullable":
        return pd.Series(column.to_pandas(), dtype="string")
    if was == object:
        return pd.Series(column.to_numpy(zero_copy_only=False), dtype=object)
    return pd.Series(column.to_pandas())


def _numbers(pd: Any, column: Any, was: Any, style: str) -> Any:
    """Numbers, days, times and truth values. Whole numbers stay whole where some are missing."""
    import pyarrow as pa

    nullable = {str(one): one for one in _NULLABLE}
    if was is not None and str(was) in nullable and not pa.types.is_floating(column.type):
        return _masked(pd, column)
    whole = pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)
    if (whole and column.null_count) or style == "nullable" and (whole or pa.types.is_floating(column.type)):
        return _masked(pd, column)
    series = column.to_pandas()
    if was is not None and series.dtype != was and series.dtype.kind == getattr(was, "kind", None):
        # Another width of the same numbers, another unit of the same times; ends of a grid may lie beyond them.
        narrow = series.astype(was)
        return narrow if (narrow == series).all() else series
    return series


def _masked(pd: Any, column: Any) -> Any:
    """With a dtype of pandas that has missing values of its own."""
    import pyarrow as pa

    of = {
        pa.bool_(): pd.BooleanDtype(), pa.float32(): pd.Float32Dtype(), pa.float64(): pd.Float64Dtype(),
        pa.int8(): pd.Int8Dtype(), pa.int16(): pd.Int16Dtype(), pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype(),
        pa.uint8(): pd.UInt8Dtype(), pa.uint16(): pd.UInt16Dtype(), pa.uint32(): pd.UInt32Dtype(), pa.uint64(): pd.UInt64Dtype(),
    }
    return column.to_pandas(types_mapper=of.get)


def _categories(pd: Any, column: Any, was: Any) -> Any:
    """Categories are those that are released: the others would tell of rows that are not."""
    values = column.to_pandas()
    there = set(values.dropna().unique())
    known = [one for one in was.categories if one in there]
    rest = sorted(there - set(known))
    if was.ordered and not rest:
        return pd.Series(pd.Categorical(values, categories=known, ordered=True))
    return pd.Series(pd.Categorical(values, categories=sorted(there)))


def _intervals(pd: Any, low: Any, high: Any) -> Any:
    """Intervals with both ends, missing where a row shows nothing."""
    import pyarrow as pa

    if pa.types.is_date(low.type):
        low, high = low.cast(pa.timestamp("s")), high.cast(pa.timestamp("s"))
    left, right = low.to_pandas(), high.to_pandas()
    return pd.Series(pd.arrays.IntervalArray.from_arrays(left, right, closed="both"))


def _end(pd: Any, values: Any) -> Any:
    """Ends of intervals as they were released: pandas has no intervals of days, and none of whole numbers with missing ones."""
    ends = pd.Series(values)
    there = ends.dropna()
    if ends.dtype.kind == "M" and ends.dt.tz is None and (there == there.dt.normalize()).all():
        return ends.dt.date
    if ends.dtype.kind == "f" and (there == there.round()).all() and (there.abs() < 2**53).all():
        return ends.astype("Int64")
    return ends


def _split(pd: Any, frame: Any) -> Any:
    """Columns of intervals, as two columns of bounds."""
    columns = {}
    for at, name in enumerate(frame.columns):
        series = frame.iloc[:, at]
        if isinstance(series.dtype, pd.IntervalDtype):
            if series.dtype.closed != "both":
                raise InputError(
                    f"column '{name}' has intervals that are {series.dtype.closed}-closed",
                    where=f"column '{name}'",
                    help="give intervals with both ends (closed='both'), or texts such as [20, 30[",
                )
            columns[f"{name}_min"] = _end(pd, series.array.left)
            columns[f"{name}_max"] = _end(pd, series.array.right)
        else:
            columns[name] = series.array
    return pd.DataFrame(columns)
