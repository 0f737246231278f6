"""One frozen model a kind of catalog record. Field names carry the unit; the YAML words (aliases) carry none."""

from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from pixsize.catalog.patterns import Firmware, HostAddress, matching
from pixsize.figures import Basis, Source
from pixsize.quantities import (
    MOST_SLOTS,
    Bound,
    Bytes,
    BytesPerS,
    DriveBytes,
    RackUnits,
    ScsiProduct,
    ScsiVendor,
    Share,
    Slots,
)

T = TypeVar("T")
Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in the file; its items are judged strictly all the same."""
Natural = Annotated[int, Field(ge=1, le=1_000_000)]
"""A count of things that there are."""
Few = Annotated[int, Field(ge=1, le=64)]
"""A count of boxes of one role."""
Media = Literal["nl-sas", "sas-hdd", "sas-ssd", "nvme"]
PoolName = Annotated[str, matching(r"[A-Za-z][A-Za-z0-9_]{0,30}", "a letter, then at most 30 of A-Z, a-z, 0-9 and `_`")]
"""The name of a pool, or of what holds pools: the strictest of what the products that have pools take."""


class Ref:
    """Of a field: its text is the id of a record of one of these kinds; an empty text names none.

    It stands in the annotation of the text itself, also where that is an item of a list, or a key or value of a
    mapping: `load.record_checks.references` finds it there, in the records of products as well.
    """

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds


DESIGNS = ("design", "pool_design")
"""The kinds of record that a request can name as its design."""
DocumentId = Annotated[str, Ref("source")]
DriveId = Annotated[str, Ref("drive")]
EnclosureId = Annotated[str, Ref("array")]
ServerId = Annotated[str, Ref("server")]
AdapterId = Annotated[str, Ref("adapter")]
SwitchId = Annotated[str, Ref("switch")]
LayoutId = Annotated[str, Ref("layout")]
DesignId = Annotated[str, Ref(*DESIGNS)]
ConstantId = Annotated[str, Ref("constant")]


class Model(BaseModel):
    """Frozen, and strict about types and about words it does not know."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        populate_by_name=True,
        defer_build=True,
        arbitrary_types_allowed=True,
    )


class SourceRef(Model):
    """A place in a document that a source record describes."""

    document: DocumentId
    place: str

    def source(self) -> Source:
        """The same as a figure carries it."""
        return Source(self.document, self.place)


class Record(Model):
    """What every record has: an id that is unique in the catalog, and where its facts were read."""

    id: str
    title: str
    sources: Many[SourceRef] = ()
    note: str = ""
    id_means: ClassVar[str] = ""
    """For kinds whose ids are not free names, what an id is: a record with another id cannot replace one of these."""

    def citations(self) -> tuple[Source, ...]:
        """The record's sources as a figure carries them."""
        return tuple(s.source() for s in self.sources)


class Versioned(Record):
    """A record that speaks for versions of a program. `begins` is its word for the first of them."""

    begins: ClassVar[str]

    @property
    def span(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first version that it speaks for, and the last."""
        raise NotImplementedError

    @property
    def versions_text(self) -> str:
        """The versions as a sentence names them."""
        raise NotImplementedError


class Document(Record):
    """A public document; `confidence` says what kind of evidence it is."""

    publisher: str
    date: str = ""
    reference: str = ""
    confidence: str = ""


class Drive(Record):
    """A drive as sold: decimal capacity, and the media class that decides which slots take it."""

    capacity_bytes: DriveBytes = Field(alias="capacity")
    media: Media
    rpm: Natural | None = None
    confirmed: bool = True


class Racked(Record):
    """What takes room in a rack. `rack_units_basis` is `estimated` where no document at hand gives the height."""

    rack_units: RackUnits
    rack_units_basis: Literal["specified", "estimated"] = "specified"


class Enclosure(Racked):
    """An enclosure of drives. `controllers` is 0 for an expansion; rates are of the whole array, both controllers.

    `scsi_vendor` and `scsi_product` are what the volumes behind its controllers say they are; multipath goes by them.
    `firmware` is the oldest bundle that the array's commands are known for. Each is empty where nobody has read it.
    `factory_addresses` are those that controllers come with, and have again after a reset: nothing else may have them.
    """

    family: str
    scsi_vendor: ScsiVendor = ""
    scsi_product: ScsiProduct = ""
    firmware: Firmware | Literal[""] = ""
    factory_addresses: Annotated[Many[HostAddress], Field(max_length=4)] = ()
    slots: int = Field(ge=1, le=MOST_SLOTS)
    controllers: int = Field(ge=0, le=2)
    sas_ports: int = Field(0, ge=0, le=64, description="host ports a controller")
    write_bytes_per_s: BytesPerS | None = Field(None, alias="write_rate")
    read_bytes_per_s: BytesPerS | None = Field(None, alias="read_rate")


class Adapter(Record):
    """A card in a server: what its ports carry, and the PCIe lanes behind it. Rates one way.

    A card that can be set to several networks or rates has a record for each: `card` is the one that has its slots.
    """

    use: Literal["sas", "network"]
    card: Annotated[str, Ref("adapter")] = ""
    ports: Few
    lanes: int = Field(1, ge=1, le=64, description="lanes a port")
    lane_bytes_per_s: BytesPerS = Field(alias="lane_rate")
    pcie_lanes: Few
    pcie_lane_bytes_per_s: BytesPerS = Field(alias="pcie_lane_rate")

    @property
    def bytes_per_s(self) -> int:
        """What a card carries one way: its ports together, or the PCIe lanes behind them where these carry less."""
        return min(self.ports * self.lanes * self.lane_bytes_per_s, self.pcie_lanes * self.pcie_lane_bytes_per_s)


class Server(Racked):
    """A server model as the design has it. `memory_bytes_per_s` is the theoretical bandwidth of all channels."""

    memory_bytes_per_s: BytesPerS | None = Field(None, alias="memory_rate")
    memory_bytes: Bytes | None = Field(None, alias="memory")
    slots: dict[str, str] = {}


class Switch(Racked):
    """A switch: ports for servers, and which network it makes."""

    ports: Natural
    network: Literal["infiniband", "ethernet", "omni-path", "management"]


class LayoutGroup(Model):
    """Groups of one kind in an enclosure: one slot pattern a group."""

    purpose: Literal["data", "metadata"]
    level: Literal["r1", "r5", "r6", "r10"]
    slots: Annotated[Many[Slots], Field(max_length=MOST_SLOTS // 2)]


class Layout(Record):
    """What every slot of an enclosure is used for; `spares` are hot spares of the data drive, `empty` hold no drive."""

    slots: int = Field(ge=1, le=MOST_SLOTS)
    groups: Annotated[Many[LayoutGroup], Field(max_length=16)]
    spares: Slots | None = None
    empty: Slots | None = None


class Limit(Record):
    """A bound that a vendor or pixsize sets. `confirmed` is false where it was seen for a sibling only.

    `least` and `most` bound what an overlay may set in its place, which is also a multiple of `multiple_of`.
    """

    value: Bound
    least: Bound = 1
    most: Bound | None = None
    multiple_of: Bound = 1
    confirmed: bool = True


class Choice(Record):
    """The only sizes or counts that a vendor allows. `confirmed` is false where no document at hand lists them all."""

    values: Many[Bound]
    confirmed: bool = True


class Constant(Record):
    """A number that a rule rests on, with its range. `value`, `low` and `high` are shares of one.

    By its `effect` a share takes something away, which is never all of it; grants a part, which is never nothing; or
    widens a range. Without one it may have any value.
    """

    value: Share
    low: Share
    high: Share
    effect: Literal["takes_away", "grants", "weighs"] | None = None
    basis: Basis
