"""A plan as the measurements see it: its storage modules by kind, and the settings that a measurement depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.estimate.evidence import Kind, Measured
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
    """The storage of a plan: its parts, its variant and block size, and its high-demand metadata."""

    design: str
    parts: tuple[Part, ...]
    hdmd: bool
    block_bytes: int
    default_metadata: bool
    metadata_arrays: int
    metadata_modules: int
    metadata_drive: str

    @property
    def storage_modules(self) -> int:
        """All storage modules."""
        return sum(p.count for p in self.parts)

    @property
    def groups(self) -> int:
        """All data NSDs."""
        return sum(p.count * p.kind.groups for p in self.parts)

    @property
    def arrays(self) -> int:
        """All arrays of the data tier."""
        return sum(p.count * p.kind.arrays for p in self.parts)

    def is_data_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, in all that data figures depend on."""
        mine: Counter[Kind] = Counter()
        for part in self.parts:
            mine[part.kind] += part.count
        return mine == measured.modules and not any(self.differences(p, measured, p.kind) for p in self.parts)

    def differences(self, part: Part, measured: Measured, kind: Kind) -> tuple[str, ...]:
        """In what a part differs from modules of a kind that were measured, their size apart."""
        unlike = {
            "the drives": part.kind.drive != kind.drive,
            "the variant": self.hdmd != (measured.system.hdmd is not None),
            "the block size": self.block_bytes != measured.system.block_bytes,
            "the chunk size": not part.default_chunk,
        }
        return tuple(what for what, differs in unlike.items() if differs)


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
    return System(
        design=plan.design,
        parts=_parts(storage, plan, models, _default(design, "storage_modules[].chunk_size")),
        hdmd=plan.variant == "hdmd",
        block_bytes=plan.filesystem.block_bytes,
        default_metadata=_default_metadata(plan, design),
        metadata_arrays=sum(len(m.arrays) for m in metadata),
        metadata_modules=len(metadata),
        metadata_drive=metadata[0].drive if metadata else "",
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
