"""A figure and everything it rests on, down to the catalog: as a tree of plain values, and that tree as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure, Source
from pixsize.report import labels, plan_words
from pixsize.report.safe import clean, wrap

SCHEMA = "pixsize.explain/1"
_BAR, _FORK, _LAST = "\u2502", "\u251c\u2500", "\u2514\u2500"
_ABOUT = frozenset(("id", "kind", "title", "sources", "note", "readings", "replaces"))


def document(ids: Iterable[str], figures: Mapping[str, Figure], catalog: Catalog) -> dict[str, Any]:
    """The trees of the figures named. A tree that stood before is given by its id and `repeated` alone."""
    seen: set[str] = set()
    return {"schema": SCHEMA, "figures": [_tree(i, figures, catalog, seen) for i in ids]}


def _tree(node_id: str, figures: Mapping[str, Figure], catalog: Catalog, seen: set[str]) -> dict[str, Any]:
    if node_id in seen:
        return {"id": node_id, "repeated": True}
    seen.add(node_id)
    if node_id not in figures:
        return _record(node_id, catalog)
    figure = figures[node_id]
    words = plan_words.figure(figure, catalog)
    inputs = [_tree(i, figures, catalog, seen) for i in figure.inputs]
    return {"id": node_id, **words, "inputs": inputs}


def _record(record_id: str, catalog: Catalog) -> dict[str, Any]:
    """A catalog record as a leaf: what it says, and where that was read."""
    record = catalog.record(record_id)
    raw = catalog.raw[record.id]
    words: dict[str, Any] = {"id": record_id, "kind": raw["kind"], "title": record.title}
    says = {str(k): v for k, v in raw.items() if k not in _ABOUT and isinstance(v, str | int | float | bool)}
    words |= {"says": says} if says else {}
    words |= {"readings": [_titled(r, catalog) for r in raw["readings"]]} if "readings" in raw else {}
    words |= {"conditions": raw["conditions"]} if raw.get("conditions") else {}
    words["sources"] = [plan_words.source(s, catalog) for s in record.cited()]
    return words | ({"note": record.note} if record.note else {})


def _titled(reading: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """A reading of a measurement with its document's title beside the id, as everywhere."""
    named = plan_words.source(Source(reading["document"], reading["place"]), catalog)
    return {"used": True, **reading, **named}


def text(document_words: Mapping[str, Any], columns: int = 80) -> str:
    """The trees as text: what is, how it was made, where it was read, and below it what it was made from."""
    trees = ("\n".join(_figure_text(f, columns)) for f in document_words["figures"])
    return "\n\n".join(trees) + "\n"


def _figure_text(root: Mapping[str, Any], columns: int) -> Iterator[str]:
    yield from (clean(_head(root)),)
    yield from _body(root, "", columns)


def _head(node: Mapping[str, Any]) -> str:
    """A node's own line."""
    if node.get("repeated"):
        return f"{node['id']} (above)"
    if "kind" in node:
        return f"{node['id']}: {node['title']}"
    return f"{node['id']} = {_value(node['value'], node['unit'])}"


def _value(value: int, unit: str) -> str:
    return labels.both(value) if unit == "B" else units.show(value, unit)


def _body(node: Mapping[str, Any], lead: str, columns: int) -> Iterator[str]:
    """Everything below a node's own line; `lead` is the tree's lines to the left of it."""
    below: Sequence[Mapping[str, Any]] = node.get("inputs", ())
    bar = f"{_BAR} " if below else "  "
    for line in _says(node):
        first, *rest = wrap(clean(line), max(columns - len(lead) - 4, 30))
        yield f"{lead}{bar}{first}"
        yield from (f"{lead}{bar}  {r}" for r in rest)
    for number, child in enumerate(below):
        last = number == len(below) - 1
        first, *rest = wrap(clean(_head(child)), max(columns - len(lead) - 5, 30))
        yield f"{lead}{_LAST if last else _FORK} {first}"
        deeper = lead + ("   " if last else _BAR + "  ")
        yield from (f"{deeper}  {r}" for r in rest)
        yield from _body(child, deeper, columns)


def _says(node: Mapping[str, Any]) -> Iterator[str]:
    if node.get("repeated"):
        return
    if "kind" in node:
        yield from _record_says(node)
    else:
        yield from _figure_says(node)
    yield from (f"source: {s['document']}, {s['place']}" for s in node["sources"])


def _figure_says(node: Mapping[str, Any]) -> Iterator[str]:
    if node["low"] != node["high"]:
        yield f"range: {_value(node['low'], node['unit'])} to {_value(node['high'], node['unit'])}"
    yield f"basis: {node['basis']}"
    if "limited_by" in node:
        yield f"limited by: {node['limited_by']}"
    yield f"rule: {node['rule']}"
    for r in node.get("readings", ()):
        yield _reading(r["text"], r["source"]["document"], r["source"]["place"], r["used"], r["why"])


def _reading(text: str, document_title: str, place: str, used: bool, why: str) -> str:
    said = f"reading, {'used' if used else 'not used'}: {text} ({document_title}, {place})"
    return f"{said}: {why}" if why else said


def _record_says(node: Mapping[str, Any]) -> Iterator[str]:
    says = ", ".join(f"{word} {_plain(value)}" for word, value in node.get("says", {}).items())
    yield f"{node['kind']}: {says}" if says else node["kind"]
    for r in node.get("readings", ()):
        yield _reading(r["value"], r["document"], r["place"], r["used"], r.get("why", ""))
    if "conditions" in node:
        yield "conditions: " + "; ".join(f"{k} {_plain(v)}" for k, v in node["conditions"].items())
    if "note" in node:
        yield f"note: {node['note']}"


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
