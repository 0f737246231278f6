"""Families of figures: the narrowest that the catalog has, and the steps away from the evidence by it."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Spread, StepKind
from pixsize.estimate.ids import is_by_threads
from pixsize.estimate.ranges import quadrature
from pixsize.estimate.spreads import Family, families, family_of
from pixsize.estimate.system import Difference
from tests.support.estimating import estimated, lustre_in_a_pool, lustre_on_arrays, shipped

KINDS: tuple[StepKind, ...] = get_args(StepKind)


@pytest.mark.parametrize(
    ("figure", "chain"),
    [
        ("throughput.sequential.n_1.read.peak", ("sequential.n_1", "sequential", "all")),
        ("throughput.sequential.n_n.write.threads_8", ("sequential.n_n", "sequential", "all")),
        ("throughput.random_4k.write.sustained", ("random_4k", "all")),
        ("metadata.4k.stat.peak", ("metadata.4k.stat.peak", "metadata.peak", "all")),
        ("metadata.empty.read.sustained", ("metadata.empty.read.sustained", "metadata.sustained", "all")),
        ("hardware.power", ("all",)),
    ],
)
def test_families_of_a_figure(figure: str, chain: tuple[str, ...]) -> None:
    assert families(figure) == chain


def with_only(*names: str) -> Catalog:
    """The shipped catalog with the spreads of these families alone."""
    kept = {f"spread.{name}" for name in names}
    return Catalog({i: w for i, w in shipped().raw.items() if w["kind"] != "spread" or i in kept})


def test_the_narrowest_family_that_the_catalog_has() -> None:
    figure = "throughput.sequential.n_1.read.peak"
    for names, found in (
        (("all", "sequential", "sequential.n_1"), "sequential.n_1"),
        (("all", "sequential", "sequential.n_n"), "sequential"),
        (("all", "random_4k"), "all"),
    ):
        assert family_of(figure, with_only(*names)).id == f"spread.{found}"


def family(**ratios: str) -> Family:
    return Family("spread.x", {kind: Fraction(ratios.get(kind, "1.1")) for kind in KINDS})


def test_a_step_by_hand() -> None:
    """Taken once it is the ratio of its kind, both ways; four times it is the square, since roots of variances add."""
    size = Difference("size", "another size")
    once, four = family(size="1.5").step(size), family(size="1.5").step(size, 4)
    assert (once.kind, once.what, once.down, once.up) == ("size", "another size", Fraction(3, 2), Fraction(3, 2))
    assert four.down == four.up == Fraction(9, 4)


@pytest.mark.parametrize("times", [2, 3, 5])
def test_several_times_are_as_many_independent_steps(times: int) -> None:
    size = Difference("size", "another size")
    one = family(size="1.3").step(size)
    assert float(family(size="1.3").step(size, times).up) == pytest.approx(
        float(quadrature([one.up] * times)), rel=2e-6
    )


def test_a_repetition_is_always_among_the_steps() -> None:
    drive, count = Difference("drive", "other drives"), Difference("count", "more of them")
    assert [s.kind for s in family().steps(())] == ["again"]
    assert [(s.kind, s.up) for s in family(drive="1.2").steps((drive, count))] == [
        ("again", Fraction("1.1")),
        ("drive", Fraction("1.2")),
        ("count", Fraction("1.1")),
    ]


def test_every_family_knows_every_kind_and_none_narrows() -> None:
    for record in shipped().all(Spread):
        assert set(record.ratios) == set(KINDS), record.id
        assert all(ratio >= 1 for ratio in record.ratios.values()), record.id
        assert record.ratios["again"] > 1, record.id


def test_every_modelled_rate_names_its_family() -> None:
    """The record that a range rests on is among the inputs, so that `explain` leads there."""
    for found in (estimated([{"size": "small"}]), lustre_on_arrays(), lustre_in_a_pool(6)):
        rates = [f for f in found.figures.values() if f.unit in ("B/s", "op/s") and ".fabric." not in f.id]
        assert rates
        for figure in rates:
            peak = f"{figure.id.rpartition('.')[0]}.peak" if is_by_threads(figure.id) else figure.id
            assert family_of(peak, shipped()).id in figure.inputs, figure.id
