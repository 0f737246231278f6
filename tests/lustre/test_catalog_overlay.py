"""Bounds of Lustre and PowerFlex in a folder of one's own: through the command line, each is seen to have its effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.load import load_catalog
from pixsize.product import PRODUCTS
from pixsize.resources import folder
from tests.catalog.test_overlay_effects import EFFECTS as OTHERS
from tests.catalog.test_overlay_effects import Effect, Words, codes, message, planned, replacing
from tests.support.cli_support import run


def on_arrays(**words: Any) -> Words:
    """A request for Lustre on arrays, with what a plan needs and no more."""
    base: Words = {
        "name": "site",
        "design": "lustre-me4",
        "lustre_version": "2.15.8",
        "storage_modules": [{"size": "large", "data_drive": "8 TB"}],
        "filesystem": {"name": "scratch"},
    }
    return base | words


def in_pool(**words: Any) -> Words:
    """The same in a pool of four servers."""
    base: Words = {
        "name": "site",
        "design": "lustre-powerflex",
        "lustre_version": "2.15.8",
        "servers": 4,
        "drive": "2 TB",
        "filesystem": {"name": "scratch"},
    }
    return base | words


def striped(version: str) -> Words:
    """A request whose files have eight stripes."""
    return on_arrays(lustre_version=version, filesystem={"name": "scratch", "stripe_count": 8})


def large_inodes() -> Words:
    """The record of 2.15.8 with MDT inodes of 2 KiB, as mkfs.lustre makes them for wide layouts."""
    mdt = load_catalog()[0].raw["lustre-2.15.8"]["mdt"]
    return replacing(
        "lustre-2.15.8", mdt=mdt | {"inode": "2 KiB", "bytes_per_inode": [{"above": "0 B", "bytes": "4 KiB"}]}
    )


ARRAYS, POOL, OLD = on_arrays(), in_pool(), "2.10.8"

EFFECTS = (
    Effect("lustre.fsname_chars", 6, "PX107", request=ARRAYS),
    Effect("lustre.osts", 31, "PX530", request=ARRAYS),
    Effect("lustre.mdts", 1, "PX530", request=ARRAYS),
    Effect("lustre.index_max", 30, "PX532", request=ARRAYS),
    Effect("lustre.ost_bytes_warn", "60 TB", "PX535", request=ARRAYS),
    Effect("lustre.ost_bytes_max", "60 TB", "PX534", request=ARRAYS),
    Effect("lustre.mdt_bytes_max", "4 TiB", "PX536", request=ARRAYS),
    Effect("lustre.device_bytes_min", "16 GiB", "PX537", request=ARRAYS),
    Effect("lustre.object_bytes_max", "1 TiB", "PX559", request=POOL),
    Effect("lustre.stripe_size_min", "2 MiB", "PX119", request=ARRAYS),
    Effect("lustre.stripe_size_max", "512 KiB", "PX119", request=ARRAYS),
    Effect("lustre.stripes_max", 7, "PX548", request=striped("2.15.8")),
    Effect("lustre.stripes_max_no_ea", 7, "PX548", request=striped(OLD)),
    Effect("lustre.stripes_in_small_inode", 7, "PX550", request=striped("2.15.8")),
    Effect("lustre.stripes_in_large_inode", 7, "PX550", request=striped("2.15.8"), beside=large_inodes()),
    Effect("lustre.mkfsoptions_chars", 20, "PX544", request=ARRAYS),
    Effect("lustre.rpc_bytes", "2560 KiB", "PX545", request=ARRAYS),
    Effect("lustre.brw_bytes_max.2.10", "8 MiB", "PX551", request=in_pool(lustre_version=OLD)),
    Effect("lustre.brw_bytes_max.2.15", "8 MiB", "PX551", request=POOL),
    Effect("lustre.rpcs_in_flight_max", 8, "PX551", request=POOL),
    Effect("lustre.mgt_bytes_warn", "1 GiB", "PX560", request=ARRAYS),
    Effect("lustre.oss_memory_base", "400 GB", "PX542", request=ARRAYS),
    Effect("lustre.oss_memory_per_ost", "100 GB", "PX542", request=in_pool(failover=False)),
    Effect("lustre.oss_memory_per_ost_failover", "30 GB", "PX542", request=ARRAYS),
    Effect("lustre.mds_memory", "500 GB", "PX542", request=on_arrays(metadata={"dne": False})),
    Effect("lustre.mds_memory_ha", "500 GB", "PX542", request=ARRAYS),
    Effect("lustre.mgt_volume", "16 GiB", part="volumes", request=ARRAYS),
    Effect("powerflex.volume_step", "16 GiB", "PX117", request=POOL),
    Effect("powerflex.sds_min", 5, "PX556", request=POOL),
    Effect("powerflex.five_mdms", 4, part="pools", request=POOL),
    Effect("powerflex.pool_devices", 31, "PX527", request=POOL),
    Effect("powerflex.domain_sds", 3, "PX527", request=POOL),
)


def test_every_shipped_bound_is_read_by_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that no example asks for, and that no test of an effect replaces, would be one that nobody reads."""
    read: set[str] = set()
    record = Catalog.record
    monkeypatch.setattr(Catalog, "record", lambda self, name: read.add(self.id_of(name)) or record(self, name))
    for path in folder("examples").glob("*.yaml"):
        assert run("render", "all", "--config", str(path), "-o", str(tmp_path / path.stem)).exit_code == 0
    shipped = load_catalog()[0]
    tested = read | {e.record for e in (*OTHERS, *EFFECTS)}
    assert set(map(of_any_family, (*shipped.ids("limit"), *shipped.ids("choice")))) <= set(map(of_any_family, tested))


def of_any_family(bound: str) -> str:
    """The id without the name of a family of arrays: all of them are read by the same code."""
    family, _, rest = bound.partition(".")
    return rest if family in PRODUCTS and PRODUCTS[family].gives == "arrays" else bound


@pytest.mark.long
@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: e.record)
def test_a_bound_that_is_replaced_has_its_effect(tmp_path: Path, effect: Effect) -> None:
    words, beside = effect.request or ARRAYS, [effect.beside] if effect.beside else []
    before = planned(tmp_path, words, replacing(effect.record), *beside)
    assert "targets" in before, before["findings"]
    after = planned(tmp_path, words, replacing(effect.record, value=effect.value), *beside)
    if effect.code:
        assert codes(after) - codes(before) == {effect.code}
    else:
        assert after[effect.part] != before[effect.part]


@pytest.mark.parametrize("bound", ["powerflex.mirror_copies"])
def test_a_bound_that_has_one_value_takes_no_other(tmp_path: Path, bound: str) -> None:
    value = load_catalog()[0].get(Limit, bound).value
    assert "targets" in planned(tmp_path, POOL, replacing(bound, value=value))
    for other in (value - 1, value + 1, value + 3):
        refused = planned(tmp_path, POOL, replacing(bound, value=other))
        assert codes(refused) == {"PX203"}
        assert f"pixsize knows {value} alone" in message(refused, "PX203")


def test_the_mtu_of_the_pool_is_the_catalogs(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(
        yaml.safe_dump(POOL | {"powerflex": {"network": {"interface": "p2p1", "subnet": "10.30.0.0/24"}}})
    )
    mine = tmp_path / "mine"
    mine.mkdir()
    options = ("--config", str(tmp_path / "r.yaml"), "--catalog", str(mine))
    for mtu in (9000, 8900):
        (mine / "mtu.yaml").write_text(yaml.safe_dump(replacing("powerflex.mtu", value=mtu)))
        out = tmp_path / str(mtu)
        run("render", "tuning", *options, "-o", str(out))
        files = [p.read_text() for p in out.rglob("*") if p.is_file()]
        assert any(str(mtu) in text for text in files)
        assert not any("9000" in text for text in files) or mtu == 9000


def test_the_ports_of_lnet_and_pacemaker_are_the_catalogs(tmp_path: Path) -> None:
    """Every page that names a port names that of the record, and no shipped one stands beside it."""
    network = {"lnet": "tcp", "interface": "em1", "subnet": "10.10.0.0/24"}
    words = on_arrays(network=network, fencing={"agent": "fence_idrac", "subnet": "10.20.0.0/24"})
    (tmp_path / "r.yaml").write_text(yaml.safe_dump(words))
    mine = tmp_path / "mine"
    mine.mkdir()
    records = (
        replacing("pacemaker.ports", tcp={"pcsd": [12224]}, udp={"corosync": [15405, 15407]}),
        replacing("lnet.ports", tcp={"LNet": [1988]}, source_tcp=[]),
    )
    for record in records:
        (mine / f"{record['id']}.yaml").write_text(yaml.safe_dump(record))
    pages: dict[str, dict[str, str]] = {}
    for name, options in (("shipped", ()), ("mine", ("--catalog", str(mine)))):
        out = tmp_path / f"out-{name}"
        run("render", "all", "--config", str(tmp_path / "r.yaml"), *options, "-o", str(out))
        pages[name] = {str(f.relative_to(out)): " ".join(f.read_text().split()) for f in out.rglob("*.md")}
    said = {
        "ha/mm01/README.md": ("UDP 5404 to 5412 (corosync; on all its links) and TCP 2224 (pcsd).",
                              "UDP 15405, 15407 (corosync; on all its links) and TCP 12224 (pcsd)."),
        "lnet/README.md": ("uses TCP 988, from source ports 1021 to 1023, in both directions", "uses TCP 1988, in both directions"),
        "mount/README.md": ("all servers and clients, from source ports 1021 to 1023: `firewall-cmd --permanent --add-port=988/tcp`",
                            "all servers and clients: `firewall-cmd --permanent --add-port=1988/tcp`"),
        "RUNBOOK.md": ("TCP 988, in both directions, for LNet; UDP 5404 to 5412 and TCP 2224 between servers that take over from each other, for Pacemaker",
                       "TCP 1988, in both directions, for LNet; UDP 15405, 15407 and TCP 12224 between servers that take over from each other, for Pacemaker"),
    }  # fmt: skip
    for page, (shipped, replaced) in said.items():
        assert shipped in pages["shipped"][page], page
        assert replaced in pages["mine"][page], page
        assert shipped not in pages["mine"][page], page


# --- layouts -----------------------------------------------------------------------------------------------------------

DNE, SINGLE, STORAGE = "lustre-me4.me4024.dne", "lustre-me4.me4024.single", "lustre-me4.me4084"
TWO = "needed are two groups of metadata, r10, and no others"
ONE = "needed is one group of metadata, r10, and no other"
OSTS = "needed are groups of data, and no others"


def group(*slots: str, purpose: str = "metadata", level: str = "r10") -> Words:
    return {"purpose": purpose, "level": level, "slots": list(slots)}


def laid(layout: str, *groups: Words, **words: Any) -> Words:
    """The shipped layout with other groups, and words; those that are None are left out."""
    replaced = replacing(layout, groups=list(groups), **words)
    return {word: value for word, value in replaced.items() if value is not None}


@pytest.mark.parametrize(
    ("layout", "needed"),
    [
        (laid(DNE, group("0-5", "6-11", "12-17"), spares="18-23"), TWO),
        (laid(DNE, group("0-9"), spares="10-23"), TWO),
        (laid(DNE, group("0-9"), group("10-19", purpose="data")), TWO),
        (laid(DNE, group("0-9", "10-19"), group("20,21", purpose="data", level="r1"), spares="22-23"), TWO),
        (laid(DNE, group("0-9", "10-19", level="r5")), TWO),
        (laid(DNE, group("0-9", "10-19"), id="ours") | {"groups": [group("0-9")]}, TWO),
        (laid(SINGLE, group("0-9", "10-19"), spares="20-23", empty=None), ONE),
        (laid(SINGLE, group("0-9", purpose="data")), ONE),
        (laid(STORAGE, group("0-9", "10-19", level="r6", purpose="data"), group("70-79")), OSTS),
        (laid(STORAGE), OSTS),
    ],
    ids=range(10),
)
def test_a_layout_of_lustre_has_the_targets_of_its_variant(tmp_path: Path, layout: Words, needed: str) -> None:
    """Whatever else it had would be a target that nobody planned, or one too few, whichever variant is asked for."""
    refused = [planned(tmp_path, on_arrays(metadata={"dne": dne}), layout) for dne in (True, False)]
    for plan in refused:
        assert [(f["code"], f["line"]) for f in plan["findings"]] == [("PX203", line_of(layout, "groups"))]
        assert message(plan, "PX203").endswith(needed)


def line_of(record: Words, word: str) -> int:
    """The line of a word in the record's file."""
    return next(
        n
        for n, line in enumerate(yaml.safe_dump(record, sort_keys=False).splitlines(), 1)
        if line.startswith(f"{word}:")
    )


def test_a_layout_may_place_the_targets_of_its_variant_elsewhere(tmp_path: Path) -> None:
    layout = laid(DNE, group("0-7"), group("8-15"), spares="16-23")
    plan = planned(tmp_path, ARRAYS, layout)
    assert sum(t["kind"] == "mdt" for t in plan["targets"]) == 2


def test_a_design_names_the_layout_of_each_variant(tmp_path: Path) -> None:
    """A shipped layout in the place of another is the design's mistake."""
    metadata = load_catalog()[0].raw["lustre-me4"]["metadata"] | {"layouts": {"dne": SINGLE, "single": SINGLE}}
    refused = planned(tmp_path, ARRAYS, replacing("lustre-me4", metadata=metadata))
    assert codes(refused) == {"PX203"}
    assert f"lustre-me4 uses {SINGLE} for metadata, variant dne: {TWO}" in message(refused, "PX203")


@pytest.mark.parametrize("dne", [True, False])
def test_a_design_has_a_layout_for_each_variant(tmp_path: Path, dne: bool) -> None:
    """Whichever the request asks for: the next one may ask for the other."""
    metadata = load_catalog()[0].raw["lustre-me4"]["metadata"] | {"layouts": {"dne": DNE}}
    refused = planned(tmp_path, on_arrays(metadata={"dne": dne}), replacing("lustre-me4", metadata=metadata))
    assert codes(refused) == {"PX203"}
    assert "single is missing: lustre has the variants dne, single" in message(refused, "PX203")


def test_layouts_of_pixstor_mix_data_and_metadata(tmp_path: Path) -> None:
    shipped = load_catalog()[0].raw["pixstor-6.me4084.standard"]
    assert {g["purpose"] for g in shipped["groups"]} == {"data", "metadata"}
    words = {"name": "s", "design": "pixstor-6", "filesystem": {"name": "mmfs1"}}
    words["storage_modules"] = [{"size": "large", "data_drive": "12 TB"}]
    assert "targets" in planned(tmp_path, words, replacing("pixstor-6.me4084.standard"))


# --- what a doubt takes away -------------------------------------------------------------------------------------------

SURPLUS, DOUBTED = "lustre.mdtest_surplus", "lustre-me4.large.1mdt.metadata.empty.create.peak"


def share(**words: Any) -> Words:
    """The constant of all surpluses under another id, beside the shipped one."""
    return {w: v for w, v in replacing(SURPLUS, id="ours", **words).items() if w != "replaces"}


def doubted(constant: str) -> Words:
    """A measurement whose doubts name another constant."""
    shipped = load_catalog()[0].raw[DOUBTED]["doubts"]
    return replacing(DOUBTED, doubts=[d | {"surplus": constant} for d in shipped])


@pytest.mark.parametrize("high", ["100 %", "150 %"])
def test_a_surplus_is_never_all_of_a_rate(tmp_path: Path, high: str) -> None:
    refused = [
        planned(tmp_path, ARRAYS, *records)
        for records in ([replacing(SURPLUS, high=high)], [share(high=high), doubted("ours")])
    ]
    for plan in refused:
        assert [f["code"] for f in plan["findings"]] == ["PX203"]
        assert "takes away at least 0 %, and less than 100 %" in message(plan, "PX203")
    assert "ours" in message(refused[1], "PX203")
    for records in ([replacing(SURPLUS, high="99 %")], [share(high="99 %"), doubted("ours")], [share(high=high)]):
        assert "targets" in planned(tmp_path, ARRAYS, *records)


def test_a_doubt_that_names_a_shipped_constant_for_all_is_refused(tmp_path: Path) -> None:
    refused = planned(tmp_path, ARRAYS, doubted("scale.inode_share"))
    assert [f["code"] for f in refused["findings"]] == ["PX203"]
    assert f"{DOUBTED} has scale.inode_share for a surplus" in message(refused, "PX203")


# --- releases ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "words", "spoken"),
    [
        ("lustre-2.15.8", {"first": "2.13.0"}, "2.15.8 is none of those that it speaks for, 2.13.x"),
        ("lustre-2.15.8", {"first": "2.15.9"}, "2.15.8 is none of those that it speaks for, 2.15.x"),
        ("lustre-2.15.8", {"last": "2.15.7"}, "2.15.8 is none of those that it speaks for, {first} to 2.15.7"),
    ],
)
def test_a_release_speaks_for_itself(tmp_path: Path, record: str, words: Words, spoken: str) -> None:
    refused = planned(tmp_path, ARRAYS, replacing(record, **words))
    assert codes(refused) == {"PX203"}
    assert spoken.format(first=load_catalog()[0].raw[record]["first"]) in message(refused, "PX203")
