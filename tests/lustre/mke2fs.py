"""The stock mke2fs as a judge: it formats a sparse file as mkfs.lustre would have it, and `dumpe2fs -h` tells the result.

The words are put together here from the record of a release, and by none of the code that is judged.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pixsize.products.lustre.plan import Ldiskfs
from pixsize.products.lustre.records import LustreRelease
from tests.support.programs import tool

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40
NOT_STOCK = frozenset(("dirdata",))
"""Features that only Whamcloud's e2fsprogs has; they change no size."""
LAZY = ("lazy_itable_init=1", "lazy_journal_init=1")
"""What keeps a format of tens of terabytes to seconds; it changes no size either."""

CONF = """[defaults]
base_features = sparse_super,large_file,filetype,resize_inode,dir_index,ext_attr
default_mntopts = acl,user_xattr
enable_periodic_fsck = 0
blocksize = 4096
inode_size = 256
inode_ratio = 16384

[fs_types]
ext3 = {
    features = has_journal
}
small = {
    inode_ratio = 4096
}
big = {
    inode_ratio = 32768
}
huge = {
    inode_ratio = 65536
}
"""
"""mke2fs.conf as e2fsprogs 1.47.0 ships it, as far as `mke2fs -j -b 4096` reads it."""


def line(release: LustreRelease, kind: str, device_bytes: int, *, mkfsoptions: str = "", mmp: bool = True) -> list[str]:
    """What mkfs.lustre adds to `mke2fs -j -b 4096`, in its order, with the -E of `--mkfsoptions` among them."""
    recipe, kib = release.recipe(kind), device_bytes // KIB
    words = []
    if recipe.journal and kib * KIB > recipe.journal.above_bytes:
        words += ["-J", f"size={min(recipe.journal.most_bytes // MIB, kib * 4 // 102_400)}"]
    if recipe.inode_bytes:
        words += ["-I", str(recipe.inode_bytes)]
    for row in sorted(recipe.bytes_per_inode, key=lambda r: -r.above_bytes):
        if kib * KIB > row.above_bytes:
            words += ["-i", str(row.bytes)]
            break
    words += ["-q", "-O", ",".join(recipe.features_on(mmp=mmp, large=kib // 4 >= 2**32 - 1))]
    if recipe.flex_groups:
        words += ["-G", str(recipe.flex_groups)]
    extended = [mkfsoptions.removeprefix("-E ")] if mkfsoptions else []
    if recipe.resize and kib * KIB > recipe.resize.above_bytes and kib // 4 < 2**32:
        extended.append(f"resize={recipe.resize.blocks}")
    return [*words, *(["-E", ",".join(extended)] if extended else []), "-F"]


def for_stock(words: list[str]) -> list[str]:
    """The same words without what the stock mke2fs lacks, and lazily."""
    own = list(words)
    features = own.index("-O") + 1
    own[features] = ",".join(f for f in own[features].split(",") if f not in NOT_STOCK)
    if "-E" not in own:
        return [*own, "-E", ",".join(LAZY)]
    extended = own.index("-E") + 1
    own[extended] = ",".join((own[extended], *LAZY))
    return own


def dumped(
    folder: Path, release: LustreRelease, kind: str, device_bytes: int, *, mkfsoptions: str = "", mmp: bool = True
) -> dict[str, str] | str:
    """What `dumpe2fs -h` says of a device of this size, formatted; or, where mke2fs refuses it, why.

    The file lies in `folder`, and in none but for the time of the call. Skips where no file can be so large.
    """
    words = for_stock(line(release, kind, device_bytes, mkfsoptions=mkfsoptions, mmp=mmp))
    blocks = device_bytes // KIB // 4
    if 2**32 <= blocks < 2**32 + 0x2000:
        blocks = 2**32 - 1
    conf = folder / "mke2fs.conf"
    conf.write_text(CONF, encoding="ascii")
    with sparse(folder, device_bytes) as image:
        made = _run(["mke2fs", "-j", "-b", "4096", *words, str(image), str(blocks)], conf)
        if made.returncode:
            return made.stdout + made.stderr
        told = _run(["dumpe2fs", "-h", str(image)], conf)
    assert told.returncode == 0, told.stderr
    return {key.strip(): value.strip() for key, _, value in (text.partition(":") for text in told.stdout.splitlines())}


def told(fields: dict[str, str]) -> dict[str, int]:
    """The numbers of `dumpe2fs -h` by their names in a plan; stride and stripe width are 0 where it shows none."""
    names = {
        "blocks": "Block count",
        "inodes": "Inode count",
        "inode_bytes": "Inode size",
        "overhead_blocks": "Overhead clusters",
        "reserved_blocks": "Reserved block count",
        "journal_blocks": "Total journal blocks",
        "stride": "RAID stride",
        "stripe_width": "RAID stripe width",
    }
    numbers = {name: int(fields.get(key, "0")) for name, key in names.items()}
    return {**numbers, "mmp": int("mmp" in fields["Filesystem features"].split())}


def planned(ldiskfs: Ldiskfs) -> dict[str, int]:
    """The same numbers, as a plan has them."""
    own = ldiskfs._asdict()
    return {key: int(value) for key, value in own.items() if key not in ("user_bytes", "options", "flags")}


@contextmanager
def sparse(folder: Path, size: int) -> Iterator[Path]:
    """A file of nothing but holes. It lies in memory where there is room for it: an ext4 holds no file of 16 TiB."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 * GIB
    with tempfile.TemporaryDirectory(dir=memory if roomy else folder) as own:
        image = Path(own) / "device"
        image.touch()
        try:
            os.truncate(image, size)
        except OSError:
            pytest.skip(f"no file of {size:,} B can be made here")
        yield image


def _run(words: list[str], conf: Path) -> subprocess.CompletedProcess[str]:
    command = [tool(words[0]), *words[1:]]
    environment = {**os.environ, "MKE2FS_CONFIG": str(conf), "LC_ALL": "C"}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment)
