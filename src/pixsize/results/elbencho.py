"""What elbencho prints as text: of each phase the first worker that was done, and the last, which is the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from pixsize.results.records import Pattern, Run, UnreadError
from pixsize.results.words import option_size, options, rate, whole

HEADER = re.compile(r"OPERATION\s+RESULT TYPE\s+FIRST DONE\s+LAST DONE\s*")
_ROW = re.compile(r"([A-Z0-9-]{2,16})?\s*([A-Z][A-Za-z0-9/ ()]{2,30}?)\s*:\s+(\S{1,24})\s+(\S{1,24})\s*")
_ELAPSED = re.compile(r"(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?(?:([0-9]+(?:\.[0-9]+)?)s)?(?:([0-9]+)ms)?")
_COMMAND = re.compile(r"(?:COMMAND LINE|Command line)\s*:\s*(.*)")
_PHASES = {"WRITE": "write", "READ": "read", "STAT": "stat", "RMFILES": "remove"}
_RATES = {"Throughput MiB/s": 1 << 20, "IOPS": 1, "Files/s": 1}
_WITH_VALUE = "bcntNsz"


def read(lines: Sequence[str], line: int) -> tuple[Run, ...]:
    """The runs of one output: the column `LAST DONE` of each phase. UnreadError where it is cut off."""
    start = next(i for i, text in enumerate(lines) if HEADER.fullmatch(text.strip()))
    if failed := next((t for t in lines if t.startswith(("ERROR:", "Aborting"))), None):
        raise UnreadError(f"elbencho failed: {failed[:100]}")
    command = next((m[1] for text in lines if (m := _COMMAND.match(text))), "")
    phases = _phases(lines[start + 1 :])
    found = [_run(_PHASES[name], rows, command, line) for name, rows in phases.items() if name in _PHASES]
    if not found:
        raise UnreadError("elbencho prints no result: the output is cut off")
    return tuple(found)


def _phases(lines: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    name = ""
    for text in lines:
        match = _ROW.fullmatch(text)
        if match is None:
            continue
        if match[1]:
            name = match[1]
            if found.setdefault(name, {}):
                raise UnreadError(f"elbencho prints {name} twice: two outputs were mixed")
        if name:
            found[name][match[2]] = match[4]
    return found


def _run(operation: str, rows: Mapping[str, str], command: str, line: int) -> Run:
    given = options(command.replace('"', ""), _WITH_VALUE)
    is_data = "Throughput MiB/s" in rows
    random = given.has("--rand")
    record = option_size(given.value("-b") or given.value("--block") or "") or (1 << 20)
    wanted = "IOPS" if is_data and random and record == 4096 else "Throughput MiB/s" if is_data else "Files/s"
    if wanted not in rows:
        raise UnreadError(f"elbencho's phase has no row {wanted}: the output is cut off")
    # Metadata of empty files is written by WRITE, which then moves no bytes.
    pattern: Pattern = "metadata" if not is_data else "random" if random else "n_n"
    if is_data and not given.has("-n", "--dirs"):
        pattern = "other"
    value = rate(Fraction(whole(rows[wanted], wanted) * _RATES[wanted]), f"elbencho's {operation}")
    threads = given.whole("-t") or 1
    hosts = (given.value("--hosts") or "").count(",") + 1
    return Run(
        "elbencho",
        "",
        "create" if operation == "write" and not is_data else operation,
        pattern,
        "B/s" if wanted == "Throughput MiB/s" else "op/s",
        value,
        value,
        value,
        1,
        hosts if command else None,
        threads * hosts if command else None,
        record if is_data else None,
        moved=whole(rows["Total MiB"], "Total MiB") << 20 if "Total MiB" in rows else None,
        seconds=_seconds(rows),
        file_bytes=None if is_data else 0,
        direct=given.has("--direct") if command else None,
        is_reread=operation == "read" and given.has("-w", "--write"),
        command=command,
        line=line,
    )


def _seconds(rows: Mapping[str, str]) -> float | None:
    text = rows.get("Elapsed time") or (f"{rows['Elapsed ms']}ms" if "Elapsed ms" in rows else "")
    match = _ELAPSED.fullmatch(text)
    if not match or not text:
        return None
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + float(match[3] or 0) + int(match[4] or 0) / 1000
