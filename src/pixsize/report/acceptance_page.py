"""The results against the plan as a page, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pixsize import units
from pixsize.acceptance.verdicts import Accepted, CurvePoint, Test
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.texts import listed, plural

SCHEMA = "pixsize.accept/1"
_WORDS = {"pass": "accepted", "doubtful": "doubtful", "fail": "not accepted"}


def document(accepted: Accepted) -> dict[str, Any]:
    """What `accept --format json` prints."""
    return {
        "schema": SCHEMA,
        "name": accepted.name,
        "verdict": accepted.verdict,
        "tests": [_test(t) for t in accepted.tests],
        "points": [_point(p) for p in accepted.points],
        "missing": list(accepted.missing),
        "ignored": [{"file": i.file, "why": i.why} for i in accepted.ignored],
    }


def _test(test: Test) -> dict[str, Any]:
    return {
        "figure": test.figure,
        "tool": test.tool,
        "version": test.version,
        "files": list(test.files),
        **({"threads": test.threads} if test.threads else {}),
        "measured": test.measured,
        "unit": test.unit,
        "low": test.low,
        "value": test.value,
        "high": test.high,
        "range": test.place,
        "verdict": test.verdict,
        "reasons": list(test.reasons),
    }


def _point(point: CurvePoint) -> dict[str, Any]:
    figure = point.figure
    return {
        "rate": point.rate,
        **({"threads": point.threads} if point.threads else {}),
        "measured": point.measured,
        "unit": point.unit,
        **({"figure": figure.id, "low": figure.low, "value": figure.value, "high": figure.high} if figure else {}),
        "files": list(point.files),
    }


def page(accepted: Accepted) -> Page:
    """The verdict first, then each figure, the reasons, points by threads, what was not measured or not counted."""
    sections = (
        Section("Figures", (_figures(accepted),) if accepted.tests else ()),
        Section("Reasons", tuple(_reasons(accepted))),
        Section("By threads", (_curve(accepted),) if accepted.points else ()),
        Section("Not measured", (Items(accepted.missing),) if accepted.missing else ()),
        Section("Not counted", (_ignored(accepted),) if accepted.ignored else ()),
    )
    return Page(accepted.name, tuple(_overview(accepted)), tuple(s for s in sections if s.blocks))


def _overview(accepted: Accepted) -> Iterator[tuple[str, str]]:
    yield "verdict", f"{_WORDS[accepted.verdict]} ({accepted.verdict})"
    counts = [(len([t for t in accepted.tests if t.verdict == v]), w) for v, w in _WORDS.items()]
    yield "figures", ", ".join(f"{n} {w}" for n, w in counts if n) or "none measured"
    campaign = accepted.campaign
    each = f" with {units.binary_bytes(campaign.client_bytes)} each" if campaign.client_bytes else ""
    yield "clients", f"{campaign.clients}{each}; servers {units.binary_bytes(campaign.server_bytes)} of memory together"
    files = {f for t in accepted.tests for f in t.files}
    yield "files", f"{plural(len(files), 'file')} behind the figures, {len(accepted.ignored)} not counted"


def _figures(accepted: Accepted) -> Table:
    columns = (
        Column("figure"),
        Column("measured", "right"),
        Column("range of the plan", "right"),
        Column("verdict"),
    )
    rows: list[tuple[str, ...]] = []
    headings: set[int] = set()
    for test in accepted.tests:
        kind, family, rest = test.figure.split(".", 2)
        heading = f"{kind}.{family}"
        if heading not in (rows[i][0] for i in headings):
            headings.add(len(rows))
            rows.append((heading, "", "", ""))
        place = "" if test.place == "inside" else f", {test.place}"
        measured, ends = units.show(test.measured, test.unit), _ends(test.low, test.high, test.unit)
        rows.append((rest, measured, ends, f"{test.verdict}{place}"))
    return Table(columns, tuple(rows), frozenset(headings))


def _ends(low: int, high: int, unit: str) -> str:
    ends = [units.show(n, unit) for n in (low, high)]
    first, _, of = ends[0].partition(" ")
    return f"{first if ends[1].endswith(f' {of}') else ends[0]} to {ends[1]}"


def _reasons(accepted: Accepted) -> Iterator[str | Items]:
    for test in accepted.tests:
        said = f" with {plural(test.threads, 'thread')}" if test.threads else ""
        tool = listed(dict.fromkeys(f"{s.run.tool} {s.run.version}".strip() for s in test.point.samples))
        yield f"{test.figure}: {test.verdict}; {tool}{said}, {listed(test.files)}"
        if test.reasons:
            yield Items(test.reasons)


def _curve(accepted: Accepted) -> Table:
    columns = (
        Column("rate", wraps=True),
        Column("threads", "right"),
        Column("measured", "right"),
        Column("plan", "right"),
        Column("range of the plan", "right"),
    )
    return Table(columns, tuple(_curve_row(p) for p in accepted.points))


def _curve_row(point: CurvePoint) -> tuple[str, ...]:
    figure = point.figure
    measured = units.show(point.measured, point.unit)
    threads = f"{point.threads:,}" if point.threads else "not said"
    if figure is None:
        return (point.rate, threads, measured, "", "")
    ends = _ends(figure.low, figure.high, figure.unit)
    return (point.rate, threads, measured, units.show(figure.value, figure.unit), ends)


def _ignored(accepted: Accepted) -> Table:
    return Table((Column("file"), Column("why", wraps=True)), tuple((i.file, i.why) for i in accepted.ignored))
