"""Learns how far measurements lie from what others predict, and writes what it found: `python docs/calibration.py`.

It writes catalogs/spreads/calibrated.yaml and docs/explanation/calibration.md. With `--check` nothing is written: files
that differ are named, and the exit code is 1 when there are any.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from math import exp, sqrt
from pathlib import Path
from statistics import median

import yaml
from calibration_pairs import (
    ORDER,
    TITLES,
    Case,
    Cases,
    Laboratory,
    Pair,
    Spreads,
    inside,
    learn,
    narrowest,
    pooled,
    records_of,
    shipped,
    trials,
)

from pixsize import units
from pixsize.estimate.spreads import ALL, families
from pixsize.figures import Unit

ROOT = Path(__file__).resolve().parent.parent
SPREADS = ROOT / "catalogs/spreads/calibrated.yaml"
PAGE = ROOT / "docs/explanation/calibration.md"


def page(lab: Laboratory, pairs: tuple[Pair, ...], width: float) -> str:
    """docs/explanation/calibration.md."""
    tried = trials(lab, pairs, width)
    learned = learn(pairs, [r.figure for r in lab.records])
    cases = pooled(tried)
    cached = [c for t in tried for c in t.cases if c.is_cached]
    missed = [c for c in cases if not c.is_inside]
    return _PAGE.format(
        pairs=len(pairs),
        used=(used := sum(learned[ALL, k].pairs for k in ORDER)),
        unused=len(pairs) - used,
        predictions=len(cases),
        measurements=len({c.record.id for c in cases}),
        alone="; ".join(_alone(lab, cases)),
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
    return [f"| {KIND_TITLES[k]} | 0 | | | |" for k in ORDER if k not in seen]


def _alone(lab: Laboratory, cases: Cases) -> Iterable[str]:
    """How many measurements of each design nothing else in the catalog predicts."""
    predicted = {c.record.id for c in cases}
    of_design: dict[str, list[str]] = defaultdict(list)
    for record in lab.records:
        if record.id not in predicted and record.system is not None and not lab.is_cached(record):
            of_design[record.system.design].append(record.id)
    return (f"{len(ids)} of `{design}`" for design, ids in sorted(of_design.items()))


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

{predictions} predictions of {measurements} measurements that the program was not shown: {inside} lie inside their
range, the median error is {error}, and the median range is a factor of {width} from low to high. Nothing else in the
catalog predicts {alone}.

The share is that of all families together, as a range is to be no wider than it must be. It differs between families:
most sequential writes that lie outside are those of PixStor 5 beside all later systems.

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

A step with no prediction was measured by nobody, and is taken as wide as a repetition. The repetition itself was
measured by nobody either: no two teams benchmarked one system. It is learned from what one team printed twice of one
benchmark, and it is what ranges of measured figures rest on. The predictions of expansions are better than they would
be elsewhere: the weight that they use (`arrays.drives_weight`) comes from the same four writes.

One kind of prediction is not counted. PixStor 6 reads files of 4 KiB from a cache, PixStor 5 from
disk: that is a factor of 150 and tells about the cache, not about the spread. Of these {cached} predictions
{cached_inside} lie inside.

## Spreads

The ratio that one step brings, up or down, and in brackets the number of pairs of the family that it was
learned from:

| family | {heads} |
|---|{rule}|
{spreads}

How they are learned, from {used} of the {pairs} pairs that there are:

1. A pair is a measurement and the one other measurement that the program predicts it from, with all other
   records of the figure hidden, and its peak or sustained rate too. The logarithm of measured over predicted
   is the residual. The same step up and down counts once. Two readings of one quantity in one document are a
   pair for the repetition.
2. The variance of a repetition is the mean square of its residuals. That of any other step is the mean square
   of the pairs that differ in it and in the fewest other steps, less what the repetition and those other
   steps bring. The other {unused} pairs differ in more steps, and are not used.
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
    lab = Laboratory(shipped())
    width = narrowest(lab, lab.pairs)
    texts = {SPREADS: spreads_text(lab, lab.pairs, width), PAGE: page(lab, lab.pairs, width)}
    print(texts[PAGE])
    different = [p for p, text in texts.items() if not p.is_file() or p.read_text(encoding="utf-8") != text]
    for path in different:
        print(f"differs: {path.relative_to(ROOT)}", file=sys.stderr)
        if not wanted.check:
            path.write_text(texts[path], encoding="utf-8")
    return 1 if wanted.check and different else 0


if __name__ == "__main__":
    raise SystemExit(main())
