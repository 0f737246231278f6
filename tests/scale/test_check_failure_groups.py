"""Failure groups and the copies of the descriptor, counted a second time: every choice of NSDs, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from pixsize.plan.records import Plan
from pixsize.products.scale.plan import nsd_of
from tests.support.changing import replace
from tests.support.check_support import ARRAYS, Site, asked, site

Nsd = tuple[str, int]
"""What it is lost with, and its failure group."""
ON_A_SERVER = {"server": "mgmt1", "device": "/dev/disk/by-id/descriptor"}
SHAPES = [
    (modules, arrays, choice, descriptor)
    for modules in (("small",), ("small", "small"), ("medium",), ("small", "medium"), ("large",))
    for arrays in (0, 1, 2, 3)
    for choice in ("per_array", "sides")
    for descriptor in (None, ON_A_SERVER)
]


def made(modules: tuple[str, ...], arrays: int, choice: str, descriptor: Mapping[str, Any] | None) -> Site:
    hdmd = {"arrays": arrays} if arrays else None
    words: dict[str, Any] = {"failure_groups": choice} | ({"descriptor": descriptor} if descriptor else {})
    return site(asked(*({"size": size} for size in modules), hdmd=hdmd, **words), observe=False)


def nsds_of(plan: Plan) -> list[Nsd]:
    """At most three of the NSDs with one domain and one group: three copies are the most that share a group."""
    array = {v.id: v.array for v in plan.volumes}
    every = Counter((array[t.volume] if t.volume else t.servers[0], nsd_of(t).failure_group) for t in plan.targets)
    return [nsd for nsd, count in every.items() for _ in range(min(count, 3))]


def choices(nsds: list[Nsd]) -> Iterator[tuple[Nsd, ...]]:
    """Every way to place the copies: five with five failure groups, else three, in as many groups as they can."""
    groups = len({group for _, group in nsds})
    copies = min(5 if groups >= 5 else 3, len(nsds))
    for chosen in combinations(nsds, copies):
        if len({group for _, group in chosen}) == min(copies, groups):
            yield chosen


def can_be_lost(nsds: list[Nsd]) -> bool:
    """Whether some choice leaves no majority once one array, or one server, is gone."""
    return any(
        2 * sum(domain != gone for domain, _ in chosen) <= len(chosen)
        for chosen in choices(nsds)
        for gone in {domain for domain, _ in chosen}
    )


def test_the_descriptor_is_doubted_where_some_choice_of_nsds_loses_it() -> None:
    for shape in SHAPES:
        given = made(*shape)
        lost = can_be_lost(nsds_of(given.plan))
        assert ("PX512" in given.codes()) == lost, (shape, [f.message for f in given.findings()])


def test_both_answers_occur() -> None:
    """The shapes above would prove nothing if all were safe, or none."""
    answers = Counter(can_be_lost(nsds_of(made(*shape).plan)) for shape in SHAPES)
    assert min(answers[True], answers[False]) >= 15, answers


def test_the_only_metadata_array_is_named_and_no_other() -> None:
    for modules, arrays, choice, descriptor in SHAPES:
        only = arrays == 1 or (not arrays and sum(ARRAYS[m] for m in modules) == 1)
        given = made(modules, arrays, choice, descriptor)
        assert ("PX573" in given.codes()) == only, (modules, arrays, choice, descriptor)


def test_copies_are_counted_over_every_pool() -> None:
    """With one ME4024 and a Large the descriptor outlives any array, and the metadata does not outlive its own."""
    large = made(("large",), 1, "per_array", None)
    assert [f.code for f in large.findings() if f.severity == "warning"] == ["PX573"]
    pair = made(("large",), 2, "per_array", None)
    assert not any(f.severity == "warning" for f in pair.findings())


def test_a_cure_that_is_named_cures() -> None:
    """`filesystem.descriptor`, per_array, and another metadata array: what the hint says is tried."""
    for shape in (s for s in SHAPES if s[3] is None and can_be_lost(nsds_of(made(*s).plan))):
        modules, arrays, choice, _ = shape
        (finding,) = [f for f in made(*shape).findings() if f.code == "PX512"]
        if finding.where == "filesystem.descriptor":
            assert "PX512" not in made(modules, arrays, choice, ON_A_SERVER).codes()
        elif finding.where == "filesystem.failure_groups":
            assert "PX512" not in made(modules, arrays, "per_array", None).codes()
        else:
            more = made(modules, 2, choice, ON_A_SERVER if "descriptor" in finding.hint else None)
            grown = made(("medium",), 0, choice, ON_A_SERVER)
            assert "PX512" not in (more if arrays else grown).codes(), (shape, finding.hint)


def test_a_server_of_data_that_holds_the_descriptor_is_warned_of_and_a_management_server_named() -> None:
    found = made(("large",), 2, "per_array", ON_A_SERVER | {"server": "s1m1n2"}).findings()
    assert [f.code for f in found if f.severity == "warning"] == ["PX574"]
    (finding,) = [f for f in found if f.code == "PX574"]
    assert finding.where == "filesystem.descriptor.server"
    assert finding.hint == "server: mgmt1"
    assert "s1m1n2 holds the descriptor and serves NSDs" in finding.message
    assert "PX574" not in made(("large",), 2, "per_array", ON_A_SERVER | {"server": "arbiter"}).codes()


def test_without_management_servers_the_hint_names_none() -> None:
    given = made(("large",), 2, "per_array", ON_A_SERVER | {"server": "s1m1n2"})
    servers = tuple(s for s in given.plan.servers if s.role != "management")
    found = replace(given, plan=replace(given.plan, servers=servers)).findings()
    assert {f.hint for f in found if f.code == "PX574"} == {"a server that serves no NSDs"}
