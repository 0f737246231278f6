"""Which other records a record names, by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pixsize.catalog.records import (
    Adapter,
    ArrayDesign,
    Constant,
    Design,
    Document,
    Drive,
    Enclosure,
    Layout,
    Measurement,
    ModuleSize,
    PoolDesign,
    Record,
    Server,
    ServerRole,
    Statement,
    Switch,
)
from pixsize.catalog.software import Software
from pixsize.catalog.tunings import Tuning

Reference = tuple[str, str, type[Record]]
"""Path in the naming record, id named, and the kind that it must be of."""


def references(record: Record) -> Iterator[Reference]:
    """Every id that `record` names."""
    for index, source in enumerate(record.sources):
        yield f"sources[{index}].document", source.document, Document
    if isinstance(record, ModuleSize):
        yield "design", record.design, Design
    elif isinstance(record, ArrayDesign):
        yield from _of_array_design(record)
    elif isinstance(record, PoolDesign):
        yield from _of_pool_design(record)
    elif isinstance(record, Measurement):
        yield from _of_measurement(record)
    elif isinstance(record, Statement):
        yield from _of_readings(record)
        yield from _of_system(record)
    elif isinstance(record, Software):
        yield "design", record.design, Design
    elif isinstance(record, Tuning):
        yield "design", record.design, Design
        yield from ((f"after[{index}]", earlier, Tuning) for index, earlier in enumerate(record.after))


def _of_array_design(design: ArrayDesign) -> Iterator[Reference]:
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
    yield from _of_roles(design, roles)


def _of_pool_design(design: PoolDesign) -> Iterator[Reference]:
    roles = (
        ("storage.servers", design.storage.servers),
        ("metadata", design.metadata),
        *((("management", design.management),) if design.management else ()),
    )
    yield "storage.pool_adapter", design.storage.pool_adapter, Adapter
    yield from _of_roles(design, roles)


def _of_roles(design: Design, roles: Iterable[tuple[str, ServerRole]]) -> Iterator[Reference]:
    for index, switch in enumerate(design.switches):
        yield f"switches[{index}].model", switch.model, Switch
    for path, role in roles:
        yield from _of_servers(path, role)


def _of_servers(path: str, role: ServerRole) -> Iterator[Reference]:
    yield f"{path}.model", role.model, Server
    for adapter in role.adapters:
        yield f"{path}.adapters.{adapter}", adapter, Adapter


def _of_measurement(measurement: Measurement) -> Iterator[Reference]:
    yield from _of_readings(measurement)
    yield from _of_system(measurement)
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


def _of_readings(record: Measurement | Statement) -> Iterator[Reference]:
    for index, reading in enumerate(record.readings):
        yield f"readings[{index}].document", reading.document, Document


def _of_system(record: Measurement | Statement) -> Iterator[Reference]:
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
