"""What mdtest 1.9 to 4.x prints: its summary, of rates or of times, and the options that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from pixsize.results.records import Doubt, Run, UnreadError
from pixsize.results.words import Options, has_typographic_dash, number, options, quoted, rate, row

LAUNCHED = re.compile(r"mdtest-(\S{1,40}) was launched with ([0-9]{1,9}) total task\(s\) on ([0-9]{1,7}) node\(s\)\s*")
STARTED = re.compile(r"-- started at (.{1,60}) --\s*")
_FINISHED = re.compile(r"-- finished at (.{1,60}) --\s*")
_SUMMARY = re.compile(r"SUMMARY(?: (rate|time))?(?: \(in (\S{1,12})\))?: \(of ([0-9]{1,6}) iterations\)\s*")
_COUNTED = re.compile(r"([0-9]{1,9}) tasks, ([0-9]{1,18}) (files|directories|files/directories)\s*")
_ROW = re.compile(r"\s*((?:File|Directory|Tree) [a-z]{3,12})\s{0,80}:?\s{1,80}([0-9nai].*)")
_VERBOSE = re.compile(r"(?:V-[0-9]: (?:Rank +[0-9]+ Line +[0-9]+ ?)?)?\s*(write_bytes|read_bytes)\s*: ([0-9]{1,15})\s*")
_ERROR = re.compile(r"(?:ERROR|FATAL): .*|.*\bFAILED in \w+, .*|MPI_ABORT was invoked.*")
_WORN_OUT = "Continue stonewall"
"""What mdtest says when all tasks go on until each has as many files as the fastest had at the stonewall."""
_WITH_VALUE = "abdefiIlnNpsVwWxz"
"""The letters of mdtest's options that take a value, of all its releases."""
OPERATIONS = {
    "File creation": "create",
    "File stat": "stat",
    "File read": "read",
    "File removal": "remove",
    "Directory creation": "directory create",
    "Directory stat": "directory stat",
    "Directory read": "directory read",
    "Directory rename": "directory rename",
    "Directory removal": "directory remove",
    "File rename": "rename",
    "Tree creation": "tree create",
    "Tree removal": "tree remove",
}
"""What the rows of a summary measure."""
_TREES = ("tree create", "tree remove")
"""What is of the directories that files lie in, and not of the files counted."""
_MILLISECONDS, _SECONDS = "ms/op", "seconds"


class _Row(NamedTuple):
    most: Fraction
    least: Fraction
    mean: Fraction
    deviation: Fraction


def read(lines: Sequence[str], line: int) -> tuple[Run, ...]:
    """The runs of one output. UnreadError where it failed, was cut off or was changed, or prints times alone."""
    launched = next((m for text in lines if (m := LAUNCHED.fullmatch(text))), None)
    if failed := next((text for text in lines if _ERROR.fullmatch(text)), None):
        raise UnreadError(f"mdtest failed: {quoted(failed.strip())}")
    if launched is None:
        raise UnreadError("mdtest does not say how many tasks were launched: the output is cut off")
    if not any(_FINISHED.fullmatch(text) for text in lines):
        raise UnreadError("mdtest did not finish: its line `-- finished at` is missing, so that the output is cut off")
    command = next((t.partition(":")[2].strip() for t in lines if t.lower().startswith("command line used")), "")
    given = options(command, _WITH_VALUE)
    rows, iterations = _rates(lines)
    version, tasks, nodes = launched[1], int(launched[2]), int(launched[3])
    counted = next((m for text in lines if (m := _COUNTED.fullmatch(text))), None)
    if counted is not None and int(counted[1]) != tasks:
        raise UnreadError(f"mdtest was launched with {tasks} tasks and counts the files of {counted[1]}")
    files = int(counted[2]) if counted else None
    began = next((m[1] for text in lines if (m := STARTED.fullmatch(text))), "")
    seconds = sum(float(files / r.mean) for n, r in rows.items() if n not in _TREES) * iterations if files else None
    stonewalled = given.value("-W") not in (None, "0")
    took = _took(began, next(m[1] for text in lines if (m := _FINISHED.fullmatch(text))))
    if stonewalled:
        seconds = took  # the number of files is that without the stonewall
    elif seconds is not None and took is not None and seconds > took * 1.1 + 3:
        # As many files a second as the mean take no more than the run as a whole; both of its ends are whole seconds.
        raise UnreadError(
            f"mdtest's rates would take {seconds:,.0f} seconds, and the run took {took:,.0f}: they are times with the "
            "label of rates, or were changed"
        )
    written, readable = _sizes(lines, given)
    return tuple(
        Run(
            "mdtest",
            version,
            operation,
            "metadata",
            "op/s",
            rate(r.mean, f"mdtest's {operation}"),
            rate(r.least, f"mdtest's {operation}"),
            rate(r.most, f"mdtest's {operation}"),
            iterations,
            nodes,
            tasks,
            seconds=seconds,
            file_bytes=written,
            direct=given.has("-B", "--posix.odirect"),
            stonewall=stonewalled and not any(_WORN_OUT in text for text in lines),
            is_reread=operation == "read" and not given.has("-N") and bool(written),
            command=command,
            path=given.value("-d") or "",
            began=began,
            line=line,
            doubts=tuple(_doubts(operation, given, files, tasks, written, readable)),
        )
        for operation, r in rows.items()
    )


def _rates(lines: Sequence[str]) -> tuple[dict[str, _Row], int]:
    """The rows of rates by operation, and the number of iterations.

    A summary of times, which some releases print under a label of rates, is told by its heading and left out.
    """
    at = [(i, m) for i, text in enumerate(lines) if (m := _SUMMARY.fullmatch(text.strip()))]
    if not at:
        raise UnreadError("mdtest prints no summary: the output is cut off, or the run failed")
    of_rates = [(i, m) for i, m in at if m[1] != "time" and m[2] not in (_MILLISECONDS, _SECONDS)]
    if not of_rates:
        raise UnreadError("mdtest prints a summary of times and none of rates: run it without -Z")
    if len(of_rates) > 1:
        raise UnreadError("mdtest prints two summaries of rates: two outputs were mixed")
    start, match = of_rates[0]
    if match[2] not in (None, "ops/sec"):
        raise UnreadError(f"mdtest's summary is in {quoted(match[2])}, which is no rate that pixsize knows")
    end = next((i for i, _ in at if i > start), len(lines))
    found = _rows(lines[start + 1 : end])
    times = [i for i, m in at if m[1] == "time"]
    if times:
        _judge_times(found, _rows(lines[times[0] + 1 : start if times[0] < start else len(lines)]))
    for name, each in found.items():
        _judge(name, each, int(match[3]))
    return found, int(match[3])


def _rows(lines: Sequence[str]) -> dict[str, _Row]:
    """The rows of a summary by operation, read by the names of its columns."""
    names: list[str] = []
    found: dict[str, _Row] = {}
    for text in lines:
        if text.split()[:1] == ["Operation"]:
            names = text.replace("Std Dev", "Std-Dev").split()[1:]
            continue
        match = _ROW.fullmatch(text)
        if not match or match[1] not in OPERATIONS:
            continue
        if not names:
            raise UnreadError("mdtest's summary has no names above its columns")
        cells = row(names, match[2], f"mdtest's row {match[1]}")
        if not {"Max", "Min", "Mean", "Std-Dev"} <= set(cells):
            raise UnreadError("mdtest's summary lacks one of the columns Max, Min, Mean and Std Dev")
        values = (number(cells[n], f"{n} of {match[1]}") for n in ("Max", "Min", "Mean", "Std-Dev"))
        if OPERATIONS[match[1]] in found:
            raise UnreadError(f"mdtest's summary has {match[1]} twice")
        found[OPERATIONS[match[1]]] = _Row(*values)
    # What was not run is printed as nothing.
    found = {name: each for name, each in found.items() if each.most}
    if not found:
        raise UnreadError("mdtest's summary has no rows: the output is cut off")
    return found


def _judge(name: str, each: _Row, iterations: int) -> None:
    """UnreadError where highest, lowest, mean and deviation cannot be of one series."""
    room = Fraction(2, 1000)
    if not each.least - room <= each.mean <= each.most + room:
        raise UnreadError(f"mdtest's mean of {name} is not between its lowest and highest: the output was changed")
    # No series deviates more from its mean than one that lies at its two ends (Bhatia and Davis); of a sample of n,
    # the deviation is taken as if there were one less.
    bound = (each.most - each.mean + room) * (each.mean - each.least + room) * max(iterations, 2)
    bound /= max(iterations, 2) - 1
    if each.deviation**2 > bound * Fraction(101, 100) + room:
        raise UnreadError(f"mdtest's deviation of {name} cannot be that of its values: the output was changed")


def _took(began: str, ended: str) -> float | None:
    """The seconds between two of mdtest's times; None where they cannot be read."""
    try:
        first, last = (datetime.strptime(t, "%m/%d/%Y %H:%M:%S") for t in (began, ended))
    except ValueError:
        return None
    seconds = (last - first).total_seconds()
    return seconds if seconds >= 0 else None


def _judge_times(rates: dict[str, _Row], times: dict[str, _Row]) -> None:
    """UnreadError where the two summaries of one run have different rows."""
    if set(rates) != set(times):
        raise UnreadError("mdtest's summaries of rates and of times have different rows: the output was changed")


def _sizes(lines: Sequence[str], given: Options) -> tuple[int | None, int | None]:
    """The bytes written to and read from each file: as -v prints them, or as the options ask."""
    said = {m[1]: int(m[2]) for text in lines if (m := _VERBOSE.fullmatch(text))}
    default = None if not given.found else 0  # without its command nobody knows the options

    def of(option: str) -> int | None:
        return given.bytes(option) if given.has(option) else default

    return said.get("write_bytes", of("-w")), said.get("read_bytes", of("-e"))


def _doubts(
    operation: str, given: Options, files: int | None, tasks: int, written: int | None, readable: int | None
) -> Iterable[Doubt]:
    if (
        operation in ("create", "stat", "read", "remove")
        and files is not None
        and (surplus := _surplus(given, files, tasks))
    ):
        printed, real = surplus
        yield Doubt(
            "PX687",
            f"{printed:,} files are counted where {real:,} exist: the rate is too high by {float(printed / real):.3f}",
        )
    if operation == "read" and written and not readable:
        yield Doubt("PX689", "files have data and -e is missing: reads open and close the files, and read nothing")
    if has_typographic_dash(" ".join(given.rest)):
        yield Doubt("PX689", "an option begins with a typographic dash, which mdtest does not take for one")


def _surplus(given: Options, files: int, tasks: int) -> tuple[int, int] | None:
    """The files that are counted and those that exist, where -I, -z and -L make mdtest 1.9 count directories that hold
    none.
    """
    branches, depth, items = given.whole("-b") or 1, given.whole("-z") or 0, given.whole("-I")
    if not given.has("-L") or not items or not depth or depth > 30 or branches > 10**4:
        return None
    leaves = branches**depth
    directories = sum(branches**level for level in range(depth + 1))
    return (files, tasks * items * leaves) if files == tasks * items * directories and directories > leaves else None
