"""Limits of Lustre, its files and its releases: each rule breaks a good plan in one place and must be found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.products.lustre.plan import lustre, target_of
from tests.lustre.check_lustre_support import (
    EVERYWHERE,
    GIB,
    IN_A_POOL,
    ON_ARRAYS,
    below,
    good_arrays,
    good_pool,
    in_pool,
    on,
    on_arrays,
    on_catalog,
    pool_site,
    settings,
)
from tests.support.changing import replace
from tests.support.check_support import Site, blind, catalog, catalog_with, site

SM = "storage_modules[0]"
ARRAY, POOL = on(ON_ARRAYS), on(IN_A_POOL)
TB = 10**12


def of_size(kind: Literal["ost", "mdt"], size: int) -> Callable[[], Site]:
    """The good pool with targets of one kind of another size, on drives large enough for any."""

    def make() -> Site:
        base, drive = good_pool(), 20_000 * TB
        sizes = base.request.pool.model_copy(update={f"{kind}_bytes": size})
        request = base.request.model_copy(update={"pool": sizes})
        records = catalog_with("nvme-2tb", capacity="20000 TB")
        plan, refusals = make_plan(request, records, Observed())
        assert plan is not None, refusals
        assert plan.pools[0].bytes == 32 * drive
        return Site(request, plan, records, Observed())

    return make


def version(text: str, release: str, base: Callable[[], Site] = good_arrays, **more: Any) -> Callable[[], Site]:
    """A good plan of another version, asked for and given, with the words of a release."""

    def make() -> Site:
        request = base().request.model_copy(update={"lustre_version": text, **more})
        filesystem = replace(lustre(base().plan), version=text, release=release, **more)
        return replace(blind(base()), request=request).with_plan(filesystem=filesystem)

    return make


def old_words(**words: Any) -> Callable[[], Site]:
    """A good plan of 2.10.8 under a catalog where that release has other words."""
    return lambda: site(on_arrays({}, lustre_version="2.10.8"), catalog_with("lustre-2.10.8", **words))


def striped(count: int, modules: int = 1, **words: Any) -> Callable[[], Site]:
    """The plan of a file system whose default layout has so many stripes."""
    filesystem = {"name": "scratch", "stripe_count": count, "stripe_size": "1 MiB"}
    return lambda: site(on_arrays({"count": modules}, filesystem=filesystem, **words))


def watched(text: str) -> Callable[[], Site]:
    return lambda: site(on_arrays({}, lustre_version=text, management="iml_monitored"))


UNKNOWN_AGENT = {
    "agent": "fence_nosuch",
    "addresses": {"mds01": "10.20.0.1", "mds02": "10.20.0.2", "oss01": "10.20.0.3", "oss02": "10.20.0.4"},
}
BREAKS = (
    ARRAY("PX530", "OSTs", on_catalog(good_arrays, "lustre.osts", value=31), f"{SM}.count", ("32 OSTs", "takes 31")),
    ARRAY("PX530", "MDTs", on_catalog(good_arrays, "lustre.mdts", value=1), "metadata.pairs", ("2 MDTs", "takes 1")),
    POOL("PX530", "OSTs of a pool", on_catalog(good_pool, "lustre.osts", value=15), "servers", ("16 OSTs", "takes 15")),
    on(IN_A_POOL | {"PX547", "PX559"})("PX534", "OST", of_size("ost", 2**50 + 8 * GIB), "powerflex.ost", ("1125.91 TB", "and 15 more", "largest OST on ldiskfs is 1024 TiB")),
    on(IN_A_POOL | {"PX547", "PX559"})("PX535", "OST", of_size("ost", 2**48), "powerflex.ost", ("281.47 TB", "and 15 more", "256 TB")),
    POOL("PX536", "MDT", of_size("mdt", 10 * 2**40 + 8 * GIB), "powerflex.mdt", ("scratch-MDT0000 has 11 TB (10.01 TiB), and 1 more",)),
    ARRAY("PX536", "drive", lambda: site(on_arrays({}, metadata={"drive": "ssd-3.84tb"})), "metadata.drive", ("18.77 TB (17.07 TiB)", "beyond 10 TiB")),
    ARRAY("PX537", "device", on_catalog(good_arrays, "lustre.device_bytes_min", value="16 GiB"), "metadata.drive", ("MGS has 8.59 GB (8 GiB), which mkfs.lustre refuses", "16 GiB")),
    on(IN_A_POOL | {"PX547"})("PX537", "gap", of_size("ost", 16 * 2**40 - 8 * GIB), "powerflex.ost", ("4,290,772,992 blocks", "refuses", "from 16 TiB on")),
    on(IN_A_POOL | {"PX560"})("PX537", "extents", of_size("mgt", 2**44), "powerflex.mgt", ("refuses 16 TiB", "extents")),
    POOL("PX560", "MGT", of_size("mgt", 128 * GIB + 8 * GIB), "powerflex.mgt", ("MGS has 146", "less than 100 MB")),
    POOL("PX537", "inodes", of_size("mdt", 10 * 2**40), "powerflex.mdt", ("4,294,967,296 inodes", "ldiskfs counts 4,294,967,295")),
    ARRAY("PX542", "OSS", on_catalog(good_arrays, "r740-lustre-me4", memory="128 GiB"), SM, ("oss01 has 128 GiB", "16 OSTs and as many of its partner's want 152 GB", "and 1")),
    ARRAY("PX542", "MDS", on_catalog(good_arrays, "lustre.mds_memory_ha", value="500 GB"), "metadata", ("mds01 has 384 GiB", "2 MDTs want 500 GB")),
    POOL("PX542", "SDS", on_catalog(good_pool, "r640-lustre-powerflex-oss", memory="48 GiB"), "servers", ("oss01 has 48 GiB", "4 OSTs", "56 GB", "and 3 more")),
    ARRAY("PX545", "stripe", on_catalog(good_arrays, "lustre.rpc_bytes", value="2560 KiB"), f"{SM}.chunk_size", ("8 data drives", "1 MiB", "2.5 MiB")),
    on(frozenset({"PX559"}))("PX546", "objects", good_arrays, "", ("1,910,157,312 files of one stripe", "3,660,429,024 inodes")),
    ARRAY("PX547", "one MDT", lambda: site(on_arrays({}, metadata={"dne": False})), "metadata", ("1,830,214,512 inodes", "1,910,157,312 files")),
    on(ON_ARRAYS | {"PX550", "PX406"})("PX548", "2.10", striped(161, lustre_version="2.10.8", modules=6), "filesystem.stripe_count", ("161 stripes", "2.10.8 takes 160")),
    ARRAY("PX548", "2.15", on_catalog(striped(8), "lustre.stripes_max", value=7), "filesystem.stripe_count", ("8 stripes", "takes 7")),
    on(ON_ARRAYS | {"PX550"})("PX549", "OSTs", striped(33), "filesystem.stripe_count", ("33 stripes", "32 OSTs")),
    on(ON_ARRAYS | {"PX550"})("PX549", "all", on_catalog(striped(-1), "lustre.stripes_max", value=20), "filesystem.stripe_count", ("all 32 OSTs", "20 stripes")),
    ARRAY("PX550", "wide", striped(17), "filesystem.stripe_count", ("17 stripes", "1,024 B", "made for 16")),
    on(EVERYWHERE)("PX559", "an object", lambda: site(on_arrays({"size": "large"})), "filesystem.stripe_count", ("of one stripe ends at 16 TiB", "an OST has 54.05 TiB")),
    on(EVERYWHERE)("PX559", "four", lambda: site(on_arrays({}, filesystem={"name": "scratch", "stripe_count": 4, "stripe_size": "1 MiB"}, metadata={"drive": "ssd-1.92tb"})), "filesystem.stripe_count", ("of 4 stripes ends at 64 TiB",)),
    ARRAY("PX551", "release", version("2.12.5", "lustre-2.15.8"), "lustre_version", ("words are those of Lustre 2.15", "2.12.5")),
    ARRAY("PX551", "agent", old_words(agent="ocf:lustre:Lustre"), "lustre_version", ("agent ocf:lustre:Lustre came with 2.11.56",)),
    ARRAY("PX551", "word", old_words(data_on_mdt=True), "lustre_version", ("Data on MDT came with 2.11",)),
    POOL("PX551", "value", on_catalog(good_pool, "lustre.brw_bytes_max.2.15", value="8 MiB"), "lustre_version", ("brw_size=16 is no number from 1 to 8;",)),
    ARRAY("PX551", "new option", old_words(lfs_mkdir={"count": "--mdt-count", "index": "--index", "hash": "--hash-type"}), "lustre_version", ("--mdt-count of lfs mkdir came with 2.11",)),
    ARRAY("PX551", "old option", on_catalog(good_arrays, "lustre-2.15.8", lfs_mkdir={"count": "--mdt-count", "index": "--index", "hash": "--mdt-hash"}), "lustre_version", ("--index of lfs mkdir is gone since 2.15",)),
    POOL("PX551", "in flight", on_catalog(good_pool, "lustre-powerflex.tuning.max_rpcs_in_flight", value="99999"), "lustre_version", ("max_rpcs_in_flight=99999 is no number from 1 to 512",)),
    POOL("PX551", "unit", on_catalog(good_pool, "lustre-powerflex.tuning.brw_size", value="16M"), "lustre_version", ("brw_size=16M is no number",)),
    ARRAY("PX552", "2.15", watched("2.15.8"), "management", ("IML is to watch Lustre 2.15.8",)),
    ARRAY("PX415", "small", lambda: site(on_arrays({"size": "small"})), f"{SM}.size", ("one array a pair of OSS",)),
    ARRAY("PX416", "2.10", watched("2.10.8"), "management", ("IML only watches",)),
    ARRAY("PX417", "network", lambda: site(on_arrays({}, network=None)), "", ("no `network`", "mkfs")),
    ARRAY("PX417", "fencing", lambda: site(on_arrays({}, fencing=None)), "", ("no `fencing`", "high availability")),
    ARRAY("PX420", "agent", lambda: site(on_arrays({}, fencing=UNKNOWN_AGENT)), "fencing.agent", ("fence_nosuch", "fence_idrac")),
    ARRAY("PX418", "2.12", lambda: site(on_arrays({}, lustre_version="2.12.9")), "lustre_version", ("of Lustre 2.10.8", "2.12.9")),
    ARRAY("PX404", "drive", lambda: site(on_arrays({"data_drive": "nl-sas-10tb"})), f"{SM}.data_drive", ("10 TB", "these arrays")),
    ARRAY("PX406", "ports", lambda: site(on_arrays({"count": 4}, metadata={"pairs": 3})), "storage_modules", ("14 servers and 19 arrays need 66 ports",)),
    ARRAY("PX516", "limit", on_catalog(good_arrays, "me4.volume_bytes", value="48 TiB"), f"{SM}.data_drive", ("and 31 more", "48 TiB")),
)  # fmt: skip


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Any) -> None:
    broken.prove()


def test_a_document_of_its_own_size_is_not_doubted() -> None:
    """1 TB more than the usual size warns, a byte more than the largest is an error alone; each at its own bound."""
    for size, codes in ((256 * TB // (8 * GIB) * 8 * GIB, set()), (2**50, {"PX535"}), (2**50 + 8 * GIB, {"PX534"})):
        found = set(of_size("ost", size)().codes())
        assert found - {"PX546", "PX547", "PX559", "PX419"} == codes, size
    for size, codes in ((10 * 2**40 - 8 * GIB, set()), (10 * 2**40, {"PX537"}), (10 * 2**40 + 8 * GIB, {"PX536"})):
        assert set(of_size("mdt", size)().codes()) - {"PX546", "PX419"} == codes, size


@pytest.mark.parametrize("size", [2**44 - 8 * GIB, 2**44, 2**44 + 8 * GIB])
def test_a_target_whose_blocks_are_cut_to_32_bits_is_worked_out_alike_twice(size: int) -> None:
    """At 16 TiB mkfs.lustre hands a block less to mke2fs, which then takes the ratio of a smaller device."""
    assert "PX543" not in of_size("mgt", size)().codes()


def test_an_mgt_spans_no_group() -> None:
    """It has a size of its own; the MDT beside it is the one that is to span the group."""
    made = replace(site(on_arrays({})), catalog=catalog_with("me4.volume_bytes", value="4 TiB"))
    (finding,) = (f for f in made.findings() if f.code == "PX516" and f.where == "metadata.drive")
    assert finding.message.startswith("mm01a1_meta01 ")


def test_another_reserve_of_mke2fs_is_planned_and_judged_alike() -> None:
    """A server's mke2fs.conf may say so: 1 % of each target, whatever the shipped release keeps."""
    own = catalog().raw["lustre-2.15.8"]["mke2fs"] | {"reserved_percent": 1}
    made = site(on_arrays({}), catalog_with("lustre-2.15.8", mke2fs=own))
    assert set(made.codes()) == ON_ARRAYS
    assert all(
        target_of(t).ldiskfs.reserved_blocks == target_of(t).ldiskfs.blocks // 100
        for t in made.plan.targets
        if target_of(t).ldiskfs
    )


def test_255_large_modules_are_refused_and_254_with_a_medium_fit() -> None:
    """254 x 32 + 16 = 8,144 OSTs of 8,150; 255 x 32 = 8,160 (Lustre Operations Manual, File and File System Limits)."""
    for modules, osts, codes in (
        (({"count": 254}, {"size": "medium"}), 8_144, set()),
        (({"count": 255},), 8_160, {"PX530"}),
    ):
        plan, refusals = make_plan(on_arrays(*modules, network=None, fencing=None), catalog(), Observed())
        assert {f.code for f in refusals} == codes
        assert (plan is None) == bool(codes)
        if plan is not None:
            assert sum(t.kind == "ost" for t in plan.targets) == osts
            assert not {
                f.code
                for f in Site(on_arrays(*modules, network=None, fencing=None), plan, catalog(), Observed()).findings()
                if f.severity == "error"
            }
        else:
            assert "8,160 OSTs; Lustre takes 8,150" in refusals[0].message


def test_256_mdts_fit_and_258_are_refused() -> None:
    for pairs, codes in ((128, set()), (129, {"PX530"})):
        _, refusals = make_plan(
            on_arrays({}, metadata={"pairs": pairs}, network=None, fencing=None), catalog(), Observed()
        )
        assert {(f.code, f.where) for f in refusals} == {(code, "metadata.pairs") for code in codes}


def test_memory_without_failover_is_that_of_the_own_osts_alone() -> None:
    """24 GB and 4 GB for each of four OSTs are 40 GB, and 56 GB where as many may come (Lustre Operations Manual)."""
    for failover, due in ((True, 56), (False, 40)):
        words = {"failover": failover, "fencing": None}
        small = pool_site(in_pool(**words))
        found = replace(small, catalog=catalog_with("r640-lustre-powerflex-oss", memory="32 GiB")).findings()
        assert f"want {due} GB" in next(f.message for f in found if f.code == "PX542")


def test_stripes_and_inodes() -> None:
    """An inode of 1,024 B is made for 16 stripes, one of 2,048 B for 59 (mkfs.lustre, --stripe-count-hint)."""
    large = catalog().raw["lustre-2.15.8"]["mdt"] | {
        "inode": "2 KiB",
        "bytes_per_inode": [{"above": "0 B", "bytes": "4 KiB"}],
    }
    records = catalog_with("lustre-2.15.8", mdt=large)
    filesystem = {"name": "scratch", "stripe_count": -1, "stripe_size": "1 MiB"}
    for modules, base, wide in (({}, catalog(), True), ({}, records, False), ({"count": 2}, records, True)):
        made = site(on_arrays(modules, filesystem=filesystem), base)
        assert ("PX550" in made.codes()) == wide


def test_files_of_the_documents_end_with_what_they_say() -> None:
    """16 OSTs of 1600 GiB have 104,857,600 objects: fewer than the 113,246,208 files that the document reports."""
    found = {f.code: f for f in pool_site(in_pool(powerflex={"spare": 10, "ost": "1600 GiB"})).findings()}
    assert found["PX546"].message.startswith("104,857,600 files of one stripe use up the objects of the OSTs")
    assert "463,077,376 inodes" in found["PX546"].message
    half = {f.code: f for f in below(good_pool, "filesystem", stripe_count=2)().findings()}
    assert "PX525" in half


def test_mdts_add_up_where_directories_are_spread() -> None:
    """Two MDTs hold more than the OSTs, one alone less: before 2.14.54 the note says at what number one ends."""
    alone = "one MDT alone, where directories are not spread, ends at 1,830,214,512"
    old = site(on_arrays({}, lustre_version="2.12.9"))
    assert alone in {f.code: f.message for f in old.findings()}["PX546"]
    assert "one MDT alone" not in {f.code: f.message for f in good_arrays().findings()}["PX546"]
    assert "one MDT alone" not in {f.code: f.message for f in good_pool().findings()}["PX546"]


@pytest.mark.parametrize(
    ("text", "management", "codes"),
    [
        ("2.10.4", "iml_monitored", {"PX416", "PX418"}),
        ("2.10.8", "none", set()),
        ("2.12.0", "iml_monitored", {"PX552", "PX418"}),
        ("2.15.8", "none", set()),
        ("2.15.0", "none", {"PX418"}),
    ],
)
def test_releases_and_their_manager(text: str, management: str, codes: set[str]) -> None:
    made = site(on_arrays({}, lustre_version=text, management=management))
    assert set(made.codes()) == codes | ON_ARRAYS


def test_a_setting_of_the_release_is_judged_by_its_own_bound_or_the_smallest_known() -> None:
    """16 MiB an RPC is the most of 2.10; for 2.12 no bound was read, and that of 2.15 is its own."""
    for text, bound, codes in (
        ("2.10.8", "lustre.brw_bytes_max.2.10", {"PX551"}),
        ("2.12.9", "lustre.brw_bytes_max.2.10", {"PX551"}),
        ("2.15.8", "lustre.brw_bytes_max.2.10", set()),
    ):
        made = pool_site(in_pool(lustre_version=text))
        found = set(replace(made, catalog=catalog_with(bound, value="15 MiB")).codes())
        assert found & {"PX551"} == codes


def test_the_largest_rpc_and_every_legal_chunk_go_together() -> None:
    for chunk in ("64 KiB", "128 KiB", "256 KiB", "512 KiB"):
        assert set(site(on_arrays({"chunk_size": chunk})).codes()) == ON_ARRAYS


def test_the_settings_of_a_broken_plan_are_compared_with_the_request() -> None:
    for word, value in (
        ("failover", False),
        ("dne", False),
        ("mgt_own", False),
        ("stripe_bytes", 1),
        ("management", "iml_monitored"),
    ):
        assert "PX525" in settings(good_arrays, **{word: value})().codes()


def test_sizes_of_a_pool_are_named_by_its_own_words() -> None:
    """There are no smaller drives to take, and no more pairs: the request says how large a target is."""
    for kind, size, code in (("mdt", 11 * 2**40, "PX536"), ("ost", 2**50 + 8 * GIB, "PX534"), ("ost", 2**50, "PX535")):
        (finding,) = (f for f in of_size(kind, size)().findings() if f.code == code)
        assert finding.hint == f"a smaller `powerflex.{kind}`"
