"""What the rates of every plan keep, of whatever design: what physics and arithmetic demand of value, low and high."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import Adapter, Enclosure, Server
from pixsize.estimate.ids import is_by_threads
from pixsize.figures import Figure
from pixsize.plan.records import Server as PlannedServer
from pixsize.units import parse
from tests.products.drawing import examples, requests
from tests.products.growing import larger, planned
from tests.support.by_hand import spread
from tests.support.running import Made, catalog, make

some = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
every_design = pytest.mark.parametrize("design", sorted(examples()))
long = pytest.mark.long
ARRAYS = {"small": 1, "medium": 2, "large": 4}


def rates(made: Made) -> dict[str, Figure]:
    """Throughput and metadata rates; what links are specified to carry is not among them."""
    return {i: f for i, f in made.figures.items() if f.unit in ("B/s", "op/s") and ".fabric." not in i}


# --- one rate beside another ---------------------------------------------------------------------------------------


def value_lies_in_its_range(made: Made) -> None:
    for figure in rates(made).values():
        assert 0 < figure.low <= figure.value <= figure.high, figure.id


def is_no_more(figure: Figure, other: Figure) -> None:
    assert figure.value <= other.value, (figure.id, other.id)
    assert figure.high <= other.high, (figure.id, other.id)


def sustained_is_below_peak(made: Made) -> None:
    """And so is what a number of threads reaches. The low end of a peak is that of the sustained rate, or higher."""
    found = rates(made)
    for name, figure in found.items():
        peak = found.get(f"{name.rpartition('.')[0]}.peak")
        if peak and (name.endswith(".sustained") or is_by_threads(name)):
            is_no_more(figure, peak)
            assert figure.low <= peak.low, name


def files_with_data_are_created_no_faster_than_empty_ones(made: Made) -> None:
    found = rates(made)
    for name, create in found.items():
        empty = found.get(name.replace("metadata.4k.create.", "metadata.empty.create."))
        if empty:
            is_no_more(create, empty)
            if is_by_threads(name):
                assert create.low <= empty.low, name


def is_past_the_peak(figure: Figure, found: dict[str, Figure]) -> bool:
    """Whether a rate by threads lies halfway between peak and sustained rate, in logarithms; it is a whole number."""
    stem = figure.id.rpartition(".")[0]
    peak, sustained = found[f"{stem}.peak"], found.get(f"{stem}.sustained")
    if sustained is None:
        return False
    return math.isclose(figure.value, math.sqrt(peak.value * sustained.value), rel_tol=5e-6, abs_tol=1)


def threads_add_at_the_most(made: Made) -> None:
    """n threads bring no more than n times what one may bring; more threads bring no less, up to the peak."""
    found = rates(made)
    for name, one in found.items():
        if name.endswith(".threads_1"):
            stem = name.removesuffix("1")
            curve = [found[f"{stem}{2**n}"] for n in range(11) if f"{stem}{2**n}" in found]
            for few, many in pairwise(curve):
                assert few.low <= many.low, many.id
                assert few.value <= many.value or is_past_the_peak(many, found), many.id
                assert few.high <= many.high, many.id
            for figure in curve if ".sequential." in name else ():
                threads = int(figure.id.rpartition("_")[2])
                assert figure.high <= threads * one.high, figure.id


# --- what the chain carries ----------------------------------------------------------------------------------------


def line_rate(cards: list[tuple[Adapter, int]]) -> int:
    """Of each card the lesser of its ports and its PCIe lanes."""
    return sum(
        n * min(c.ports * c.lanes * c.lane_bytes_per_s, c.pcie_lanes * c.pcie_lane_bytes_per_s) for c, n in cards
    )


def cards_of(servers: list[PlannedServer], use: str) -> list[tuple[Adapter, int]]:
    """The cards of one use in some servers, and how many of each in each."""
    cards = ((catalog().get(Adapter, model), n) for s in servers for model, n in s.adapters)
    return [(card, n) for card, n in cards if card.use == use]


def memory(servers: list[PlannedServer]) -> float:
    """Each byte crosses memory at least twice: half of what all channels carry. Endless where nobody says that."""
    return sum((catalog().get(Server, s.model).memory_bytes_per_s or math.inf) / 2 for s in servers)


def one_array(direction: str) -> Fraction:
    """The most that an ME4084 is specified for or was seen with, whatever the pattern, in bytes a second."""
    found = [Fraction(catalog().get(Enclosure, "me4084").write_bytes_per_s or 0)] if direction == "write" else []
    for record in catalog().all(Measurement):
        parts = record.figure.split(".")
        if parts[1:2] == ["sequential"] and parts[3] == direction and parts[4] in ("peak", "sustained"):
            modules = catalog().raw[record.id]["system"].get("storage_modules", [])
            arrays = sum(ARRAYS[m["size"]] * m.get("count", 1) for m in modules)
            (used,) = (r for r in record.readings if r.used)
            found += [parse(used.value, "rate") / arrays] if arrays else []
    return max(found)


def ceiling(made: Made, figure: str) -> Fraction:
    """What cards, memory and controllers cannot carry more than: of each module the least of them, all added.

    What controllers were seen with may be more elsewhere, by as much as a repetition may differ.
    """
    _, _, pattern, direction, _ = figure.split(".")
    plan, servers = made.plan, [s for s in made.plan.servers if s.role == "storage"]
    if plan.pools:
        return pool_ceiling(made, servers, direction)
    again = Fraction(spread(f"sequential.{pattern}", "sequential")["again"]).limit_denominator(10**6)
    total = Fraction(0)
    for module in (m for m in plan.modules if m.role == "storage"):
        pair = [s for s in servers if s.id in module.servers]
        cables = len(module.arrays) * catalog().get(Enclosure, "me4084").controllers * len(pair)
        sas = cards_of(pair, "sas")
        lanes = min(cables, sum(c.ports * n for c, n in sas)) * min(c.lanes * c.lane_bytes_per_s for c, _ in sas)
        pcie = sum(c.pcie_lanes * c.pcie_lane_bytes_per_s * n for c, n in sas)
        arrays = len(module.arrays) * one_array(direction) * again
        total += Fraction(min(lanes, pcie, memory(pair), line_rate(cards_of(pair, "network")), arrays))
    return total


def pool_ceiling(made: Made, servers: list[PlannedServer], direction: str) -> Fraction:
    """Of n servers: a byte comes from another one in (n - 1)/n of cases, and is written once more to its mirror."""
    adapter = catalog().get(PoolDesign, made.plan.design).storage.pool_adapter
    cards = cards_of(servers, "network")
    clients, pool = ([c for c in cards if (c[0].id == adapter) is own] for own in (False, True))
    crossings = Fraction(len(servers) - 1, len(servers)) + (direction == "write")
    return Fraction(min(memory(servers), line_rate(clients), line_rate(pool) / crossings))


def nothing_exceeds_the_chain(made: Made) -> None:
    for name, figure in rates(made).items():
        if ".sequential." in name:
            assert figure.high <= math.ceil(ceiling(made, name)), name


def the_rule_tells_the_range(made: Made) -> None:
    """The factor up and down, of the ends as they are. Those by threads follow several ranges, and have a test."""
    for figure in rates(made).values():
        down, up = f"{figure.value / figure.low:.2f}", f"{figure.high / figure.value:.2f}"
        ways = [f"{n} {way}" for n, way in ((up, "up"), (down, "down")) if n != "1.00"]
        if ways and not is_by_threads(figure.id):
            said = f"{up} up or down" if up == down else " and ".join(ways)
            assert f"a factor of {said}" in figure.rule, figure.id


LAWS = (
    value_lies_in_its_range,
    sustained_is_below_peak,
    files_with_data_are_created_no_faster_than_empty_ones,
    threads_add_at_the_most,
    nothing_exceeds_the_chain,
    the_rule_tells_the_range,
)


@pytest.mark.parametrize("law", LAWS)
@every_design
def test_the_examples_keep_every_law(design: str, law: Any) -> None:
    for words in examples()[design]:
        made = make(words, by_threads=True)
        assert rates(made)
        law(made)


@long
@every_design
@some
@given(st.data())
def test_every_plan_keeps_every_law_of_rates(design: str, data: st.DataObject) -> None:
    made = make(data.draw(requests(design)), by_threads=True)
    assume(made.figures)
    for law in LAWS:
        law(made)


# --- more hardware -------------------------------------------------------------------------------------------------

PACED = re.compile(r"slowest \w+s \((\w+)(: [^)]+)?\)")
"""The rule by which more hardware may bring less: unlike modules striped together are paced by the slowest."""
ROUNDED = Fraction(1_000_000, 999_995)
"""How far the roots of ratios, kept to six digits, may put two equal bounds apart."""


def brings_no_less(before: Made, after: Made, what: str) -> None:
    """Of no rate is value, low or high lower, unless unlike modules pace each other: `limited_by` names one of the
    plan's, and a note says so. The high end rests on the sum of the modules, so that it is not lower then either.
    """
    for name, figure in rates(before).items():
        assert name in after.figures, (what, name)
        more = after.figures[name]
        for end in ("low", "value", "high"):
            less = getattr(more, end) * ROUNDED + 1 < getattr(figure, end)
            assert not less or (end != "high" and is_paced(after, more)), (what, name, end, figure, more)


def is_paced(made: Made, figure: Figure) -> bool:
    """Whether a rate names the storage modules that pace others, and the note PX412 names them, too."""
    named = PACED.fullmatch(figure.limited_by or "")
    if named is None or named[1] not in {m.id for m in made.plan.modules if m.role == "storage"}:
        return False
    return any(f.code == "PX412" and f"s of {named[1]} (" in f.message for f in made.findings)


def modules(size: str, count: int = 1, *, expansion: bool = False, drive: str = "12 TB") -> dict[str, Any]:
    return {"size": size, "count": count, "expansion": expansion, "data_drive": drive}


def scale(design: str, *storage: dict[str, Any], arrays: int = 1, hdmd: int = 1) -> dict[str, Any]:
    metadata = {"modules": hdmd, "arrays": arrays, "drive": "960 GB"}
    words = {"name": "x", "design": design, "storage_modules": list(storage), "filesystem": {"name": "fs"}}
    return words | {"hdmd": metadata}


def standard(design: str, *storage: dict[str, Any]) -> dict[str, Any]:
    """Metadata on SSDs in the storage modules."""
    return {word: value for word, value in scale(design, *storage).items() if word != "hdmd"}


def lustre(size: str, count: int, drive: str, *, dne: bool = True, pairs: int = 1) -> dict[str, Any]:
    return {
        "name": "x",
        "design": "lustre-me4",
        "lustre_version": "2.10.8",
        "storage_modules": [{"size": size, "count": count, "data_drive": drive}],
        "metadata": {"dne": dne, "pairs": pairs, "drive": "960 GB"},
        "filesystem": {"name": "fs"},
    }


def pool(servers: int, *, dne: bool = True) -> dict[str, Any]:
    return {
        "name": "x",
        "design": "lustre-powerflex",
        "lustre_version": "2.10.8",
        "servers": servers,
        "drive": "2 TB",
        "metadata": {"dne": dne},
        "filesystem": {"name": "fs"},
    }


def systems() -> Iterator[dict[str, Any]]:
    """The measured systems, those next to them, and mixes. What other drives bring is the same rule for both designs."""
    for design, drives in (("pixstor-5", ("12 TB",)), ("pixstor-6", ("12 TB", "16 TB"))):
        for drive in drives:
            for size in ARRAYS:
                yield from (scale(design, modules(size, n, drive=drive)) for n in (1, 2, 3, 7))
            yield from (scale(design, modules("large", n, expansion=True, drive=drive)) for n in (1, 2, 4))
            mixed = modules("large", expansion=True, drive=drive), modules("large", drive=drive)
            yield scale(design, *mixed)
            yield scale(design, modules("small", drive=drive), *mixed)
            yield scale(design, modules("large", 8, drive=drive))
            yield scale(design, modules("large", 8, drive=drive), modules("small", drive=drive))
            yield from (standard(design, modules(size, n, drive=drive)) for size in ARRAYS for n in (1, 3))
        yield from (scale(design, modules("large"), arrays=n) for n in (2, 3))
        yield from (scale(design, modules("large", 2), arrays=n, hdmd=2) for n in (1, 4))
    for drive in ("8 TB", "12 TB"):
        for size in ARRAYS:
            yield from (lustre(size, n, drive) for n in (1, 2, 3))
        yield lustre("large", 1, drive, dne=False)
        yield lustre("large", 2, drive, pairs=2)
    yield from (pool(n) for n in range(3, 17))
    yield pool(4, dne=False)


def named(words: dict[str, Any]) -> str:
    """A system as the name of its test has it."""
    modules = [
        f"{m['count']}x{m['size']}{'+' * m.get('expansion', False)}-{m['data_drive'].replace(' ', '')}"
        for m in words.get("storage_modules", [])
    ]
    others = words.get("hdmd") or words.get("metadata") or {}
    counts = [f"{word}={others[word]}" for word in ("modules", "arrays", "dne", "pairs") if word in others]
    return "-".join((words["design"], *modules, *([f"{words['servers']}"] if "servers" in words else ()), *counts))


@long
@pytest.mark.parametrize("words", list(systems()), ids=named)
def test_more_hardware_brings_no_less(words: dict[str, Any]) -> None:
    before, grown = planned(words), 0
    assert before
    for what, more in larger(words):
        after = planned(more)
        if after:
            grown += 1
            brings_no_less(before, after, what)
    assert grown


UNLIKE = {
    "blocks that fill no whole stripe of the second module": (
        {"block_size": "1 MiB"},
        [modules("large") | {"chunk_size": "128 KiB"}],
        modules("small"),
        "throughput.sequential.n_n.write.peak",
        "low",
    ),
    "one small beside eight large": (
        {},
        [modules("large", 8)],
        modules("small"),
        "throughput.random_4k.write.peak",
        "low",
    ),
    "few threads of clients": (
        {},
        [modules("large", 8), modules("small")],
        modules("small", expansion=True),
        "throughput.sequential.n_n.write.threads_32",
        "value",
    ),
}
"""A file system, its modules, one that is added or takes the place of the last, a rate, and its end that falls."""


@pytest.mark.parametrize("name", UNLIKE)
def test_where_more_hardware_brings_less_unlike_modules_are_named_with_a_note(name: str) -> None:
    filesystem, storage, added, rate, end = UNLIKE[name]
    few, many = (scale("pixstor-6", *m, arrays=2) for m in (storage, [*storage[:1], added]))
    before, after = (make(w | {"filesystem": w["filesystem"] | filesystem}, by_threads=True) for w in (few, many))
    assert getattr(after.figures[rate], end) < getattr(before.figures[rate], end)
    brings_no_less(before, after, name)
    added_last = [m.id for m in after.plan.modules if m.role == "storage"][-1]
    assert f"({added_last}: " in (after.figures[rate].limited_by or "")


@pytest.mark.parametrize(
    "storage",
    [
        [modules("medium", drive="8 TB"), modules("small", 2, drive="8 TB")],
        [modules("small", drive="8 TB"), modules("small", 3, drive="8 TB")],
        [modules("small", 2, drive="8 TB"), modules("medium", drive="8 TB")],
    ],
)
def test_the_high_end_of_few_threads_does_not_fall_with_the_value_of_the_peak(storage: list[dict[str, Any]]) -> None:
    """Expanding a module lowers the value of the peak below that of the measured system, and no high end."""
    *others, last = storage
    few, many = (scale("pixstor-6", *others, last | more) for more in ({}, {"expansion": True}))
    before, after = make(few, by_threads=True), make(many, by_threads=True)
    peak = "throughput.sequential.n_n.write.peak"
    assert after.figures[peak].value < before.figures[peak].value
    brings_no_less(before, after, "expansion")


@pytest.mark.parametrize("size", ARRAYS)
def test_metadata_arrays_of_their_own_lower_no_rate_of_the_data(size: str) -> None:
    words = standard("pixstor-6", modules(size))
    ((what, more),) = ((w, m) for w, m in larger(words) if w == "hdmd")
    brings_no_less(make(words, by_threads=True), make(more, by_threads=True), what)


@long
@every_design
@some
@given(st.data())
def test_more_hardware_in_any_plan_brings_no_less(design: str, data: st.DataObject) -> None:
    words = data.draw(requests(design))
    before = planned(words)
    assume(before)
    assert before
    what, more = data.draw(st.sampled_from(list(larger(words))))
    after = planned(more)
    assume(after)
    assert after
    brings_no_less(before, after, what)
