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
from pixsize.plan.records import Server


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

    `software` is what metadata figures depend on as well, as the release of the file system. `default_ssds` says
    whether the SSDs for metadata in storage modules are those that the design has by default, `metadata_unlike` names
    what is chosen otherwise for the metadata than the design has by default.
    """

    design: str
    variant: str
    parts: tuple[Part, ...]
    settings: Settings
    software: Settings
    metadata: MetadataTier
    default_ssds: bool
    metadata_unlike: tuple[str, ...]
    words: Words

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
            **self._software_differs(measured),
        }
        return (*_true(unlike), *measured.replaced)

    def metadata_differences(self, measured: Measured) -> tuple[str, ...]:
        """In what the metadata of a system differs from what was measured."""
        unlike = {"the data tier": not self._is_tier_of(measured), **self._software_differs(measured)}
        return (*self._metadata_parts(measured), *_true(unlike), *self.metadata_unlike)

    def _software_differs(self, measured: Measured) -> dict[str, bool]:
        theirs = dict(measured.software)
        return {what: mine != theirs.get(what) for what, mine in self.software}

    def _is_tier_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, whatever the software."""
        unlike = {what for part in self.parts for what in self.differences(part, measured, part.kind)}
        return self._kinds() == measured.modules and unlike <= dict(self.software).keys()

    def _metadata_parts(self, measured: Measured) -> tuple[str, ...]:
        mine, theirs = self.metadata, measured.metadata
        as_default = self.default_ssds and theirs.drives == {""}
        unlike = {
            f"the number of {self.words.metadata_targets}": mine.targets != theirs.targets,
            "the number of metadata arrays": mine.targets == theirs.targets
            and (mine.modules, mine.arrays) != (theirs.modules, theirs.arrays),
            "the SSDs": mine.drives != theirs.drives and not as_default,
        }
        return (*_true(unlike), *measured.metadata_replaced)


def _true(unlike: dict[str, bool]) -> tuple[str, ...]:
    return tuple(what for what, differs in unlike.items() if differs)


def default_size(design: Design, word: str) -> int | None:
    """A size among the design's defaults; what a document does not print was most likely left as it comes."""
    text = design.defaults.get(word)
    return None if text is None else units.parse_whole(text, "capacity")


def default_drive(design: Design, word: str, catalog: Catalog) -> int | None:
    """The capacity of a drive among the design's defaults, which name it by that or by its id."""
    text = str(design.defaults.get(word))
    return catalog.get(Drive, text).capacity_bytes if text in catalog else default_size(design, word)
