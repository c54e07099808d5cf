"""The keyword arguments of a job, and how they become the library's own data."""

from __future__ import annotations

import datetime
import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Union, cast

from . import _kohort
from ._errors import JobError, unknown_argument
from ._help import HELP, Words, paragraph
from ._hierarchy import Hierarchy

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

Columns: TypeAlias = "Union[str, Sequence[str]]"
"""One column or several."""

Number: TypeAlias = "Union[int, float]"

Demand: TypeAlias = "Union[int, float, str, Sequence[Union[int, float, str]]]"
"""One demand or several; `"0.5@diagnosis"` asks it of one column alone."""

Effort: TypeAlias = "Union[bool, int, float, str, datetime.timedelta]"
"""On or off, or a time: seconds, `"30s"`, a `timedelta`."""

Trees: TypeAlias = "Union[str, os.PathLike[str], Mapping[str, Union[Hierarchy, str, os.PathLike[str], Mapping[str, Any]]]]"
"""A folder with one file per column, or what each column climbs: a `Hierarchy`, a file, calendar levels such as `"month/year"`."""


class Options(TypedDict, total=False):
    """What a job may say. All of it has the name it has in a job file and on the command line."""

    identifiers: Columns
    person: Columns
    rows_are_people: bool
    quasi_identifiers: Columns
    qi: Columns
    sensitive: Columns
    keep: Columns
    drop: Columns
    rest: str
    hierarchies: Trees
    k: int
    p: int
    l_diversity: Demand
    t_closeness: Demand
    alpha: Demand
    beta_likeness: Demand
    delta_disclosure: Demand
    notion: str
    suppress: Number | str
    opt_out: str | Mapping[str, Any]
    type: Mapping[str, str]
    date_format: Mapping[str, Columns]
    decimal: Mapping[str, str]
    max_generalization: Mapping[str, Columns]
    max_width: Mapping[str, Number]
    cuts: Mapping[str, Number | str | Sequence[Number | str]]
    protected: Mapping[str, Columns]
    weight: Mapping[str, Number]
    columns: Mapping[str, Mapping[str, Any]]
    missing: str
    missing_sensitive: str
    na: Columns
    intervals: str
    snap: Mapping[str, Number | str]
    suppressed: str
    keep_order: bool
    algorithm: str
    settings: Mapping[str, Any]
    distance: Number
    measure: str
    beta: Number
    levels: Mapping[str, int]
    block_rows: int
    refine: Effort
    refine_steps: int
    bound: Effort
    time_limit: Number | str | datetime.timedelta
    seed: int
    threads: int
    publish_counts: bool
    refuse_risky: bool
    encoding: str
    comment: str
    sheet: str
    query: str


NAMES: list[str] = list(Options.__annotations__)

# Arguments that are dictionaries by column become what the job says about these columns.
_BY_COLUMN = {
    "type": "type",
    "date_format": "date_format",
    "decimal": "decimal",
    "max_generalization": "max_generalization",
    "max_width": "max_width",
    "cuts": "cuts",
    "protected": "protected",
    "weight": "weight",
}
_LISTS = {
    "identifiers": "identifier",
    "person": "person",
    "qi": "qi",
    "sensitive": "sensitive",
    "keep": "keep",
    "drop": "drop",
    "na": "na",
}
_LISTS_OF_A_COLUMN = {"date_format", "max_generalization", "cuts", "protected"}
_EFFORTS = {"refine", "bound"}

# Python alone: intervals as objects are made of bounds.
OBJECTS = "objects"
_INTERVALS = ("text", "bounds", "midpoint", OBJECTS)


class Asked:
    """A job as the native half takes it, with the trees that are not in it, and what only Python knows."""

    def __init__(self, job: _kohort.Job, trees: dict[str, Hierarchy], intervals: str | None) -> None:
        self.job = job
        self.trees = trees
        self.intervals = intervals

    def native_trees(self) -> dict[str, _kohort.Tree]:
        """The trees that are there already; recipes are part of the job."""
        return {column: tree.tree for column, tree in self.trees.items()}

    def over(self, below: Asked) -> Asked:
        """This put over another one."""
        return Asked(below.job.overridden_by(self.job), {**below.trees, **self.trees}, self.intervals or below.intervals)


def asked(options: Mapping[str, Any], function: str = "anonymize") -> Asked:
    """Makes a job of keyword arguments. `None` is the same as nothing said."""
    for name in options:
        if name not in Options.__annotations__:
            raise unknown_argument(function, name, NAMES)
    given = {name: value for name, value in options.items() if value is not None}
    if "quasi_identifiers" in given:
        if "qi" in given:
            raise JobError(
                "quasi-identifiers were named twice",
                where="quasi_identifiers, qi",
                help="use one of them: qi is short for quasi_identifiers",
            )
        given["qi"] = given.pop("quasi_identifiers")
    spec: dict[str, Any] = {}
    columns: dict[str, dict[str, Any]] = {}
    trees: dict[str, Hierarchy] = {}
    intervals = None
    for name, value in given.items():
        if name in _LISTS:
            spec[_LISTS[name]] = _list(name, value)
        elif name in _BY_COLUMN:
            for column, entry in _mapping(name, value).items():
                one = [entry] if name in _LISTS_OF_A_COLUMN and _is_single(entry) else entry
                columns.setdefault(_column(name, column), {})[_BY_COLUMN[name]] = _plain(name, one)
        elif name == "columns":
            for column, entry in _mapping(name, value).items():
                _entry(_column(name, column), entry, columns, trees)
        elif name == "hierarchies":
            _hierarchies(value, spec, columns, trees)
        elif name in _EFFORTS:
            spec[name] = _effort(value)
        elif name == "time_limit":
            spec[name] = _time(value)
        elif name == "opt_out":
            spec[name] = _opt_out(value)
        elif name == "intervals":
            intervals = value
            if value not in _INTERVALS:
                raise JobError("intervals was given something else", where="intervals", help=f"give one of {', '.join(map(repr, _INTERVALS))}")
            spec[name] = "bounds" if value == OBJECTS else value
        else:
            spec[name] = _plain(name, value)
    if columns:
        spec["columns"] = columns
    return Asked(_kohort.Job.from_json(json.dumps(spec)), trees, intervals)


def _entry(
    column: str, entry: Any, columns: dict[str, dict[str, Any]], trees: dict[str, Hierarchy]
) -> None:
    """What is said of a column in the way of a job file; a hierarchy may be an object."""
    said = dict(_mapping(f"columns[{column!r}]", entry))
    tree = said.pop("hierarchy", None)
    columns.setdefault(column, {}).update({key: _plain(key, value) for key, value in said.items()})
    if tree is not None:
        _tree(column, tree, columns, trees)


def _hierarchies(
    value: Any, spec: dict[str, Any], columns: dict[str, dict[str, Any]], trees: dict[str, Hierarchy]
) -> None:
    if isinstance(value, (str, os.PathLike)):
        spec["hierarchies"] = os.fspath(value)
        return
    if not isinstance(value, Mapping):
        raise _wrong("hierarchies", value, 'a folder, or a dictionary such as {"zip": kohort.Hierarchy.mask(5)}')
    for column, tree in value.items():
        _tree(_column("hierarchies", column), tree, columns, trees)


def _tree(
    column: str, tree: Any, columns: dict[str, dict[str, Any]], trees: dict[str, Hierarchy]
) -> None:
    if isinstance(tree, Hierarchy):
        if tree.recipe is None:
            trees[column] = tree
        else:
            columns.setdefault(column, {})["hierarchy"] = tree.recipe
    elif isinstance(tree, (str, os.PathLike)):
        columns.setdefault(column, {})["hierarchy"] = os.fspath(tree)
    elif isinstance(tree, Mapping) and set(tree) <= Hierarchy.RECIPES:
        columns.setdefault(column, {})["hierarchy"] = dict(tree)
    elif isinstance(tree, Mapping):
        trees[column] = Hierarchy(tree)
    else:
        raise _wrong(
            f"hierarchies[{column!r}]", tree, "a kohort.Hierarchy, a file, calendar levels such as 'month/year', or a dictionary"
        )


def _wrong(name: str, value: Any, expected: str) -> JobError:
    return JobError(f"{name} was given {_kind(value)}", where=name, help=f"give {expected}")


def _kind(value: Any) -> str:
    """What something is, without showing it."""
    return f"an object of type {type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")


def _is_single(value: Any) -> bool:
    return isinstance(value, (str, datetime.date)) or not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0


def _list(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) or not hasattr(value, "__iter__"):
        raise _wrong(name, value, "a column name, or a list of them" if name != "na" else "a text, or a list of them")
    return [_column(name, one) for one in value]


def _column(name: str, column: Any) -> str:
    if isinstance(column, str):
        return str(column)
    if isinstance(column, (int, float)) and name == "na":
        return str(column)
    raise JobError(
        f"{name} names a column by {_kind(column)}",
        where=name,
        help="columns have names that are texts; rename those of the frame, such as df.columns = df.columns.astype(str)",
    )


def _mapping(name: str, value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(name, value, "a dictionary whose keys are columns")
    return value


def _plain(name: str, value: Any) -> Any:
    """Numbers, texts and lists of them, whatever library they come from."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(name, one) for key, one in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return _plain(name, value.item())
    if hasattr(value, "tolist"):
        return _plain(name, value.tolist())
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise JobError(f"{name} was given {value}", where=name, help="give a number")
        return int(value) if value.is_integer() and abs(value) < 2**53 else float(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(name, one) for one in (sorted(value, key=str) if isinstance(value, (set, frozenset)) else value)]
    raise _wrong(name, value, "a number, a text, or a list or dictionary of them")


def _effort(value: Any) -> str:
    value = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else value
    if isinstance(value, bool):
        return "on" if value else "off"
    return _time(value)


def _time(value: Any) -> str:
    value = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else value
    if isinstance(value, datetime.timedelta):
        value = value.total_seconds()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if not 0 <= value < 1e9:
            raise JobError(f"{value:g} seconds are no time to work", where="refine, bound, time_limit", help="give a number of seconds, such as 30, or '5m'")
        return f"{value:.3f}".rstrip("0").rstrip(".") + "s"
    return str(_plain("time_limit", value))


def _opt_out(value: Any) -> Any:
    if isinstance(value, Mapping):
        if len(value) != 1:
            raise _wrong("opt_out", value, 'one column and its value, such as {"consent": "yes"}')
        ((column, told),) = value.items()
        if "=" in str(column):
            raise JobError("the column has a '=' in its name", where="opt_out", help="rename it: the part before the first '=' is taken for the name")
        return f"{_column('opt_out', column)}={told}"
    return _plain("opt_out", value)


F = TypeVar("F", bound=Callable[..., Any])


def takes_options(function: F) -> F:
    """Shows every option in the signature, for `help()` and for editors that ask the running program."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    taken = {one.name for one in own}
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Words(HELP[name][0]))
        for name in NAMES
        if name not in taken
    ]
    front = [one for one in own if one.kind is not one.KEYWORD_ONLY]
    last = [one for one in own if one.kind is one.KEYWORD_ONLY]
    cast(Any, function).__signature__ = signature.replace(parameters=[*front, *options, *last])
    if function.__name__ == "anonymize":
        function.__doc__ = (function.__doc__ or "").rstrip() + paragraph()
    return function


__all__ = ["Asked", "Options", "asked", "takes_options"]
