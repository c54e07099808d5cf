"""A job for a table, proposed from what is in it."""

from __future__ import annotations

import json
import os
from html import escape
from typing import Any

from . import _kohort
from ._files import save_trees, write_private
from ._frames import open_frame
from ._hierarchy import Hierarchy
from ._job import Job
from ._options import Asked
from ._progress import Progress, shown
from ._show import page


class Proposal:
    """What :func:`init` proposes: a job that runs as it is, with the reasons. Only you know what others can know."""

    def __init__(self, found: dict[str, Any], text: str, trees: dict[str, Hierarchy], job: Job) -> None:
        self._found = found
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
            beside = os.path.basename(folder)
            for column, name in save_trees(folder, self.hierarchies).items():
                text = text.replace(_quoted(f"{column}.csv"), _quoted(f"{beside}/{name}"))
        write_private(path, text)

    def __repr__(self) -> str:
        width = max((len(one["name"]) for one in self.columns), default=0)
        lines = [f"  {one['name']:<{width}}  {one['role']:<16}  {_because(one)}" for one in self.columns]
        lines += [f"  {line}" for line in self._remarks()]
        return "<kohort.Proposal\n" + "\n".join(lines) + ">"

    def _remarks(self) -> list[str]:
        """What is said of the whole."""
        proposal, trial = self._found["proposal"], self.trial or {}
        said = [f"k = {proposal['k']}: {proposal['k_because']}", *proposal["notes"]]
        if trial.get("loss"):
            said.append(f"a quick run on {trial['rows']:,} of {trial['of']:,} rows loses il {trial['loss']['il']:.3f}, with {trial['suppressed']:,} rows suppressed")
        if trial.get("problem"):
            said.append(f"a quick run found no release: {trial['problem']}")
        return [*said, "run it with kohort.anonymize(data, job=proposal), change it with proposal.job.but(...), read .text"]

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th>{escape(one['name'])}</th><td>{escape(one['role'])}</td><td>{escape(_because(one))}</td></tr>"
            for one in self.columns
        )
        head = "".join(f"<th>{name}</th>" for name in ("column", "role", "because"))
        said = "".join(f"<p>{escape(line)}</p>" for line in self._remarks())
        return page([f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>", said])


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
