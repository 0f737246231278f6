"""Bounds of Lustre and PowerFlex in a folder of one's own: through the command line, each is seen to have its effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize.load import load_catalog
from tests.unit.cli_support import run
from tests.unit.test_catalog_overlay_effects import EFFECTS as OTHERS
from tests.unit.test_catalog_overlay_effects import Effect, Words, codes, planned, replacing


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
    Effect("powerflex.pool_devices", 31, "PX527", request=POOL),
    Effect("powerflex.domain_sds", 3, "PX527", request=POOL),
    Effect("powerflex.mirror_copies", 3, part="volumes", request=POOL),
)
RENDERED = ("powerflex.mtu",)
"""Bounds that no plan shows: they are read when files are rendered."""


def test_every_shipped_bound_is_read_by_something() -> None:
    """A limit or choice that these tables lack would be a record that nobody reads."""
    shipped = load_catalog()[0]
    told = [e.record for e in (*OTHERS, *EFFECTS)]
    assert sorted((*told, *RENDERED)) == sorted((*shipped.ids("limit"), *shipped.ids("choice")))


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
