"""Kohort anonymizes person-level tables: every person hides among at least k, with proof attached.

>>> people = kohort.generate("hospital", rows=300).to_pandas()
>>> release = kohort.anonymize(people, identifiers="name", person="patient_id", qi=["birth_date", "sex"],
...                            sensitive="diagnosis", rest="drop", k=5, seed=1)
>>> release.achieved["k"] >= 5
True
>>> bool(kohort.verify(release))
True
"""

from __future__ import annotations

from ._calls import anonymize, append, bound, explain, risk, verify
from ._catalog import list
from ._errors import (
    InputError,
    InternalError,
    JobError,
    KohortError,
    KohortWarning,
    StoppedError,
    UnsolvableError,
    ViolationError,
)
from ._estimator import Anonymizer
from ._hierarchy import Hierarchy
from ._job import Job
from ._kohort import Table, __version__
from ._made_up import MadeUp, generate
from ._options import Options
from ._proposal import Proposal, init
from ._result import Result, Verdict

__all__ = [
    "Anonymizer",
    "Hierarchy",
    "InputError",
    "InternalError",
    "Job",
    "JobError",
    "KohortError",
    "KohortWarning",
    "MadeUp",
    "Options",
    "Proposal",
    "Result",
    "StoppedError",
    "Table",
    "UnsolvableError",
    "Verdict",
    "ViolationError",
    "__version__",
    "anonymize",
    "append",
    "bound",
    "explain",
    "generate",
    "init",
    "list",
    "risk",
    "verify",
]
