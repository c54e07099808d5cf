"""What can go wrong, sorted by whose turn it is to act."""

from __future__ import annotations

import difflib
import json
from typing import Any

from ._names import ALIASES


class KohortError(Exception):
    """Why there is no result: `what` happened, `where`, and the way out (`help`), with `numbers` for programs.

    Cell values of identifier and sensitive columns are never part of a message.
    """

    kind = "error"

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        help: str | None = None,
        place: dict[str, Any] | None = None,
        numbers: dict[str, float] | None = None,
    ) -> None:
        self.what = what
        self.where = where
        self.help = help
        self.place = place or {}
        self.numbers = numbers or {}
        super().__init__(_whole(what, where, help))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (type(self), self.what, self.where, self.help, self.place, self.numbers))


class InputError(KohortError, ValueError):
    """The table, a hierarchy or the place to write to cannot be used as it is."""

    kind = "input"


class JobError(KohortError, ValueError):
    """What was asked contradicts itself or the table."""

    kind = "job"


class UnsolvableError(KohortError):
    """No release of this table can meet these demands. `numbers` has what it reaches at best, where that is known."""

    kind = "unsolvable"


class ViolationError(KohortError):
    """A table that was checked does not meet what was asked of it."""

    kind = "violation"


class InternalError(KohortError, RuntimeError):
    """Our bug. Nothing was released."""

    kind = "internal"


class StoppedError(KohortError):
    """The work was stopped before there was a result."""

    kind = "stopped"


class KohortWarning(UserWarning):
    """What a release gives away. Show it to a person."""


# They are known by the name under which they are imported.
for _one in (KohortError, InputError, JobError, UnsolvableError, ViolationError, InternalError, StoppedError, KohortWarning):
    _one.__module__ = "kohort"

_CLASSES: dict[str, type[KohortError]] = {
    one.kind: one
    for one in (InputError, JobError, UnsolvableError, ViolationError, InternalError, StoppedError)
}


def _whole(what: str, where: str | None, help: str | None) -> str:
    return what + (f"\n  where: {where}" if where else "") + (f"\n  way out: {help}" if help else "")


def _again(
    one: type[KohortError],
    what: str,
    where: str | None,
    help: str | None,
    place: dict[str, Any],
    numbers: dict[str, float],
) -> KohortError:
    return one(what, where=where, help=help, place=place, numbers=numbers)


def raised(kind: str, what: str, where: str, help: str | None, data: str) -> KohortError:
    """The exception for an error of the library, in the words it was given. Called by the native half."""
    known = json.loads(data)
    return _CLASSES.get(kind, InternalError)(
        what, where=where or None, help=help, place=known.get("place") or {}, numbers=known.get("numbers")
    )


def unknown_argument(function: str, name: str, known: list[str]) -> TypeError:
    """Says which argument was meant."""
    meant = ALIASES.get(name) or next(iter(difflib.get_close_matches(name, known, 1)), None)
    return TypeError(
        f"{function}() got an unexpected keyword argument '{name}'"
        + (f"; did you mean '{meant}'?" if meant else f"; it takes: {', '.join(known)}")
    )
