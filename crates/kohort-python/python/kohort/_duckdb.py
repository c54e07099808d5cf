"""Relations of DuckDB."""

from __future__ import annotations

from typing import Any

from . import _kohort, _pyarrow
from ._errors import InputError
from ._frames import Opened, check_names


def open_frame(data: Any, name: str) -> Opened:
    if not hasattr(data, "columns") or not hasattr(data, "fetchall"):
        raise InputError(
            f"{name} is no table but duckdb.{type(data).__qualname__}",
            where=name,
            help="give a relation, such as con.sql('select * from people')",
        )
    check_names(list(data.columns), name, "rename them with 'as' in the query")
    _pyarrow.module()

    def back(table: _kohort.Table, intervals: Any) -> Any:
        import duckdb

        made = _pyarrow.back(table, intervals, {})
        return duckdb.from_arrow(made)

    return Opened(_rows(data), name, back)


def _rows(relation: Any) -> Any:
    """The rows in batches, whatever the version calls that."""
    for method in ("fetch_arrow_reader", "fetch_record_batch", "to_arrow_table", "fetch_arrow_table"):
        if hasattr(relation, method):
            return getattr(relation, method)()
    return relation
