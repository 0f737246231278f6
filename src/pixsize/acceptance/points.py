"""Runs -> the figures that they are of, and the points of each: what so many threads reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pixsize import units
from pixsize.acceptance.campaign import Campaign
from pixsize.estimate.ids import METADATA, OPERATIONS, RANDOM, SEQUENTIAL
from pixsize.figures import Figure
from pixsize.results.records import Run, Unread

_SIZES = {0: "empty", 128: "128b", 3072: "3k", 4096: "4k"}
"""The sizes of files that figures of the metadata are of."""
_SMALL = 128 * 1024
"""The transfers of the one figure of sequential rates with small ones."""
_LEAST = 1 << 20
"""Documents measured sequential rates with transfers from 1 MiB on."""
_TREES = ("tree create", "tree remove")


class ResultFile(NamedTuple):
    """A file below the folder of results: its name in messages, the checksum of its bytes, and what was read in it."""

    name: str
    digest: str
    runs: tuple[Run, ...]
    unread: tuple[Unread, ...]


class Sample(NamedTuple):
    """A run, and the file that it stands in."""

    run: Run
    file: str
    digest: str


class Point(NamedTuple):
    """What so many threads reached of a rate: the mean of the samples. `threads` is None where nobody says how many."""

    threads: int | None
    rate: int
    samples: tuple[Sample, ...]


class Ignored(NamedTuple):
    """A file, or a part of it, that does not count, and why."""

    file: str
    why: str


class Sorted(NamedTuple):
    """The points of each rate by its id without the last part, from the fewest threads on, and what does not count."""

    points: Mapping[str, tuple[Point, ...]]
    ignored: tuple[Ignored, ...]


def stem_of(run: Run) -> tuple[str, str]:
    """The figure that a run is of, without `.peak` or `.sustained`; or, behind an empty text, why it is of none."""
    if run.pattern == "metadata":
        return _of_files(run)
    if run.operation not in ("write", "read") or run.pattern == "other":
        return "", f"{run.operation} of this kind is no figure of a plan"
    return _at_random(run) if run.pattern in ("random", "random_n_1") else _in_sequence(run)


def _of_files(run: Run) -> tuple[str, str]:
    if run.operation not in OPERATIONS:
        return "", f"{run.operation} is no figure of a plan"
    size = _SIZES.get(run.file_bytes) if run.file_bytes is not None else None
    return (f"{METADATA}{size}.{run.operation}", "") if size else ("", _of_size(run.file_bytes))


def _at_random(run: Run) -> tuple[str, str]:
    if run.pattern == "random_n_1":
        return "", "random offsets in one file: figures of a plan are of random offsets in files of their own"
    if run.unit != "op/s":
        return "", "random transfers of another size than 4 KiB: no figure of a plan is of them"
    return f"{RANDOM}{run.operation}", ""


def _in_sequence(run: Run) -> tuple[str, str]:
    stem = f"{SEQUENTIAL}{run.pattern}.{run.operation}"
    if run.transfer is None or run.transfer >= _LEAST:
        return stem, ""
    if run.transfer == _SMALL and run.pattern == "n_n":
        return f"{stem}.128k", ""
    return "", f"sequential transfers of {units.binary_bytes(run.transfer)}: figures of a plan are of 1 MiB or more"


def _of_size(size: int | None) -> str:
    known = "empty files and of 128 B, 3 KiB and 4 KiB"
    said = "of a size that is not said" if size is None else f"of {size:,} bytes"
    return f"metadata of files {said}: figures of a plan are of {known}"


def sort(files: Iterable[ResultFile], figures: Mapping[str, Figure], campaign: Campaign) -> Sorted:
    """The points of every rate of the plan that a run is of. A file with the bytes of another one counts once."""
    seen: dict[str, str] = {}
    ignored: list[Ignored] = []
    samples: dict[str, dict[int | None, list[Sample]]] = {}
    for file in files:
        ignored += [Ignored(file.name, _placed(u)) for u in file.unread]
        if file.runs and file.digest in seen:
            ignored.append(Ignored(file.name, f"the same bytes as {seen[file.digest]}, which counts"))
            continue
        seen.setdefault(file.digest, file.name)
        whys: dict[str, None] = {}
        for run in file.runs:
            stem, why = _counted(run, figures, campaign)
            if stem:
                samples.setdefault(stem, {}).setdefault(run.tasks, []).append(Sample(run, file.name, file.digest))
            elif run.operation not in _TREES:
                whys[why] = None
        ignored += [Ignored(file.name, why) for why in whys]
    return Sorted({stem: _points(by_threads) for stem, by_threads in samples.items()}, tuple(ignored))


def _placed(unread: Unread) -> str:
    return unread.why if unread.line == 1 else f"from line {unread.line} on: {unread.why}"


def _counted(run: Run, figures: Mapping[str, Figure], campaign: Campaign) -> tuple[str, str]:
    """The rate that a run counts for; or why it does not."""
    stem, why = stem_of(run)
    if not stem:
        return "", why
    if not any(i in figures for i in (stem, f"{stem}.peak", f"{stem}.sustained")):
        return "", f"the plan has no figure {stem}: nobody measured it on such a system"
    below = campaign.directory.rstrip("/")
    if below and run.path and not (run.path == below or run.path.startswith(below + "/")):
        return (
            "",
            f"from another run: it wrote to {_shown(run.path)}, and the benchmarks of the request write below {below}",
        )
    return stem, ""


def _shown(path: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in path[:120])


def _points(by_threads: Mapping[int | None, list[Sample]]) -> tuple[Point, ...]:
    order = sorted(by_threads, key=lambda n: (n is None, n or 0))
    return tuple(Point(n, _mean(by_threads[n]), tuple(by_threads[n])) for n in order)


def _mean(samples: list[Sample]) -> int:
    return round(sum(s.run.rate for s in samples) / len(samples))
