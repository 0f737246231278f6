"""Full stripes of disk groups with parity, and what a write costs that fills none."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import NamedTuple

from pixsize.plan.records import MIRRORED, PARITY_DRIVES, DiskGroup, data_drives


class Stripe(NamedTuple):
    """A full stripe of a group with parity: one chunk on each of its data drives. A write of it reads nothing first."""

    data_drives: int
    chunk_bytes: int
    parity_drives: int

    @property
    def bytes(self) -> int:
        """The data of a stripe; the parity lies beside it."""
        return self.data_drives * self.chunk_bytes

    def overhead(self, block: int) -> Fraction:
        """How many times the traffic of full stripes the drives have, if each block of `block` bytes is a write.

        1 where a block is whole stripes. Blocks lie one behind another; the mean over the places where one may begin.
        Part of a stripe is written either by reading its old data and parity first, or by reading the rest of the
        stripe, whichever is less (Dell PowerVault ME4 Administrator's Guide, as for PX522: such a write must read
        before it can write parity).
        """
        step = gcd(block, self.bytes)
        starts = range(0, self.bytes, step)
        moved = sum((self._moved(start, block) for start in starts), Fraction(0)) / len(starts)
        full = Fraction(self.data_drives + self.parity_drives, self.data_drives)
        return moved / block / full

    def _moved(self, start: int, size: int) -> Fraction:
        """The bytes that the drives read and write for a write of `size` bytes that begins at `start` of a stripe."""
        first = min(size, (self.bytes - start) % self.bytes)
        full, last = divmod(size - first, self.bytes)
        return Fraction(self._part(first) + self._part(last) + full * self._full())

    def _full(self) -> int:
        return self.bytes + self.parity_drives * self.chunk_bytes

    def _part(self, size: int) -> int:
        """What the drives read and write for part of a stripe; for part of a chunk, as much parity."""
        parity = self.parity_drives * min(size, self.chunk_bytes)
        rest = self.bytes - size if size >= self.chunk_bytes else (self.data_drives - 1) * size
        return min(2 * (size + parity), rest + size + parity) if size else 0


def stripe_of(group: DiskGroup) -> Stripe | None:
    """The stripe of a group; None for mirrors, which never read before they write, and where the chunk is not known."""
    if group.level in MIRRORED or not group.chunk_bytes:
        return None
    drives = len(group.slots)
    return Stripe(data_drives(group.level, drives), group.chunk_bytes, PARITY_DRIVES[group.level])
