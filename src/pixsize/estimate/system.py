"""What plans and measurements are compared by: storage modules by kind, and the settings that rates depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design, ServerRole
from pixsize.catalog.records import Drive
from pixsize.estimate.ids import METADATA, THROUGHPUT
from pixsize.estimate.ranges import doublings
from pixsize.figures import Source
from pixsize.plan.records import Server

if TYPE_CHECKING:
    from pixsize.catalog.measurements import StepKind
    from pixsize.estimate.evidence import Measured
    from pixsize.estimate.ranges import Step


SERVER = "server"
"""The size of a module that is a server with drives of its own."""


class Kind(NamedTuple):
    """The properties by which two storage modules are alike: arrays, RAID groups (one target each), expansion, drive.

    A server with drives of its own is a module without arrays.
    """

    size: str
    arrays: int
    groups: int
    expansion: bool
    drive: str

    @property
    def name(self) -> str:
        """Size and expansion in words."""
        return self.size.capitalize() + (" with expansion" if self.expansion else "")

    def unexpanded(self) -> Kind:
        """The same module without its expansions."""
        return self._replace(groups=self.groups // (1 + self.expansion), expansion=False)


class MetadataTier(NamedTuple):
    """What holds the metadata: modules, their arrays, and the SSDs; empty for the default of a design.

    `targets` is their number where the request chooses it apart from the arrays, and 0 where it does not.
    """

    modules: int
    arrays: int
    targets: int
    drives: frozenset[str]


class Difference(NamedTuple):
    """Something in which a system differs from a measured one: the kind of step that it is, and what, in words.

    `times` is how many such steps away it is: those of a size are its doublings. `less` is of what can bring less than
    the measured system had, and never more.
    """

    step: StepKind
    what: str
    times: float = 1.0
    less: bool = False


class NetworkOf(NamedTuple):
    """The network of a system, where its design has several: the adapter on it, its title and rate, and the kind."""

    adapter: str
    title: str
    bytes_per_s: int
    kind: str

    def away_from(self, measured: NetworkOf) -> tuple[Difference, ...]:
        """The steps from a measured network.

        Another network is what lies between generations, as one part of it: RDMA may be missing, and is not where
        InfiniBand was measured. Links of another rate are a setting: slower ones bring no more.
        """
        unlike = self.bytes_per_s != measured.bytes_per_s or self.kind == measured.kind
        rates = [units.show(card.bytes_per_s, "B/s") for card in (self, measured)]
        links = f"links of {rates[0]} ({self.title}), where those of {rates[1]} were measured"
        together = " with the links of a server as one aggregate (LACP)" if self.kind == "ethernet" else ""
        network = f"another network, {self.kind}{together}, where {measured.kind} was measured"
        of_links = Difference("setting", links, less=self.bytes_per_s < measured.bytes_per_s)
        of_network = Difference("generation", network, less=measured.kind == "infiniband")
        return (*((of_network,) if self.kind != measured.kind else ()), *((of_links,) if unlike else ()))


NETWORK = Difference("generation", "another network")
"""What the network is found by among settings; its value is a `NetworkOf`."""
Settings = tuple[tuple[Difference, object], ...]
"""What else a figure depends on: how a difference in it is called, and its value."""
DRIVES = Difference("drive", "other drives")
CHUNK = Difference("setting", "another chunk size")
SSDS = Difference("drive", "other SSDs")
DATA_TIER = Difference("size", "another data tier")
Parts = dict[str, tuple[str, ...]]
"""What a part is called -> the catalog ids of such parts."""


class DependsOn(NamedTuple):
    """The parts that figures of the data tier depend on, and those that figures of the metadata depend on as well."""

    data: Parts
    metadata: Parts


class Lookup(NamedTuple):
    """The records that a measurement was made on, and the name that a plan would have for each of them."""

    catalog: Catalog
    name: Callable[[str], str]


class Hardware(NamedTuple):
    """What the volumes of a measured system lay on: its storage modules by kind, and the model of their arrays.

    `array` is empty where servers hold the drives. `metadata_groups` is the number of groups that an array of the
    metadata's own has, 0 without such arrays.
    """

    modules: Counter[Kind]
    array: str
    metadata_groups: int


class Conditions(NamedTuple):
    """The file system of a measured system: the settings that figures of the data, and all figures, depend on; its
    metadata.
    """

    settings: Settings
    software: Settings
    metadata: MetadataTier


def server_parts(name: str, role: ServerRole) -> Parts:
    """The servers of a role and their adapters, as a measurement depends on them."""
    adapters = f"{name}' adapters" if name != "the servers" else "the adapters"
    return {name: (role.model,), adapters: tuple(role.adapters)}


_NOT_SAID = Source("", "")


class FigureTerms(NamedTuple):
    """The words of a product for its targets, and where documents describe them.

    `doubled` is where twice the drives behind the same controllers were measured, `metadata` the volumes for metadata,
    `metadata_targets` the targets on them. `adapters` are those on the network of the file system, in servers that are
    called `server`; `modules` is the request's path to the modules. `spread` says how files lie on `n` targets, and
    `spreading` who says so. The rest is of a design: `counted` what the formatted capacity of its document leaves out,
    and the places in that.
    """

    target: str
    server: str
    adapters: str
    metadata: str
    metadata_targets: str
    spread: str
    spreading: Source
    doubled: str
    modules: str
    counted: str = ""
    raw: Source = _NOT_SAID
    formatted: Source = _NOT_SAID
    layout: Source = _NOT_SAID
    grows: Source = _NOT_SAID
    chain: Source = _NOT_SAID

    def for_design(self, design: Design) -> FigureTerms:
        """The same with what a design says; a design that names no places is cited by its first source."""
        documented = design.documented
        if documented is None:
            first = design.citations()[0]
            return self._replace(raw=first, formatted=first, layout=first, grows=first, chain=first)
        places = {name: getattr(documented, name).source() for name in ("raw", "formatted", "layout", "grows", "chain")}
        return self._replace(counted=documented.counted, **places)


@dataclass(frozen=True, slots=True)
class Part:
    """Storage modules that are alike. `first` is the id of the first, `servers` its pair, `array` the arrays' model.

    Of servers with drives of their own each is a module. `own_size` is the record of a size that no document has, but
    pixsize, and empty for all others. `partial_writes` is how many times the traffic of whole RAID stripes the drives
    have where a full write of the file system fills none, and 1 where it is whole stripes.
    """

    kind: Kind
    count: int
    first: str
    array: str
    servers: tuple[Server, ...]
    default_chunk: bool
    own_size: str = ""
    partial_writes: Fraction = Fraction(1)

    def alone(self) -> Part:
        """One such module, whichever it is: what a module brings depends on nothing else of the part."""
        return self if self.count == 1 and not self.first else replace(self, count=1, first="")


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
    terms: FigureTerms

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

    @property
    def on_any_network(self) -> System:
        """The same system, whatever its network."""
        return self._replace(software=tuple((d, value) for d, value in self.software if d != NETWORK))

    def is_data_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, in all that data figures depend on."""
        return self.has_modules_of(measured) and not any(self.differences(p, measured, p.kind) for p in self.parts)

    def has_modules_of(self, measured: Measured) -> bool:
        """Whether the data tier has the modules of the one measured, whatever else differs."""
        return self._kinds() == measured.modules

    def is_expanded_of(self, measured: Measured) -> bool:
        """Whether the data tier differs from the measured one by expansions alone."""
        planned, tested = (
            Counter(k.unexpanded() for k in kinds.elements()) for kinds in (self._kinds(), measured.modules)
        )
        return planned == tested and not any(self.differences(p, measured, p.kind) for p in self.parts)

    def tier_step(self, measured: Measured, step: Step) -> Step:
        """The step of another data tier: upwards for a larger one, downwards for a smaller one, or both ways."""
        pairs = self._tiers(measured)
        if _is_more(pairs):
            return step.upwards()
        if any(a < b for a, b in pairs) and all(a <= b for a, b in pairs):
            return step.downwards()
        return step

    def _tiers(self, measured: Measured) -> tuple[tuple[int, int], ...]:
        """How many groups, and arrays or servers, the data tier has, each beside that of the one measured."""
        groups = tuple(sum(k.groups * n for k, n in kinds.items()) for kinds in (self._kinds(), measured.modules))
        servers = (sum(p.count for p in self.parts), measured.modules.total())
        return ((groups[0], groups[1]), (self.arrays, measured.arrays) if self.arrays else servers)

    def outgrows(self, measured: Measured) -> bool:
        """Whether the system has the metadata measured, and differs in a larger data tier alone: no file is slower."""
        unlike = any(d != DATA_TIER for d in self.metadata_differences(measured))
        unlike = unlike or any(self.differences(p, measured, p.kind) for p in self.parts)
        same_drives = {p.kind.drive for p in self.parts} == {k.drive for k in measured.modules}
        return same_drives and not unlike and _is_more(self._tiers(measured))

    def is_whole_of(self, measured: Measured) -> bool:
        """Whether all hardware is that of the system measured."""
        return self.is_data_of(measured) and not self._metadata_parts(measured)

    def is_system_of(self, measured: Measured) -> bool:
        """Whether the system is the one measured, in all that the figure measured depends on."""
        if measured.figure.startswith(THROUGHPUT):
            return self.is_data_of(measured)
        if measured.figure.startswith(METADATA):
            return not self.metadata_differences(measured)
        return self.is_whole_of(measured)

    def _kinds(self) -> Counter[Kind]:
        kinds: Counter[Kind] = Counter()
        for part in self.parts:
            kinds[part.kind] += part.count
        return kinds

    def differences(self, part: Part, measured: Measured, kind: Kind) -> tuple[Difference, ...]:
        """In what a part differs from modules of a kind that were measured, their size and number apart.

        Settings of two file systems cannot be compared: they are part of that difference.
        """
        settings = () if measured.of_other_filesystem else _unlike(self.settings, measured.settings)
        found = {DRIVES: part.kind.drive != kind.drive, CHUNK: not part.default_chunk}
        replaced = (Difference("setting", f"{what} replaced") for what in measured.replaced)
        return (*measured.elsewhere, *_true(found), *settings, *self._software_differs(measured), *replaced)

    def metadata_differences(self, measured: Measured) -> tuple[Difference, ...]:
        """In what the metadata of a system differs from what was measured."""
        tier = () if self._is_tier_of(measured) else (DATA_TIER,)
        software = self._software_differs(measured)
        unlike = (Difference("setting", what) for what in self.metadata_unlike)
        return (*self._metadata_parts(measured), *measured.elsewhere, *tier, *software, *unlike)

    def _software_differs(self, measured: Measured) -> tuple[Difference, ...]:
        return () if measured.of_other_filesystem else _unlike(self.software, measured.software)

    def _is_tier_of(self, measured: Measured) -> bool:
        """Whether the data tier is the one measured, whatever the software and the generation of the servers."""
        unlike = {d for part in self.parts for d in self.differences(part, measured, part.kind)}
        ours = {*(d for d, _ in self.software), *self._software_differs(measured)}
        return self._kinds() == measured.modules and unlike <= ours | set(measured.elsewhere)

    def _metadata_parts(self, measured: Measured) -> tuple[Difference, ...]:
        planned, tested = self.metadata, measured.metadata
        as_default = self.default_ssds and tested.drives == {""}
        arrays_differ = planned.targets == tested.targets and planned[:2] != tested[:2]
        unlike = {
            Difference("count", f"another number of {self.terms.metadata_targets}"): planned.targets != tested.targets,
            Difference("count", "another number of metadata arrays"): arrays_differ,
            SSDS: planned.drives != tested.drives and not as_default,
        }
        replaced = (Difference("setting", f"{what} replaced") for what in measured.metadata_replaced)
        return (*_true(unlike), *replaced)


def _is_more(pairs: Sequence[tuple[int, int]]) -> bool:
    return any(a > b for a, b in pairs) and all(a >= b for a, b in pairs)


def _unlike(planned: Settings, measured: Settings) -> tuple[Difference, ...]:
    tested = dict(measured)
    found: list[Difference] = []
    for difference, value in planned:
        seen = tested.get(difference)
        if isinstance(value, NetworkOf) and isinstance(seen, NetworkOf):
            found += value.away_from(seen) if value.adapter != seen.adapter else ()
        elif value != seen and not isinstance(value, NetworkOf):  # of a design with one network nothing is said
            found.append(_doubled(difference, value, seen))
    return tuple(found)


def _doubled(difference: Difference, planned: object, measured: object) -> Difference:
    """The difference, taken as often as a size is doubled or halved; other settings are one step away."""
    if type(planned) is int and type(measured) is int and planned > 0 and measured > 0:
        return difference._replace(times=max(1.0, doublings(Fraction(planned, measured))))
    return difference


def _true(unlike: dict[Difference, bool]) -> tuple[Difference, ...]:
    return tuple(what for what, differs in unlike.items() if differs)


def default_size(design: Design, word: str) -> int | None:
    """A size among the defaults of the design; what a document does not print was most likely the default."""
    text = design.defaults.get(word)
    return None if text is None else units.parse_whole(text, "capacity")


def default_drive(design: Design, word: str, catalog: Catalog) -> int | None:
    """The capacity of a drive among the design's defaults, which name it by that or by its id."""
    text = str(design.defaults.get(word))
    return catalog.get(Drive, text).capacity_bytes if text in catalog else default_size(design, word)
