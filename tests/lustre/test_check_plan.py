"""Rules about a Lustre plan (PX5): names, targets, who serves them, addresses. Each breaks a good plan in one place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pixsize.products.lustre.ldiskfs import formatted as ldiskfs
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.rules.requested import lnet_of
from pixsize.products.powerflex.observed import ObservedPool
from tests.lustre.check_lustre_support import (
    GIB,
    IN_A_POOL,
    ON_ARRAYS,
    asking,
    below,
    formatted,
    good_arrays,
    good_pool,
    in_pool,
    is_named,
    on,
    on_arrays,
    on_catalog,
    part,
    pool_site,
    without,
)
from tests.support.changing import replace
from tests.support.check_support import MIB, Site, blind, catalog_with, changed, site

SM, MD = "storage_modules[0]", "metadata"
ARRAY, POOL = on(ON_ARRAYS), on(IN_A_POOL)


def renamed(name: str) -> Callable[[], Site]:
    """The good plan of a file system of another name, asked for and given."""

    def make() -> Site:
        base = below(good_arrays, "filesystem", name=name)()
        targets = tuple(replace(t, id=t.id.replace("scratch", name)) for t in base.plan.targets)
        return base.with_plan(targets=targets, filesystem=replace(lustre(base.plan), name=name))

    return make


def later_indexes(kind: str) -> Callable[[], Site]:
    """The good plan, where the targets of a kind count from 1."""

    def make() -> Site:
        def moved(target: object) -> object:
            index = target_of(target).index + 1  # type: ignore[attr-defined]
            return replace(target, index=index, id=f"scratch-{kind.upper()}{index:04x}")

        targets = (moved(t) if t.kind == kind else t for t in good_arrays().plan.targets)
        return blind(good_arrays()).with_plan(targets=tuple(targets))

    return make


def backwards() -> Site:
    """The good plan, its targets in another order."""
    targets = good_arrays().plan.targets
    return blind(good_arrays()).with_plan(targets=(*targets[1:3], targets[0], *targets[3:]))


def two_mgs() -> Site:
    """The good plan, where MDT0000 is formatted as an MGS too."""
    flagged = formatted(good_arrays, is_named("scratch-MDT0000"), flags=0x1065)()
    return flagged.with_plan(targets=changed(flagged.plan.targets, is_named("scratch-MDT0000"), mgs=True))


def no_mgs() -> Site:
    """The good plan, its MGT none any longer."""
    return part(good_arrays, "targets", is_named("MGS"), mgs=False)()


def second_metadata_volume() -> Site:
    """The good plan, where the MGT lies on the second group."""
    volumes = good_arrays().plan.volumes
    at = next(v for v in volumes if v.id == "mm01a1_mgt01")
    mdt = next(v for v in volumes if v.id == "mm01a1_meta01")
    moved = changed(volumes, is_named(at.id), backing="dg_mm01a1_meta02", owner="b")
    return blind(good_arrays()).with_plan(volumes=changed(moved, is_named(mdt.id), bytes=mdt.bytes))


def one_controller() -> Site:
    """The good plan, both MDTs on controller A."""
    plan = good_arrays().plan
    groups = changed(plan.disk_groups, is_named("dg_mm01a1_meta02"), owner="a")
    return blind(good_arrays()).with_plan(
        disk_groups=groups, volumes=changed(plan.volumes, is_named("mm01a1_meta02"), owner="a")
    )


def resized(size: int, *names: str) -> Callable[[], Site]:
    """The good plan with volumes of another size, each formatted to it."""

    def make() -> Site:
        base, kinds = blind(good_arrays()), {t.volume: t.kind for t in good_arrays().plan.targets}
        release = base.catalog.get(LustreRelease, lustre(base.plan).release)
        plan = base.plan
        for name in names:
            stride, width = (16, 80) if kinds[name] == "mdt" else (0, 0)
            made = ldiskfs(release, kinds[name], size, stride=stride, stripe_width=width, mmp=True)
            plan = replace(plan, volumes=changed(plan.volumes, is_named(name), bytes=size))
            plan = replace(plan, targets=changed(plan.targets, lambda t, n=name: t.volume == n, ldiskfs=made))
        return replace(base, plan=plan)

    return make


def laid_out(variant: str, *slots: str, spares: str) -> Site:
    """The plan of a catalog whose layout of the metadata has other groups; no folder of one's own may have them."""
    group = {"purpose": "metadata", "level": "r10", "slots": list(slots)}
    words = {"groups": [group], "spares": spares, "empty": None}
    return site(
        on_arrays({}, metadata={"dne": variant == "dne"}), catalog_with(f"lustre-me4.me4024.{variant}", **words)
    )


def nid(server: str, *nids: str) -> Callable[[], Site]:
    return part(good_arrays, "servers", is_named(server), nids=nids)


def bmc(server: str, address: str) -> Callable[[], Site]:
    return part(good_arrays, "servers", is_named(server), bmc=address)


def unasked(field: str, value: object, **words: None) -> Callable[[], Site]:
    """The plan of a request without addresses, where a server has one; what is left out is noted besides."""

    def make() -> Site:
        base = site(on_arrays({}, **words))
        return blind(base).with_plan(servers=changed(base.plan.servers, is_named("oss01"), **{field: value}))

    return make


def served(label: str, *servers: str) -> Callable[[], Site]:
    return part(good_arrays, "targets", is_named(label), servers=servers)


SERVERS = ("mds01", "mds02", "oss01", "oss02")
FENCED = {
    "agent": "fence_idrac",
    "addresses": {s: f"10.20.0.{n}" for n, s in enumerate(SERVERS, 1)},
    "second": {"agent": "fence_apc_snmp", "outlets": {s: [f"10.31.0.1/{n}"] for n, s in enumerate(SERVERS, 1)}},
    "ring": {"addresses": {s: f"10.40.0.{n}" for n, s in enumerate(SERVERS, 1)}},
}


def fenced_twice(**words: object) -> Site:
    """A plan with a second level and a second link, that no rule finds fault with."""
    return site(on_arrays({}, fencing={**FENCED, **words}))


def two_levels(**settings: object) -> Callable[[], Site]:
    def make() -> Site:
        base = blind(fenced_twice())
        return base.with_plan(filesystem=replace(lustre(base.plan), **settings))

    return make


def second_link(server: str, **fields: object) -> Callable[[], Site]:
    return part(fenced_twice, "servers", is_named(server), **fields)


def outlets(server: str, *given: str) -> Callable[[], Site]:
    return part(fenced_twice, "servers", is_named(server), outlets=given)


def on_a_target() -> Site:
    return fenced_twice(second={"agent": "fence_sbd", "devices": ["/dev/mapper/sm01a1_data01"]})


def by_disk(*devices: str) -> Callable[[], Site]:
    return lambda: fenced_twice(second={"agent": "fence_sbd", "devices": devices})


def by_disk_of_pool() -> Site:
    """A name as PowerFlex gives it is no volume of the plan either."""
    second = {"agent": "fence_sbd", "devices": ["/dev/disk/by-id/emc-vol-1-2"]}
    asked = in_pool()
    assert asked.fencing is not None
    return pool_site(in_pool(fencing={**asked.fencing.model_dump(), "second": second}))


def test_a_device_that_is_a_targets_is_an_error_and_another_a_warning() -> None:
    found = by_disk("/dev/disk/by-id/wwn-0x600c0ff000sbd1", "/dev/mapper/sm01a1_data01")().findings()
    said = {f.code: f for f in found if f.code.startswith("PX56")}
    assert {code: f.severity for code, f in said.items()} == {"PX562": "error", "PX563": "warning"}
    assert "sm01a1_data01" not in said["PX563"].message
    assert "wwn-" not in said["PX562"].message


def unknown_second() -> Site:
    return fenced_twice(second={"agent": "fence_nosuch"})


def test_a_second_level_and_a_second_link_are_fine() -> None:
    assert {f.code for f in fenced_twice().findings()} == ON_ARRAYS
    over_lnet = {s: f"10.10.0.{n}" for n, s in enumerate(SERVERS, 1)}
    assert {f.code for f in fenced_twice(ring={"addresses": over_lnet}).findings()} == ON_ARRAYS


MDT0, MDT1, OST0 = "scratch-MDT0000", "scratch-MDT0001", "scratch-OST0000"

BREAKS = (
    # --- arrays, as for any file system on them ---------------------------------------------------------------------
    ARRAY("PX501", "spare", part(good_arrays, "spares", 0, slots=(0, 20, 21, 22, 23)), MD, ("mm01a1", "slot 0.0")),
    ARRAY("PX502", "left over", part(good_arrays, "spares", 1, slots=(80, 81, 82)), SM, ("slot 0.83 unused",)),
    ARRAY("PX503", "mirrors", on_catalog(good_arrays, "me4.r10_drives_max", value=8), MD, ("10 drives as RAID 10", "4 to 8")),
    ARRAY("PX505", "spare HDD", part(good_arrays, "spares", 0, drive="nl-sas-8tb"), MD, ("type of no disk group",)),
    ARRAY("PX506", "MGT elsewhere", second_metadata_volume, MD, ("dg_mm01a1_meta01 has 1 volumes", "one more for the MGT")),
    ARRAY("PX508", "twice", part(good_arrays, "volumes", is_named("mm01a1_meta01"), lun=2), MD, ("LUN 2 of mm01a1 maps 2",)),
    ARRAY("PX515", "OSS", served(OST0, "oss02", "oss01"), SM, ("of sm01a1, oss02 over controller A serves 3 volumes",)),
    ARRAY("PX520", "MGT and MDT", part(good_arrays, "disk_groups", 0, reported_bytes=4_690_000_000_000), MD, ("mm01a1_mgt01, mm01a1_meta01 ask for",)),
    ARRAY("PX524", "device", part(good_arrays, "targets", is_named(OST0), device="/dev/sdb"), SM, ("/dev/sdb", "/dev/mapper/sm01a1_data01")),
    ARRAY("PX524", "owner", part(good_arrays, "disk_groups", is_named("dg_sm01a1_data01"), owner="b"), SM, ("owner a, expected b",)),
    ARRAY("PX524", "a small MDT", resized(4 * 10**12, "mm01a1_meta01", "mm01a1_meta02"), MD, ("volume of 4,000,000,000,000 bytes",)),
    ARRAY("PX528", "cables", on_catalog(good_arrays, "sas-hba-12gbps", ports=1), SM, ("oss01 needs 8", "and has 4")),
    # --- what was asked for ---------------------------------------------------------------------------------------------
    ARRAY("PX525", "version", below(good_arrays, "filesystem", stripe_count=2), "filesystem.stripe_count", ("1, where 2",)),
    ARRAY("PX525", "release", asking(good_arrays, lustre_version="2.15.3"), "lustre_version", ("2.15.8, where 2.15.3",)),
    ARRAY("PX525", "interface", below(good_arrays, "network", interface="ib1"), "network", ("'ib0'", "'ib1'")),
    ARRAY("PX525", "agent", below(good_arrays, "fencing", agent="fence_redfish"), "fencing.agent", ("fence_idrac, where",)),
    ARRAY("PX525", "modules", asking(good_arrays, storage_modules=on_arrays({"count": 2}).storage_modules), SM, ("1 modules, where 2",)),
    ARRAY("PX525", "MGT", resized(8 * GIB - MIB, "mm01a1_mgt01"), "metadata.mgt", ("MGS has 8,588,886,016 bytes, where 8,589,934,592",)),
    ARRAY("PX525", "MDTs", resized(4_685_809_319_936 + GIB, "mm01a1_meta02"), MD, ("(scratch-MDT0000)", "(scratch-MDT0001), where all have one size")),
    ARRAY("PX525", "drive", below(good_arrays, "metadata", drive="ssd-1.92tb"), MD, ("ssd-960gb, where ssd-1.92tb",)),
    ARRAY("PX525", "pairs", below(good_arrays, "metadata", pairs=2), MD, ("1 modules, where 2",)),
    on(frozenset({"PX547", "PX559"}))("PX525", "an MDT", lambda: laid_out("dne", "0-9", spares="10-23"), "metadata.dne", ("1 MDTs, where 2 were asked for",)),
    ARRAY("PX525", "management", asking(good_arrays, management="iml_monitored"), "", ("0 management servers, expected 1",)),
    ARRAY("PX525", "role", part(good_arrays, "servers", is_named("oss01"), role="metadata"), SM, ("oss01 is a server for metadata of sm01",)),
    ARRAY("PX525", "module", part(good_arrays, "servers", is_named("oss01"), module="mm01"), SM, ("of mm01, and serves sm01",)),
    ARRAY("PX525", "adapters", part(good_arrays, "servers", is_named("oss01"), adapters=(("connectx-5-edr", 2), ("sas-hba-12gbps", 4))), SM, ("oss01 has 2 connectx-5-edr, 4 sas-hba-12gbps, expected",)),
    on(ON_ARRAYS | {"PX505"})("PX525", "array's role", part(good_arrays, "arrays", is_named("sm01a1"), role="metadata"), SM, ("sm01 has no array sm01a1 for storage",)),
    ARRAY("PX524", "half a block", part(good_arrays, "volumes", is_named("sm01a1_data01"), bytes=62_591_997_050_880 + 1), SM, ("scratch-OST0000: volume of 62,591,997,050,881 bytes, no whole number of blocks of 512 B",)),
    ARRAY("PX525", "switch", without(good_arrays, "switches", 1), "", ("n2248x-on",)),
    # --- targets ------------------------------------------------------------------------------------------------------
    ARRAY("PX531", "long", renamed("scratches"), "filesystem.name", ("'scratches' has 9 characters", "at most 8")),
    ARRAY("PX531", "a point", renamed("scr.atch"), "filesystem.name", ("'scr.atch'", "letters, digits, _ and -")),
    ARRAY("PX532", "no root", later_indexes("mdt"), "", ("there is no MDT0000",)),
    ARRAY("PX532", "OSTs from 1", later_indexes("ost"), "", ("there is no OST0000",)),
    ARRAY("PX532", "twice", part(good_arrays, "targets", is_named("scratch-OST0003"), id="scratch-OST0002", index=2), "", ("2 OSTs have index 2", "and 1 more")),
    ARRAY("PX532", "label", part(good_arrays, "targets", is_named("scratch-OST000a"), id="scratch-OST0010"), "", ("scratch-OST0010 is the label of what should be scratch-OST000a",)),
    ARRAY("PX532", "order", backwards, "", ("order of their first start",)),
    ARRAY("PX532", "last", on_catalog(good_arrays, "lustre.index_max", value=30), "", ("scratch-OST001f lies beyond the last index, 30",)),
    ARRAY("PX533", "two", two_mgs, "metadata.mgt", ("MGS, scratch-MDT0000 holds the MGS",)),
    ARRAY("PX533", "none", no_mgs, "metadata.mgt", ("no target holds the MGS, beside 1 MGTs",)),
    # --- who serves them ----------------------------------------------------------------------------------------------
    ARRAY("PX538", "alone", served(OST0, "oss01"), SM, ("scratch-OST0000 is served by oss01, where oss01, oss02",)),
    ARRAY("PX538", "stranger", served(OST0, "oss01", "mds01"), SM, ("served by oss01, mds01, where oss01, oss02",)),
    ARRAY("PX538", "twice", served(OST0, "oss01", "oss01"), SM, ("served by oss01, oss01",)),
    ARRAY("PX538", "nobody", served("MGS"), MD, ("MGS is served by nobody",)),
    ARRAY("PX539", "one MDS", served(MDT1, "mds01", "mds02"), MD, ("mds01 serves scratch-MDT0000, scratch-MDT0001",)),
    ARRAY("PX539", "one controller", one_controller, MD, ("controller A owns scratch-MDT0000, scratch-MDT0001",)),
    ARRAY("PX539", "MGS", served("MGS", "mds01", "mds02"), "metadata.mgt", ("the MGS and scratch-MDT0000 both prefer mds01",)),
    # --- addresses ----------------------------------------------------------------------------------------------------
    ARRAY("PX540", "none", nid("oss01"), "network.addresses", ("oss01 has 0 NIDs",)),
    ARRAY("PX540", "two", nid("oss01", "10.10.0.3@o2ib", "10.11.0.3@o2ib1"), "network.addresses", ("oss01 has 2 NIDs",)),
    *(
        ARRAY("PX540", text, nid("oss01", text), "network.addresses", (f"oss01 has {text!r}, which is no NID",))
        for text in ("10.10.0.3", "10.10.0.3,10.10.0.4@o2ib", "10.10.0.3:10.10.0.4@o2ib", "10.10.0.256@o2ib", "oss01@o2ib", "10.10.0.3@opa")
    ),
    ARRAY("PX540", "network", nid("oss01", "10.10.0.3@tcp"), "network.addresses", ("10.10.0.3@tcp, where the network is o2ib",)),
    ARRAY("PX540", "shared", nid("oss01", "10.10.0.4@o2ib"), "network.addresses", ("10.10.0.4@o2ib, which 2 servers have", "and 1 more")),
    ARRAY("PX540", "other", nid("oss01", "10.10.0.99@o2ib"), "network.addresses", ("10.10.0.99@o2ib, where 10.10.0.3@o2ib",)),
    on(ON_ARRAYS | {"PX417"})("PX540", "unasked", unasked("nids", ("10.10.0.3@o2ib",), network=None), "network.addresses", ("though no network was asked for",)),
    on(ON_ARRAYS | {"PX417"})("PX541", "unasked", unasked("bmc", "10.20.0.3", fencing=None), "fencing.addresses", ("oss01 has the address 10.20.0.3, though none was",)),
    ARRAY("PX541", "none", bmc("mds02", ""), "fencing.addresses", ("mds02 has 0 addresses",)),
    ARRAY("PX541", "shared", bmc("mds02", "10.20.0.1"), "fencing.addresses", ("10.20.0.1, which 2 servers have", "and 1 more")),
    ARRAY("PX541", "its own", bmc("mds02", "10.10.0.2"), "fencing.addresses", ("mds02 has the address 10.10.0.2, which is an address of another",)),
    ARRAY("PX541", "no address", bmc("mds02", "idrac-mds02"), "fencing.addresses", ("which is no IPv4 address",)),
    # --- a second level and a second link ---------------------------------------------------------------------------------
    ARRAY("PX561", "none", second_link("mds02", ring=""), "fencing.ring.addresses", ("mds02 has 0 addresses",)),
    ARRAY("PX561", "shared", second_link("mds02", ring="10.40.0.1"), "fencing.ring.addresses", ("10.40.0.1, which 2 servers have", "and 1 more")),
    ARRAY("PX561", "a controller", second_link("mds02", ring="10.20.0.2"), "fencing.ring.addresses", ("mds02 has the address 10.20.0.2, which is an address of another",)),
    ARRAY("PX561", "another server", second_link("mds02", ring="10.10.0.1"), "fencing.ring.addresses", ("where 10.40.0.2 was asked for", "and 1 more")),
    ARRAY("PX561", "unasked", part(good_arrays, "servers", is_named("mds02"), ring="10.40.0.2"), "fencing.ring.addresses", ("though none was asked for",)),
    ARRAY("PX562", "two servers", outlets("oss01", "10.31.0.1/4"), "fencing.second.outlets", ("oss01 has 10.31.0.1/4, where another was asked for", "and 2 more")),
    ARRAY("PX562", "none", outlets("oss01"), "fencing.second.outlets", ("oss01 has no outlet, where another",)),
    ARRAY("PX562", "its controller", outlets("oss01", "10.20.0.3/3"), "fencing.second.outlets", ("and 1 more",)),
    ARRAY("PX562", "a target", on_a_target, "fencing.second.devices", ("/dev/mapper/sm01a1_data01 is the device of scratch-OST0000",)),
    ARRAY("PX563", "elsewhere", by_disk(*(f"/dev/disk/by-id/wwn-0x600c0ff000sbd{n}" for n in (1, 2))), "fencing.second.devices", ("/dev/disk/by-id/wwn-0x600c0ff000sbd1 is no volume of this plan", "and 1 more")),
    POOL("PX563", "no volume of the pool", by_disk_of_pool, "fencing.second.devices", ("/dev/disk/by-id/emc-vol-1-2 is no volume of this plan",)),
    ARRAY("PX525", "second agent", two_levels(second_fence_agent="fence_eaton_snmp"), "fencing.second.agent", ("fence_eaton_snmp, where fence_apc_snmp",)),
    ARRAY("PX420", "second agent", unknown_second, "fencing.second.agent", ("fence_nosuch", "fence_sbd")),
    # --- formats ------------------------------------------------------------------------------------------------------
    ARRAY("PX543", "none", part(good_arrays, "targets", is_named(OST0), ldiskfs=None), SM, ("scratch-OST0000 has no format",)),
    ARRAY("PX543", "inodes", formatted(good_arrays, is_named(OST0), inodes=2 * 59_692_416), SM, ("119,384,832 inodes, where about 59,",)),
    ARRAY("PX543", "inode", formatted(good_arrays, is_named(MDT0), inode_bytes=512), MD, ("inodes of 512 B, where 1024",)),
    ARRAY("PX543", "blocks", formatted(good_arrays, is_named(OST0), blocks=15 * 10**9), SM, ("15,000,000,000 blocks on 62,",)),
    ARRAY("PX543", "journal", formatted(good_arrays, is_named(OST0), journal_blocks=102_400), SM, ("a journal of 102,400 blocks",)),
    ARRAY("PX543", "reserve", formatted(good_arrays, is_named(OST0), reserved_blocks=0), SM, ("a reserve of 0 blocks",)),
    ARRAY("PX543", "overhead", formatted(good_arrays, is_named(OST0), overhead_blocks=262_144), SM, ("loses 262,144 blocks",)),
    ARRAY("PX543", "users", formatted(good_arrays, is_named(OST0), user_bytes=1), SM, ("leaves 1 B to its users",)),
    ARRAY("PX543", "flags", formatted(good_arrays, is_named(MDT0), flags=0x1062), MD, ("0x1062, where 0x1061",)),
    ARRAY("PX544", "stride", formatted(good_arrays, is_named(OST0), stride=128, stripe_width=1024, options="-E stride=128,stripe_width=1024"), SM, ("has 128 and 1024, where 32 and 256",)),
    ARRAY("PX544", "width", formatted(good_arrays, is_named(MDT0), stripe_width=160), MD, ("has 16 and 160, where 16 and 80",)),
    ARRAY("PX544", "text", formatted(good_arrays, is_named(OST0), options="-E stride=32, stripe_width=256"), SM, ("'-E stride=32, stripe_width=256'",)),
    ARRAY("PX544", "room", on_catalog(good_arrays, "lustre.mkfsoptions_chars", value=20), MD, ("options of 28 characters", "fewer than 20")),
)  # fmt: skip


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: object) -> None:
    broken.prove()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("modules", "metadata", "notes"),
    [
        (({},), {"mgt": "with_mdt0"}, {"PX546"}),
        (({},), {"dne": False}, {"PX547"}),
        (({},), {"dne": False, "mgt": "with_mdt0"}, {"PX547"}),
        (({"count": 2}, {"chunk_size": "512 KiB"}), {"pairs": 3, "drive": "ssd-1.92tb"}, {"PX546", "PX406"}),
        (({"size": "small"}, {"size": "medium"}), {"pairs": 2, "dne": False}, {"PX546", "PX415"}),
    ],
)
def test_a_good_plan_has_only_notes(
    modules: tuple[dict[str, object], ...], metadata: dict[str, object], notes: set[str]
) -> None:
    """Built and reported; the document's single MDT has fewer inodes than its OSTs have objects, and that is said."""
    made = site(on_arrays(*modules, metadata=metadata))
    assert set(made.codes()) == notes | {"PX559"}
    assert set(site(made.request, observe=False).codes()) == notes | {"PX559", "PX410"}


def test_what_is_left_of_the_groups_counts_the_mgt_with_its_mdt() -> None:
    """32 groups of 64 TB and two of 4.8 TB are 2057.6 TB, all 3 % under nominal: 61.73 TB, and 8 GiB beside MDT0001."""
    found = {f.code: f for f in site(on_arrays({}), observe=False).findings()}
    assert "34 volumes are planned 3.0 % under nominal" in found["PX410"].message
    assert "up to 61.74 TB (56.15 TiB) of 2057.6 TB (1871.38 TiB)" in found["PX410"].message
    assert "mkfs.lustre" in found["PX410"].hint
    assert "mmcrnsd" not in found["PX410"].hint


# --- what the arrays reported --------------------------------------------------------------------------------------


def reported(group: str, **fields: object) -> Site:
    """The good site, where the array says something else of one group."""
    base = good_arrays()
    array = group.removeprefix("dg_").partition("_")[0]
    groups = dict(base.observed.arrays[array].groups)
    groups[group] = replace(groups[group], **fields)
    return base.with_array(array, groups=groups)


def test_the_mgt_and_what_equal_mdts_leave_belong_to_the_plan() -> None:
    """The second group has 8 GiB free, the first none: its MGT and MDT together are what it holds."""
    groups = good_arrays().observed.arrays["mm01a1"].groups
    assert 8 * GIB <= (groups["dg_mm01a1_meta02"].free_bytes or 0) < 9 * GIB
    assert groups["dg_mm01a1_meta01"].free_bytes == 0
    for group in groups:
        assert set(reported(group, free_bytes=None).codes()) == ON_ARRAYS


def test_something_else_on_a_group_of_metadata_is_found() -> None:
    """40 GiB that neither the MGT nor the MDT account for."""
    base = good_arrays()
    size = base.observed.arrays["mm01a1"].groups["dg_mm01a1_meta01"].bytes
    found = [f for f in reported("dg_mm01a1_meta01", bytes=size + 40 * GIB).findings() if f.code == "PX304"]
    assert any("something else holds 42.9" in f.message for f in found)


def test_a_volume_smaller_than_planned_is_to_grow_before_mkfs() -> None:
    volumes = dict(good_arrays().observed.arrays["sm01a1"].volumes)
    volumes["sm01a1_data01"] = replace(volumes["sm01a1_data01"], bytes=60 * 10**12)
    found = [f.message for f in good_arrays().with_array("sm01a1", volumes=volumes).findings() if f.code == "PX306"]
    assert any("expand it before mkfs.lustre" in message for message in found)


def test_a_group_too_small_for_both_of_its_volumes_is_found() -> None:
    found = reported("dg_mm01a1_meta01", bytes=4_690_000_000_000, free_bytes=None).findings()
    assert any("mm01a1_mgt01, mm01a1_meta01 are together planned with" in f.message for f in found if f.code == "PX304")


def test_replies_of_a_pool_are_no_replies_of_arrays() -> None:
    found = replace(
        good_arrays(), observed=replace(good_arrays().observed, own={"powerflex": ObservedPool("0" * 16)})
    ).findings()
    assert [f.code for f in found if f.severity == "error"] == ["PX302"]
    assert "PowerFlex" in next(f.message for f in found if f.code == "PX302")


# --- plans that are broken all over ----------------------------------------------------------------------------------


def test_a_plan_with_links_that_lead_nowhere_ends_in_findings() -> None:
    for base in (good_arrays(), good_pool()):
        plan = base.plan
        for broken in (
            {"arrays": ()},
            {"modules": ()},
            {"disk_groups": ()},
            {"pools": ()},
            {"volumes": ()},
            {"targets": ()},
            {"servers": ()},
            {"volumes": changed(plan.volumes, 0, backing="gone")},
            {"targets": changed(plan.targets, 0, volume="gone")},
            {"targets": changed(plan.targets, 1, servers=())},
            {"targets": changed(plan.targets, 5, volume=None)},
            {"targets": changed(plan.targets, 5, kind="nsd")},
        ):
            if all(getattr(plan, kind) != parts for kind, parts in broken.items()):
                findings = base.with_plan(**broken).findings()
                assert any(f.severity == "error" for f in findings), broken


@pytest.mark.parametrize("kind", ["volumes", "disk_groups", "modules", "arrays", "targets", "servers", "spares"])
def test_a_part_that_is_missing_is_noticed(kind: str) -> None:
    assert any(f.severity == "error" for f in without(good_arrays, kind, 0)().findings())


def test_a_target_that_is_missing_is_an_mdt_too_few() -> None:
    found = without(good_arrays, "targets", 2)().findings()
    assert good_arrays().plan.targets[2].kind == "mdt"
    assert any(f.code == "PX525" and "1 MDTs, where 2 were asked for" in f.message for f in found)


def test_more_groups_than_the_variant_has_end_in_findings() -> None:
    """Each MDT is served by the pair of its own array, however many there are."""
    for variant, slots, spares, servers in (
        ("dne", ("0-5", "6-11", "12-17"), "18-23", ["mds01", "mds02", "mds01"]),
        ("single", ("0-9", "10-19"), "20-23", ["mds01", "mds01"]),
    ):
        made = laid_out(variant, *slots, spares=spares)
        assert [t.servers[0] for t in made.plan.targets if t.kind == "mdt"] == servers
        due = 2 if variant == "dne" else 1
        said = f"{len(slots)} MDTs, where {due} were asked for"
        assert any(f.code == "PX525" and said in f.message for f in made.findings())


@pytest.mark.parametrize(("word", "name"), [("o2ib0", "o2ib"), ("tcp0", "tcp"), ("o2ib10", "o2ib10"), ("o2ib", "o2ib")])
def test_the_first_network_of_a_kind_goes_by_its_kind(word: str, name: str) -> None:
    assert lnet_of(word) == name
    request = on_arrays(
        {}, network={"lnet": word, "interface": "ib0", "addresses": good_arrays().request.network.addresses}
    )
    assert set(site(request).codes()) == ON_ARRAYS
