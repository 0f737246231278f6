"""Rules about what the arrays reported (PX3): before anything is created on them, and after."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pixsize.observed import (
    Condition,
    Observed,
    ObservedArray,
    ObservedEnclosure,
    ObservedGroup,
    ObservedVolume,
    Reported,
)
from pixsize.plan.make import make_plan
from pixsize.product import PRODUCTS
from pixsize.products.me4.reply_rows import media_of, use_of
from tests.support.changing import replace
from tests.support.check_support import MIB, UNSEEN, Break, Site, changed, good, good_expanded

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


def mixed_sectors() -> Site:
    """The good site, where all drives report 512e but the first."""
    disks = {k: replace(d, sector_format="512e") for k, d in good().observed.arrays[A].disks.items()}
    disks[0, 0] = replace(disks[0, 0], sector_format="4K")
    return good().with_array(A, disks=disks)


def sectors(*slots: int) -> Callable[[], Site]:
    """The good site, where all drives report 512e but those in some slots."""

    def make() -> Site:
        disks = good().observed.arrays[A].disks
        told = {k: replace(d, sector_format="4K" if k[1] in slots else "512e") for k, d in disks.items()}
        return good().with_array(A, disks=told)

    return make


def usage(word: str, *slots: int) -> Callable[[], Site]:
    """The good site, where drives in some slots are used otherwise."""

    def make() -> Site:
        disks = good().observed.arrays[A].disks
        return good().with_array(
            A, disks={k: replace(d, usage=use_of(word)) if k[1] in slots else d for k, d in disks.items()}
        )

    return make


def boxes(
    *models: str, health: Reported[Condition] | None = None, base: Callable[[], Site] = good
) -> Callable[[], Site]:
    """A good site, where the enclosures are of these models, counted from 0."""
    told = {index: ObservedEnclosure(model, health) for index, model in enumerate(models)}
    return lambda: base().with_array(A, enclosures=told)


def foreign(**parts: Any) -> Callable[[], Site]:
    """The good plan, though one array holds nothing but what is somebody else's."""
    return lambda: replace(good(), observed=Observed({**good().observed.arrays, A: ObservedArray(**parts)}))


def less(kind: str, key: Any) -> Callable[[], Site]:
    """The good site, where one reply has a row less."""

    def make() -> Site:
        rows = dict(getattr(good().observed.arrays[A], kind))
        del rows[key]
        return good().with_array(A, **{kind: rows}).planned_again()

    return make


def foreign_array() -> Site:
    return good().with_array("sm01a9")


def unobserved_array() -> Site:
    arrays = dict(good().observed.arrays)
    del arrays["hm01a3"]
    return replace(good(), observed=Observed(arrays)).planned_again()


def expansion_is_enclosure_2() -> Site:
    told = {0: ObservedEnclosure("PowerVault ME4084"), 2: ObservedEnclosure("PowerVault ME484")}
    return good_expanded().with_array(A, enclosures=told)


def taken_before_the_groups_exist() -> Site:
    """Nothing of the plan is on the arrays yet, but a drive is used by something else."""
    arrays = {}
    for name, seen in good().observed.arrays.items():
        disks = {k: replace(d, usage=use_of("AVAIL")) for k, d in seen.disks.items()}
        arrays[name] = ObservedArray(disks=disks)
    taken = replace(arrays[A].disks[0, 7], usage=use_of("LINEAR POOL"))
    arrays[A] = ObservedArray(disks={**arrays[A].disks, (0, 7): taken})
    return replace(good(), observed=Observed(arrays))


def worded(usages: dict[int, str | None]) -> Callable[[], Site]:
    """Drives of the first array's own enclosure with other uses, by their slots; None: the drive is gone."""

    def changed() -> Site:
        disks = dict(good().observed.arrays[A].disks)
        for slot, usage in usages.items():
            disk = disks.pop((0, slot))
            if usage is not None:
                disks[0, slot] = replace(disk, usage=use_of(usage))
        return good().with_array(A, disks=disks)

    return changed


NOMINAL = 96 * 10**12


def held(volume: int | None, free: int | None) -> Site:
    """The good request planned anew for an array whose volume has another size, and whose group this much free.

    Without a size the volumes were not reported; without free space, it is what the volume leaves.
    """
    seen = good().observed.arrays[A]
    group = seen.groups[GROUP]
    rest = group.bytes - (volume or 0) if free is None else free
    volumes = {} if volume is None else {**seen.volumes, VOLUME: replace(seen.volumes[VOLUME], bytes=volume)}
    return planned_anew(groups={**seen.groups, GROUP: replace(group, free_bytes=rest)}, volumes=volumes)


def planned_anew(**parts: Any) -> Site:
    """The good request planned for an array that reports other things."""
    site = good().with_array(A, **parts)
    plan, _ = make_plan(site.request, site.catalog, site.observed)
    assert plan is not None
    return replace(site, plan=plan)


BREAKS = (
    Break("PX302", "array", foreign_array, "", ("sm01a9", "sm01a1")),
    Break(
        "PX304",
        "failed",
        reply("disks", (0, 0), usage=use_of("FAILED")),
        SM,
        ("sm01a1", "0.0", "FAILED", "AVAIL or LINEAR POOL"),
    ),
    Break("PX304", "left over", reply("disks", (0, 0), usage=use_of("LEFTOVR")), SM, ("LEFTOVR",)),
    Break("PX304", "dedicated", reply("disks", (0, 0), usage=use_of("VDISK SP")), SM, ("VDISK SP",)),
    Break("PX304", "spare in a group", reply("disks", (0, 83), usage=use_of("LINEAR POOL")), SM, ("0.83", "GLOBAL SP")),
    Break(
        "PX306", "stand-in", worded({7: "FAILED", 80: "LINEAR POOL"}), SM, ("has lost the drives 0.7", "stand in: 0.80")
    ),
    Break("PX306", "stand-in, pulled", worded({7: None, 81: "LINEAR POOLRCON"}), SM, ("drives 0.7", "stand in: 0.81")),
    Break("PX306", "stand-in, new", worded({7: "GLOBAL SP", 81: "LINEAR POOL"}), SM, ("drives 0.7", "in: 0.81")),
    Break("PX304", "more spares in use", worded({7: "FAILED", 80: "LINEAR POOL", 81: "LINEAR POOL"}), SM, ("FAILED",)),
    Break("PX304", "taken", taken_before_the_groups_exist, SM, ("0.7", "LINEAR POOL", "AVAIL")),
    Break("PX304", "no drive", less("disks", (0, 41)), SM, ("no drive is reported in 0.41",)),
    Break("PX304", "small drive", reply("disks", (0, 0), bytes=8 * 10**12), SM, ("8 TB", "12 TB")),
    Break("PX304", "SSD", reply("disks", (0, 0), media=media_of("SSD SAS")), SM, ("SSD SAS", "NL-SAS HDD, 12 TB")),
    Break("PX304", "HDD", reply("disks", (0, 0), "hm01a1", media=media_of("SAS MDL")), HM, ("SAS MDL", "SSD")),
    Break("PX304", "enclosure", expansion_is_enclosure_2, SM, ("no enclosure 1", "ME484")),
    Break("PX304", "swapped", boxes("ME4024"), SM, ("ME4024", "ME4084")),
    Break(
        "PX304", "surplus", boxes("ME4084", "ME484"), SM, ("sm01a1 reports an enclosure 1 (ME484)", "none is planned")
    ),
    Break("PX304", "surplus without a model", boxes("ME4084", ""), SM, ("an enclosure 1, and none is planned",)),
    Break("PX304", "third", boxes("ME4084", "ME484", "ME484", base=good_expanded), SM, ("an enclosure 2 (ME484)",)),
    Break("PX304", "sibling", boxes("MSA2040"), SM, ("enclosure 0 of sm01a1 says 'MSA2040'", "an ME4084")),
    Break("PX304", "sibling's chassis", boxes("MSA 2040 5U84"), SM, ("MSA 2040 5U84", "an ME4084")),
    Break("PX304", "small expansion", boxes("ME4084", "ME424", base=good_expanded), SM, ("says 'ME424'", "an ME484")),
    Break("PX304", "other expansion", boxes("ME4084", "ME412", base=good_expanded), SM, ("says 'ME412'", "an ME484")),
    Break("PX304", "two controllers", boxes("ME4084", "ME4084", base=good_expanded), SM, ("'ME4084'", "an ME484")),
    Break("PX306", "no model", boxes(""), SM, ("enclosure 0 of sm01a1 reports no model", "ME4084")),
    Break(
        "PX306",
        "enclosure health",
        boxes("ME4084", health=Reported("ill", "Fault")),
        SM,
        ("enclosure 0 of sm01a1 is Fault",),
    ),
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
    Break("PX306", "size", lambda: held(90 * 10**12, None), SM, ("90,000,000,000,000", "expand it before mmcrnsd")),
    Break("PX304", "virtual", reply("groups", GROUP, unplanned=("is Virtual",)), SM, (f"{GROUP} is Virtual; none of",)),
    Break("PX304", "level", reply("groups", GROUP, raid="RAID5"), SM, (GROUP, "RAID5", "RAID6")),
    Break("PX304", "width", reply("groups", GROUP, disks=9), SM, (GROUP, "9 drives", "10")),
    Break("PX304", "chunk", reply("groups", GROUP, chunk_bytes=64 * 1024), SM, (GROUP, "64 KiB", "512 KiB")),
    Break("PX304", "sectors", mixed_sectors, SM, (GROUP, "4k (0.0)", "512e (0.2)")),
    Break(
        "PX304", "spares' sectors", sectors(80, 81, 82, 83), SM, ("4k (0.80) in the spares", f"512e (0.0) in {GROUP}")
    ),
    Break(
        "PX304",
        "a group's sectors",
        sectors(*range(0, 20, 2)),
        SM,
        (f"4k (0.0) in {GROUP}", "512e (0.1) in dg_sm01a1_data02"),
    ),
    Break(
        "PX304",
        "another group",
        reply("volumes", VOLUME, group="dg_sm01a1_data02"),
        SM,
        (f"{VOLUME} lies in dg_sm01a1_data02, planned is {GROUP}",),
    ),
    Break("PX306", "forgotten spares", usage("AVAIL", 80, 81, 82, 83), SM, ("the spares 0.80, 0.81", "still AVAIL")),
    Break("PX306", "one spare", usage("AVAIL", 83), SM, ("the spares 0.83 of sm01a1 are still AVAIL",)),
    Break("PX306", "free beside groups", usage("AVAIL", 0), SM, (f"{GROUP} exists, and its drives 0.0 are AVAIL",)),
    Break(
        "PX304",
        "somebody's group",
        foreign(groups={"dg_prod": ObservedGroup("dg_prod", 10**13)}),
        SM,
        ("sm01a1 reports disk groups that are not planned: dg_prod, and none that is", "another array"),
    ),
    Break(
        "PX304",
        "somebody's volume",
        foreign(volumes={"prod": ObservedVolume("prod", "3600c0ff0" + "f" * 24)}),
        SM,
        ("sm01a1 reports volumes that are not planned: prod, and none that is",),
    ),
    Break("PX304", "fast drive", reply("disks", (0, 0), media=media_of("SAS")), SM, ("'SAS'", "NL-SAS HDD, 12 TB")),
    Break("PX304", "another volume", lambda: held(46 * 10**12, 0), SM, ("something else holds 47.89 TB", GROUP)),
    Break("PX306", "group owner", reply("groups", GROUP, owner="b"), SM, (GROUP, "controller B as its owner")),
    Break("PX306", "preferred", reply("groups", GROUP, preferred_owner="b"), SM, (GROUP, "B as its preferred owner")),
    Break("PX306", "group health", reply("groups", GROUP, health=Reported("ill", "Degraded")), SM, (GROUP, "Degraded")),
    Break("PX306", "group status", reply("groups", GROUP, status=Reported("ill", "CRIT")), SM, (GROUP, "CRIT", "FTOL")),
    Break("PX306", "volume health", reply("volumes", VOLUME, health=Reported("ill", "Fault")), SM, (VOLUME, "Fault")),
    Break(
        "PX306",
        "cache",
        reply("volumes", VOLUME, write_policy=Reported("ill", "write-through")),
        SM,
        (VOLUME, "write-through"),
    ),
    Break(
        "PX306",
        "drive health",
        reply("disks", (0, 0), health=Reported("ill", "Degraded")),
        SM,
        ("sm01a1 0.0", "Degraded"),
    ),
    Break("PX306", "no volume reply", lambda: held(None, 4096 * 512), SM, (VOLUME, "`show volumes`")),
    Break("PX306", "no room and no volume reply", lambda: held(None, 0), SM, ("0 B free", VOLUME, "`show volumes`")),
    Break("PX306", "a tenth taken", lambda: held(None, NOMINAL * 90 // 100), SM, ("86.4 TB free", "`show volumes`")),
    Break("PX306", "a percent taken", lambda: held(None, NOMINAL * 97 // 100), SM, ("93.12 TB free", VOLUME)),
    Break(
        "PX306", "times", lambda: held(NOMINAL * 978 // 1000 - 512, NOMINAL // 2), SM, ("collect both replies again",)
    ),
    Break("PX306", "volume missing", less("volumes", VOLUME), SM, (A, "volumes, but not the planned", VOLUME)),
    Break("PX306", "group", more("groups", "old", GROUP, name="old"), SM, ("disk groups that are not planned: old",)),
    Break("PX306", "volume", more("volumes", "v1", VOLUME, name="v1", wwid="3" + "f" * 32), SM, ("volumes", "v1")),
    Break("PX306", "enclosure", more("disks", (1, 0), (0, 0), enclosure=1), SM, ("enclosure", "1")),
    Break("PX306", "larger", reply("disks", (0, 0), bytes=16 * 10**12), SM, ("16 TB", "nl-sas-12tb")),
    Break("PX308", "unobserved", unobserved_array, "", ("hm01a3", "6 of 7"), frozenset({UNSEEN})),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize("broken", [b for b in BREAKS if b.code == "PX306"], ids=lambda b: b.name)
def test_what_differs_names_its_array_so_that_no_box_of_it_is_ticked(broken: Break) -> None:
    found = [f for f in broken.make().findings() if f.code == "PX306"]
    assert found
    for finding in found:
        assert {about.array for about in finding.about} <= set(good().observed.arrays)
        assert finding.about
        assert finding.message.startswith(finding.about[0].message)


@pytest.mark.parametrize(
    "make",
    [
        reply("disks", (0, 0), usage=use_of("LINEAR POOLVRSC")),  # a scrub runs
        usage("AVAIL", *range(84)),  # the reply is older than the groups and spares
        boxes("PowerVault ME4084", health=Reported("well", "OK")),
        boxes("PowerVault 5U84 ME4084"),
        reply("volumes", VOLUME, group=GROUP),
        sectors(),
        reply("disks", (0, 0), bytes=None, media=None),
        reply("disks", (0, 0), bytes=12 * 10**12 - 10**10),  # a little under what it is sold as
        lambda: reply("volumes", VOLUME, bytes=None, owner=None)().planned_again(),
        reply("volumes", VOLUME, owner="a"),
        reply("volumes", VOLUME, health=Reported("well", "OK"), write_policy=Reported("well", "write-back")),
        reply(
            "groups",
            GROUP,
            raid="RAID6",
            disks=10,
            chunk_bytes=512 * 1024,
            owner="a",
            preferred_owner="a",
            status=Reported("well", "FTOL"),
            health=Reported("well", "OK"),
        ),
        reply("disks", (0, 0), health=Reported("well", "OK"), sector_format="512e"),
        boxes("5U84"),  # no model that the catalog knows, and the chassis of the planned one
        lambda: good().with_array(A, disks={}, enclosures={}),
    ],
)
def test_what_a_real_array_may_report_is_not_doubted(make: Callable[[], Site]) -> None:
    assert make().findings() == ()


def test_a_volume_may_be_rounded_by_less_than_the_alignment() -> None:
    size = good().observed.arrays[A].volumes[VOLUME].bytes
    assert size is not None
    for less, codes in ((4 * MIB - 512, []), (4 * MIB, ["PX306"])):
        small = reply("volumes", VOLUME, bytes=size - less)()
        volumes = changed(small.plan.volumes, lambda v: v.id == VOLUME, reported_bytes=size - less)
        assert small.with_plan(volumes=volumes).codes() == codes


def test_an_array_after_bring_up_is_well() -> None:
    """The group has the rounding left over, and its volume has the rest: with and without 3 % to expand."""
    group = good().observed.arrays[A].groups[GROUP]
    for free in (0, 512, 4096 * 512, 4 * MIB - 512):
        assert held(group.bytes - free, free).findings() == ()
    small = held(group.bytes * 97 // 100, None).findings()
    assert [(f.code, f.severity) for f in small] == [("PX306", "warning")]
    assert "expand it before mmcrnsd" in small[0].message


def test_a_group_that_something_else_shares_is_refused() -> None:
    """Half of the group is free, and another volume has the other half: the planned one has no room."""
    seen = good().observed.arrays[A]
    group = replace(seen.groups[GROUP], free_bytes=seen.groups[GROUP].bytes // 2)
    volumes = dict(seen.volumes)
    volumes["other"] = replace(volumes.pop(VOLUME), name="other")
    findings = planned_anew(groups={**seen.groups, GROUP: group}, volumes=volumes).findings()
    refused = [f.message for f in findings if f.code == "PX304"]
    assert len(refused) == 1
    assert f"something else holds 46.94 TB of {GROUP}" in refused[0]


def test_a_group_with_something_on_it_was_not_empty_for_planner_and_judge_alike() -> None:
    """A twentieth is taken: more than rounding. The plan has volumes over the whole group, and no smaller ones."""
    group = good().observed.arrays[A].groups[GROUP]
    free = group.bytes * 95 // 100
    held_by_nobody = held(None, free)
    (volume,) = (v for v in held_by_nobody.plan.volumes if v.id == VOLUME)
    assert 0 <= group.bytes - volume.bytes < 4 * MIB
    small = changed(held_by_nobody.plan.volumes, lambda v: v.id == VOLUME, bytes=free // (4 * MIB) * (4 * MIB))
    told = [f.message for f in held_by_nobody.with_plan(volumes=small).findings() if f.code == "PX524"]
    assert len(told) == 1
    assert "though dg_sm01a1_data01 allows for at least" in told[0]
    for share, empty in ((995, True), (994, False), (900, False)):
        assert replace(group, bytes=10**12, free_bytes=share * 10**9).was_empty is empty


def test_messages_have_the_words_and_commands_of_the_family(monkeypatch: pytest.MonkeyPatch) -> None:
    volumes = PRODUCTS["me4"].volumes
    assert volumes is not None
    commands = {what: f"list {what}" for what in volumes.terms.commands}
    labels = {"free": "UNUSED", "in_group": "MEMBER", "spare": "STANDBY", "online": "GOOD", "kind": "plain"}
    monkeypatch.setattr(volumes, "terms", volumes.terms._replace(commands=commands, labels=labels))
    told = " ".join(f"{f.message} {f.hint}" for b in BREAKS for f in b.make().findings())
    for own in ("is in use as FAILED, expected UNUSED or MEMBER", "are still UNUSED", "CRIT, expected GOOD"):
        assert own in told
    assert {f"`list {what}`" for what in commands} <= set(re.findall("`[^`]*`", told))
    for theirs in ("AVAIL", "FTOL", "`show ", "`add "):
        assert theirs not in told


def test_a_small_volume_of_somebody_else_in_a_group_is_found_by_its_own_word() -> None:
    """So little is missing that the group counts as empty, but a volume says that it lies there."""
    seen = good().observed.arrays[A]
    groups = {**seen.groups, GROUP: replace(seen.groups[GROUP], free_bytes=seen.groups[GROUP].bytes - 10**11)}
    other = ObservedVolume("other", "3600c0ff0" + "f" * 24, 10**11, group=GROUP)
    volumes = {k: v for k, v in seen.volumes.items() if k != VOLUME}
    refused = [
        f.message
        for f in planned_anew(groups=groups, volumes={**volumes, "other": other}).findings()
        if f.code == "PX304"
    ]
    assert len(refused) == 1
    assert f"something else holds 100 GB of {GROUP}" in refused[0]


def test_swapped_replies_say_where_they_belong() -> None:
    arrays = good().observed.arrays
    swapped = replace(good(), observed=Observed({**arrays, A: arrays["sm01a2"], "sm01a2": arrays[A]}))
    (refused,) = [f for f in swapped.findings() if "none that is" in f.message]
    assert refused.code == "PX304"
    assert "dg_sm01a2_data04 and 4 more, planned on sm01a2, and none that is, and 3 more" in refused.message


def test_a_surplus_enclosure_is_one_finding_with_its_drives() -> None:
    disks = good().observed.arrays[A].disks
    told = {0: ObservedEnclosure("ME4084"), 1: ObservedEnclosure("ME484")}
    more = {**disks, (1, 0): replace(disks[0, 0], enclosure=1)}
    assert good().with_array(A, enclosures=told, disks=more).codes() == ["PX304"]


def test_a_smaller_volume_whose_free_space_is_not_reported_is_to_be_expanded() -> None:
    seen = good().observed.arrays[A]
    volume = replace(seen.volumes[VOLUME], bytes=90 * 10**12)
    groups = {**seen.groups, GROUP: replace(seen.groups[GROUP], free_bytes=None)}
    findings = planned_anew(groups=groups, volumes={**seen.volumes, VOLUME: volume}).findings()
    assert [f.code for f in findings] == ["PX306"]
    assert "90 TB of 93.89 TB" in findings[0].message


def test_some_groups_missing_is_doubted_and_none_of_them_is_before_bring_up() -> None:
    groups = {k: replace(g, free_bytes=g.bytes) for k, g in good().observed.arrays[A].groups.items()}
    del groups[GROUP]
    some = planned_anew(groups=groups, volumes={}, disks={}).findings()
    assert [f.code for f in some] == ["PX410", "PX306"]  # PX410: the size of that group is not known
    assert "31 others of the same pool have their exact size: unlike NSDs, unless these are expanded" in some[0].message
    assert f"disk groups, but not the planned {GROUP}" in some[1].message
    assert [f.code for f in planned_anew(groups={}, volumes={}, disks={}).findings()] == ["PX410"]


def test_what_is_said_of_a_reply_names_its_file_and_line() -> None:
    places = {("group", GROUP): "sm01a1.g.json:7", ("volume", VOLUME): "sm01a1.v.json:8", ("disk", (0, 0)): "d.xml:9"}
    breaks = {
        "sm01a1.g.json:7": reply("groups", GROUP, raid="RAID5"),
        "sm01a1.v.json:8": reply("volumes", VOLUME, owner="B"),
        "d.xml:9": reply("disks", (0, 0), usage=use_of("FAILED")),
    }
    for place, make in breaks.items():
        (finding,) = make().with_array(A, places=places).findings()
        assert f"({place})" in finding.message


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
    failed = {k: replace(d, usage=use_of("UNUSABLE")) for k, d in seen.disks.items()}
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
    """All data groups have this size, and nothing on them yet."""
    arrays = {}
    for name, seen in good().observed.arrays.items():
        sizes = {k: size if "_data" in k else g.bytes for k, g in seen.groups.items()}
        arrays[name] = ObservedArray(groups={k: ObservedGroup(k, bytes, bytes) for k, bytes in sizes.items()})
    plan, _ = make_plan(good().request, good().catalog, Observed(arrays))
    assert plan is not None
    assert replace(good(), plan=plan, observed=Observed(arrays)).codes() == codes
