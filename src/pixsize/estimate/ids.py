"""The ids of figures, or the parts that they are made of, each spelled once; the steps of capacity in their order."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from pixsize import figures
from pixsize.figures import Unit

THROUGHPUT = "throughput."
SEQUENTIAL = f"{THROUGHPUT}sequential."
RANDOM = f"{THROUGHPUT}random_4k."
FABRIC = f"{THROUGHPUT}fabric."
METADATA = "metadata."
FAMILIES = (SEQUENTIAL, RANDOM, METADATA)
"""The beginnings of the ids of figures whose readings show how far readings of such a figure lie apart."""
PATTERNS = ("n_n", "n_1")
DIRECTIONS = ("write", "read")
DURATIONS = ("peak", "sustained")
OPERATIONS = ("create", "stat", "read", "remove")
FILE_SIZES = ("empty", "128b", "3k", "4k")
"""Of the files that operations on metadata were measured with."""
EMPTY_CREATE, CREATE_4K = f"{METADATA}empty.create", f"{METADATA}4k.create"
"""The creation of files without data, and with some, which is never the faster one."""
THREADS = tuple(2**n for n in range(11))
"""Threads of the clients that rates are given for."""
BY_THREADS = "threads_"
"""The beginning of the last part of the ids of such rates."""
POWER = "hardware.power"
RACK_UNITS = "hardware.rack_units"

RAW = "capacity.raw"
SPARES = "capacity.spares"
PARITY = "capacity.parity"
MIRROR = "capacity.mirror"
FORMATTED = "capacity.formatted"
ARRAY_OVERHEAD = figures.ARRAY_OVERHEAD
POOL_SPARE = "capacity.pool_spare"
POOL_METADATA = "capacity.pool_metadata"
ROUNDING = "capacity.rounding"
FILESYSTEM_OVERHEAD = "capacity.filesystem_overhead"
RESERVED = "capacity.reserved"
USABLE = "capacity.usable"
METADATA_RAW = "capacity.metadata.raw"
METADATA_USABLE = "capacity.metadata.usable"
VOLUMES = "volumes."
"""The beginning of the ids of the numbers of volumes, by their purpose."""
FILES = "files.max"


def by_threads(rate: str, threads: int) -> str:
    """The id of what a number of threads reaches of a rate."""
    return f"{rate}.{BY_THREADS}{threads}"


def is_by_threads(figure: str) -> bool:
    """Whether a figure is what a number of threads reaches of a rate."""
    return figure.rpartition(".")[2].startswith(BY_THREADS)


_COUNTS = tuple(f"{BY_THREADS}{n}" for n in THREADS)
_MEASURED: tuple[tuple[str, tuple[tuple[str, ...], ...], Unit], ...] = (
    (SEQUENTIAL, (PATTERNS, DIRECTIONS, DURATIONS), "B/s"),
    (SEQUENTIAL, (("n_n",), DIRECTIONS, ("128k",)), "B/s"),
    (SEQUENTIAL, (("n_n",), DIRECTIONS, _COUNTS), "B/s"),
    (RANDOM, (DIRECTIONS, DURATIONS), "op/s"),
    (METADATA, (FILE_SIZES, OPERATIONS, DURATIONS), "op/s"),
    (METADATA, (FILE_SIZES, OPERATIONS, _COUNTS), "op/s"),
    (POWER, (), "W"),
)
"""The figures that a measurement of a system can set: beginning, further parts of the id, and unit."""
MEASURABLE: dict[str, Unit] = {
    start + ".".join(parts): unit for start, choices, unit in _MEASURED for parts in product(*choices)
}
"""The unit of each figure that a benchmark or a meter can give; all others are calculated."""
MEASURABLE_TEXT = ", ".join(
    start + ".".join("{" + ",".join(parts) + "}" if len(parts) > 1 else parts[0] for parts in choices)
    for start, choices, _ in _MEASURED
)
"""The same in a sentence."""
THREADS_OF = tuple(dict.fromkeys(i.rpartition(".")[0] for i in MEASURABLE if is_by_threads(i)))
"""The rates, without their last part, that are given by threads where there is evidence."""


class Step(NamedTuple):
    """A step of the capacity for data: its name, its figure, and whether the figure is what remains or what is lost."""

    name: str
    figure: str
    is_there: bool


def steps(volumes: str) -> tuple[Step, ...]:
    """From the drives as sold to what df should show; a plan has some of them, in this order.

    Each step that is there is the one before it that is there, less what is lost between them. `volumes` is the figure
    of the volumes of the targets, which each file system names; empty for one that gives no such figure.
    """
    return (
        Step("as sold", RAW, True),
        Step("hot spares", SPARES, False),
        Step("parity", PARITY, False),
        Step("mirror", MIRROR, False),
        Step("formatted", FORMATTED, True),
        Step("array overhead", ARRAY_OVERHEAD, False),
        Step("pool spare", POOL_SPARE, False),
        Step("metadata in the pool", POOL_METADATA, False),
        Step("rounding", ROUNDING, False),
        Step("volumes of the targets", volumes, True),
        Step("file system", FILESYSTEM_OVERHEAD, False),
        Step("reserved", RESERVED, False),
        Step("usable", USABLE, True),
    )
