"""What makes a result doubtful: each rule has a code, and says which way it moves the rate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from pixsize import units
from pixsize.acceptance.campaign import Campaign
from pixsize.acceptance.points import Point, Sample
from pixsize.results.records import Run

Way = Literal["up", "down", "both", "none"]
LEAST_SECONDS = 60
"""A shorter run measures caches and the start: IOR's user guide and the rules of IO500 ask for minutes."""
TIMES_MEMORY = 2
"""How many times the memory of clients and servers the documents make their data."""


class Rule(NamedTuple):
    """A reason for doubt: its code, and whether it may have moved the rate up, down, both ways or not at all."""

    code: str
    way: Way


class Doubted(NamedTuple):
    """What a rule saw in a run, or in the runs of a figure together: the first file that it saw it in, and its line."""

    code: str
    way: Way
    message: str
    file: str
    line: int


MEMORY = Rule("PX680", "up")
SHORT = Rule("PX681", "both")
NODES = Rule("PX682", "down")
MORE_NODES = Rule("PX682", "up")
THREADS = Rule("PX683", "down")
ONCE = Rule("PX684", "none")
STONEWALL = Rule("PX685", "up")
BUFFERED = Rule("PX686", "none")
COUNTED = Rule("PX687", "up")
MIXED = Rule("PX688", "both")
WRONG = Rule("PX689", "both")
JUST_WRITTEN = Rule("PX690", "up")
UNFLUSHED = Rule("PX691", "up")
_OF_OUTPUTS = {r.code: r for r in (STONEWALL, COUNTED, WRONG)}
"""The rules that readers see broken in an output."""


def of_sample(sample: Sample, campaign: Campaign) -> Iterator[Doubted]:
    """Every rule that a run breaks by itself."""
    for rule, message in _of_run(sample.run, campaign):
        yield Doubted(rule.code, rule.way, message, sample.file, sample.run.line)


def _of_run(run: Run, campaign: Campaign) -> Iterator[tuple[Rule, str]]:
    if run.pattern != "metadata":
        yield from _of_data(run, campaign)
    if run.seconds is not None and run.seconds < LEAST_SECONDS:
        what = "all phases took" if run.pattern == "metadata" else "an iteration took"
        yield SHORT, f"{what} {run.seconds:.3g} seconds; {LEAST_SECONDS} at least outlast caches and the start"
    if run.nodes is not None and run.tasks is not None and run.nodes < min(run.tasks, campaign.clients):
        planned = min(run.tasks, campaign.clients)
        yield (
            NODES,
            f"{_count(run.nodes, 'node')} with {_count(run.tasks, 'thread')}, where {planned} are planned for so many",
        )
    if run.nodes is not None and run.nodes > campaign.clients:
        yield MORE_NODES, f"{_count(run.nodes, 'node')}, where {campaign.clients} are planned: of another campaign"
    if run.stonewall:
        yield STONEWALL, "a stonewall ended it: what slow nodes had still to do is not in the time"
    fits = run.moved is None or run.moved < TIMES_MEMORY * campaign.memory(run.nodes, False)
    if run.is_reread and fits and not run.direct:
        yield JUST_WRITTEN, "the nodes read what they had just written: it may have come from their memory"
    for doubt in run.doubts:
        yield _OF_OUTPUTS[doubt.code], doubt.seen


def _of_data(run: Run, campaign: Campaign) -> Iterator[tuple[Rule, str]]:
    memory = campaign.memory(run.nodes, bool(run.direct))
    if run.moved is not None and run.moved < TIMES_MEMORY * memory:
        whose = "the servers have" if run.direct else "clients and servers have"
        yield MEMORY, f"{units.binary_bytes(run.moved)} of data, where {whose} {units.binary_bytes(memory)} of memory"
    if run.direct is False:
        yield BUFFERED, "no direct I/O: caches of the clients take part"
    if run.operation == "write" and run.direct is False and run.is_flushed is False:
        yield UNFLUSHED, "neither direct I/O nor a flush: a write ends before its data have left the client"


def of_points(points: Iterable[Point], planned: int | None) -> Iterator[Doubted]:
    """The rules that the runs of a figure break together. `planned` are the threads that its peak needs."""
    samples = [s for p in points for s in p.samples]
    first = samples[0]
    threads = [p.threads for p in points if p.threads is not None]
    if planned is not None and threads and max(threads) < planned:
        message = f"{_count(max(threads), 'thread')} at the most, where the peak needs {planned:,}"
        yield Doubted(THREADS.code, THREADS.way, message, first.file, first.run.line)
    versions = sorted({f"{s.run.tool} {s.run.version}" for s in samples if s.run.version})
    if len(versions) > 1:
        message = f"measured with {', '.join(versions)}: they count and time in different ways"
        yield Doubted(MIXED.code, MIXED.way, message, first.file, first.run.line)


def of_point(point: Point) -> Iterator[Doubted]:
    """The rule that the point of a figure breaks where it rests on one iteration of one run."""
    if len(point.samples) == 1 and (point.samples[0].run.iterations or 1) == 1:
        sample = point.samples[0]
        yield Doubted(
            ONCE.code, ONCE.way, "measured once: nobody knows how far it repeats", sample.file, sample.run.line
        )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
