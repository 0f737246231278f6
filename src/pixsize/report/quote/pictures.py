"""The pictures of a quote as SVG: ranges, the way of the capacity, racks, and connections.

Each element has a colour of its own for readers that know no style sheet, and a class by which one gives it another:
`ink` text, `dim` small text, `rule` lines, `box` devices, `solid`, `light` and `mark` of bars.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pixsize import units
from pixsize.report.printable import clean, wrap
from pixsize.report.quote.contents import Measure, Step
from pixsize.report.quote.racks import Rack
from pixsize.report.quote.sections import rack_title, units_of
from pixsize.report.quote.topology import MANAGEMENT, Kind, Topology
from pixsize.texts import plural

_INK, _DIM, _RULE = "#1b1f24", "#57606a", "#8c959f"
_SOLID, _LIGHT, _MARK = "#0b5cad", "#a9cdf0", "#1b1f24"
_BOXES = {"array": "#dbe9f6", "server": "#e6f0dc", "switch": "#f6e7d2", "none": "#ffffff"}
_FONT = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'


def _svg(name: str, title: str, about: str, wide: float, high: float, inside: Iterator[str]) -> str:
    """A whole picture with its title and description, which a reader of screens reads out."""
    labelled = f'role="img" aria-labelledby="{name}-t {name}-d"'
    head = f'<title id="{name}-t">{_safe(title)}</title><desc id="{name}-d">{_safe(about)}</desc>'
    size = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {labelled} {size} {_FONT}>{head}{"".join(inside)}</svg>'


def _safe(text: str) -> str:
    return escape(clean(text))


def _text(
    x: float, y: float, text: str, size: float = 12, kind: str = "ink", anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    fill = _INK if kind == "ink" else _DIM
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place} fill="{fill}"{weight}>{_safe(text)}</text>'


def _rect(x: float, y: float, wide: float, high: float, kind: str, fill: str, more: str = "") -> str:
    place = f'x="{x:g}" y="{y:g}" width="{max(wide, 0):g}" height="{high:g}"'
    return f'<rect class="{kind}" {place} fill="{fill}"{more}/>'


def _line(x1: float, y1: float, x2: float, y2: float, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<path class="rule" d="M{x1:g} {y1:g}L{x2:g} {y2:g}" fill="none" stroke="{_RULE}" stroke-width="1.2"{dash}/>'
    )


# Ranges


def bar(measure: Measure) -> str:
    """The range of a quantity: solid up to the low end, light up to the high one, a mark at the value."""
    if measure.bar is None:
        return ""
    low, value, high = (round(200 * share, 1) for share in measure.bar)
    about = f"{measure.name}: {measure.low}; {measure.value}; {measure.high}"
    inside = (
        _rect(0, 3, 200, 10, "track", "#eaeef2"),
        _rect(0, 3, high, 10, "light", _LIGHT),
        _rect(0, 3, low, 10, "solid", _SOLID),
        _rect(min(max(value - 1, 0), 198), 0, 2, 16, "mark", _MARK),
    )
    size = 'viewBox="0 0 200 16" width="120" height="12" preserveAspectRatio="none"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="range" role="img" aria-label="{_safe(about)}" {size}>'
    return f"{head}<title>{_safe(about)}</title>{''.join(inside)}</svg>"


# The way of the capacity

_ROW, _LEFT, _BAR = 24, 190, 380


def waterfall(title: str, about: str, steps: Sequence[Step]) -> str:
    """A bar for each step: what is there in solid colour, what a step takes away in a light one where it was."""
    return _svg("waterfall", title, about, 760, _ROW * len(steps) + 8, _waterfall(steps))


def _waterfall(steps: Sequence[Step]) -> Iterator[str]:
    for number, step in enumerate(steps):
        y = _ROW * number + 4
        left, lost = step.bar
        yield _text(_LEFT - 10, y + 15, step.name, anchor="end", bold=step.is_there)
        if step.is_there:
            yield _rect(_LEFT, y + 3, _BAR * left, 16, "solid", _SOLID)
        else:
            yield _rect(_LEFT + _BAR * left, y + 3, max(_BAR * lost, 1), 16, "light", _LIGHT)
        minus = "" if step.is_there or not step.figure.value else "\u2212"
        size = units.grouped(step.figure.value / 10**12, 2)
        yield _text(_LEFT + _BAR + 170, y + 15, f"{minus}{size} TB", anchor="end", bold=step.is_there)


# Racks

_UNIT, _WIDE, _PITCH = 14, 180, 190
_A_ROW = 4


def racks(title: str, about: str, shown: Sequence[Rack]) -> str:
    """The racks from the front, four a row, with the number of every fifth unit."""
    rows = -(-len(shown) // _A_ROW)
    high = max((r.height for r in shown), default=1) * _UNIT + 46
    wide = _PITCH * min(len(shown), _A_ROW)
    return _svg("racks", title, about, wide, high * rows, _racks(shown, high))


def _racks(shown: Sequence[Rack], high: float) -> Iterator[str]:
    for number, rack in enumerate(shown):
        x, top = _PITCH * (number % _A_ROW) + 2, high * (number // _A_ROW) + 24
        yield _text(x + 18, top - 8, rack_title(number + 1, rack), 11, bold=True)
        bottom = top + rack.height * _UNIT
        yield _rect(x + 18, top, _WIDE - 18, rack.height * _UNIT, "frame", _BOXES["none"], f' stroke="{_RULE}"')
        for unit in (1, *range(5, rack.height + 1, 5)):
            yield _text(x + 13, bottom - unit * _UNIT + 11, f"{unit}", 9, "dim", "end")
        for box in rack.boxes:
            y, size = bottom - (box.at + box.units - 1) * _UNIT, box.units * _UNIT
            yield _rect(
                x + 19, y + 0.5, _WIDE - 20, size - 1, f"box {box.kind}", _BOXES[box.kind], f' stroke="{_RULE}"'
            )
            yield from _labels(x + 24, y, size, box.name, box.title, units_of(box.at, box.units))


def _labels(x: float, y: float, size: float, name: str, title: str, place: str) -> Iterator[str]:
    """The name of a device, and what it is where there is room for a second line; the rest of it as a tip."""
    tip = f"<title>{_safe(f'{place} U: {name}, {title}')}</title>"
    short, long = _cut(name, 25), _cut(title, 30)
    if size >= 2 * _UNIT:
        middle = y + size / 2
        yield f"<g>{tip}{_text(x, middle - 2, short, 10, bold=True)}{_text(x, middle + 10, long, 9, 'dim')}</g>"
    else:
        yield f"<g>{tip}{_text(x, y + 11, _cut(f'{name}: {title}', 30), 9)}</g>"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}\u2026"


# Connections

_TOTAL, _BUS, _BOX = 760, 34, 76


def topology(title: str, about: str, net: Topology) -> str:
    """Networks as bars across the picture, servers between them, arrays below the servers that they are cabled to."""
    lines, high = _drawn(net)
    return _svg("topology", title, about, _TOTAL, high, iter(lines))


def _drawn(net: Topology) -> tuple[list[str], float]:
    served = {x.end for x in net.lines if x.start in {k.id for k in net.servers}}
    carries = [k for k in net.networks if k.id in served and not _is_management(k)]
    is_array = frozenset(k.id for k in net.arrays)
    manages = [k for k in net.networks if _is_management(k)]
    columns = max(len(net.servers), 1)
    pitch = _TOTAL / columns
    under: list[str] = []
    over: list[str] = []
    top_of: dict[str, float] = {}
    y = 4.0
    for kind in carries:
        top_of[kind.id] = y
        over += _bus(kind, y)
        y += _BUS + 22
    servers_at = y + 26
    arrays_at = servers_at + _BOX + 46
    below = arrays_at + _BOX + 30 if net.arrays else servers_at + _BOX + 30
    for kind in manages:
        top_of[kind.id] = below
        over += _bus(kind, below, dashed=True)
        below += _BUS + 14
    x_of = {k.id: pitch * n for n, k in enumerate(net.servers)}
    y_of = dict.fromkeys(x_of, servers_at)
    for array in net.arrays:
        owner = next((x.start for x in net.lines if x.end == array.id and x.start in x_of), "")
        taken = sum(y_of.get(i) == arrays_at and x_of[i] == x_of.get(owner, 0.0) for i in y_of)
        x_of[array.id] = x_of.get(owner, 0.0) + taken * 12
        y_of[array.id] = arrays_at
    for kind in (*net.servers, *net.arrays):
        over += _device(kind, x_of[kind.id], y_of[kind.id], pitch, "array" if kind.id in is_array else "server")
    for line in net.lines:
        under += _connection(line.start, line.end, line.cables, x_of, y_of, top_of, pitch, is_array)
    return [*under, *over], below


def _is_management(kind: Kind) -> bool:
    return kind.role.startswith(MANAGEMENT)


def _bus(kind: Kind, y: float, dashed: bool = False) -> Iterator[str]:
    stroke = f' stroke="{_RULE}" rx="4"' + (' stroke-dasharray="4 3"' if dashed else "")
    yield _rect(1, y, _TOTAL - 2, _BUS, "box switch", _BOXES["switch"], stroke)
    what = f": {kind.count:,} x {kind.title}" if kind.title else ""
    yield _text(_TOTAL / 2, y + 21, _cut(f"{kind.role[:1].upper()}{kind.role[1:]}{what}", 100), 12, anchor="middle")


def _device(kind: Kind, x: float, y: float, pitch: float, colour: str) -> Iterator[str]:
    wide = min(pitch - 14, 240)
    left = x + (pitch - wide) / 2
    yield _rect(left, y, wide, _BOX, f"box {colour}", _BOXES[colour], f' stroke="{_RULE}" rx="4"')
    letters = max(int(wide / 6), 8)
    lines = wrap(kind.title, letters)
    lines = lines if len(lines) <= 3 else [*lines[:2], _cut(" ".join(lines[2:]), letters)]
    role = plural(kind.count, kind.role)
    heads = wrap(role, letters - 3)[:2]
    yield f"<g><title>{_safe(f'{role}: {kind.title}')}</title>"
    for number, line in enumerate(heads):
        yield _text(left + wide / 2, y + 15 + 13 * number, line, 10.5, anchor="middle", bold=True)
    for number, line in enumerate(lines):
        yield _text(left + wide / 2, y + 17 + 13 * len(heads) + 12 * number, line, 9.5, "dim", "middle")
    yield "</g>"


def _connection(
    start: str,
    end: str,
    cables: int,
    x_of: dict[str, float],
    y_of: dict[str, float],
    top_of: dict[str, float],
    pitch: float,
    is_array: frozenset[str],
) -> Iterator[str]:
    """A line: up to a network, down to arrays, and dashed at the side of the box down to the management network."""
    if start in top_of:
        start, end = end, start
    if start not in x_of:
        return
    middle, wide = x_of[start] + pitch / 2, min(pitch - 14, 240)
    y = y_of[start]
    said = f"{cables:,}" if cables else ""
    if end in y_of:
        yield _line(middle, y + _BOX, middle, y_of[end])
        yield _text(middle + 5, y + _BOX + 28, f"{said} SAS".strip(), 10, "dim")
    elif end in top_of and top_of[end] < y:
        place = list(top_of).index(end)
        x = middle + 26 * place
        yield _line(x, top_of[end] + _BUS, x, y)
        yield _text(x + 5, y - 9, said, 10, "dim")
    elif end in top_of:
        side = middle - wide / 2 + (7 if start in is_array else -3)
        yield _line(side, y + (_BOX if side > middle - wide / 2 else _BOX / 2), side, top_of[end], dashed=True)
        yield _text(side + 4, top_of[end] - 8, said, 10, "dim") if start in is_array else ""
