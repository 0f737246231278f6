"""What ldiskfs makes of each target: sizes of one kind are worked out once, however many targets share them."""

from __future__ import annotations

from pixsize.plan.records import DiskGroup, data_drives
from pixsize.products.lustre.ldiskfs import formatted
from pixsize.products.lustre.plan import Ldiskfs
from pixsize.products.lustre.records import LustreRelease

BLOCK = 4096


class Formatter:
    """The formats of a release. `mmp`: whether targets are served by more than one node, and so protected."""

    def __init__(self, release: LustreRelease, *, mmp: bool) -> None:
        self._release = release
        self._mmp = mmp
        self._known: dict[tuple[str, bool, int, int, int], Ldiskfs] = {}

    def formatted(self, kind: str, combined: bool, device_bytes: int, group: DiskGroup | None) -> Ldiskfs:
        """What `mkfs.lustre` makes of a device of this size; `combined`: an MDT that holds the MGS too.

        Stride and stripe width are those of the group below, where it has chunks; an MGT is too small to need them.
        """
        stride, width = (0, 0) if kind == "mgt" or group is None else alignment(group)
        key = (kind, combined, device_bytes, stride, width)
        if key not in self._known:
            self._known[key] = formatted(
                self._release, kind, device_bytes, stride=stride, stripe_width=width, mmp=self._mmp, mgs=combined
            )
        return self._known[key]


def alignment(group: DiskGroup) -> tuple[int, int]:
    """Stride and stripe width in blocks of 4 KiB: a chunk, and a chunk on each data drive; 0 where there are no chunks.

    Lustre Operations Manual, Formatting options for ldiskfs RAID devices.
    """
    stride = (group.chunk_bytes or 0) // BLOCK
    return stride, stride * data_drives(group.level, len(group.slots))
