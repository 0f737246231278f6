"""The commands of the tools as words of a shell, for every point of a test, and the host files of an MPI.

A word with `$` is one of the script's variables: `threads`, `each` (MiB of a thread), `directories`, `files`,
`iterations` and `directory`. Every other word stands as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pixsize.bench.points import FILES_MIB, MIB
from pixsize.catalog.benchmarks import BenchmarkMethod, BenchmarkMpi, BenchmarkTool, version_of
from pixsize.catalog.catalog import Catalog


class Phase(NamedTuple):
    """A command of a point. `measures` is what it measures, empty where it only prepares; `reads`: what was written."""

    name: str
    words: tuple[str, ...]
    measures: str
    reads: bool


def tool_words(tool: str, version: str, catalog: Catalog) -> BenchmarkTool | None:
    """The record of a tool for a version: the newest that begins no later; None where all begin later."""
    records = sorted((r for r in catalog.all(BenchmarkTool) if r.tool == tool), key=lambda r: version_of(r.since))
    return next((r for r in reversed(records) if version_of(r.since) <= version_of(version)), None)


def phases(method: BenchmarkMethod, words: BenchmarkTool) -> tuple[Phase, ...]:
    """The commands of a point, in their order."""
    made = {"ior": _ior, "iozone": _iozone, "mdtest": _mdtest}[method.tool]
    return made(method, words)


def _ior(method: BenchmarkMethod, words: BenchmarkTool) -> tuple[Phase, ...]:
    """A write and a read, each a run of its own, so that caches are dropped between them. -k keeps the files."""
    alone = method.test != "n_1"
    transfers = (method.transfer_bytes or MIB, method.read_transfer_bytes or method.transfer_bytes or MIB)

    def phase(operation: str, transfer: int) -> Phase:
        command = [
            "-a", "POSIX", *method.options, "-i", "$iterations", "-k", *(["-F"] if alone else []),
            *([words.direct] if method.direct else []),
            "-o", "$directory/file", f"-{operation[0]}", "-s", "1", "-t", _short(transfer), "-b", "${each}m",
        ]  # fmt: skip
        return Phase(operation, tuple(command), operation, operation == "read")

    return phase("write", transfers[0]), phase("read", transfers[1])


def _iozone(method: BenchmarkMethod, words: BenchmarkTool) -> tuple[Phase, ...]:
    """A write and a read; or the write that makes files, and random reads and writes in them. -w keeps the files."""
    transfer = method.transfer_bytes or MIB
    sizes = ("-s", "${each}m", "-t", "$threads", "-+n", "-+m", "$list")
    direct = (words.direct,) if method.direct else ()
    if method.test != "random":
        same = (*method.options, *direct, "-w", "-r", _short(transfer).upper(), *sizes)
        return Phase("write", ("-i", "0", *same), "write", False), Phase("read", ("-i", "1", *same), "read", True)
    first = ("-i", "0", "-c", "-e", "-w", "-r", f"{FILES_MIB}M", *sizes)
    then = ("-i", "2", *method.options, *direct, "-w", "-r", _short(transfer).upper(), *sizes)
    return Phase("files", first, "", False), Phase("random", then, "random reads and writes", True)


def _mdtest(method: BenchmarkMethod, words: BenchmarkTool) -> tuple[Phase, ...]:
    """All operations in one run. -u: a directory for each thread; -N 1: each looks at files of the next node."""
    tree: tuple[str, ...] = ("-n", "$files")
    if method.per_directory:
        count = ("-I", f"{method.per_directory}") if words.files == "per_directory" else ("-n", "$files")
        tree = ("-b", "$directories", "-z", "1", *count)
    sizes = ("-w", f"{method.file_bytes}", "-e", f"{method.file_bytes}") if method.file_bytes else ()
    command = (*method.options, "-d", "$directory", "-i", "$iterations", *tree, "-L", "-u", "-t", "-F", *sizes)
    return (Phase("files", (*command, "$shift"), "create, stat, read and remove", False),)


def _short(size: int) -> str:
    """A size as the tools take it: 16m, 128k."""
    return f"{size >> 20}m" if size % MIB == 0 else f"{size >> 10}k"


def share(names: Sequence[str], threads: int) -> list[tuple[str, int]]:
    """The nodes that take part with so many threads, one after the other, and how many threads each has."""
    each, more = divmod(threads, len(names))
    counts = [each + (1 if place < more else 0) for place in range(len(names))]
    return [(name, count) for name, count in zip(names, counts, strict=True) if count]


def host_file(names: Sequence[str], threads: int, mpi: BenchmarkMpi) -> str:
    """The host file of an MPI for so many threads."""
    lines = (mpi.host.format(host=name, slots=count) for name, count in share(names, threads))
    return "".join(f"{line}\n" for line in lines)
