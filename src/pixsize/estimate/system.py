"""A plan as the measurements see it: its storage modules by kind, and the settings that a measurement depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Drive
from pixsize.estimate.measured import Kind, Measured
from pixsize.plan.records import Module, Plan, Server


@dataclass(frozen=True, slots=True)
class Part:
    """Storage modules that are alike. `first` is the id of the first, `servers` its pair, `array` the arrays' model."""

    kind: Kind
    count: int
    first: str
    array: str
    servers: tuple[Server, ...]
    default_chunk: bool


class System(NamedTuple):
    """The storage of a plan: its parts, its variant and block size, and what holds its metadata.

    `default_ssds` says whether the SSDs for metadata in storage modules are those that the design has by default.
    """

    design: str
    parts: tuple[Part, ...]
    hdmd: bool
    block_bytes: int
    default_metadata: bool
    metadata_arrays: int
    metadata_modules: int
    metadata_drives: frozenset[str]
    default_ssds: bool

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
        unlike = {
            "the drives": part.kind.drive != kind.drive,
            "the variant": self.hdmd != (measured.system.hdmd is not None),
            "the block size": self.block_bytes != measured.system.block_bytes,
            "the chunk size": not part.default_chunk,
        }
        return (*(what for what, differs in unlike.items() if differs), *measured.replaced)

    def metadata_differences(self, measured: Measured) -> tuple[str, ...]:
        """In what the metadata of a system differs from what was measured."""
        unlike = {
            "the data tier": not self.is_data_of(measured),
            "the inode size or the number of copies": not self.default_metadata,
        }
        return (*self._metadata_parts(measured), *(what for what, differs in unlike.items() if differs))

    def _metadata_parts(self, measured: Measured) -> tuple[str, ...]:
        as_default = self.default_ssds and measured.metadata_drives == {""}
        unlike = {
            "the number of metadata arrays": (self.metadata_modules, self.metadata_arrays) != measured.metadata,
            "the SSDs": self.metadata_drives != measured.metadata_drives and not as_default,
        }
        return (*(what for what, differs in unlike.items() if differs), *measured.metadata_replaced)


class _Key(NamedTuple):
    """What modules share that are alike."""

    kind: Kind
    array: str
    hardware: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    default_chunk: bool


def system_of(plan: Plan, catalog: Catalog) -> System:
    """The storage of a plan as the measurements see it."""
    design = catalog.get(Design, plan.design)
    storage = [m for m in plan.modules if m.role == "storage"]
    metadata = [m for m in plan.modules if m.role == "metadata"]
    models = {a.id: a.model for a in plan.arrays}
    ssds = frozenset(m.drive for m in metadata) or frozenset(m.metadata_drive for m in storage if m.metadata_drive)
    usual = _default(design, "storage_modules[].metadata_drive")
    return System(
        design=plan.design,
        parts=_parts(storage, plan, models, _default(design, "storage_modules[].chunk_size")),
        hdmd=plan.variant == "hdmd",
        block_bytes=plan.filesystem.block_bytes,
        default_metadata=_default_metadata(plan, design),
        metadata_arrays=sum(len(m.arrays) for m in metadata),
        metadata_modules=len(metadata),
        metadata_drives=ssds,
        default_ssds=not metadata and all(catalog.get(Drive, s).capacity_bytes == usual for s in ssds),
    )


def _parts(modules: list[Module], plan: Plan, models: dict[str, str], chunk: int | None) -> tuple[Part, ...]:
    nsds = Counter(g.array for g in plan.disk_groups if g.purpose == "data")
    servers = {s.id: s for s in plan.servers}
    alike: dict[_Key, list[Module]] = {}
    for m in modules:
        kind = Kind(m.size, len(m.arrays), sum(nsds[a] for a in m.arrays), m.expansion, m.drive)
        hardware = tuple((servers[s].model, servers[s].adapters) for s in m.servers)
        alike.setdefault(_Key(kind, models[m.arrays[0]], hardware, m.chunk_bytes == chunk), []).append(m)
    return tuple(
        Part(key.kind, len(same), same[0].id, key.array, tuple(servers[s] for s in same[0].servers), key.default_chunk)
        for key, same in alike.items()
    )


def _default(design: Design, word: str) -> int | None:
    """A size among the design's defaults; what a document does not print was most likely left as it comes."""
    text = design.defaults.get(word)
    return None if text is None else units.parse_whole(text, "capacity")


def _default_metadata(plan: Plan, design: Design) -> bool:
    inode = _default(design, "filesystem.inode_size")
    replicas = design.defaults.get("filesystem.metadata_replicas")
    return inode in (None, plan.filesystem.inode_bytes) and replicas in (None, plan.filesystem.metadata_replicas)
