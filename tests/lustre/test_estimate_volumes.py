"""Sizes of Lustre's targets: which volumes are known, how large the others may come out, and what lies in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize import workflow
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.observed import Observed, ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.records import DiskGroup, Volume
from pixsize.products.lustre.ldiskfs import Kept, formatted, inodes_at_most, kept
from pixsize.products.lustre.records import LustreRelease
from tests.support.by_hand import check, spread
from tests.support.estimating import Estimated, estimated, lustre_in_a_pool, lustre_on_arrays, shipped

TB, GIB, STEP, BLOCK = 10**12, 2**30, 2**22, 4096
DATA, META = 124_999_999_488 * 512, 9_374_998_528 * 512
"""What 64 and 4.8 TB come to on an array, in whole 4 MiB."""
MGT = 8 * GIB
PLANNED_MDT = 48 * TB // 10 * 97 // 100 // STEP * STEP - MGT
INODES, OBJECTS, FILES = "files.mdt_inodes", "files.ost_objects", "files.max"


def release(version: str = "2.10.8") -> LustreRelease:
    return shipped().get(LustreRelease, f"lustre-{version}")


def inodes(kind: str, size: int) -> int:
    return formatted(release(), kind, size, mmp=True).inodes


def seen(groups: Mapping[DiskGroup, int] | None = None, volumes: Mapping[Volume, int | None] | None = None) -> Observed:
    """The replies of arrays that have these groups and volumes, with their sizes."""
    of_groups: dict[str, dict[str, ObservedGroup]] = {}
    of_volumes: dict[str, dict[str, ObservedVolume]] = {}
    for g, size in (groups or {}).items():
        of_groups.setdefault(g.array, {})[g.id] = ObservedGroup(g.id, size)
    for number, (v, there) in enumerate((volumes or {}).items()):
        of_volumes.setdefault(v.array, {})[v.id] = ObservedVolume(v.id, f"3{number:032x}", there)
    arrays = {*of_groups, *of_volumes}
    return Observed({a: ObservedArray(groups=of_groups.get(a, {}), volumes=of_volumes.get(a, {})) for a in arrays})


def made(volumes: Iterable[Volume]) -> dict[Volume, int | None]:
    """Each volume as it comes out over the whole of a group, that of an MGT beside its MDT."""

    def size(v: Volume) -> int:
        return DATA if v.purpose == "data" else MGT if v.id.endswith("mgt01") else META - MGT

    return {v: size(v) for v in volumes}


# --- what is known -------------------------------------------------------------------------------------------------


def test_a_volume_that_was_reported_is_known_without_its_group() -> None:
    """All arrays answered `show volumes` and nothing else: every size is known to the byte."""
    plan = lustre_on_arrays().plan
    found = lustre_on_arrays(observed=seen(volumes=made(plan.volumes)))
    overhead = found.figures["capacity.array_overhead"]
    assert (overhead.low, overhead.value, overhead.high) == (32 * (64 * TB - DATA),) * 3
    assert overhead.rule == (
        "For all 32 disk groups the arrays reported the size, or that of the volume: nominal less the volume."
    )
    assert [s.place for s in overhead.sources] == ["show volumes: size-numeric or blocks, in blocks of 512 bytes"]
    assert overhead.inputs == ("capacity.formatted",)
    for i in ("array_overhead", "osts", "filesystem_overhead", "reserved", "usable"):
        figure = found.figures[f"capacity.{i}"]
        assert (figure.basis, figure.low, figure.high) == ("measured", figure.value, figure.value), i
    for i, value in ((INODES, 2 * inodes("mdt", META - MGT)), (OBJECTS, 32 * inodes("ost", DATA))):
        figure = found.figures[i]
        assert (figure.basis, figure.low, figure.value, figure.high) == ("measured", value, value, value)
    assert found.figures[INODES].inputs == ("lustre-2.10.8", "capacity.metadata.usable")


def test_groups_and_volumes_that_were_reported_are_told_apart_from_the_rest() -> None:
    """Eight groups, eight volumes of others, and a volume whose size the reply does not give."""
    plan = lustre_on_arrays().plan
    data = [g for g in plan.disk_groups if g.purpose == "data"]
    some = dict.fromkeys(data[:8], DATA)
    volumes = [v for v in plan.volumes if v.backing in {g.id for g in data[8:17]}]
    sizes = made(volumes) | {volumes[-1]: None}
    overhead = lustre_on_arrays(observed=seen(some, sizes)).figures["capacity.array_overhead"]
    planned = 64 * TB * 97 // 100 // STEP * STEP
    assert overhead.value == 16 * (64 * TB - DATA) + 16 * (64 * TB - planned)
    assert (overhead.low, overhead.basis) == (16 * (64 * TB - DATA) + 16 * 64 * TB // 100, "estimated")
    assert "For 16 of 32 disk groups the arrays reported the size, or that of the volume" in overhead.rule
    assert "For 16 of 32 disk groups no array reported a size" in overhead.rule


def test_replies_that_have_groups_and_volumes_are_both_cited() -> None:
    plan = lustre_on_arrays().plan
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    half = {g.id for g in groups[:16]}
    volumes = made(v for v in plan.volumes if v.backing in half)
    overhead = lustre_on_arrays(observed=seen(dict.fromkeys(groups, DATA), volumes)).figures["capacity.array_overhead"]
    assert [s.place.partition(":")[0] for s in overhead.sources] == ["show volumes", "show disk-groups"]


def test_a_volume_of_pixstor_that_is_smaller_than_planned_is_in_the_range() -> None:
    """df may show no more than the 80 TB that the volumes have, where the groups have not answered."""
    plan = estimated([{"size": "small"}]).plan
    small = {v: 80 * TB for v in plan.volumes if v.purpose == "data"}
    overhead = estimated([{"size": "small"}], observed=seen(volumes=small)).figures["capacity.array_overhead"]
    assert (overhead.value, overhead.high) == (8 * 96 * TB * 22 // 1000, 8 * 16 * TB)


# --- the volumes of the metadata -----------------------------------------------------------------------------------


def meta(found: Estimated) -> list[DiskGroup]:
    return [g for g in found.plan.disk_groups if g.purpose == "metadata"]


def test_the_high_end_of_inodes_has_what_comes_out_when_the_other_group_answers() -> None:
    """The second group has its size, the first none yet: both MDTs take the smaller, now and at the most."""
    first, second = meta(lustre_on_arrays())
    half = lustre_on_arrays(observed=seen({second: META})).figures[INODES]
    assert half.value == 2 * inodes("mdt", PLANNED_MDT)
    for percent in (97, 98, 99):
        size = 48 * TB // 10 * percent // 100 // STEP * STEP
        both = lustre_on_arrays(observed=seen({first: size, second: META})).figures[INODES]
        assert half.low <= both.value <= half.high, percent
        assert (both.low, both.high, both.basis) == (both.value, both.value, "measured")
    assert half.high < 2 * inodes("mdt", META - MGT)


def test_a_smaller_group_that_answered_is_the_most_for_all_mdts() -> None:
    _, second = meta(lustre_on_arrays())
    size = 4 * TB // STEP * STEP
    figure = lustre_on_arrays(observed=seen({second: size})).figures[INODES]
    assert figure.value == 2 * inodes("mdt", size)
    assert figure.value <= figure.high <= 2 * inodes_at_most(release(), "mdt", size)


def test_an_mdt_that_exists_keeps_its_size() -> None:
    """The second MDT was made at nominal size, the first does not exist yet."""
    found = lustre_on_arrays()
    second = next(v for v in found.plan.volumes if v.id.endswith("meta02"))
    figure = lustre_on_arrays(observed=seen(volumes={second: META})).figures[INODES]
    assert figure.value == inodes("mdt", PLANNED_MDT) + inodes("mdt", META)
    least = 48 * TB // 10 * 99 // 100 - MGT
    assert figure.high == inodes_at_most(release(), "mdt", least) + inodes_at_most(release(), "mdt", META)
    assert f"The MDTs that do not exist yet take the size of the smallest, {PLANNED_MDT:,} B" in figure.rule


def test_a_small_mdt_that_exists_grows_no_more() -> None:
    found, size = lustre_on_arrays(), 4 * TB // STEP * STEP
    second = next(v for v in found.plan.volumes if v.id.endswith("meta02"))
    figure = lustre_on_arrays(observed=seen(volumes={second: size})).figures[INODES]
    least = 48 * TB // 10 * 99 // 100 - MGT
    assert figure.high == inodes_at_most(release(), "mdt", least) + inodes_at_most(release(), "mdt", size)


def test_mdts_that_all_exist_owe_nothing_to_an_mgt_that_does_not() -> None:
    mdts = [v for v in lustre_on_arrays().plan.volumes if "_meta" in v.id]
    figure = lustre_on_arrays(observed=seen(volumes=made(mdts))).figures[INODES]
    assert (figure.basis, figure.inputs) == ("measured", ("lustre-2.10.8", "capacity.metadata.usable"))
    assert figure.rule.endswith(" on each.")


@pytest.mark.parametrize("kind, nominal", [("mdt", 48 * TB // 10), ("mdt", 96 * TB // 10), ("ost", 64 * TB)])
def test_no_smaller_device_has_more_inodes(kind: str, nominal: int) -> None:
    """How inodes are rounded in each group differs with the size: the bound stands above all of them."""
    most = nominal * 99 // 100
    bound = inodes_at_most(release(), kind, most)
    assert inodes(kind, most) <= bound < inodes(kind, most) * 1.0002
    assert all(inodes(kind, most - n * STEP) <= bound for n in range(0, 600, 3))


def with_mgt(size: str) -> Catalog:
    raw = dict(shipped().raw)
    raw["lustre.mgt_volume"] = raw["lustre.mgt_volume"] | {"value": size}
    return Catalog(raw)


def test_the_volume_of_an_mgt_is_an_input_of_the_inodes() -> None:
    """What the MGT takes of one group, all MDTs lack."""
    small, large = (lustre_on_arrays(catalog=with_mgt(s)).figures for s in ("8 GiB", "256 GiB"))
    assert small[INODES].value == 2 * inodes("mdt", PLANNED_MDT) == 3_630_428_192
    assert large[INODES].value == 2 * inodes("mdt", PLANNED_MDT - 248 * GIB) == 3_422_748_672
    assert "lustre.mgt_volume" in small[INODES].inputs
    assert (
        f"All MDTs take the size of the smallest, {PLANNED_MDT:,} B; the MGT's volume takes 8,589,934,592 B of the "
        "first group."
    ) in small[INODES].rule


def test_an_mgt_without_a_volume_of_its_own_is_no_input() -> None:
    figure = lustre_on_arrays(mgt="with_mdt0").figures[INODES]
    assert "lustre.mgt_volume" not in figure.inputs
    assert f"All MDTs take the size of the smallest, {PLANNED_MDT + MGT:,} B." in figure.rule
    alone = lustre_on_arrays(mgt="with_mdt0", dne=False).figures[INODES]
    assert alone.rule.endswith(" on each.")
    beside = lustre_on_arrays(dne=False).figures[INODES]
    assert f"The MDT takes {PLANNED_MDT:,} B; the MGT's volume takes {MGT:,} B of the first group." in beside.rule
    assert "lustre.mgt_volume" in beside.inputs


def test_an_mgt_that_exists_has_its_own_size() -> None:
    mgt = next(v for v in lustre_on_arrays().plan.volumes if v.id.endswith("mgt01"))
    figure = lustre_on_arrays(observed=seen(volumes={mgt: 16 * GIB})).figures[INODES]
    assert "lustre.mgt_volume" not in figure.inputs
    assert figure.value == 2 * inodes("mdt", PLANNED_MDT - MGT)
    assert "takes 17,179,869,184 B of the first group" in figure.rule


# --- stripes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "modules", "count", "stripes"),
    [("2.10.8", 8, -1, 160), ("2.10.8", 5, -1, 160), ("2.10.8", 8, 200, 160), ("2.15.8", 63, -1, 2000)],
)
def test_a_file_has_no_more_stripes_than_its_release_gives_it(
    tmp_path: Path, version: str, modules: int, count: int, stripes: int
) -> None:
    """The checks say the same, and the release is an input where it binds."""
    words: dict[str, Any] = {
        "name": "site",
        "design": "lustre-me4",
        "lustre_version": version,
        "storage_modules": [{"size": "large", "count": modules, "data_drive": "8 TB"}],
        "metadata": {"pairs": 4},
        "filesystem": {"name": "fs", "stripe_count": count},
    }
    path = tmp_path / "site.yaml"
    path.write_text(yaml.safe_dump(words), encoding="utf-8")
    figures = lustre_on_arrays(
        [{"size": "large", "count": modules}], version=version, pairs=4, filesystem={"stripe_count": count}
    ).figures
    files = figures[FILES]
    assert files.value == 32 * modules * 59_204_224 // stripes
    binds = 32 * modules > stripes
    assert files.inputs == (INODES, OBJECTS, *((f"lustre-{version}",) if binds else ()))
    assert (f"{stripes:,} objects of as many OSTs, the most that Lustre {version} gives a file:" in files.rule) == binds
    (said,) = [f.message for f in workflow.check(workflow.Given(str(path))).findings if f.code == "PX546"]
    assert said.startswith(f"{files.value:,} files of {stripes:,} stripes ")


# --- what ldiskfs keeps --------------------------------------------------------------------------------------------


def test_the_parts_of_the_overhead_by_hand() -> None:
    """1600 GiB are 12,800 groups of 512 inodes of 512 bytes; 19 of them have copies, of 1 + 100 + 923 blocks.

    100 blocks hold the descriptors of 32 bytes, and 1,023 those of the 4,290,772,992 blocks that it may grow to.
    """
    parts = kept(release("2.15.8"), "ost", 1600 * GIB)
    assert parts == Kept(inode_tables=12_800 * 64, journal=GIB // BLOCK, bitmaps=2 * 12_800, descriptors=19 * 1024)
    assert sum(parts) == 1_126_400


def numbers(rule: str) -> list[int]:
    return [int(n.replace(",", "")) for n in re.findall(r"([0-9,]+) B ", rule)]


def test_the_rule_of_the_overhead_has_its_parts_and_they_make_the_sum() -> None:
    figure = lustre_in_a_pool(spare=10, ost="1600 GiB", version="2.15.8").figures["capacity.filesystem_overhead"]
    assert numbers(figure.rule) == [16 * n * BLOCK for n in (819_200, 262_144, 25_600, 19_456)]
    assert "inode tables (inodes of 512 bytes)" in figure.rule
    assert sum(numbers(figure.rule)) == figure.value


def test_osts_of_several_sizes_make_the_sum_too() -> None:
    """Drives of two sizes; and a volume with a last group of 40 blocks, too small for its tables, and half a KiB."""
    modules = [{"size": "small"}, {"size": "medium", "data_drive": "12 TB"}]
    plain = lustre_on_arrays(modules)
    volume = next(v for v in plain.plan.volumes if v.purpose == "data")
    figure = plain.figures["capacity.filesystem_overhead"]
    assert (len(numbers(figure.rule)), sum(numbers(figure.rule))) == (4, figure.value)
    left_out = 40 * BLOCK + 512
    size = 32_768 * BLOCK * 450_000 + left_out
    figure = lustre_on_arrays(modules, observed=seen(volumes={volume: size})).figures["capacity.filesystem_overhead"]
    assert f"{left_out:,} B at the ends that are less than a block or group." in figure.rule
    assert (len(numbers(figure.rule)), sum(numbers(figure.rule))) == (5, figure.value)


def test_osts_too_small_for_data_are_told() -> None:
    volume = next(v for v in lustre_on_arrays().plan.volumes if v.purpose == "data")
    found = lustre_on_arrays(observed=seen(volumes={volume: 4 * BLOCK}))
    figure = found.figures["capacity.filesystem_overhead"]
    assert figure.rule.endswith("all that is not reserved of those too small to hold any data.")


# --- fewer OSTs ----------------------------------------------------------------------------------------------------


def test_fewer_osts_leave_the_value_of_what_does_not_need_them() -> None:
    """A Small has a quarter of the OSTs: stat keeps the value of the measured Large.

    Its low end has a quarter, half as much again that mdtest may have made up, a repetition and another data tier: four
    that are independent.
    """
    few, all_of_them = (lustre_on_arrays([{"size": s}]).figures for s in ("small", "large"))
    stat, measured = (f["metadata.empty.stat.peak"] for f in (few, all_of_them))
    assert stat.value == measured.value == 1_237_000
    ratios = spread("metadata.empty.stat.peak", "metadata.peak")
    surplus = 1 / (1 - float(shipped().get(Constant, "lustre.mdtest_surplus").high))
    assert surplus == pytest.approx(1.5, rel=1e-3)
    check(stat, 1_237_000, [ratios["again"]], down=[4, surplus, ratios["size"]])
    check(measured, 1_237_000, [ratios["again"]], down=[surplus])
    assert stat.low < measured.low / 2
    assert "With 0.25 times the OSTs the value stays" in stat.rule
    assert "creation and removal use as well" not in stat.rule
    for op in ("create", "remove"):
        figure, whole = (f[f"metadata.empty.{op}.peak"] for f in (few, all_of_them))
        assert figure.value == whole.value * 5 // 8
        assert "which creation and removal use as well" in figure.rule


@pytest.mark.parametrize(
    ("op", "value"), [("create", 162_000 * 7 // 8), ("remove", 206_000 * 7 // 8), ("stat", 528_000), ("read", 197_000)]
)
def test_three_servers_of_a_pool_stat_and_read_as_four_do(op: str, value: int) -> None:
    figure = lustre_in_a_pool(3).figures[f"metadata.4k.{op}.peak"]
    assert (figure.value, figure.basis) == (value, "estimated")
    assert figure.low <= value * 3 // 4
