"""The table as a page and as text: rows are scenes, columns engines, figure and verdict in each cell."""
import html as markup
import platform

MARK = {"met": "✔", "near": "≈", "off": "✘"}
RANK = {"met": 0, "near": 1, "off": 2}


def number(value):
    if value is None:
        return ""
    return "0" if value == 0 else "%.1e" % value if abs(value) < 1e-2 or abs(value) >= 1e3 else "%.3g" % value


class Table:
    def __init__(self, rows, engines, cells, limit):
        self.rows, self.engines, self.limit = rows, engines, limit
        self.row = {r.name: r for r in rows}
        self.engine = {e.name: e for e in engines}
        self.cell = {(c.row, c.engine, c.setting): c for c in cells}

    def pair(self, row, engine):
        """Cells of both settings; None where none was run."""
        return [self.cell.get((row.name, engine.name, s)) for s in (0, 1)]

    def best(self, row, engine):
        """The better verdict of both settings; "" if the row was not run."""
        cells = [c for c in self.pair(row, engine) if c]
        return min((c.verdict for c in cells), key=lambda v: RANK.get(v, 3), default="")

    def is_met(self, name):
        return name not in self.engine or all(self.best(r, self.engine[name]) == "met" for r in self.rows)

    def score(self, engine, setting):
        """Rows met, near and run with a setting."""
        verdicts = [c.verdict for r in self.rows for c in [self.cell.get((r.name, engine.name, setting))] if c]
        verdicts = [v for v in verdicts if v != "n/a"]
        return verdicts.count("met"), verdicts.count("near"), len(verdicts)


def machine():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


# --- Text ---

def text_cell(cell):
    if cell is None:
        return "-"
    return (MARK[cell.verdict] + number(cell.figure)) if cell.verdict in MARK else cell.verdict


def text(table):
    lines = ["machine: %s; at most %g s of processor time a run" % (machine(), table.limit), ""]
    for e in table.engines:
        lines.append("%-10s %-10s %-9s %-6s  default: %s; best: %s" % (e.name, e.version, e.source, e.runtime, *e.settings))
    lines.append("\n✔ met, ≈ near, ✘ off; default / best\n")
    for r in table.rows:
        lines.append("%s: %s. Right: %s. %s, exact %g, near %g [%s]" % (r.name, r.title, r.answer, r.figure, r.exact, r.near,
                                                                        r.source))
        for e in table.engines:
            one, two = table.pair(r, e)
            if one or two:
                why = next((c.why for c in (one, two) if c and c.why), "")
                lines.append("    %-12s %-10s %-10s %s" % (e.name, text_cell(one), text_cell(two), why))
    lines.append("\nrows met + near / run, default and best")
    for e in table.engines:
        lines.append("  %-12s %s" % (e.name, "   ".join("%2d + %2d / %2d" % table.score(e, s) for s in (0, 1))))
    return "\n".join(lines) + "\n"


# --- HTML ---

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid #ccc; padding: 3px 6px; text-align: left; vertical-align: top; }
.grid td.cell { font-variant-numeric: tabular-nums; white-space: nowrap; }
.grid { display: block; overflow-x: auto; }
.grid th:first-child, .grid td:first-child { position: sticky; left: 0; background: #fff; min-width: 17rem; }
.met { background: #d9f2dd; } .near { background: #fdf3cf; } .off { background: #f9d9d6; } .bad { background: #e8c6dd; }
.none { color: #999; } small { color: #666; display: block; }
.cell span { display: block; padding: 0 3px; }
"""


def html_cell(cell):
    if cell is None:
        return '<span class="none">–</span>'
    kind = cell.verdict if cell.verdict in MARK else "none" if cell.verdict == "n/a" else "bad"
    words = "%s %s" % (MARK[cell.verdict], number(cell.figure)) if cell.verdict in MARK else cell.verdict
    title = "%s%s" % (cell.why, "" if cell.ms is None else " %.3g ms a step" % cell.ms)
    return '<span class="%s" title="%s">%s</span>' % (kind, markup.escape(title.strip()), markup.escape(words))


def html_row(table, row):
    head = "<b>%s</b> %s<small>right: %s</small><small>%s; met ≤ %g, near ≤ %g</small><small>%s</small>" % tuple(
        markup.escape(str(x)) if not isinstance(x, float) else x
        for x in (row.name, row.title, row.answer, row.figure, row.exact, row.near, row.source))
    cells = "".join('<td class="cell">%s</td>' % "".join(html_cell(c) for c in table.pair(row, e)) for e in table.engines)
    return "<tr><td>%s</td>%s</tr>" % (head, cells)


def html_engines(table):
    rows = []
    for e in table.engines:
        scores = "".join("<td>%d + %d of %d</td>" % table.score(e, s) for s in (0, 1))
        fields = (e.name, e.version, e.source, e.runtime, *e.settings)
        rows.append("<tr>%s%s</tr>" % ("".join("<td>%s</td>" % markup.escape(f) for f in fields), scores))
    head = ("engine", "version", "from", "runs as", "as delivered", "best", "met + near, as delivered", "best")
    return "<table><tr>%s</tr>%s</table>" % ("".join("<th>%s</th>" % h for h in head), "".join(rows))


INTRO = """<p>Every engine is given the same scenes (Cairn's own format; <code>cairn-conformance --write-scenes DIR</code> writes them) with
the same step. In each cell the upper line is the engine as delivered, the lower one the best that it offers without changing the scene. The figure is
an error: 0 is right. Nobody puts bodies to sleep. "n/a": the engine, or its adapter, cannot be given the scene or does not tell what
is asked; "crash", "NaN" and "timeout" are what they say. Times (in the cells' tips) of wasm and python are not to be
compared with native ones. bench/conformance/README.md has the details.</p>"""


def html(table):
    head = "".join("<th>%s<small>%s</small></th>" % (markup.escape(e.name), markup.escape(e.version)) for e in table.engines)
    return ("<!doctype html><html lang=en><meta charset=utf-8><title>Conformance</title><style>%s</style>"
            "<h1>Conformance: scenes with analytic answers</h1>%s<p>Machine: %s. At most %g s of processor time a run.</p>%s"
            '<table class="grid"><tr><th>scene</th>%s</tr>%s</table></html>\n'
            % (STYLE, INTRO, markup.escape(machine()), table.limit, html_engines(table), head,
               "".join(html_row(table, r) for r in table.rows)))
