"""What a design offers to the search, as records: kinds of modules, what stands beside them, and how figures add."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import Part, System
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.size.parts import Items
from pixsize.size.requirements import Restrictions

Counts = tuple[int, ...]
"""How many modules of each kind."""


class Beside(NamedTuple):
    """The words of a request beside its modules, and how many equal arrays for metadata they ask for."""

    words: Mapping[str, Any]
    arrays: int


class Offers(NamedTuple):
    """What a file system on arrays offers to the search.

    `rests` are what a system has beside its modules: each list begins with the least hardware, and each of its entries
    has more than those before. `stored` is what the capacities of a plan are made of, `together` the same of a rest
    with so many modules of each kind, in their order, and `capacity` the figures of it. `limit` is the id of the limit
    record of what a file system has at the most, what that is, and whether volumes for metadata count. `needs_size` is
    the size of module that a rest needs beside it, or empty. `most_of_rest` is the most that a rate of metadata can be,
    whatever the modules.
    """

    rests: Callable[[ArrayDesign, Catalog, Restrictions], Iterator[Iterator[Beside]]]
    stored: Callable[[Plan, Catalog], Any]
    together: Callable[[Any, Sequence[tuple[Any, int]]], Any]
    capacity: Callable[[Any, Catalog], tuple[Figure, ...]]
    limit: tuple[str, str, bool]
    needs_size: Callable[[ArrayDesign, Mapping[str, Any]], str]
    most_of_rest: Callable[[System, str, Catalog], Range | None]


class Kind(NamedTuple):
    """A kind of storage module: its words in a request, its part of a system, and what it takes.

    `volumes` are those that the limit of the file system counts, `stored` what its capacities are made of.
    """

    name: str
    size: str
    expansion: bool
    drive: str
    words: Mapping[str, Any]
    part: Part
    servers: int
    arrays: int
    volumes: int
    items: Items
    stored: Any


class Rest(NamedTuple):
    """All that a system has beside its storage modules. `key` is its own among all of a design."""

    key: str
    words: Mapping[str, Any]
    system: System
    servers: int
    arrays: int
    volumes: int
    items: Items
    stored: Any
    needs_size: str


class Rests(Sequence[Rest]):
    """A list of what a system may have beside its modules, with more and more hardware, planned as it is looked at."""

    def __init__(self, plan: Callable[[Mapping[str, Any]], Rest], entries: Sequence[Beside]) -> None:
        self._plan, self._entries = plan, entries

    def __len__(self) -> int:
        return len(self._entries)

    def arrays(self, place: int) -> int:
        """How many arrays for metadata the rest at a place has, without planning it."""
        return self._entries[place].arrays

    @overload
    def __getitem__(self, place: int) -> Rest: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Rest]: ...
    def __getitem__(self, place: int | slice) -> Rest | Sequence[Rest]:
        """The rest at a place, or some of the list."""
        if isinstance(place, slice):
            return Rests(self._plan, self._entries[place])
        return self._plan(self._entries[place].words)
