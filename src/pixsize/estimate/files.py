"""How many files the metadata volumes hold."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import cited
from pixsize.estimate.capacity import metadata_by_failure_group, replicated
from pixsize.figures import Figure, weakest
from pixsize.plan.records import Plan

INODE_SHARE = "scale.inode_share"


def files_max(plan: Plan, catalog: Catalog) -> Figure:
    """Files (and directories) that fit: one inode each, beside directories and indirect blocks.

    The value and the low end rest on the volumes as they are made; the high end on the whole disk groups, every byte of
    them an inode.
    """
    share = catalog.get(Constant, INODE_SHARE)
    inode, copies = plan.filesystem.inode_bytes, plan.filesystem.metadata_replicas
    made = {v.backing: v.bytes for v in plan.volumes if v.purpose == "metadata"}
    whole = {g.id: g.bytes if g.reported_bytes is None else g.reported_bytes for g in plan.disk_groups if g.id in made}
    unique = replicated(metadata_by_failure_group(plan, made).values(), copies)
    most = replicated(metadata_by_failure_group(plan, whole).values(), copies)
    value = int(unique * share.value / inode)
    return Figure(
        id="files.max",
        value=value,
        low=int(unique * share.low / inode),
        high=max(value, int(most * share.high / inode)),
        unit="1",
        basis=weakest(["exact", share.basis]),
        rule=_rule(inode, copies, share),
        sources=(cited.INODES, *share.cited()),
        inputs=("capacity.metadata.usable", "volumes.metadata", "me4.volume_margin", INODE_SHARE),
    )


def _rule(inode: int, copies: int, share: Constant) -> str:
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))
    stored = "once" if copies == 1 else f"{copies} times"
    return (
        f"The space of the metadata volumes, everything in it stored {stored}, divided by inodes of {inode:,} bytes: "
        f"{value} of it for inodes, the rest for directories, indirect blocks and logs. Low: {low}, where directories "
        f"and indirect blocks need as much as the inodes. High: {high} of the whole disk groups, every byte an inode."
    )
