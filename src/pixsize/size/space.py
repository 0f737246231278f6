"""What a design offers to the search: kinds of modules, and what a system has beside them, each from a real plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Any

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.fabrics import FabricChoice, with_fabric
from pixsize.catalog.records import Drive, Limit, Racked, Switch
from pixsize.estimate import ids
from pixsize.estimate.evidence import evidence_for
from pixsize.estimate.make import rack_units, rates_of
from pixsize.estimate.system import Kind as ModuleKind
from pixsize.estimate.system import System
from pixsize.figures import Figure, Source, exact
from pixsize.plan.orders import module_sizes, switch_counts
from pixsize.plan.records import Array, Module, Plan, Server, SwitchSet
from pixsize.product import filesystem_of, volumes_of
from pixsize.size.parts import Bill, Items, only
from pixsize.size.records import Beside, Counts, Kind, Offers, Rest, Rests
from pixsize.size.requirements import PORTS, RACKS, Requirement, Restrictions

Planner = Callable[[Mapping[str, Any]], Plan]
"""Makes the plan of the words of a request."""
NAME = "scratch"
"""The name of proposed systems and of their file systems."""
RACK_HEIGHT = 42
"""Rack units of a rack, unless the user says otherwise."""


def _of_module(plan: Plan, modules: Set[str | None]) -> tuple[tuple[Server, ...], tuple[Array, ...]]:
    """The servers and arrays of some modules; those of None belong to none."""
    return tuple(s for s in plan.servers if s.module in modules), tuple(a for a in plan.arrays if a.module in modules)


ROUNDING = 2
"""What a figure of several modules may lie above the sum of those of one, as each is rounded by itself."""


class Space:
    """All systems of a design on arrays, as far as the search is not restricted."""

    def __init__(
        self,
        design: Any,  # noqa: ANN401  an `ArrayDesign` here
        catalog: Catalog,
        restrictions: Restrictions,
        planner: Planner,
        bill: Bill,
        rack: int = RACK_HEIGHT,
    ) -> None:
        self.design: Any = design
        self.catalog = catalog
        self._restrictions = restrictions
        self._planner = planner
        self._bill = bill
        self.rack = rack
        self._wired = with_fabric(design, FabricChoice(), catalog)
        self._kinds: dict[str, tuple[Kind, ...]] = {}
        self._rests: dict[str, Rest] = {}
        self._figures: dict[tuple[object, ...], dict[str, Figure]] = {}
        offers = filesystem_of(design).offers
        if offers is None:
            raise KeyError(f"{design.filesystem} offers nothing to the search")
        self.offers: Offers = offers

    @cached_property
    def limit(self) -> int:
        """How many NSDs or other targets a file system has at the most."""
        return self.catalog.get(Limit, self.offers.limit[0]).value

    @cached_property
    def measured_arrays(self) -> frozenset[int]:
        """How many arrays for metadata the systems of the design have that were measured."""
        evidence = evidence_for(self.catalog, self.design.id)
        return frozenset(m.metadata.arrays for f in ids.MEASURABLE for m in evidence.measurements(f))

    def measured(self, rest: Rest) -> tuple[Counter[ModuleKind], ...]:
        """The modules of each system of the design that was measured, with as many metadata arrays as a rest has."""
        evidence = evidence_for(self.catalog, self.design.id)
        known = (m for f in ids.MEASURABLE for m in evidence.measurements(f))
        alike = (m for m in known if m.metadata.arrays == rest.system.metadata.arrays)
        return tuple({frozenset(m.modules.items()): m.modules for m in alike}.values())

    def restricted(self, **words: Any) -> Space:  # noqa: ANN401  the words of restrictions
        """The same design, restricted further."""
        restrictions = self._restrictions._replace(**words)
        space = type(self)(self.design, self.catalog, restrictions, self._planner, self._bill, self.rack)
        space._rests = self._rests  # what stands beside the modules does not depend on them
        return space

    @property
    def is_empty(self) -> bool:
        """Whether the restrictions leave no kind of module."""
        return not any(True for _ in self._entries())

    @property
    def least_modules(self) -> int:
        """The fewest storage modules of a system."""
        return 1

    @property
    def most_modules(self) -> int:
        """How many storage modules a request takes at the most."""
        return self.catalog.get(Limit, "pixsize.modules").value

    @property
    def limit_in_words(self) -> str:
        """What bounds a file system of the design."""
        return f"{self.limit:,} {self.offers.limit[1]} in a file system of {self.design.id}"

    def rests(self) -> Iterator[Rests]:
        """All that a system may have beside its modules, planned as it is looked at."""
        lists = self.offers.rests(self.design, self.catalog, self._restrictions)
        return (Rests(self._known_rest, self._fitting(each)) for each in lists)

    def _fitting(self, each: Iterator[Beside]) -> tuple[Beside, ...]:
        """The entries of a list that leave room for a module: all arrays have as many volumes as those of the first."""
        first = next(each)
        rest = self._known_rest(first.words)
        room = self.limit - min(k.volumes for k in self.kinds(rest))
        fitting = takewhile(lambda b: rest.volumes * b.arrays <= room * (first.arrays or 1), each)
        return (first, *fitting)

    def _known_rest(self, words: Mapping[str, Any]) -> Rest:
        """The rest of a request, planned once for all searches."""
        key = str(words)
        if key not in self._rests:
            self._rests[key] = self._rest(words, key)
        return self._rests[key]

    def kinds(self, rest: Rest) -> tuple[Kind, ...]:
        """The kinds of module beside a rest: their layout depends on where the metadata lies."""
        variant = rest.system.variant
        if variant not in self._kinds:
            entries = tuple(self._entries())
            plan = self._planner(self.words(rest.words, [dict(words, count=1) for words in entries]))
            modules = (m for m in plan.modules if m.role == "storage")
            made = (self._kind(words, m, plan) for words, m in zip(entries, modules, strict=True))
            self._kinds[variant] = tuple(made)
        return self._kinds[variant]

    def words(self, rest: Mapping[str, Any], modules: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The words of a request."""
        head = {"name": NAME, "design": self.design.id, "storage_modules": [dict(m) for m in modules]}
        return {**head, **rest, "filesystem": {"name": NAME}}

    def request(self, rest: Rest, kinds: Sequence[Kind], counts: Counts) -> dict[str, Any]:
        """The words of the request of a system."""
        modules = []
        for kind, count in zip(kinds, counts, strict=True):
            if count:
                size, *others = kind.words.items()
                modules.append(dict((size, ("count", count), *others)))
        return self.words(rest.words, modules)

    def _entries(self) -> Iterator[Mapping[str, Any]]:
        """Of each kind the words of an entry. Expansions stand behind the sizes that they are sold for."""
        storage, chosen = self.design.storage, self._restrictions
        sizes = sorted(module_sizes(self.design.id, self.catalog).values(), key=lambda s: -s.arrays)
        for size in (s for s in sizes if not chosen.sizes or s.size in chosen.sizes):
            sold = bool(storage.expansion) and size.size in storage.expansion_sold_for
            for expansion in (e for e in (True, False) if chosen.expansion in (None, e) and (sold or not e)):
                for drive in self.drives():
                    words = {"size": size.size, "data_drive": drive}
                    yield {**words, "expansion": True} if expansion else words

    def drives(self) -> tuple[str, ...]:
        """The data drives that a request may name, the largest first: by their capacity where only one has it.

        Those that nobody has confirmed for the arrays are there where they are asked for.
        """
        fitting = [d for d in self.catalog.all(Drive) if d.media == self._media]
        sizes = Counter(d.capacity_bytes for d in fitting)
        found = []
        for drive in sorted(fitting, key=lambda d: -d.capacity_bytes):
            shown = units.show(drive.capacity_bytes, "B")
            name = shown if sizes[drive.capacity_bytes] == 1 else drive.id
            allowed = {drive.id, shown, shown.replace(" ", "")}
            wanted = set(self._restrictions.drives)
            if allowed & wanted or (drive.confirmed and not wanted):
                found.append(name)
        return tuple(found)

    @property
    def _media(self) -> str:
        """The kind of drives that hold data."""
        return str(self.design.storage.data_media)

    def _kind(self, words: Mapping[str, Any], module: Module, plan: Plan) -> Kind:
        own = only(plan, *_of_module(plan, {module.id}))
        (part,) = volumes_of(self.design).data_tier(own, self.catalog)
        counted = sum(self.offers.limit[2] or v.purpose == "data" for v in own.volumes)
        expansion = bool(words.get("expansion"))
        name = f"{module.size.capitalize()}{' with expansion' if expansion else ''}, {words['data_drive']}"
        return Kind(
            name=name,
            size=module.size,
            expansion=expansion,
            drive=module.drive,
            words=words,
            part=part,
            servers=len(own.servers),
            arrays=len(own.arrays),
            volumes=counted,
            items=self._bill.counted(own),
            stored=self.offers.stored(own, self.catalog),
        )

    def _rest(self, words: Mapping[str, Any], key: str) -> Rest:
        *_, smallest = self._entries()
        plan = self._planner(self.words(words, [smallest]))
        storage = {m.id for m in plan.modules if m.role == "storage"}
        own = only(plan, *_of_module(plan, {m.id for m in plan.modules} - storage | {None}))
        return Rest(
            key=key,
            words=words,
            system=filesystem_of(self.design).system(plan, self.catalog)._replace(parts=()),
            servers=len(own.servers),
            arrays=len(own.arrays),
            volumes=len(own.volumes) if self.offers.limit[2] else 0,
            items=self._bill.counted(own) + self._bill.once(plan),
            stored=self.offers.stored(own, self.catalog),
            needs_size=self.offers.needs_size(self.design, words),
        )

    @cached_property
    def sample(self) -> Plan:
        """The plan of a small system, which has one set of each switch."""
        *_, smallest = self._entries()
        return self._planner(self.words({}, [smallest]))

    @cached_property
    def _switch_sets(self) -> dict[str, Items]:
        """The switches of a network that are bought together, one or a pair, with the cables that begin at them."""
        sets: dict[str, list[SwitchSet]] = {}
        for switch in self.sample.switches:
            sets.setdefault(switch.model, []).append(switch)
        return {model: self._bill.counted(only(self.sample, switches=each)) for model, each in sets.items()}

    def switches(self, servers: int, arrays: int) -> Items:
        """The switches that so many servers and arrays need, with the cables that begin at them."""
        found: Items = Counter()
        for role, number in switch_counts(self._wired, servers, arrays, self.catalog):
            for item, each in self._switch_sets[role.model].items() if number else ():
                found[item] += each * number // role.count
        return found

    def switch_shares(self, servers: int, arrays: int) -> Iterator[tuple[Items, float]]:
        """The sets of switches that so many servers and arrays need, not rounded up to whole sets."""
        for role in self._wired.switches:
            ports = servers * role.ports_a_server / role.links_a_port + arrays * role.ports_an_array
            yield self._switch_sets[role.model], ports / self.catalog.get(Switch, role.model).ports

    def items(self, rest: Rest, kinds: Sequence[Kind], counts: Counts) -> Items:
        """Every part of a system."""
        found = Counter(rest.items)
        for kind, count in zip(kinds, counts, strict=True):
            for item, number in kind.items.items() if count else ():
                found[item] += number * count
        found.update(self.switches(*self.sizes(rest, kinds, counts)))
        return found

    @staticmethod
    def sizes(rest: Rest, kinds: Sequence[Kind], counts: Counts) -> tuple[int, int]:
        """How many servers and arrays a system has."""
        servers = rest.servers + sum(k.servers * n for k, n in zip(kinds, counts, strict=True))
        return servers, rest.arrays + sum(k.arrays * n for k, n in zip(kinds, counts, strict=True))

    def ports(self, servers: int, arrays: int) -> int:
        """The ports on the switches of the data that the servers take."""
        roles = (r for r in self._wired.switches if self.catalog.get(Switch, r.model).network != "management")
        return sum(role.ports(servers, arrays) * role.count for role in roles)

    def system(self, rest: Rest, kinds: Sequence[Kind], counts: Counts) -> System:
        """The system as measurements see it, with the modules numbered as a plan numbers them."""
        firsts = accumulate(counts, initial=1)
        parts = (
            replace(k.part, count=n, first=f"sm{first:02d}")
            for k, n, first in zip(kinds, counts, firsts, strict=False)
            if n
        )
        return rest.system._replace(parts=tuple(parts))

    def figures(self, rest: Rest, kinds: Sequence[Kind], counts: Counts, wanted: Iterable[str]) -> dict[str, Figure]:
        """The figures of a system that are `wanted`, as those of its plan, without planning it."""
        names = frozenset(wanted)
        key = rest.key, names, *((k.name, n) for k, n in zip(kinds, counts, strict=True) if n)
        if key not in self._figures:
            self._figures[key] = self._made(rest, kinds, counts, names)
        return dict(self._figures[key])

    def _made(self, rest: Rest, kinds: Sequence[Kind], counts: Counts, names: frozenset[str]) -> dict[str, Figure]:
        found: dict[str, Figure] = {}
        if any(i.startswith(("capacity.", "files.")) for i in names):
            each = [(k.stored, n) for k, n in zip(kinds, counts, strict=True) if n]
            stored = self.offers.together(rest.stored, each)
            found.update((f.id, f) for f in self.offers.capacity(stored, self.catalog))
        system = self.system(rest, kinds, counts)
        found.update(rates_of(system, names, self.catalog))
        if not names & {ids.RACK_UNITS, RACKS, PORTS}:
            return {i: f for i, f in found.items() if i in names}
        items = self.items(rest, kinds, counts)
        heights = {i: n for i, n in items.items() if i in self.catalog and isinstance(self.catalog.record(i), Racked)}
        units_figure = rack_units(heights, system.terms, self.catalog)
        found[units_figure.id] = units_figure
        found[RACKS] = self._counted(RACKS, self._racks(heights))
        found[PORTS] = self._counted(PORTS, self.ports(*self.sizes(rest, kinds, counts)))
        return {i: f for i, f in found.items() if i in names}

    def brings(
        self, rest: Rest, kinds: Sequence[Kind], requirements: Sequence[Requirement]
    ) -> dict[str, tuple[float, ...]]:
        """What one module of each kind brings at the most to each figure that modules add to."""
        wanted = [r.figure for r in requirements]
        ones = [self.figures(rest, (k,), (1,), wanted) for k in kinds if wanted]
        return {r.figure: tuple(float(r.end_of(one[r.figure]) + ROUNDING) for one in ones) for r in requirements}

    def most_files(self, rest: Rest, kind: Kind) -> Figure | None:
        """The most files that a rest has room for with modules of a kind; None where modules alone decide it.

        More modules never bring fewer files, so that as many as the limit of targets bring the most.
        """
        return self.figures(rest, (kind,), (self.limit,), (ids.FILES,))[ids.FILES]

    def _counted(self, name: str, value: int) -> Figure:
        return exact(name, value, "", (Source("pixsize", "size"),), (self.design.id,), "1")

    def _racks(self, heights: Mapping[str, int]) -> int:
        """The racks that the parts fill, the highest ones put in first, each in the first rack with room."""
        height_of = {i: self.catalog.get(Racked, i).rack_units for i in heights}
        free: list[int] = []
        for item in sorted(heights, key=lambda i: (-height_of[i], i)):
            left, high = heights[item], height_of[item]
            for place, room in enumerate(free):
                fitting = min(left, room // high)
                free[place], left = room - fitting * high, left - fitting
            each = self.rack // high or 1
            while left > 0:
                free.append(self.rack - min(each, left) * high)
                left -= each
        return len(free)
