"""The ldiskfs model and the releases of Lustre against what was read from formatted targets and printed by mkfs.lustre."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from pydantic import ValidationError

from pixsize.products.lustre.ldiskfs import formatted, refusal
from pixsize.products.lustre.records import LustreRelease, is_known, release_for
from tests.lustre.mke2fs import GIB, KIB, MIB, TIB, line
from tests.support import written
from tests.support.catalog_records import get, kind_of

OST_ME4 = 124_999_999_488 * 512
"""Eight data drives of 8 TB, as an array makes a volume of them."""
MDT_ME4 = 9_374_998_528 * 512
"""Five data drives of 960 GB, likewise."""


def release(version: str) -> LustreRelease:
    return get(f"lustre-{version}", LustreRelease)


# --- sizes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "version, kind, size, inodes, overhead",
    [
        ("2.15.8", "ost", 64 * 10**12, 61_035_264, 9_046_432),
        ("2.15.8", "ost", OST_ME4, 61_035_264, 9_046_432),
        ("2.10.8", "ost", 64 * 10**12, 61_035_264, 8_886_688),
        ("2.10.8", "ost", OST_ME4, 61_035_264, 8_886_688),
        ("2.15.8", "mdt", 48 * 10**11, 1_875_017_728, 469_949_856),
        ("2.15.8", "mdt", MDT_ME4, 1_875_017_728, 469_949_856),
        ("2.10.8", "mdt", MDT_ME4, 1_875_017_728, 469_949_856),
        ("2.15.8", "ost", 1600 * GIB, 6_553_600, 1_126_400),
        ("2.10.8", "ost", 1600 * GIB, 6_553_600, 966_656),
        ("2.15.8", "mdt", 552 * GIB, 231_538_688, 58_967_919),
        ("2.10.8", "mdt", 552 * GIB, 231_538_688, 58_967_919),
    ],
)
def test_inodes_and_overhead_to_the_block(version, kind, size, inodes, overhead):
    """As dumpe2fs showed them of targets with the options of mkfs.lustre."""
    made = formatted(release(version), kind, size, mmp=True)
    assert (made.inodes, made.overhead_blocks) == (inodes, overhead)
    assert made.blocks == size // 4096
    assert made.reserved_blocks == made.blocks * 5 // 100
    assert made.user_bytes == (made.blocks - overhead - made.reserved_blocks) * 4096


def test_what_users_get():
    """60.763 TB of an OST of 64 TB, 1.627 TB of one of 1600 GiB."""
    assert round(formatted(release("2.15.8"), "ost", OST_ME4, mmp=True).user_bytes / 10**9) == 60_763
    assert round(formatted(release("2.15.8"), "ost", 1600 * GIB, mmp=True).user_bytes / 10**9) == 1627


def test_a_last_group_too_small_is_left_out():
    """The short formula would say 1,871,675,392 inodes; libext2fs drops the tail of each trial that is too small."""
    assert formatted(release("2.15.8"), "mdt", 48 * 10**11 - 8 * GIB, mmp=True).inodes == 1_871_449_280
    full = 128 * MIB
    tail = formatted(release("2.15.8"), "ost", 9 * full + 512 * 4096, mmp=True)
    assert tail.blocks == 9 * full // 4096
    assert formatted(release("2.15.8"), "ost", 9 * full + 64 * MIB, mmp=True).blocks == (9 * full + 64 * MIB) // 4096


def test_more_inodes_than_there_can_be_are_cut():
    """Whamcloud's mke2fs gives an MDT at the bound 4,293,918,720 inodes; pixsize names it as refused all the same."""
    assert formatted(release("2.15.8"), "mdt", 10 * TIB, mmp=True).inodes == 4_293_918_720
    assert formatted(release("2.15.8"), "mdt", 12 * 10**12, mmp=True).inodes < 2**32
    assert "2^32 - 1" in refusal(release("2.15.8"), "mdt", 12 * 10**12)
    assert refusal(release("2.15.8"), "mdt", 99 * 10 * TIB // 1000) == ""


def test_the_last_devices_below_16_tib_are_refused():
    """mkfs.lustre asks for room to grow to 4,290,772,992 blocks; mke2fs wants more than the device has."""
    least = 4_290_772_992 * 4096
    for size in (least, 16 * TIB - 4096):
        assert "4,290,772,992" in refusal(release("2.10.8"), "ost", size)
    assert refusal(release("2.10.8"), "mgt", least) == ""
    for size in (least - 4096, 16 * TIB):
        assert refusal(release("2.10.8"), "ost", size) == ""


def test_what_32_bits_cannot_count_needs_extents():
    """An MGT is made without them; mkfs.lustre asks for 64bit from 2^32 - 1 blocks on."""
    assert refusal(release("2.15.8"), "mgt", 16 * TIB - 8192) == ""
    for size in (16 * TIB - 4096, 16 * TIB, 20 * TIB):
        assert "extents" in refusal(release("2.15.8"), "mgt", size)


@pytest.mark.parametrize(
    "size, blocks",
    [
        (16 * TIB - 4096, 2**32 - 1),
        (16 * TIB, 2**32 - 1),
        (16 * TIB + 32 * MIB - 4096, 2**32 - 1),
        (16 * TIB + 32 * MIB, 2**32 + 0x2000),
        (32384 * KIB + 1023, 8096),
    ],
)
def test_a_device_just_over_2_to_the_32_blocks_is_cut(size, blocks):
    assert formatted(release("2.15.8"), "ost", size, mmp=True).blocks == blocks


@pytest.mark.parametrize(
    "size, ratio",
    [
        (10 * GIB, 16 * KIB),
        (10 * GIB + 1023, 16 * KIB),
        (10 * GIB + 1024, 69_905),
        (TIB, 69_905),
        (TIB + 1024, 256 * KIB),
        (4 * TIB, 256 * KIB),
        (4 * TIB + 1024, 512 * KIB),
        (16 * TIB, 512 * KIB),
        (16 * TIB + 1024, MIB),
        (2**50, MIB),
    ],
)
@pytest.mark.parametrize("version", ["2.10.8", "2.15.8"])
def test_bytes_an_inode_of_an_ost(version, size, ratio):
    """The ratio changes above the bound, counted in whole KiB. Inodes are rounded up to whole blocks in each group."""
    made = formatted(release(version), "ost", size, mmp=True)
    wanted = made.blocks * 4096 // ratio
    assert wanted <= made.inodes <= wanted + 64 * -(-made.blocks // 32_768)


@pytest.mark.parametrize(
    "version, kind, size, journal_mib",
    [
        ("2.10.8", "ost", GIB, 32),
        ("2.10.8", "ost", GIB + MIB, 41),
        ("2.10.8", "ost", TIB, 400),
        ("2.15.8", "ost", TIB, 1024),
        ("2.15.8", "mdt", 50 * GIB, 2048),
        ("2.15.8", "mdt", TIB, 4096),
        ("2.15.8", "mgt", 8 * GIB, 64),
        ("2.15.8", "mgt", 64 * MIB, 4),
    ],
)
def test_the_journal_is_four_per_cent_at_most(version, kind, size, journal_mib):
    """Up to 1 GiB, and on an MGT, it is what mke2fs takes by itself."""
    assert formatted(release(version), kind, size, mmp=True).journal_blocks == journal_mib * 256


def test_stride_width_and_protection_change_no_count():
    plain = formatted(release("2.15.8"), "ost", OST_ME4, mmp=False)
    whole = formatted(release("2.15.8"), "ost", OST_ME4, stride=32, stripe_width=256, mmp=True)
    assert (whole.stride, whole.stripe_width, whole.mmp) == (32, 256, True)
    assert whole.options == "-E stride=32,stripe_width=256"
    assert plain.options == ""
    changed = {"stride": 0, "stripe_width": 0, "mmp": False, "options": "", "flags": 0x62}
    assert whole._replace(**changed) == plain
    assert formatted(release("2.15.8"), "mdt", TIB, stride=16, mmp=True).options == "-E stride=16"


@pytest.mark.parametrize(
    "kind, mgs, mmp, flags",
    [
        ("mgt", True, True, 0x1044),
        ("mgt", True, False, 0x44),
        ("mdt", False, True, 0x1061),
        ("mdt", True, True, 0x1065),
        ("ost", False, True, 0x1062),
        ("mdt", False, False, 0x61),
        ("ost", False, False, 0x62),
    ],
)
def test_flags_as_tunefs_lustre_shows_them(kind, mgs, mmp, flags):
    assert formatted(release("2.15.8"), kind, 64 * GIB, mmp=mmp, mgs=mgs).flags == flags


def test_less_than_a_block_is_no_device():
    with pytest.raises(ValueError, match="less than a block"):
        formatted(release("2.15.8"), "ost", 4095, mmp=True)
    assert refusal(release("2.15.8"), "mgt", 4 * MIB) == "too small for a journal"
    with pytest.raises(KeyError):
        formatted(release("2.15.8"), "nsd", GIB, mmp=True)


# --- the words of mkfs.lustre ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "version, kind, size, printed",
    [
        (
            "2.10.8",
            "ost",
            64 * 10**12,
            "-J size=400 -I 512 -i 1048576 -q -O extents,uninit_bg,mmp,dir_nlink,quota,huge_file,64bit,flex_bg -G 256 "
            "-E stride=32,stripe_width=256 -F",
        ),
        (
            "2.15.8",
            "ost",
            64 * 10**12,
            "-J size=1024 -I 512 -i 1048576 -q -O extents,uninit_bg,mmp,dir_nlink,quota,project,huge_file,64bit,"
            "^resize_inode,^fast_commit,flex_bg -G 256 -E stride=32,stripe_width=256 -F",
        ),
        (
            "2.10.8",
            "mdt",
            48 * 10**11,
            "-J size=4096 -I 1024 -i 2560 -q -O dirdata,uninit_bg,^extents,mmp,dir_nlink,quota,huge_file,flex_bg "
            "-E stride=32,stripe_width=256 -F",
        ),
        (
            "2.15.8",
            "ost",
            1600 * GIB,
            "-J size=1024 -I 512 -i 262144 -q -O extents,uninit_bg,mmp,dir_nlink,quota,project,huge_file,^fast_commit,"
            "flex_bg -G 256 -E stride=32,stripe_width=256,resize=4290772992 -F",
        ),
    ],
)
def test_the_line_for_mke2fs_is_the_one_that_mkfs_lustre_prints(version, kind, size, printed):
    options = formatted(release(version), kind, size, stride=32, stripe_width=256, mmp=True).options
    assert " ".join(line(release(version), kind, size, mkfsoptions=options)) == printed


def test_the_line_of_an_mgt_leaves_most_to_mke2fs():
    old = line(release("2.10.8"), "mgt", 8 * GIB)
    assert " ".join(old) == "-q -O uninit_bg,mmp,dir_nlink,quota,huge_file,flex_bg -F"
    new = set(line(release("2.15.8"), "mgt", 8 * GIB)[2].split(","))
    assert new - set(old[2].split(",")) == {"project", "^fast_commit"}
    mdts = [set(release(v).mdt.features_on(mmp=True, large=False)) for v in ("2.10.8", "2.15.8")]
    assert mdts[1] - mdts[0] == {"project", "ea_inode", "large_dir", "^fast_commit"}
    assert "mmp" not in line(release("2.15.8"), "mgt", 8 * GIB, mmp=False)[2].split(",")


# --- releases ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked, found, sized_as, exact",
    [
        ("2.10.8", "2.10.8", "2.10.8", True),
        ("2.10.4", "2.10.8", "2.10.8", False),
        ("2.11.0", "2.10.8", "2.10.8", False),
        ("2.12.0", "2.12.9", "2.10.8", False),
        ("2.12.9", "2.12.9", "2.10.8", False),
        ("2.14.0", "2.15.8", "2.15.8", False),
        ("2.15.3", "2.15.8", "2.15.8", False),
        ("2.15.8", "2.15.8", "2.15.8", True),
        ("2.16.10", "2.15.8", "2.15.8", False),
    ],
)
def test_the_nearest_release_stands_in(asked, found, sized_as, exact):
    for releases in (kind_of(LustreRelease), kind_of(LustreRelease)[::-1]):
        best, own = release_for(asked, releases)
        assert (best.version, best.sized_as, own) == (found, sized_as, exact)


def test_versions_are_numbers():
    """As text, 2.9.0 lies behind 2.15.8, and 2.10.10 before 2.10.8."""
    releases = kind_of(LustreRelease)
    assert release_for("2.9.0", releases)[0].version == "2.10.8"
    assert not release("2.10.8").speaks_for("2.10.10")
    assert release("2.12.9").speaks_for("2.12.10")
    with pytest.raises(ValueError, match="no version"):
        release_for("2.15", releases)
    with pytest.raises(ValueError, match="no release"):
        release_for("2.15.8", [])


@pytest.mark.parametrize("version", ["2.10.4", "2.10.8", "2.12.0", "2.12.9", "2.15.0", "2.15.8"])
def test_versions_that_are_known(version):
    assert is_known(version, kind_of(LustreRelease))


@pytest.mark.parametrize(
    "version",
    ["2.10.3", "2.10.9", "2.11.0", "2.13.0", "2.16.0", "2.15", "2.15.8\n", "v2.15.8", "2.15.08", "", "\u0662.15.8"],
)
def test_versions_that_are_not(version):
    assert not is_known(version, kind_of(LustreRelease))


def test_releases_name_their_versions():
    assert [r.versions_text for r in kind_of(LustreRelease)] == ["2.10.4 to 2.10.8", "2.12.x", "2.15.x"]


def test_a_release_without_sizes_of_its_own_has_those_that_it_names():
    for each in kind_of(LustreRelease):
        sized = release(each.sized_as)
        assert (each.ost, each.mdt, each.mgt, each.mke2fs) == (sized.ost, sized.mdt, sized.mgt, sized.mke2fs)


def test_words_that_differ():
    """Lustre source and manual: the agent came with 2.11.56, Data on MDT with 2.11, overstriping with 2.13."""
    old, middle, new = (release(v) for v in ("2.10.8", "2.12.9", "2.15.8"))
    assert [r.agent.split(":")[1] for r in (old, middle, new)] == ["heartbeat", "lustre", "lustre"]
    assert [r.data_on_mdt for r in (old, middle, new)] == [False, True, True]
    assert [r.overstriping for r in (old, middle, new)] == [False, False, True]
    assert [r.max_inherit_rr for r in (old, middle, new)] == [False, False, True]
    assert [r.large_dir for r in (old, middle, new)] == [False, False, True]
    assert [r.stripes_max for r in (old, middle, new)] == [160, 160, 2000]
    assert (old.lfs_mkdir.count, new.lfs_mkdir.count) == ("--count", "--mdt-count")
    assert (old.client_dirty_bytes, new.client_dirty_bytes) == (32 * MIB, 2000 * MIB)
    assert (old.client_read_ahead_bytes, new.client_read_ahead_bytes) == (64 * MIB, 1024 * MIB)


def spoilt(path: str, value: Any) -> dict[str, Any]:
    """The words of a shipped release with one of them changed."""
    found = next(deepcopy(r) for _, r in written.records() if r["id"] == "lustre-2.15.8")
    found.pop("kind")
    *parents, last = path.split(".")
    place = found
    for parent in parents:
        place = place[parent]
    place[last] = value
    return found


@pytest.mark.parametrize(
    "path, value",
    [
        ("mke2fs.journal", []),
        ("mke2fs.bytes_per_inode", [{"below": "4 TiB", "bytes": "16 KiB"}]),
        ("mke2fs.bytes_per_inode", [{"bytes": "512 B"}]),
        ("ost.inode", "500 B"),
        ("ost.inode", "8 KiB"),
        ("ost.bytes_per_inode", [{"above": "0 B", "bytes": "0 B"}]),
        ("mdt.bytes_per_inode", [{"above": "0 B", "bytes": "1024 B"}]),
        ("mdt.bytes_per_inode", [{"above": "1 GiB", "bytes": "1 GiB"}, {"above": "2 GiB", "bytes": "1 KiB"}]),
        ("ost.features", ["mmp; reboot"]),
        ("version", "2.15"),
        ("lfs_mkdir.count", "--count --all"),
    ],
)
def test_recipes_that_mke2fs_could_not_follow_are_refused(path, value):
    assert LustreRelease.model_validate(spoilt("note", "")).version == "2.15.8"
    with pytest.raises(ValidationError):
        LustreRelease.model_validate(spoilt(path, value))


@pytest.mark.parametrize("size", [2**56, 2**60, 10**18])
@pytest.mark.parametrize("kind", ["mgt", "mdt", "ost"])
def test_absurd_sizes_are_worked_out_all_the_same(kind, size):
    """More groups than 2^32 inodes can be spread over: each keeps the least that it can have."""
    assert formatted(release("2.15.8"), kind, size, mmp=True).blocks > 0
