"""Paths: the servers and controllers of a module share its volumes evenly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product

from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered
from pixsize.findings import Finding

_CONTROLLERS = ("a", "b")


def balanced_paths(case: Case) -> Iterator[Finding]:
    """PX515: in each pool of an array or module, every server × controller serves as many volumes, or one more."""
    served: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for nsd in case.nsds:
        path = (nsd.target.servers[0] if nsd.target.servers else "no server", nsd.volume.owner)
        served[nsd.module.id, nsd.array.id, nsd.target.pool][path] += 1
        served[nsd.module.id, nsd.module.id, nsd.target.pool][path] += 1

    def hits() -> Iterator[Hit]:
        for (module_id, place, pool), paths in served.items():
            module = case.modules[module_id]
            every = {p: paths[p] for p in (*product(module.servers, _CONTROLLERS), *paths)}
            most, least = max(every, key=lambda p: every[p]), min(every, key=lambda p: every[p])
            if every[most] - every[least] > 1:
                counts = f"{_path(most)} serves {every[most]} volumes and {_path(least)} {every[least]}"
                yield module.where, f"of {place}, pool {pool}, {counts}"

    return gathered("PX515", hits(), "server and controller combinations differ by one volume at most")


RULES = (balanced_paths,)


def _path(path: tuple[str, str]) -> str:
    return f"{path[0]} over controller {path[1].upper()}"
