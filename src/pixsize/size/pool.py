"""What a design whose servers share their drives offers to the search: so many equal servers, with one kind of drive.

There are few such systems, one for each number of servers, so that the figures of each are those of its whole plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from pixsize.catalog.records import Limit
from pixsize.estimate import ids
from pixsize.estimate.make import estimate
from pixsize.estimate.system import SERVER, System
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of, volumes_of
from pixsize.size.parts import only
from pixsize.size.records import Beside, Counts, Kind, Rest, Rests
from pixsize.size.requirements import PORTS, RACKS, Requirement
from pixsize.size.space import NAME, Space

LEAST_INODE = 512
"""Bytes of the smallest inode: so many files fit at the most."""


class PoolSpace(Space):
    """All systems of a design with a pool. A module is a server; the drive stands with the rest, as all have it."""

    @property
    def least_modules(self) -> int:
        """The fewest servers of a pool."""
        return self._limit("sds_min")

    @property
    def most_modules(self) -> int:
        """The most servers of a pool, as far as any release is known to take."""
        return min(self._limit("domain_sds"), self._limit("pool_devices") // int(self.design.storage.drives))

    @property
    def limit_in_words(self) -> str:
        """What bounds a file system of the design."""
        return f"{self.most_modules:,} servers in a pool of {self.design.id}"

    def _limit(self, name: str) -> int:
        return self.catalog.get(Limit, f"{self.design.volumes}.{name}").value

    def rests(self) -> Iterator[Rests]:
        """With two MDTs or one, and each of the drives."""
        if self.is_empty:
            return
        for drive in self.drives():
            for dne in (True, False):
                yield Rests(self._known_rest, (Beside({"drive": drive, "metadata": {"dne": dne}}, 0),))

    def kinds(self, rest: Rest) -> tuple[Kind, ...]:
        """The one kind of server."""
        if rest.key not in self._kinds:
            plan = self._planner(self._pool_words(rest.words, self.least_modules))
            (part,) = volumes_of(self.design).data_tier(plan, self.catalog)
            server = only(plan, part.servers)
            name, drive = f"Server, {rest.words['drive']}", part.kind.drive
            words = {"data_drive": rest.words["drive"]}
            items, volumes = self._bill.counted(server), part.kind.groups
            alone = replace(part, count=1)
            self._kinds[rest.key] = (Kind(name, SERVER, False, drive, words, alone, 1, 0, volumes, items, None),)
        return self._kinds[rest.key]

    def request(self, rest: Rest, kinds: Sequence[Kind], counts: Counts) -> dict[str, Any]:  # noqa: ARG002
        """The words of the request of a system."""
        return self._pool_words(rest.words, sum(counts))

    def _pool_words(self, rest: Mapping[str, Any], servers: int) -> dict[str, Any]:
        return {"name": NAME, "design": self.design.id, "servers": servers, **rest, "filesystem": {"name": NAME}}

    @property
    def is_empty(self) -> bool:
        """Whether the restrictions leave nothing: a pool has no sizes, expansions or arrays for metadata."""
        chosen = self._restrictions
        return not self.drives() or bool(chosen.sizes or chosen.expansion or chosen.hdmd)

    @property
    def _media(self) -> str:
        return str(self.design.storage.media)

    def _rest(self, words: Mapping[str, Any], key: str) -> Rest:
        plan = self._planner(self._pool_words(words, self.least_modules))
        (pool,) = plan.pools
        others = tuple(s for s in plan.servers if s.id not in pool.servers)
        system = filesystem_of(self.design).system(plan, self.catalog)._replace(parts=())
        items = self._bill.counted(only(plan, others)) + self._bill.once(plan)
        return Rest(key, words, system, len(others), 0, 0, items, None, "")

    @cached_property
    def sample(self) -> Plan:
        """The plan of the smallest pool."""
        return self._planner(self._pool_words({"drive": self.drives()[0]}, self.least_modules))

    def system(self, rest: Rest, kinds: Sequence[Kind], counts: Counts) -> System:
        """The system as measurements see it."""
        (kind,), (number,) = kinds, counts
        return rest.system._replace(parts=(replace(kind.part, count=number),))

    def _made(self, rest: Rest, kinds: Sequence[Kind], counts: Counts, names: frozenset[str]) -> dict[str, Figure]:
        plan = self._planner(self.request(rest, kinds, counts))
        figures, _ = estimate(plan, self.catalog, by_threads=False)
        counted = super()._made(rest, kinds, counts, names & {RACKS, PORTS})
        return {**{i: f for i, f in figures.items() if i in names}, **counted}

    def brings(
        self, rest: Rest, kinds: Sequence[Kind], requirements: Sequence[Requirement]
    ) -> dict[str, tuple[float, ...]]:
        """What one server brings at the most: its drives, or the copy of them that holds data. More servers keep less
        of them spare, so that what is usable does not add.
        """
        least = (self.least_modules,)
        found = self.figures(rest, kinds, least, (ids.RAW, ids.FORMATTED))
        raw, formatted = (found[i].value / self.least_modules for i in (ids.RAW, ids.FORMATTED))
        most = {ids.RAW: raw, ids.FORMATTED: formatted, ids.USABLE: formatted, ids.FILES: raw / LEAST_INODE}
        return {r.figure: (most[r.figure] + 1,) for r in requirements}

    def most_files(self, rest: Rest, kind: Kind) -> Figure | None:  # noqa: ARG002
        """None: metadata lies in the pool, and more servers hold more of it."""
        return None
