"""A file of results -> runs: which tools it is of is read from what it says, and each output in it stands by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pixsize.results import elbencho, fio, io500, ior, ior_other, iozone, mdtest
from pixsize.results.records import Read, Run, Unread, UnreadError
from pixsize.results.words import has_typographic_dash, quoted

_MOST_RUNS = 2_000
"""Of one file: a table of IOzone has some hundred."""
_Reader = Callable[[Sequence[str], int], tuple[Run, ...]]
_BEGINNINGS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (ior.HEADER, ior.read),
    (mdtest.STARTED, mdtest.read),
    (iozone.HEADER, iozone.read),
    (io500.HEADER, io500.read),
    (elbencho.HEADER, elbencho.read),
)
"""The line that each tool's output begins with."""
_FAILURES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:ior )?ERROR: .*"), "IOR failed"),
    (re.compile(r"Error invalid argument: .*"), "IOR refused an option"),
    (re.compile(r"Executable: .*"), "mpirun could not start the program"),
    (re.compile(r"mpirun was unable to .*"), "mpirun could not start the program"),
    (re.compile(r"MPI_ABORT was invoked.*"), "the MPI program was aborted"),
    (re.compile(r"(?:slurmstepd|srun|mpiexec): (?:\*\*\* )?(?:error|STEP|JOB).*", re.I), "the job failed"),
)
_PIECES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("Run status group"), "fio's text has rounded rates only: run it with --output-format=json"),
    (re.compile(r"SUMMARY.* iterations\)"), "a summary of mdtest without its first lines: the output is cut off"),
    (re.compile("Max (Write|Read):|Summary of all"), "a part of IOR's output without its first lines: it is cut off"),
    (re.compile(r"\s*Children see throughput"), "a part of IOzone's output without its first lines: it is cut off"),
    (re.compile(r"\[SCORE"), "IO500's score without its phases: the output is cut off"),
)
"""Lines of outputs whose beginning is missing."""
_NOTHING = "no output of IOR, mdtest, IOzone, IO500, fio or elbencho"
_ABOVE = 12
"""Lines above elbencho's table that may hold its command."""
_SHELL = re.compile(r"(?:\[[^\]]{0,80}\])?[$+#] (?=\S)")


def read(text: str) -> Read:
    """The runs of a text, and what of it is not counted, each with its line and the reason."""
    lines = text.split("\n")
    if ior_other.is_json(text):
        return _taken([(1, lambda: ior_other.read_json(text, 1))])
    if fio.is_fio(text):
        return _taken([(1, lambda: fio.read(text, 1))])
    parts = _parts(lines)
    if parts:
        return _taken([(line, lambda r=reader, p=part, n=line: r(p, n)) for line, part, reader in parts])  # type: ignore[misc]
    return Read((), (Unread(1, _reason(lines)),))


def _parts(lines: Sequence[str]) -> list[tuple[int, Sequence[str], _Reader]]:
    """The outputs of a text, one behind the other, each from the line that its tool begins with."""
    starts: list[tuple[int, _Reader]] = []
    for at, text in enumerate(lines):
        if ior_other.CSV_HEADER.fullmatch(text.strip()):
            starts.append((at, _csv_after(_command(lines[max(at - 3, 0) : at]))))
        elif found := next((reader for pattern, reader in _BEGINNINGS if pattern.fullmatch(text.strip())), None):
            starts.append((at, found))
        elif _begins_without_header(text, starts):
            starts.append((at, mdtest.read if mdtest.LAUNCHED.fullmatch(text) else io500.read))
    begins = {at for at, _ in starts}
    lines = [text.strip() if at in begins else text for at, text in enumerate(lines)]
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    # The command of elbencho stands above its table.
    first = {at: max(at - _ABOVE, 0) if reader is elbencho.read else at for at, reader in starts}
    return [(at + 1, lines[first[at] : end], reader) for (at, reader), end in zip(starts, ends, strict=False)]


def _begins_without_header(text: str, starts: Sequence[tuple[int, _Reader]]) -> bool:
    """Whether an output begins whose first line was left out: mdtest's, or IO500's, which not every release writes."""
    last = starts[-1][1] if starts else None
    if mdtest.LAUNCHED.fullmatch(text):
        return last is not mdtest.read
    return text.startswith("[RESULT]") and last is not io500.read


def _csv_after(command: str) -> _Reader:
    return lambda lines, line: ior_other.read_csv(lines, command, line)


def _command(lines: Sequence[str]) -> str:
    """The command of IOR in the lines above its output, as a shell's prompt or trace shows it."""
    for text in reversed(lines):
        words = _SHELL.sub("", text, count=1).split() if _SHELL.match(text) else []
        at = next((i for i, w in enumerate(words) if w.rpartition("/")[2].startswith("ior")), None)
        if at is not None:
            return " ".join(words[at:])
    return ""


def _taken(parts: Sequence[tuple[int, Callable[[], tuple[Run, ...]]]]) -> Read:
    runs: list[Run] = []
    unread: list[Unread] = []
    for line, take in parts:
        try:
            runs += take()
        except UnreadError as error:
            unread.append(Unread(line, str(error)))
        if len(runs) > _MOST_RUNS:
            return Read((), (Unread(1, f"the file holds more than {_MOST_RUNS:,} results"),))
    return Read(tuple(runs), tuple(unread))


def _reason(lines: Sequence[str]) -> str:
    """Why a text without an output of a known tool is not counted."""
    if not any(text.strip() for text in lines):
        return "the file is empty"
    for pattern, what in _FAILURES:
        if failed := next((text for text in lines if pattern.match(text.strip())), None):
            dash = has_typographic_dash(failed.replace(":", " "))
            because = "; an option begins with a typographic dash, write a hyphen" if dash else ""
            return f"{what}: {quoted(failed.strip())}{because}"
    return next((why for pattern, why in _PIECES if any(map(pattern.match, lines))), _NOTHING)
