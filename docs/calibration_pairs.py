"""What docs/calibration.py learns from: pairs of measurements, the spreads that they give, and how well these predict.

Each measurement of the catalog is predicted by the program itself from the others. A pair is a measurement and the one
other measurement that it was predicted from. What a kind of step brings is learned from the pairs that differ in that
step alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache, cached_property, lru_cache
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement, StepKind
from pixsize.estimate.evidence import far_below, number_of, used
from pixsize.estimate.make import estimate
from pixsize.estimate.spreads import ALL, PREFIX, families
from pixsize.figures import Figure
from pixsize.load import load_catalog, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.report.serialize import to_yaml

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
    is_cached: bool

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
def shipped() -> Catalog:
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


class Laboratory:
    """Predicts measurements from others. Plans and pairs are kept, as most records are of the same few systems."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.records = measured_records(catalog)
        self._plans: dict[str, Plan] = {}
        self._cached = {r.figure for r in self.records if far_below(r)}

    def plan(self, record: Measurement) -> Plan:
        """The plan of the measured system."""
        key = repr(record.system)
        if key not in self._plans:
            self._plans[key] = plan_of(record, self.catalog)
        return self._plans[key]

    def figures(self, record: Measurement, catalog: Catalog) -> Mapping[str, Figure]:
        """What the program says of a measured system with the evidence of a catalog, by figure."""
        return estimate(self.plan(record), catalog, by_threads=False)[0]

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair of readings of one measurement, and every pair of measurements that differ in few steps."""
        return (*self._readings(), *self._predicted())

    def _readings(self) -> Iterable[Pair]:
        """Readings of one quantity in one document: what the same team saw when it looked twice."""
        for record in self.records:
            mean = used(record)
            for reading in record.readings:
                if not reading.used and reading.counts and not reading.bound and not reading.floor:
                    differs = log(number_of(reading, record) / mean)
                    if abs(differs) > _SAME:
                        yield Pair(record.figure, ("again",), differs, (record.id,))

    def _predicted(self) -> Iterable[Pair]:
        for record in self.records:
            others = [r for r in self.records if r.figure == record.figure and r.id != record.id]
            for other in others:
                if is_mirrored(record, other) or self.is_cached(record):
                    continue
                gone = {r.id for r in others if r.id != other.id} | self.same_benchmark(record)
                figure = self.figures(record, without(self.catalog, gone)).get(record.figure)
                if figure is not None and other.id in figure.inputs:
                    kinds = tuple(k for k in ORDER if k in figure.steps and k != "again")
                    residual = log(float(used(record)) / figure.value)
                    yield Pair(record.figure, kinds, residual, (other.id, record.id))

    def is_cached(self, record: Measurement) -> bool:
        """Whether a figure came from a cache on some system: it tells about caches, and not about the spread."""
        return record.figure in self._cached

    def same_benchmark(self, record: Measurement) -> set[str]:
        """The records of one benchmark of a system: its peak, its sustained rate and its points by threads tell about
        each other.
        """
        benchmark = record.figure.rpartition(".")[0]
        known = (r for r in self.catalog.all(Measurement) if r.system == record.system)
        return {r.id for r in known if r.figure.rpartition(".")[0] == benchmark}

    def cases(
        self, gone: Callable[[Measurement], set[str]], spreads: Callable[[Set[str]], Spreads], width: float
    ) -> Cases:
        """Every measurement for which there is other evidence, predicted without some records.

        Measurements of one system that are predicted from the same records share the work.
        """
        found: list[Case] = []
        catalogs: dict[frozenset[str], Catalog] = {}
        figures: dict[tuple[frozenset[str], str], Mapping[str, Figure]] = {}
        for record in self.records:
            left = frozenset(gone(record))
            if left not in catalogs:
                catalogs[left] = with_spreads(without(self.catalog, left), spreads(left), width)
            key = left, repr(record.system)
            if key not in figures:
                figures[key] = self.figures(record, catalogs[left])
            figure = figures[key].get(record.figure)
            if figure is not None:
                found.append(Case(record, round(used(record)), figure, self.is_cached(record)))
        return found


_SAME = 0.002
"""Two readings nearer than this are one number, printed with different digits."""


def is_mirrored(record: Measurement, other: Measurement) -> bool:
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


@lru_cache(maxsize=1)
def trials(lab: Laboratory, pairs: tuple[Pair, ...], width: float) -> tuple[Trial, ...]:
    """Each measurement predicted without its benchmark, and without its document.

    Without its benchmark, spreads are learned anew from the pairs that are left. Without a document there would be no
    second generation or file system to learn from: the spreads stay, and the values alone are predicted. The trials of
    the width that was found are kept for the page.
    """
    figures = [r.figure for r in lab.records]
    everything = learn(pairs, figures)

    def relearned(left: Set[str]) -> Spreads:
        return learn((p for p in pairs if not left & set(p.ids)), figures)

    def document_of(record: Measurement) -> set[str]:
        return {r.id for r in lab.catalog.all(Measurement) if _documents(r) & _documents(record)}

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

    It is no less than the normal distribution has for nine of ten, 1.65: the variances come from few pairs. Widths are
    tried upwards from there, in twentieths.
    """
    twentieths = 33
    while inside(pooled(trials(lab, pairs, twentieths / 20))) < NINE_OF_TEN:
        twentieths += 1
    return twentieths / 20


def pooled(tried: Iterable[Trial]) -> Cases:
    """The cases of all trials that tell about spreads: what came from a cache tells about the cache."""
    return [case for trial in tried for case in trial.cases if not case.is_cached]
