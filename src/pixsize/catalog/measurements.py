"""What the documents measured or print of whole systems: kinds of record beside those of hardware."""

from typing import Literal

from pydantic import Field

from pixsize.catalog.records import Many, Model, Natural, Record
from pixsize.figures import Unit
from pixsize.quantities import Bytes


class MeasuredReading(Model):
    """One value that a document prints; exactly one reading of a measurement is used.

    A reading that `counts` widens the range of what it measures; a misprint is shown, and does not. Below a
    `floor` the rate was seen not to fall. A `bound` widens the range too, but is no second reading of the same
    quantity, and does not tell how far such readings lie apart.
    """

    value: str
    document: str
    place: str
    used: bool = True
    counts: bool = True
    floor: bool = False
    bound: bool = False
    why: str = ""


class Doubt(Model):
    """Why the printed rate may be too high, and who says so.

    `surplus` is the constant that tells which part of the rate may be too much. Without one nobody knows, and the
    spread of such rates stands for it.
    """

    document: str
    place: str
    why: str
    surplus: str = ""


class MeasuredModule(Model):
    """A storage module of a measured system. `metadata_drive`: in the standard variant, if not the default."""

    size: str
    count: Natural = 1
    expansion: bool = False
    data_drive: str
    metadata_drive: str = ""


class MeasuredMetadata(Model):
    """The high-demand metadata of a measured system."""

    modules: Natural = 1
    arrays: Natural = 1
    drive: str


class MeasuredMdts(Model):
    """The metadata of a measured Lustre system: with DNE two MDTs a pair of servers, without it one.

    `drive` is that of the arrays, and left out where the MDTs lie in the pool of the data.
    """

    dne: bool
    pairs: Natural = 1
    drive: str = ""


class MeasuredSystem(Model):
    """What was benchmarked, in the words of a request; drives are catalog ids.

    Modules of arrays, or `servers` with drives of their own in a pool. IBM Storage Scale has a block size, Lustre a
    version, MDTs, and a network with or without RDMA.
    """

    design: str
    storage_modules: Many[MeasuredModule] = ()
    servers: Natural | None = None
    drive: str = ""
    hdmd: MeasuredMetadata | None = None
    block_bytes: Bytes | None = Field(None, alias="block_size")
    lustre_version: str = ""
    lnet: Literal["o2ib", "tcp"] = "o2ib"
    metadata: MeasuredMdts | None = None

    @property
    def variant(self) -> str:
        """The variant of the design."""
        if self.metadata is not None:
            return "dne" if self.metadata.dne else "single"
        return "standard" if self.hdmd is None else "hdmd"


class Measurement(Record):
    """A benchmark result: the figure it measures, of what system, under which conditions, and every reading printed.

    `trust` names what the record serves for: `calibration` may be scaled from, `width` only widens ranges: those of its
    `system`, or, without one, by how far its readings lie apart. Evidence for the width of one design may calibrate
    others: those that `calibrates` names. Each of the `doubts` takes the low end further down.
    """

    figure: str
    unit: Unit
    system: MeasuredSystem | None = None
    readings: Many[MeasuredReading]
    doubts: Many[Doubt] = ()
    conditions: dict[str, str]
    trust: Literal["calibration", "width"] = "calibration"
    calibrates: Many[str] = ()

    def may_be_scaled_from(self, design: str) -> bool:
        """Whether figures of a design may rest on it."""
        return self.trust == "calibration" or design in self.calibrates


class StatedSystem(Model):
    """A system that a document names a figure of. Without `variant`, the figure is that of all its variants."""

    design: str
    variant: str | None = None
    storage_modules: Many[MeasuredModule] = ()
    servers: Natural | None = None
    drive: str = ""


class Statement(Record):
    """A figure of a system that a document prints and pixsize calculates: every reading, for comparison.

    No figure is made from it: it shows which printed value the calculation agrees with, and why others are left aside.
    """

    figure: str
    unit: Unit
    system: StatedSystem
    readings: Many[MeasuredReading]
