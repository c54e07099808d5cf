"""What the values of a column become, step by step."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _kohort
from ._errors import InputError, JobError
from ._frames import open_frame


class Hierarchy:
    """A tree of labels, or a recipe by which one is built from the values of a column when a job runs.

    A tree is made of nested dictionaries (from the top), of one path per value (from the value up), or read from a file:

    >>> tree = kohort.Hierarchy({"Europe": {"Austria": ["Graz", "Wien"], "France": ["Lyon"]}, "Asia": ["Osaka"]})
    >>> tree.path("Wien")
    ['Wien', 'Austria', 'Europe', '*']
    >>> kohort.Hierarchy([["10013", "100**", "*"], ["10021", "100**", "*"]]).path("10021")
    ['10021', '100**', '*']

    A recipe becomes a tree with :meth:`of`:

    >>> kohort.Hierarchy.mask(2).of(["10013", "10021"]).path("10013")
    ['10013', '1001*', '100**', '*']
    """

    RECIPES = {"file", "mask", "levels", "ranges", "origin", "balanced", "dates", "public"}

    recipe: Any
    """What a job file says; none where the tree is here."""

    def __init__(self, tree: Mapping[str, Any] | Iterable[Sequence[str]], *, name: str = "hierarchy") -> None:
        paths = list(_from_top(tree)) if isinstance(tree, Mapping) else [[str(label) for label in path] for path in tree]
        self._tree: _kohort.Tree | None = _kohort.Tree.from_paths(name, paths)
        self.recipe = None

    @classmethod
    def _of_tree(cls, tree: _kohort.Tree) -> Hierarchy:
        made = cls.__new__(cls)
        made._tree, made.recipe = tree, None
        return made

    @classmethod
    def _of_recipe(cls, recipe: Any) -> Hierarchy:
        made = cls.__new__(cls)
        made._tree, made.recipe = None, recipe
        return made

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, name: str | None = None) -> Hierarchy:
        """A file of ARX, anjana (CSV), Amnesia (text) or mosaicrown (JSON)."""
        stem = os.path.splitext(os.path.basename(os.fspath(path)))[0]
        return cls._of_tree(_kohort.Tree.read(os.fspath(path), name or stem))

    @classmethod
    def mask(cls, levels: int, side: str = "right") -> Hierarchy:
        """Hides one character more per level, from the right or the left: `10013`, `1001*`, `100**`."""
        if side not in ("right", "left"):
            raise JobError("side was given something else than an end", where="side", help="give 'right' or 'left'")
        return cls._of_recipe({"mask": side, "levels": _whole("levels", levels)})

    @classmethod
    def ranges(cls, *widths: float, origin: float = 0) -> Hierarchy:
        """Nested ranges of these widths, from fine to coarse: `kohort.Hierarchy.ranges(5, 10, 20)`."""
        return cls._of_recipe({"ranges": [float(width) for width in widths], "origin": float(origin)})

    @classmethod
    def dates(cls, levels: str) -> Hierarchy:
        """Levels of the calendar, from fine to coarse: `"day/month/quarter/year"`, `"hour/day/month"`."""
        return cls._of_recipe({"dates": levels})

    @classmethod
    def balanced(cls, groups: int) -> Hierarchy:
        """Groups of about equally many rows, and those again. Its labels tell about the table."""
        return cls._of_recipe({"balanced": _whole("groups", groups)})

    @classmethod
    def public(cls, name: str) -> Hierarchy:
        """Public facts: `"countries"`, `"us-states"`, `"icd-10"`, `"isco-08"`, `"education"`, `"marital-status"`."""
        return cls._of_recipe({"public": name})

    @classmethod
    def from_columns(cls, data: Any, columns: Sequence[str]) -> Hierarchy:
        """The tree that stands in a table: the column first, then what lies above it, from fine to coarse."""
        opened = open_frame(data, "data")
        return cls._of_tree(_kohort.Tree.from_columns(opened.source, [str(one) for one in columns]))

    @property
    def tree(self) -> _kohort.Tree:
        """The tree as the native half has it."""
        if self._tree is None:
            raise JobError(
                "a recipe is no tree yet", help="build it from values with .of(values), or give it to a job as it is"
            )
        return self._tree

    def of(self, values: Any, *, name: str = "hierarchy") -> Hierarchy:
        """The tree that the recipe builds of these values: a list, a series, anything that can be iterated."""
        if self.recipe is None:
            return self
        if hasattr(values, "to_frame"):
            # A column of a frame: its cells as a job reads them.
            frame = values.to_frame("value")
            opened = open_frame(frame.reset_index(drop=True) if hasattr(frame, "reset_index") else frame, "values")
            return self._of_tree(_kohort.Tree.build_of(json.dumps(self.recipe), name, opened.source, "value"))
        counts: dict[str, int] = {}
        for value in values:
            text = "" if value is None or value != value else str(value)
            counts[text] = counts.get(text, 0) + 1
        return self._of_tree(_kohort.Tree.build(json.dumps(self.recipe), name, list(counts.items())))

    def paths(self) -> list[list[str]]:
        """One path per value, from the value to the root."""
        return self.tree.paths()

    def path(self, value: str) -> list[str]:
        """What one value becomes, step by step."""
        for path in self.tree.paths():
            if path[0] == value:
                return path
        raise InputError("the value is not in the hierarchy", help="see .values")

    @property
    def values(self) -> list[str]:
        """The values that it knows."""
        return [path[0] for path in self.tree.paths()]

    @property
    def height(self) -> int:
        """How many steps it is from a value to the root, at most."""
        return self.tree.height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the tree: `.csv` (ARX, anjana), `.txt` (Amnesia) or `.json` (mosaicrown)."""
        self.tree.save(os.fspath(path))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        if self.recipe is not None or other.recipe is not None:
            return bool(self.recipe == other.recipe)
        return self.paths() == other.paths()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.recipe, None if self.recipe is not None else self.paths()))

    def __repr__(self) -> str:
        if self.recipe is not None:
            return f"<kohort.Hierarchy: {self.recipe}>"
        return f"<kohort.Hierarchy: {self.tree.leaf_count} values, {self.tree.height} levels above them>"


def _again(recipe: Any, paths: list[list[str]] | None) -> Hierarchy:
    return Hierarchy._of_recipe(recipe) if paths is None else Hierarchy(paths)


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise JobError(f"{name} is no whole number", where=name, help="give a whole number of at least 1")
    return int(value)


def _from_top(tree: Mapping[str, Any], above: tuple[str, ...] = ("*",)) -> Iterable[list[str]]:
    for label, below in tree.items():
        path = (str(label), *above)
        if isinstance(below, Mapping):
            yield from _from_top(below, path)
        elif below is None or isinstance(below, str) and not below:
            yield list(path)
        elif isinstance(below, str):
            yield [below, *path]
        else:
            for leaf in below:
                yield [str(leaf), *path]
