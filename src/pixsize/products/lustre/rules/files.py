"""Files: what ends first, and whether the default layout fits the OSTs, the release and an inode."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize import units
from pixsize.check.context import Context
from pixsize.findings import Finding
from pixsize.products.lustre.plan import Ldiskfs, lustre, target_of
from pixsize.products.lustre.records import SPREADS, LustreRelease, LustreWord, has_word

_ALL = -1
"""The stripe count that stands for every OST (Lustre Operations Manual, lfs setstripe, -c)."""


def objects_bind(context: Context) -> Iterator[Finding]:
    """PX546: how many files there can be, where the objects of the OSTs end first."""
    files, inodes, one = _files(context)
    if not 0 < files <= inodes:
        return
    spread = has_word(lustre(context.plan).version, context.catalog.get(LustreWord, SPREADS))
    alone = f"; one MDT alone, where directories are not spread, ends at {one:,}" if one < files and not spread else ""
    message = (
        f"{files:,} files {_striped(context)} use up the objects of the OSTs; the MDTs have {inodes:,} inodes{alone}. "
        f"Files below {_mean(context, files)} on average run out of objects before space"
    )
    yield Finding("PX546", message, "")


def inodes_bind(context: Context) -> Iterator[Finding]:
    """PX547: the MDTs have an inode for every file that the OSTs have objects for."""
    files, inodes, _ = _files(context)
    if inodes >= files:
        return
    message = (
        f"the MDTs have {inodes:,} inodes, and the OSTs objects for {files:,} files {_striped(context)}. Files below "
        f"{_mean(context, inodes)} on average run out of inodes before space"
    )
    where, hint = (
        ("powerflex.mdt", "larger MDTs") if context.plan.pools else ("metadata", "more MDTs, or larger drives")
    )
    yield Finding("PX547", message, where, f"{hint}; or accept it where files are larger")


def stripes_of_release(context: Context) -> Iterator[Finding]:
    """PX548: a file of the default layout has no more stripes than the release allows."""
    count, most = lustre(context.plan).stripe_count, _most_stripes(context)
    if count > most:
        message = (
            f"{count:,} stripes a file; Lustre {lustre(context.plan).version} takes {most:,} as an MDT is formatted"
        )
        yield Finding("PX548", message, "filesystem.stripe_count", f"stripe_count: {most} at most")


def stripes_of_osts(context: Context) -> Iterator[Finding]:
    """PX549: the default layout gets the stripes that it asks for."""
    count, osts, most = lustre(context.plan).stripe_count, len(context.of_kind["ost"]), _most_stripes(context)
    if osts < count <= most:
        message = f"{count:,} stripes a file, where there are {osts:,} OSTs: no file gets more stripes than that"
        yield Finding("PX549", message, "filesystem.stripe_count", "stripe_count: -1 stands for all OSTs")
    if count == _ALL and osts > most:
        message = f"files over all {osts:,} OSTs; Lustre {lustre(context.plan).version} gives a file {most:,} stripes"
        yield Finding("PX549", message, "filesystem.stripe_count", f"stripe_count: {most} says the same")


def layout_in_inode(context: Context) -> Iterator[Finding]:
    """PX550: the default layout of a file fits the inode of the MDT."""
    stripes = _stripes(context)
    inode = min((disk.inode_bytes for disk in _disks(context, "mdt")), default=0)
    limit_id = {1024: "lustre.stripes_in_small_inode", 2048: "lustre.stripes_in_large_inode"}.get(inode)
    if limit_id and stripes > context.limit(limit_id):
        message = (
            f"a layout of {stripes:,} stripes does not fit the MDT's inode of {inode:,} B, made for "
            f"{context.limit(limit_id)}: each such file takes a block more, and a read more when it is opened"
        )
        hint = "fewer stripes by default, and wide layouts on the directories that need them"
        yield Finding("PX550", message, "filesystem.stripe_count", hint)


def largest_file(context: Context) -> Iterator[Finding]:
    """PX559: a file can fill the OSTs that it lies on."""
    most, stripes = context.limit("lustre.object_bytes_max"), _stripes(context)
    space = max((disk.user_bytes for disk in _disks(context, "ost")), default=0)
    if space > most:
        message = (
            f"a file {_striped(context)} ends at {units.binary_bytes(stripes * most)}: an object is no larger than "
            f"{units.binary_bytes(most)}, and an OST has {units.binary_bytes(space)}"
        )
        hint = "more stripes for larger files: a layout that widens as a file grows"
        yield Finding("PX559", message, "filesystem.stripe_count", hint)


RULES = (objects_bind, inodes_bind, stripes_of_release, stripes_of_osts, layout_in_inode, largest_file)


def _files(context: Context) -> tuple[int, int, int]:
    """Files of the default layout that the OSTs have objects for, inodes of all MDTs, and those of the smallest."""
    objects = sum(disk.inodes for disk in _disks(context, "ost"))
    inodes = [disk.inodes for disk in _disks(context, "mdt")]
    return objects // max(_stripes(context), 1), sum(inodes), min(inodes, default=0)


def _stripes(context: Context) -> int:
    """How many stripes a file of the default layout gets."""
    count, osts = lustre(context.plan).stripe_count, len(context.of_kind["ost"])
    return min(osts if count == _ALL else count, osts, _most_stripes(context))


def _most_stripes(context: Context) -> int:
    """How many the release gives a file: more where its MDTs keep layouts in inodes of their own (`ea_inode`)."""
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    roomy = "ea_inode" in release.mdt.features
    return context.limit("lustre.stripes_max" if roomy else "lustre.stripes_max_no_ea")


def _striped(context: Context) -> str:
    stripes = _stripes(context)
    return "of one stripe" if stripes == 1 else f"of {stripes:,} stripes"


def _mean(context: Context, files: int) -> str:
    """The size of a file when so many of them fill the OSTs."""
    space = sum(disk.user_bytes for disk in _disks(context, "ost"))
    return units.binary_bytes(space // max(files, 1), 1)


def _disks(context: Context, kind: str) -> list[Ldiskfs]:
    """What ldiskfs makes of the targets of a kind."""
    return [disk for t in context.of_kind[kind] if (disk := target_of(t).ldiskfs)]
