"""Volumes for Lustre that exist: any size will do, but one far smaller than its group is worth a word."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pixsize import units
from pixsize.arrays.rules.observed_drives import read_at
from pixsize.check.context import Context, Hit, Stack, capacity, grouped
from pixsize.findings import About, Finding

_LEFT = Fraction(25, 1000)
"""No rounding leaves more than this of a group, nor does the planned margin: arrays keep 1 to 3 % of what is sold."""


def small_volumes(context: Context) -> Iterator[Finding]:
    """PX306: a volume that exists takes about all that its group has for it.

    An MGT takes what it needs, and an MDT as much as the smallest group of them has.
    """
    rooms = {s.target.id: _room(context, s) for s in context.stacks}
    mdts = [s.target.id for s in context.stacks if s.target.kind == "mdt"]
    rooms |= dict.fromkeys(mdts, min((rooms[t] for t in mdts), default=0))

    def hits() -> Iterator[Hit]:
        for stack in context.stacks:
            idle = rooms[stack.target.id] - stack.volume.bytes
            if stack.target.kind != "mgt" and _is_judged(context, stack) and idle > _LEFT * capacity(stack.group):
                yield stack.module.where, About(stack.array.id, "volume", _seen(context, stack))

    hint = (
        "a size without a unit in `create volume` counts blocks of 512 bytes; expand volumes before mkfs.lustre, never "
        "after it"
    )
    return grouped("PX306", hits(), "a volume spans its group", hint)


RULES = (small_volumes,)


def _is_judged(context: Context, stack: Stack) -> bool:
    """Whether the volume exists, and no other rule names it: one on a group that reports no free space has its own."""
    seen = context.observed.arrays.get(stack.array.id)
    if seen is None or not context.was_made(stack.volume):
        return False
    reply = seen.groups.get(stack.group.id)
    return reply is None or reply.free_bytes is not None or stack.group.purpose == "metadata"


def _room(context: Context, stack: Stack) -> int:
    """What the volume could take, beside the others of its group."""
    return max(stack.volume.bytes + _left(context, stack), 0)


def _left(context: Context, stack: Stack) -> int:
    """Bytes of a group that none of its volumes takes: as reported, or of what a plan without replies counts on."""
    group = stack.group
    there = [context.volumes[v] for v in context.volumes_on[group.id]]
    taken = sum(v.bytes for v in there)
    seen = context.observed.arrays.get(stack.array.id)
    reply = seen.groups.get(group.id) if seen else None
    if reply is None:
        return int(group.bytes * (1 - context.share(f"{context.family(stack.array.id)}.volume_margin"))) - taken
    left = reply.bytes - taken
    if reply.free_bytes is None:
        return left
    return min(
        left, reply.free_bytes - sum(v.bytes for v in there if not context.was_made(v))
    )  # free may be from before


def _seen(context: Context, stack: Stack) -> str:
    volume, group, seen = stack.volume, stack.group, context.observed.arrays[stack.array.id]
    has, left = units.decimal_bytes(volume.bytes), units.decimal_bytes(_left(context, stack))
    free = f"and {group.id} has {left} free" if group.id in seen.groups else f"{left} less than {group.id} has for it"
    return f"{volume.id} has {has}, {free}{read_at(seen, 'volume', volume.id)}"
