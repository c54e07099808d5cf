"""Jobs: what is asked, kept for later, in a file or in a program."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _kohort
from ._errors import JobError
from ._files import save_trees, write_private
from ._hierarchy import Hierarchy
from ._options import Asked, Options, asked, takes_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Job:
    """What is asked of a table: roles of columns, demands, hierarchies, how to search.

    It takes the keyword arguments of :func:`kohort.anonymize`, and reads and writes the job files of the command.

    >>> job = kohort.Job(qi=["age", "zip"], sensitive="diagnosis", k=5)
    >>> job.to_dict()["k"]
    5
    >>> job.but(k=10).to_dict()["k"]
    10
    """

    @takes_options
    def __init__(self, **options: Unpack[Options]) -> None:
        self._asked = asked(options, "Job")

    @classmethod
    def _of(cls, asked: Asked) -> Self:
        made = cls.__new__(cls)
        made._asked = asked
        return made

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """A job file. Paths in it are relative to its folder."""
        return cls._of(Asked(_kohort.Job.read(os.fspath(path)), {}, None))

    @takes_options
    def but(self, **options: Unpack[Options]) -> Job:
        """The same job with these arguments put over it."""
        return Job._of(asked(options, "but").over(self._asked))

    def to_dict(self) -> dict[str, Any]:
        """The job under the keys of a job file."""
        made: dict[str, Any] = json.loads(self._asked.job.to_json())
        return made

    def to_toml(self) -> str:
        """The job as a job file. Trees made in Python are not in it: save them, and name the files in `hierarchies=`."""
        return self._asked.job.to_toml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a job file, and trees made in Python into a folder beside it. Both are for you alone."""
        path = os.fspath(path)
        job = self._asked.job.anchored(os.getcwd())
        if self._asked.trees:
            folder = os.path.splitext(path)[0] + ".hierarchies"
            names = save_trees(folder, self._asked.trees)
            beside = os.path.basename(folder)
            named = {"columns": {one: {"hierarchy": {"file": f"{beside}/{name}"}} for one, name in names.items()}}
            job = job.overridden_by(_kohort.Job.from_json(json.dumps(named)))
        write_private(path, job.to_toml())

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """Trees made in Python, by column."""
        return dict(self._asked.trees)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Job):
            return NotImplemented
        mine, others = self._asked, other._asked
        return self.to_dict() == other.to_dict() and mine.trees == others.trees and mine.intervals == others.intervals

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._asked.job.to_json(), self._asked.trees, self._asked.intervals))

    def __repr__(self) -> str:
        return f"<kohort.Job\n{self.to_toml().strip()}\n>"


def _again(text: str, trees: dict[str, Hierarchy], intervals: str | None) -> Job:
    return Job._of(Asked(_kohort.Job.from_json(text), trees, intervals))


def combined(job: Any, options: Options | dict[str, Any], function: str) -> Asked:
    """Arguments put over a job, where there is one."""
    said = asked(options, function)
    if job is None:
        return said
    if isinstance(job, (str, os.PathLike)):
        job = Job.read(job)
    job = getattr(job, "job", job)
    if not isinstance(job, Job):
        raise JobError(
            f"job was given an object of type {type(job).__qualname__}", where="job", help="give a kohort.Job, a job file, or what kohort.init proposes"
        )
    return said.over(job._asked)
