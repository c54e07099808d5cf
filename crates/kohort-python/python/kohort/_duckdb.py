"""Relations of DuckDB."""

from __future__ import annotations

from typing import Any

from . import _kohort, _pyarrow
from ._errors import InputError
from ._frames import Opened, check_names


def open_frame(data: Any, name: str, is_release: bool) -> Opened:
    if not hasattr(data, "columns") or not hasattr(data, "fetchall"):
        raise InputError(
            f"{name} is no table but duckdb.{type(data).__qualname__}",
            where=name,
            help="give a relation, such as con.sql('select * from people')",
        )
    check_names(list(data.columns), name, "rename them with 'as' in the query")
    pa = _pyarrow.module()

    def back(table: _kohort.Table, intervals: Any) -> Any:
        import duckdb

        made = _pyarrow.back(table, intervals, {})
        return duckdb.from_arrow(_wide(made))

    rows = _rows(data)
    if is_release:
        rows = _pyarrow._split(pa, rows.read_all() if hasattr(rows, "read_all") else pa.table(rows))
    return Opened(rows, name, back)


def _wide(made: Any) -> Any:
    """With decimals of the widest type where some are missing: narrower ones are converted by DuckDB, which leaves old memory below
    the missing ones and hands it on as Arrow."""
    pa = _pyarrow.module()
    for at, field in enumerate(made.schema):
        if pa.types.is_decimal(field.type) and made.column(at).null_count:
            wide = pa.decimal128(38, field.type.scale)
            made = made.set_column(at, field.name, made.column(at).cast(wide))
    return made


def _rows(relation: Any) -> Any:
    """The rows in batches, whatever the version calls that."""
    for method in ("fetch_arrow_reader", "fetch_record_batch", "to_arrow_table", "fetch_arrow_table"):
        if hasattr(relation, method):
            return getattr(relation, method)()
    return relation
