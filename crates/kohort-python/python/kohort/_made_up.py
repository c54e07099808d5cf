"""Tables to try things on."""

from __future__ import annotations

from typing import Any

from . import _kohort
from ._hierarchy import Hierarchy


class MadeUp:
    """A made-up table, the trees that go with it, and what its columns are."""

    def __init__(self, table: _kohort.Table, hierarchies: dict[str, Hierarchy], roles: dict[str, str]) -> None:
        self.table = table
        self.hierarchies = hierarchies
        self.roles = roles

    def to_pandas(self) -> Any:
        """The rows as a frame of pandas."""
        return self.table.to_pandas()

    def to_polars(self) -> Any:
        """The rows as a frame of polars."""
        return self.table.to_polars()

    def to_arrow(self) -> Any:
        """The rows as a table of pyarrow."""
        return self.table.to_arrow()

    def __repr__(self) -> str:
        return f"<kohort.MadeUp: {self.table.num_rows:,} rows, columns {', '.join(self.roles)}>"


def generate(name: str = "hospital", *, rows: int = 5000, seed: int = 1) -> MadeUp:
    """A made-up table: `"hospital"`, `"census"`, or one of the papers' (`kohort.list()["tables"]`).

    >>> people = kohort.generate("hospital", rows=300)
    >>> people.roles["diagnosis"]
    'sensitive'
    >>> people.hierarchies["postcode"].height
    3
    """
    table, trees, roles = _kohort.generate(name, rows, seed)
    return MadeUp(table, {column: Hierarchy._of_tree(tree) for column, tree in trees.items()}, dict(roles))
