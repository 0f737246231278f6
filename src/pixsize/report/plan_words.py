"""A plan, its figures and findings as plain values in the words of `pixsize.plan/1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure, Reading, Source
from pixsize.findings import Finding
from pixsize.plan.records import Array, DiskGroup, Filesystem, Module, Own, Plan, Pool, Server, Target, Volume
from pixsize.report.choices import choices
from pixsize.report.facts import Facts
from pixsize.report.findings import as_words

SCHEMA = "pixsize.plan/1"


def document(facts: Facts) -> dict[str, Any]:
    """Everything that is known of a plan, JSON-able, in a fixed order."""
    plan, catalog = facts.plan, facts.catalog
    return {
        "schema": SCHEMA,
        "name": plan.name,
        "design": plan.design,
        "variant": plan.variant,
        "request": facts.words,
        "defaults": list(facts.defaults),
        "choices": [{"what": c.what, "value": c.value, "why": c.why} for c in choices(plan, facts.terms)],
        "figures": {i: figure(f, catalog) for i, f in facts.figures.items()},
        **_parts(plan, catalog),
        "findings": _findings(facts.findings),
    }


def _findings(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [as_words(f) for f in findings]


def figure(f: Figure, catalog: Catalog) -> dict[str, Any]:
    """A figure; what does not apply to it is left out."""
    words: dict[str, Any] = {
        "value": f.value,
        "low": f.low,
        "high": f.high,
        "unit": f.unit,
        "basis": f.basis,
        "rule": f.rule,
        "sources": [source(s, catalog) for s in f.sources],
        "inputs": list(f.inputs),
    }
    if f.limited_by is not None:
        words["limited_by"] = f.limited_by
    if f.readings:
        words["readings"] = [reading(r, catalog) for r in f.readings]
    return words


def source(s: Source, catalog: Catalog) -> dict[str, str]:
    """A place in a document: the document's title and catalog id, and where in it."""
    title = catalog.record(s.document).title if s.document in catalog else s.document
    return {"document": title, "id": s.document, "place": s.place}


def reading(r: Reading, catalog: Catalog) -> dict[str, Any]:
    """One of several values that documents print."""
    return {"value": r.value, "text": r.text, "source": source(r.source, catalog), "used": r.used, "why": r.why}


def _parts(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    titles = _Titles(catalog)
    pools = {"pools": [_pool(p) for p in plan.pools]} if plan.pools else {}
    return {
        "filesystem": _filesystem(plan.filesystem),
        "modules": [_module(m) for m in plan.modules],
        "servers": [_server(s, titles) for s in plan.servers],
        "arrays": [_array(a, titles) for a in plan.arrays],
        "switches": [{"id": s.id, "role": s.role, "model": titles[s.model]} for s in plan.switches],
        "disk_groups": [_group(g) for g in plan.disk_groups],
        "spares": [
            {"array": s.array, "enclosure": s.enclosure, "slots": list(s.slots), "drive": s.drive} for s in plan.spares
        ],
        **pools,
        "volumes": [_volume(v) for v in plan.volumes],
        "targets": [_target(t) for t in plan.targets],
    }


def _filesystem(fs: Filesystem) -> dict[str, Any]:
    """The settings of the file system; what does not apply to it is left out."""
    return {word: held for word, held in _words(fs).items() if held not in (None, "", [])}


def _pool(p: Pool) -> dict[str, Any]:
    held = p._asdict()
    del held["interface"], held["takeover"]  # the file system's own words have them
    return {word: list(value) if isinstance(value, tuple) else value for word, value in held.items()}


class _Titles(dict[str, str]):
    """Titles of catalog records, each looked up once."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self._catalog = catalog

    def __missing__(self, record_id: str) -> str:
        self[record_id] = self._catalog.record(record_id).title
        return self[record_id]


def _module(m: Module) -> dict[str, Any]:
    words: dict[str, Any] = {
        "id": m.id,
        "role": m.role,
        "size": m.size,
        "expansion": m.expansion,
        "drive": m.drive,
        "servers": list(m.servers),
        "arrays": list(m.arrays),
        "chunk_bytes": m.chunk_bytes,
    }
    return words if m.metadata_drive is None else {**words, "metadata_drive": m.metadata_drive}


def _server(s: Server, titles: Mapping[str, str]) -> dict[str, Any]:
    words: dict[str, Any] = {"id": s.id, "role": s.role, "model": titles[s.model]}
    if s.module is not None:
        words["module"] = s.module
    if s.adapters:
        words["adapters"] = [{"model": titles[a], "count": n} for a, n in s.adapters]
    more: dict[str, Any] = {"storage_ips": list(s.storage_ips), **_own(s.own)}
    if s.drives:
        more["drives"] = {"drive": s.drives[0], "count": s.drives[1]}
    return {**words, **{word: held for word, held in more.items() if held}}


def _array(a: Array, titles: Mapping[str, str]) -> dict[str, Any]:
    inside = [{"index": e.index, "model": titles[e.model], "layout": e.layout} for e in a.enclosures]
    return {"id": a.id, "role": a.role, "model": titles[a.model], "module": a.module, "enclosures": inside}


def _group(g: DiskGroup) -> dict[str, Any]:
    words = {
        "id": g.id,
        "array": g.array,
        "enclosure": g.enclosure,
        "slots": list(g.slots),
        "level": g.level,
        "owner": g.owner,
        "purpose": g.purpose,
        "drive": g.drive,
        "bytes": g.bytes,
    }
    if g.chunk_bytes is not None:
        words["chunk_bytes"] = g.chunk_bytes
    if g.reported_bytes is not None:
        words["reported_bytes"] = g.reported_bytes
    return words


def _volume(v: Volume) -> dict[str, Any]:
    skip = (None, "") if v.array else (None, "", 0)
    return {word: held for word, held in v._asdict().items() if held not in skip}


def _target(t: Target) -> dict[str, Any]:
    words: dict[str, Any] = {
        "id": t.id,
        "kind": t.kind,
        "volume": t.volume,
        "device": t.device,
        "servers": list(t.servers),
        "purpose": t.purpose,
    }
    return {**words, **_own(t.own)}


def _own(own: Own | None) -> dict[str, Any]:
    """What a product has of a part; what does not apply to it is left out."""
    held = {} if own is None else _words(own)
    return {word: value for word, value in held.items() if value is not False and value not in (None, "", [])}


def _words(own: Own) -> dict[str, Any]:
    """The fields of a product's record, with those of the records in it."""
    held = own._asdict()
    return {
        word: _words(value) if hasattr(value, "_asdict") else list(value) if isinstance(value, tuple) else value
        for word, value in held.items()
    }
