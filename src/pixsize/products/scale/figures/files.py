"""How many files the metadata volumes hold."""

from __future__ import annotations

from pixsize.arrays.capacity import margin_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Limit
from pixsize.estimate import ids
from pixsize.figures import Figure, weakest
from pixsize.plan.records import Plan
from pixsize.products.scale.figures import sources
from pixsize.products.scale.figures.capacity import metadata_by_failure_group, replicated
from pixsize.products.scale.plan import scale

INODE_SHARE = "scale.inode_share"
BESIDE = "scale.metadata_beside_inode"
BESIDE_SMALL = "scale.metadata_beside_small_inode"


def files_max(plan: Plan, catalog: Catalog) -> Figure:
    """Files (and directories) that fit: one inode each, beside directories and indirect blocks.

    The value and the low end rest on the volumes as they are made; the high end on the whole disk groups, every byte of
    them an inode. What stands beside an inode does not shrink with it, so the low end counts it by itself.
    """
    share = catalog.get(Constant, INODE_SHARE)
    inode, copies = scale(plan).inode_bytes, scale(plan).metadata_replicas
    beside = _beside(inode, catalog)
    made = {v.backing: v.bytes for v in plan.volumes if v.purpose == "metadata"}
    whole = {g.id: g.bytes if g.reported_bytes is None else g.reported_bytes for g in plan.disk_groups if g.id in made}
    unique = replicated(metadata_by_failure_group(plan, made).values(), copies)
    most = replicated(metadata_by_failure_group(plan, whole).values(), copies)
    value = int(unique * share.value / inode)
    return Figure(
        id=ids.FILES,
        value=value,
        low=min(int(unique * share.low / inode), int(unique * share.value / (inode + beside.value))),
        high=max(value, int(most * share.high / inode)),
        unit="1",
        basis=weakest(["exact", share.basis, "estimated"]),
        rule=_rule(inode, beside.value, copies, share),
        sources=tuple(dict.fromkeys((sources.INODES, *share.cited(), *beside.cited()))),
        inputs=(ids.METADATA_USABLE, f"{ids.VOLUMES}metadata", margin_of(plan.volumes), INODE_SHARE, beside.id),
    )


def _beside(inode: int, catalog: Catalog) -> Limit:
    """What the low end plans with beside each inode: more below an inode size where extended attributes fit inside."""
    usual = catalog.get(Limit, BESIDE)
    return usual if inode >= usual.value else catalog.get(Limit, BESIDE_SMALL)


def _rule(inode: int, beside: int, copies: int, share: Constant) -> str:
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))
    stored = "once" if copies == 1 else f"{copies} times"
    return (
        f"The space of the metadata volumes, everything in it stored {stored}, divided by inodes of {inode:,} bytes: "
        f"{value} of it for inodes, the rest for directories, indirect blocks and logs. Low: {value} of it for inodes "
        f"with {beside:,} bytes of directory entries, indirect blocks and attributes beside each, and no more than "
        f"{low} for the inodes alone. High: {high} of the whole disk groups, every byte an inode."
    )
