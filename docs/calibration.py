"""Learns how far measurements lie from what others predict, and writes what it found: `python docs/calibration.py`.

It writes catalogs/spreads/calibrated.yaml and docs/explanation/calibration.md. With `--check` nothing is written: files
that differ are named, and the exit code is 1 when there are any.

Each measurement of the catalog is predicted by the program itself from the others. A pair is a measurement and the one
other measurement that it was predicted from. What a kind of step brings is learned from the pairs that differ in that
step alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, get_args

import yaml

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement, StepKind
from pixsize.estimate.evidence import number_of, used
from pixsize.estimate.make import estimate
from pixsize.estimate.spreads import ALL, PREFIX, families
from pixsize.figures import Figure, Unit
from pixsize.load import load_catalog, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.report.serialize import to_yaml

ROOT = Path(__file__).resolve().parent.parent
SPREADS = ROOT / "catalogs/spreads/calibrated.yaml"
PAGE = ROOT / "docs/explanation/calibration.md"
KINDS: tuple[str, ...] = get_args(StepKind)
ENOUGH = 8
"""Pairs that a family needs to stand alone; with fewer the missing ones are borrowed from the wider family."""
FEW = 3
"""Pairs that a wide family needs to stand alone."""
NINE_OF_TEN = 0.9
"""The share of predictions whose range is to hold what was measured."""


class Pair(NamedTuple):
    """Two measurements of one figure: the kinds of step between them, and the logarithm of measured over predicted."""

    figure: str
    kinds: tuple[str, ...]
    residual: float
    ids: tuple[str, ...]


class Case(NamedTuple):
    """A measurement, and the figure that comes out without it."""

    record: Measurement
    measured: int
    predicted: Figure

    @property
    def is_inside(self) -> bool:
        """Whether the range holds what was measured."""
        return self.predicted.low <= self.measured <= self.predicted.high

    @property
    def error(self) -> float:
        """How far the prediction lies off: the larger of measured and predicted over the smaller, less one."""
        return exp(abs(log(self.measured / self.predicted.value))) - 1

    @property
    def width(self) -> float:
        """The high end over the low end."""
        return self.predicted.high / self.predicted.low


Cases = list[Case]


# Systems that were measured, as requests


def request_of(record: Measurement, catalog: Catalog) -> dict[str, Any]:
    """The words of a request for the system that a record measured."""
    words = dict(catalog.raw[record.id]["system"])
    request: dict[str, Any] = {"name": "measured", "filesystem": {"name": "measured"}}
    if block := words.pop("block_size", None):
        request["filesystem"]["block_size"] = block
    if lnet := words.pop("lnet", None):
        request["network"] = {"lnet": lnet, "interface": "ib0", "subnet": "10.10.0.0/24"}
    return request | words


@cache
def _shipped() -> Catalog:
    catalog, found = load_catalog()
    if found:
        raise SystemExit(f"the shipped catalog has findings: {found}")
    return catalog


def plan_of(record: Measurement, catalog: Catalog) -> Plan:
    """The plan of the system that a record measured."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "request.yaml")
        path.write_text(to_yaml(request_of(record, catalog)), encoding="utf-8")
        loaded, found = load_request(str(path), catalog)
    if loaded is None:
        raise SystemExit(f"{record.id}: {[str(f) for f in found]}")
    plan, more = make_plan(loaded.request, catalog, Observed())
    if plan is None:
        raise SystemExit(f"{record.id}: {[str(f) for f in more]}")
    return plan


def without(catalog: Catalog, gone: Iterable[str]) -> Catalog:
    """The catalog without some records; a record that compares itself with one of them no longer does."""
    left = set(gone)
    raw = {i: words for i, words in catalog.raw.items() if i not in left}
    return Catalog(
        {
            i: {k: v for k, v in words.items() if not (k == "doubles" and v in left)}
            if words["kind"] == "measurement"
            else words
            for i, words in raw.items()
        }
    )


# Pairs


def measured_records(catalog: Catalog) -> tuple[Measurement, ...]:
    """The measurements of rates of whole systems; power is no rate."""
    return tuple(m for m in catalog.all(Measurement) if m.system is not None and m.unit != "W" and _is_figure(m.figure))


def _is_figure(figure: str) -> bool:
    return figure.endswith((".peak", ".sustained", ".128k"))


def is_cached(record: Measurement) -> bool:
    """Whether a figure is one that came from a cache somewhere: a reading bounds it that is no second look at it."""
    return record.figure.startswith("metadata.4k.read.") and record.system is not None


class Laboratory:
    """Predicts measurements from others. Plans and figures are kept, as most records are of the same few systems."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.records = measured_records(catalog)
        self._plans: dict[str, Plan] = {}

    def plan(self, record: Measurement) -> Plan:
        """The plan of the measured system."""
        key = repr(record.system)
        if key not in self._plans:
            self._plans[key] = plan_of(record, self.catalog)
        return self._plans[key]

    def predict(self, record: Measurement, catalog: Catalog) -> Figure | None:
        """What the program says of a measured system with the evidence of a catalog."""
        figures, _ = estimate(self.plan(record), catalog)
        return figures.get(record.figure)

    def pairs(self) -> tuple[Pair, ...]:
        """Every pair of readings of one measurement, and every pair of measurements that differ in few steps."""
        return (*self._readings(), *self._pairs())

    def _readings(self) -> Iterable[Pair]:
        """Readings of one quantity in one document: what the same team saw when it looked twice."""
        for record in self.records:
            mean = used(record)
            for reading in record.readings:
                if not reading.used and reading.counts and not reading.bound and not reading.floor:
                    differs = log(number_of(reading, record) / mean)
                    if abs(differs) > _SAME:
                        yield Pair(record.figure, ("again",), differs, (record.id,))

    def _pairs(self) -> Iterable[Pair]:
        for record in self.records:
            others = [r for r in self.records if r.figure == record.figure and r.id != record.id]
            for other in others:
                if _is_mirrored(record, other) or is_cached(record) or is_cached(other):
                    continue
                gone = {r.id for r in others if r.id != other.id} | self.same_benchmark(record)
                figure = self.predict(record, without(self.catalog, gone))
                if figure is not None and other.id in figure.inputs:
                    kinds = tuple(k for k in ORDER if k in figure.steps and k != "again")
                    residual = log(float(used(record)) / figure.value)
                    yield Pair(record.figure, kinds, residual, (other.id, record.id))

    def same_benchmark(self, record: Measurement) -> set[str]:
        """The records of one benchmark of a system: its peak and its sustained rate tell about each other."""
        benchmark = record.figure.rpartition(".")[0]
        return {r.id for r in self.records if r.system == record.system and r.figure.rpartition(".")[0] == benchmark}

    def cases(
        self, gone: Callable[[Measurement], set[str]], spreads: Callable[[set[str]], Spreads], width: float
    ) -> Cases:
        """Every measurement for which there is other evidence, predicted without some records."""
        found = []
        for record in self.records:
            left = gone(record)
            catalog = with_spreads(without(self.catalog, left), spreads(left), width)
            figure = self.predict(record, catalog)
            if figure is not None:
                found.append(Case(record, round(used(record)), figure))
        return found


_SAME = 0.002
"""Two readings nearer than this are one number, printed with different digits."""


def _is_mirrored(record: Measurement, other: Measurement) -> bool:
    """Whether the pair is seen from its other side: a step up and the same step down are one observation.

    Expansions and further metadata targets are only looked at upwards, as plans grow from what was measured.
    """
    size, other_size = (bool(r.doubles) or _expanded(r) for r in (record, other))
    return other_size if size != other_size else record.id < other.id


def _expanded(record: Measurement) -> bool:
    return record.system is not None and any(m.expansion for m in record.system.storage_modules)


# What is learned


class Learned(NamedTuple):
    """The variance that a kind of step adds in a family, of logarithms, and the number of the family's own pairs."""

    variance: float
    pairs: int


ORDER = ("again", "expansion", "count", "size", "drive", "variant", "setting", "generation", "filesystem")
"""The kinds of step in the order in which they are learned: what is known is taken off later pairs."""
Spreads = dict[tuple[str, str], Learned]
"""By family and kind of step."""


def learn(pairs: Iterable[Pair], figures: Iterable[str]) -> Spreads:
    """The variances that steps add, for every family of the figures, and for those that it borrows from.

    A family with under eight pairs is filled up to eight from the wider one. A wide one stands alone with three pairs;
    the repetition is filled up from all, and any other step with as much as a repetition brings. Of the pairs that
    differ in a kind of step those are used that differ in the fewest others.
    """
    pairs = tuple(pairs)
    wider = {a: b for f in figures for a, b in zip(families(f), (*families(f)[1:], ""), strict=True)}
    learned: Spreads = {}
    for kind in ORDER:
        before = set(ORDER[: ORDER.index(kind)])
        known = [p for p in pairs if kind in p.kinds and set(p.kinds) - {kind} <= before]
        fewest = min((len(p.kinds) for p in known), default=0)
        usable = [p for p in known if len(p.kinds) == fewest]
        for name in sorted(wider, key=lambda n: _depth(n, wider)):
            learned[name, kind] = _learned(name, kind, usable, wider[name], learned)
    return learned


def _depth(name: str, wider: Mapping[str, str]) -> int:
    return 1 + _depth(wider[name], wider) if wider[name] else 0


def _learned(name: str, kind: str, usable: list[Pair], wider: str, learned: Spreads) -> Learned:
    own = [_square(p, kind, name, learned) for p in usable if name in families(p.figure)]
    is_narrow = wider not in ("", ALL)
    if own and len(own) >= (ENOUGH if is_narrow else FEW):
        return Learned(sum(own) / len(own), len(own))
    if kind == "again":
        borrowed = learned[wider, kind].variance if wider else 0.0
    else:
        borrowed = learned[wider if is_narrow else name, kind if is_narrow else "again"].variance
    return Learned((sum(own) + (ENOUGH - len(own)) * borrowed) / ENOUGH, len(own))


def _square(pair: Pair, kind: str, name: str, learned: Spreads) -> float:
    """What a step adds to the square of a pair, less what its other steps bring, the repetition among them."""
    others = () if kind == "again" else ({*pair.kinds, "again"} - {kind})
    return max(0.0, pair.residual**2 - sum(learned[name, k].variance for k in others))


def records_of(spreads: Spreads, width: float) -> list[dict[str, Any]]:
    """The spreads as catalog records; a family without pairs of its own is left out, since the wider one stands for it.

    `width` is how many standard deviations a range holds to either side.
    """
    return [
        {
            "kind": "spread",
            "id": PREFIX + name,
            "title": f"How far measurements lie from predictions: {TITLES.get(name, name)}",
            "sources": [{"document": "pixsize", "place": "docs/explanation/calibration.md"}],
            "ratios": {k: f"{exp(width * sqrt(spreads[name, k].variance)):.3f}" for k in KINDS},
            "pairs": {k: spreads[name, k].pairs for k in KINDS},
        }
        for name in sorted({n for n, _ in spreads})
        if name in TITLES or any(spreads[name, k].pairs for k in KINDS)
    ]


TITLES = {
    ALL: "all figures",
    "sequential": "sequential",
    "random_4k": "random operations of 4 KiB",
    "metadata.peak": "peaks of operations on metadata",
    "metadata.sustained": "sustained operations on metadata",
}
"""The wide families."""


def with_spreads(catalog: Catalog, spreads: Spreads, width: float) -> Catalog:
    """The catalog with other spreads."""
    raw = {i: words for i, words in catalog.raw.items() if words["kind"] != "spread"}
    return Catalog(raw | {r["id"]: r for r in records_of(spreads, width)})


# How well it predicts


class Trial(NamedTuple):
    """Predictions under one rule of what is left out."""

    title: str
    cases: Cases


def trials(lab: Laboratory, pairs: tuple[Pair, ...], width: float) -> tuple[Trial, ...]:
    """Each measurement predicted without its benchmark, and without its document.

    Without its benchmark, spreads are learned anew from the pairs that are left. Without a document there would be no
    second generation or file system to learn from: the spreads stay, and the values alone are predicted.
    """
    figures = [r.figure for r in lab.records]
    everything = learn(pairs, figures)

    def relearned(left: set[str]) -> Spreads:
        return learn((p for p in pairs if not left & set(p.ids)), figures)

    def document_of(record: Measurement) -> set[str]:
        return {r.id for r in lab.records if _documents(r) & _documents(record)}

    return (
        Trial("its benchmark left out", lab.cases(lab.same_benchmark, relearned, width)),
        Trial("its document left out", lab.cases(document_of, lambda _: everything, width)),
    )


def _documents(record: Measurement) -> set[str]:
    return {r.document for r in record.readings if r.used}


def inside(cases: Cases) -> float:
    """The share of predictions whose range holds what was measured."""
    return sum(c.is_inside for c in cases) / len(cases)


def narrowest(lab: Laboratory, pairs: tuple[Pair, ...]) -> float:
    """The least width, in standard deviations, with which nine of ten predictions hold, all trials together.

    It is no less than the normal distribution has for nine of ten: the variances come from few pairs.
    """
    low, high = 33, 60  # in twentieths: from 1.65 to 3 standard deviations
    while low < high:
        middle = (low + high) // 2
        if inside(pooled(trials(lab, pairs, middle / 20))) >= NINE_OF_TEN:
            high = middle
        else:
            low = middle + 1
    return low / 20


def pooled(tried: Iterable[Trial]) -> Cases:
    """The cases of all trials that tell about spreads: what came from a cache tells about the cache."""
    return [case for trial in tried for case in trial.cases if not is_cached(case.record)]


# The page


def page(lab: Laboratory, pairs: tuple[Pair, ...], width: float) -> str:
    """docs/explanation/calibration.md."""
    tried = trials(lab, pairs, width)
    learned = learn(pairs, [r.figure for r in lab.records])
    cases = pooled(tried)
    cached = [c for t in tried for c in t.cases if is_cached(c.record)]
    missed = [c for c in cases if not c.is_inside]
    return _PAGE.format(
        pairs=len(pairs),
        predictions=len(cases),
        inside=f"{inside(cases):.0%}",
        error=f"{median(c.error for c in cases):.0%}",
        width=f"{median(c.width for c in cases):.2f}",
        deviations=f"{width:.2f}",
        cached=len(cached),
        cached_inside=sum(c.is_inside for c in cached),
        trials="\n".join(_rows((t.title, pooled((t,))) for t in tried)),
        families="\n".join(_rows(_by(cases, lambda c: TITLES.get(wide_family(c.record.figure), "")))),
        kinds="\n".join([*_rows(_by(cases, lambda c: KIND_TITLES[_farthest(c)])), *_unseen(cases)]),
        spreads="\n".join(_spread_rows(learned, width)),
        missed="\n".join(_missed(c) for c in missed),
    )


def wide_family(figure: str) -> str:
    """The family of a figure that is not only of one operation."""
    return next(name for name in families(figure) if name in TITLES)


def _by(cases: Cases, key: Callable[[Case], str]) -> Iterable[tuple[str, Cases]]:
    found: dict[str, Cases] = defaultdict(list)
    for case in cases:
        found[key(case)].append(case)
    return sorted(found.items())


def _rows(groups: Iterable[tuple[str, Cases]]) -> list[str]:
    return [
        f"| {title} | {len(some)} | {inside(some):.0%} | {median(c.error for c in some):.0%} "
        f"| {median(c.width for c in some):.2f} |"
        for title, some in groups
    ]


def _farthest(case: Case) -> str:
    return max((k for k in case.predicted.steps if k in ORDER), key=ORDER.index)


def _unseen(cases: Cases) -> list[str]:
    seen = {_farthest(c) for c in cases}
    return [f"| {KIND_TITLES[k]} | 0 | | | |" for k in ORDER if k not in seen and k != "again"]


def _spread_rows(learned: Spreads, width: float) -> list[str]:
    def cell(name: str, kind: str) -> str:
        found = learned[name, kind]
        return f"{exp(width * sqrt(found.variance)):.2f} ({found.pairs})"

    return [
        f"| {title} | {' | '.join(cell(name, k) for k in ORDER)} |" for name, title in TITLES.items() if name != ALL
    ]


def _missed(case: Case) -> str:
    unit: Unit = case.predicted.unit
    measured, low, high = (units.show(n, unit) for n in (case.measured, case.predicted.low, case.predicted.high))
    return f"- `{case.record.id}`: measured {measured}, predicted {low} to {high}."


KIND_TITLES = {
    "again": "the same again",
    "expansion": "expansion",
    "count": "count",
    "size": "size",
    "drive": "drive",
    "variant": "variant",
    "setting": "settings",
    "generation": "generation",
    "filesystem": "file system",
}

_PAGE = """\
# Calibration: how wide ranges are, and why

The range of a rate, low to high, holds what a careful team would measure on such a system, nine times of ten.
A figure that is `measured` keeps the measured value; its range is what repeating the benchmark elsewhere
brings. How far two measurements lie apart is not asserted here but learned from pairs of measurements of the
catalog. This page is written by `make calibration`, and a test compares it with the data.

## Result

{predictions} predictions of measurements that the program was not shown: {inside} lie inside their range, the
median error is {error}, and the median range is a factor of {width} from low to high.

| what is left out | predictions | inside | median error | median width |
|---|---|---|---|---|
{trials}

With its benchmark left out, a measurement is predicted from all others: its peak and its sustained rate go
together. The spreads are learned anew from the pairs that are left. With its document left out the spreads
stay, since without the document there would be nothing to learn a generation or a file system from.

| family | predictions | inside | median error | median width |
|---|---|---|---|---|
{families}

By the farthest step between the measurement and the evidence that it was predicted from:

| step | predictions | inside | median error | median width |
|---|---|---|---|---|
{kinds}

A step with no prediction was measured by nobody: it is taken as wide as a repetition.

Two more kinds of prediction are not counted. PixStor 6 reads files of 4 KiB from a cache, PixStor 5 from
disk: that is a factor of 150 and tells about the cache, not about the spread. Of these {cached} predictions
{cached_inside} lie inside.

## Spreads

The ratio that one step brings, up or down, and in brackets the number of pairs of the family that it was
learned from:

| family | {heads} |
|---|{rule}|
{spreads}

How they are learned, from {pairs} pairs:

1. A pair is a measurement and the one other measurement that the program predicts it from, with all other
   records of the figure hidden, and its peak or sustained rate too. The logarithm of measured over predicted
   is the residual. The same step up and down counts once. Two readings of one quantity in one document are a
   pair for the repetition.
2. The variance of a repetition is the mean square of its residuals. That of any other step is the mean square
   of the pairs that differ in it and in the fewest other steps, less what the repetition and those other
   steps bring.
3. Families are N-N and N-1 of sequential rates, random operations, and metadata by file size, operation and
   duration. A family with under eight pairs is filled up to eight from the wider one: both sequential
   patterns together, or all peaks, or all sustained rates. A wide family with under three pairs is filled up
   with the repetition, and that from all figures.
4. Misprints are no pairs.
5. Steps are independent: logarithms are squared, added, and the root is taken. The range holds {deviations}
   standard deviations to either side: the least number with which nine of ten predictions hold, and no less
   than the 1.65 of a normal distribution.

## What lies outside

{missed}
"""
_PAGE = _PAGE.replace("{heads}", " | ".join(KIND_TITLES[k] for k in ORDER)).replace(
    "{rule}", "|".join("---" for _ in ORDER)
)


def spreads_text(lab: Laboratory, pairs: tuple[Pair, ...], width: float) -> str:
    """catalogs/spreads/calibrated.yaml."""
    head = "# Written by `make calibration` from the measurements of the catalog: docs/explanation/calibration.md.\n"
    records = records_of(learn(pairs, [r.figure for r in lab.records]), width)
    return head + yaml.safe_dump(records, sort_keys=False, width=120)


def main() -> int:
    """Learns, prints the tables, and writes both files; with --check it compares them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a file differs")
    wanted = parser.parse_args()
    lab = Laboratory(_shipped())
    pairs = lab.pairs()
    width = narrowest(lab, pairs)
    texts = {SPREADS: spreads_text(lab, pairs, width), PAGE: page(lab, pairs, width)}
    print(texts[PAGE])
    different = [p for p, text in texts.items() if not p.is_file() or p.read_text(encoding="utf-8") != text]
    for path in different:
        print(f"differs: {path.relative_to(ROOT)}", file=sys.stderr)
        if not wanted.check:
            path.write_text(texts[path], encoding="utf-8")
    return 1 if wanted.check and different else 0


if __name__ == "__main__":
    raise SystemExit(main())
