"""One line for every argument of a job: its type in words, and what it says."""

from __future__ import annotations

_COLUMNS = "str | list[str]"
_DEMAND = "number | str | list"
_EFFORT = "bool | seconds | str"

HELP: dict[str, tuple[str, str]] = {
    "identifiers": (_COLUMNS, "name a person by themselves; dropped"),
    "person": (_COLUMNS, "say whose row it is; dropped, and people are counted instead of rows"),
    "rows_are_people": ("bool", "every row is another person, whatever identifiers say"),
    "quasi_identifiers": (_COLUMNS, "what an outsider could know; generalized"),
    "qi": (_COLUMNS, "short for quasi_identifiers"),
    "sensitive": (_COLUMNS, "what nobody may learn; released as they are, protected by demands"),
    "keep": (_COLUMNS, "released as they are, protected by nothing"),
    "drop": (_COLUMNS, "left out"),
    "rest": ("'keep' | 'drop'", "what becomes of all columns without a role"),
    "hierarchies": ("folder | dict", "what columns climb: kohort.Hierarchy, files, or calendar levels such as 'month/year'"),
    "k": ("int", "so many hide together, at least"),
    "p": ("int", "so many different sensitive values in every group"),
    "l_diversity": (_DEMAND, "'distinct:3', 'entropy:2.5', 'recursive:2,3'"),
    "t_closeness": (_DEMAND, "0.2, '0.2:ordered', '0.2:hierarchical'; '0.2@diagnosis' for one column"),
    "alpha": (_DEMAND, "largest share of a sensitive value in its group"),
    "beta_likeness": (_DEMAND, "how much more frequent than in the table a value may be"),
    "delta_disclosure": (_DEMAND, "how far the logarithm of a value's frequency may move"),
    "notion": ("str", "'k', or the weaker '1k', 'k1', 'kk', 'global-1k'"),
    "suppress": ("share | str", "share of the rows that may be left out: 0.05 or '5%'"),
    "opt_out": ("str | dict", "rows published as they are: {'consent': 'yes'}"),
    "type": ("dict", "by column: 'integer', 'decimal', 'date', 'timestamp', 'category', 'ordinal'"),
    "date_format": ("dict", "by column: '%d.%m.%Y'"),
    "decimal": ("dict", "by column: 'comma' or 'point'"),
    "max_generalization": ("dict", "by column: the highest labels that its values may become"),
    "max_width": ("dict", "by column: the largest width of its intervals (days of dates, seconds of times)"),
    "cuts": ("dict", "by column: values that no interval may reach across"),
    "protected": ("dict", "by sensitive column: labels below which all values count as one for p"),
    "weight": ("dict", "by column: how much a loss there matters"),
    "columns": ("dict", "by column: a dictionary with the keys of a job file"),
    "missing": ("str", "rows that lack a quasi-identifier: 'value', 'refuse' or 'suppress'"),
    "missing_sensitive": ("str", "a missing sensitive value: 'ignore' or 'count'"),
    "na": (_COLUMNS, "texts that mean a missing value"),
    "intervals": ("str", "'text', 'bounds' (two columns), 'midpoint' or 'objects'"),
    "snap": ("dict", "by column: a public grid for ends of intervals, 5 or '1 month'"),
    "suppressed": ("str", "rows left out: 'drop', or 'star' to keep them without values"),
    "keep_order": ("bool", "rows stay in their order, which tells whose they are"),
    "algorithm": ("str", "'auto', or one of kohort.list()['algorithms']"),
    "settings": ("dict", "settings of the algorithm"),
    "distance": ("int", "the distance between clusters, for algorithms that have one"),
    "measure": ("str", "what is lost least: 'il', 'lm', 'entropy', 'whd', 'ncp'"),
    "beta": ("number", "exponent of the weights of 'whd'"),
    "levels": ("dict", "by column: a level of whole-column generalization that is fixed"),
    "block_rows": ("int", "how many different rows are looked at together; 0 for all"),
    "refine": (_EFFORT, "how long groups are refined: True, False, 30, '30s'"),
    "refine_steps": ("int", "how many steps per row refine the groups"),
    "bound": (_EFFORT, "how long the lower bound is looked for"),
    "time_limit": ("seconds | str", "how long the search may take"),
    "seed": ("int", "the source of randomness: the same seed, the same release"),
    "threads": ("int", "how many threads"),
    "publish_counts": ("bool", "the certificate tells how many rows were left out"),
    "refuse_risky": ("bool", "no release where columns that are kept give people away"),
    "encoding": ("str", "of a file: the encoding of text that is not UTF-8"),
    "comment": ("str", "of a file: what begins a line that is nobody's record"),
    "sheet": ("str", "of a file: the sheet of a workbook"),
    "query": ("str", "of a file: what is asked of an SQLite database"),
}


class Words(str):
    """An annotation for people: shown without quotes."""

    __repr__ = str.__str__


def paragraph() -> str:
    """All arguments, for docstrings."""
    lines = [f"    {name} ({kind}): {says}" for name, (kind, says) in HELP.items()]
    return "\n\n    All arguments of a job:\n\n" + "\n".join(lines) + "\n    "
