"""Anonymization as a step of a scikit-learn pipeline."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._calls import anonymize, append
from ._errors import JobError, unknown_argument
from ._job import Job
from ._options import NAMES, Options, takes_options
from ._progress import Progress
from ._result import Result

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Anonymizer:
    """`fit_transform(frame)` returns the release of a frame; `result_` has everything else.

    It takes the arguments of :func:`kohort.anonymize`. In a pipeline with a target, rows must stay where they are:
    `keep_order=True` and `suppressed="star"`.

    Rows that were not there when it was fitted cannot be put into its groups one by one: comparing what is published before
    and after would tell whose they are. With `ledger` and `output`, `transform` makes the next release of the growing table
    (:func:`kohort.append`) and returns it, whole; without, it is refused.
    """

    @takes_options
    def __init__(
        self,
        *,
        job: Job | str | os.PathLike[str] | None = None,
        ledger: str | os.PathLike[str] | None = None,
        output: str | os.PathLike[str] | None = None,
        progress: Progress = None,
        **options: Unpack[Options],
    ) -> None:
        self._set(job=job, ledger=ledger, output=output, progress=progress, **options)

    def _set(self, **params: Any) -> None:
        for name, value in params.items():
            if name not in _PARAMS:
                raise unknown_argument("Anonymizer", name, _PARAMS)
            setattr(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All arguments, as scikit-learn asks for them."""
        return {name: getattr(self, name, None) for name in _PARAMS}

    def set_params(self, **params: Any) -> Self:
        """Other arguments."""
        self._set(**params)
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Makes the release of a frame."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        """Makes the release of a frame, and returns it."""
        options: Any = {name: one for name in NAMES if (one := getattr(self, name, None)) is not None}
        if y is not None:
            _check_rows_stay(options)
        job, progress = getattr(self, "job", None), getattr(self, "progress", None)
        self.result_: Result = (
            append(X, ledger=self._ledger(), output=self._output(1), job=job, progress=progress, **options)
            if getattr(self, "ledger", None) is not None
            else anonymize(X, job=job, progress=progress, **options)
        )
        self._fitted, self.releases_ = _remembered(X), 1
        self.n_features_in_ = X.shape[1] if hasattr(X, "shape") else len(self.result_.columns)
        return self.result_.data

    def transform(self, X: Any) -> Any:
        """The release of the rows that it was fitted on; with a ledger, the next release of the growing table."""
        if not hasattr(self, "result_"):
            raise JobError("nothing was released yet", help="call fit_transform(frame) first")
        if X is self._fitted():
            return self.result_.data
        if getattr(self, "ledger", None) is None:
            raise JobError(
                "these are other rows than those it was fitted on, and rows cannot join a release one by one",
                where="transform",
                help="anonymize all rows together with fit_transform, or let the table grow: Anonymizer(ledger=..., output=...)",
            )
        self.releases_ += 1
        self.result_ = append(X, ledger=self._ledger(), output=self._output(self.releases_), progress=getattr(self, "progress", None))
        self._fitted = _remembered(X)
        return self.result_.data

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the released columns."""
        if not hasattr(self, "result_"):
            raise JobError("nothing was released yet", help="call fit_transform(frame) first")
        names = self.result_.table.column_names
        try:
            import numpy
        except ImportError:
            return names
        return numpy.asarray(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "result_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=True, string=True, categorical=True, allow_nan=True),
        )

    def __getstate__(self) -> dict[str, Any]:
        """What was fitted speaks about the original, and stays here: a copy has the arguments alone."""
        return {name: one for name, one in self.__dict__.items() if name in _PARAMS}

    def _ledger(self) -> Any:
        return self.ledger  # type: ignore[attr-defined]

    def _output(self, number: int) -> str:
        """Every release needs a place of its own: `release-{n}.csv`, or the number before the ending."""
        output = getattr(self, "output", None)
        if output is None:
            raise JobError("a growing table needs a place for its releases", where="output", help='output="release-{n}.csv"')
        place = str(os.fspath(output))
        if "{n}" in place:
            return place.replace("{n}", str(number))
        stem, ending = os.path.splitext(place)
        return f"{stem}-{number}{ending}"

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={one!r}" for name, one in self.get_params().items() if one is not None)
        return f"Anonymizer({said})"


def _remembered(frame: Any) -> Callable[[], Any]:
    """The frame, as long as somebody else holds it: an estimator that is kept or sent around must not carry the original along."""
    try:
        return weakref.ref(frame)
    except TypeError:
        return lambda: None


_PARAMS = ["job", "ledger", "output", "progress", *NAMES]


def _check_rows_stay(options: dict[str, Any]) -> None:
    if options.get("keep_order") is not True or options.get("suppressed") != "star":
        raise JobError(
            "there is a target, and a release has its rows in another order than the frame, and may leave some out",
            where="y",
            help='say keep_order=True and suppressed="star"; the order of rows may then tell whose they are',
        )
