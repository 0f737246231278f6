"""The points of each test: threads, the data or files of each thread, and how long they take at the plan's rates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, lcm
from typing import Literal, NamedTuple

from pixsize.acceptance.rules import LEAST_SECONDS, TIMES_MEMORY
from pixsize.catalog.benchmarks import BenchmarkMethod, Test
from pixsize.estimate.ids import METADATA, OPERATIONS, RANDOM, SEQUENTIAL, by_threads
from pixsize.figures import Figure

Data = Literal["memory", "document"]
MIB = 1 << 20
SMALL = 4096
"""The transfers of the random tests."""
FILES_MIB = 16
"""What writes the files of the random tests, in MiB a transfer (dell-pixstor-6, Random Small Blocks IOzone: -r 16M)."""
_AGAIN = 5 / 4
"""How much longer than the least a run of mdtest is made: another system may be as much faster than the plan says."""
_MOST_ITERATIONS = 20


class Clients(NamedTuple):
    """The nodes that the tests run on: their names, the cores of each (None: unknown), and what memory may hold data.

    `memory` is that of clients and servers together, in bytes; `is_known` says whether that of the clients is in it.
    """

    names: tuple[str, ...]
    cores: int | None
    memory: int
    is_known: bool = True


class Point(NamedTuple):
    """A run with so many threads: for each phase of the test, how long it takes at the plan's rates, in whole seconds.

    Of data, `each` is the bytes of a thread. Of files, `directories` are those of a thread and `files` its files.
    """

    threads: int
    each: int
    directories: int
    files: int
    seconds: tuple[int, ...]

    @property
    def total(self) -> int:
        """The bytes of all threads together."""
        return self.threads * self.each


def stems(test: Test) -> Mapping[str, str]:
    """The rates of a plan that a test measures, without `.peak` or `.sustained`, by the operation."""
    if test in ("n_n", "n_1"):
        return {o: f"{SEQUENTIAL}{test}.{o}" for o in ("write", "read")}
    if test == "n_n_128k":
        return {o: f"{SEQUENTIAL}n_n.{o}.128k" for o in ("write", "read")}
    if test == "random":
        return {o: f"{RANDOM}{o}" for o in ("write", "read")}
    return {o: f"{METADATA}{test}.{o}" for o in OPERATIONS}


def measures(test: Test, figures: Mapping[str, Figure]) -> tuple[str, ...]:
    """The rates of a plan that a test measures and that the plan has, in the same form."""
    endings = ("", ".peak", ".sustained")
    return tuple(stem for stem in stems(test).values() if any(f"{stem}{end}" in figures for end in endings))


def thread_counts(method: BenchmarkMethod, asked: Sequence[int], clients: Clients) -> tuple[int, ...]:
    """The numbers of threads of a test: those asked for, else the document's; no more than the clients have cores."""
    most = len(clients.names) * clients.cores if clients.cores else None
    found = set(asked)
    if not found:
        powers = (1 << n for n in range(method.threads_most.bit_length()))
        found = {n for n in powers if method.threads_least <= n <= method.threads_most}
        found |= {most} if method.every_core and most else set()
    kept = sorted(n for n in found if most is None or n <= most)
    return tuple(kept or ([most] if most else ()))


def points(
    method: BenchmarkMethod, data: Data, asked: Sequence[int], clients: Clients, figures: Mapping[str, Figure]
) -> tuple[Point, ...]:
    """The points of a test. `data` is whether they move twice the memory at least, or what the document used."""
    made = _of_files if method.of_files else _of_data
    return tuple(made(method, n, data, clients, figures) for n in thread_counts(method, asked, clients))


def document_bytes(method: BenchmarkMethod, threads: int) -> int:
    """The data that the document used with so many threads."""
    return method.total_bytes or (method.each_bytes or 0) * threads


def _of_data(
    method: BenchmarkMethod, threads: int, data: Data, clients: Clients, figures: Mapping[str, Figure]
) -> Point:
    """Every thread moves whole transfers and whole MiB, so that the total is no less than the one wanted."""
    wanted = document_bytes(method, threads)
    if data == "memory":
        wanted = max(wanted, TIMES_MEMORY * clients.memory)
    # IOzone leaves out a last transfer that is not whole: random reads would then go beyond the end of the files.
    files = FILES_MIB * MIB if method.test == "random" else 1
    unit = lcm(MIB, method.transfer_bytes or 1, method.read_transfer_bytes or 1, files)
    each = ceil(wanted / (threads * unit)) * unit
    return Point(threads, each, 0, 0, tuple(_seconds(method.test, threads, threads * each, figures)))


def _seconds(test: Test, threads: int, total: int, figures: Mapping[str, Figure]) -> Iterator[int]:
    """Of a write and a read; or of the write that makes the files of a random test, and of its random transfers."""
    if test != "random":
        rates = (rate_of(stem, threads, figures) for stem in stems(test).values())
        yield from (ceil(total / rate) if rate else 0 for rate in rates)
        return
    first = rate_of(stems("n_n")["write"], threads, figures)
    yield ceil(total / first) if first else 0
    rates = (rate_of(stem, threads, figures) for stem in stems(test).values())
    yield sum(ceil(total / SMALL / rate) if rate else 0 for rate in rates)


def _of_files(
    method: BenchmarkMethod,
    threads: int,
    data: Data,  # noqa: ARG001  the same call for both kinds
    clients: Clients,  # noqa: ARG001
    figures: Mapping[str, Figure],
) -> Point:
    directories = 0
    each = method.files_each or 0
    if method.files and method.per_directory:
        directories = max(ceil(method.files / (method.per_directory * threads)), 1)
        each = directories * method.per_directory
    rates = [rate_of(stem, threads, figures) for stem in stems(method.test).values()]
    return Point(threads, 0, directories, each, (ceil(sum(each * threads / rate for rate in rates if rate)),))


def iterations(method: BenchmarkMethod, point: Point) -> int:
    """How often mdtest repeats its phases: as often as the document, and for about a minute at least."""
    if not method.of_files or not point.seconds[0]:
        return method.iterations
    needed = ceil(LEAST_SECONDS * _AGAIN / point.seconds[0])
    return max(method.iterations, min(needed, _MOST_ITERATIONS))


def rate_of(stem: str, threads: int, figures: Mapping[str, Figure]) -> int:
    """What so many threads reach of a rate: the value for them, the sustained one or the peak; 0 without."""
    for figure in (by_threads(stem, threads), f"{stem}.sustained", f"{stem}.peak", stem):
        if figure in figures:
            return figures[figure].value
    return 0


def lasting(method: BenchmarkMethod, made: Iterable[Point]) -> int:
    """The seconds of all points of a test at the plan's rates."""
    return sum(sum(p.seconds) * iterations(method, p) for p in made)
