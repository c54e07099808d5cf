"""Tables of pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _kohort
from ._errors import InputError
from ._frames import Opened, check_names, needs, paired


def module() -> Any:
    """pyarrow, in a version that has capsules."""
    try:
        import pyarrow
    except ImportError:
        raise needs("pyarrow", "pyarrow", "a table of this kind") from None
    if not hasattr(pyarrow.Table, "__arrow_c_stream__"):
        raise InputError(
            f"pyarrow {pyarrow.__version__} is too old to hand tables over", help="pip install 'pyarrow>=14'"
        )
    return pyarrow


def arrow(table: _kohort.Table) -> Any:
    """A table of pyarrow, without a copy."""
    pa = module()
    return pa.RecordBatchReader._import_from_c_capsule(table.__arrow_c_stream__()).read_all()


def open_frame(data: Any, name: str, is_release: bool) -> Opened:
    pa = module()
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        check_names(data.schema.names, name, "rename them, such as table.rename_columns([...])")
        types = dict(zip(data.schema.names, data.schema.types, strict=True))
        source = pa.Table.from_batches([data]) if isinstance(data, pa.RecordBatch) else data
        rows = source.num_rows
        source = _split(pa, source) if is_release else source
        return Opened(source, name, lambda table, intervals: back(table, intervals, types), rows)
    if isinstance(data, pa.RecordBatchReader):
        # It can be read only once, so what it becomes is a table.
        types = dict(zip(data.schema.names, data.schema.types, strict=True))
        return Opened(data, name, lambda table, intervals: back(table, intervals, types))
    if hasattr(data, "to_table") and hasattr(data, "scanner"):
        raise InputError(f"{name} is a dataset whose rows are not read yet", where=name, help="read them, such as dataset.to_table()")
    raise InputError(
        f"{name} is no table but pyarrow.{type(data).__qualname__}", where=name, help="give a pyarrow.Table"
    )


def back(table: _kohort.Table, intervals: Sequence[str], types: dict[str, Any]) -> Any:
    """The release with the types that columns had, where their cells still can have them."""
    pa = module()
    made = arrow(table)
    columns = {name: _typed(pa, made[name], types.get(name)) for name in made.column_names}
    for one in paired(made.column_names, intervals):
        low, high = columns[f"{one}_min"], columns.pop(f"{one}_max")
        both = pa.StructArray.from_arrays(
            [low.combine_chunks(), high.combine_chunks()], names=["min", "max"], mask=low.is_null().combine_chunks()
        )
        columns = {one if name == f"{one}_min" else name: both if name == f"{one}_min" else old for name, old in columns.items()}
    return pa.table(columns)


def _typed(pa: Any, column: Any, was: Any) -> Any:
    """Texts stay in the form texts had, dictionaries are made anew of what is released."""
    if was is None or column.type == was:
        return column
    inner = was.value_type if pa.types.is_dictionary(was) else was
    if _is_text(pa, inner) and _is_text(pa, column.type):
        column = column.cast(inner)
    elif not _is_text(pa, column.type) and column.type != inner:
        return column
    return _sorted_dictionary(pa, column) if pa.types.is_dictionary(was) else column


def _sorted_dictionary(pa: Any, column: Any) -> Any:
    """Encoded with the values in order: an order of their own could tell of rows that are not released."""
    import pyarrow.compute as pc

    there = [one for one in column.unique().to_pylist() if one is not None]
    values = pa.array(sorted(there), column.type)
    indices = pc.index_in(column, value_set=values)
    chunks = indices.chunks if isinstance(indices, pa.ChunkedArray) else [indices]
    return pa.chunked_array(
        [pa.DictionaryArray.from_arrays(one, values) for one in chunks],
        type=pa.dictionary(pa.int32(), values.type),
    )


def _is_text(pa: Any, one: Any) -> bool:
    views = hasattr(pa.types, "is_string_view") and pa.types.is_string_view(one)
    return bool(pa.types.is_string(one) or pa.types.is_large_string(one) or views)


def _split(pa: Any, table: Any) -> Any:
    """Columns of two bounds, as two columns."""
    import pyarrow.compute as pc

    columns = {}
    for name in table.column_names:
        column = table[name]
        fields = [one.name for one in column.type] if pa.types.is_struct(column.type) else []
        if fields == ["min", "max"]:
            columns[f"{name}_min"], columns[f"{name}_max"] = (pc.struct_field(column, at) for at in (0, 1))
        else:
            columns[name] = column
    return pa.table(columns)
