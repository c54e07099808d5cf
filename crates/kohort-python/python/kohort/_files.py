"""Files appear whole or not at all."""

from __future__ import annotations

import os
import tempfile


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


def file_name(column: str, ending: str) -> str:
    """A name for the file of a column: no part of a column's name is a folder."""
    plain = "".join(c if c.isalnum() or c in "-_ ." else "_" for c in column).strip(". ")
    return (plain or "column") + ending
