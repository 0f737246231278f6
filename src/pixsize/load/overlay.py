"""Records of a user's folder laid over the shipped ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design, ModuleSize, PoolDesign
from pixsize.catalog.kinds import KINDS, kinds_of
from pixsize.catalog.measurements import MeasuredSystem, Measurement, StatedSystem, Statement
from pixsize.catalog.records import Choice, Constant, Document, Drive, Limit, Record
from pixsize.findings import Finding, has_errors
from pixsize.load import overlay_checks, record_checks
from pixsize.load.catalog_loader import Shipped
from pixsize.load.files import MIB, read_bytes
from pixsize.load.model_words import complaints, model_of, words_of
from pixsize.load.partial_request import did_you_mean, named
from pixsize.load.positions import quoted
from pixsize.load.record_checks import references
from pixsize.load.record_files import MOST_BYTES, Entry, entries_of, overlay_files, too_large
from pixsize.load.request_loader import shape_of
from pixsize.load.yaml_reader import parse_bytes
from pixsize.product import PRODUCTS, RequestShape, volumes_of

_MOST_FINDINGS = 100
"""Of an overlay: one mistake that stands in every record should not fill the screen."""
_MOST_RECORDS = 2000
"""Of an overlay: six times the shipped records. More would take seconds to validate."""


def lay_over(shipped: Shipped, folder: Path) -> tuple[Catalog, tuple[Finding, ...]]:
    """The catalog of shipped and overlay records, and everything that is wrong with the latter.

    What records say of each other is judged when each is right by itself: nothing asks a broken one.
    """
    entries, findings = _read(folder)
    kept, found = _take(shipped, entries)
    findings += found
    catalog = _merge(shipped, kept)
    for entry in kept:
        if len(findings) > _MOST_FINDINGS:
            break
        findings += islice(_judge(entry, catalog, shipped), _MOST_FINDINGS + 1)
    if not has_errors(findings):
        findings += islice(_judge_together(kept, catalog), _MOST_FINDINGS + 1)
    return catalog, _capped(findings)


def _read(folder: Path) -> tuple[list[Entry], list[Finding]]:
    """The records of all files, and what is wrong with these; PX207 where they are more than a catalog has."""
    paths, findings = overlay_files(folder)
    entries: list[Entry] = []
    together = 0
    for path in paths:
        data = read_bytes(path, str(path))
        if isinstance(data, Finding):
            findings.append(data)
            continue
        together += len(data)
        if together > MOST_BYTES:
            findings.append(too_large(str(path), f"up to this file, more than {MOST_BYTES // MIB} MiB together"))
            break
        read, found = entries_of(parse_bytes(data, str(path), "records"))
        entries += read
        findings += found
        if len(entries) > _MOST_RECORDS:
            findings.append(too_large(str(path), f"up to this file, more than {_MOST_RECORDS:,} records"))
            break
        if len(findings) > _MOST_FINDINGS:
            break
    return entries[:_MOST_RECORDS], findings


def _judge_together(kept: list[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with records beside those that they name."""
    for entry in kept:
        record = catalog.record(entry.id)
        if isinstance(record, Measurement | Statement) and record.system:
            yield from _of_system(entry, record.system, catalog)
        if isinstance(record, Measurement) and record.doubles:
            other = catalog.get(Measurement, record.doubles)
            if other.figure != record.figure:
                yield entry.finding("PX203", "doubles", f"{other.id} measures {other.figure}, which is another figure")
        if isinstance(record, Design):
            yield from _of_design(entry, record, catalog)
    yield from overlay_checks.together(kept, catalog)


def _capped(findings: list[Finding]) -> tuple[Finding, ...]:
    if len(findings) <= _MOST_FINDINGS:
        return tuple(findings)
    last = findings[_MOST_FINDINGS - 1]
    message = f"{last.message} (more is wrong; these come first)"
    return (*findings[: _MOST_FINDINGS - 1], Finding(last.code, message, last.where, last.hint, last.position))


def _take(shipped: Shipped, entries: list[Entry]) -> tuple[list[Entry], list[Finding]]:
    """The entries that may stand in the catalog, and the reasons of the others."""
    kept: list[Entry] = []
    findings: list[Finding] = []
    ids: dict[str, Entry] = {}
    replaced: dict[str, Entry] = {}
    for entry in entries:
        problem = _target_problem(entry, shipped, replaced) or _id_problem(entry, shipped, ids)
        if problem is not None:
            findings.append(problem)
            if len(findings) > _MOST_FINDINGS:
                break
            continue
        kept.append(entry)
        ids[entry.id] = entry
        if entry.replaces:
            replaced[entry.replaces] = entry
    return kept, findings


def _target_problem(entry: Entry, shipped: Shipped, replaced: dict[str, Entry]) -> Finding | None:
    target = entry.replaces
    if not target:
        return None
    if target not in shipped.raw:
        return entry.finding(
            "PX202", "replaces", f"no shipped record {quoted(target)} to replace", did_you_mean(target, shipped.raw)
        )
    if target in replaced:
        other = replaced[target].position()
        return entry.finding("PX201", "replaces", f"{other.file}:{other.line} replaces {target} too")
    kind = shipped.raw[target]["kind"]
    if kind != entry.words["kind"]:
        return entry.finding("PX203", "kind", f"a {entry.words['kind']} cannot replace a {kind}")
    return None


def _id_problem(entry: Entry, shipped: Shipped, ids: dict[str, Entry]) -> Finding | None:
    if entry.id in ids:
        other = ids[entry.id].position()
        return entry.finding(
            "PX201", "id", f"the id stands in {other.file}:{other.line} too", "Give one of them another id."
        )
    if entry.id in shipped.raw and entry.id != entry.replaces:
        file, line, _ = shipped.places[entry.id]
        message = f"the id stands in the shipped {file}:{line} too"
        return entry.finding("PX201", "id", message, f"To replace that record, add: replaces: {entry.id}")
    return None


def _merge(shipped: Shipped, kept: list[Entry]) -> Catalog:
    raw: dict[str, dict[str, Any]] = dict(shipped.raw)
    aliases: dict[str, str] = {}
    replaced: dict[str, dict[str, Any]] = {}
    for entry in kept:
        if raw.pop(entry.replaces, None) is not None:
            replaced[entry.replaces] = shipped.raw[entry.replaces]
        if entry.replaces and entry.replaces != entry.id:
            aliases[entry.replaces] = entry.id
    overlaid = {entry.id: entry.words for entry in kept}
    return Catalog(raw | overlaid, aliases, replaced=replaced, overlaid=frozenset(overlaid), shipped=shipped.catalog)


def _judge(entry: Entry, catalog: Catalog, shipped: Shipped) -> Iterator[Finding]:
    try:
        record = catalog.record(entry.id)
    except ValidationError as error:
        yield from _shape_findings(entry, error)
        return
    problems = [*record_checks.trouble(record), *record_checks.bad_texts(entry.words)]
    if isinstance(record, Limit | Choice) and not problems:
        problems += overlay_checks.of_bound(entry, shipped.raw.get(entry.replaces))
    if isinstance(record, Constant):
        problems += overlay_checks.of_share(entry, record, shipped.raw.get(entry.replaces))
    for where, message in problems:
        yield entry.finding("PX203", where, message)
    if record.id_means and entry.replaces not in ("", entry.id):
        message = f"{record.id_means}: no other stands for {entry.replaces}"
        yield entry.finding("PX203", "id", message, f"id: {entry.replaces}, or a record of its own, without replaces")
    if not (record.sources or isinstance(record, Document)):
        message = "a record names at least one source, so that every figure can be traced"
        yield entry.finding("PX203", "sources", message, "sources: [{document: pixsize, place: who says so}]")
    yield from _dangling(entry, record, catalog)


def _shape_findings(entry: Entry, error: ValidationError) -> Iterator[Finding]:
    legal = [info.alias or name for name, info in KINDS[entry.words["kind"]].model_fields.items()]
    for code, where, message, hint in islice(complaints(error), _MOST_FINDINGS + 1):
        guess = did_you_mean(where, legal) if code == "PX101" else hint
        yield entry.finding("PX203", where, message, guess, at_key=code == "PX101")


def _dangling(entry: Entry, record: Record, catalog: Catalog) -> Iterator[Finding]:
    for where, wanted, kinds in references(record):
        kind = " or ".join(kinds)
        known = [i for k in kinds for i in catalog.ids(k)]
        if wanted not in catalog:
            message = f"no record {quoted(wanted)} of kind {kind}"
            yield entry.finding("PX202", where, message, did_you_mean(wanted, known))
        elif catalog.raw[catalog.id_of(wanted)]["kind"] not in kinds:
            message = f"{wanted} is no record of kind {kind}"
            yield entry.finding("PX202", where, message, did_you_mean(wanted, known))


def _of_system(entry: Entry, system: MeasuredSystem | StatedSystem, catalog: Catalog) -> Iterator[Finding]:
    """A design on other volumes, or modules of a size that it does not have: no plan could be compared with them."""
    design_type = ArrayDesign if system.servers is None else PoolDesign
    design = catalog.get(Design, system.design)
    if not isinstance(design, design_type):
        (kind,) = kinds_of(design_type)
        message = f"{system.design} is no record of kind {kind}"
        yield entry.finding("PX202", "system.design", message, did_you_mean(system.design, catalog.ids(kind)))
        return
    known = [s.size for s in catalog.of_design(ModuleSize, design.id)]
    for index, module in enumerate(system.storage_modules):
        if module.size not in known:
            message = f"{system.design} has no storage module of size {quoted(module.size)}"
            yield entry.finding(
                "PX202", f"system.storage_modules[{index}].size", message, did_you_mean(module.size, known)
            )


_STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)
"""As the models of requests are: a default is judged exactly as the same value in a request would be."""


def _of_design(entry: Entry, design: Design, catalog: Catalog) -> Iterator[Finding]:
    """PX205 where the file system has no request for these volumes, PX206 for defaults that no request can take."""
    shape = shape_of(design)
    if shape is None:
        yield _unknown_pair(entry, design)
        return
    design_type = volumes_of(design).design
    if not isinstance(design, design_type):
        kind = kinds_of(design_type)[0]
        message = f"{design.filesystem} on {design.volumes} is a design of the kind {kind}"
        yield entry.finding("PX205", "kind", message, f"kind: {kind}, with its words")
        return
    for pattern, value in design.defaults.items():
        yield from _of_default(entry, shape, pattern, value, catalog)


def _unknown_pair(entry: Entry, design: Design) -> Finding:
    pairs = [
        (filesystem.name, volumes.name)
        for filesystem in PRODUCTS.values()
        for volumes in PRODUCTS.values()
        if filesystem.filesystem and volumes.gives in filesystem.filesystem.requests
    ]
    known = [f"{filesystem} on {volumes}" for filesystem, volumes in pairs]
    here = f"{design.filesystem[:40]} on {design.volumes[:40]}"
    message = f"pixsize plans no file system {quoted(design.filesystem)} on volumes {quoted(design.volumes)}"
    named_first = "filesystem" if all(design.filesystem != f for f, _ in pairs) else "volumes"
    return entry.finding("PX205", named_first, f"{message}; it plans {named(known)}", did_you_mean(here, known))


def _of_default(entry: Entry, shape: RequestShape, pattern: str, value: object, catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with one default: its word, the kind of its value, or the drive that it names."""
    where = f"defaults[{quoted(pattern)}]"
    field = _field(shape.model, pattern)
    if field is None:
        message = f"requests of this design have no word {quoted(pattern)} that takes a default"
        yield entry.finding("PX206", where, message, did_you_mean(pattern, _patterns(shape.model)))
        return
    try:
        _adapter(shape.model, pattern).validate_python(value)
    except ValidationError as error:
        for _, _, message, hint in complaints(error):
            yield entry.finding("PX206", where, message, hint)
        return
    if pattern.endswith("drive") and isinstance(value, str) and not _is_drive(value, catalog):
        message = f"{quoted(value)} is neither the capacity of a drive of the catalog nor the id of one"
        yield entry.finding("PX206", where, message)


def _is_drive(value: str, catalog: Catalog) -> bool:
    if value in catalog:
        return isinstance(catalog.record(value), Drive)
    try:
        size = units.parse_whole(value, "capacity")
    except units.UnitError:
        return False
    return any(drive.capacity_bytes == size for drive in catalog.all(Drive))


@lru_cache(maxsize=128)
def _adapter(model: type[BaseModel], pattern: str) -> TypeAdapter[Any]:
    """What judges the value of one word as the model would."""
    field = _field(model, pattern)
    if field is None:
        raise KeyError(pattern)
    judged: Any = field.annotation
    if field.metadata:
        judged = Annotated[(field.annotation, *field.metadata)]
    return TypeAdapter(judged, config=_STRICT)


def _field(model: type[BaseModel], pattern: str) -> FieldInfo | None:
    """The field that a pattern such as `storage_modules[].count` leads to; None for a mapping, and where none is."""
    first, _, rest = pattern.partition(".")
    word, listed = first.removesuffix("[]"), first.endswith("[]")
    found = next((i for name, i in model.model_fields.items() if (i.alias or name) == word), None)
    below = model_of(found.annotation) if found else None
    if not rest:
        return found if below is None and not listed else None
    if found is None or below is None or listed != ("tuple" in str(found.annotation)):
        return None
    return _field(below, rest)


def _patterns(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """The patterns of all words that can have a default."""
    for word, annotation in words_of(model).items():
        below = model_of(annotation)
        if below is None:
            yield prefix + word
        else:
            yield from _patterns(below, f"{prefix}{word}{'[]' if 'tuple' in str(annotation) else ''}.")
