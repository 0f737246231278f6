"""A plan as the measurements see it: its storage modules by kind, and the settings that a measurement depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Drive
from pixsize.estimate.measured import Kind, Measured, MetadataTier, Settings
from pixsize.estimate.words import Words
from pixsize.plan.records import Module, Plan, Server


@dataclass(frozen=True, slots=True)
class Part:
    """Storage modules that are alike. `first` is the id of the first, `servers` its pair, `array` the arrays' model.

    Of servers with drives of their own each is a module. `own_size` is the record of a size that no document has, but
    pixsize, and empty for all others.
    """

    kind: Kind
    count: int
    first: str
    array: str
    servers: tuple[Server, ...]
    default_chunk: bool
    own_size: str = ""


class System(NamedTuple):
    """The storage of a plan: its parts, what else data figures depend on, and what holds its metadata.

    `release` is that of Lustre, and empty for other file systems, `pool_adapter` the servers' adapter on the network of
    a pool, and empty without one. `default_ssds` says whether the SSDs for metadata in storage modules are those that
    the design has by default, `metadata_unlike` names what is chosen otherwise for the metadata than the design has by
    default.
    """

    design: str
    variant: str
    parts: tuple[Part, ...]
    settings: Settings
    release: str
    metadata: MetadataTier
    default_ssds: bool
    metadata_unlike: tuple[str, ...]
    words: Words
    pool_adapter: str = ""

    @property
    def hdmd(self) -> bool:
        """Whether the metadata lies on arrays of its own, as the high-demand variant has it."""
        return self.variant == "hdmd"

    @property
    def storage_modules(self) -> int:
        """All storage modules."""
        return sum(p.count for p in self.parts)

    @property
    def groups(self) -> int:
        """The data groups, those of expansions left out."""
        return sum(p.count * p.kind.unexpanded().groups for p in self.parts)

    @property
    def arrays(self) -> int:
        """All arrays of the data tier."""
        return sum(p.count * p.kind.arrays for p in self.parts)

    def is_data_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, in all that data figures depend on."""
        return self._kinds() == measured.modules and not any(self.differences(p, measured, p.kind) for p in self.parts)

    def is_expanded_of(self, measured: Measured) -> bool:
        """Whether nothing but expansions tells the data tier from the one measured."""
        mine, theirs = (
            Counter(k.unexpanded() for k in kinds.elements()) for kinds in (self._kinds(), measured.modules)
        )
        return mine == theirs and not any(self.differences(p, measured, p.kind) for p in self.parts)

    def is_whole_of(self, measured: Measured) -> bool:
        """Whether all hardware is that of the system measured."""
        return self.is_data_of(measured) and not self._metadata_parts(measured)

    def is_system_of(self, measured: Measured) -> bool:
        """Whether the system is the one measured, in all that the figure measured depends on."""
        if measured.figure.startswith("throughput."):
            return self.is_data_of(measured)
        if measured.figure.startswith("metadata."):
            return not self.metadata_differences(measured)
        return self.is_whole_of(measured)

    def _kinds(self) -> Counter[Kind]:
        kinds: Counter[Kind] = Counter()
        for part in self.parts:
            kinds[part.kind] += part.count
        return kinds

    def differences(self, part: Part, measured: Measured, kind: Kind) -> tuple[str, ...]:
        """In what a part differs from modules of a kind that were measured, their size apart."""
        theirs = dict(measured.settings)
        unlike = {
            "the drives": part.kind.drive != kind.drive,
            **{what: mine != theirs.get(what) for what, mine in self.settings},
            "the chunk size": not part.default_chunk,
            **self._release_differs(measured),
        }
        return (*_true(unlike), *measured.replaced)

    def metadata_differences(self, measured: Measured) -> tuple[str, ...]:
        """In what the metadata of a system differs from what was measured."""
        unlike = {"the data tier": not self._is_tier_of(measured), **self._release_differs(measured)}
        return (*self._metadata_parts(measured), *_true(unlike), *self.metadata_unlike)

    def _release_differs(self, measured: Measured) -> dict[str, bool]:
        return {RELEASE: self.release != measured.release}

    def _is_tier_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, whatever the release of the file system."""
        unlike = {what for part in self.parts for what in self.differences(part, measured, part.kind)}
        return self._kinds() == measured.modules and unlike <= {RELEASE}

    def _metadata_parts(self, measured: Measured) -> tuple[str, ...]:
        mine, theirs = self.metadata, measured.metadata
        as_default = self.default_ssds and theirs.drives == {""}
        unlike = {
            "the number of MDTs": mine.mdts != theirs.mdts,
            "the number of metadata arrays": mine.mdts == theirs.mdts
            and (mine.modules, mine.arrays) != (theirs.modules, theirs.arrays),
            "the SSDs": mine.drives != theirs.drives and not as_default,
        }
        return (*_true(unlike), *measured.metadata_replaced)


RELEASE = "the release of Lustre"


def _true(unlike: dict[str, bool]) -> tuple[str, ...]:
    return tuple(what for what, differs in unlike.items() if differs)


class _Key(NamedTuple):
    """What modules share that are alike."""

    kind: Kind
    array: str
    hardware: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    default_chunk: bool


def parts_of(modules: list[Module], plan: Plan, design: Design) -> tuple[Part, ...]:
    chunk = default_size(design, "storage_modules[].chunk_size")
    groups = Counter(g.array for g in plan.disk_groups if g.purpose == "data")
    models = {a.id: a.model for a in plan.arrays}
    servers = {s.id: s for s in plan.servers}
    alike: dict[_Key, list[Module]] = {}
    for m in modules:
        kind = Kind(m.size, len(m.arrays), sum(groups[a] for a in m.arrays), m.expansion, m.drive)
        hardware = tuple((servers[s].model, servers[s].adapters) for s in m.servers)
        alike.setdefault(_Key(kind, models[m.arrays[0]], hardware, m.chunk_bytes == chunk), []).append(m)
    return tuple(
        Part(key.kind, len(same), same[0].id, key.array, tuple(servers[s] for s in same[0].servers), key.default_chunk)
        for key, same in alike.items()
    )


def default_size(design: Design, word: str) -> int | None:
    """A size among the design's defaults; what a document does not print was most likely left as it comes."""
    text = design.defaults.get(word)
    return None if text is None else units.parse_whole(text, "capacity")


def default_drive(design: Design, word: str, catalog: Catalog) -> int | None:
    """The capacity of a drive among the design's defaults, which name it by that or by its id."""
    text = str(design.defaults.get(word))
    return catalog.get(Drive, text).capacity_bytes if text in catalog else default_size(design, word)
