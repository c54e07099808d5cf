"""Results as people read them: lines in a terminal, a piece of HTML in a notebook.

The HTML needs no script, loads nothing, and follows the colours of the page it stands in.
"""

from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING, Any

from ._frames import open_frame

if TYPE_CHECKING:
    from ._result import Result, Verdict

_NAMES = {
    "p": "p, least different values",
    "l_distinct": "l, distinct",
    "l_entropy": "l, entropy",
    "alpha": "α, largest share",
    "recursive": "recursive (c above)",
    "t": "t, distance from the table",
    "beta": "β, largest gain in frequency",
    "delta": "δ, change in frequency",
}
_COLUMN_FIGURES = ("p", "l_entropy", "alpha", "t")
_SHOWN_COLUMNS = 12


def result_text(result: Result) -> str:
    """The lines of `repr`."""
    lines = [f"<kohort.Result: {_headline(result)}"]
    lines.append("  asked       " + ", ".join(_asked(result.certificate)))
    lines.append("  achieved    " + "; ".join(_achieved(result.achieved)))
    per_column = sorted(_per_column(result).items(), key=lambda one: -one[1])
    most = ", ".join(f"{name} {_share(lost)}" for name, lost in per_column[:4])
    lines.append(f"  lost        {_lost(result)}" + (f": {most}" + (", …" if len(per_column) > 4 else "") if most else ""))
    if gap := _gap(result):
        lines.append(f"  at most     {gap} times what any release must lose")
    if result.suppressed or result.opted_out:
        lines.append(f"  left out    {_count(result.suppressed, 'row')} suppressed, {result.opted_out:,} opted out")
    if result.interrupted:
        lines.append("  interrupted: the best there was by then")
    lines += [f"  warning     {one}" for one in result.warnings]
    lines += [f"  note        {one}" for one in result.notes]
    return "\n".join(lines) + ">"


def verdict_text(verdict: Verdict) -> str:
    """The lines of `repr`."""
    judged = ", ".join(verdict["judged"])
    lines = [f"<kohort.Verdict: {'met' if verdict.met else 'not met'}" + (f": {judged}" if judged else "")]
    lines.append("  achieved    " + "; ".join(_achieved(verdict.achieved)))
    lines += [f"  not met     {one}" for one in verdict.shortfalls]
    lines += [f"  not checked {one}" for one in verdict.not_checked]
    return "\n".join(lines) + ">"


def _headline(result: Result) -> str:
    return f"{_count(result.released, 'row')} of {result.rows:,} in {_count(result.classes, 'class', 'classes')}"


def _count(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _share(x: float) -> str:
    return f"{x:.0%}" if x >= 0.1 or x == 0 else f"{x:.1%}"


# A bound that far below says little of the release, and nothing that a reader could use.
_HOPELESS = 5.0


def _gap(result: Result) -> str | None:
    """How far the release is from the bound, where that means something."""
    gap = result.lower_bound.get("gap")
    return f"{gap:.2f}" if gap is not None and gap <= _HOPELESS else None


def _lost(result: Result) -> str:
    il = (result.loss or {}).get("il")
    return "not measured" if il is None else f"il {il:.4f}"


def _per_column(result: Result) -> dict[str, float]:
    return {name: lost for name, lost in ((result.loss or {}).get("per_column") or {}).items() if lost is not None}


def _asked(certificate: dict[str, Any]) -> list[str]:
    """The demands in the notation of the verdict."""
    asked = certificate["asked"]
    said = []
    for one in asked["models"]:
        numbers = ", ".join(f"{key} = {value:g}" for key, value in one.items() if isinstance(value, (int, float)))
        of = f" of {one['column']}" if one.get("column") else ""
        name = "" if one["model"] in ("k-anonymity", "p-sensitive") else f"{one['model']} "
        said.append(f"{name}{numbers}{of}".strip() or one["model"])
    if asked.get("notion", "k") != "k":
        said.append(f"notion {asked['notion']}")
    return said or ["nothing"]


def _achieved(found: dict[str, Any]) -> list[str]:
    said = [f"k {found['k']:,}"] if found.get("k") is not None else []
    for name in ("k1", "one_k", "global_1k"):
        if found.get(name) is not None:
            said.append(f"{name} {found[name]:,}")
    for name in _COLUMN_FIGURES:
        figures = found.get(name) or {}
        shown = ", ".join(f"{column} {_figure(value)}" for column, value in itertools.islice(figures.items(), 3))
        if shown:
            said.append(f"{name}: {shown}" + (", …" if len(figures) > 3 else ""))
    return said


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


_STYLE = """
.kohort{font:14px/1.45 system-ui,sans-serif;color:inherit}
.kohort>p{max-width:60rem}
.kohort h4{font-size:1em;margin:1em 0 .3em;font-weight:600}
.kohort p{margin:.3em 0}
.kohort table{border-collapse:collapse;margin:.2em 0;font-size:13px;color:inherit;background:transparent}
.kohort th,.kohort td{padding:.15em .8em .15em 0;text-align:left!important;vertical-align:middle;border:0;background:transparent;color:inherit}
.kohort thead th{font-weight:600;border-bottom:1px solid #8888}
.kohort td.n{text-align:right!important;font-variant-numeric:tabular-nums;padding-left:.5em}
.kohort tr{background:transparent!important}
.kohort .track{display:inline-block;width:14rem;height:.8em;border:1px solid #8888;vertical-align:middle}
.kohort .bar{display:block;height:100%;background:#3b78b5}
.kohort .scroll{overflow-x:auto}
.kohort .scroll td{white-space:nowrap}
.kohort .warn{border-left:3px solid #d28a00;padding-left:.6em}
.kohort .note{border-left:3px solid #8888;padding-left:.6em}
.kohort .short{border-left:3px solid #c0392b;padding-left:.6em}
.kohort .soft{opacity:.75;font-size:12px}
"""


def result_html(result: Result, original: Any, rows: int) -> str:
    """A result in a notebook."""
    certificate = result.certificate
    parts = [
        f"<p><strong>{escape(_headline(result))}</strong>, verified. Lost: {escape(_lost(result))}"
        + (f", at most {gap} times what any release of this table must lose" if (gap := _gap(result)) else "")
        + f". {_count(result.suppressed, 'row')} suppressed"
        + (f", {result.opted_out:,} opted out" if result.opted_out else "")
        + f". Algorithm {escape(result.algorithm)}, seed {result.seed}.</p>"
    ]
    if result.interrupted:
        parts.append('<p class="warn">Interrupted: the best release there was by then.</p>')
    parts += [f'<p class="warn">{escape(one)}</p>' for one in result.warnings]
    parts += [f'<p class="note">{escape(one)}</p>' for one in result.notes]
    parts.append(_asked_and_achieved(certificate, result.achieved))
    parts.append(_bars(result))
    parts.append(_sample("Released, some rows", result.table, [], rows))
    if original is not None:
        gone = certificate["columns"]["identifiers_dropped"] + certificate["columns"]["person_dropped"] + certificate["columns"]["dropped"]
        parts.append(_sample("Original (private; not the same people)", original, gone, rows))
    parts.append('<p class="soft">Figures about the original are private: clear this output before the notebook leaves with the release.</p>')
    return page(parts)


def verdict_html(verdict: Verdict) -> str:
    """A verdict in a notebook."""
    judged = ", ".join(verdict["judged"]) or "nothing was asked"
    parts = [f"<p><strong>{'Met' if verdict.met else 'Not met'}</strong>: {escape(judged)}</p>"]
    parts += [f'<p class="short">{escape(one)}</p>' for one in verdict.shortfalls]
    parts.append(_figures(verdict.achieved))
    if verdict.not_checked:
        parts.append("<h4>Not checked</h4>")
        parts += [f"<p>{escape(one)}</p>" for one in verdict.not_checked]
    return page(parts)


def page(parts: list[str]) -> str:
    return f'<div class="kohort"><style>{_STYLE}</style>{"".join(parts)}</div>'


def _asked_and_achieved(certificate: dict[str, Any], achieved: dict[str, Any]) -> str:
    asked = "; ".join(_asked(certificate))
    return f"<h4>Asked</h4><p>{escape(asked)}</p>{_figures(achieved)}"


def _figures(achieved: dict[str, Any]) -> str:
    """What classes achieve: one line per figure, one column per sensitive column."""
    names = sorted({column for name in _NAMES if isinstance(achieved.get(name), dict) for column in achieved[name]})
    head = "".join(f"<th>{escape(name)}</th>" for name in ["", *names])
    lines = []
    for name, words in _NAMES.items():
        figures = achieved.get(name)
        if isinstance(figures, dict) and figures:
            cells = "".join(f'<td class="n">{_figure(figures.get(column))}</td>' for column in names)
            lines.append(f"<tr><th>{words}</th>{cells}</tr>")
    head = f"<thead><tr>{head}</tr></thead>" if names else ""
    table = f'<div class="scroll"><table>{head}<tbody>{"".join(lines)}</tbody></table></div>' if lines else ""
    return f'<h4>Achieved</h4><p>k = {achieved["k"]:,}: the smallest class, or the fewest people of one</p>{table}'


def _bars(result: Result) -> str:
    """How much every column lost: figures, and bars beside them for the eye."""
    lines = []
    for name, lost in sorted(_per_column(result).items(), key=lambda one: -one[1]):
        bar = f'<span class="track" aria-hidden="true"><span class="bar" style="width:{min(1.0, lost):.1%}"></span></span>'
        lines.append(f'<tr><th>{escape(name)}</th><td>{bar}</td><td class="n">{_share(lost)}</td></tr>')
    if not lines:
        return ""
    return f'<h4>Lost per column</h4><table><tbody>{"".join(lines)}</tbody></table>'


def _sample(title: str, data: Any, gone: list[str], rows: int) -> str:
    """The first rows of a frame."""
    names, cells, total = _head(data, gone, rows)
    if not names:
        return ""
    more = f", {len(names) - _SHOWN_COLUMNS} more columns" if len(names) > _SHOWN_COLUMNS else ""
    names, cells = names[:_SHOWN_COLUMNS], [row[:_SHOWN_COLUMNS] for row in cells]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells)
    return (
        f"<h4>{title}</h4>"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f'<p class="soft">{len(cells)} of {_count(total, "row")}{more}</p>'
    )


def _head(data: Any, gone: list[str], rows: int) -> tuple[list[str], list[list[str]], int]:
    """Names, and the first rows as texts, whatever library the frame is of."""
    from . import _kohort

    is_release = isinstance(data, _kohort.Table)
    table = data if is_release else _kohort.Table.of(_few(data, rows), "data")
    total = len(data) if hasattr(data, "__len__") else table.num_rows
    names = [name for name in table.column_names if name not in gone]
    # Rows of one class stand together in a release.
    return names, table.texts(names, rows, spread=is_release), total


def _few(data: Any, rows: int) -> Any:
    """No more rows than are shown."""
    few = data.head(rows) if hasattr(data, "head") and not isinstance(data, str) else data
    if hasattr(few, "slice") and not hasattr(data, "head"):
        few = few.slice(0, rows)
    return open_frame(few, "data", is_release=True).source
