"""Rules about what the arrays reported (PX3): before anything is created on them, and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.observed import Observed, ObservedArray, ObservedGroup
from pixsize.planner import make_plan
from tests.changing import replace
from tests.unit.check_support import MIB, Break, Site, good, good_expanded

A, GROUP, VOLUME = "sm01a1", "dg_sm01a1_data01", "sm01a1_data01"
SM, HM = "storage_modules[0]", "hdmd"


def reply(kind: str, key: Any, array: str = A, **fields: Any) -> Callable[[], Site]:
    """The good site, where one row of one reply differs."""

    def make() -> Site:
        rows = dict(getattr(good().observed.arrays[array], kind))
        rows[key] = replace(rows[key], **fields)
        return good().with_array(array, **{kind: rows})

    return make


def more(kind: str, key: Any, like: Any, **fields: Any) -> Callable[[], Site]:
    """The good site, where one reply has a row more."""

    def make() -> Site:
        rows = dict(getattr(good().observed.arrays[A], kind))
        rows[key] = replace(rows[like], **fields)
        return good().with_array(A, **{kind: rows})

    return make


def less(kind: str, key: Any) -> Callable[[], Site]:
    """The good site, where one reply has a row less."""

    def make() -> Site:
        rows = dict(getattr(good().observed.arrays[A], kind))
        del rows[key]
        return good().with_array(A, **{kind: rows})

    return make


def strange_array() -> Site:
    return good().with_array("sm01a9")


def unobserved_array() -> Site:
    arrays = dict(good().observed.arrays)
    del arrays["hm01a3"]
    return replace(good(), observed=Observed(arrays))


def expansion_is_enclosure_2() -> Site:
    return good_expanded().with_array(A, enclosures={0: "PowerVault ME4084", 2: "PowerVault ME484"})


def taken_before_the_groups_exist() -> Site:
    """Nothing of the plan is on the arrays yet, but a drive is used by something else."""
    arrays = {}
    for name, seen in good().observed.arrays.items():
        disks = {k: replace(d, usage="AVAIL") for k, d in seen.disks.items()}
        arrays[name] = ObservedArray(disks=disks)
    taken = replace(arrays[A].disks[0, 7], usage="LINEAR POOL")
    arrays[A] = ObservedArray(disks={**arrays[A].disks, (0, 7): taken})
    return replace(good(), observed=Observed(arrays))


NOMINAL = 96 * 10**12

BREAKS = (
    Break("PX302", "array", strange_array, "", ("sm01a9", "sm01a1")),
    Break(
        "PX304",
        "failed",
        reply("disks", (0, 0), usage="FAILED"),
        SM,
        ("sm01a1", "0.0", "FAILED", "AVAIL or LINEAR POOL"),
    ),
    Break("PX304", "left over", reply("disks", (0, 0), usage="LEFTOVR"), SM, ("LEFTOVR",)),
    Break("PX304", "dedicated", reply("disks", (0, 0), usage="VDISK SP"), SM, ("VDISK SP",)),
    Break("PX304", "spare in a group", reply("disks", (0, 83), usage="LINEAR POOL"), SM, ("0.83", "GLOBAL SP")),
    Break("PX304", "taken", taken_before_the_groups_exist, SM, ("0.7", "LINEAR POOL", "AVAIL")),
    Break("PX304", "no drive", less("disks", (0, 41)), SM, ("no drive is reported in 0.41",)),
    Break("PX304", "small drive", reply("disks", (0, 0), bytes=8 * 10**12), SM, ("8 TB", "12 TB")),
    Break("PX304", "SSD", reply("disks", (0, 0), description="SSD SAS"), SM, ("SSD SAS", "NL-SAS HDD, 12 TB")),
    Break("PX304", "HDD", reply("disks", (0, 0), "hm01a1", description="SAS MDL"), HM, ("SAS MDL", "SSD")),
    Break("PX304", "enclosure", expansion_is_enclosure_2, SM, ("no enclosure 1", "ME484")),
    Break("PX304", "swapped", lambda: good().with_array(A, enclosures={0: "ME4024"}), SM, ("ME4024", "ME4084")),
    Break(
        "PX304", "too small", reply("groups", GROUP, bytes=NOMINAL * 89 // 100), SM, ("85.44 TB", "96 TB", "10 % less")
    ),
    Break("PX304", "too large", reply("groups", GROUP, bytes=NOMINAL * 102 // 100), SM, ("97.92 TB", "1 % more")),
    Break(
        "PX304",
        "under the volume",
        reply("groups", GROUP, bytes=NOMINAL * 95 // 100),
        SM,
        (VOLUME, "91,200,000,000,000"),
    ),
    Break("PX306", "owner", reply("volumes", VOLUME, owner="B"), SM, ("controller B", "planned is A")),
    Break("PX306", "size", reply("volumes", VOLUME, bytes=90 * 10**12), SM, ("90,000,000,000,000",)),
    Break("PX306", "group", more("groups", "old", GROUP, name="old"), SM, ("disk groups that are not planned: old",)),
    Break("PX306", "volume", more("volumes", "v1", VOLUME, name="v1", wwid="3" + "f" * 32), SM, ("volumes", "v1")),
    Break("PX306", "enclosure", more("disks", (1, 0), (0, 0), enclosure=1), SM, ("enclosure", "1")),
    Break("PX306", "larger", reply("disks", (0, 0), bytes=16 * 10**12), SM, ("16 TB", "nl-sas-12tb")),
    Break("PX308", "unobserved", unobserved_array, "", ("hm01a3", "6 of 7")),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize(
    "make",
    [
        reply("disks", (0, 0), usage="LINEAR POOLVRSC"),  # a scrub runs
        reply("disks", (0, 0), usage="AVAIL"),  # the reply is older than the group
        reply("disks", (0, 83), usage="AVAIL"),  # before `add spares`
        reply("disks", (0, 0), bytes=None, description=""),
        reply("disks", (0, 0), bytes=12 * 10**12 - 10**10),  # a little under what it is sold as
        reply("volumes", VOLUME, bytes=None, owner=None),
        reply("volumes", VOLUME, owner="a"),
        lambda: good().with_array(A, enclosures={0: "5U84"}),  # no model that the catalog knows
        lambda: good().with_array(A, disks={}, enclosures={}),
    ],
)
def test_what_a_real_array_may_report_is_not_doubted(make: Callable[[], Site]) -> None:
    assert make().findings() == ()


def test_a_volume_may_be_rounded_by_less_than_the_alignment() -> None:
    size = good().observed.arrays[A].volumes[VOLUME].bytes
    assert size is not None
    assert reply("volumes", VOLUME, bytes=size - 4 * MIB + 512)().findings() == ()
    assert reply("volumes", VOLUME, bytes=size - 4 * MIB)().codes() == ["PX306"]


def test_a_group_that_something_else_shares_is_refused() -> None:
    """Half of the group is free: planned anew, the volume would shrink to that half without a word."""
    seen = good().observed.arrays[A].groups[GROUP]
    shared = replace(seen, free_bytes=seen.bytes // 2)
    groups = {**good().observed.arrays[A].groups, GROUP: shared}
    codes = {f.code for f in good().with_array(A, groups=groups).findings()}
    assert codes == {"PX304"}


def test_one_wwid_on_two_arrays_is_refused() -> None:
    first = good().observed.arrays[A].volumes[VOLUME]
    other = reply("volumes", "sm01a2_data01", "sm01a2", wwid=first.wwid)()
    messages = [f.message for f in other.findings() if f.code == "PX304"]
    assert len(messages) == 1
    assert first.wwid in messages[0]


def test_a_plan_that_names_another_wwid_than_the_array_is_an_error() -> None:
    assert reply("volumes", VOLUME, wwid="3600c0ff0" + "e" * 24)().codes() == ["PX524"]


def test_the_same_trouble_on_every_drive_is_one_finding() -> None:
    seen = good().observed.arrays[A]
    failed = {k: replace(d, usage="UNUSABLE") for k, d in seen.disks.items()}
    findings = good().with_array(A, disks=failed).findings()
    assert [f.code for f in findings] == ["PX304"]
    assert "and 83 more" in findings[0].message


def test_a_reply_for_a_misspelt_array_names_the_nearest() -> None:
    finding = good().with_array("sm1a1").findings()[0]
    assert finding.code == "PX302"
    assert "sm01a1" in finding.hint


def test_nothing_observed_is_no_reason_for_a_note_about_it() -> None:
    blind = replace(good(), observed=Observed())
    assert "PX308" not in blind.codes()


@pytest.mark.parametrize(
    ("size", "codes"),
    [
        (NOMINAL * 90 // 100, []),
        (NOMINAL * 101 // 100, []),
        (NOMINAL * 90 // 100 - 1, ["PX304"]),
        (NOMINAL * 101 // 100 + 1, ["PX304"]),
    ],
)
def test_sizes_at_the_bounds_are_taken(size: int, codes: list[str]) -> None:
    arrays = {n: ObservedArray(groups=seen.groups) for n, seen in good().observed.arrays.items()}
    arrays[A] = ObservedArray(groups={**arrays[A].groups, GROUP: ObservedGroup(GROUP, size)})
    plan, _ = make_plan(good().request, good().catalog, Observed(arrays))
    assert plan is not None
    assert replace(good(), plan=plan, observed=Observed(arrays)).codes() == codes
