"""What fio prints as JSON: its jobs, those of one group as one run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pixsize.results.json_text import parse
from pixsize.results.records import Doubt, Pattern, Run, UnreadError
from pixsize.results.words import number, option_size, rate, whole

_ACCESS: dict[str, tuple[Pattern, tuple[str, ...]]] = {
    "read": ("n_n", ("read",)),
    "write": ("n_n", ("write",)),
    "randread": ("random", ("read",)),
    "randwrite": ("random", ("write",)),
}
"""The words of `rw` that figures are of; a mixture is none of them."""
_JUDGED = ("bw_bytes", "iops", "io_bytes", "runtime", "rw", "bs", "numjobs")
_ALL = "All clients"
_SLACK = Fraction(1, 10**6)
"""How far fio's rate may lie from its bytes and its time, which it is made of."""


def is_fio(text: str) -> bool:
    """Whether a text looks like fio's JSON."""
    return '"fio version"' in text


def read(text: str, line: int) -> tuple[Run, ...]:
    """The runs of one output. UnreadError where it is damaged, failed, or does not agree with itself."""
    document = parse(text, _JUDGED)
    jobs = document.get("client_stats") or document.get("jobs")
    if not isinstance(jobs, list) or not jobs or not all(isinstance(j, dict) for j in jobs):
        raise UnreadError("fio's JSON has no jobs: the run failed")
    shared = document.get("global options")
    shared = {str(k): str(v) for k, v in shared.items()} if isinstance(shared, dict) else {}
    version = str(document.get("fio version", "")).removeprefix("fio-")
    hosts = {str(j.get("hostname")) for j in jobs if j.get("hostname")}
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for job in jobs:
        # A run of several clients ends with a job that is all of them together.
        if str(job.get("jobname")) != _ALL:
            groups.setdefault(str(job.get("groupid", "0")), []).append(job)
    runs = [run for group in groups.values() for run in _group(group, shared, len(hosts) or 1)]
    if not runs:
        raise UnreadError("fio's jobs neither read nor wrote anything")
    return tuple(r._replace(version=version, began=str(document.get("time", "")), line=line) for r in runs)


def _group(jobs: Sequence[Mapping[str, Any]], shared: Mapping[str, str], nodes: int) -> Iterable[Run]:
    """The runs of jobs that ran at the same time: one for what they read, one for what they wrote."""
    if failed := next((j for j in jobs if str(j.get("error", "0")) != "0"), None):
        raise UnreadError(f"fio's job {str(failed.get('jobname'))[:40]!r} failed with error {failed['error']}")
    own = [{**shared, **_words(job)} for job in jobs]
    kinds = {(o.get("rw", "read"), o.get("bs", "4k"), o.get("direct", "0")) for o in own}
    for operation in ("write", "read"):
        sides = [s for j in jobs if isinstance(s := j.get(operation), dict) and _number(s, "io_bytes")]
        if not sides:
            continue
        if len(kinds) > 1:
            raise UnreadError("fio ran unlike jobs at the same time; give each a group of its own, or `stonewall`")
        yield _run(operation, sides, own, nodes)


def _run(operation: str, sides: Sequence[Mapping[str, Any]], own: Sequence[Mapping[str, str]], nodes: int) -> Run:
    for side in sides:
        _judge(side)
    access, record = own[0].get("rw", "read").partition(":")[0], option_size(own[0].get("bs", "4k"))
    pattern, operations = _ACCESS.get(access, ("other", ()))
    if record is None or operation not in operations or any(o.get("filename") for o in own):
        pattern = "other"
    in_operations = pattern == "random" and record == 4096
    value = rate(
        sum((_number(s, "iops" if in_operations else "bw_bytes") for s in sides), Fraction(0)), f"fio's {operation}"
    )
    seconds = [float(_number(s, "runtime")) / 1000 for s in sides]
    each = [int(o.get("numjobs", "1")) if o.get("numjobs", "1").isdecimal() else 1 for o in own]
    # Without group_reporting each of the equal jobs has an entry of its own.
    tasks = sum(each) if all("group_reporting" in o for o in own) else max(len(own), *each)
    return Run(
        "fio",
        "",
        operation,
        pattern,
        "op/s" if in_operations else "B/s",
        value,
        value,
        value,
        1,
        nodes,
        tasks,
        record,
        option_size(own[0].get("size", "")),
        int(sum(_number(s, "io_bytes") for s in sides)),
        min(seconds),
        direct=own[0].get("direct", "0") == "1",
        stonewall=None,
        is_flushed=own[0].get("end_fsync", own[0].get("fsync_on_close", "0")) == "1",
        is_reread=False,
        path=own[0].get("directory", own[0].get("filename", "")),
        doubts=(
            (Doubt("PX689", "refill_buffers is not set and zero_buffers is: drives may compress what is written"),)
            if own[0].get("zero_buffers", "0") == "1"
            else ()
        ),
    )


def _words(job: Mapping[str, Any]) -> dict[str, str]:
    found = job.get("job options")
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def _number(side: Mapping[str, Any], name: str) -> Fraction:
    text = side.get(name)
    if not isinstance(text, str):
        raise UnreadError(f"fio's JSON has no `{name}`; its version is too old")
    # fio's floats are printed by its own routine: a sign or an exponent would be a damaged one.
    return number(re.sub(r"(\.[0-9]{12})[0-9]+$", r"\1", text), name)


def _judge(side: Mapping[str, Any]) -> None:
    """UnreadError where bytes, time and rate do not go together."""
    moved, milliseconds, said = (_number(side, n) for n in ("io_bytes", "runtime", "bw_bytes"))
    whole(str(side.get("bw_bytes")), "bw_bytes")
    if milliseconds and abs(moved * 1000 / milliseconds - said) > said * _SLACK + 1:
        raise UnreadError("fio's bytes, time and rate do not go together: the output was changed")
