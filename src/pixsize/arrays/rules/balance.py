"""Paths: the servers and controllers of a module share its volumes evenly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered
from pixsize.findings import Finding

_CONTROLLERS = ("a", "b")


def balanced_paths(case: Case) -> Iterator[Finding]:
    """PX515: in each pool of an array or module, every path serves as many volumes, or one more.

    A path is a server × controller; the servers for themselves, and the controllers, are held to the same. MGT and MDTs
    are spread over their servers by another rule (PX539).
    """
    served: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for nsd in (s for s in case.stacks if case.terms.balances(s.target)):
        path = (nsd.target.servers[0] if nsd.target.servers else "no server", nsd.volume.owner)
        served[nsd.module.id, nsd.array.id, case.terms.pool_of(nsd.target)][path] += 1
        served[nsd.module.id, nsd.module.id, case.terms.pool_of(nsd.target)][path] += 1

    def hits() -> Iterator[Hit]:
        for (module_id, place, pool), paths in served.items():
            module = case.modules[module_id]
            for every in _shares(module.servers, paths):
                most, least = max(every, key=lambda p: every[p]), min(every, key=lambda p: every[p])
                if every[most] - every[least] > 1:
                    counts = f"{most} serves {every[most]} volumes and {least} {every[least]}"
                    yield module.where, f"of {place}{pool and f', pool {pool}'}, {counts}"
                    break

    return gathered("PX515", hits(), "server and controller combinations differ by one volume at most")


RULES = (balanced_paths,)


def _shares(servers: Iterable[str], paths: Counter[tuple[str, str]]) -> Iterator[Counter[str]]:
    """The volumes of each path, of each server and of each controller, by a name for people."""
    every = {p: paths[p] for p in (*product(servers, _CONTROLLERS), *paths)}
    by_path, by_server, by_controller = Counter[str](), Counter[str](), Counter[str]()
    for (server, controller), volumes in every.items():
        by_path[f"{server} over controller {controller.upper()}"] += volumes
        by_server[server] += volumes
        by_controller[f"controller {controller.upper()}"] += volumes
    yield from (by_path, by_server, by_controller)
