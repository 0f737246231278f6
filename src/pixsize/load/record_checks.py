"""What a catalog record must keep beyond the types of its words, and which other records it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pixsize import units
from pixsize.catalog.measurements import MeasuredSystem, Measurement, StatedSystem, Statement
from pixsize.catalog.records import (
    Adapter,
    ArrayDesign,
    Choice,
    Constant,
    Design,
    Document,
    Drive,
    Enclosure,
    Layout,
    LayoutGroup,
    Limit,
    ModuleSize,
    PoolDesign,
    Record,
    Server,
    ServerRole,
    Switch,
)
from pixsize.catalog.software import Software
from pixsize.catalog.tunings import Tuning
from pixsize.figures import Unit
from pixsize.load.names import character
from pixsize.load.positions import join, quoted
from pixsize.quantities import MOST

Trouble = tuple[str, str]
"""Path in the record, and what is wrong there."""

_DIMENSIONS: dict[Unit, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
_FIGURES: dict[str, Unit] = {
    r"throughput\.sequential\.n_[n1]\.(write|read)\.(peak|sustained)": "B/s",
    r"throughput\.sequential\.n_n\.(write|read)\.128k": "B/s",
    r"throughput\.random_4k\.(write|read)\.(peak|sustained)": "op/s",
    r"metadata\.(empty|128b|4k)\.(create|stat|read|remove)\.(peak|sustained)": "op/s",
    r"hardware\.power": "W",
}
"""The figures that a measurement of a system can set, and their units."""
_MEASURABLE = (
    "throughput.{sequential.n_n,sequential.n_1,random_4k}.{write,read}.{peak,sustained}, "
    "throughput.sequential.n_n.{write,read}.128k, "
    "metadata.{empty,128b,4k}.{create,stat,read,remove}.{peak,sustained} and hardware.power"
)
_PARAGRAPHS = frozenset(("note", "why", "doubt"))
"""Words with a text of several lines."""
_NEEDED = frozenset(("title", "place", "publisher"))
"""Words with a text that is shown alone."""
_LONGEST_TEXT = 2000
_LONGEST_PARAGRAPH = 20_000
_SIZE = r"[a-z][a-z0-9_-]{0,30}"


def trouble(record: Record) -> Iterator[Trouble]:
    """Everything that a plan could not be made with."""
    judge = _JUDGES.get(type(record))
    if judge is not None:
        yield from judge(record)


def bad_texts(words: object, path: str = "", word: str = "") -> Iterator[Trouble]:
    """Texts that a terminal or a file would obey rather than show, that show nothing, or fill a screen.

    Line breaks are welcome where a text is a paragraph; everywhere else it is one line of a table or a comment.
    """
    if isinstance(words, str):
        yield from ((path, why) for why in [_text_trouble(words, word)] if why)
    elif isinstance(words, list):
        for index, each in enumerate(words):
            yield from bad_texts(each, f"{path}[{index}]", word)
    elif isinstance(words, dict):
        for key, each in words.items():
            where = join(path, str(key))
            yield from bad_texts(each, where, str(key))
            yield from ((where, f"in the word itself: {why}") for why in [_text_trouble(str(key), "")] if why)


def _text_trouble(text: str, word: str) -> str:
    """Why a text may not stand behind a word; empty when it may."""
    breaks = "\n" if word in _PARAGRAPHS else ""
    bad = next((c for c in text if not c.isprintable() and c not in breaks), "")
    if bad:
        return f"{character(bad)} in the text"
    if not text.strip() and (text or word in _NEEDED):
        return "nothing stands here"
    longest = _LONGEST_PARAGRAPH if word in _PARAGRAPHS else _LONGEST_TEXT
    return f"longer than {longest:,} characters" if len(text) > longest else ""


def _of_size(size: ModuleSize) -> Iterator[Trouble]:
    if not re.fullmatch(_SIZE, size.size):
        yield (
            "size",
            f"{quoted(size.size)} is no name of a size: a small letter, then at most 30 of a-z, 0-9, `_` and `-`",
        )


def _of_limit(limit: Limit) -> Iterator[Trouble]:
    if not 0 <= limit.value <= MOST:
        yield "value", f"{limit.value:,} is out of range: a limit is no negative number, and no larger than an exabyte"


def _of_choice(choice: Choice) -> Iterator[Trouble]:
    if not choice.values or any(not 0 < value <= MOST for value in choice.values):
        yield "values", "a choice has values, each more than nothing and at most an exabyte"
    if list(choice.values) != sorted(set(choice.values)):
        yield "values", "the values stand once each, the smallest first"


def _of_constant(constant: Constant) -> Iterator[Trouble]:
    if not constant.low <= constant.value <= constant.high:
        yield "value", "low, value and high are not in this order"


def _of_layout(layout: Layout) -> Iterator[Trouble]:
    used: set[int] = set()
    for path, slots in _slots_of(layout.groups, layout.spares):
        if any(slot >= layout.slots for slot in slots):
            yield path, f"a slot past the last, {layout.slots - 1}"
        if used.intersection(slots) or len(set(slots)) < len(slots):
            yield path, "a slot has two uses"
        used.update(slots)


def _slots_of(groups: tuple[LayoutGroup, ...], spares: tuple[int, ...] | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    for index, group in enumerate(groups):
        yield from ((f"groups[{index}].slots[{number}]", slots) for number, slots in enumerate(group.slots))
    if spares is not None:
        yield "spares", spares


def _of_measurement(measurement: Measurement) -> Iterator[Trouble]:
    """A record that no figure would ever be made from is worse than none: its author believes that it counts."""
    yield from _of_readings(measurement)
    if measurement.system is None and measurement.trust == "calibration":
        yield "system", "a record for calibration says what system was measured; without one it serves for width alone"
    if measurement.system is None:
        return
    yield from _of_system(measurement.system)
    unit = measurable_unit(measurement.figure)
    if unit is None:
        yield "figure", f"no measurement sets {quoted(measurement.figure)}; figures to measure are {_MEASURABLE}"
    elif unit != measurement.unit:
        yield "unit", f"{measurement.figure} is measured in {unit}"


def _of_system(system: MeasuredSystem | StatedSystem) -> Iterator[Trouble]:
    """A system is made of modules, or of servers with drives of their own; its file system has its own words."""
    if bool(system.storage_modules) == (system.servers is not None):
        yield "system", "a system has storage_modules, or servers with a pool: one of the two"
    elif system.servers is not None and not system.drive:
        yield "system.drive", "the drive of the servers is missing"


def measurable_unit(figure: str) -> Unit | None:
    """The unit of a figure that a benchmark or a meter can give; None for all others, which are calculated."""
    return next((unit for pattern, unit in _FIGURES.items() if re.fullmatch(pattern, figure)), None)


def _of_readings(measurement: Measurement | Statement) -> Iterator[Trouble]:
    if sum(reading.used for reading in measurement.readings) != 1:
        yield "readings", "exactly one reading is used"
    dimension = _DIMENSIONS.get(measurement.unit)
    for index, reading in enumerate(measurement.readings):
        try:
            number = units.parse(reading.value, dimension) if dimension else units.parse_count(reading.value)
            if number <= 0:
                yield f"readings[{index}].value", "a reading is more than nothing"
        except units.UnitError as error:
            yield f"readings[{index}].value", str(error)


def _of_statement(statement: Statement) -> Iterator[Trouble]:
    yield from _of_readings(statement)
    yield from _of_system(statement.system)


_JUDGES: dict[type[Record], Callable[[Any], Iterator[Trouble]]] = {
    ModuleSize: _of_size,
    Limit: _of_limit,
    Choice: _of_choice,
    Constant: _of_constant,
    Layout: _of_layout,
    Measurement: _of_measurement,
    Statement: _of_statement,
}


Reference = tuple[str, str, type[Record]]
"""Path in the naming record, id named, and the kind that it must be of."""


def references(record: Record) -> Iterator[Reference]:
    """Every id that `record` names."""
    for index, source in enumerate(record.sources):
        yield f"sources[{index}].document", source.document, Document
    if isinstance(record, ModuleSize):
        yield "design", record.design, Design
    elif isinstance(record, ArrayDesign):
        yield from _named_by_array_design(record)
    elif isinstance(record, PoolDesign):
        yield from _named_by_pool_design(record)
    elif isinstance(record, Measurement):
        yield from _named_by_measurement(record)
    elif isinstance(record, Statement):
        yield from _named_by_readings(record)
        yield from _named_by_system(record)
    elif isinstance(record, Software):
        yield "design", record.design, Design
    elif isinstance(record, Tuning):
        yield "design", record.design, Design
        yield from ((f"after[{index}]", earlier, Tuning) for index, earlier in enumerate(record.after))


def _named_by_array_design(design: ArrayDesign) -> Iterator[Reference]:
    storage, metadata = design.storage, design.metadata
    yield "storage.array", storage.array, Enclosure
    if storage.expansion:
        yield "storage.expansion", storage.expansion, Enclosure
    yield "metadata.array", metadata.array, Enclosure
    for word, layouts in (("storage", storage.layouts), ("metadata", metadata.layouts)):
        for variant, layout in layouts.items():
            yield f"{word}.layouts.{variant}", layout, Layout
    roles = (
        ("storage.servers", storage.servers),
        ("metadata.servers", metadata.servers),
        *((("management", design.management),) if design.management else ()),
    )
    yield from _named_by_roles(design, roles)


def _named_by_pool_design(design: PoolDesign) -> Iterator[Reference]:
    roles = (
        ("storage.servers", design.storage.servers),
        ("metadata", design.metadata),
        *((("management", design.management),) if design.management else ()),
    )
    yield "storage.pool_adapter", design.storage.pool_adapter, Adapter
    yield from _named_by_roles(design, roles)


def _named_by_roles(design: Design, roles: Iterable[tuple[str, ServerRole]]) -> Iterator[Reference]:
    for index, switch in enumerate(design.switches):
        yield f"switches[{index}].model", switch.model, Switch
    for path, role in roles:
        yield from _named_by_servers(path, role)


def _named_by_servers(path: str, role: ServerRole) -> Iterator[Reference]:
    yield f"{path}.model", role.model, Server
    for adapter in role.adapters:
        yield f"{path}.adapters.{adapter}", adapter, Adapter


def _named_by_measurement(measurement: Measurement) -> Iterator[Reference]:
    yield from _named_by_readings(measurement)
    yield from _named_by_system(measurement)
    for index, doubt in enumerate(measurement.doubts):
        yield f"doubts[{index}].document", doubt.document, Document
        if doubt.surplus:
            yield f"doubts[{index}].surplus", doubt.surplus, Constant
    yield from ((f"calibrates[{index}]", design, Design) for index, design in enumerate(measurement.calibrates))
    system = measurement.system
    if system is not None and system.hdmd is not None:
        yield "system.hdmd.drive", system.hdmd.drive, Drive
    if system is not None and system.metadata is not None and system.metadata.drive:
        yield "system.metadata.drive", system.metadata.drive, Drive


def _named_by_readings(record: Measurement | Statement) -> Iterator[Reference]:
    for index, reading in enumerate(record.readings):
        yield f"readings[{index}].document", reading.document, Document


def _named_by_system(record: Measurement | Statement) -> Iterator[Reference]:
    system = record.system
    if system is None:
        return
    yield "system.design", system.design, ArrayDesign if system.servers is None else PoolDesign
    if system.drive:
        yield "system.drive", system.drive, Drive
    for index, module in enumerate(system.storage_modules):
        yield f"system.storage_modules[{index}].data_drive", module.data_drive, Drive
        if module.metadata_drive:
            yield f"system.storage_modules[{index}].metadata_drive", module.metadata_drive, Drive
