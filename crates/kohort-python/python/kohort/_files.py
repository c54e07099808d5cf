"""Files appear whole or not at all."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterable


def write_whole(path: str, text: str) -> None:
    """Writes a text under another name first."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, draft = tempfile.mkstemp(dir=folder, prefix=".kohort-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(draft, 0o666 & ~umask)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


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
