"""Both sides of the bounds of Lustre's rules: what a bound allows is not named, and the next step beyond it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.products.lustre.plan import lustre, target_of
from tests.lustre.check_lustre_support import (
    formatted,
    good_arrays,
    good_pool,
    in_pool,
    is_named,
    is_target,
    on_arrays,
    on_catalog,
    part,
    pool_site,
    without,
)
from tests.support.changing import replace
from tests.support.check_support import Site, blind, catalog, catalog_with, changed, site

MDT0, OST0 = "scratch-MDT0000", "scratch-OST0000"
Make = Callable[[], Site]


def told(made: Site, code: str) -> str:
    """What the findings of a code say; nothing where there is none."""
    return "; ".join(f.message for f in made.findings() if f.code == code)


def striped(count: int, **words: Any) -> Make:
    """The plan of one module, 32 OSTs, whose default layout has so many stripes."""
    filesystem = {"name": "scratch", "stripe_count": count, "stripe_size": "1 MiB"}
    return lambda: site(on_arrays({}, filesystem=filesystem, **words))


def named(name: str) -> Make:
    """The plan of a file system of another name."""
    return lambda: site(on_arrays({}, filesystem={"name": name, "stripe_count": 1, "stripe_size": "1 MiB"}))


def one_mdt(limit: str, value: str) -> Make:
    """The good pool with one MDT, which either MDS may serve, under a catalog with another number."""
    return on_catalog(lambda: pool_site(in_pool(metadata={"dne": False})), limit, value=value)


def osts_served(*labels: str) -> Make:
    """The good pool of four OSTs a server, where the first OSS serves those of others too."""

    def make() -> Site:
        targets = good_pool().plan.targets
        for label in labels:
            targets = changed(targets, is_named(label), servers=("oss01", "oss02"))
        return good_pool().with_plan(targets=targets)

    return make


def inodes(share: float) -> Make:
    """The good plan, its first MDT with that share of the inodes that its bytes come to, one for each 2,560 bytes."""
    size = next(v.bytes for v in good_arrays().plan.volumes if v.id == "mm01a1_meta01")
    made = next(target_of(t).ldiskfs for t in good_arrays().plan.targets if t.id == MDT0)
    assert made is not None
    count = int(size // 2560 * share) // 8 * 8
    more = (count - made.inodes) * made.inode_bytes // 4096
    room = {"overhead_blocks": made.overhead_blocks + more, "user_bytes": made.user_bytes - more * 4096}
    return formatted(good_arrays, is_target(MDT0), inodes=count, **room)


def journal(more: int) -> Make:
    """The good plan, the journal of its first OST so many blocks larger."""
    made = next(target_of(t).ldiskfs for t in good_arrays().plan.targets if t.id == OST0)
    assert made is not None
    return formatted(good_arrays, is_target(OST0), journal_blocks=made.journal_blocks + more)


def objects_for(inodes_more: int) -> Make:
    """The good plan, where the MDTs have so many inodes more than the OSTs have objects."""

    def make() -> Site:
        targets = good_arrays().plan.targets
        objects = sum(target_of(t).ldiskfs.inodes for t in targets if t.kind == "ost" and target_of(t).ldiskfs)
        first, second = (t for t in targets if t.kind == "mdt")
        assert target_of(first).ldiskfs is not None
        assert target_of(second).ldiskfs is not None
        own = replace(target_of(first).ldiskfs, inodes=objects + inodes_more - target_of(second).ldiskfs.inodes)
        return blind(good_arrays()).with_plan(targets=changed(targets, is_named(MDT0), ldiskfs=own))

    return make


def pool_bytes(net: int, spare: int) -> Make:
    """The good pool with so many bytes that so much fits beside the spare share, every byte twice."""
    return part(good_pool, "pools", 0, bytes=-(-net * 200 // (100 - spare)), spare_percent=spare)


def free(net: int, parts: int) -> Make:
    """The good pool with 24 % spare, where a part of the pool is left free by the volumes, every byte twice."""
    size = -(-2 * net * 100 * parts // (76 * parts - 100))
    return part(good_pool, "pools", 0, bytes=size, spare_percent=24)


def rebuilt(left: int, spare: int) -> Make:
    """The good pool with so many bytes that so much fits when one server of four is lost, every byte twice."""
    return part(good_pool, "pools", 0, bytes=-(-left * 8 // 3), spare_percent=spare)


def spare_of(servers: int, share: int) -> Make:
    return lambda: pool_site(in_pool(servers, powerflex={"spare": share, "ost": "800 GiB"}))


def of_blocks(blocks: int) -> Make:
    """The good pool with OSTs of so many blocks of 4 KiB, on drives large enough."""

    def make() -> Site:
        base = good_pool()
        sizes = base.request.pool.model_copy(update={"ost_bytes": blocks * 4096})
        request = base.request.model_copy(update={"pool": sizes})
        records = catalog_with("nvme-2tb", capacity="20000 TB")
        plan, refusals = make_plan(request, records, Observed())
        assert plan is not None, refusals
        return Site(request, plan, records, Observed())

    return make


def of_release(text: str, **words: Any) -> Make:
    """The good plan of a version that the words of 2.12 speak for, whatever its number, though others be its words."""

    def make() -> Site:
        base = blind(good_arrays())
        own = {**catalog().raw["lustre-2.12.9"], "first": "2.11.0", "last": "2.12.9", **words}
        filesystem = replace(lustre(base.plan), version=text, release="lustre-2.12.9")
        request = base.request.model_copy(update={"lustre_version": text})
        made = replace(base, request=request, catalog=catalog_with("lustre-2.12.9", **own))
        return made.with_plan(filesystem=filesystem)

    return make


NET = sum(v.bytes for v in good_pool().plan.volumes)
OST_SPACE = max(
    target_of(t).ldiskfs.user_bytes for t in good_arrays().plan.targets if t.kind == "ost" and target_of(t).ldiskfs
)
LARGE_DIR = {"mdt": {**catalog().raw["lustre-2.12.9"]["mdt"], "features": ["dirdata", "large_dir"]}}

BOUNDS: tuple[tuple[str, str, Make, Make, str], ...] = (
    # a code, what it is about, what is allowed, what is named, and words of what is said of that
    # --- how many, how large ----------------------------------------------------------------------------------------
    ("PX530", "OSTs", on_catalog(good_arrays, "lustre.osts", value=32), on_catalog(good_arrays, "lustre.osts", value=31), "32 OSTs"),
    ("PX530", "MDTs", on_catalog(good_arrays, "lustre.mdts", value=2), on_catalog(good_arrays, "lustre.mdts", value=1), "2 MDTs"),
    ("PX531", "name", named("scratchs"), named("scratches"), "'scratches' has 9 characters"),
    ("PX537", "room to grow, from", of_blocks(4_290_772_991), of_blocks(4_290_772_992), "room to grow to 4,290,772,992 blocks"),
    ("PX537", "room to grow, to", of_blocks(2**32), of_blocks(2**32 - 1), "room to grow to 4,290,772,992 blocks"),
    ("PX542", "one MDT", one_mdt("lustre.mds_memory_ha", "9 TB"), one_mdt("lustre.mds_memory", "9 TB"), "9 TB"),
    ("PX542", "memory", on_catalog(good_pool, "r640-lustre-powerflex-oss", memory="56 GB"), on_catalog(good_pool, "r640-lustre-powerflex-oss", memory="55999999999 B"), "4 OSTs"),
    # --- targets and who serves them --------------------------------------------------------------------------------
    ("PX532", "an MDT for data", good_arrays, part(good_arrays, "targets", is_named(MDT0), purpose="data"), f"{MDT0} is to hold data"),
    ("PX532", "an OST for metadata", good_arrays, part(good_arrays, "targets", is_named(OST0), purpose="metadata"), f"{OST0} is to hold metadata"),
    ("PX538", "a node twice", part(good_arrays, "targets", is_named(OST0), servers=("oss02", "oss01")), part(good_arrays, "targets", is_named(OST0), servers=("oss01", "oss02", "oss01")), "is served by oss01, oss02, oss01"),
    ("PX515", "of four OSTs each", without(good_pool, "targets", -1), osts_served("scratch-OST0008"), "oss01 serves 5 OSTs and oss03 3"),
    # --- formats ----------------------------------------------------------------------------------------------------
    ("PX543", "fewer inodes", inodes(0.992), inodes(0.98), "where about"),
    ("PX543", "more inodes", inodes(1.008), inodes(1.02), "where about"),
    ("PX543", "a larger journal", journal(256), journal(257), "has a journal of"),
    ("PX543", "a smaller journal", journal(-256), journal(-257), "has a journal of"),
    ("PX544", "options of 29 characters", on_catalog(good_arrays, "lustre.mkfsoptions_chars", value=30), on_catalog(good_arrays, "lustre.mkfsoptions_chars", value=29), f"{OST0} has options of 29 characters"),
    # --- files ------------------------------------------------------------------------------------------------------
    ("PX546", "as many inodes as objects", objects_for(-1), objects_for(0), "use up the objects"),
    ("PX547", "as many inodes as objects", objects_for(0), objects_for(-1), "run out of inodes before space"),
    ("PX548", "2.10", striped(160, lustre_version="2.10.8"), striped(161, lustre_version="2.10.8"), "2.10.8 takes 160"),
    ("PX548", "2.15", striped(2000), striped(2001), "2.15.8 takes 2,000"),
    ("PX549", "as many as OSTs", striped(32), striped(33), "33 stripes a file, where there are 32 OSTs"),
    ("PX549", "as many as the release takes", striped(2001), striped(2000), "2,000 stripes a file"),
    ("PX549", "all OSTs", on_catalog(striped(-1), "lustre.stripes_max", value=32), on_catalog(striped(-1), "lustre.stripes_max", value=31), "all 32 OSTs"),
    ("PX550", "a small inode", striped(16), striped(17), "17 stripes does not fit"),
    ("PX559", "an OST's space", on_catalog(good_arrays, "lustre.object_bytes_max", value=f"{OST_SPACE} B"), on_catalog(good_arrays, "lustre.object_bytes_max", value=f"{OST_SPACE - 1} B"), "of one stripe ends at"),
    # --- the release ------------------------------------------------------------------------------------------------
    (
        "PX551",
        "agent",
        of_release("2.11.56", health_agents=[]),
        of_release("2.11.55", health_agents=[]),
        "agent ocf:lustre:Lustre came with 2.11.56",
    ),
    (
        "PX551",
        "health agent",
        of_release("2.12.0"),
        of_release("2.11.99"),
        "agent ocf:lustre:healthLNET came with 2.12.0",
    ),
    ("PX551", "large_dir", of_release("2.14.0", last="2.14.0", **LARGE_DIR), of_release("2.13.9", last="2.14.0", **LARGE_DIR), "large_dir in the format of an MDT came with 2.14.0"),
    # --- a pool -----------------------------------------------------------------------------------------------------
    ("PX526", "servers", on_catalog(good_pool, "powerflex.domain_sds", value=4, confirmed=True), on_catalog(good_pool, "powerflex.domain_sds", value=3, confirmed=True), "4 servers"),
    ("PX527", "devices", on_catalog(good_pool, "powerflex.pool_devices", value=32), on_catalog(good_pool, "powerflex.pool_devices", value=31), "32 devices"),
    ("PX527", "servers", on_catalog(good_pool, "powerflex.domain_sds", value=4), on_catalog(good_pool, "powerflex.domain_sds", value=3), "4 servers"),
    ("PX553", "as much as fits", pool_bytes(NET, 25), pool_bytes(NET - 1, 25), "21,976 GiB"),
    ("PX566", "a hundredth", free(NET, 100), free(NET, 101), "the volumes leave 290 GiB"),
    ("PX554", "as much as is left", rebuilt(NET, 25), rebuilt(NET - 1, 20), "cannot be rebuilt: the others have room"),
    *(
        ("PX554", f"one of {servers}", spare_of(servers, due), spare_of(servers, due - 1), f"one server of {servers} is {due} %")
        for servers, due in ((3, 34), (4, 25), (6, 17), (7, 15), (8, 13))
    ),
)  # fmt: skip


@pytest.mark.parametrize(("code", "what", "allowed", "beyond", "words"), BOUNDS, ids=[f"{b[0]} {b[1]}" for b in BOUNDS])
def test_a_bound_allows_what_lies_on_it_and_names_what_lies_beyond(
    code: str, what: str, allowed: Make, beyond: Make, words: str
) -> None:
    assert told(allowed(), code) == "", what
    assert words in told(beyond(), code)
