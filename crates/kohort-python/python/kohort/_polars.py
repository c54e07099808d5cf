"""Frames of polars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _kohort
from ._errors import InputError
from ._frames import Opened, paired


def open_frame(data: Any, name: str, is_release: bool) -> Opened:
    import polars as pl

    if isinstance(data, pl.LazyFrame):
        raise InputError(
            f"{name} is a LazyFrame, whose rows are not there yet",
            where=name,
            help="collect them first, such as lazy.collect(), and call .lazy() on the result where you need it",
        )
    if not isinstance(data, pl.DataFrame):
        raise InputError(
            f"{name} is no table but polars.{type(data).__qualname__}", where=name, help="give a polars.DataFrame"
        )
    objects = [one for one, kind in data.schema.items() if kind == pl.Object]
    if objects:
        raise InputError(
            "columns hold Python objects: " + ", ".join(f"'{one}'" for one in objects),
            where=name,
            help="cast them to texts or numbers, or leave them out with df.drop(...)",
        )
    wide = [one for one, kind in data.schema.items() if str(kind) in ("Int128", "UInt128")]
    if wide:
        raise InputError(
            "columns hold whole numbers of 128 bits: " + ", ".join(f"'{one}'" for one in wide),
            where=name,
            help="cast them to Int64, or to texts where they are codes",
        )
    schema = dict(data.schema)
    # Older and newer versions hand columns without any value over in different ways, some of them broken.
    data = data.with_columns([pl.col(one).cast(pl.String) for one, kind in schema.items() if kind == pl.Null])
    source = _split(pl, data) if is_release else data
    return Opened(_Stream(source), name, lambda table, intervals: back(table, intervals, schema), data.height)


class _Stream:
    """The Arrow stream of a frame. Older versions of polars must be told that no schema is wanted."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self.frame.__arrow_c_stream__(requested_schema)


def back(table: _kohort.Table, intervals: Sequence[str], schema: dict[str, Any]) -> Any:
    """The release with the types that columns had, where their cells still can have them."""
    import polars as pl

    made = _frame(pl, table)
    made = made.with_columns(
        [one for name in made.columns if (one := _typed(pl, made[name], schema.get(name))) is not None]
    )
    for one in paired(made.columns, intervals):
        low, high = pl.col(f"{one}_min"), pl.col(f"{one}_max")
        both = pl.struct(low.alias("min"), high.alias("max"))
        made = made.with_columns(
            pl.when(low.is_null() & high.is_null()).then(None).otherwise(both).alias(f"{one}_min")
        ).drop(f"{one}_max")
        made = made.rename({f"{one}_min": one})
    return made


def _frame(pl: Any, table: _kohort.Table) -> Any:
    try:
        return pl.DataFrame(table)
    except TypeError:
        # Older versions take what they know by name.
        from . import _pyarrow

        return pl.from_arrow(_pyarrow.arrow(table))


def _typed(pl: Any, column: Any, was: Any) -> Any:
    """A column with its former type; nothing where there is nothing to change."""
    if was is None or column.dtype == was or column.dtype != pl.String:
        return None
    if isinstance(was, pl.Enum) or was == pl.Enum:
        # Values of rows that are not released are no part of the type.
        there = set(column.drop_nulls().unique())
        known = [one for one in was.categories if one in there]
        return column.cast(pl.Enum(known + sorted(there - set(known))))
    if was == pl.Categorical:
        return column.cast(pl.Categorical)
    return None


def _split(pl: Any, frame: Any) -> Any:
    """Columns of two bounds, as two columns."""
    for name, kind in frame.schema.items():
        if isinstance(kind, pl.Struct) and [one.name for one in kind.fields] == ["min", "max"]:
            frame = frame.with_columns(
                pl.col(name).struct.field("min").alias(f"{name}_min"),
                pl.col(name).struct.field("max").alias(f"{name}_max"),
            ).drop(name)
    return frame
