"""Points by threads beside the plan's, as SVG: a panel for each rate, for the hand-over report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log2
from typing import Any

from pixsize import units
from pixsize.acceptance.verdicts import Accepted, CurvePoint, Test
from pixsize.render.template import fill
from pixsize.report.printable import clean

_WIDE, _HIGH = 300, 170
_ACROSS, _DOWN = 430, 250
_LEFT, _TOP = 100, 80
_COLUMNS = 2
_LINES = 4
"""Lines of the scale of rates."""
_COLOURS = {True: "#1a7f37", False: "#c77700"}
"""Of a point that no rule doubts, and of one that some rule does."""


def draw(accepted: Accepted) -> str:
    """The chart; it has no panel where no output says its threads."""
    rates: dict[str, list[CurvePoint]] = {}
    for point in accepted.points:
        if point.threads:
            rates.setdefault(point.rate, []).append(point)
    tests = {t.figure.removesuffix(".peak"): t for t in accepted.tests if not t.figure.endswith(".sustained")}
    drawn = [_panel(n, rate, points, tests.get(rate)) for n, (rate, points) in enumerate(rates.items())]
    rows = -(-len(drawn) // _COLUMNS)
    title = escape(f"{clean(accepted.name)}: {accepted.verdict}")
    return fill(
        "accept/chart.svg.j2",
        {"title": title, "panels": drawn, "width": _ACROSS * _COLUMNS, "height": _TOP + _DOWN * max(rows, 1)},
    )


def _panel(number: int, rate: str, points: Sequence[CurvePoint], test: Test | None) -> dict[str, Any]:
    """The words of a panel: threads to the right, doubling; rates upwards, from nothing."""
    threads = [p.threads or 1 for p in points]
    first, last = log2(min(threads)), log2(max(threads))
    known = [p for p in points if p.figure]
    most = max(
        [p.measured for p in points] + [p.figure.high for p in known if p.figure] + ([test.high] if test else [])
    )

    def x(count: int) -> float:
        return round(_WIDE * (log2(count) - first + 0.5) / (last - first + 1), 1)

    def y(value: int) -> float:
        return round(_HIGH * (1 - value / (most * 1.05)), 1)

    def line(values: Sequence[tuple[int, int]]) -> str:
        return " ".join(f"{x(count)},{y(value)}" for count, value in values)

    highs = [(p.threads or 1, p.figure.high) for p in known if p.figure]
    lows = [(p.threads or 1, p.figure.low) for p in known if p.figure]
    return {
        "left": _LEFT + _ACROSS * (number % _COLUMNS),
        "top": _TOP + _DOWN * (number // _COLUMNS),
        "wide": _WIDE,
        "high": _HIGH,
        "name": escape(rate),
        "verdict": test.verdict if test else "no figure",
        "rates": [
            {"at": y(most * n // _LINES), "text": units.show(most * n // _LINES, points[0].unit, 1)}
            for n in range(_LINES + 1)
        ],
        "threads": [{"at": x(n), "text": f"{n:,}"} for n in threads],
        "band": line([*highs, *reversed(lows)]),
        "plan": line([(p.threads or 1, p.figure.value) for p in known if p.figure]),
        "ends": [y(test.low), y(test.high)] if test else [],
        "measured": line([(p.threads or 1, p.measured) for p in points]),
        "dots": [_dot(p, x(p.threads or 1), y(p.measured)) for p in points],
    }


def _dot(point: CurvePoint, x: float, y: float) -> dict[str, Any]:
    text = f"{point.threads:,} threads: {units.show(point.measured, point.unit)}"
    return {"x": x, "y": y, "colour": _COLOURS[point.is_clean], "text": text}
