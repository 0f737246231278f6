"""Records of a user's folder laid over the shipped ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import KINDS, Measurement, ModuleSize, Record, Statement
from pixsize.findings import Finding, Position
from pixsize.load import record_sense
from pixsize.load.draft import did_you_mean
from pixsize.load.positions import quoted
from pixsize.load.record_files import Entry, read_entries
from pixsize.load.references import references
from pixsize.load.shapes import complaints
from pixsize.load.shipped import Shipped

_MOST_ENTRIES = 20_000


def lay_over(held: Shipped, folder: Path) -> tuple[Catalog, tuple[Finding, ...]]:
    """The catalog of shipped and overlay records, and everything that is wrong with the latter."""
    files, findings = _files(folder)
    entries: list[Entry] = []
    for path in files:
        read, found = read_entries(path, str(path))
        entries += read
        findings += found
    kept, found = _take(held, entries)
    findings += found
    catalog = _merge(held, kept)
    for entry in kept:
        findings += _judge(entry, catalog)
    return catalog, tuple(findings)


def _files(folder: Path) -> tuple[list[Path], list[Finding]]:
    """The YAML files below a folder, in the order of their paths. Links to folders can run in circles: not followed."""
    if not folder.is_dir():
        reason = "it is no folder" if os.path.lexists(folder) else "there is no such folder"
        return [], [_unreadable(folder, reason)]
    found: list[Path] = []
    findings: list[Finding] = []
    seen = 0
    for where, folders, files in os.walk(
        folder, onerror=lambda e: findings.append(_unreadable(Path(e.filename), e.strerror or ""))
    ):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        seen += len(files) + len(folders)
        if seen > _MOST_ENTRIES:
            return [], [_unreadable(folder, f"more than {_MOST_ENTRIES:,} files lie below it: it is no catalog")]
        wanted = (Path(where, f) for f in files if f.endswith((".yaml", ".yml")) and not f.startswith("."))
        found += [path for path in wanted if path.is_file()]
    return sorted(found), findings


def _unreadable(path: Path, reason: str) -> Finding:
    return Finding("PX001", f"the catalog folder cannot be read: {reason}", position=Position(str(path)))


def _take(held: Shipped, entries: list[Entry]) -> tuple[list[Entry], list[Finding]]:
    """The entries that may stand in the catalog, and the reasons of the others."""
    kept: list[Entry] = []
    findings: list[Finding] = []
    ids: dict[str, Entry] = {}
    replaced: dict[str, Entry] = {}
    for entry in entries:
        problem = _target_problem(entry, held, replaced) or _id_problem(entry, held, ids)
        if problem is not None:
            findings.append(problem)
            continue
        kept.append(entry)
        ids[entry.id] = entry
        if entry.replaces:
            replaced[entry.replaces] = entry
    return kept, findings


def _target_problem(entry: Entry, held: Shipped, replaced: dict[str, Entry]) -> Finding | None:
    target = entry.replaces
    if not target:
        return None
    if target not in held.raw:
        return entry.finding(
            "PX202", "replaces", f"no shipped record {quoted(target)} to replace", did_you_mean(target, held.raw)
        )
    if target in replaced:
        other = replaced[target].position()
        return entry.finding("PX201", "replaces", f"{other.file}:{other.line} replaces {target} too")
    kind = held.raw[target]["kind"]
    if kind != entry.words["kind"]:
        return entry.finding("PX203", "kind", f"a {entry.words['kind']} cannot replace a {kind}")
    return None


def _id_problem(entry: Entry, held: Shipped, ids: dict[str, Entry]) -> Finding | None:
    if entry.id in ids:
        other = ids[entry.id].position()
        return entry.finding(
            "PX201", "id", f"the id stands in {other.file}:{other.line} too", "Give one of them another id."
        )
    if entry.id in held.raw and entry.id != entry.replaces:
        file, line, _ = held.places[entry.id]
        message = f"the id stands in the shipped {file}:{line} too"
        return entry.finding("PX201", "id", message, f"To replace that record, add: replaces: {entry.id}")
    return None


def _merge(held: Shipped, kept: list[Entry]) -> Catalog:
    raw: dict[str, dict[str, Any]] = dict(held.raw)
    aliases: dict[str, str] = {}
    replaced: dict[str, dict[str, Any]] = {}
    for entry in kept:
        if raw.pop(entry.replaces, None) is not None:
            replaced[entry.replaces] = held.raw[entry.replaces]
        if entry.replaces and entry.replaces != entry.id:
            aliases[entry.replaces] = entry.id
    words = {entry.id: entry.words for entry in kept}
    return Catalog(raw | words, aliases, replaced=replaced, overlaid=frozenset(words))


def _judge(entry: Entry, catalog: Catalog) -> Iterator[Finding]:
    try:
        record = catalog.record(entry.id)
    except ValidationError as error:
        yield from _shape_findings(entry, error)
        return
    for where, message in (*record_sense.trouble(record), *record_sense.control_characters(entry.words)):
        yield entry.finding("PX203", where, message)
    yield from _dangling(entry, record, catalog)
    if isinstance(record, Measurement | Statement):
        yield from _unknown_sizes(entry, record, catalog)


def _shape_findings(entry: Entry, error: ValidationError) -> Iterator[Finding]:
    legal = [info.alias or name for name, info in KINDS[entry.words["kind"]].model_fields.items()]
    for code, where, message, hint in complaints(error):
        guess = did_you_mean(where, legal) if code == "PX101" else hint
        yield entry.finding("PX203", where, message, guess, at_key=code == "PX101")


def _dangling(entry: Entry, record: Record, catalog: Catalog) -> Iterator[Finding]:
    for where, named, model in references(record):
        kind = next(k for k, m in KINDS.items() if m is model)
        if named not in catalog:
            yield entry.finding(
                "PX202", where, f"no record {quoted(named)} of kind {kind}", did_you_mean(named, catalog.ids(kind))
            )
        elif catalog.raw[_own_id(catalog, named)]["kind"] != kind:
            yield entry.finding(
                "PX202", where, f"{named} is no record of kind {kind}", did_you_mean(named, catalog.ids(kind))
            )


def _unknown_sizes(entry: Entry, record: Measurement | Statement, catalog: Catalog) -> Iterator[Finding]:
    """Modules of a size that their design does not have: no plan could ever be compared with them."""
    if record.system is None or record.system.design not in catalog:
        return
    design = catalog.record(record.system.design).id
    known = [s.size for s in catalog.all(ModuleSize) if s.design in catalog and catalog.record(s.design).id == design]
    for index, module in enumerate(record.system.storage_modules):
        if module.size not in known:
            message = f"{record.system.design} has no storage module of size {quoted(module.size)}"
            yield entry.finding(
                "PX202", f"system.storage_modules[{index}].size", message, did_you_mean(module.size, known)
            )


def _own_id(catalog: Catalog, record_id: str) -> str:
    return record_id if record_id in catalog.raw else catalog.record(record_id).id
