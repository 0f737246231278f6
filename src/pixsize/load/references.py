"""Which other records a record names, by id."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import (
    Adapter,
    Design,
    Document,
    Drive,
    Enclosure,
    Layout,
    Measurement,
    ModuleSize,
    Record,
    Server,
    ServerRole,
    Statement,
    Switch,
)

Reference = tuple[str, str, type[Record]]
"""Path in the naming record, id named, and the kind that it must be of."""


def references(record: Record) -> Iterator[Reference]:
    """Every id that `record` names."""
    for index, source in enumerate(record.sources):
        yield f"sources[{index}].document", source.document, Document
    if isinstance(record, ModuleSize):
        yield "design", record.design, Design
    elif isinstance(record, Design):
        yield from _of_design(record)
    elif isinstance(record, Measurement):
        yield from _of_measurement(record)
    elif isinstance(record, Statement):
        yield from _of_readings(record)
        yield from _of_system(record)


def _of_design(design: Design) -> Iterator[Reference]:
    storage, metadata = design.storage, design.metadata
    yield "storage.array", storage.array, Enclosure
    yield "storage.expansion", storage.expansion, Enclosure
    yield "metadata.array", metadata.array, Enclosure
    yield "metadata.layout", metadata.layout, Layout
    for variant, layout in storage.layouts.items():
        yield f"storage.layouts.{variant}", layout, Layout
    for index, switch in enumerate(design.switches):
        yield f"switches[{index}].model", switch.model, Switch
    roles = (
        ("storage.servers", storage.servers),
        ("metadata.servers", metadata.servers),
        ("management", design.management),
    )
    for path, role in roles:
        yield from _of_servers(path, role)


def _of_servers(path: str, role: ServerRole) -> Iterator[Reference]:
    yield f"{path}.model", role.model, Server
    for adapter in role.adapters:
        yield f"{path}.adapters.{adapter}", adapter, Adapter


def _of_measurement(measurement: Measurement) -> Iterator[Reference]:
    yield from _of_readings(measurement)
    yield from _of_system(measurement)
    if measurement.system is not None and measurement.system.hdmd is not None:
        yield "system.hdmd.drive", measurement.system.hdmd.drive, Drive


def _of_readings(record: Measurement | Statement) -> Iterator[Reference]:
    for index, reading in enumerate(record.readings):
        yield f"readings[{index}].document", reading.document, Document


def _of_system(record: Measurement | Statement) -> Iterator[Reference]:
    if record.system is not None:
        yield "system.design", record.system.design, Design
        for index, module in enumerate(record.system.storage_modules):
            yield f"system.storage_modules[{index}].data_drive", module.data_drive, Drive
        if module.metadata_drive:
            yield f"system.storage_modules[{index}].metadata_drive", module.metadata_drive, Drive
