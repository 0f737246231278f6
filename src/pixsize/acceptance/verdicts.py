"""The verdict: each figure of a plan against what was measured, and the reasons in the order of their weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pixsize import units
from pixsize.acceptance import limits, rules
from pixsize.acceptance.campaign import Campaign, threads_of_peak, with_peaks
from pixsize.acceptance.points import Ignored, Point, ResultFile, Sample, sort
from pixsize.acceptance.rules import Doubted
from pixsize.catalog.catalog import Catalog
from pixsize.codes import codes
from pixsize.estimate.ids import by_threads
from pixsize.figures import Figure
from pixsize.plan.records import Plan

Verdict = Literal["pass", "doubtful", "fail"]
Place = Literal["inside", "above", "below"]
SUSTAINED = 3
"""So many numbers of threads at least tell a plateau from a peak. No document defines its sustained rates."""
FAR = Fraction(3, 2)
"""So many times the high end of a range is no better system of the same kind: of nine in ten, none comes near it."""


class Test(NamedTuple):
    """A figure against what was measured of it: rates in `unit`; `threads` is None where nobody says how many."""

    figure: str
    tool: str
    version: str
    files: tuple[str, ...]
    threads: int | None
    measured: int
    unit: str
    low: int
    value: int
    high: int
    place: Place
    verdict: Verdict
    reasons: tuple[str, ...]
    doubts: tuple[Doubted, ...]
    point: Point


class CurvePoint(NamedTuple):
    """What so many threads reached, beside the figure of the plan for as many, where there is one.

    `is_clean` says that no rule doubts it; `samples` are those of `files`.
    """

    rate: str
    threads: int | None
    measured: int
    unit: str
    figure: Figure | None
    files: tuple[str, ...]
    is_clean: bool
    samples: tuple[Sample, ...]


class Accepted(NamedTuple):
    """The results of a system against its plan."""

    name: str
    verdict: Verdict
    tests: tuple[Test, ...]
    points: tuple[CurvePoint, ...]
    missing: tuple[str, ...]
    ignored: tuple[Ignored, ...]
    campaign: Campaign


def judge(
    files: Sequence[ResultFile],
    plan: Plan,
    figures: Mapping[str, Figure],
    campaign: Campaign,
    catalog: Catalog,
    taken_on: Iterable[str] = (),
) -> Accepted:
    """Every figure of the plan that results are of, judged. `taken_on` are codes of warnings that the user accepts."""
    measurable = with_peaks(figures)
    found = sort(files, figures, campaign)
    judges = _Judge(plan, figures, campaign, catalog, frozenset(taken_on))
    tests = {t.figure: t for stem, points in found.points.items() for t in judges.tests(stem, points)}
    ordered = tuple(tests[i] for i in measurable if i in tests)
    return Accepted(
        plan.name,
        _overall(ordered),
        ordered,
        tuple(p for stem, points in found.points.items() for p in judges.curve(stem, points)),
        tuple(i for i in measurable if i not in tests),
        found.ignored,
        campaign,
    )


def _overall(tests: Sequence[Test]) -> Verdict:
    order: tuple[Verdict, ...] = ("pass", "doubtful", "fail")
    return max((t.verdict for t in tests), key=order.index, default="doubtful")


class _Judge:
    """Judges the points of one rate after the other against one plan."""

    def __init__(
        self,
        plan: Plan,
        figures: Mapping[str, Figure],
        campaign: Campaign,
        catalog: Catalog,
        taken_on: frozenset[str],
    ) -> None:
        self._plan, self._figures, self._campaign, self._catalog = plan, figures, campaign, catalog
        self._taken_on = taken_on

    def tests(self, stem: str, points: Sequence[Point]) -> Iterator[Test]:
        """The test of the peak, and of the sustained rate: the lowest point from the peak on.

        Fewer points than `SUSTAINED` tell nothing of what is sustained; nor does a peak without a number of threads.
        """
        if stem in self._figures:
            yield self._test(self._figures[stem], self._best(points), points)
            return
        best = self._best(points)
        if peak := self._figures.get(f"{stem}.peak"):
            yield self._test(peak, best, points)
        counted = [p for p in points if p.threads is not None]
        sustained = self._figures.get(f"{stem}.sustained")
        if sustained is not None and best in counted and len(counted) >= SUSTAINED:
            yield self._test(sustained, min(counted[counted.index(best) :], key=lambda p: p.rate), points)

    def curve(self, stem: str, points: Sequence[Point]) -> Iterator[CurvePoint]:
        """The points of a rate beside the figures of the plan by threads."""
        for point in points:
            figure = self._figures.get(by_threads(stem, point.threads)) if point.threads else None
            files = tuple(dict.fromkeys(s.file for s in point.samples))
            clean, unit = not self._doubts(point), point.samples[0].run.unit
            yield CurvePoint(stem, point.threads, point.rate, unit, figure, files, clean, point.samples)

    def _best(self, points: Sequence[Point]) -> Point:
        """The highest point; one that nothing may have raised stands before all others."""
        return max(points, key=lambda p: (not any(d.way in ("up", "both") for d in self._doubts(p)), p.rate))

    def _doubts(self, point: Point) -> list[Doubted]:
        """What counts against a point: warnings that the user has not taken on."""
        found = (d for s in point.samples for d in rules.of_sample(s, self._campaign))
        return [d for d in found if codes()[d.code].severity == "warning" and d.code not in self._taken_on]

    def _test(self, figure: Figure, point: Point, points: Sequence[Point]) -> Test:
        place: Place = "below" if point.rate < figure.low else "above" if point.rate > figure.high else "inside"
        planned = max(self._campaign.threads, default=None) or threads_of_peak(figure, self._catalog)
        every = [d for s in point.samples for d in rules.of_sample(s, self._campaign)]
        every += [*rules.of_points(points, planned), *rules.of_point(point)]
        doubts = _once(every)
        counted = [d for d in doubts if codes()[d.code].severity == "warning" and d.code not in self._taken_on]
        verdict = self._verdict(figure, point, place, counted)
        return Test(
            figure.id,
            ", ".join(dict.fromkeys(s.run.tool for s in point.samples)),
            ", ".join(dict.fromkeys(s.run.version for s in point.samples if s.run.version)),
            tuple(dict.fromkeys(s.file for s in point.samples)),
            point.threads,
            point.rate,
            figure.unit,
            figure.low,
            figure.value,
            figure.high,
            place,
            verdict,
            tuple(self._reasons(figure, point, place, doubts, counted)),
            tuple(doubts),
            point,
        )

    def _verdict(self, figure: Figure, point: Point, place: Place, counted: Sequence[Doubted]) -> Verdict:
        ways = {d.way for d in counted}
        if place == "above":
            return "fail" if point.rate > FAR * figure.high else "doubtful" if ways & {"up", "both"} else "pass"
        if place == "inside":
            return "doubtful" if ways & {"up", "both"} else "pass"
        if not ways & {"down", "both"}:
            return "fail"
        # Few threads excuse a low peak only where the plan does not promise more of as many.
        own = self._figures.get(by_threads(figure.id.rpartition(".")[0], point.threads or 0))
        excused = ways & {"down", "both"} and not (
            own is not None and point.rate < own.low and {d.code for d in counted} == {rules.THREADS.code}
        )
        return "doubtful" if excused else "fail"

    def _reasons(
        self, figure: Figure, point: Point, place: Place, doubts: Sequence[Doubted], counted: Sequence[Doubted]
    ) -> Iterator[str]:
        run = point.samples[0].run
        if place == "above":
            yield limits.above(figure, point.rate, counted, point.rate > FAR * figure.high)
        elif place == "below":
            yield from limits.below(figure, point.rate, run, self._plan, self._figures, self._catalog)
        for d in doubts:
            accepted = " (taken on by the request)" if d.code in self._taken_on else ""
            yield f"{d.code} {d.message}{accepted}"
        least, most = min(s.run.lowest for s in point.samples), max(s.run.highest for s in point.samples)
        if least != most:
            ends = (units.show(n, figure.unit) for n in (least, most))
            yield "the mean of iterations between {} and {}".format(*ends)


def _once(doubts: Iterable[Doubted]) -> list[Doubted]:
    """Each code once, with the first message of it."""
    found: dict[str, Doubted] = {}
    for doubt in doubts:
        found.setdefault(doubt.code, doubt)
    return sorted(found.values(), key=lambda d: (codes()[d.code].severity != "warning", d.code))
