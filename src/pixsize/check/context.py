"""What rules read, the parts of a plan by id and the values of catalog records; and helpers that build findings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import M, fitted_to, with_fabric, without_switches
from pixsize.catalog.records import Choice, Constant, Drive, Enclosure, Limit
from pixsize.findings import About, Finding
from pixsize.observed import Observed
from pixsize.plan.records import Array, DiskGroup, Module, Plan, Server, Spares, Target, Volume
from pixsize.product import PRODUCTS, added_by, filesystem_of, volumes_of
from pixsize.request import Request
from pixsize.texts import listed

_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}", re.ASCII)


class Stack(NamedTuple):
    """A target that stands on a volume of an array, with everything below it."""

    target: Target
    volume: Volume
    group: DiskGroup
    array: Array
    module: Module


class Context:
    """A request, its plan, the catalog and the replies, with the parts of the plan found by id.

    A plan under judgement may be broken: `stacks` holds only complete stacks. A rule about ids that lead nowhere reads
    the plan itself.
    """

    def __init__(self, request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> None:
        self.request = request
        self.plan = plan
        self.catalog = catalog
        self.observed = observed
        self.described = catalog.get(Design, request.design)
        self.filesystem = filesystem_of(self.described)
        self.fabric_choice = self.filesystem.fabric(request)
        self.on_fabric = with_fabric(self.described, self.fabric_choice, catalog)
        """The design with the network that the request chooses, whoever has the switches."""
        self.design = without_switches(self.on_fabric) if self.fabric_choice.customer else self.on_fabric
        """The same, with the switches that are planned."""
        self.terms = self.filesystem.terms
        self.volume_terms = volumes_of(self.design).terms
        self.gives = PRODUCTS[self.design.volumes].gives
        self.grows_at = self.terms.grows_at[self.gives]
        self.added = tuple(added_by(request, self.design))
        added = [
            (addition.adds, words, section)
            for addition, words in self.added
            for section in catalog.of_design(addition.adds.section, self.design.id)[:1]
        ]
        self.added_servers = tuple(s for adds, words, own in added for s in adds.expected(words, self.fitted(own)))
        self.added_volumes = {
            volume.id: volume
            for adds, words, own in added
            if adds.volumes
            for volume in adds.volumes(words, own, catalog)
        }
        self.own_volumes = tuple(v for v in plan.volumes if v.id not in self.added_volumes)
        self.variant = self.filesystem.expected.variant(request)
        self.modules = {m.id: m for m in plan.modules}
        self.arrays = {a.id: a for a in plan.arrays}
        self.groups = {g.id: g for g in plan.disk_groups}
        self.pools = {p.id: p for p in plan.pools}
        self.volumes = {v.id: v for v in plan.volumes}
        self.groups_of: dict[str, list[DiskGroup]] = defaultdict(list)
        for group in plan.disk_groups:
            self.groups_of[group.array].append(group)
        self.spares_of: dict[str, list[Spares]] = defaultdict(list)
        for spares in plan.spares:
            self.spares_of[spares.array].append(spares)
        self.volumes_on: dict[str, list[str]] = defaultdict(list)
        for volume in plan.volumes:
            self.volumes_on[volume.backing].append(volume.id)
        self.of_kind: dict[str, list[Target]] = defaultdict(list)
        for target in plan.targets:
            self.of_kind[target.kind].append(target)
        self.stacks = tuple(stack for stack in map(self._stack, plan.targets) if stack)
        self._drives: dict[str, Drive] = {}
        self._enclosures: dict[str, Enclosure] = {}
        self._limits: dict[str, int] = {}
        self._shares: dict[str, Fraction] = {}
        self._bounds: dict[tuple[str, str], tuple[int, int]] = {}

    def fitted(self, section: M) -> M:
        """What a product adds to the design, with the adapters of the network that the request chooses."""
        return fitted_to(section, self.described, self.fabric_choice, self.catalog)

    def _stack(self, target: Target) -> Stack | None:
        volume = self.volumes.get(target.volume or "")
        group = self.groups.get(volume.backing) if volume else None
        array = self.arrays.get(group.array) if group else None
        module = self.modules.get(array.module) if array else None
        if volume and group and array and module:
            return Stack(target, volume, group, array, module)
        return None

    def limit(self, limit_id: str) -> int:
        """The value of a limit record."""
        if limit_id not in self._limits:
            self._limits[limit_id] = self.catalog.get(Limit, limit_id).value
        return self._limits[limit_id]

    def bound(self, limit_id: str) -> Limit | None:
        """A limit record, where the catalog has one: not every model has every bound."""
        return self.catalog.get(Limit, limit_id) if limit_id in self.catalog else None

    def choice(self, choice_id: str) -> tuple[int, ...]:
        """The values of a choice record, the smallest first."""
        return self.catalog.get(Choice, choice_id).values

    def share(self, constant_id: str) -> Fraction:
        """The value of a constant record, a part of one."""
        if constant_id not in self._shares:
            self._shares[constant_id] = self.catalog.get(Constant, constant_id).value
        return self._shares[constant_id]

    def drive(self, drive_id: str) -> Drive:
        """The drive with this id."""
        if drive_id not in self._drives:
            self._drives[drive_id] = self.catalog.get(Drive, drive_id)
        return self._drives[drive_id]

    def enclosure(self, model: str) -> Enclosure:
        """The enclosure model with this id."""
        if model not in self._enclosures:
            self._enclosures[model] = self.catalog.get(Enclosure, model)
        return self._enclosures[model]

    def family(self, array_id: str) -> str:
        """The family of an array, which its limits are named after; the design's for an array that the plan lacks."""
        array = self.arrays.get(array_id)
        return self.enclosure(array.model).family if array else self.design.volumes

    def where(self, array_id: str) -> str:
        """The path in the request that an array came from; empty for an array that the plan lacks."""
        array = self.arrays.get(array_id)
        module = self.modules.get(array.module) if array else None
        return module.where if module else ""

    def where_of(self, target: Target) -> str:
        """The path in the request that a target came from; empty for one without a volume."""
        volume = self.volumes.get(target.volume or "")
        if volume is None or volume.array:
            return self.where(volume.array) if volume else ""
        if volume.id in self.added_volumes:
            return ""
        return self.filesystem.expected.metadata if volume.purpose == "metadata" else self.grows_at

    def bytes_of(self, target: Target) -> int:
        """The size of the volume that a target stands on; 0 for one without."""
        volume = self.volumes.get(target.volume or "")
        return volume.bytes if volume else 0

    def was_made(self, volume: Volume) -> bool:
        """Whether the volume's array reported it, with its size."""
        observed = self.observed.arrays.get(volume.array)
        existing = observed.volumes.get(volume.id) if observed else None
        return existing is not None and existing.bytes is not None

    def drive_bounds(self, group: DiskGroup) -> tuple[int, int]:
        """How few and how many drives a group of this level may have: limits `FAMILY.LEVEL_drives[_min|_max]`."""
        key = (self.family(group.array), group.level)
        if key not in self._bounds:
            name = f"{key[0]}.{key[1]}_drives"
            ends = (name, name) if name in self.catalog else (f"{name}_min", f"{name}_max")
            self._bounds[key] = (self.limit(ends[0]), self.limit(ends[1]))
        return self._bounds[key]

    def width_is_legal(self, group: DiskGroup) -> bool:
        """Whether the group has a number of drives that its level may have."""
        low, high = self.drive_bounds(group)
        return low <= len(group.slots) <= high


def data_drives(group: DiskGroup) -> int:
    """How many drives' worth of a group holds data (Dell PowerVault ME4 Administrator's Guide, RAID levels).

    The plan is built with `plan.records.data_drives`. A judge counts for itself: a mistake there is found here.
    """
    count = len(group.slots)
    return {"r1": count // 2, "r10": count // 2, "r5": count - 1, "r6": count - 2}[group.level]


def capacity(group: DiskGroup) -> int:
    """Bytes that the group holds: as the array reported it, or as its drives are sold."""
    return group.bytes if group.reported_bytes is None else group.reported_bytes


Rule = Callable[[Context], Iterator[Finding]]
"""Judges one aspect of a plan: a finding for each cause."""
Hit = tuple[str, str] | tuple[str, About]
"""The path in the request where it can be changed, and a message; an About where the run book has a box for it."""


def grouped(code: str, hits: Iterable[Hit], allowed: str, hint: str = "") -> Iterator[Finding]:
    """One finding for each path of the request: the first thing seen, how many more there are, and what is allowed."""
    by_path: dict[str, list[str | About]] = {}
    for where, message in hits:
        by_path.setdefault(where, []).append(message)
    for where, messages in by_path.items():
        texts = [m.message if isinstance(m, About) else m for m in messages]
        about = tuple(dict.fromkeys(message for message in messages if isinstance(message, About)))
        yield Finding(code, f"{first_of(texts)}; {allowed}", where, hint, about=about)


def differences(
    what: str, fields: Sequence[str], parts: Iterable[Any], expected: Iterable[Sequence[object]]
) -> Iterator[str]:
    """How parts of the plan differ, one by one and in their order, from the expected ones.

    `fields` are the names of the fields to compare, the first of them the name of a part; `expected` has the values for
    each part.
    """
    for part, values in zip_longest(parts, expected):
        if part is None:
            yield f"{what} {values[0]} is missing"
        elif values is None:
            yield f"{what} {getattr(part, fields[0])} is not expected"
        elif getattr(part, fields[0]) != values[0]:
            yield f"{what} {getattr(part, fields[0])} stands in the place of {values[0]}"
        else:
            for word, value in zip(fields, values, strict=True):
                is_own = word not in getattr(part, "_fields", (word,))  # a field of what a product has of the part
                found = getattr(part.own, word, None) if is_own else getattr(part, word)
                if found != value:
                    yield f"{what} {values[0]}: {word.replace('_', ' ')} {_plain(found)}, expected {_plain(value)}"


def address_troubles(
    context: Context, addresses_of: Callable[[Server], tuple[str, ...]], requested: Mapping[str, str], others: Set[str]
) -> Iterator[str]:
    """What is wrong with each server's address on a network; `others` are those that are taken on other networks.

    A management server has no address there, and is left out.
    """
    used = Counter(address for s in context.plan.servers for address in addresses_of(s))
    for server in (s for s in context.plan.servers if s.role != "management"):
        addresses = addresses_of(server)
        if not requested and addresses:
            yield f"{server.id} has the address {addresses[0]}, though none was asked for"
        elif requested and len(addresses) != 1:
            yield f"{server.id} has {len(addresses)} addresses"
        elif addresses:
            address, expected = addresses[0], requested.get(server.id)
            troubles = (
                ("which is no IPv4 address", not IPV4.fullmatch(address)),
                (f"which {used[address]} servers have", used[address] > 1),
                ("which is an address of another network's too", address in others),
                (f"where {expected or 'none'} was asked for", address != expected),
            )
            first = next((trouble for trouble, holds in troubles if holds), "")
            if first:
                yield f"{server.id} has the address {address}, {first}"


def _plain(value: object) -> str:
    if value is None or value in ("", ()):
        return "none"
    if not isinstance(value, tuple):
        return str(value)
    return listed(" ".join(map(str, item)) if isinstance(item, tuple) else item for item in value)


def first_of(messages: Sequence[str]) -> str:
    """The first, and how many more: `a`, `a, and 1,999 more`."""
    return messages[0] if len(messages) == 1 else f"{messages[0]}, and {len(messages) - 1:,} more"
