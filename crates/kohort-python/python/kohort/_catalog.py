"""What there is."""

from __future__ import annotations

import json
from typing import Any

from . import _kohort


def list() -> dict[str, Any]:  # noqa: A001
    """All there is to choose from: algorithms and their settings, models, notions, measures, made-up tables.

    >>> any(one["name"] == "mondrian" for one in kohort.list()["algorithms"])
    True
    """
    answer: dict[str, Any] = json.loads(_kohort.catalog())
    return answer
