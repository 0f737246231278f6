"""How RAID levels use the drives of a group (Dell PowerVault ME4 Administrator's Guide, RAID levels)."""

from __future__ import annotations

PARITY_DRIVES = {"r5": 1, "r6": 2}
MIRRORED = frozenset({"r1", "r10"})


def data_drives(level: str, drives: int) -> int:
    """How many of a group's drives hold data once parity or mirrors are taken off."""
    return drives // 2 if level in MIRRORED else drives - PARITY_DRIVES[level]
