"""One frozen model a kind of catalog record. Field names carry the unit; the YAML words (aliases) carry none."""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pixsize.catalog.patterns import Firmware, matching
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
    """

    family: str
    scsi_vendor: ScsiVendor = ""
    scsi_product: ScsiProduct = ""
    firmware: Firmware | Literal[""] = ""
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


class ServerRole(Model):
    """Servers of one role: model, how many, and the adapters in each."""

    model: ServerId
    count: Few
    adapters: dict[AdapterId, Few] = {}


class StorageRole(Model):
    """How a storage module is put together. `layouts` are those of an enclosure, by the variant of the design."""

    servers: ServerRole
    array: EnclosureId
    expansion: EnclosureId = ""
    expansion_sold_for: Many[str] = ()
    layouts: dict[str, LayoutId]
    data_media: Media
    metadata_media: Media | Literal[""] = ""


class MetadataRole(Model):
    """How a module for metadata is put together. `layouts` are those of an array, by the variant of the design."""

    servers: ServerRole
    array: EnclosureId
    arrays_min: Few = 1
    arrays_max: Few = 1
    arrays_max_needs: str = ""
    layouts: dict[str, LayoutId]
    media: Media


class PoolServers(Model):
    """The servers that share their drives: how many drives each has, of which media, and how many targets it serves.

    `pool_adapter` is the one of their adapters that is on the network of the pool.
    """

    servers: ServerRole
    pool_adapter: AdapterId
    drives: Few
    media: Media
    targets: Few


class SwitchRole(Model):
    """Switches of one role; `ports_a_server` on each of them, `ports_an_array` likewise."""

    model: SwitchId
    count: Few
    ports_a_server: int = Field(ge=0, le=64)
    ports_an_array: int = Field(0, ge=0, le=64)


FabricName = Annotated[
    str,
    matching(
        r"[a-z][a-z0-9]{0,20}(-[a-z0-9]{1,20}){0,3}", "small letters, digits and single `-`, such as ethernet-200"
    ),
]
"""The name of a network in a request."""
LinkName = Annotated[str, matching(r"[a-z0-9]{1,20}", "at most 20 small letters and digits, such as hdr100")]
"""The name of a link in a request."""


class FabricLink(Model):
    """A rate that the ports of a fabric can be set to, and the adapter that is set to it."""

    name: LinkName
    adapter: AdapterId


class Fabric(Model):
    """A network that a design can have for its data: the model of its switches, and its links, the full rate first."""

    name: FabricName
    switch: SwitchId
    links: Annotated[Many[FabricLink], Field(min_length=1, max_length=8)]

    @model_validator(mode="after")
    def _once(self) -> Self:
        """A name means one link."""
        if len({link.name for link in self.links}) < len(self.links):
            raise ValueError("links: two links have one name")
        return self


class Documented(Model):
    """Where the document of a design describes it: places that figures cite.

    They are of the raw and the formatted capacity, the layout of groups and targets, how rates grow with modules, and
    the links between the parts. `counted` says what the formatted capacity of the document leaves out. `data_volume` is
    the size of a volume for data as the document prints it, without a word on its units.
    """

    raw: SourceRef
    formatted: SourceRef
    layout: SourceRef
    grows: SourceRef
    chain: SourceRef
    counted: str = ""
    data_volume_bytes: Bytes | None = Field(None, alias="data_volume")


class Design(Record):
    """A solution as its document describes it. `volumes` and `filesystem` name the products that it is made of.

    Figures of a design without `documented` places cite its first source. `fabrics` are the networks that a request can
    choose from; the first is the one that `switches` and the adapters of its servers make.
    """

    volumes: str
    filesystem: str
    documented: Documented | None = None
    management: ServerRole | None = None
    switches: Many[SwitchRole]
    fabrics: Annotated[Many[Fabric], Field(max_length=16)] = ()
    defaults: dict[str, Any]

    @model_validator(mode="after")
    def _fabrics_once(self) -> Self:
        """A name means one fabric."""
        if len({fabric.name for fabric in self.fabrics}) < len(self.fabrics):
            raise ValueError("fabrics: two fabrics have one name")
        return self


class ArrayDesign(Design):
    """A solution whose volumes lie on arrays; `data_pool` is where the file system has pools."""

    storage: StorageRole
    metadata: MetadataRole
    data_pool: PoolName | Literal[""] = ""
    owners: Annotated[Many[Literal["a", "b"]], Field(min_length=1)]


class PoolDesign(Design):
    """A solution whose servers share their own drives in a pool."""

    storage: PoolServers
    metadata: ServerRole
    pool: PoolName
    domain: PoolName


class OfDesign(Record):
    """What belongs to a design; `Catalog.of_design` finds it, whichever id the design has now."""

    design: DesignId


class AddedServers(OfDesign):
    """The servers that a product adds to a system of a design, all alike; `count` of the servers is the least."""

    servers: ServerRole

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        """Their adapters are of one kind: which of them lead to the file system is a matter of the count alone."""
        if len(self.servers.adapters) != 1:
            raise ValueError("servers.adapters: adapters of one kind, whose links are counted")
        return self


class ModuleSize(OfDesign):
    """A size of storage module in a design."""

    size: str
    arrays: Few


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
