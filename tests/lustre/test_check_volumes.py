"""Volumes for Lustre that exist: every size that mkfs takes is taken, and one far smaller than its group is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest

from pixsize.findings import Finding
from pixsize.observed import Observed, ObservedArray
from pixsize.plan.make import make_plan
from pixsize.plan.records import Volume
from pixsize.resources import folder
from tests.lustre.check_lustre_support import ON_ARRAYS, good_arrays, on_arrays
from tests.support.changing import replace
from tests.support.check_support import MIB, Site, catalog, site
from tests.support.cli_support import run

KIB, TB = 1024, 10**12
OST, MDT0, MDT1, MGT = "sm01a1_data01", "mm01a1_meta01", "mm01a1_meta02", "mm01a1_mgt01"
FREE: tuple[dict[str, int | None] | None, ...] = ({}, None)
"""With groups reported, and without."""
EXAMPLE = folder("examples") / "lustre-me4.yaml"


def write_volumes(into: Path, size_of: Callable[[Volume], int]) -> Path:
    """The reply to `show volumes` of each array of the example, and no other."""
    into.mkdir()
    serial = count(1)
    plan = good_arrays().plan
    status = {"response-type": "Success", "response-type-numeric": 0, "return-code": 0}
    for array in plan.arrays:
        rows = [
            {
                "volume-name": volume.id,
                "storage-pool-name": volume.backing,
                "blocks": size_of(volume) // 512,
                "size-numeric": size_of(volume) // 512,
                "owner": volume.owner.upper(),
                "wwn": f"600C0FF0003C58DF5B6B5000{next(serial):04X}0000",
                "health": "OK",
            }
            for volume in plan.volumes
            if volume.array == array.id
        ]
        text = json.dumps({"volumes": rows, "status": [status]})
        (into / f"{array.id}.volumes.json").write_text(text)
    return into


def planned() -> dict[str, int]:
    """The sizes that are planned before any array has reported something."""
    return {v.id: v.bytes for v in site(on_arrays({}), observe=False).plan.volumes}


def told(sizes: Mapping[str, int | None], free: Mapping[str, int | None] | None = None) -> Site:
    """The system with volumes of these sizes, the others as they are; without `free`, no group is reported.

    A group has as much free as its volumes leave, unless `free` says otherwise by the group's name.
    """
    base = good_arrays()
    whole = {v.id: v.bytes for v in base.plan.volumes} if free is not None else planned()
    backing = {v.id: v.backing for v in base.plan.volumes}
    arrays = {}
    for name, seen in base.observed.arrays.items():
        volumes = {n: replace(v, bytes=sizes.get(n, whole[n])) for n, v in seen.volumes.items()}
        volumes = {n: v for n, v in volumes.items() if v.bytes}
        groups = {}
        for group, reply in seen.groups.items():
            taken = sum(v.bytes or 0 for n, v in volumes.items() if backing[n] == group)
            left = {group: reply.bytes - taken} | dict(free or {})
            groups[group] = replace(reply, free_bytes=left[group])
        arrays[name] = ObservedArray(groups=groups if free is not None else {}, volumes=volumes)
    plan, refusals = make_plan(base.request, catalog(), Observed(arrays))
    assert plan is not None, refusals
    return Site(base.request, plan, catalog(), Observed(arrays))


def small(made: Site) -> list[Finding]:
    return [f for f in made.findings() if "a volume spans its group" in f.message]


# The command line


@pytest.mark.parametrize("size", [32_384 * KIB, 64 * MIB, 1100 * MIB + 512 * 3])
def test_volumes_of_any_size_are_formatted_though_nothing_else_was_collected(tmp_path: Path, size: int) -> None:
    observed = write_volumes(tmp_path / "observed", lambda _: size)
    result = run("render", "mkfs", "--config", str(EXAMPLE), "--observed", str(observed), "-o", str(tmp_path / "out"))
    assert result.exit_code == 0, result.stderr
    assert "error" not in result.stderr
    assert "PX410" not in result.stderr
    assert result.stderr.count("warning PX306") == 2
    assert f"{OST} has" in result.stderr
    assert f"{MDT0} has" in result.stderr
    assert "blocks of 512 bytes" in result.stderr
    scripts = [p.read_text() for p in (tmp_path / "out").rglob("*.sh")]
    assert scripts
    assert any(str(size) in text for text in scripts)


def test_volumes_a_step_under_the_plan_are_formatted_without_a_word(tmp_path: Path) -> None:
    sizes = planned()
    observed = write_volumes(tmp_path / "observed", lambda v: sizes[v.id] - 8 * MIB)
    result = run("render", "mkfs", "--config", str(EXAMPLE), "--observed", str(observed), "-o", str(tmp_path / "out"))
    assert result.exit_code == 0, result.stderr
    assert "error" not in result.stderr
    assert "warning" not in result.stderr


# The rules


def test_good_replies_get_no_word() -> None:
    assert set(told({}).codes()) == ON_ARRAYS
    assert set(told({}, {}).codes()) == ON_ARRAYS


def test_a_small_volume_is_named_with_the_room_of_its_group() -> None:
    for free, words in (
        ({}, ("and dg_sm01a1_data01 has 62.59 TB free",)),
        (None, ("62.08 TB less than dg_sm01a1_data01 has for it",)),
    ):
        made = told({OST: 64 * MIB}, free)
        (finding,) = small(made)
        assert (finding.code, finding.severity, finding.where) == ("PX306", "warning", "storage_modules[0]")
        assert all(word in finding.message for word in (f"{OST} has 67.11 MB, ", *words))
        assert "without a unit" in finding.hint
        assert set(made.codes()) == ON_ARRAYS | {"PX306"}


def test_free_space_from_before_the_volume_is_no_free_space() -> None:
    """The groups were collected while they were empty, and the volumes afterwards."""
    group = good_arrays().observed.arrays["sm01a1"].groups["dg_sm01a1_data01"]
    assert small(told({}, {group.name: group.bytes})) == []
    assert len(small(told({OST: 64 * MIB}, {group.name: group.bytes}))) == 1


@pytest.mark.parametrize(("left", "named"), [(2, False), (3, True)])
def test_a_margin_as_planned_is_no_small_volume(left: int, named: bool) -> None:
    whole = {v.id: v.bytes for v in good_arrays().plan.volumes}[OST]
    assert bool(small(told({OST: whole * (100 - left) // 100}, {}))) is named


def test_an_mdt_as_large_as_the_smallest_and_an_mgt_are_not_named() -> None:
    """An MGT of 500 GB leaves its MDT, and so both of them, a tenth less than the other group has."""
    for free in FREE:
        whole = {v.id: v.bytes for v in good_arrays().plan.volumes} if free is not None else planned()
        both = whole[MDT0] + whole[MGT]
        mgt = 500 * 10**9 // (4 * MIB) * 4 * MIB
        assert small(told({MGT: mgt, MDT0: both - mgt, MDT1: both - mgt}, free)) == []
        assert small(told({MGT: 32_384 * KIB}, free)) == []
        (finding,) = small(told({MGT: mgt, MDT0: both - mgt, MDT1: 64 * MIB}, free))
        assert (finding.where, MDT1 in finding.message, "more;" in finding.message) == ("metadata", True, False)
        (finding,) = small(told({MDT0: 64 * MIB}, free))
        assert MDT0 in finding.message
        assert MDT1 not in finding.message


def test_a_volume_that_does_not_exist_yet_is_not_named() -> None:
    for free in FREE:
        assert small(told({OST: None, MDT1: None}, free)) == []


def test_a_group_that_tells_no_free_space() -> None:
    """The OST is named by the rule that compares what groups report, the MDT by this one; each once."""
    for name, group in ((OST, "dg_sm01a1_data01"), (MDT1, "dg_mm01a1_meta02")):
        found = [f for f in told({name: 64 * MIB}, {group: None}).findings() if f.code == "PX306" and name in f.message]
        assert len(found) == 1, name


def test_trials_on_groups_that_are_as_small_are_told_of_the_groups_alone() -> None:
    base = good_arrays()
    arrays = {}
    for name, seen in base.observed.arrays.items():
        shares = {g: sum(v.backing == g for v in base.plan.volumes) for g in seen.groups}
        groups = {g: replace(r, bytes=64 * MIB * shares[g], free_bytes=0) for g, r in seen.groups.items()}
        volumes = {n: replace(v, bytes=64 * MIB) for n, v in seen.volumes.items()}
        groups = {g: r for g, r in groups.items() if g != "dg_mm01a1_meta02"}
        arrays[name] = ObservedArray(groups=groups, volumes={n: v for n, v in volumes.items() if n != MDT1})
    plan, _ = make_plan(base.request, catalog(), Observed(arrays))
    assert plan is not None
    made = Site(base.request, plan, catalog(), Observed(arrays))
    assert small(made) == []
    assert {f.code for f in made.findings() if f.severity == "error"} == set()
    assert {f.code for f in made.findings() if "reports" in f.message} == {"PX306"}
