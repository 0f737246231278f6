"""What a benchmark tool measured: one operation of one run, with the conditions that its output tells."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pixsize.figures import Unit

Tool = Literal["IOR", "mdtest", "IOzone", "IO500", "fio", "elbencho"]
Pattern = Literal["n_n", "n_1", "random", "random_n_1", "metadata", "other"]
"""N clients to N files, N to one file, random offsets in files of their own or in one file, operations on files, and
what no figure of a plan is of.
"""


class Doubt(NamedTuple):
    """What the output itself shows to be wrong about a run: the code of the finding, and what was seen."""

    code: str
    seen: str


class Run(NamedTuple):
    """One operation of one run: rates are the mean over the iterations, the lowest and the highest of them.

    Rates and sizes are whole numbers of `unit` and of bytes. What the output does not tell is None, or empty. `moved`
    are the bytes of one iteration, `seconds` the time of the shortest, or of all phases where the tool has several.
    `file_bytes` is the size of the files that metadata operations were of. `path` is where the test wrote, `line` where
    the run begins in its file. `is_reread` whether a read may have come from the node that wrote the data in the run.
    `is_flushed` whether the time of a write holds its flush.
    """

    tool: Tool
    version: str
    operation: str
    pattern: Pattern
    unit: Unit
    rate: int
    lowest: int
    highest: int
    iterations: int | None = None
    nodes: int | None = None
    tasks: int | None = None
    transfer: int | None = None
    block: int | None = None
    moved: int | None = None
    seconds: float | None = None
    file_bytes: int | None = None
    direct: bool | None = None
    stonewall: bool | None = None
    is_flushed: bool | None = None
    is_reread: bool | None = None
    command: str = ""
    path: str = ""
    began: str = ""
    line: int = 1
    doubts: tuple[Doubt, ...] = ()


class Unread(NamedTuple):
    """A part of a file that is not counted: where it begins, and why."""

    line: int
    why: str


class Read(NamedTuple):
    """What a file held: runs, and what of it was not counted. A file without either holds nothing of a tool."""

    runs: tuple[Run, ...]
    unread: tuple[Unread, ...]


class UnreadError(Exception):
    """A section of a file cannot be counted; its text says why."""


MOST_RATE = 10**15
"""A rate beyond this, in bytes or operations a second, is no measurement: a petabyte a second."""
