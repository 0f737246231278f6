"""What a plan expects of its benchmarks: the clients, their memory and that of the servers, and the threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pixsize.catalog.benchmarks import Benchmark
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import Server
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.request import Benchmark as Words

CACHING = ("storage", "metadata")
"""The roles of servers whose memory may hold data of the file system."""


class Campaign(NamedTuple):
    """The benchmarks that a plan is measured with.

    Memory is in bytes: of each client, None where neither the request nor the document of the design says it, and of
    all servers together. `directory` is where the benchmarks write, `threads` the numbers of threads of a request;
    both are empty where that does not say them.
    """

    clients: int
    client_bytes: int | None
    server_bytes: int
    directory: str = ""
    threads: tuple[int, ...] = ()

    def memory(self, nodes: int | None, direct: bool) -> int:
        """What caches may hold of the data: of the clients that took part, all where nobody says how many, and of the
        servers. Direct I/O goes past the caches of clients.
        """
        taking_part = min(nodes or self.clients, self.clients)
        return self.server_bytes + (0 if direct else taking_part * (self.client_bytes or 0))


def campaign_of(plan: Plan, words: Words | None, catalog: Catalog) -> Campaign:
    """The benchmarks of a plan: as the request has them, and what it leaves out as the design's document."""
    printed = next(iter(catalog.of_design(Benchmark, plan.design)), None)
    asked = words.clients if words else None
    named = (asked.count or len(asked.hosts) or None) if asked else None
    memory = asked.memory_bytes if asked else None
    of_document = printed.clients if printed else None
    servers = (catalog.get(Server, s.model).memory_bytes or 0 for s in plan.servers if s.role in CACHING)
    return Campaign(
        named or (of_document.count if of_document else 1),
        memory or (of_document.memory_bytes if of_document else None),
        sum(servers),
        (words.directory or "") if words else "",
        tuple(sorted(words.threads)) if words else (),
    )


def threads_of_peak(figure: Figure, catalog: Catalog) -> int | None:
    """The fewest threads at which a document read the peak that a figure rests on; None where none is printed."""
    found: list[int] = []
    for source in figure.inputs:
        if source in catalog and catalog.raw[catalog.id_of(source)]["kind"] == "measurement":
            threads = catalog.get(Measurement, source).threads
            found += threads.at if threads else ()
    return min(found, default=None)


def with_peaks(figures: Mapping[str, Figure]) -> tuple[str, ...]:
    """The rates of a plan that a benchmark can measure, by threads aside, in the plan's order."""
    from pixsize.estimate.ids import MEASURABLE, POWER, is_by_threads

    return tuple(i for i in figures if i in MEASURABLE and i != POWER and not is_by_threads(i))
