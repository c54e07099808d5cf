"""Tables on their way in and out: which library a frame is of, and how the release becomes one of the same kind.

Nothing is imported that the caller has not imported already: a frame tells by its type where it is from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _kohort
from ._errors import InputError


@dataclass
class Opened:
    """A table as the native half reads it, and the way back."""

    source: Any
    """A path, or something with an Arrow stream."""
    name: str
    """What messages call it."""
    back: Callable[[_kohort.Table, Sequence[str]], Any]
    """Makes a frame of the same kind of a release; pairs of columns of these names become intervals."""
    rows: int | None = None
    typed_by_values: bool = False
    """Whether its types were found from all values, so that they may tell of single ones."""


def open_frame(data: Any, name: str, *, is_release: bool = False) -> Opened:
    """Opens whatever holds a table. A release may have intervals as objects."""
    if isinstance(data, (str, os.PathLike)):
        return Opened(os.fspath(data), name, lambda table, intervals: table)
    if isinstance(data, _kohort.Table):
        return Opened(data, name, lambda table, intervals: table)
    match _library(data):
        case "pandas":
            from . import _pandas

            return _pandas.open_frame(data, name, is_release)
        case "polars":
            from . import _polars

            return _polars.open_frame(data, name, is_release)
        case "pyarrow":
            from . import _pyarrow

            return _pyarrow.open_frame(data, name, is_release)
        case "duckdb":
            from . import _duckdb

            return _duckdb.open_frame(data, name, is_release)
        case "pyspark":
            raise InputError(
                f"{name} is a Spark DataFrame, whose rows lie on other machines",
                where=name,
                help="bring the rows here where they fit into memory, such as df.toArrow() or df.toPandas()",
            )
    if hasattr(data, "__arrow_c_stream__"):
        return Opened(data, name, lambda table, intervals: table)
    raise InputError(
        f"{name} is no table but an object of type {_type(data)}",
        where=name,
        help="give a frame of pandas, polars, pyarrow or DuckDB, anything else with an Arrow stream, or the path of a file"
        + (", such as pandas.DataFrame(data)" if isinstance(data, (dict, list, tuple)) or _library(data) == "numpy" else ""),
    )


def _library(data: Any) -> str:
    """The library that defines the type, or one that it is derived from: of pandas are also the frames of geopandas."""
    known = {"pandas", "polars", "pyarrow", "duckdb", "_duckdb", "pyspark", "numpy"}
    homes = [one.__module__.partition(".")[0] for one in type(data).__mro__]
    home = next((one for one in homes if one in known), homes[0])
    return home.lstrip("_")


def _type(data: Any) -> str:
    one = type(data)
    return one.__qualname__ if one.__module__ == "builtins" else f"{one.__module__}.{one.__qualname__}"


def needs(library: str, extra: str, what: str) -> InputError:
    """Says what to install."""
    return InputError(f"{what} takes {library}, which is not installed", help=f"pip install 'kohort[{extra}]'")


def check_names(names: Sequence[Any], shown: str, rename: str) -> None:
    """Columns are asked for by their names, so these must be texts, and differ."""
    odd = [one for one in names if not isinstance(one, str)]
    if odd:
        kinds = ", ".join(sorted({type(one).__qualname__ for one in odd}))
        raise InputError(
            f"{len(odd)} of {len(names)} columns have names that are no texts ({kinds})", where=shown, help=rename
        )
    twice = sorted({one for one in names if list(names).count(one) > 1})
    if twice:
        raise InputError(
            "columns share a name: " + ", ".join(f"'{one}'" for one in twice),
            where=shown,
            help="rename or drop one of them, so that a role can be said of each",
        )


def paired(names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Those of the columns that the release has as two columns of bounds."""
    there = set(names)
    return [one for one in columns if one not in there and {f"{one}_min", f"{one}_max"} <= there]


def to_pandas(table: _kohort.Table) -> Any:
    """The table as a pandas frame."""
    from . import _pandas

    return _pandas.back(table, (), {})


def to_polars(table: _kohort.Table) -> Any:
    """The table as a polars frame."""
    from . import _polars

    return _polars.back(table, (), {})


def to_arrow(table: _kohort.Table) -> Any:
    """The table as one of pyarrow."""
    from . import _pyarrow

    return _pyarrow.arrow(table)
