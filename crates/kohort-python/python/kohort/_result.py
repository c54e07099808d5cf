"""What a call gives back: a verified release, or what was found in a table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _kohort, _show
from ._errors import ViolationError


class Result:
    """A verified release with everything that belongs to it.

    Public, and made from the release alone: `data` and `certificate`. Everything else speaks about the original and is
    private.
    """

    data: Any
    """The release: a frame of the kind that was given."""

    def __init__(self, made: _kohort.Made, data: Any) -> None:
        self._made = made
        self.data = data
        self._asked: Any = None
        self.summary: dict[str, Any] = json.loads(made.summary())
        """What `kohort anonymize --json` prints."""

    @property
    def rows(self) -> int:
        """Rows of the original."""
        return int(self.summary["rows"])

    @property
    def released(self) -> int:
        """Rows published in a class."""
        return int(self.summary["released"])

    @property
    def suppressed(self) -> int:
        """Rows suppressed."""
        return int(self.summary["suppressed"])

    @property
    def opted_out(self) -> int:
        """Rows published as they are at their owner's wish."""
        return int(self.summary["opted_out"])

    @property
    def classes(self) -> int:
        """Groups of rows that look alike."""
        return int(self.summary["classes"])

    @property
    def algorithm(self) -> str:
        """The algorithm that ran."""
        return str(self.summary["algorithm"])

    @property
    def seed(self) -> int | None:
        """The seed of the run."""
        seed: int | None = self.summary["seed"]
        return seed

    @property
    def notion(self) -> str:
        """What hiding among k means."""
        return str(self.summary["notion"])

    @property
    def achieved(self) -> dict[str, Any]:
        """What verification found: `achieved["k"]`, `achieved["p"]["diagnosis"]`."""
        found: dict[str, Any] = self.summary["achieved"]
        return found

    @property
    def loss(self) -> dict[str, Any]:
        """Lost detail: `loss["il"]` (0 none, 1 all), `loss["per_column"]`."""
        found: dict[str, Any] = self.summary["loss"]
        return found

    @property
    def lower_bound(self) -> dict[str, Any]:
        """What no release of the table loses less than, and how far this one is from it (`gap`)."""
        found: dict[str, Any] = self.summary["lower_bound"]
        return found

    @property
    def certificate(self) -> dict[str, Any]:
        """Public: goes with the release. A function of the release and of what was asked."""
        found: dict[str, Any] = json.loads(self._made.certificate())
        return found

    @property
    def audit(self) -> dict[str, Any]:
        """Private: everything that speaks about the original."""
        found: dict[str, Any] = json.loads(self._made.audit())
        return found

    @property
    def columns(self) -> list[dict[str, Any]]:
        """How every column of the original was read."""
        found: list[dict[str, Any]] = json.loads(self._made.columns())
        return found

    @property
    def solutions(self) -> dict[str, Any] | list[Any]:
        """All minimal choices of levels, where an algorithm for whole columns was asked."""
        found: dict[str, Any] | list[Any] = json.loads(self._made.solutions())
        return found

    @property
    def growth(self) -> dict[str, Any] | None:
        """What became of a batch, where the table grows."""
        return None if self._made.growth is None else json.loads(self._made.growth)

    @property
    def warnings(self) -> list[str]:
        """What the release gives away; each was a :class:`KohortWarning`, too."""
        return self._made.warnings

    @property
    def notes(self) -> list[str]:
        """What else a person should hear."""
        return self._made.notes

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds spent in each stage."""
        return self._made.seconds

    @property
    def interrupted(self) -> bool:
        """Whether somebody asked to stop, and this is the best there was by then."""
        return self._made.interrupted

    @property
    def table(self) -> _kohort.Table:
        """The release as Arrow, without a copy."""
        return self._made.table()

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        certificate: str | os.PathLike[str] | None = None,
        audit: str | os.PathLike[str] | None = None,
        no_audit: bool = False,
        solutions: str | os.PathLike[str] | None = None,
    ) -> None:
        """Writes the release with its certificate and its audit record (mode 0600), all or nothing.

        The ending tells the format: `.csv`, `.tsv`, `.jsonl`, `.parquet`, `.arrow`, and `.gz` or `.zst` behind those of text.
        `kohort verify PATH` finds the certificate beside it.
        """
        place = _place
        self._made.save(place(path), place(certificate), place(audit), no_audit, place(solutions))

    def to_html(self, original: Any = None, *, rows: int = 5) -> str:
        """What was asked, achieved and lost, as a piece of HTML. Private, as all figures about the original are.

        With `original`, the first rows of it are shown beside the first of the release (not those of the same people).
        Columns that were dropped are left out.
        """
        return _show.result_html(self, original, rows)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        return _show.result_text(self)


def _place(path: str | os.PathLike[str] | None) -> Any:
    return None if path is None else os.fspath(path)


class Answer(dict[str, Any]):
    """A dictionary that people can read."""

    def __repr__(self) -> str:
        return json.dumps(self, indent=2, ensure_ascii=False)


class Verdict(Mapping[str, Any]):
    """What a table achieves. True where it meets everything that was asked; the figures are keys and attributes alike."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    @property
    def met(self) -> bool:
        """Whether everything that was asked is met."""
        return not self.shortfalls

    @property
    def k(self) -> int:
        """Rows of the smallest class or, where people are counted, the fewest people of a class."""
        return int(self.achieved["k"])

    @property
    def p(self) -> dict[str, int]:
        """Least different values in a class, by sensitive column."""
        return dict(self.achieved["p"])

    @property
    def achieved(self) -> dict[str, Any]:
        """All figures of the classes."""
        return dict(self._found["achieved"])

    @property
    def loss(self) -> dict[str, Any] | None:
        """Lost detail, where the original was given."""
        return self._found.get("loss")

    @property
    def classes(self) -> int:
        """Groups of rows that look alike."""
        return int(self._found["classes"])

    @property
    def shortfalls(self) -> list[str]:
        """What is not met, and why."""
        return list(self._found["shortfalls"])

    @property
    def not_checked(self) -> list[str]:
        """What could not be looked at."""
        return list(self._found.get("not_checked") or [])

    def check(self) -> Verdict:
        """Raises :class:`ViolationError` where something is not met; returns itself otherwise."""
        if not self.met:
            raise ViolationError("; ".join(self.shortfalls), numbers={"shortfalls": float(len(self.shortfalls))})
        return self

    def to_dict(self) -> dict[str, Any]:
        """What `kohort verify --json` prints."""
        return dict(self._found)

    def __bool__(self) -> bool:
        return self.met

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def __iter__(self) -> Any:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        achieved = self._found["achieved"]
        if name in achieved:
            return achieved[name]
        if name in self._found:
            return self._found[name]
        raise AttributeError(f"a verdict has no '{name}'; it has {', '.join([*self._found, *achieved])}")

    def __repr__(self) -> str:
        return _show.verdict_text(self)

    def _repr_html_(self) -> str:
        return _show.verdict_html(self)
