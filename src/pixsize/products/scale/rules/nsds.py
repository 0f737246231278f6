"""NSDs: how many, in which pool, of which use, over which servers, with which block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pixsize import units
from pixsize.check.context import Context, Hit, data_drives, differences, grouped
from pixsize.expected import ExpectedVolume
from pixsize.findings import Finding
from pixsize.plan.records import Target, same_host
from pixsize.products.scale.plan import SYSTEM_POOL, nsd_of, scale
from pixsize.products.scale.rules.design import request_of
from pixsize.texts import listed


def nsd_count(context: Context) -> Iterator[Finding]:
    """PX509: GPFS allows a number of NSDs in a file system."""
    count, limit = len(context.plan.targets), context.limit("scale.nsds")
    if count <= limit:
        return
    by_path = Counter(n.module.where for n in context.stacks)
    largest = max(by_path, key=lambda w: by_path[w], default="storage_modules")
    where = f"{largest}.modules" if largest == "hdmd" else f"{largest}.count"
    message = f"{count:,} NSDs; IBM Storage Scale allows {limit:,} in a file system"
    yield Finding("PX509", message, where, "fewer modules, or a second file system")


def pools(context: Context) -> Iterator[Finding]:
    """PX517: metadata and descriptors lie in `system`, data in the data pool, each with that use alone."""
    expected = {
        "data": ("dataOnly", scale(context.plan).data_pool),
        "metadata": ("metadataOnly", SYSTEM_POOL),
        "descriptor": ("descOnly", SYSTEM_POOL),
    }

    def hits() -> Iterator[Hit]:
        count, most = len({nsd_of(t).pool for t in context.plan.targets}), context.limit("scale.pools")
        if count > most:
            yield "", f"the NSDs lie in {count} pools, where a file system takes {most}"
        if scale(context.plan).data_pool == SYSTEM_POOL:
            yield "", f"the data pool is {SYSTEM_POOL}"
        for target in context.plan.targets:
            usage, pool = expected[target.purpose]
            added = context.added_volumes.get(target.volume or "")
            if added:
                usage, pool = "dataOnly", added.pool
            if (nsd_of(target).usage, nsd_of(target).pool) != (usage, pool):
                found = f"{target.id} holds {target.purpose} as {nsd_of(target).usage} in {nsd_of(target).pool}"
                yield "", f"{found}, expected {usage} in {pool}"

    return grouped("PX517", hits(), f"metadata and descriptors live in {SYSTEM_POOL}, every other pool is dataOnly")


def block_and_inode(context: Context) -> Iterator[Finding]:
    """PX518: block and inode sizes that mmcrfs takes."""
    filesystem = scale(context.plan)
    low, high = _block_bounds(context)
    if not _block_is_legal(context):
        allowed = f"GPFS takes powers of two from {units.binary_bytes(low)} to {units.binary_bytes(high)}"
        message = f"a block of {units.binary_bytes(filesystem.block_bytes)}; {allowed}"
        yield Finding("PX518", message, "filesystem.block_size", "8 MiB is the white paper's")
    inodes = context.choice("scale.inode_sizes")
    if filesystem.inode_bytes not in inodes:
        allowed = listed(map(units.binary_bytes, inodes), len(inodes))
        message = f"inodes of {filesystem.inode_bytes:,} bytes; GPFS takes {allowed}"
        yield Finding("PX518", message, "filesystem.inode_size", "4 KiB is GPFS's own default")


def one_copy(context: Context) -> Iterator[Finding]:
    """PX519: metadata has more than one copy."""
    if scale(context.plan).metadata_replicas == 1:
        message = "one copy of the metadata: the loss of one RAID 1, or of one metadata array, loses the file system"
        yield Finding("PX519", message, "filesystem.metadata_replicas", "metadata_replicas: 2")


def nsd_servers(context: Context) -> Iterator[Finding]:
    """PX521: an NSD takes a number of servers."""
    most = context.limit("scale.nsd_servers")
    hits = (("", f"{t.id} has {len(t.servers)} servers") for t in context.plan.targets if len(t.servers) > most)
    return grouped("PX521", hits, f"one port a server on each controller, and at most {most} servers an NSD")


def nsds_match_volumes(context: Context) -> Iterator[Finding]:
    """PX524: an NSD has the name of its volume, and the servers that its array is cabled to."""

    def hits() -> Iterator[Hit]:
        for target, added in added_targets(context):
            if target.id != added.id:
                yield "", f"{target.id}: target's name {target.id}, expected {added.id}"
            if sorted(target.servers) != sorted(added.servers):
                served = f"{added.backing} is served by {listed(added.servers)}"
                yield "", f"{target.id}: served by {listed(target.servers)}, while {served}"
        for stack in context.stacks:
            target, servers = stack.target, stack.module.servers
            if target.id != stack.volume.id:
                yield stack.module.where, f"{target.id}: target's name {target.id}, expected {stack.volume.id}"
            if sorted(target.servers) != sorted(servers):
                cabled = f"{stack.group.array} is cabled to {listed(servers)}"
                yield stack.module.where, f"{target.id}: served by {listed(target.servers)}, while {cabled}"

    return grouped("PX524", hits(), "disk group, volume and target describe one thing")


def stripe_divides_block(context: Context) -> Iterator[Finding]:
    """PX522: a full file-system block is a whole number of RAID stripes."""
    block = scale(context.plan).block_bytes
    stripes = {
        (n.module.where, n.group.chunk_bytes, data_drives(n.group))
        for n in context.stacks
        if n.group.chunk_bytes and n.group.purpose == "data" and context.width_is_legal(n.group)
    }
    if not _block_is_legal(context):
        return  # PX518 names the block; what would divide it is no question then
    for where, chunk, drives in sorted(stripes):
        stripe = (chunk or 0) * drives
        if stripe and block % stripe:
            message = (
                f"a stripe of {drives} data drives with chunks of {units.binary_bytes(chunk or 0)} is "
                f"{units.binary_bytes(stripe)} and does not divide the block of {units.binary_bytes(block)}"
            )
            yield Finding("PX522", message, f"{where}.chunk_size", _dividing_hint(context, block, drives))


def one_nsd_each(context: Context) -> Iterator[Finding]:
    """PX529: a device that the request names is not a planned volume, and not used by another NSD on its servers."""

    def hits() -> Iterator[Hit]:
        for target in (t for t in context.plan.targets if t.volume is None):
            other = _other_user(context, target)
            if other:
                yield "filesystem.descriptor.device", f"{target.device} of {target.id} is {other}"

    hint = "a partition or disk of the server's own, such as one below /dev/disk/by-id"
    return grouped("PX529", hits(), "a device holds one NSD", hint)


def nsds_in_order(context: Context) -> Iterator[Finding]:
    """PX525: NSDs stand in the order of their volumes, and the descriptor's comes last."""
    expected: list[tuple[object, ...]] = [(v.id, v.id, f"/dev/mapper/{v.id}") for v in context.own_volumes]
    expected += [(v.id, v.id, v.device) for v in context.added_volumes.values()]
    requested = request_of(context).filesystem.descriptor
    expected += [("desc01", None, requested.device)] if requested else []
    why = differences("NSD", ("id", "volume", "device"), context.plan.targets, expected)
    turned = [
        f"NSD {t.id} prefers {listed(t.servers)}, expected {listed(added.servers)}"
        for t, added in added_targets(context)
        if t.servers != added.servers
    ]
    hits = (("", w) for w in (*why, *turned))
    return grouped("PX525", hits, "an NSD a volume, in their order, and then the descriptor's")


def added_targets(context: Context) -> Iterator[tuple[Target, ExpectedVolume]]:
    """The NSDs on volumes that products add, each with the volume as it is expected."""
    for target in context.plan.targets:
        if target.volume in context.added_volumes:
            yield target, context.added_volumes[target.volume]


RULES = (
    nsd_count,
    one_nsd_each,
    pools,
    block_and_inode,
    one_copy,
    nsd_servers,
    nsds_match_volumes,
    stripe_divides_block,
)
EXACT = (nsds_in_order,)
"""These run where no rule of the first stage has found an error."""


def _other_user(context: Context, target: Target) -> str:
    """What else uses a device: a volume, by its alias or WWID, or an NSD of the same server; empty if nothing does."""
    name = re.sub(r"^dm-(name|uuid-mpath)-", "", target.device.rpartition("/")[2]).lower()
    for volume in context.plan.volumes:
        alias = volume.id.lower()
        if name == alias or (name.startswith(alias) and re.fullmatch(r"(p|[-_]part)[0-9]+", name[len(alias) :])):
            return f"the planned volume {volume.id}"
        if volume.wwid and volume.wwid[1:].lower() in name:
            return f"the planned volume {volume.id} (its WWID)"
    for other in context.plan.targets:
        shares = any(same_host(a, b) for a in other.servers for b in target.servers)
        if other.id != target.id and other.device == target.device and shares:
            return f"the device of {other.id} too"
    return ""


def _block_bounds(context: Context) -> tuple[int, int]:
    return context.limit("scale.block_min"), context.limit("scale.block_max")


def _block_is_legal(context: Context) -> bool:
    low, high = _block_bounds(context)
    block = scale(context.plan).block_bytes
    return low <= block <= high and block & (block - 1) == 0


def _dividing_hint(context: Context, block: int, drives: int) -> str:
    """The largest chunk that the array takes and that divides the block over `drives`; another block if none."""
    fitting = [c for c in context.choice(f"{context.design.volumes}.chunk_sizes") if block % (c * drives) == 0]
    if not fitting:
        return "another block: no chunk size of the array divides this one"
    return f"chunk_size: {units.binary_bytes(max(fitting))}, or a larger block"
