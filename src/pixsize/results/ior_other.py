"""What IOR prints as JSON, with warnings in it, and as CSV."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pixsize.results.ior_tests import WITH_VALUE, Printed, Summary, Test, runs_of
from pixsize.results.json_text import parse
from pixsize.results.records import Run, UnreadError
from pixsize.results.words import half_digit, number, option_size, options

CSV_HEADER = re.compile(r"access,bw\(MiB/s\),[A-Za-z0-9(),/]{1,200}")
_NAMES = {
    "#Tasks": "numTasks",
    "reps": "repetitions",
    "segcnt": "segmentCount",
    "blksiz": "blockSize",
    "xsize": "transferSize",
}
"""The columns of the textual summary, and what JSON calls them."""


def is_json(text: str) -> bool:
    """Whether a text looks like IOR's JSON: the names of its results, whatever else stands around them."""
    return '"bwMiB"' in text or ('"tests"' in text and '"Command line"' in text and '"Version"' in text)


def read_json(text: str, line: int) -> tuple[Run, ...]:
    """The runs of one output in JSON. UnreadError where it is damaged, cut off, or does not agree with itself."""
    kept = [t for t in text.splitlines() if not re.match(r"\s*(ior )?(WARNING|ERROR)\b", t)]
    document = parse("\n".join(kept), ("bwMiB", "bwMaxMIB", "bwMinMIB", "bwMeanMIB", "totalTime", *_NAMES.values()))
    if "Finished" not in document:
        raise UnreadError("IOR did not finish: its JSON has no `Finished`")
    command = str(document.get("Command line", document.get("Command line used", "")))
    began = str(document.get("Began", ""))
    tests = [_test(t, _list(document, "summary")) for t in _list(document, "tests")]
    return tuple(run for test in tests for run in runs_of(test, str(document.get("Version", "")), command, began, line))


def _list(document: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list; before 4.0 the results of each repetition are a list of their own in it."""
    found = document.get(name)
    if isinstance(found, list):
        found = [each for item in found for each in (item if isinstance(item, list) else [item])]
    if not isinstance(found, list) or not all(isinstance(f, dict) for f in found):
        raise UnreadError(f"IOR's JSON has no list `{name}`")
    return found


def _test(words: Mapping[str, Any], summaries: Sequence[Mapping[str, Any]]) -> Test:
    parameters, said = words.get("Parameters"), words.get("Options")
    if not isinstance(parameters, dict) or not isinstance(said, dict):
        raise UnreadError("IOR's JSON has no options of a test")
    own = {str(k): str(v) for k, v in said.items()}
    own["stonewallingTime"] = str(parameters.get("deadlineForStonewall", "0"))
    test = Test(own, {}, {}, [], [])
    for result in _list(words, "Results"):
        operation = str(result.get("access"))
        if operation in ("write", "read"):
            test.rows.setdefault(operation, []).append((_cell(result, "bwMiB"), _cell(result, "totalTime"), result))
    for each in summaries:
        if str(each.get("TestID")) == str(words.get("TestID")):
            cells = {name: _text(each, there) for name, there in _NAMES.items()}
            most, least, mean = (_cell(each, n) for n in ("bwMaxMIB", "bwMinMIB", "bwMeanMIB"))
            test.summaries[str(each.get("operation"))] = Summary(most, least, mean, cells)
    return test


def _text(words: Mapping[str, Any], name: str) -> str:
    found = words.get(name)
    if not isinstance(found, str):
        raise UnreadError(f"IOR's JSON has no `{name}`")
    return found


def _cell(words: Mapping[str, Any], name: str) -> Printed:
    text = _text(words, name)
    return Printed(number(text, name), half_digit(text))


def read_csv(lines: Sequence[str], command: str, line: int) -> tuple[Run, ...]:
    """The runs of one output in CSV, which tells neither files nor options: those are the command's."""
    names = lines[0].strip().split(",")
    if not command:
        raise UnreadError("IOR's CSV does not tell its options: put the command into the line above, behind `$ `")
    given = options(command, WITH_VALUE)
    test = Test(_options(given.has("-F"), given.has("-z"), given.has("-C", "-Z")), {}, {}, [], [])
    for text in lines[1:]:
        cells = text.strip().split(",")
        if cells == [""]:
            continue
        if len(cells) != len(names):
            raise UnreadError(f"a row of IOR's CSV has {len(cells)} values below {len(names)} names of columns")
        named = dict(zip(names, cells, strict=True))
        operation = named.get("access", "")
        if operation in ("write", "read"):
            _take_row(operation, named, test, given.value("-i") or "1", given.value("-s") or "1")
    test.options["test filename"] = given.value("-o") or ""
    _judge(test, given.value("-t"), given.value("-b"))
    return tuple(runs_of(test, "", command, "", line))


def _options(alone: bool, random: bool, shifted: bool) -> dict[str, str]:
    return {
        "access": "file-per-process" if alone else "single-shared-file",
        "ordering in a file": "random" if random else "sequential",
        "ordering inter file": "constant task offset" if shifted else "no tasks offsets",
    }


def _take_row(operation: str, named: Mapping[str, str], test: Test, repetitions: str, segments: str) -> None:
    rows = test.rows.setdefault(operation, [])
    if named.get("iter") != str(len(rows)):
        raise UnreadError(f"IOR's CSV has no row of {operation} of iteration {len(rows)}, or has it twice")
    rows.append((_cell(named, "bw(MiB/s)"), _cell(named, "total(s)"), named))
    sizes = {n: str(int(_cell(named, f).value * 1024)) for n, f in (("blksiz", "block(KiB)"), ("xsize", "xfer(KiB)"))}
    cells = sizes | {"#Tasks": _text(named, "numTasks"), "reps": repetitions, "segcnt": segments}
    rates = [r for r, _, _ in rows]
    mean = Printed(sum((r.value for r in rates), Fraction(0)) / len(rates), rates[0].half)
    by_rate = sorted(rates, key=lambda r: r.value)
    test.summaries[operation] = Summary(by_rate[-1], by_rate[0], mean, cells)


def _judge(test: Test, transfer: str | None, block: str | None) -> None:
    """UnreadError where sizes are not those of the command: the output is of another run."""
    for summary in test.summaries.values():
        for text, name in ((transfer, "xsize"), (block, "blksiz")):
            asked = option_size(text) if text else None
            if asked is not None and str(asked) != summary.cells[name]:
                raise UnreadError("IOR's CSV has other sizes than the command above it: it is from another run")
