"""A test of IOR, whichever style it was printed in -> runs; what it prints twice must agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from pixsize.results.records import Doubt, Pattern, Run, UnreadError
from pixsize.results.words import MIB, Options, has_typographic_dash, number, options, rate, size, whole

WITH_VALUE = "aAbdDfGijJlMNoOQstTUX"
"""The letters of IOR's options that take a value."""
RANDOM_BYTES = 4096
_MB = Fraction(MIB, 10**6)
_SLACK = Fraction(1, 50)
"""How far bytes may lie from rate x time: times have few digits."""


class Printed(NamedTuple):
    """A printed number, and how far rounding may have moved it."""

    value: Fraction
    half: Fraction

    def agrees(self, other: Printed) -> bool:
        """Whether both can be the same number. Rates of more than four digits may lack their decimals."""
        room = self.half + other.half
        return abs(self.value - other.value) <= room + room / 10


class Summary(NamedTuple):
    """The highest, lowest and mean rate of an operation in MiB/s, and all cells of the row by name."""

    most: Printed
    least: Printed
    mean: Printed
    cells: Mapping[str, str]


class Test(NamedTuple):
    """One test: its options, the rows of iterations by operation (rate, seconds, cells), the summary, what it moved."""

    options: dict[str, str]
    rows: dict[str, list[tuple[Printed, Printed, Mapping[str, str]]]]
    summaries: dict[str, Summary]
    maxima: list[tuple[str, str, str]]
    moved: list[int]


def runs_of(test: Test, version: str, command: str, began: str, line: int) -> Iterable[Run]:
    """A run for each operation. UnreadError where rows, summary and options do not go together."""
    if not test.rows:
        raise UnreadError("IOR prints no result: the test wrote and read nothing, or failed")
    if set(test.rows) != set(test.summaries):
        raise UnreadError("IOR's summary is not of the operations that its rows are of")
    given = options(command, WITH_VALUE)
    for operation in test.rows:
        yield _run(operation, test, given, version, line)._replace(command=command, began=began)


def _run(operation: str, test: Test, given: Options, version: str, line: int) -> Run:
    summary, rows = test.summaries[operation], test.rows[operation]
    _judge_summary(operation, test)
    transfer, block = _count(summary.cells, "xsize"), _count(summary.cells, "blksiz")
    tasks = _count(summary.cells, "#Tasks")
    _judge_size(test.options.get("xfersize", ""), transfer, "xfersize")
    _judge_size(test.options.get("blocksize", ""), block, "blocksize")
    asked = _asked(test, tasks, block)
    stonewalled = given.value("-D") not in (None, "0") or test.options.get("stonewallingTime", "0") not in ("0", "")
    worn = f"{test.options.get('stoneWallingWearOut')} {' '.join(given.found.get('-O', ()))}"
    wears_out = worn.startswith("1 ") or "stoneWallingWearOut=1" in worn
    moved = _moved(rows, asked, stonewalled or bool(test.moved))
    alone = _is(test, "access", "file-per-process", "single-shared-file")
    random = _is(test, "ordering in a file", "random", "sequential")
    in_operations = random and transfer == RANDOM_BYTES
    factor = Fraction(MIB, transfer) if in_operations else Fraction(MIB)
    mean, least, most = (
        rate(p.value * factor, f"IOR's {operation}") for p in (summary.mean, summary.least, summary.most)
    )
    nodes = _nodes(test.options, tasks)
    shifted = test.options.get("ordering inter file", "no tasks offsets") != "no tasks offsets"
    return Run(
        "IOR",
        version,
        operation,
        pattern(alone, random),
        "op/s" if in_operations else "B/s",
        mean,
        least,
        most,
        len(rows),
        nodes,
        tasks,
        transfer,
        block,
        moved,
        min(float(s.value) for _, s, _ in rows),
        direct=is_direct(given),
        stonewall=stonewalled and not wears_out,
        is_flushed=given.has("-e"),
        is_reread=operation == "read" and "write" in test.rows and (not shifted or nodes == 1),
        path=test.options.get("test filename", ""),
        line=line,
        doubts=tuple(_doubts(test, given, asked, moved, stonewalled)),
    )


def _is(test: Test, option: str, one: str, other: str) -> bool:
    """Whether an option is the one of two words. UnreadError where it is neither, or missing."""
    said = test.options.get(option, "")
    if not said.startswith((one, other)):
        raise UnreadError(f"IOR does not say which of {one} and {other} its option `{option}` is")
    return said.startswith(one)


def pattern(alone: bool, random: bool) -> Pattern:
    """The pattern of a test: files of their own or a shared one, random or sequential offsets."""
    if random:
        return "random" if alone else "random_n_1"
    return "n_n" if alone else "n_1"


def is_direct(given: Options) -> bool:
    """Whether a command asks for direct I/O: `-B` of 3.1 and before, `--posix.odirect` since."""
    return given.has("-B", "--posix.odirect") or "useO_DIRECT=1" in given.found.get("-O", ())


def _judge_summary(operation: str, test: Test) -> None:
    """UnreadError where the summary is not that of the rows: something was changed, or is missing."""
    summary, rates = test.summaries[operation], [r for r, _, _ in test.rows[operation]]
    repetitions = whole(summary.cells["reps"], "reps") if "reps" in summary.cells else len(rates)
    if len(rates) != repetitions:
        raise UnreadError(f"IOR asked for {repetitions} iterations of {operation} and printed {len(rates)}")
    mean = Printed(sum((r.value for r in rates), Fraction(0)) / len(rates), max(r.half for r in rates))
    ends = (max(rates, key=lambda r: r.value), min(rates, key=lambda r: r.value), mean)
    if not all(a.agrees(b) for a, b in zip(ends, (summary.most, summary.least, summary.mean), strict=True)):
        raise UnreadError(f"IOR's summary of {operation} is not that of its iterations: the output was changed")
    for name, mib, mb in test.maxima:
        if name == operation:
            _judge_maximum(Printed(number(mib, "Max"), Fraction(1, 200)), number(mb, "Max"), ends[0])


def _judge_maximum(mib: Printed, mb: Fraction, most: Printed) -> None:
    """UnreadError where `Max Write` is not the highest rate, in both of its units."""
    if not mib.agrees(most) or abs(mib.value * _MB - mb) > Fraction(3, 100):
        raise UnreadError("IOR's `Max` is not the highest of its rows: the output was changed")


def _count(cells: Mapping[str, str], name: str) -> int:
    """A number of the summary, one at the least."""
    if name not in cells:
        raise UnreadError(f"IOR's summary has no column {name}")
    return max(whole(cells[name], name), 1)


def _judge_size(said: str, used: int, what: str) -> None:
    read = size(said)
    # What is printed with a unit has two decimals at the most.
    if read is not None and abs(read - used) * 100 > used:
        raise UnreadError(f"IOR's {what} is {said} among its options and {used} in its summary")


def _asked(test: Test, tasks: int, block: int) -> int | None:
    """The bytes of the whole test: what each task writes, in all its segments."""
    segments = test.options.get("segments", "")
    cells = next(iter(test.summaries.values())).cells
    count = cells.get("segcnt", segments)
    return tasks * block * whole(count, "segments") if count else size(test.options.get("aggregate filesize", ""))


def _moved(rows: list[tuple[Printed, Printed, Mapping[str, str]]], asked: int | None, may_be_less: bool) -> int | None:
    """The bytes that the shortest iteration moved, which is all where nothing ended it early."""
    found: list[Fraction] = []
    for bandwidth, seconds, _ in rows:
        moved = bandwidth.value * seconds.value * MIB
        found.append(moved)
        if asked is None or seconds.value == 0:
            continue
        slack = _SLACK + seconds.half / seconds.value + (bandwidth.half / bandwidth.value if bandwidth.value else 1)
        if moved > asked * (1 + slack) or (not may_be_less and moved < asked * (1 - slack)):
            raise UnreadError("IOR's rate, time and bytes of an iteration do not go together: the output was changed")
    least = round(min(found))
    return asked if asked is not None and not may_be_less else least


def _nodes(said: Mapping[str, str], tasks: int) -> int | None:
    """The nodes that took part: said since 3.3, before that by the tasks on each of them."""
    if "nodes" in said:
        return whole(said["nodes"], "nodes")
    each = said.get("clients per node") or said.get("clients", "").partition("(")[2].partition(" ")[0]
    return -(-tasks // int(each)) if each.isdecimal() and 0 < int(each) < 10**6 else None


def _doubts(test: Test, given: Options, asked: int | None, moved: int | None, stonewalled: bool) -> Iterable[Doubt]:
    # A read takes as much as the write before it left, which a status file tells.
    if not stonewalled and test.moved and "stoneWallingStatusFile" not in " ".join(given.found.get("-O", ())):
        yield Doubt("PX689", f"{moved:,} of {asked or 0:,} bytes were moved, and no stonewall was asked for")
    if any(has_typographic_dash(w) for w in given.rest):
        yield Doubt("PX689", "an option begins with a typographic dash, which IOR does not take for one")
