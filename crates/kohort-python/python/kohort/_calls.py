"""The calls of the library for tables in memory and in files."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _kohort
from ._errors import InputError, JobError, KohortWarning
from ._frames import Opened, open_frame
from ._job import Job, combined
from ._options import Asked, Options, takes_options
from ._progress import Progress, shown
from ._result import Answer, Result, Verdict, _place

if TYPE_CHECKING:
    from typing_extensions import Unpack


@takes_options
def anonymize(
    data: Any,
    *,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Result:
    """Makes a release: generalizes a table until every person hides among at least `k`, and verifies it.

    `data` is a frame of pandas, polars, pyarrow or DuckDB, anything else with an Arrow stream, or the path of a file. The
    release is a frame of the same kind (a :class:`kohort.Table` where there is none). `job` is a :class:`kohort.Job` or a
    job file; arguments go before what it says.

    Every column needs a role: `identifiers` and `person` are dropped (`person` tells whose rows these are),
    `quasi_identifiers` (short: `qi`) are generalized, `sensitive` ones are released and protected by demands, `keep` and
    `drop` are what they say, and `rest="keep"` or `"drop"` is about all others. All other arguments have the names that they
    have in job files.

    >>> people = kohort.generate("hospital", rows=300).to_pandas()
    >>> release = kohort.anonymize(people, identifiers="name", person="patient_id", qi=["birth_date", "sex"],
    ...                            sensitive="diagnosis", rest="drop", k=5, seed=1)
    >>> release.achieved["k"] >= 5
    True
    >>> list(release.data.columns)
    ['birth_date', 'sex', 'diagnosis']

    Ctrl-C while groups are refined returns the best verified release there is by then, with `interrupted` set; earlier it
    raises `KeyboardInterrupt`.
    """
    asked = combined(job, options, "anonymize")
    opened = open_frame(data, "data")
    _check_rows(opened)
    made = _kohort.anonymize(
        asked.job, asked.native_trees(), opened.source, opened.name, opened.typed_by_values, shown(progress)
    )
    return _result(made, opened, asked)


def _warn(said: str) -> None:
    """A warning at the line of whoever called this package."""
    level, frame, here = 1, sys._getframe(), os.path.dirname(__file__)
    while frame is not None and frame.f_code.co_filename.startswith(here):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(said, KohortWarning, stacklevel=level)


def _check_rows(opened: Opened) -> None:
    if opened.rows == 0:
        raise InputError("the table has no rows", where=opened.name, help="give a table with at least k rows")


def _result(made: _kohort.Made, opened: Opened, asked: Asked) -> Result:
    for one in made.warnings:
        _warn(one)
    if made.interrupted:
        _warn("interrupted: this is the best release there was by then, and it is verified")
    intervals: list[str] = []
    if asked.intervals == "objects":
        intervals = json.loads(made.certificate())["columns"]["quasi_identifiers"]
    # The original as Arrow may be a copy, and is not needed any more.
    opened.source = None
    result = Result(made, opened.back(made.table(), intervals))
    result._asked = asked
    return result


@takes_options
def verify(
    release: Any,
    *,
    original: Any = None,
    certificate: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Verdict:
    """What a table achieves, whoever made it, counted by code of its own.

    Says what is asked by the arguments of :func:`anonymize`, by a `job`, or by a `certificate` (a dictionary, a file; that
    beside a release in a file is found where nothing else is said). `original` adds what was lost, and traces every cell.

    >>> people = kohort.generate("hospital", rows=300).to_pandas()
    >>> verdict = kohort.verify(people, qi=["sex", "ward"], rest="keep", k=2)
    >>> verdict.met, verdict.k
    (False, 1)
    """
    asked = combined(job, options, "verify")
    if isinstance(release, Result):
        # What was asked is known; against the original, with the trees that it was asked with.
        if job is None and original is not None:
            asked = asked.over(release._asked)
        elif certificate is None and job is None:
            certificate = release.certificate
        release = release.table
    text = _certificate(certificate)
    says_nothing = not asked.job.names_columns()
    if text is None and says_nothing and isinstance(release, (str, os.PathLike)):
        beside = os.fspath(release) + ".certificate.json"
        text = _certificate(beside) if os.path.exists(beside) else None
    if text is None and says_nothing:
        raise JobError(
            "nothing says which columns are quasi-identifiers",
            help='name them, such as qi=["age", "zip"], or give the certificate of the release: certificate=result.certificate',
        )
    opened = open_frame(release, "release", is_release=True)
    before = open_frame(original, "original").source if original is not None else None
    found = _kohort.verify(asked.job, asked.native_trees(), opened.source, before, text, shown(progress))
    return Verdict(json.loads(found))


def _certificate(given: Any) -> str | None:
    if given is None:
        return None
    if isinstance(given, Mapping):
        return json.dumps(given)
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given
    if not isinstance(given, (str, os.PathLike)):
        raise JobError("certificate is none", where="certificate", help="give a dictionary, or the file of a certificate")
    try:
        with open(given, encoding="utf-8") as file:
            return file.read()
    except OSError as e:
        raise InputError(
            f"the certificate cannot be read: {e.strerror}", where=os.fspath(given), help="name the certificate of the release"
        ) from None


@takes_options
def append(
    data: Any = None,
    *,
    ledger: str | os.PathLike[str],
    output: str | os.PathLike[str],
    previous: str | os.PathLike[str] | None = None,
    withdraw: str | os.PathLike[str] | None = None,
    withhold: bool = False,
    rule: str | None = None,
    unpublished: bool = False,
    published: bool = False,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Result:
    """The next release of a growing table, safe against comparing releases.

    The first call makes the `ledger` (a private file) and takes what :func:`anonymize` takes; later calls get only the new
    rows. Ledger and release appear together: `output` is the file of the release, which `data` of the result holds as well.
    """
    asked = combined(job, options, "append")
    if asked.trees:
        raise JobError(
            "a growing table takes hierarchies from files, so that every release has the same",
            where="hierarchies",
            help="write them, such as tree.save('zip.csv'), and give hierarchies={'zip': 'zip.csv'}",
        )
    if asked.intervals == "objects":
        raise JobError(
            "the releases of a growing table are files, which hold no objects",
            where="intervals",
            help='give intervals="bounds" or "text"',
        )
    opened = open_frame(data, "data") if data is not None else Opened(None, "data", lambda table, intervals: table)
    asked = Asked(asked.job.with_output(os.fspath(output)), {}, asked.intervals)
    made = _kohort.append(
        asked.job,
        opened.source,
        os.fspath(ledger),
        _place(previous),
        _place(withdraw),
        withhold,
        rule,
        unpublished,
        published,
        opened.typed_by_values,
        shown(progress),
    )
    # What waits, what was replaced and who came again must not be missed: the ledger has changed.
    for one in made.notes:
        _warn(one)
    return _result(made, opened, asked)


@takes_options
def bound(
    data: Any,
    *,
    time: float | None = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """What no release of this table loses less than, in the measure that is asked for. `time` in seconds."""
    asked = combined(job, options, "bound")
    opened = open_frame(data, "data")
    _check_rows(opened)
    found = _kohort.bound(asked.job, asked.native_trees(), opened.source, opened.name, time, shown(progress))
    return Answer(json.loads(found))


@takes_options
def explain(
    release: Any,
    *,
    original: Any,
    row: int | None = None,
    original_row: int | None = None,
    column: str | None = None,
    quick_rows: int | None = None,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Why a release is as coarse as it is, or one row of it, and what would change that. Private.

    A :class:`Result` brings its job along; for other releases say what was asked.
    """
    asked = combined(job, options, "explain")
    if isinstance(release, Result):
        asked = asked.over(release._asked)
        release = release.table
    opened, before = open_frame(release, "release", is_release=True), open_frame(original, "original")
    found = _kohort.explain(
        asked.job, asked.native_trees(), opened.source, before.source, row, original_row, column, quick_rows, shown(progress)
    )
    return Answer(json.loads(found))


@takes_options
def risk(
    releases: Mapping[str, Any] | Sequence[Any],
    *,
    known: Mapping[str, str] | None = None,
    may_leave: bool = False,
    job: Job | str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """What several releases of the same people give away together.

    `releases` in the order in which they appeared: results, frames or files, in a list or under names.
    """
    asked = combined(job, options, "risk")
    if isinstance(releases, (str, os.PathLike, Result)) or not isinstance(releases, (Mapping, Sequence)):
        raise JobError("one release alone was given", where="releases", help="give a list of releases, oldest first")
    results = [one for one in (releases.values() if isinstance(releases, Mapping) else releases) if isinstance(one, Result)]
    if results and not asked.job.names_columns():
        asked = asked.over(results[0]._asked)
    named = releases.items() if isinstance(releases, Mapping) else ((f"release {n}", one) for n, one in enumerate(releases, 1))
    opened = [
        (name, open_frame(one.table if isinstance(one, Result) else one, name, is_release=True).source) for name, one in named
    ]
    told = [(column, str(value)) for column, value in (known or {}).items()]
    return Answer(json.loads(_kohort.risk(asked.job, asked.native_trees(), opened, told, may_leave, shown(progress))))
