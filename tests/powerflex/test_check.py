"""Rules about Lustre in a PowerFlex pool: what it takes, what it rebuilds, who takes over; each found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.observed import Observed, ObservedArray
from pixsize.plan.make import make_plan
from pixsize.products.lustre.ldiskfs import formatted as ldiskfs
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.powerflex.observed import ObservedPool, ObservedPoolVolume
from tests.lustre.check_lustre_support import (
    EVERYWHERE,
    GIB,
    IN_A_POOL,
    OST_GIB,
    asking,
    below,
    good_pool,
    in_pool,
    is_named,
    on,
    on_catalog,
    part,
    pool_site,
    settings,
    without,
)
from tests.support.changing import replace
from tests.support.check_support import Site, catalog, catalog_with, changed

POOL = on(IN_A_POOL)
ALONE = on(EVERYWHERE)
MDT0, MDT1, OST0 = "scratch-MDT0000", "scratch-MDT0001", "scratch-OST0000"
SYSTEM = "2ea35ba11ef02a05"


def server(name: str, **fields: Any) -> Callable[[], Site]:
    return part(good_pool, "servers", is_named(name), **fields)


def served(label: str, *servers: str) -> Callable[[], Site]:
    return part(good_pool, "targets", is_named(label), servers=servers)


def first_pool(**fields: Any) -> Callable[[], Site]:
    return part(good_pool, "pools", 0, **fields)


def planned(servers: int = 4, **words: Any) -> Callable[[], Site]:
    return lambda: pool_site(in_pool(servers, **words))


def one_more_ost() -> Site:
    """The good plan, where the first OSS serves an OST of the third one's as well, and its partner takes over."""
    targets = good_pool().plan.targets
    for label in ("scratch-OST0008", "scratch-OST0009"):
        targets = changed(targets, is_named(label), servers=("oss01", "oss02"))
    return good_pool().with_plan(targets=targets)


def odd_size() -> Site:
    """The good plan with an MGT of 9 GiB, asked for and formatted: the MDM would make it 16."""
    base = below(good_pool, "pool", mgt_bytes=9 * GIB)()
    made = ldiskfs(base.catalog.get(LustreRelease, lustre(base.plan).release), "mgt", 9 * GIB, mmp=True)
    targets = changed(base.plan.targets, is_named("MGS"), ldiskfs=made)
    return base.with_plan(targets=targets, volumes=changed(base.plan.volumes, is_named("mgt"), bytes=9 * GIB))


def one_device() -> Site:
    """The plan of a system that was observed, though two of its volumes are known by one id."""
    taken = everything()["mdt0000"].id
    return told(observed(volumes=everything() | {"ost0000": replace(everything()["ost0000"], id=taken)}))


def everything() -> dict[str, ObservedPoolVolume]:
    """Every planned volume as the system reports it: the MGT with the id 0, then the MDTs, then the OSTs."""
    return {v.id: ObservedPoolVolume(f"{n:016x}", v.bytes) for n, v in enumerate(good_pool().plan.volumes)}


def observed(**fields: Any) -> ObservedPool:
    return replace(ObservedPool(SYSTEM, everything(), {"mdt0000": "powerflex.volumes.txt:3"}), **fields)


def told(seen: ObservedPool) -> Site:
    """The plan of a system that was observed: each target has the device that the replies tell."""
    plan, refusals = make_plan(good_pool().request, catalog(), Observed(own={"powerflex": seen}))
    assert plan is not None, refusals
    return Site(good_pool().request, plan, catalog(), Observed(own={"powerflex": seen}))


def resized(name: str, size: int) -> Site:
    return told(observed(volumes=everything() | {name: replace(everything()[name], bytes=size)}))


def said(name: str, **fields: Any) -> Callable[[], Site]:
    """The planned system, its reply saying more of one volume."""
    return lambda: told(observed(volumes=everything() | {name: replace(everything()[name], **fields)}))


def less(name: str) -> Site:
    return told(observed(volumes={n: v for n, v in everything().items() if n != name}))


def other_osts() -> Site:
    """The good plan, its first two servers each with an OST of the other's: as many as before."""
    targets = good_pool().plan.targets
    first, fifth = (next(t for t in targets if t.id == f"scratch-OST{n:04x}") for n in (0, 4))
    moved = changed(targets, is_named(first.id), servers=fifth.servers)
    return good_pool().with_plan(targets=changed(moved, is_named(fifth.id), servers=first.servers))


BREAKS = (
    # --- what was asked for ---------------------------------------------------------------------------------------------
    POOL("PX525", "spare", below(good_pool, "pool", spare=26), "powerflex.spare", ("spare of sp1 is 25, where 26",)),
    POOL("PX525", "drives", first_pool(drives=31), "servers", ("drives of sp1 is 31, where 32",)),
    POOL("PX525", "raw", first_pool(bytes=65 * 10**12), "drive", ("bytes of sp1 is 65000000000000, where 64000000000000",)),
    POOL("PX525", "name", first_pool(domain="other"), "", ("domain of sp1 is other, where pd1",)),
    POOL("PX525", "a drive less", server("oss02", drives=("nvme-2tb", 7)), "servers", ("oss02 is", "7 nvme-2tb")),
    POOL("PX525", "adapter", server("mds01", adapters=()), "metadata", ("mds01 is r640-lustre-powerflex-mds",)),
    POOL("PX525", "failover", asking(good_pool, failover=False), "failover", ("True, where False",)),
    POOL("PX525", "OST", below(good_pool, "pool", ost_bytes=8 * GIB), "powerflex.ost", ("scratch-OST0000", "8,589,934,592", "and 15 more")),
    POOL("PX525", "MDT", below(good_pool, "pool", mdt_bytes=8 * GIB), "powerflex.mdt", ("scratch-MDT0000", "and 1 more")),
    POOL("PX525", "interface", settings(good_pool, storage_interface="p2p2"), "powerflex.network.interface", ("p2p2, where p2p1",)),
    POOL("PX525", "LUN", part(good_pool, "volumes", is_named("ost0003"), lun=3), "", ("volume ost0003: lun 3, expected none",)),
    POOL("PX525", "reported size", part(good_pool, "volumes", is_named("ost0003"), reported_bytes=GIB), "", ("volume ost0003: reported bytes 1073741824, expected none",)),
    POOL("PX525", "switch", without(good_pool, "switches", 0), "", ("arista-7060cx-32",)),
    # --- volumes and targets --------------------------------------------------------------------------------------------
    POOL("PX506", "nowhere", part(good_pool, "volumes", is_named("ost0003"), backing="sp2"), "", ("volume ost0003 lies on sp2, which the plan lacks",)),
    POOL("PX507", "server", lambda: hosts("oss01", "OSS02"), "servers", ("2 servers are called 'oss01'",)),
    POOL("PX524", "array", part(good_pool, "volumes", is_named("ost0003"), array="sm01a1"), "", ("ost0003 is no volume for data of a pool",)),
    POOL("PX525", "MDMs", part(good_pool, "pools", 0, mdms=("oss03", "oss01", "mds01")), "", ("pool sp1: mdms oss03, oss01, mds01, expected oss01, oss03, mds01",)),
    POOL("PX525", "module", part(good_pool, "servers", 0, module="sm01"), "", ("server mds01: module sm01, expected none",)),
    POOL("PX538", "order of nodes", other_osts, "servers", ("scratch-OST0000 prefers oss02, oss01, where oss01, oss02 is due",)),
    POOL("PX575", "provider", part(good_pool, "volumes", is_named("ost0003"), provider="me4"), "", ("ost0003 is a volume of 'me4'", "lustre on powerflex")),
    POOL("PX524", "device", part(good_pool, "targets", is_named(OST0), device="/dev/scinia"), "servers", ("device /dev/scinia, where none",)),
    POOL("PX529", "one device", one_device, "metadata", (f"emc-vol-{SYSTEM}-0000000000000001 is the device of scratch-MDT0000",)),
    # --- who serves them ------------------------------------------------------------------------------------------------
    POOL("PX515", "OSS", one_more_ost, "servers", ("oss01 serves 6 OSTs and oss03 2",)),
    POOL("PX538", "no partner", served(OST0, "oss01", "oss03"), "servers", ("served by oss01, oss03, where oss01, oss02",)),
    POOL("PX538", "MMP", lambda: mmp(False), "metadata", ("scratch-MDT0000 is formatted without MMP",)),
    POOL("PX539", "MGS", served("MGS", "mds01", "mds02"), "metadata.mgt", ("both prefer mds01",)),
    POOL("PX540", "NID", server("oss01", nids=("10.10.0.3@o2ib,10.10.0.9@o2ib",)), "network.addresses", ("which is no NID",)),
    POOL("PX540", "storage", server("oss01", storage_ips=()), "powerflex.network.addresses", ("oss01 has 0 addresses",)),
    POOL("PX540", "shared", server("oss01", storage_ips=("10.30.0.4",)), "powerflex.network.addresses", ("10.30.0.4, which 2 servers have",)),
    POOL("PX540", "another's", server("oss01", storage_ips=("10.10.0.3",)), "powerflex.network.addresses", ("10.10.0.3, which is an address of another",)),
    POOL("PX541", "storage network", server("oss01", bmc="10.30.0.3"), "fencing.addresses", ("10.30.0.3, which is an address of another",)),
    # --- the pool -------------------------------------------------------------------------------------------------------
    POOL("PX553", "too large", planned(powerflex={"ost": "1336 GiB"}), "powerflex.ost", ("22,488 GiB", "has 22,351 GiB of its 64 TB", "25 % spare and each byte 2 times")),
    POOL("PX553", "metadata", planned(3, powerflex={"mdt": "10232 GiB", "ost": "8 GiB"}), "powerflex.mdt", ("has 14,",)),
    on(IN_A_POOL | {"PX560"})("PX553", "MGT", planned(3, powerflex={"mgt": "14000 GiB", "ost": "8 GiB"}), "powerflex.mgt", ("15,200 GiB",)),
    POOL("PX553", "spare", planned(powerflex={"spare": 90, "mdt": "1600 GiB", "ost": "8 GiB"}), "powerflex.spare", ("has 2,980 GiB",)),
    POOL("PX553", "three copies", on_catalog(good_pool, "powerflex.mirror_copies", value=3), "powerflex.ost", ("each byte 3 times",)),
    on(IN_A_POOL | {"PX557", "PX566"})("PX554", "the document", planned(powerflex={"spare": 10, "ost": "1600 GiB"}), "powerflex.spare", ("room for 22,351 GiB of 26,712 GiB", "10 % are spare, where one server of 4 is 25 %")),
    POOL("PX554", "for now", planned(powerflex={"spare": 20}), "powerflex.spare", ("only while the pool is not filled further: 20 %",)),
    POOL("PX555", "odd size", odd_size, "powerflex.mgt", ("mgt has 9,663,676,416 bytes", "multiple of 8 GiB")),
    POOL("PX556", "few", on_catalog(good_pool, "powerflex.sds_min", value=5), "servers", ("sp1 has 4 servers", "at least 5")),
    POOL("PX556", "MDMs", first_pool(mdms=("oss01", "oss01", "oss03")), "servers", ("the MDM cluster of sp1 is oss01, oss01, oss03, where 3 are due", "from 5 servers on three managers and two tie breakers")),
    POOL("PX556", "five members of four servers", first_pool(mdms=("oss01", "oss03", "mds01", "oss02", "oss04")), "servers", ("and 1 more, where 3 are due",)),
    POOL("PX556", "three members of five servers", part(planned(5), "pools", 0, mdms=("oss01", "oss03", "mds01")), "servers", ("oss01, oss03, mds01, where 5 are due",)),
    POOL("PX556", "a stranger", first_pool(mdms=("oss01", "oss03", "mgmt7")), "servers", ("oss01, oss03, mgmt7",)),
    POOL("PX567", "a pair", first_pool(mdms=("oss01", "oss02", "mds01")), "servers", ("oss01, oss02 manage sp1 and take over from each other",)),
    POOL("PX567", "the MDS", part(planned(8), "pools", 0, mdms=("mds01", "oss03", "mds02", "oss05", "oss07")), "servers", ("mds01, mds02 manage sp1",)),
    POOL("PX567", "a ring", part(planned(3), "pools", 0, mdms=("oss01", "oss03", "mds01")), "servers", ("oss01, oss03 manage sp1",)),
    POOL("PX566", "nothing free", planned(powerflex={"ost": "1320 GiB"}), "powerflex.ost", ("the volumes leave 119 GiB of the 22,351 GiB that sp1 has", "1 % of the pool, 298 GiB, is to stay free")),
    POOL("PX527", "devices", on_catalog(good_pool, "powerflex.pool_devices", value=31), "servers", ("32 devices in pool sp1", "31 at most", "unconfirmed")),
    POOL("PX527", "SDS", on_catalog(good_pool, "powerflex.domain_sds", value=3), "servers", ("4 servers in domain pd1", "unconfirmed")),
    POOL("PX526", "confirmed", on_catalog(good_pool, "powerflex.domain_sds", value=3, confirmed=True), "servers", ("4 servers in domain pd1", "3 at most")),
    on(IN_A_POOL | {"PX554", "PX566"})("PX557", "readings", planned(powerflex={"spare": 10, "ost": "1600 GiB"}), "powerflex.ost", ("1,600 GiB, 26,712 GiB in all", "1,496 GiB, 25,048 GiB in all", "22,351 GiB have room")),
    ALONE("PX558", "failover", planned(failover=False, fencing=None), "failover", ("its 4 OSTs",)),
    on(EVERYWHERE | {"PX558"})("PX421", "unused fencing", planned(failover=False), "fencing", ("`fencing` is used for nothing", "failover: false")),
    ALONE("PX419", "failover", good_pool, "failover", ("each OSS is an SDS too",)),
    POOL("PX417", "network of the pool", planned(powerflex={"network": None}), "", ("no `powerflex.network`",)),
    POOL("PX404", "drive", on_catalog(good_pool, "nvme-2tb", confirmed=False), "drive", ("nvme-2tb", "these servers")),
    on(IN_A_POOL | {"PX547"})("PX406", "ports", planned(32), "servers", ("34 servers need 34 ports of Arista",)),
    # --- replies --------------------------------------------------------------------------------------------------------
    POOL("PX302", "array", lambda: replace(good_pool(), observed=Observed({"sm01a1": ObservedArray()})), "", ("replies of sm01a1; the plan has no arrays",)),
    POOL("PX304", "size", lambda: resized("mdt0000", 560 * GIB), "powerflex.mdt", ("mdt0000 has 601,295,421,440 bytes", "(powerflex.volumes.txt:3)")),
    POOL("PX304", "one SDC", said("mdt0000", sdcs=1), "powerflex", ("mdt0000 is mapped to 1 SDC, planned are mds01, mds02 (powerflex.volumes.txt:3)",)),
    POOL("PX304", "unmapped", said("ost0003", sdcs=0), "powerflex", ("ost0003 is not mapped, planned are oss01, oss02",)),
    POOL("PX306", "three SDCs", said("mdt0000", sdcs=3), "powerflex", ("mdt0000 is mapped to 3 SDC, planned are mds01, mds02 (powerflex.volumes.txt:3)")),
    on(EVERYWHERE | {"PX558"})("PX304", "second SDC of a target of one server", lambda: alone(mdt0000=2), "powerflex", ("mdt0000 is mapped to 2 SDC, planned is mds01", "nothing that stops a second one")),
    POOL("PX304", "cut", lambda: told(observed(announced=20, rows=19)), "powerflex", ("lists 19 volumes, and announces 20",)),
    POOL("PX304", "pasted", lambda: told(observed(announced=19, rows=20)), "powerflex", ("lists 20 volumes, and announces 19",)),
    POOL("PX304", "no row", lambda: told(observed(announced=1, rows=0, volumes={})), "powerflex", ("lists 0 volumes, and announces 1",)),
    POOL("PX306", "pool", said("mdt0000", pool="sp2"), "powerflex", ("mdt0000 lies in pool sp2, planned is sp1 (powerflex.volumes.txt:3)",)),
    POOL("PX306", "thin", said("mgt", thin=True), "powerflex", ("mgt is thin-provisioned, planned is thick",)),
    POOL("PX306", "gone", lambda: less("ost0003"), "powerflex", ("not the planned ost0003",)),
    POOL("PX306", "strange", lambda: told(observed(volumes=everything() | {"home": ObservedPoolVolume("f" * 16, GIB)})), "powerflex", ("not planned: home",)),
)  # fmt: skip


def hosts(*names: str) -> Site:
    """The plan of a pool whose servers differ in their case alone, beside three others."""
    oss = (names[0], names[1].replace("02", "01"), "oss03", "oss04")
    words = {"hosts": oss}
    for parent, net in (("network", "10.10.0"), ("fencing", "10.20.0")):
        shipped = getattr(in_pool(), parent).model_dump(by_alias=True)
        words[parent] = shipped | {"addresses": {s: f"{net}.{n}" for n, s in enumerate(("mds01", "mds02", *oss), 1)}}
    network = {"interface": "p2p1", "addresses": {s: f"10.30.0.{n}" for n, s in enumerate(("mds01", "mds02", *oss), 1)}}
    return pool_site(in_pool(powerflex={"network": network}, **words))


def alone(**sdcs: int) -> Site:
    """The plan without failover, each volume mapped to one server, but for those that are given another number."""
    request = in_pool(failover=False, fencing=None)
    rows = {n: replace(v, sdcs=sdcs.get(n, 1)) for n, v in everything().items()}
    seen = Observed(own={"powerflex": observed(volumes=rows)})
    plan, refusals = make_plan(request, catalog(), seen)
    assert plan is not None, refusals
    return Site(request, plan, catalog(), seen)


def mmp(on_or_off: bool) -> Site:
    """The good plan, its first MDT formatted with or without MMP, and flagged alike."""
    target = next(t for t in good_pool().plan.targets if t.id == MDT0)
    assert target_of(target).ldiskfs is not None
    made = replace(target_of(target).ldiskfs, mmp=on_or_off, flags=0x1061 if on_or_off else 0x61)
    return good_pool().with_plan(targets=changed(good_pool().plan.targets, is_named(MDT0), ldiskfs=made))


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Any) -> None:
    broken.prove()


@pytest.mark.parametrize("servers", [3, 4, 5, 8])
def test_a_good_plan_has_only_notes(servers: int) -> None:
    """The largest OSTs that the arithmetic of the documents allows, a pair at a time or with a ring at the end."""
    for words in ({}, {"metadata": {"mgt": "with_mdt0"}}, {"metadata": {"dne": False}}, {"lustre_version": "2.10.8"}):
        made = pool_site(in_pool(servers, **words))
        assert set(made.codes()) == IN_A_POOL, words


@pytest.mark.parametrize("servers", [3, 4, 5, 8])
def test_one_step_more_leaves_too_little_free(servers: int) -> None:
    more = {"ost": f"{OST_GIB[servers] + 8} GiB"}
    assert set(pool_site(in_pool(servers, powerflex=more)).codes()) == IN_A_POOL | {"PX566"}


@pytest.mark.parametrize(("servers", "ost"), [(3, 1136), (4, 1320), (8, 1584)])
def test_one_step_beyond_the_pool_cannot_be_made(servers: int, ost: int) -> None:
    """Sizes that fit on paper: 1,136, 1,320 and 1,584 GiB; 8 GiB more an OST are more than there is beside the spare."""
    assert "PX566" in pool_site(in_pool(servers, powerflex={"ost": f"{ost} GiB"})).codes()
    more = {"ost": f"{ost + 8} GiB"}
    assert "PX553" in pool_site(in_pool(servers, powerflex=more)).codes()
    fewer = more | {"spare": -(-100 // servers) - 2}
    assert set(pool_site(in_pool(servers, powerflex=fewer)).codes()) == IN_A_POOL | {"PX554"}


def test_an_odd_number_ends_in_a_ring() -> None:
    """Of five, two are a pair, and the third takes the second place of the fifth, and so on."""
    made = pool_site(in_pool(5))
    order = {t.servers for t in made.plan.targets if t.kind == "ost"}
    assert order == {("oss01", "oss02"), ("oss02", "oss01"), ("oss03", "oss04"), ("oss04", "oss05"), ("oss05", "oss03")}
    ring = changed(made.plan.targets, lambda t: t.servers == ("oss05", "oss03"), servers=("oss05", "oss04"))
    assert set(made.with_plan(targets=ring).codes()) == IN_A_POOL | {"PX538"}


def test_without_failover_one_node_serves_and_the_mgs_lies_beside_the_root() -> None:
    alone = pool_site(in_pool(failover=False, fencing=None))
    assert set(alone.codes()) == EVERYWHERE | {"PX558"}
    targets = alone.plan.targets
    for label, servers, code in (
        (OST0, ("oss01", "oss02"), "PX538"),
        (MDT1, ("mds01",), "PX539"),
        ("MGS", ("mds02",), "PX539"),
    ):
        made = alone.with_plan(targets=changed(targets, is_named(label), servers=servers))
        assert set(made.codes()) == EVERYWHERE | {"PX558", code}, label


def test_a_size_that_is_not_the_documents_has_one_reading() -> None:
    most = {"PX557", "PX554", "PX566"}
    for ost, codes in (("1600 GiB", most), ("1592 GiB", {"PX554", "PX566"}), ("1496 GiB", {"PX554"})):
        made = pool_site(in_pool(powerflex={"spare": 10, "ost": ost}))
        assert set(made.codes()) - IN_A_POOL == codes


def test_the_size_with_two_readings_is_that_of_the_record() -> None:
    """Of another document, that prints another size: its volumes are noted, and those of the shipped one are not."""
    design = catalog().raw["lustre-powerflex"]
    other = {**design, "documented": {**design["documented"], "data_volume": "1.2 TB"}}
    for ost, code in (("1200 GiB", {"PX557"}), ("1600 GiB", set())):
        made = pool_site(in_pool(powerflex={"spare": 10, "ost": ost}))
        found = replace(made, catalog=Catalog({**catalog().raw, "lustre-powerflex": other})).findings()
        assert {f.code for f in found} & {"PX557"} == code
        assert not code or any("the document's 1.2 TB are taken as 1,200 GiB" in f.message for f in found)


def test_a_pool_that_was_observed_as_planned_is_fine() -> None:
    made = told(observed())
    assert set(made.codes()) == IN_A_POOL
    names = {t.id: t.device for t in made.plan.targets}
    assert names[MDT0] == f"/dev/disk/by-id/emc-vol-{SYSTEM}-0000000000000001"
    for part_of, field in (("targets", "device"), ("volumes", "wwid")):
        parts = getattr(made.plan, part_of)
        other = made.with_plan(**{part_of: changed(parts, 1, **{field: "emc-vol-0-0"})})
        assert set(other.codes()) == IN_A_POOL | {"PX524"}
    assert set(told(observed(volumes={})).codes()) == IN_A_POOL


def test_a_system_that_says_of_its_volumes_what_is_planned_is_fine() -> None:
    """Mapped to two servers, thick, in the pool; and to one server where nothing takes over."""
    rows = {n: replace(v, sdcs=2, pool="sp1", thin=False) for n, v in everything().items()}
    assert set(told(observed(volumes=rows, announced=25, rows=25)).codes()) == IN_A_POOL
    assert set(alone().codes()) == EVERYWHERE | {"PX558"}


def test_limits_of_the_pool_are_those_of_38_and_129_servers() -> None:
    """37 servers of eight drives are 296 devices, 38 are 304; 128 SDS fit a domain, 129 do not."""
    for servers, words in ((37, set()), (38, {"304 devices"}), (129, {"1,032 devices", "129 servers"})):
        found = [
            f.message for f in pool_site(in_pool(servers, powerflex={"ost": "800 GiB"})).findings() if f.code == "PX527"
        ]
        assert len(found) == len(words)
        assert all(any(word in message for message in found) for word in words)


def test_an_unconfirmed_bound_warns_and_a_confirmed_one_forbids() -> None:
    for confirmed, severity in ((False, "warning"), (True, "error")):
        records = catalog_with("powerflex.pool_devices", value=31, confirmed=confirmed)
        found = [f for f in replace(good_pool(), catalog=records).findings() if f.code in ("PX526", "PX527")]
        assert [f.severity for f in found] == [severity]
    assert catalog().raw["powerflex.pool_devices"]["confirmed"] is False
