"""Rules about a finished plan (PX5): each breaks a good plan in one place and must be found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pixsize.plan.records import DiskGroup, same_host
from pixsize.products.scale.plan import nsd_of
from pixsize.products.scale.rules.failure_groups import usable_bytes
from tests.support.changing import replace
from tests.support.check_support import (
    UNSEEN,
    Break,
    Site,
    asked,
    blind,
    catalog_with,
    changed,
    good,
    good_expanded,
    good_standard,
    site,
)

DESCRIPTOR = {"server": "mgmt1", "device": "/dev/disk/by-id/descriptor"}


def part(kind: str, which: Any, /, **fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in one of its parts."""
    return lambda: blind(good()).with_plan(**{kind: changed(getattr(blind(good()).plan, kind), which, **fields)})


def renamed(name: str) -> Callable[[], Site]:
    """The good plan with another name for its first volume, its NSD and its alias alike."""

    def make() -> Site:
        plan = blind(good()).plan
        return blind(good()).with_plan(
            volumes=changed(plan.volumes, 0, id=name),
            targets=changed(plan.targets, 0, id=name, volume=name, device=f"/dev/mapper/{name}"),
        )

    return make


def with_request(**words: Any) -> Callable[[], Site]:
    """The good plan, though the request now asks for something else."""
    return lambda: replace(blind(good()), request=good().request.model_copy(update=words))


def without(kind: str, place: int) -> Callable[[], Site]:
    """The good plan without one of its parts."""

    def make() -> Site:
        parts = getattr(blind(good()).plan, kind)
        return blind(good()).with_plan(**{kind: parts[:place] + parts[place + 1 :]})

    return make


def planned(hdmd: dict[str, Any] | None = None, **filesystem: Any) -> Callable[[], Site]:
    """What another request comes to: a Large with HDMD."""
    return lambda: site(asked({}, hdmd=hdmd or {"arrays": 3}, **filesystem))


def with_modules(**words: Any) -> Callable[[], Site]:
    """The good plan, though the request now asks for another storage module."""
    return with_request(storage_modules=(good().request.storage_modules[0].model_copy(update=words),))


def with_hdmd(**words: Any) -> Callable[[], Site]:
    """The good plan, though the request now asks for other metadata modules."""
    hdmd = good().request.hdmd
    assert hdmd
    return with_request(hdmd=hdmd.model_copy(update=words))


def with_filesystem(**words: Any) -> Callable[[], Site]:
    """The good plan, though the request now asks for another file system."""
    made = asked({}, hdmd={"arrays": 3}, **words)
    return with_request(filesystem=made.filesystem)


def on_catalog(record_id: str, **words: Any) -> Callable[[], Site]:
    """The good plan under a catalog with another number."""
    return lambda: replace(good(), catalog=catalog_with(record_id, **words))


def no_enclosure_1() -> Site:
    base = blind(good_expanded())
    arrays = base.plan.arrays
    return base.with_plan(arrays=changed(arrays, 0, enclosures=arrays[0].enclosures[:1]))


def spread() -> tuple[DiskGroup, ...]:
    """The groups of the expanded plan, the first of enclosure 1 under the name of the first of enclosure 0."""
    groups = good_expanded().plan.disk_groups
    return changed(groups, lambda g: g.enclosure == 1, id=groups[0].id)


def system_data_pool() -> Callable[[], Site]:
    """The good plan, its data in the pool of the metadata."""
    return lambda: blind(good()).with_plan(filesystem=replace(good().plan.filesystem, data_pool="system"))


def shared_descriptor() -> Site:
    base = planned(descriptor=DESCRIPTOR)()
    return base.with_plan(targets=changed(base.plan.targets, lambda t: nsd_of(t).usage == "descOnly", failure_group=1))


def doubled(kind: str, place: int) -> Callable[[], Site]:
    """The good plan with one of its parts twice."""

    def make() -> Site:
        parts = getattr(blind(good()).plan, kind)
        return blind(good()).with_plan(**{kind: (*parts[: place + 1], *parts[place:])})

    return make


def turned(kind: str) -> Callable[[], Site]:
    """The good plan, the first two of its parts in each other's place."""

    def make() -> Site:
        first, second, *rest = getattr(blind(good()).plan, kind)
        return blind(good()).with_plan(**{kind: (second, first, *rest)})

    return make


def twice(kind: str, field: str) -> Callable[[], Site]:
    """The good plan, the first part of a kind with all that it holds in a field twice."""
    held = getattr(getattr(good().plan, kind)[0], field)
    return part(kind, 0, **{field: (*held, *held)})


def first_meta(part: Any) -> bool:
    return bool(part.purpose == "metadata")


SIDE_BY_SIDE = [{"purpose": "metadata", "level": "r1", "slots": [f"{n},{n + 1}" for n in range(0, 24, 2)]}]
SM, HM = "storage_modules[0]", "hdmd"
TWO_PAIRS = frozenset({"PX591"})
"""What every plan without HDMD and with one storage module comes with."""
ONE_METADATA_ARRAY = frozenset({"PX573"})

BREAKS = (
    Break("PX501", "spare", part("spares", 0, slots=(0, 80, 81, 82, 83)), SM, ("sm01a1", "slot 0.0")),
    Break("PX502", "left over", part("spares", 0, slots=(80, 81, 82)), SM, ("slot 0.83 unused",)),
    Break("PX502", "beyond", part("spares", 0, slots=(80, 81, 82, 83, 84)), SM, ("slot 0.84", "ME4084 is 83")),
    Break("PX503", "mirror of ten", part("disk_groups", 0, level="r1"), SM, ("10 drives", "exactly 2")),
    Break("PX503", "parity on two", part("disk_groups", first_meta, level="r6"), HM, ("2 drives", "4 to 16")),
    Break("PX504", "no enclosure", no_enclosure_1, SM, ("enclosure 1", "sm01a1")),
    Break(
        "PX505", "smaller spare", part("spares", 0, drive="nl-sas-8tb"), SM, ("nl-sas-8tb", "smaller", "nl-sas-12tb")
    ),
    Break("PX505", "spare SSD", part("spares", 0, drive="ssd-960gb"), SM, ("type of no disk group",)),
    Break("PX506", "no target", without("targets", 0), SM, ("sm01a1_data01 has 0 targets",)),
    Break("PX507", "gpfs", renamed("GPFS_data01"), "", ("GPFS_data01", "begins with gpfs")),
    Break("PX507", "case", renamed("SM01A1_DATA02"), "", ("sm01a1_data02", "2")),
    Break("PX507", "long", renamed("x" * 32), "", ("32 characters", "at most 31")),
    Break("PX507", "hyphen", renamed("sm01a1-data01"), "", ("something else than letters",)),
    Break("PX507", "digit first", renamed("1st"), "", ("something else than letters",)),
    Break("PX507", "pool A", renamed("A"), "", ("reserved",)),
    Break("PX508", "twice", part("volumes", 1, lun=2), SM, ("LUN 2 of sm01a1 maps 2 volumes",)),
    Break("PX508", "too low", part("volumes", 0, lun=1), SM, ("LUN 1", "from 2 to 254")),
    Break("PX508", "too high", part("volumes", 0, lun=255), SM, ("LUN 255",)),
    Break("PX509", "limit", on_catalog("scale.nsds", value=67), "hdmd.modules", ("68 NSDs", "67")),
    Break(
        "PX510",
        "three copies in two groups",
        planned({"arrays": 2}, descriptor=DESCRIPTOR, metadata_replicas=3),
        "filesystem.metadata_replicas",
        ("3 copies", "2 failure groups"),
    ),
    Break(
        "PX511",
        "split array",
        part("targets", first_meta, failure_group=2),
        HM,
        ("hm01a1", "1, 2", "3 metadata arrays"),
    ),
    Break(
        "PX512",
        "two arrays",
        lambda: site(asked({"size": "medium"})),
        "filesystem.descriptor",
        ("the loss of s", "may take 2 of the 3 copies", "2 failure groups on 2 arrays"),
        TWO_PAIRS,
    ),
    Break(
        "PX512",
        "a small",
        lambda: site(asked({"size": "small"})),
        f"{SM}.size",
        ("3 of the 3 copies", "2 failure groups on 1 array"),
        ONE_METADATA_ARRAY | TWO_PAIRS,
    ),
    Break(
        "PX512",
        "two groups of one metadata array",
        lambda: site(asked({"size": "medium"}, hdmd={"arrays": 1})),
        "hdmd.arrays",
        ("the loss of hm01a1 may take 2 of the 3", "4 failure groups on 3 arrays"),
        ONE_METADATA_ARRAY,
    ),
    Break("PX573", "one array", planned({"arrays": 1}), "hdmd.arrays", ("all metadata lies on hm01a1", "2 copies")),
    Break(
        "PX573",
        "a standard array",
        lambda: site(asked({"size": "small"}, metadata_replicas=1)),
        f"{SM}.size",
        ("all metadata lies on sm01a1: the loss",),
        frozenset({"PX512", "PX519"}) | TWO_PAIRS,
    ),
    Break(
        "PX574",
        "descriptor",
        planned(descriptor=DESCRIPTOR | {"server": "S1M1N1"}),
        "filesystem.descriptor.server",
        ("S1M1N1 holds the descriptor and serves NSDs", "unmountOnDiskFail=yes"),
        frozenset({"PX523"}),
    ),
    Break(
        "PX512",
        "sides",
        lambda: site(asked({"count": 1}, failure_groups="sides")),
        "filesystem.failure_groups",
        ("2 failure groups on 4 arrays",),
        TWO_PAIRS,
    ),
    Break("PX513", "above", part("targets", 0, failure_group=4001), "storage_modules", ("4001", "4,000")),
    Break("PX513", "below", part("targets", 0, failure_group=-1), "storage_modules", ("-1",)),
    Break("PX513", "shared", part("targets", 0, failure_group=1), "filesystem.failure_groups", ("sm01a1", "hm01a1")),
    Break("PX513", "descriptor", shared_descriptor, "filesystem.descriptor", ("desc01", "group 1 ")),
    Break(
        "PX514",
        "few numbers",
        lambda: site(good().request, catalog_with("scale.failure_group_max", value=103)),
        "storage_modules",
        ("2 data arrays share 1", "101", "sm01a1, sm01a4", "103"),
    ),
    Break(
        "PX515",
        "server",
        part("targets", 0, servers=("s1m1n2", "s1m1n1")),
        SM,
        ("sm01a1, pool data", "3 volumes", "controller A 1,"),
    ),
    Break(
        "PX516",
        "limit",
        on_catalog("me4.volume_bytes", value="80 TiB"),
        f"{SM}.data_drive",
        ("85.39 TiB, and 31", "80 TiB"),
    ),
    Break("PX517", "data in system", part("targets", 0, pool="system"), "", ("sm01a1_data01", "dataOnly in system")),
    Break("PX517", "usage", part("targets", 0, usage="metadataOnly"), "", ("metadataOnly in data",)),
    Break(
        "PX518", "large block", planned(block_size="32 MiB"), "filesystem.block_size", ("32 MiB", "64 KiB to 16 MiB")
    ),
    Break("PX518", "odd block", planned(block_size="3 MiB"), "filesystem.block_size", ("3 MiB", "powers of two")),
    Break("PX518", "inode", planned(inode_size="2 KiB"), "filesystem.inode_size", ("2,048", "512 B, 1 KiB, 4 KiB")),
    Break("PX519", "one copy", planned(metadata_replicas=1), "filesystem.metadata_replicas", ("one copy",)),
    Break("PX520", "volume", part("volumes", 0, bytes=97 * 10**12), SM, ("97,000,000,000,000", "dg_sm01a1_data01")),
    Break("PX521", "ports", on_catalog("me4084", sas_ports=1), SM, ("2 servers", "1 ports", "and 3 more")),
    Break("PX521", "NSD", on_catalog("scale.nsd_servers", value=1), "", ("2 servers", "at most 1")),
    Break("PX517", "pools", on_catalog("scale.pools", value=1), "", ("2 pools", "takes 1")),
    Break(
        "PX526", "drives", on_catalog("me4.drives_5u", value=83), SM, ("sm01a1 has 84 drives", "83 at most", "and 3")
    ),
    Break(
        "PX526", "enclosures", on_catalog("me4.enclosures_2u", value=0), HM, ("hm01a1 has 1 enclosures", "0 at most")
    ),
    Break(
        "PX527", "groups", on_catalog("me4.groups_per_array", value=11), HM, ("hm01a1 has 12 disk groups", "sibling")
    ),
    Break("PX527", "spares", on_catalog("me4.spares_per_array", value=3), SM, ("sm01a1 has 4 spares", "3 at most")),
    Break("PX527", "names", on_catalog("me4.name_bytes", value=15), SM, ("sm01a1 has 16 bytes in a name", "15 at")),
    Break("PX528", "cables", on_catalog("hba355e", ports=3), SM, ("s1m1n1 needs 8", "4 arrays, and has 6", "and 1")),
    Break("PX522", "stripe", planned(block_size="2 MiB"), f"{SM}.chunk_size", ("8 data drives", "4 MiB", "2 MiB")),
    Break(
        "PX523",
        "descriptor",
        planned(descriptor=DESCRIPTOR | {"server": "h1n1"}),
        "filesystem.descriptor.server",
        ("h1n1",),
        frozenset({"PX574"}),
    ),
    Break(
        "PX523",
        "descriptor's case and domain",
        planned(descriptor=DESCRIPTOR | {"server": "H1N1.example.com"}),
        "filesystem.descriptor.server",
        ("H1N1.example.com holds the descriptor and serves metadata", "written differently from the planned h1n1"),
        frozenset({"PX574"}),
    ),
    Break(
        "PX523",
        "two names",
        planned(descriptor=DESCRIPTOR | {"server": "MGMT1"}),
        "filesystem.descriptor.server",
        ("MGMT1 is written differently from the planned mgmt1",),
    ),
    *(
        Break(
            "PX529",
            device,
            planned(descriptor=DESCRIPTOR | {"device": device}),
            "filesystem.descriptor.device",
            (device, "the planned volume sm01a1_data01"),
        )
        for device in (
            "/dev/mapper/sm01a1_data01",
            "/dev/mapper/SM01A1_data01-part1",
            "/dev/mapper/sm01a1_data01p2",
            "/dev/disk/by-id/dm-name-sm01a1_data01",
        )
    ),
    Break("PX524", "owner", part("disk_groups", 0, owner="b"), SM, ("sm01a1_data01: owner a, expected b",)),
    Break(
        "PX524", "bytes", part("disk_groups", 0, bytes=95 * 10**12), SM, ("95,000,000,000,000", "96,000,000,000,000")
    ),
    Break("PX524", "chunk", part("disk_groups", 0, chunk_bytes=64 * 1024), SM, ("65536", "524288")),
    Break(
        "PX524", "chunk of a mirror", part("disk_groups", first_meta, chunk_bytes=65536), HM, ("65536, expected none",)
    ),
    Break("PX524", "device", part("targets", 0, device="/dev/dm-3"), SM, ("/dev/dm-3", "/dev/mapper/sm01a1_data01")),
    Break("PX524", "small volume", part("volumes", 0, bytes=90 * 10**12), SM, ("90,000,000,000,000",)),
    Break("PX524", "array", part("volumes", 0, array="sm01a2", lun=99), SM, ("array sm01a2, expected sm01a1",)),
    Break("PX524", "name", part("targets", 0, id="other"), SM, ("target's name other, expected sm01a1_data01",)),
    Break("PX524", "servers", part("targets", 0, servers=("s1m1n1", "h1n1")), SM, ("h1n1", "cabled")),
    Break("PX525", "name", with_request(name="other"), "name", ("site", "other")),
    Break("PX525", "modules", with_modules(count=2), SM, ("1 modules, where 2",)),
    Break("PX525", "size", with_modules(size="medium"), SM, ("size of sm01 is large, where medium",)),
    Break("PX525", "hosts", with_modules(hosts=("x1", "x2")), SM, ("hosts of sm01", "x1")),
    Break("PX525", "expansion", with_modules(expansion=True), SM, ("expansion of sm01 is False",)),
    Break("PX525", "metadata drive", with_hdmd(drive="ssd-480gb"), HM, ("ssd-960gb, where ssd-480gb",)),
    Break("PX525", "metadata arrays", with_hdmd(arrays=2), HM, ("arrays of hm01 is 3, where 2",)),
    Break("PX525", "descriptor", with_filesystem(descriptor=DESCRIPTOR), "filesystem.descriptor", ("mgmt1",)),
    Break("PX525", "block", with_filesystem(block_size="4 MiB"), "filesystem.block_size", ("8388608", "4194304")),
    Break("PX525", "management", without("servers", 5), "", ("1 management servers", "2")),
    Break("PX525", "switch", without("switches", 1), "", ("1 qm8700 of 36 ports", "2 times 6")),
    Break("PX525", "order of arrays", turned("arrays"), "", ("array sm01a2 stands in the place of sm01a1",)),
    Break(
        "PX525",
        "order of groups",
        turned("disk_groups"),
        "",
        ("disk group dg_sm01a1_data02 stands in the place of dg_sm01a1_data01",),
    ),
    Break("PX525", "order of NSDs", turned("targets"), "", ("NSD sm01a1_data02 stands in the place of sm01a1_data01",)),
    Break("PX525", "order of servers", turned("servers"), "", ("server s1m1n2 stands in the place of s1m1n1",)),
    Break("PX525", "switch twice", doubled("switches", 0), "", ("switch n2248x-on-1 stands in the place of qm8700-1",)),
    Break("PX525", "adapters twice", twice("servers", "adapters"), "", ("server s1m1n1: adapters connectx",)),
    Break("PX525", "enclosure twice", twice("arrays", "enclosures"), "", ("array sm01a1: enclosures ",)),
    Break(
        "PX525",
        "model",
        part("arrays", 0, model="me4024"),
        "",
        ("array sm01a1: model me4024, expected me4084",),
    ),
    Break("PX525", "LUN", part("volumes", 0, lun=100), "", ("volume sm01a1_data01: lun 100, expected 2",)),
    Break(
        "PX525",
        "no drive",
        part("spares", 0, drive="nl-sas-13tb"),
        "",
        ("a set of spares of sm01a1 names 'nl-sas-13tb'",),
    ),
    Break(
        "PX524",
        "steps",
        part("volumes", 0, bytes=93_887_995_576_320),
        SM,
        ("93,887,995,576,320 bytes, no whole number of 4,194,304",),
    ),
    Break(
        "PX524",
        "reported",
        part("disk_groups", 0, reported_bytes=93_888_000_000_512),
        SM,
        ("where nothing was reported",),
    ),
    Break(
        "PX513",
        "number",
        part("targets", 0, failure_group=120),
        "filesystem.failure_groups",
        ("sm01a1_data01 has failure group 120, expected 10",),
    ),
    Break(
        "PX575", "kind", part("targets", 0, kind="ost"), "", ("sm01a1_data01 is a target of kind 'ost'", "scale on me4")
    ),
    Break("PX525", "pattern", on_catalog("pixstor-6.me4024", groups=SIDE_BY_SIDE), HM, ("hm01a1", "pixstor-6.me4024")),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize("base", [good, good_standard, good_expanded], ids=lambda b: b.__name__)
def test_a_good_plan_has_no_findings(base: Callable[[], Site]) -> None:
    pairs = {server.module for server in base().plan.servers}
    assert base().codes() == ([] if len(pairs) > 2 else sorted(TWO_PAIRS))
    assert sorted(blind(base()).codes()) == sorted([*base().codes(), UNSEEN])


def test_controllers_are_held_to_the_balance_where_paths_and_servers_keep_it() -> None:
    """Both mirrors of a lone array on controller A: each server has one, and each path one or none."""
    base = blind(site(asked({"size": "small"})))
    plan = base.plan
    second = [v for v in plan.volumes if v.purpose == "metadata"][1]
    broken = base.with_plan(
        disk_groups=changed(plan.disk_groups, lambda g: g.id == second.backing, owner="a"),
        volumes=changed(plan.volumes, lambda v: v.id == second.id, owner="a"),
    )
    (more,) = [f for f in broken.findings() if f not in base.findings()]
    assert (more.code, more.where) == ("PX515", SM)
    assert "pool system, controller A serves 2 volumes and controller B 0" in more.message


def test_many_hits_of_one_cause_are_one_finding() -> None:
    plan = good().plan
    late = tuple(replace(v, lun=v.lun + 300) for v in plan.volumes)
    findings = blind(good()).with_plan(volumes=late).findings()
    assert [(f.code, f.where) for f in findings if f.code != UNSEEN] == [("PX508", SM), ("PX508", HM)]
    assert findings[0].message.startswith("sm01a1 uses LUN 302, and 31 more; ")


def test_a_volume_over_the_limit_counts_as_it_will_be_once_expanded() -> None:
    """8 drives of 18 TB are 130.97 TiB; 3 % under that is 127.04 TiB, but the volume is to be expanded."""
    planned_small = site(asked({"data_drive": "nl-sas-18tb"}, hdmd={"arrays": 3}), observe=False)
    found = {f.code: f for f in planned_small.findings()}
    assert set(found) == {"PX404", "PX410", "PX516"}
    assert "130.97 TiB" in found["PX516"].message
    assert found["PX516"].where == "storage_modules[0].data_drive"


def test_each_entry_of_the_request_has_a_finding_of_its_own() -> None:
    two = site(asked({"data_drive": "nl-sas-18tb"}, {"data_drive": "nl-sas-18tb"}, hdmd={"arrays": 3}))
    places = [f.where for f in two.findings() if f.code == "PX516"]
    assert places == ["storage_modules[0].data_drive", "storage_modules[1].data_drive"]


def test_a_plan_with_links_that_lead_nowhere_ends_in_findings() -> None:
    plan = good().plan
    for broken in (
        {"arrays": ()},
        {"modules": ()},
        {"disk_groups": ()},
        {"volumes": ()},
        {"targets": ()},
        {"servers": ()},
        {"volumes": changed(plan.volumes, 0, backing="dg_gone")},
        {"targets": changed(plan.targets, 0, volume="gone")},
        {"targets": changed(plan.targets, 0, servers=())},
        {"targets": changed(plan.targets, 0, volume=None)},
    ):
        findings = good().with_plan(**broken).findings()
        assert any(f.severity == "error" for f in findings), broken


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (part("disk_groups", 0, drive="ssd-960gb"), "PX505", "its slots take nl-sas"),
        (part("disk_groups", 0, drive="nl-sas-8tb"), "PX525", "nl-sas-8tb, where nl-sas-12tb"),
        (part("disk_groups", 1, id="dg_sm01a1_data01"), "PX507", "2 disk groups are called"),
        (part("disk_groups", 0, enclosure=1), "PX504", "enclosure 1, which sm01a1 does not have"),
        (part("disk_groups", 0, array="sm09a1"), "PX524", "belongs to no module"),
        (lambda: blind(good_expanded()).with_plan(disk_groups=spread()), "PX504", "lies in two enclosures, 0 and 1"),
        (part("arrays", 0, enclosures=good_expanded().plan.arrays[0].enclosures), "PX525", "enclosure 1 of sm01a1"),
        (system_data_pool(), "PX517", "the data pool is system"),
    ],
)
def test_a_break_that_shows_in_several_places_is_named_in_each(make: Callable[[], Site], code: str, words: str) -> None:
    assert any(words in f.message for f in make().findings() if f.code == code)


@pytest.mark.parametrize("changes", [{"volumes": 0}, {"disk_groups": 0}, {"modules": 0}, {"arrays": 0}, {"targets": 5}])
def test_a_part_that_is_missing_is_noticed(changes: dict[str, int]) -> None:
    (kind, place), *_ = changes.items()
    assert any(f.severity == "error" for f in without(kind, place)().findings())


@pytest.mark.parametrize(
    ("sizes", "replicas", "usable"),
    [
        ([960, 960], 2, 960),
        ([10, 4], 2, 4),  # min(sum/2, sum - largest)
        ([10, 4, 4], 2, 8),
        ([5, 5, 5], 2, 7),
        ([10, 10, 4], 3, 4),
        ([9, 5, 4, 3], 3, 6),  # the largest stores 6 of its 9; 5 + 4 + 3 hold the two other copies
        ([7], 1, 7),
    ],
)
def test_usable_bytes_of_unequal_failure_groups(sizes: list[int], replicas: int, usable: int) -> None:
    assert usable_bytes(sizes, replicas) == usable


@given(st.lists(st.integers(0, 60), min_size=1, max_size=7), st.integers(1, 3))
def test_usable_bytes_is_the_most_that_copies_in_different_groups_can_hold(sizes: list[int], replicas: int) -> None:
    """t blocks fit just when the groups, none counted for more than t (one copy of each block), hold all the copies."""
    assume(len(sizes) >= replicas)
    fits = [t for t in range(sum(sizes) + 1) if sum(min(s, t) for s in sizes) >= replicas * t]
    assert usable_bytes(sizes, replicas) == max(fits)


def test_the_descriptor_is_no_volume_by_its_wwid_nor_another_nsd_of_its_server() -> None:
    site = planned(descriptor=DESCRIPTOR)()
    wwid = "3600c0ff000d81e2cca8cbd4c01000000"
    last = site.plan.targets[-1]
    volumes = changed(site.plan.volumes, 0, wwid=wwid)
    taken = replace(last, device=f"/dev/disk/by-id/wwn-0x{wwid[1:]}")
    found = site.with_plan(volumes=volumes, targets=(*site.plan.targets[:-1], taken)).findings()
    assert any(f.code == "PX529" and "sm01a1_data01 (its WWID)" in f.message for f in found)
    for server, codes in ((last.servers[0].upper(), 2), ("elsewhere", 0)):
        twin = replace(last, id="desc02", servers=(server,))
        found = site.with_plan(targets=(*site.plan.targets, twin)).findings()
        messages = [f.message for f in found if f.code == "PX529"]
        assert len(messages) == codes // 2
        assert all("is the device of desc02 too, and 1 more" in m for m in messages)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sm01n1", "SM01N1", True),
        ("sm01n1", "sm01n1.example.com", True),
        ("sm01n1.example.com", "SM01N1.Example.com", True),
        ("sm01n1.example.com", "sm01n1.example.org", False),
        ("sm01n1", "sm01n2.example.com", False),
        ("sm01n1", "sm01n10", False),
    ],
)
def test_names_of_one_host(one: str, other: str, same: bool) -> None:
    assert same_host(one, other) is same_host(other, one) is same
