"""What IOzone prints: the throughput of several processes in kB/s or operations a second, and the table of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from pixsize.figures import Unit
from pixsize.results.records import Doubt, Pattern, Run, UnreadError
from pixsize.results.words import half_digit, number, options, quoted, rate, whole

HEADER = re.compile(r"\s*Iozone: Performance Test of File I/O\s*")
_VERSION = re.compile(r"\s*Version \$Revision: (\S{1,20}) \$\s*")
_CHILDREN = re.compile(
    r"\s*Children see throughput for\s+([0-9]{1,7})\s+([a-z][a-z -]{1,40}?)\s*=\s*(\S+)\s+(kB|ops|MB|GB)/sec\s*"
)
_PARENT = re.compile(r"\s*Parent sees throughput for\s+([0-9]{1,7})\s+([a-z][a-z -]{1,40}?)\s*=\s*(\S+)\s+(\S+)/sec\s*")
_PROCESS = re.compile(r"\s*(Min|Max|Avg) throughput per (?:process|thread)\s*=\s*(\S+)\s+(\S+)/sec\s*")
_MOVED = re.compile(r"\s*Min xfer\s*=\s*(\S+)\s+(kB|ops|MB|GB)\s*")
_EACH = re.compile(
    r"\s*Each (?:process|thread) writes a ([0-9]{1,15}) (kByte|Byte|MByte|GByte) file in "
    r"([0-9]{1,15}) (kByte|Byte|MByte|GByte) records\s*"
)
_PROCESSES = re.compile(r"\s*Throughput test with ([0-9]{1,7}) (?:process|thread)(?:es|s)?\s*")
_FAILED = re.compile(r".*(?:No such file or directory|No space left|iozone: interrupted|Permission denied|\bError\b).*")
_WITH_VALUE = "bdfFgGijJklLmnPqQrsStuUVXyY"
"""The letters of IOzone's options that take a value."""
_KINDS: dict[str, tuple[str, Pattern]] = {
    "initial writers": ("write", "n_n"),
    "rewriters": ("rewrite", "n_n"),
    "readers": ("read", "n_n"),
    "re-readers": ("re-read", "n_n"),
    "random readers": ("read", "random"),
    "random writers": ("write", "random"),
}
"""What is said of the processes of a test; all else is of the pattern `other`."""
_COLUMNS: tuple[tuple[str, str, Pattern], ...] = (
    ("write", "write", "n_n"),
    ("rewrite", "rewrite", "n_n"),
    ("read", "read", "n_n"),
    ("reread", "re-read", "n_n"),
    ("random read", "read", "random"),
    ("random write", "write", "random"),
    ("bkwd read", "backward read", "other"),
    ("record rewrite", "record rewrite", "other"),
    ("stride read", "stride read", "other"),
    ("fwrite", "fwrite", "other"),
    ("frewrite", "frewrite", "other"),
    ("fread", "fread", "other"),
    ("freread", "freread", "other"),
)
"""The columns of the table of one process, and what they measure."""
_KILO = {"Byte": 1, "kByte": 1 << 10, "MByte": 1 << 20, "GByte": 1 << 30, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_FULL = Fraction(9, 10)
"""A process that has moved less of its file when the first one ends was cut short."""
_DONE = "iozone test complete."


def read(lines: Sequence[str], line: int) -> tuple[Run, ...]:
    """The runs of one output. UnreadError where it failed, was cut off, or does not agree with itself."""
    if failed := next((text for text in lines if _FAILED.fullmatch(text)), None):
        raise UnreadError(f"IOzone failed: {quoted(failed.strip())}")
    if not any(text.strip() == _DONE for text in lines):
        raise UnreadError(f"IOzone did not finish: its line `{_DONE}` is missing, so that the output is cut off")
    version = next((m[1] for text in lines if (m := _VERSION.fullmatch(text))), "")
    command = next((t.partition(":")[2].strip() for t in lines if t.lstrip().startswith("Command line used")), "")
    began = next((t.partition(":")[2].strip() for t in lines if t.lstrip().startswith("Run began")), "")
    flags = [text.strip() for text in lines]
    given = options(command, _WITH_VALUE, ("--", "-+"))
    base = Run(
        "IOzone",
        version,
        "",
        "other",
        "B/s",
        1,
        1,
        1,
        1,
        None if given.has("-+m") or "Network distribution mode enabled." in flags else 1,
        direct=given.has("-I") or "O_DIRECT feature enabled" in flags,
        is_flushed=given.has("-e") or "Include fsync in write timing" in flags,
        command=command,
        path=(given.value("-f") or given.value("-F") or ""),
        began=began,
        line=line,
    )
    found = tuple(_throughput(lines, base)) or tuple(_table(lines, base))
    if not found:
        raise UnreadError("IOzone prints no result that pixsize knows")
    return found


def _throughput(lines: Sequence[str], base: Run) -> Iterator[Run]:
    """A run for each test of several processes."""
    each = next((m for text in lines if (m := _EACH.fullmatch(text))), None)
    processes = next((int(m[1]) for text in lines if (m := _PROCESSES.fullmatch(text))), None)
    starts = [i for i, text in enumerate(lines) if _CHILDREN.fullmatch(text)]
    written: set[str] = set()
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        run = _test(lines[start:end], each, processes, base, written)
        written.add(run.operation)
        yield run


def _test(lines: Sequence[str], each: re.Match[str] | None, processes: int | None, base: Run, written: set[str]) -> Run:
    match = _CHILDREN.fullmatch(lines[0])
    if match is None or each is None:
        raise UnreadError("IOzone does not say how much each process writes: the output is cut off")
    tasks, kind, text, unit = int(match[1]), match[2], match[3], match[4]
    if tasks != processes:
        raise UnreadError(f"IOzone's test has {processes} processes, and its result {tasks}: it is from another run")
    said = {m[1]: m for t in lines if (m := _PROCESS.fullmatch(t))}
    if set(said) != {"Min", "Max", "Avg"} or {m[3] for m in said.values()} != {unit}:
        raise UnreadError("IOzone's lines of each process are missing, or in another unit: the output was changed")
    total, average = number(text, "throughput"), number(said["Avg"][2], "average")
    least, most = number(said["Min"][2], "Min throughput"), number(said["Max"][2], "Max throughput")
    # Sums of 32-bit floats: seven digits hold.
    room = half_digit(said["Avg"][2]) * tasks + total / 10**6
    if abs(total - average * tasks) > room or average > most + room or least > most:
        raise UnreadError("IOzone's throughput is not the sum of its processes: the output was changed")
    file, record = int(each[1]) * _KILO[each[2]], int(each[3]) * _KILO[each[4]]
    operation, pattern = _KINDS.get(kind, (kind, "other"))
    value, shown = _value(total, unit, record, pattern)
    name = f"IOzone's {operation}"
    return base._replace(
        operation=operation,
        pattern=pattern,
        unit=shown,
        rate=rate(value, name),
        lowest=rate(value, name),
        highest=rate(value, name),
        tasks=tasks,
        transfer=record,
        block=file,
        moved=file * tasks,
        seconds=float(file * tasks / _value(total, unit, record, "other")[0]),
        stonewall=False if base.command and " -x" in base.command else None,
        is_reread=operation == "read" and "write" in written,
        doubts=tuple(_doubts(lines, least, file, record)),
    )


def _value(total: Fraction, unit: str, record: int, pattern: Pattern) -> tuple[Fraction, Unit]:
    """A printed throughput in the unit of its figure: operations for random records of 4 KiB, else bytes."""
    in_bytes = total * record if unit == "ops" else total * _KILO[unit]
    if pattern == "random" and record == 4096:
        return in_bytes / record, "op/s"
    return in_bytes, "B/s"


def _doubts(lines: Sequence[str], least: Fraction, file: int, record: int) -> Iterable[Doubt]:
    children = next(m for t in lines if (m := _CHILDREN.fullmatch(t)))
    tasks, total = int(children[1]), number(children[3], "throughput")
    parent = next((m for t in lines if (m := _PARENT.fullmatch(t))), None)
    if parent is not None and (seen := number(parent[3], "Parent")) and total > seen * 2:
        times = f"{float(total / seen):.1f}"
        yield Doubt("PX689", f"the processes did not run together: they claim {times} times what the parent saw")
    # The lowest is that of the processes that moved anything: beside them, the average may be below it.
    if least == 0 or least * tasks > total * Fraction(1001, 1000):
        yield Doubt("PX689", "a process moved nothing while the others were measured")
    moved = next((m for t in lines if (m := _MOVED.fullmatch(t))), None)
    if moved is None:
        return
    share = number(moved[1], "Min xfer") * (record if moved[2] == "ops" else _KILO[moved[2]]) / file
    if share < _FULL:
        yield Doubt("PX685", f"the slowest process had moved {float(share):.0%} of its file when the first one ended")


def _table(lines: Sequence[str], base: Run) -> Iterator[Run]:
    """A run for each cell of the table of one process, read by the names above its columns."""
    at = next((i for i, text in enumerate(lines) if text.split()[:2] in (["kB", "reclen"], ["KB", "reclen"])), None)
    if at is None:
        return
    in_operations = any(text.strip().startswith("OPS Mode") for text in lines[:at])
    if not in_operations and not any("Output is in kBytes/sec" in text for text in lines[:at]):
        raise UnreadError("IOzone does not say the unit of its table")
    ends = _ends(lines[at - 1], lines[at])
    before = 0
    for text in lines[at + 1 :]:
        cells = {_named(m.end(), ends): m[0] for m in re.finditer(r"\S+", text)}
        if not re.match(r"\s*[0-9]", text):
            continue
        if len(cells) != len(text.split()) or "kB" not in cells or "reclen" not in cells:
            raise UnreadError("a row of IOzone's table does not stand below the names of its columns")
        file, record = (whole(cells[n], n) * 1024 for n in ("kB", "reclen"))
        if not record or file % record or file < before:
            raise UnreadError("the sizes of IOzone's table are no files of whole records, from the smallest on")
        before = file
        yield from _cells(cells, file, record, in_operations, base)


def _cells(cells: Mapping[str, str], file: int, record: int, in_operations: bool, base: Run) -> Iterator[Run]:
    for name, operation, pattern in _COLUMNS:
        if name not in cells:
            continue
        value, unit = _value(number(cells[name], name), "ops" if in_operations else "kB", record or 1, pattern)
        shown = rate(value, f"IOzone's {name}")
        in_bytes = value * record if unit == "op/s" else value
        yield base._replace(
            operation=operation,
            pattern=pattern,
            unit=unit,
            rate=shown,
            lowest=shown,
            highest=shown,
            nodes=1,
            tasks=1,
            transfer=record,
            block=file,
            moved=file,
            seconds=float(file / in_bytes),
            stonewall=False,
            is_reread=operation == "read" and "write" in cells,
        )


def _ends(above: str, names: str) -> dict[str, int]:
    """Where each column of the table ends, by its name: the words of two lines, the upper ones where there are some."""
    upper = [(m[0], m.end()) for m in re.finditer(r"\S+", above)]
    found: dict[str, int] = {}
    for m in re.finditer(r"\S+", names):
        over = [w for w, end in upper if abs(end - m.end()) <= 2]
        name = f"{over[0]} {m[0]}" if over else m[0]
        found[name] = m.end()
    return found


def _named(end: int, ends: Mapping[str, int]) -> str:
    """The column whose end is the nearest to that of a cell."""
    return min(ends, key=lambda name: abs(ends[name] - end))
