"""How far a rate lies from what measurements predict: by family of figures, and by what differs from the measured."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Spread, StepKind
from pixsize.estimate.ids import METADATA, RANDOM, SEQUENTIAL
from pixsize.estimate.ranges import Step, rounded
from pixsize.estimate.system import Difference

ALL = "all"
"""The family of all figures, which every other family borrows from."""
AGAIN = Difference("again", "the same benchmark on such a system elsewhere")
PREFIX = "spread."
"""The beginning of the ids of the records."""


def families(figure: str) -> tuple[str, ...]:
    """The families of a figure, the narrowest first; each borrows from the next where it has few pairs.

    Metadata are apart by size of file, operation and duration: a peak lasts a moment and depends on caches.
    """
    parts = figure.split(".")
    if figure.startswith(SEQUENTIAL):
        return (f"sequential.{parts[2]}", "sequential", ALL)
    if figure.startswith(RANDOM):
        return ("random_4k", ALL)
    if figure.startswith(METADATA):
        duration = "sustained" if parts[-1] == "sustained" else "peak"
        return (f"metadata.{parts[1]}.{parts[2]}.{duration}", f"metadata.{duration}", ALL)
    return (ALL,)


class Family(NamedTuple):
    """The spreads of a family of figures: of each kind of step, the ratio that holds nine times of ten.

    `id` is the record.
    """

    id: str
    ratios: Mapping[StepKind, Fraction]

    def step(self, difference: Difference, times: float = 1.0) -> Step:
        """A step away from the evidence. `times` is how often it is taken: each time is an independent step."""
        ratio = self.ratios[difference.step]
        ratio = ratio if times == 1 else rounded(float(ratio) ** sqrt(times))
        step = Step(difference.step, difference.what, ratio, ratio)
        return step.downwards() if difference.less else step

    def steps(self, differences: tuple[Difference, ...]) -> tuple[Step, ...]:
        """Measuring again, and a step for each difference."""
        return tuple(self.step(d, d.times) for d in (AGAIN, *differences))


def family_of(figure: str, catalog: Catalog) -> Family:
    """The spreads of the narrowest family of a figure that the catalog has."""
    record_id = next(PREFIX + name for name in families(figure) if PREFIX + name in catalog)
    record = catalog.get(Spread, record_id)
    return Family(record.id, record.ratios)
