"""What the documents measured or print of whole systems: kinds of record beside those of hardware."""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from pixsize import units
from pixsize.catalog.records import ConstantId, DesignId, DocumentId, DriveId, Many, Model, Natural, Record, Ref
from pixsize.figures import Unit
from pixsize.product import PRODUCTS

DIMENSIONS: dict[str, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
"""What a figure's unit measures."""


class MeasuredReading(Model):
    """One value that a document prints; exactly one reading of a measurement is used.

    A reading that `counts` widens the range of what it measures; a misprint is shown, and does not. Below a
    `floor` the rate was seen not to fall. A `bound` widens the range too, but is no second reading of the same
    quantity, and does not tell how far such readings lie apart.
    """

    value: str
    document: DocumentId
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

    document: DocumentId
    place: str
    why: str
    surplus: ConstantId = ""


class MeasuredModule(Model):
    """A storage module of a measured system. `metadata_drive` is that of metadata in the module, if not the default."""

    size: str
    count: Natural = 1
    expansion: bool = False
    data_drive: DriveId
    metadata_drive: DriveId = ""


class MeasuredSystem(Model):
    """What was benchmarked, in the words of a request: modules of arrays, or `servers` with drives of their own.

    Each file system adds words of its own: `FileSystem.measured_system` is a model made from this one.
    """

    design: DesignId
    storage_modules: Many[MeasuredModule] = ()
    servers: Natural | None = None
    drive: DriveId = ""

    @property
    def variant(self) -> str:
        """The variant of the design, as the file system names it."""
        raise NotImplementedError


class _UnknownSystem(MeasuredSystem):
    """A system of a design that the catalog lacks, or whose file system no product makes: the design is reported."""

    model_config = ConfigDict(extra="ignore")


def _in_words_of_its_file_system(words: object, info: ValidationInfo) -> object:
    """A mapping as the model of the file system of its design; the catalog that has the design is the context."""
    if not isinstance(words, dict):
        return words
    catalog: Any = info.context
    design = words.get("design")
    is_known = catalog is not None and isinstance(design, str) and design in catalog
    named = catalog.raw[catalog.id_of(design)].get("filesystem") if is_known else None
    product = PRODUCTS.get(str(named))
    filesystem = product.filesystem if product else None
    return (filesystem.measured_system if filesystem else _UnknownSystem).model_validate(words)


class Threads(Model):
    """The numbers of threads of the clients at which the used reading of a peak was read, and the most that ran.

    Without `at` nobody says where the peak was, or the threads printed belong to a reading that is not used.
    """

    at: Many[Natural] = ()
    most: Natural


class Measurement(Record):
    """A benchmark result: the figure it measures, of what system, under which conditions, and every reading printed.

    `trust` names what the record serves for: `calibration` may be scaled from, `width` only widens ranges: those of its
    `system`, or, without one, by how far its readings lie apart. Evidence for the width of one design may calibrate
    others: those that `calibrates` names. Each of the `doubts` takes the low end further down. `doubles` names the
    measurement of the same figure on the same system with half as many metadata targets: their ratio is evidence.
    `threads` are those of a peak; what fewer threads reach is a measurement of its own, `...threads_8`.
    """

    figure: str
    unit: Unit
    system: Annotated[MeasuredSystem | None, BeforeValidator(_in_words_of_its_file_system)] = None
    readings: Many[MeasuredReading]
    doubts: Many[Doubt] = ()
    conditions: dict[str, str]
    trust: Literal["calibration", "width"] = "calibration"
    calibrates: Many[DesignId] = ()
    doubles: Annotated[str, Ref("measurement")] = ""
    threads: Threads | None = None

    def may_be_scaled_from(self, design: str) -> bool:
        """Whether figures of a design may rest on it."""
        return self.trust == "calibration" or design in self.calibrates


StepKind = Literal["again", "generation", "filesystem", "size", "expansion", "count", "drive", "variant", "setting"]
"""What may differ between a system and the measured one that its rate is predicted from.

`again` is nothing but the time and the place, `generation` are servers, adapters and network together, `count` is twice
or half as many modules, `setting` is what is chosen of software and sizes of blocks.
"""


STEPS: dict[StepKind, str] = {
    "again": "the same again",
    "generation": "another generation of servers",
    "filesystem": "another file system",
    "size": "another size of module",
    "expansion": "expansions added",
    "count": "twice or half as many",
    "drive": "other drives",
    "variant": "another variant",
    "setting": "other settings",
}
"""What differs, in words."""

_RATIO = re.compile(r"[0-9]{1,4}(\.[0-9]{1,9})?")


def _ratio(text: object) -> Fraction:
    """A ratio of at least one from its text."""
    said = str(text)
    # A power or a division would be taken by Fraction, and may take it for ever or fail.
    ratio = Fraction(said) if _RATIO.fullmatch(said) else Fraction(0)
    if not 1 <= ratio <= 1000:
        raise ValueError(f"{said[:40]!r} is no ratio from 1 to 1000, such as 1.25")
    return ratio


class Spread(Record):
    """How far measurements of a family of figures lie from their predictions, by what differs between the systems.

    `ratios`: nine times of ten the measurement lies between the prediction divided by the ratio and multiplied by it.
    `pairs` is the number of pairs of measurements that a ratio was learned from, without those borrowed from a wider
    family. docs/explanation/calibration.md tells how the shipped ones were made.
    """

    ratios: dict[StepKind, Annotated[Fraction, BeforeValidator(_ratio)]]
    pairs: dict[StepKind, Annotated[int, Field(ge=0, le=1_000_000)]]

    @field_validator("ratios")
    @classmethod
    def _has_every_kind(cls, ratios: dict[StepKind, Fraction]) -> dict[StepKind, Fraction]:
        if missing := [k for k in get_args(StepKind) if k not in ratios]:
            raise ValueError(f"no ratio of {', '.join(missing)}")
        return ratios


class StatedSystem(Model):
    """A system that a document names a figure of. Without `variant`, the figure is that of all its variants."""

    design: DesignId
    variant: str | None = None
    storage_modules: Many[MeasuredModule] = ()
    servers: Natural | None = None
    drive: DriveId = ""


class Statement(Record):
    """A figure of a system that a document prints and pixsize calculates: every reading, for comparison.

    No figure is made from it: it shows which printed value the calculation agrees with, and why others are left aside.
    """

    figure: str
    unit: Unit
    system: StatedSystem
    readings: Many[MeasuredReading]
