"""The tables of the documents, typed as results of their own systems: a file for each number of threads."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.accept import printing
from tests.accept.printing import MIB


class Typed(NamedTuple):
    """A row of a table: what was measured, the peak in GB/s or op/s and its threads, and the sustained rate, if any."""

    test: str
    operation: str
    peak: float
    threads: int
    sustained: float | None = None


# Dell Technologies Validated Design for HPC PixStor Storage, Table 4; random rates as its text has them, and of metadata
# what its text says where the two differ.
LARGE = (
    Typed("n_n", "write", 20.5, 64, 19.8),
    Typed("n_n", "read", 23.0, 32, 21.0),
    Typed("n_1", "write", 20.2, 16, 18.0),
    Typed("n_1", "read", 21.7, 16, 21.3),
    Typed("random", "write", 12_400, 256, 12_400),
    Typed("random", "read", 18_400, 512),
    Typed("empty", "create", 232_200, 256, 150_000),
    Typed("empty", "stat", 5_340_000, 32, 2_900_000),
    Typed("empty", "read", 2_730_000, 32, 2_000_000),
    Typed("empty", "remove", 189_200, 512),
    Typed("4k", "create", 70_760, 256, 61_000),
    Typed("4k", "stat", 8_620_000, 256, 4_100_000),
    Typed("4k", "read", 5_650_000, 256, 3_200_000),
    Typed("4k", "remove", 285_900, 256, 231_700),
)
SWAPPED = (Typed("random", "write", 18_400, 256, 18_400), Typed("random", "read", 12_400, 256, 12_400))
"""The same table as printed: the columns of its random rates look swapped."""
EXPANDED = (
    Typed("n_n", "write", 21.6, 128, 21.1),
    Typed("n_n", "read", 26.9, 32, 25.7),
    Typed("n_1", "write", 21.7, 16, 21.0),
    Typed("n_1", "read", 27.9, 16, 27.7),
    Typed("random", "write", 27_400, 256, 27_400),
    Typed("random", "read", 32_300, 256, 32_300),
)
"""Table 5: with capacity expansions."""
LUSTRE_ME4 = (
    Typed("n_n", "write", 21.27, 32, 20.0),
    Typed("n_n", "read", 22.56, 32, 20.0),
    Typed("random", "write", 28_530, 256),
    Typed("random", "read", 34_060, 256),
    Typed("empty", "create", 90_000, 1024),
    Typed("empty", "stat", 1_237_000, 1024),
    Typed("empty", "remove", 596_000, 1024),
)
LUSTRE_POWERFLEX = (
    Typed("n_n", "write", 11.5, 864),
    Typed("n_n", "read", 30.8, 864),
    Typed("4k", "create", 162_000, 432, 98_300),
    Typed("4k", "stat", 528_000, 432, 500_000),
    Typed("4k", "read", 197_000, 432, 181_000),
    Typed("4k", "remove", 206_000, 432, 116_000),
)
DATA = 16 << 40
"""Four times the memory of clients and servers."""
FILES = 1 << 25


def write(folder: Path, rows: tuple[Typed, ...], clients: int, version: str = "3.3.0") -> Path:
    """The results of a campaign: below the peak, at it, and with twice the threads. Names say nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for row in rows:
        points = [(row.threads // 2, row.peak * 0.8), (row.threads, row.peak)]
        points += [(row.threads * 2, row.sustained)] if row.sustained is not None else []
        for threads, rate in points:
            (folder / f"{number:03}.out").write_text(printed(row, threads, rate, clients, version))
            number += 1
    return folder


def printed(row: Typed, threads: int, rate: float, clients: int, version: str = "3.3.0") -> str:
    """What a tool prints of a point of a row."""
    nodes = min(clients, threads)
    threads = max(threads // nodes, 1) * nodes
    if row.test in ("n_n", "n_1"):
        values = [rate * 1e9 / MIB * share for share in (0.99, 1.0, 1.01)]
        block = DATA // threads // (16 * MIB) * (16 * MIB)
        alone = row.test == "n_n"
        return printing.ior(
            {row.operation: values}, version=version, tasks=threads, nodes=nodes, block=block, alone=alone
        )
    if row.test == "random":
        kind = "random writers" if row.operation == "write" else "random readers"
        each = [rate / threads] * threads
        return printing.iozone(
            kind, each, unit="ops", record=4, file=DATA // threads // 4096 * 4, flags="-c -e -w -O -I"
        )
    values = [rate * share for share in (0.98, 1.0, 1.02)]
    size = {"empty": 0, "4k": 4096}[row.test]
    each_files = max(FILES, round(25 * rate)) // threads + 1
    return printing.mdtest({row.operation: values}, tasks=threads, nodes=nodes, each=each_files, size=size)
