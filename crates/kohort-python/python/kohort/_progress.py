"""How far the work is, in a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Union

from ._errors import JobError

Progress = Union[bool, None, Callable[[str, int, int], Any]]
"""Shown (`True`), not shown (`False`), shown where somebody looks and it takes more than a second (`None`), or a function of
stage, done and of how many."""

_SAID = {
    "read": "reading",
    "solve": "grouping",
    "refine": "refining; Ctrl-C takes the best so far",
    "recode": "generalizing",
    "write": "writing",
    "verify": "verifying",
    "bound": "finding out what no release could keep",
}
# Who waits no longer than this needs no bar.
_PATIENCE = 1.0


def shown(progress: Progress) -> Callable[[str, int, int], Any] | None:
    """What the native half calls; nothing where nobody wants to know."""
    if callable(progress):
        return progress
    if progress not in (True, False, None):
        raise JobError(
            "progress was given something else than a function", where="progress", help="give True, False, or a function of stage, done and of how many"
        )
    if progress is False:
        return None
    notebook = _notebook()
    if progress is None and notebook is None and not _is_terminal():
        return None
    return _Bar(notebook, 0.0 if progress else _PATIENCE)


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _notebook() -> Any:
    """The display of a notebook, where this runs in one."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return None
    running = shell.get_ipython()
    if running is None or type(running).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display

    return display


class _Bar:
    """A line that says what is done, and how much of it."""

    def __init__(self, display: Any, patience: float) -> None:
        self.display, self.handle = display, None
        self.begins = time.monotonic() + patience
        self.last, self.width = "", 0

    def __call__(self, stage: str, done: int, of: int) -> None:
        if stage == "done":
            self._clear()
        elif time.monotonic() >= self.begins:
            self._show(_line(stage, done, of))

    def _show(self, line: str) -> None:
        if line == self.last:
            return
        self.last = line
        if self.display is None:
            sys.stderr.write("\r" + line.ljust(self.width))
            sys.stderr.flush()
            self.width = len(line)
        elif self.handle is None:
            self.handle = self.display({"text/plain": line}, raw=True, display_id=True)
        else:
            self.handle.update({"text/plain": line}, raw=True)

    def _clear(self) -> None:
        if self.display is None and self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
        elif self.handle is not None:
            self.handle.update({"text/plain": ""}, raw=True)
        self.last, self.width = "", 0


def _line(stage: str, done: int, of: int) -> str:
    said = _SAID.get(stage, stage)
    if of <= 0:
        return f"kohort: {said}" + (f" {done:,} rows" if stage == "read" and done else "")
    share = min(1.0, done / of)
    full = round(share * 30)
    return f"kohort: {said} [{'#' * full}{'.' * (30 - full)}] {share:4.0%}"
