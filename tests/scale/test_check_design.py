"""Rules about the design (PX4): what is sold, suggested, confirmed, equal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pixsize.codes import codes
from pixsize.observed import Observed, ObservedArray
from pixsize.plan.make import make_plan
from tests.support.changing import replace
from tests.support.check_support import Break, Site, asked, blind, good, site


def reported(**sizes: int) -> Callable[[], Site]:
    """The good request planned for arrays of which some groups, by their volumes' names, have another size."""

    def make() -> Site:
        arrays = {}
        for name, seen in good().observed.arrays.items():
            groups = {k: replace(g, bytes=sizes.get(k.removeprefix("dg_"), g.bytes)) for k, g in seen.groups.items()}
            volumes = {k: replace(v, bytes=sizes.get(k, v.bytes)) for k, v in seen.volumes.items()}
            arrays[name] = replace(seen, groups=groups, volumes=volumes)
        return made(Observed(arrays))

    return make


def made(observed: Observed) -> Site:
    plan, _ = make_plan(good().request, good().catalog, observed)
    assert plan is not None
    return replace(good(), plan=plan, observed=observed)


DATA, MIRROR = 96 * 10**12, 960 * 10**9
DESCRIPTOR = {"server": "mgmt1", "device": "/dev/disk/by-id/descriptor"}
EVERY_ARRAY = {"arrays": 4}


def planned(*modules: dict[str, Any], hdmd: dict[str, Any] | None = None, **filesystem: Any) -> Callable[[], Site]:
    """What a request comes to, built and reported; three ME4024 unless said otherwise."""
    return lambda: site(asked(*modules, hdmd=hdmd or {"arrays": 3}, **filesystem))


def standard(*modules: dict[str, Any], **filesystem: Any) -> Callable[[], Site]:
    """The same in the standard variant."""
    return lambda: site(asked(*modules, **filesystem))


def one_group_unreported() -> Site:
    """One disk group that no array has reported: its volume is planned 3 % under nominal, aligned to 4 MiB."""
    seen = good().observed.arrays["sm01a1"]
    groups = {name: group for name, group in seen.groups.items() if name != "dg_sm01a1_data01"}
    volumes = {name: volume for name, volume in seen.volumes.items() if name != "sm01a1_data01"}
    return good().with_array("sm01a1", groups=groups, volumes=volumes, disks={}).planned_again()


BREAKS = (
    Break(
        "PX401",
        "expansion",
        planned({"size": "medium", "expansion": True}),
        "storage_modules[0].expansion",
        ("ME484", "medium", "sold for large"),
    ),
    Break(
        "PX402",
        "four ME4024",
        planned({"size": "small"}, {"size": "small"}, hdmd=EVERY_ARRAY),
        "hdmd.arrays",
        ("4 PowerVault ME4024", "large only", "small"),
    ),
    Break(
        "PX403", "second module", planned({}, hdmd={"modules": 2, "arrays": 2}), "hdmd.modules", ("2 HDMD", "4 in the")
    ),
    Break(
        "PX404",
        "drive",
        planned({"data_drive": "nl-sas-10tb"}),
        "storage_modules[0].data_drive",
        ("10 TB", "nl-sas-10tb"),
    ),
    Break("PX406", "ports", planned({"count": 20}), "storage_modules", ("44 servers", "44 ports", "40 each")),
    Break(
        "PX408",
        "drives",
        planned({}, {"data_drive": "nl-sas-8tb"}),
        "storage_modules[1]",
        ("32 of 96 TB", "32 of 64 TB"),
    ),
    Break(
        "PX408",
        "sizes",
        planned({}, {"size": "small"}),
        "storage_modules[1]",
        ("32 of 96", "8 of 96", "large", "small"),
    ),
    Break("PX408", "chunks", planned({}, {"chunk_size": "128 KiB"}), "storage_modules[1]", ("128 KiB",)),
    Break(
        "PX408",
        "SSDs",
        standard({}, {"metadata_drive": "ssd-480gb"}),
        "storage_modules[1].metadata_drive",
        ("8 of 960 GB", "8 of 480 GB"),
    ),
    Break(
        "PX408",
        "a smaller group",
        reported(sm01a2_data03=DATA * 911 // 1000),
        "storage_modules[0]",
        ("pool data", "sm01a2_data03 of 87.46 TB, beside 31 of 93.89 TB"),
    ),
    Break(
        "PX408",
        "larger groups",
        reported(sm01a1_data01=DATA, sm01a4_data08=DATA),
        "storage_modules[0]",
        ("sm01a1_data01 of 96 TB and 1 more, beside 30 of 93.89 TB",),
    ),
    Break(
        "PX408",
        "a smaller mirror",
        reported(hm01a1_meta01=MIRROR * 92 // 100),
        "hdmd",
        ("pool system", "hm01a1_meta01 of 883.2 GB, beside 35 of 938.88 GB"),
    ),
    Break(
        "PX409",
        "sides",
        planned({}, failure_groups="sides", descriptor=DESCRIPTOR),
        "filesystem.failure_groups",
        ("5.76 TB (5.24 TiB) of 17.28 TB (15.72 TiB)", "group 1 has 23.04 TB", "together 11.52 TB"),
    ),
    Break(
        "PX410",
        "not reported",
        one_group_unreported,
        "storage_modules",
        ("1 volumes", "3.0 %", "2.88 TB (2.62 TiB) of 96 TB (87.31 TiB)"),
        frozenset({"PX306"}),
    ),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize(
    ("make", "codes"),
    [
        (planned({"expansion": True}), []),  # sold for Large
        (planned({"size": "small"}), []),  # three ME4024 are for any size
        (planned({}, hdmd=EVERY_ARRAY), []),
        (planned({"size": "small"}, {"size": "large"}, hdmd=EVERY_ARRAY), ["PX408"]),  # one module is Large
        (planned({}, hdmd={"modules": 2, "arrays": 4}), []),
        (planned({"count": 2}), []),  # equal modules share a pool
        (planned({}, hdmd={"arrays": 2}, descriptor=DESCRIPTOR), []),
        (planned({}, hdmd={"arrays": 2}, descriptor=DESCRIPTOR, failure_groups="sides"), []),
        (standard({}, failure_groups="sides", descriptor=DESCRIPTOR), ["PX591"]),  # two pairs
        (standard({"size": "medium"}, descriptor=DESCRIPTOR), ["PX591"]),
        (reported(sm01a1_data01=DATA * 978 // 1000 * 996 // 1000), []),  # groups differ a little
    ],
)
def test_what_the_document_allows_is_not_doubted(make: Callable[[], Site], codes: list[str]) -> None:
    assert make().codes() == codes


@pytest.mark.parametrize(
    ("size", "modules", "arrays", "expected"),
    [
        ("small", 2, 1, {"PX403": "modules: 1 and arrays: 2"}),
        ("small", 3, 1, {"PX403": "modules: 1 and arrays: 3"}),
        ("small", 2, 2, {"PX402": "up to 3 arrays in all", "PX403": "modules: 1 and arrays: 3"}),
        ("medium", 4, 1, {"PX402": "up to 3 arrays in all", "PX403": "modules: 1 and arrays: 3"}),
        ("small", 2, 4, {"PX402": "up to 3 arrays in all"}),
        ("large", 2, 2, {"PX403": "modules: 1 and arrays: 4"}),
        ("large", 2, 3, {"PX403": "modules: 2 and arrays: 4"}),
        ("large", 2, 4, {}),
    ],
)
def test_arrays_of_all_metadata_modules_count_and_no_hint_leads_into_the_other_warning(
    size: str, modules: int, arrays: int, expected: dict[str, str]
) -> None:
    request = asked({"size": size}, hdmd={"modules": modules, "arrays": arrays}, descriptor=DESCRIPTOR)
    found = {f.code: f for f in site(request).findings()}
    assert set(found) == set(expected)
    for code, hint in expected.items():
        assert found[code].hint.startswith(hint)
    if "PX402" in found:
        assert f"{modules * arrays} PowerVault ME4024 in {modules} HDMD modules" in found["PX402"].message
        assert found["PX402"].where == ("hdmd.arrays" if arrays >= 4 else "hdmd.modules")
    if "PX403" in found and size != "large":
        fewer, most = (int(n) for n in re.findall("[0-9]+", found["PX403"].hint)[:2])
        followed = site(asked({"size": size}, hdmd={"modules": fewer, "arrays": most}, descriptor=DESCRIPTOR))
        assert followed.codes() == []


def test_what_was_not_reported_is_one_note_with_what_is_left() -> None:
    """32 volumes of 96 TB and 36 of 960 GB, all 3 % under nominal: 93.2 TB of 3106.56 TB."""
    findings = site(good().request, observe=False).findings()
    assert [f.code for f in findings] == ["PX410"]
    assert "68 volumes" in findings[0].message
    assert "93.2 TB (84.76 TiB) of 3106.56 TB (2825.4 TiB)" in findings[0].message


def test_an_array_that_was_not_asked_is_no_second_finding_and_the_note_says_what_it_means() -> None:
    arrays = good().observed.arrays
    (note,) = made(Observed({**arrays, "sm01a2": ObservedArray()})).findings()
    assert note.code == "PX410"
    assert "24 others of the same pool have their exact size: unlike NSDs, unless these are expanded" in note.message
    (note,) = made(Observed({n: ObservedArray() if n.startswith("sm") else s for n, s in arrays.items()})).findings()
    assert note.code == "PX410"
    assert "others" not in note.message, "no pool has both"


def test_two_requests_name_the_same_nsds_and_the_cure_says_what_that_means() -> None:
    names = [{t.id for t in planned({"data_drive": d})().plan.targets} for d in ("nl-sas-8tb", "nl-sas-12tb")]
    assert "sm01a1_data01" in names[0] & names[1]
    assert "unique in a cluster" in codes()["PX408"].cure
    assert "in a cluster of its own" in planned({}, {"size": "small"})().findings()[0].hint


def test_metadata_lost_to_an_unequal_module_is_what_the_formula_says() -> None:
    """Groups of 1.92 TB, and one of 3.84 TB with its expansion: of 2.88 TB, 1.92 TB can have a copy elsewhere."""
    two = site(asked({"size": "small"}, {"size": "small", "expansion": True}, descriptor=DESCRIPTOR))
    lost = [f for f in two.findings() if f.code == "PX409"]
    assert len(lost) == 1
    assert "960 GB (894.07 GiB) of 2.88 TB (2.62 TiB)" in lost[0].message
    assert lost[0].where == "storage_modules"


def test_one_drive_in_two_entries_is_one_note() -> None:
    same = replace(blind(good()), request=asked({"data_drive": "nl-sas-10tb"}, {"data_drive": "nl-sas-10tb"}, hdmd={}))
    assert [f.where for f in same.findings() if f.code == "PX404"] == ["storage_modules[0].data_drive"]
