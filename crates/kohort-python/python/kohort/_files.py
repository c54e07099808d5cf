"""Files appear whole or not at all."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._hierarchy import Hierarchy


def write_private(path: str, text: str) -> None:
    """Writes a text that nobody else may read, under another name first."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, draft = tempfile.mkstemp(dir=folder, prefix=".kohort-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def save_trees(folder: str, trees: Mapping[str, Hierarchy]) -> dict[str, str]:
    """Writes trees into a folder that nobody else may look into: they can hold every value of a table. Their file names."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    names = file_names(trees, ".csv")
    for column, tree in trees.items():
        place = os.path.join(folder, names[column])
        tree.save(place)
        os.chmod(place, 0o600)
    return names


def file_names(columns: Iterable[str], ending: str) -> dict[str, str]:
    """Names for the files of columns: no part of a column's name is a folder, and no two columns share a file."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for column in columns:
        plain = "".join(c if c.isalnum() or c in "-_ ." else "_" for c in column).strip(". ") or "column"
        numbers = (f"{plain}-{n}" if n > 1 else plain for n in itertools.count(1))
        # Some file systems do not tell capitals from small letters.
        names[column] = next(one for one in numbers if one.lower() not in taken)
        taken.add(names[column].lower())
    return {column: name + ending for column, name in names.items()}
