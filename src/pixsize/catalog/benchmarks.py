"""How the document of a design ran its benchmarks: nodes, a method for each test, the words of tools and MPIs."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Many, Model, Natural, Record
from pixsize.quantities import Bytes

Tool = Literal["ior", "mdtest", "iozone"]
Mpi = Literal["openmpi", "mpich", "mvapich2", "intel"]
Test = Literal["n_n", "n_n_128k", "n_1", "random", "empty", "128b", "3k", "4k"]
"""N clients to N files, the same with transfers of 128 KiB, N to one file, random 4 KiB; files of a size."""
ToolVersion = Annotated[
    str, matching(r"[0-9]{1,3}(\.[0-9]{1,4}){1,3}([-+.]?[a-z0-9]{1,12}){0,2}", "numbers with points, such as 3.3.0")
]
Option = Annotated[
    str, matching(r"-{0,2}[A-Za-z0-9][A-Za-z0-9_.=:{}-]{0,39}", "an option or its value, such as -e, or {threads}")
]
"""A word of a command line."""
Files = Annotated[int, Field(ge=1, le=1 << 32)]
"""A number of files."""
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def version_of(text: str) -> tuple[int, ...]:
    """The numbers that a version begins with, for comparison: (3, 3, 0) of `3.3.0+dev`; empty where there are none."""
    match = _NUMBERS.match(text)
    return tuple(map(int, match[0].split("."))) if match else ()


class BenchmarkNodes(Model):
    """Equal clients: how many, and of each the cores and the memory, where the document gives them."""

    count: Natural
    cores: Natural | None = None
    memory_bytes: Bytes | None = Field(None, alias="memory")


class Benchmark(OfDesign):
    """The clients that the benchmarks of a design's document ran on, and its MPI; a request may name others."""

    clients: BenchmarkNodes
    mpi: Mpi = "openmpi"


class BenchmarkMethod(OfDesign):
    """How the document of a design ran a test: the tool, its version and options, threads and sizes.

    Threads are powers of two from `threads_least` to `threads_most`; with `every_core` there is one more point, with a
    thread for each core of the clients. Of data, `total` is what all threads move together, or `each` what one does;
    `sized_by` says whether a run by default moves at least twice the memory of clients and servers, or as much as the
    document. `read_transfer` is there where reads had other transfers than writes. Of metadata, `files` are those of
    all threads together or `files_each` those of one; `per_directory` of them lie in a directory, all of a thread's
    where it is left out. `options` are further words of the command.
    """

    test: Test
    tool: Tool
    version: ToolVersion
    threads_least: Natural = 1
    threads_most: Natural = 1024
    every_core: bool = False
    transfer_bytes: Bytes | None = Field(None, alias="transfer")
    read_transfer_bytes: Bytes | None = Field(None, alias="read_transfer")
    total_bytes: Bytes | None = Field(None, alias="total")
    each_bytes: Bytes | None = Field(None, alias="each")
    sized_by: Literal["memory", "document"] = "memory"
    direct: bool = False
    iterations: Natural = 1
    files: Files | None = None
    files_each: Files | None = None
    per_directory: Natural | None = None
    file_bytes: int = Field(0, ge=0, le=1 << 30)
    options: Many[Option] = ()

    @property
    def of_files(self) -> bool:
        """Whether it measures operations on files, not the data in them."""
        return self.tool == "mdtest"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """A test of data has transfers and a size of data; one of metadata has a number of files."""
        if self.threads_most < self.threads_least:
            raise ValueError("threads_most: less than threads_least")
        if self.of_files != (self.test in ("empty", "128b", "3k", "4k")):
            raise ValueError("test: mdtest measures operations on files, and no other tool does")
        if self.of_files and (self.files is None) == (self.files_each is None):
            raise ValueError("files: those of all threads, or files_each, and not both")
        if self.of_files and self.files is not None and self.per_directory is None:
            raise ValueError("per_directory: needed where files are those of all threads")
        if not self.of_files and self.transfer_bytes is None:
            raise ValueError("transfer: a test of data needs the size of its transfers")
        if not self.of_files and (self.total_bytes is None) == (self.each_bytes is None):
            raise ValueError("total: the data of all threads, or each, and not both")
        return self


class BenchmarkTool(Record):
    """The words of a tool from a version on, up to the next record of it: `direct` goes past the caches of clients.

    `files` is for mdtest: the option with the number of files, counted in a directory or of a task.
    """

    tool: Tool
    since: ToolVersion
    direct: Option | Literal[""] = ""
    files: Literal["", "per_directory", "per_task"] = ""


class BenchmarkMpi(Record):
    """How an MPI starts processes one after the other on each of the nodes of a host file, and a line of that file.

    `{hosts}` is the file, `{threads}` the number of processes; `{host}` a node and `{slots}` its processes.
    """

    mpi: Mpi
    words: Many[
        Annotated[str, matching(r"-{1,2}[a-z-]{1,30}|[a-z]{1,20}|\{hosts\}|\{threads\}", "an option or its value")]
    ]
    host: Annotated[str, matching(r"\{host\}(:1|:\{slots\}| slots=\{slots\})?", "{host}, and where it applies {slots}")]
