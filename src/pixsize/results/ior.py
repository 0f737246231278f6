"""What IOR 3.1 to 4.x prints as text: options, a row an iteration, and the summary; they must agree."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pixsize.results.ior_tests import Printed, Summary, Test, runs_of
from pixsize.results.records import Run, UnreadError
from pixsize.results.words import half_digit, has_typographic_dash, number, quoted, row, whole

HEADER = re.compile(r"IOR-(\S{1,40}): MPI Coordinated Test of Parallel I/O\s*")
OPERATIONS = ("write", "read")
_PAIR = re.compile(r"\s*([A-Za-z][A-Za-z _()#-]{0,40}?)\s*[:=]\s?(.*)")
_BLOCKS = ("Options:", "Summary:")
_MAX = re.compile(r"Max (Write|Read):\s+(\S+) MiB/sec \((\S+) MB/sec\)")
_USED = re.compile(r"WARNING: Using actual aggregate bytes moved\s*=\s*([0-9]{1,18})")
_ERROR = re.compile(r"(?:ior )?ERROR: .*")
_MEANS = ("Max(MiB)", "Min(MiB)", "Mean(MiB)")


def read(lines: Sequence[str], line: int) -> tuple[Run, ...]:
    """The runs of one output, from its first line on. UnreadError where it failed, was cut off or was changed."""
    start = next(i for i, text in enumerate(lines) if HEADER.fullmatch(text))
    if failed := next((text for text in lines if _ERROR.match(text)), None):
        refused = [text for text in lines if text.startswith("non-option argument:") and has_typographic_dash(text)]
        because = f"; {quoted(refused[0])} begins with a typographic dash, write a hyphen" if refused else ""
        raise UnreadError(f"IOR failed: {quoted(failed.strip())}{because}")
    if not any(re.match(r"Finished\s*:", text) for text in lines[start:]):
        raise UnreadError("IOR did not finish: its line `Finished` is missing, so that the output is cut off")
    found = HEADER.fullmatch(lines[start])
    tests = _tests(lines[start:])
    command = next((t.partition(":")[2].strip() for t in lines if t.startswith("Command line")), "")
    began = next((t.partition(":")[2].strip() for t in lines if t.startswith("Began")), "")
    version = found[1] if found else ""
    return tuple(run for test in tests for run in runs_of(test, version, command, began, line))


def _tests(lines: Sequence[str]) -> list[Test]:
    """The tests of one output: a script of IOR has several, each with its options and rows; the summary is of all."""
    tests: list[Test] = []
    names: list[str] = []
    summary: list[str] = []
    in_options = False
    for text in lines:
        stripped = text.strip()
        if stripped in _BLOCKS:
            tests.append(Test({}, {}, {}, [], []))
            in_options = True
        elif stripped.startswith("access ") and "bw(MiB/s)" in stripped:
            names, in_options = stripped.split(), False
        elif stripped.startswith("Operation ") and "Mean(MiB)" in stripped:
            summary = stripped.split()
        elif in_options:
            _take_option(text, tests[-1])
        elif tests:
            _take_line(stripped, tests, names, summary)
    if not tests:
        raise UnreadError("IOR prints no options: the output is cut off, or the run failed")
    if not summary:
        raise UnreadError("IOR prints no summary: the output is cut off")
    return tests


def _take_option(text: str, test: Test) -> None:
    if match := _PAIR.fullmatch(text):
        test.options.setdefault(match[1], match[2].strip())


def _take_line(text: str, tests: list[Test], names: list[str], summary: list[str]) -> None:
    """A row of an iteration, of the summary, or a line about the bytes that were moved."""
    first = text.partition(" ")[0]
    if match := _USED.match(text):
        tests[-1].moved.append(int(match[1]))
    elif match := _MAX.match(text):
        tests[-1].maxima.append((match[1].lower(), match[2], match[3]))
    elif first in OPERATIONS and summary:
        cells = row(summary, text, "a row of IOR's summary")
        test = _of_number(cells.get("Test#", "0"), tests)
        most, least, mean = (_printed(cells, n) for n in _MEANS)
        printed = Summary(most, least, mean, cells)
        if test.summaries.setdefault(first, printed) is not printed:
            raise UnreadError(f"IOR's summary has two rows for {first} of one test")
    elif first in OPERATIONS and names:
        cells = row(names, text, "a row of IOR's results")
        seconds = _printed(cells, "total(s)")
        tests[-1].rows.setdefault(first, []).append((_printed(cells, "bw(MiB/s)"), seconds, cells))


def _of_number(text: str, tests: list[Test]) -> Test:
    at = whole(text, "Test#")
    if at >= len(tests):
        raise UnreadError(f"IOR's summary has a test {at} that it printed no options of")
    return tests[at]


def _printed(cells: dict[str, str], name: str) -> Printed:
    if name not in cells:
        raise UnreadError(f"IOR's table has no column {name}")
    return Printed(number(cells[name], name), half_digit(cells[name]))
