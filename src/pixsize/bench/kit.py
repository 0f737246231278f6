"""The benchmarks of a plan: clients, MPI, tests with their points, and what is wrong with the words of the request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.acceptance.campaign import campaign_of
from pixsize.acceptance.rules import TIMES_MEMORY
from pixsize.bench.commands import Phase, phases, tool_words
from pixsize.bench.points import Clients, Data, Point, document_bytes, lasting, measures, points
from pixsize.bench.records import Surroundings
from pixsize.catalog.benchmarks import Benchmark, BenchmarkMethod, BenchmarkMpi, Test
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.estimate.ids import FILES, USABLE
from pixsize.estimate.make import estimate
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan, same_host
from pixsize.product import filesystem_of
from pixsize.request import Benchmark as Words
from pixsize.request import BenchmarkClients
from pixsize.texts import listed, plural

ORDER: tuple[Test, ...] = ("n_n", "n_n_128k", "n_1", "random", "empty", "128b", "3k", "4k")
"""In which tests are run: those with the same settings one after the other."""
TOOLS = ("ior", "mdtest", "iozone")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_PATH = re.compile(r"(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}){1,20}")
_VERSION = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}(?:[-+.]?[a-z0-9]{1,12}){0,2}")
_MOST_THREADS = 100_000
_LONG_S = 7 * 24 * 3600
"""A test of more than a week is worth a word before it is started."""


class Bench(NamedTuple):
    """A test: its method, the version of its tool, its commands, and its points for either size of data."""

    method: BenchmarkMethod
    version: str
    phases: tuple[Phase, ...]
    points: Mapping[Data, tuple[Point, ...]]

    @property
    def default(self) -> tuple[Point, ...]:
        """The points that are run unless told."""
        return self.points[self.method.sized_by]


class Kit(NamedTuple):
    """All benchmarks of a plan. `servers` are those whose caches may hold data of the file system."""

    plan: Plan
    around: Surroundings
    clients: Clients
    servers: tuple[str, ...]
    mpi: BenchmarkMpi
    directory: str
    benches: tuple[Bench, ...]
    figures: Mapping[str, Figure]

    @property
    def seconds(self) -> int:
        """How long all of them take at the plan's rates."""
        return sum(lasting(b.method, b.default) for b in self.benches)


def kit_of(plan: Plan, catalog: Catalog) -> Kit:
    """The benchmarks of a plan, whose words were judged by `findings_of`."""
    words: Words = plan.benchmark or Words()
    asked = words.clients or BenchmarkClients()
    printed = next(iter(catalog.of_design(Benchmark, plan.design)), None)
    around = filesystem_of(catalog.get(Design, plan.design)).benchmarks(plan, catalog)
    campaign = campaign_of(plan, words, catalog)
    names = asked.hosts or _named(plan, around, campaign.clients, asked)
    clients = Clients(
        names[: campaign.clients],
        asked.cores or (printed.clients.cores if printed else None),
        campaign.server_bytes + campaign.clients * (campaign.client_bytes or 0),
        campaign.client_bytes is not None,
    )
    figures = _figures(plan._replace(benchmark=None), catalog)
    chosen = asked.mpi if asked.mpi is not None else printed.mpi if printed else "openmpi"
    mpi = next(r for r in catalog.all(BenchmarkMpi) if r.mpi == chosen)
    benches = tuple(_benches(plan, words, clients, figures, catalog))
    caching = tuple(s.id for s in plan.servers if s.role in ("storage", "metadata"))
    directory = words.directory or around.mount
    return Kit(plan, around, clients, caching, mpi, directory, benches, figures)


@lru_cache(maxsize=1)
def _figures(plan: Plan, catalog: Catalog) -> Mapping[str, Figure]:
    """The figures of a plan, which findings, files and steps ask for one after the other."""
    return estimate(plan, catalog)[0]


def _named(plan: Plan, around: Surroundings, count: int, asked: BenchmarkClients) -> tuple[str, ...]:
    """The clients that the plan has, where they are as many; else names of the form client0001."""
    if around.clients and (asked.count is None or asked.count <= len(around.clients)):
        return around.clients[:count]
    taken = {s.id.lower() for s in plan.servers}
    stem = "client"
    while any(name.startswith(stem) and name[len(stem) :].isdigit() for name in taken):
        stem += "-"
    return tuple(f"{stem}{n:04d}" for n in range(1, count + 1))


def _benches(
    plan: Plan, words: Words, clients: Clients, figures: Mapping[str, Figure], catalog: Catalog
) -> Iterator[Bench]:
    """The tests that measure a figure of the plan, in their order."""
    for method in sorted(catalog.of_design(BenchmarkMethod, plan.design), key=lambda m: ORDER.index(m.test)):
        version = words.tools.get(method.tool, method.version)
        tool = tool_words(method.tool, version, catalog)
        if tool is None or not measures(method.test, figures):
            continue
        both: tuple[Data, ...] = ("memory", "document")
        made = {data: points(method, data, words.threads, clients, figures) for data in both}
        yield Bench(method, version, phases(method, tool), made)


def findings_of(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """PX700 to PX709: what is wrong with the words for benchmarks, then what is to be known of the benchmarks."""
    if not catalog.of_design(BenchmarkMethod, plan.design):
        yield Finding("PX608", f"bench: no document says how {plan.design} is measured", "design")
        return
    wrong = list(_of_words(plan, catalog))
    yield from wrong
    if wrong:
        return
    kit = kit_of(plan, catalog)
    if not kit.benches:
        yield Finding("PX608", f"bench: no figure of the plan was measured for {plan.design}", "design")
        return
    yield from _of_kit(kit)


def _of_words(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """Errors alone: whatever a script or a host file would misread."""
    words: Words = plan.benchmark or Words()
    clients = words.clients or BenchmarkClients()
    yield from _of_hosts(plan, clients)
    for tool, version in words.tools.items():
        where = f"benchmark.tools.{tool}" if tool.isidentifier() else "benchmark.tools"
        if tool not in TOOLS:
            yield Finding("PX706", f"{tool[:40]!r} is none of the tools {', '.join(TOOLS)}", where)
        elif _VERSION.fullmatch(version) is None or tool_words(tool, version, catalog) is None:
            yield Finding("PX706", f"nobody knows the options of {tool} {version[:40]!r}", where, "Such as 3.3.0.")
    if words.directory is not None and (_PATH.fullmatch(words.directory) is None or "/../" in f"{words.directory}/"):
        message = f"{words.directory[:60]!r} cannot be the folder of benchmarks: an absolute path of plain letters is"
        yield Finding("PX700", message, "benchmark.directory", "Such as /mmfs1/bench.")
    yield from _of_threads(plan, words, clients, catalog)


def _of_hosts(plan: Plan, clients: BenchmarkClients) -> Iterator[Finding]:
    at = "benchmark.clients.hosts"
    seen: dict[str, int] = {}
    for number, host in enumerate(clients.hosts):
        if _HOST.fullmatch(host) is None:
            yield Finding("PX700", f"{host[:60]!r} cannot be the name of a client", f"{at}[{number}]", "Such as c01.")
        elif host.lower() in seen:
            yield Finding("PX709", f"{host} is named twice", f"{at}[{number}]")
        elif server := next((s.id for s in plan.servers if same_host(s.id, host)), ""):
            message = f"{host} is {server}, a server of the system: what it measures does not pass the network"
            yield Finding("PX709", message, f"{at}[{number}]", "Clients that are no servers.")
        seen.setdefault(host.lower(), number)
    if clients.hosts and clients.count is not None and clients.count != len(clients.hosts):
        message = f"{plural(clients.count, 'client')}, and {plural(len(clients.hosts), 'name')} of clients"
        yield Finding("PX709", message, "benchmark.clients.count", "Leave count out.")


def _of_threads(plan: Plan, words: Words, clients: BenchmarkClients, catalog: Catalog) -> Iterator[Finding]:
    printed = next(iter(catalog.of_design(Benchmark, plan.design)), None)
    cores = clients.cores or (printed.clients.cores if printed else None)
    count = campaign_of(plan, words, catalog).clients
    most = min(count * cores, _MOST_THREADS) if cores else _MOST_THREADS
    for number, threads in enumerate(words.threads):
        if not 1 <= threads <= most:
            what = f"{count} clients with {cores} cores have {most:,}" if cores else f"1 to {most:,} can be started"
            hint = "Fewer threads, or more clients or cores."
            yield Finding("PX703", f"{threads:,} threads: {what}", f"benchmark.threads[{number}]", hint)


def _of_kit(kit: Kit) -> Iterator[Finding]:
    words: Words = kit.plan.benchmark or Words()
    asked = words.clients or BenchmarkClients()
    if not asked.hosts and kit.clients.names != kit.around.clients[: len(kit.clients.names)]:
        message = f"nobody names the clients: the host files have {listed(kit.clients.names, 2)}"
        yield Finding("PX701", message, "", "benchmark: {clients: {hosts: [c01, c02]}}")
    if kit.clients.cores is None or not kit.clients.is_known:
        message = "no document says how many cores the clients have, or how much memory: their caches may hold data"
        yield Finding("PX702", message, "", "benchmark: {clients: {cores: 40, memory: 192 GiB}}")
    yield from _of_space(kit)
    for bench in kit.benches:
        yield from _of_sizes(kit, bench)
        took = lasting(bench.method, bench.default)
        if took > _LONG_S:
            message = f"{bench.method.title}: {took / 86_400:.0f} days at the plan's rates, all points together"
            yield Finding("PX708", message, "", "Run single points with --threads.")


def _of_space(kit: Kit) -> Iterator[Finding]:
    """The data of a point are removed before the next, so that the largest alone has to fit."""
    usable, files = kit.figures.get(USABLE), kit.figures.get(FILES)
    most = max((p.total for b in kit.benches for p in b.default), default=0)
    if usable is not None and most > usable.low:
        message = f"a run writes {units.binary_bytes(most)}, and {units.binary_bytes(usable.low)} are usable"
        hint = "Fewer clients or servers for the measurement: their memory decides how much is written."
        yield Finding("PX704", message, "", hint)
    count = max((p.files * p.threads for b in kit.benches for p in b.default), default=0)
    if files is not None and count > files.low:
        yield Finding("PX705", f"a run makes {count:,} files, and the file system takes {files.low:,}", "")


def _of_sizes(kit: Kit, bench: Bench) -> Iterator[Finding]:
    least = TIMES_MEMORY * kit.clients.memory
    smallest = min((p.total for p in bench.default), default=0)
    if not bench.method.of_files and bench.method.sized_by == "document" and smallest < least:
        used = document_bytes(bench.method, bench.default[0].threads)
        message = (
            f"{bench.method.title}: {units.binary_bytes(used)}, as the document used; twice the memory of clients and "
            f"servers is {units.binary_bytes(least)}"
        )
        yield Finding("PX707", message, "", "--data memory moves twice the memory.")
