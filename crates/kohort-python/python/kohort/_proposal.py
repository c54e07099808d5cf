"""A job for a table, proposed from what is in it."""

from __future__ import annotations

import json
import os
from html import escape
from typing import Any

from . import _kohort
from ._files import file_names, write_whole
from ._frames import open_frame
from ._hierarchy import Hierarchy
from ._job import Job
from ._options import Asked
from ._progress import Progress, shown


class Proposal:
    """What :func:`init` proposes: a job that runs as it is, with the reasons. Only you know what others can know."""

    def __init__(self, found: dict[str, Any], text: str, trees: dict[str, Hierarchy], job: Job) -> None:
        self.columns: list[dict[str, Any]] = found["proposal"]["columns"]
        """Role, reason and more, of every column."""
        self.trial: Any = found["trial"]
        """What the job loses, by one quick run."""
        self.text = text
        """The job file, with reasons as comments."""
        self.hierarchies = trees
        """Trees that stand in the table itself."""
        self.job = job
        """The job, ready to be run or changed."""

    @property
    def roles(self) -> dict[str, str]:
        """What every column is for."""
        return {one["name"]: one["role"] for one in self.columns}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the job file with its reasons, and its trees into a folder beside it."""
        path = os.fspath(path)
        folder = os.path.splitext(path)[0] + ".hierarchies"
        text = self.text
        if self.hierarchies:
            os.makedirs(folder, exist_ok=True)
            beside = os.path.basename(folder)
            for column, name in file_names(self.hierarchies, ".csv").items():
                self.hierarchies[column].save(os.path.join(folder, name))
                text = text.replace(_quoted(f"{column}.csv"), _quoted(f"{beside}/{name}"))
        write_whole(path, text)

    def __repr__(self) -> str:
        width = max((len(one["name"]) for one in self.columns), default=0)
        lines = [f"  {one['name']:<{width}}  {one['role']:<16}  {_because(one)}" for one in self.columns]
        return "<kohort.Proposal\n" + "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(one['name'])}</th><td style='text-align:left'>{escape(one['role'])}</td>"
            f"<td style='text-align:left'>{escape(_because(one))}</td></tr>"
            for one in self.columns
        )
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("column", "role", "because"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _because(one: dict[str, Any]) -> str:
    reasons = one.get("reasons") or one.get("because") or []
    return reasons if isinstance(reasons, str) else "; ".join(reasons)


def init(data: Any, *, progress: Progress = None, **reading: Any) -> Proposal:
    """Looks at a table and proposes a job: roles with reasons, hierarchies, k and demands, and what that would lose.

    >>> people = kohort.generate("hospital", rows=300).to_pandas()
    >>> proposal = kohort.init(people)
    >>> proposal.roles["name"]
    'identifier'
    """
    opened = open_frame(data, "data")
    job = _kohort.Job.from_json(json.dumps(reading))
    found, text, trees = _kohort.init(job, opened.source, opened.name, shown(progress))
    made = {column: Hierarchy._of_tree(tree) for column, tree in trees.items()}
    proposed = _kohort.Job.from_toml(text).without_input()
    return Proposal(json.loads(found), text, made, Job._of(Asked(proposed, made, None)))
