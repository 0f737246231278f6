"""The planner's steps, against numbers worked out by hand from the white paper's figures and from GPFS's rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pixsize.arrays.build import data_drives
from pixsize.observed import Observed, ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.make import make_plan
from pixsize.plan.records import Array, Enclosure, Module, Plan, Volume
from pixsize.products.scale.build import server_orders
from pixsize.products.scale.plan import nsd_of
from tests.support.check_support import catalog_with
from tests.support.running import catalog, load_words

HDMD = {"drive": "960 GB"}


def planned(modules: list[dict[str, Any]], hdmd: dict[str, Any] | None = None, **filesystem: Any) -> Plan:
    words: dict[str, Any] = {
        "name": "site",
        "design": "pixstor-6",
        "storage_modules": [{"data_drive": "12 TB"} | m for m in modules],
        "filesystem": {"name": "fs1"} | filesystem,
    }
    loaded, findings = load_words(words | ({"hdmd": hdmd} if hdmd else {}))
    assert loaded, findings
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert plan, refusals
    return plan


def groups(plan: Plan, usage: str) -> dict[str, set[int]]:
    """Failure groups by array."""
    found: dict[str, set[int]] = {}
    array_of = {v.id: v.array for v in plan.volumes}
    for t in plan.targets:
        if nsd_of(t).usage == usage and t.volume:
            found.setdefault(array_of[t.volume], set()).add(nsd_of(t).failure_group)
    return found


@pytest.mark.parametrize(("level", "drives", "data"), [("r6", 10, 8), ("r1", 2, 1), ("r5", 5, 4), ("r10", 10, 5)])
def test_data_drives(level: str, drives: int, data: int) -> None:
    assert data_drives(level, drives) == data


def test_figure_12_even_and_odd_slots() -> None:
    plan = planned([{"size": "small"}])
    first, second, *_, last = [g for g in plan.disk_groups if g.purpose == "data"]
    assert first.slots == (0, 2, 4, 6, 8, 10, 12, 14, 16, 18)
    assert second.slots == (1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
    assert last.slots == (61, 63, 65, 67, 69, 71, 73, 75, 77, 79)
    assert [g.slots for g in plan.disk_groups if g.purpose == "metadata"] == [(80, 81), (82, 83)]
    assert plan.spares == ()


def test_figure_14_slot_n_with_n_plus_12_counted_from_zero() -> None:
    plan = planned([{"size": "small"}], HDMD)
    pairs = [g.slots for g in plan.disk_groups if g.purpose == "metadata"]
    assert pairs == [(n, n + 12) for n in range(12)]


def test_an_expansion_is_enclosure_1_of_its_array_and_shares_its_failure_group() -> None:
    plan = planned([{"size": "medium", "expansion": True}], HDMD)
    assert [(e.index, e.model) for e in plan.arrays[0].enclosures] == [(0, "me4084"), (1, "me484")]
    assert Counter(g.enclosure for g in plan.disk_groups if g.array == "sm01a1") == {0: 8, 1: 8}
    assert {len(numbers) for numbers in groups(plan, "dataOnly").values()} == {1}
    assert [(s.enclosure, s.slots) for s in plan.spares if s.array == "sm01a1"] == [
        (e, (80, 81, 82, 83)) for e in (0, 1)
    ]


@pytest.mark.parametrize(
    ("modules", "hdmd", "choice", "metadata", "data"),
    [
        ([{"size": "small"}], None, "per_array", [{1, 2}], [{1}]),
        ([{"size": "small"}], HDMD, "per_array", [{1, 2}], [{101}]),
        ([{"size": "medium"}], HDMD | {"arrays": 2}, "per_array", [{1}, {2}], [{101}, {102}]),
        ([{"size": "medium"}], HDMD | {"arrays": 3}, "per_array", [{1}, {2}, {3}], [{101}, {102}]),
        ([{"size": "medium"}], HDMD | {"arrays": 3}, "sides", [{1}, {2}, {1}], [{101}, {102}]),
        ([{"size": "large"}], None, "per_array", [{1}, {2}, {3}, {4}], [{1}, {2}, {3}, {4}]),
        ([{"size": "large"}], None, "sides", [{1}, {2}, {1}, {2}], [{1}, {2}, {1}, {2}]),
        ([{"size": "small"}, {"size": "small"}], None, "per_array", [{1}, {2}], [{1}, {2}]),
        (
            [{"size": "small"}],
            {"modules": 26, "arrays": 4, "drive": "960 GB"},
            "per_array",
            [{n} for n in range(1, 105)],
            [{105}],  # behind the metadata arrays, where these have used up the numbers below 101
        ),
    ],
)
def test_failure_groups(modules: Any, hdmd: Any, choice: str, metadata: Any, data: Any) -> None:
    plan = planned(modules, hdmd, failure_groups=choice)
    assert list(groups(plan, "metadataOnly").values()) == metadata
    assert list(groups(plan, "dataOnly").values()) == data


def test_a_lone_array_halves_its_metadata() -> None:
    plan = planned([{"size": "large"}], HDMD)
    numbers = [nsd_of(t).failure_group for t in plan.targets if nsd_of(t).usage == "metadataOnly"]
    assert numbers == [1] * 6 + [2] * 6


def test_the_descriptor_is_alone_in_the_last_group() -> None:
    plan = planned([{"size": "large"}], HDMD, descriptor={"server": "mgmt1", "device": "/dev/disk/by-id/x"})
    desc = plan.targets[-1]
    assert (nsd_of(desc).usage, nsd_of(desc).pool, nsd_of(desc).failure_group, desc.servers, desc.volume) == (
        "descOnly",
        "system",
        4000,
        ("mgmt1",),
        None,
    )
    assert [nsd_of(t).failure_group for t in plan.targets].count(4000) == 1


def test_data_arrays_leave_the_last_group_to_the_descriptor() -> None:
    """As many data arrays as there are numbers: the descriptor's is left out, and they begin again before it."""
    words = {
        "name": "site",
        "design": "pixstor-6",
        "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
        "hdmd": HDMD,
        "filesystem": {"name": "fs1", "descriptor": {"server": "mgmt1", "device": "/dev/disk/by-id/x"}},
    }
    loaded, _ = load_words(words)
    assert loaded
    plan, _ = make_plan(loaded.request, catalog_with("scale.failure_group_max", value=104), Observed())
    assert plan
    assert list(groups(plan, "dataOnly").values()) == [{101}, {102}, {103}, {101}]
    assert [nsd_of(t).usage for t in plan.targets if nsd_of(t).failure_group == 104] == ["descOnly"]


@pytest.mark.parametrize("per_array", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("arrays", [1, 2, 3, 4])
def test_first_servers_even_out_for_any_count(per_array: int, arrays: int) -> None:
    ids = [f"a{n}" for n in range(arrays)]
    volumes = [
        Volume(
            id=f"v{i}",
            provider="me4",
            backing="",
            array=ids[i // per_array],
            bytes=0,
            purpose="data",
            lun=2,
            owner="ab"[i % 2],
        )  # type: ignore[arg-type]
        for i in range(per_array * arrays)
    ]
    enclosures = (Enclosure(index=0, model="", layout=""),)
    orders = server_orders(
        [_module(tuple(ids))],
        [Array(id=i, role="storage", model="", module="m", enclosures=enclosures) for i in ids],
        volumes,
    )
    for scope in (*([i] for i in ids), ids):
        count = Counter((v.owner, orders[v.id][0]) for v in volumes if v.array in scope)
        each = [count[o, s] for o in "ab" for s in ("s1", "s2")]
        assert max(each) - min(each) <= 1


def _module(arrays: tuple[str, ...]) -> Module:
    return Module(
        id="m",
        role="storage",
        size="",
        expansion=False,
        drive="",
        metadata_drive=None,
        servers=("s1", "s2"),
        arrays=arrays,
        chunk_bytes=0,
        where="",
    )


def test_luns_count_from_two_on_every_array() -> None:
    plan = planned([{"size": "medium", "expansion": True}])
    for array in plan.arrays:
        assert [v.lun for v in plan.volumes if v.array == array.id] == list(range(2, 2 + 20))


def test_planned_sizes_are_three_per_cent_under_nominal_and_aligned_to_4_mib() -> None:
    volume = planned([{"size": "small"}], HDMD).volumes[0]
    assert volume.bytes == 96_000_000_000_000 * 97 // 100 // 2**22 * 2**22


def test_observed_sizes_and_wwids_are_taken_over() -> None:
    loaded, _ = load_words(
        {
            "name": "site",
            "design": "pixstor-6",
            "storage_modules": [{"size": "small", "data_drive": "12 TB"}],
            "filesystem": {"name": "fs1"},
        }
    )
    assert loaded
    size = 93_898_000_000_000
    seen = ObservedArray(
        groups={
            "dg_sm01a1_data01": ObservedGroup("dg_sm01a1_data01", size, size),
            "dg_sm01a1_data02": ObservedGroup("dg_sm01a1_data02", size, 0),
        },
        volumes={"sm01a1_data01": ObservedVolume("sm01a1_data01", "3600c0ff000d81e2cca8cbd4c01000000")},
    )
    plan, _ = make_plan(loaded.request, catalog(), Observed({"sm01a1": seen}))
    assert plan
    aligned = size // 2**22 * 2**22
    assert [v.bytes for v in plan.volumes[:2]] == [aligned, aligned]
    assert [g.reported_bytes for g in plan.disk_groups[:3]] == [size, size, None]
    assert plan.volumes[0].wwid == "3600c0ff000d81e2cca8cbd4c01000000"
    assert plan.volumes[2].bytes < aligned


GROUP = 93_898_000_000_000 // 2**22 * 2**22


@pytest.mark.parametrize(
    ("free", "volume", "room"),
    [
        (GROUP, None, GROUP),  # asked before the volume was made
        (GROUP - 2**22, None, GROUP - 2**22),
        (0, None, GROUP),  # the volume takes all
        (0, GROUP, GROUP),
        (2**30, GROUP - 2**30, GROUP),  # made under nominal, not yet expanded
        (2**30, None, GROUP),
        (GROUP * 996 // 1000 // 2**22 * 2**22, None, GROUP * 996 // 1000 // 2**22 * 2**22),  # empty, but for a little
        (GROUP * 994 // 1000, None, GROUP),  # something lies there: the checks ask what
        (GROUP * 91 // 100, None, GROUP),
        (GROUP, GROUP, GROUP),  # the volume was asked later than the group
        (None, None, GROUP),
    ],
)
def test_the_room_of_a_volume_whenever_the_array_was_asked(free: int | None, volume: int | None, room: int) -> None:
    loaded, _ = load_words(
        {
            "name": "site",
            "design": "pixstor-6",
            "storage_modules": [{"size": "small", "data_drive": "12 TB"}],
            "filesystem": {"name": "fs1"},
        }
    )
    assert loaded
    name = "sm01a1_data01"
    volumes = {name: ObservedVolume(name, "3" + "0" * 32, volume)} if volume else {}
    seen = ObservedArray(groups={f"dg_{name}": ObservedGroup(f"dg_{name}", GROUP, free)}, volumes=volumes)
    plan, _ = make_plan(loaded.request, catalog(), Observed({"sm01a1": seen}))
    assert plan
    assert plan.volumes[0].bytes == room
    assert plan.volumes[0].reported_bytes == volume


def test_63_large_modules_fit_and_64_are_refused_at_once() -> None:
    assert len(planned([{"size": "large", "count": 63}], HDMD).targets) == 2028
    loaded, _ = load_words(
        {
            "name": "site",
            "design": "pixstor-6",
            "storage_modules": [{"size": "large", "count": 64, "data_drive": "12 TB"}],
            "hdmd": HDMD,
            "filesystem": {"name": "fs1"},
        }
    )
    assert loaded
    plan, findings = make_plan(loaded.request, catalog(), Observed())
    assert plan is None
    assert [(f.code, f.where) for f in findings] == [("PX509", "storage_modules[0].count")]
    assert "2,060" in findings[0].message
    assert "63" in findings[0].hint


def test_servers_arrays_and_switches_of_the_example() -> None:
    plan = planned([{"size": "large"}], HDMD)
    assert [s.id for s in plan.servers] == ["sm01n1", "sm01n2", "hm01n1", "hm01n2", "mgmt1", "mgmt2"]
    assert [a.id for a in plan.arrays] == ["sm01a1", "sm01a2", "sm01a3", "sm01a4", "hm01a1"]
    assert Counter(s.model for s in plan.switches) == {"qm8700": 2, "n2248x-on": 1}
