"""The report of a study: one HTML file with a summary, plots of measures over parameters, and the table."""
from __future__ import annotations

import html
from typing import Any, List, Sequence, Tuple

import numpy as np

from ._study import Study

_STYLE = """body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#222;max-width:1100px}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}.plots{display:flex;flex-wrap:wrap;gap:1rem}svg{background:#fafafa}
text{font:11px system-ui,sans-serif;fill:#444}circle{fill:#2a6fb0;fill-opacity:.45}.bad{color:#a00}"""
_ROWS_SHOWN = 200


def _is_number(values: Sequence[Any]) -> bool:
    return all(v is None or isinstance(v, (int, float)) for v in values) and any(v is not None for v in values)


def _numbers(values: Sequence[Any]) -> Any:
    return np.array([np.nan if v is None else float(v) for v in values])


def _row(cells: Sequence[Any], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(_shown(c))}</{tag}>" for c in cells) + "</tr>\n"


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)


def _ticks(low: float, high: float) -> Tuple[float, float]:
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _plot(x: Any, y: Any, name_x: str, name_y: str) -> str:
    """Points of y over x."""
    good = np.isfinite(x) & np.isfinite(y)
    if not good.any():
        return ""
    x, y = x[good], y[good]
    (left, right), (low, high) = _ticks(x.min(), x.max()), _ticks(y.min(), y.max())
    points = "".join(f'<circle cx="{60 + 250 * (a - left) / (right - left):.1f}" cy="{170 - 140 * (b - low) / (high - low):.1f}"'
                     ' r="2.2"/>' for a, b in zip(x, y))
    labels = (f'<text x="60" y="188">{left:.4g}</text><text x="310" y="188" text-anchor="end">{right:.4g}</text>'
              f'<text x="55" y="170" text-anchor="end">{low:.3g}</text><text x="55" y="38" text-anchor="end">{high:.3g}</text>'
              f'<text x="185" y="188" text-anchor="middle">{html.escape(name_x)}</text>'
              f'<text x="60" y="18">{html.escape(name_y)}</text>')
    return f'<svg width="330" height="196"><path d="M60 30V170H310" fill="none" stroke="#999"/>{points}{labels}</svg>\n'


def write_report(path: Any, study: Study, table: Any) -> None:
    """The file."""
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    parameters = [n for n in (study.rows[0] if study.rows else {}) if n != "seed"]
    measures = [n for n in columns if n not in parameters + ["run", "seed", "error"]]
    failed = sum(bool(e) for e in columns.get("error", []))
    parts: List[str] = [f"<!doctype html><meta charset=utf-8><title>{html.escape(study.name)}</title><style>{_STYLE}</style>",
                        f"<h1>{html.escape(study.name)}</h1><p>{table.num_rows} runs, {failed} of them failed.</p>"]
    parts.append("<h2>Measures</h2><table>" + _row(["measure", "least", "mean", "greatest"], "th"))
    for name in (n for n in measures if _is_number(columns[n])):
        values = _numbers(columns[name])
        values = values[np.isfinite(values)]
        parts.append(_row([name] + ([float(values.min()), float(values.mean()), float(values.max())] if len(values) else [])))
    parts.append("</table><div class=plots>")
    for name in (n for n in parameters if _is_number(columns[n]) and len(set(columns[n])) > 1):
        parts += [_plot(_numbers(columns[name]), _numbers(columns[m]), name, m) for m in measures if _is_number(columns[m])]
    parts.append("</div><h2>Runs</h2><table>" + _row(list(columns), "th"))
    parts += [_row([columns[n][i] for n in columns]) for i in range(min(_ROWS_SHOWN, table.num_rows))]
    more = table.num_rows - _ROWS_SHOWN
    parts.append("</table>" + (f"<p>and {more} more, in results.parquet</p>" if more > 0 else ""))
    path.write_text("\n".join(parts), encoding="utf-8")
