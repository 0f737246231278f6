"""What IO500 writes into `result_summary.txt`: a line a phase, and the score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pixsize.results.records import Doubt, Pattern, Run, UnreadError
from pixsize.results.words import number, rate

RESULT = re.compile(
    r"\[RESULT\]\s+([A-Za-z0-9-]{3,40})\s+(\S{1,24})\s+(GiB/s|kIOPS)\s*:\s*time\s+(\S{1,24})\s+seconds(\s+\[INVALID\])?\s*"
)
HEADER = re.compile(r"IO500 version (\S{1,60}).*")
_SCORE = re.compile(
    r"\[SCORE ?\]\s*Bandwidth\s+(\S{1,24})\s+GiB/s\s*:\s*IOPS\s+(\S{1,24})\s+kiops\s*:\s*TOTAL\s+(\S{1,24})"
    r"(\s+\[INVALID\])?\s*"
)
_PHASES: dict[str, tuple[str, Pattern, str]] = {
    "ior-easy-write": ("write", "n_n", "GiB/s"),
    "ior-easy-read": ("read", "n_n", "GiB/s"),
    "ior-hard-write": ("write", "other", "GiB/s"),
    "ior-hard-read": ("read", "other", "GiB/s"),
    "mdtest-easy-write": ("create", "metadata", "kIOPS"),
    "mdtest-easy-stat": ("stat", "metadata", "kIOPS"),
    "mdtest-easy-delete": ("remove", "metadata", "kIOPS"),
    "mdtest-hard-write": ("create", "other", "kIOPS"),
    "mdtest-hard-stat": ("stat", "other", "kIOPS"),
    "mdtest-hard-read": ("read", "other", "kIOPS"),
    "mdtest-hard-delete": ("remove", "other", "kIOPS"),
    "find": ("find", "other", "kIOPS"),
}
"""What each phase is, and the unit of its rate. The hard phases are of records of 47,008 bytes in one file and of files
of 3,901 bytes in one directory; no figure of a plan is."""
_SCORED = {"GiB/s": 1, "kIOPS": 2}
_HARD_RECORD = 47_008
_HARD_FILE = 3_901


def read(lines: Sequence[str], line: int) -> tuple[Run, ...]:
    """The runs of one summary. UnreadError where it is cut off, says a phase twice, or has another unit."""
    score = next((m for text in lines if (m := _SCORE.fullmatch(text.strip()))), None)
    if score is None:
        raise UnreadError("IO500's summary has no line `[SCORE ]`: the run did not end, or the file is cut off")
    if len([t for t in lines if t.startswith("[SCORE")]) > 1:
        raise UnreadError("IO500's summary has two scores: two of them were mixed")
    phases = [m for text in lines if (m := RESULT.fullmatch(text.strip()))]
    if len(phases) != len([t for t in lines if t.startswith("[RESULT")]):
        raise UnreadError("a line `[RESULT]` of IO500 is not of the known form, or in another unit")
    if len({m[1] for m in phases}) != len(phases):
        raise UnreadError("IO500's summary has a phase twice: two of them were mixed")
    _judge(phases, score)
    version = next((m[1] for text in lines if (m := HEADER.fullmatch(text.strip()))), "")
    found = tuple(run._replace(version=version, line=line) for run in _runs(phases))
    if not found:
        raise UnreadError("IO500's summary has no phase that pixsize knows")
    return found


def _runs(phases: Sequence[re.Match[str]]) -> Iterator[Run]:
    for match in phases:
        if match[1] not in _PHASES:
            continue
        operation, pattern, unit = _PHASES[match[1]]
        if unit != match[3]:
            raise UnreadError(f"IO500's phase {match[1]} is in {match[3]} where it is in {unit}")
        factor = 1 << 30 if unit == "GiB/s" else 1000
        value = rate(number(match[2], match[1]) * factor, f"IO500's {match[1]}")
        seconds = float(number(match[4], "time"))
        hard = "-hard-" in match[1]
        yield Run(
            "IO500",
            "",
            operation,
            pattern,
            "B/s" if unit == "GiB/s" else "op/s",
            value,
            value,
            value,
            1,
            transfer=(_HARD_RECORD if hard else None) if unit == "GiB/s" else None,
            moved=round(value * seconds) if unit == "GiB/s" else None,
            seconds=seconds,
            file_bytes=(_HARD_FILE if hard else 0) if match[1].startswith("mdtest") else None,
            stonewall=False,  # its rules ask for the wear-out phase
            is_flushed=True,
            is_reread=False,
            doubts=(Doubt("PX689", f"IO500 calls {match[1]} invalid: a phase was too short"),) if match[5] else (),
        )


def _judge(phases: Sequence[re.Match[str]], score: re.Match[str]) -> None:
    """UnreadError where the score is not the geometric mean of the phases, which it is by the rules of IO500."""
    for unit, group in _SCORED.items():
        values = [float(number(m[2], m[1])) for m in phases if m[3] == unit and m[1] in _PHASES]
        if not values or not all(values):
            continue
        product = 1.0
        for value in values:
            product *= value ** (1 / len(values))
        said = float(number(score[group], "the score"))
        complete = len(values) == sum(u == unit for _, _, u in _PHASES.values())
        if complete and abs(product - said) > 0.005 * said:
            raise UnreadError("IO500's score is not the mean of its phases: the file was changed, or mixed")
