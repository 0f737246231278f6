"""A figure and its inputs, down to the records of the catalog: as a tree of plain values, and that tree as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import STEPS
from pixsize.figures import Figure, Source
from pixsize.report import labels, plan_json
from pixsize.report.document import Column, Line, Table
from pixsize.report.doubts import readings_below
from pixsize.report.overview import HEADLINES
from pixsize.report.printable import clean, wrap
from pixsize.report.text import table
from pixsize.texts import plural

SCHEMA = "pixsize.explain/1"
LIST_SCHEMA = "pixsize.figures/1"
_BAR, _FORK, _LAST = "\u2502", "\u251c\u2500", "\u2514\u2500"
_LEAST = 30
"""Columns that the text of a deep tree keeps, even where its lines then run past the terminal."""
_ABOUT = frozenset(
    ("id", "kind", "title", "sources", "documented", "note", "readings", "doubts", "conditions", "replaces")
)
"""What a leaf has said elsewhere; all other words of a record it says as they stand, however deep they are nested."""


_IN_WORDS: Mapping[str, str] = {
    "exact": "It is counted: arithmetic on the parts of the plan, with no range.",
    "measured": "This very configuration was benchmarked.",
    "specified": "A vendor's document states it; nobody measured it here.",
    "extrapolated": "It is worked out from a benchmark of a similar system.",
    "estimated": "It rests on judgement as well as on benchmarks; no document states it.",
}
"""How a figure is known, for a customer."""
_JUDGED_PARTS = (
    "It is worked out from the parts of the plan; no document states all that it needs, and the rest is judged."
)
"""The same of a figure that no benchmark measures, such as the height of the system."""
_CACHED = " The rate may come from a cache: another test gave {other}."
"""What is added where another test gave far less."""


def short(figure: Figure, catalog: Catalog) -> tuple[str, ...]:
    """Five lines at the most for a customer: what it is, how it is known, its limit, its range and its source."""
    lines = [f"{labels.label(figure.id)}: {units.show(figure.value, figure.unit)}"]
    if figure.low < figure.high:
        lines[0] = f"{labels.label(figure.id)}: about {labels.value(figure)}; plan with {_low(figure)}"
        holds = labels.span(figure)
        begin = "Nine of ten such systems would measure" if _is_rate(figure) else "The range is"
        lines.append(f"{begin} {holds}.")
    judged = figure.basis == "estimated" and not _is_rate(figure)
    below = "".join(_CACHED.format(other=other.value) for other in readings_below(figure, catalog)[:1])
    lines.insert(1, f"{_JUDGED_PARTS if judged else _IN_WORDS[figure.basis]}{below}")
    if figure.limited_by:
        lines.append(f"What sets it: {figure.limited_by}.")
    if figure.sources:
        first = plan_json.source(figure.sources[0], catalog)
        more = len(figure.sources) - 1
        lines.append(f"Source: {first['document']}, {first['place']}{f' and {more} more' if more else ''}.")
    return tuple(clean(line) for line in lines)


def short_lines(figures: Iterable[Sequence[str]], columns: int) -> Iterator[Line]:
    """The short lines of figures as lines of text: the first of each figure stands out, blank lines between figures."""
    for number, (head, *rest) in enumerate(figures):
        yield from ([[]] if number else [])
        yield from ([("title", part)] for part in wrap(head, columns))
        yield from ([("", f"  {part}")] for line in rest for part in wrap(line, columns - 2))


def _is_rate(figure: Figure) -> bool:
    return figure.unit in ("B/s", "op/s")


def _low(figure: Figure) -> str:
    return units.rough(figure.low, figure.unit, 2 if _is_rate(figure) else 3, "down")


def document(ids: Iterable[str], figures: Mapping[str, Figure], catalog: Catalog) -> dict[str, Any]:
    """The trees of the named figures. A tree that an earlier one contains already is given as its id and `repeated`."""
    shown: set[str] = set()
    return {"schema": SCHEMA, "figures": [_tree(i, figures, catalog, shown) for i in ids]}


def _tree(node_id: str, figures: Mapping[str, Figure], catalog: Catalog, shown: set[str]) -> dict[str, Any]:
    if node_id in shown:
        return {"id": node_id, "repeated": True}
    shown.add(node_id)
    if node_id not in figures:
        return _record(node_id, catalog)
    figure = figures[node_id]
    values = plan_json.figure(figure, catalog)
    inputs = [_tree(i, figures, catalog, shown) for i in figure.inputs]
    return {"id": node_id, **values, "inputs": inputs}


def _record(record_id: str, catalog: Catalog) -> dict[str, Any]:
    """A catalog record as a leaf: its words, and the places in documents that it cites."""
    record = catalog.record(record_id)
    raw = catalog.raw[record.id]
    leaf: dict[str, Any] = {"id": record_id, "kind": raw["kind"], "title": record.title}
    says = {str(k): v for k, v in raw.items() if k not in _ABOUT}
    leaf |= {"says": says} if says else {}
    leaf |= {"readings": [{"used": True} | _titled(r, catalog) for r in raw["readings"]]} if "readings" in raw else {}
    leaf |= {"doubts": [_titled(d, catalog) for d in raw["doubts"]]} if raw.get("doubts") else {}
    leaf |= {"conditions": raw["conditions"]} if raw.get("conditions") else {}
    leaf["sources"] = [plan_json.source(s, catalog) for s in record.citations()]
    return leaf | ({"note": record.note} if record.note else {})


def _titled(reading: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """A reading of a measurement, or a doubt about it, with the title of its document beside the id."""
    return {**reading, **plan_json.source(Source(reading["document"], reading["place"]), catalog)}


def listed(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Every figure with its value, and without its sources."""
    rows = [
        {"id": i, "value": f.value, "low": f.low, "high": f.high, "unit": f.unit, "basis": f.basis}
        for i, f in figures.items()
    ]
    return {"schema": LIST_SCHEMA, "figures": rows}


def listed_lines(listing: Mapping[str, Any], columns: int = 80) -> Iterator[Line]:
    """The figures as a table of one line each."""
    rows = tuple((f["id"], units.show(f["value"], f["unit"]), f["basis"]) for f in listing["figures"])
    return table(Table((Column("figure"), Column("value", "right"), Column("basis", style="basis")), rows), columns)


def meant(given: str, ids: Iterable[str]) -> tuple[str, ...]:
    """The ids meant by the beginning of several ids, such as `throughput`: those in the first lines of a report.

    Where none of these begins so, the first id that does; none where no id does.
    """
    begun = [i for i in ids if i.startswith(f"{given.rstrip('.')}.")]
    return tuple(i for i in HEADLINES if i in begun) or tuple(begun[:1])


def lines(trees: Mapping[str, Any], columns: int = 80) -> Iterator[Line]:
    """The trees as text: the value, the rule, the places in documents, and below them the inputs.

    Styles: `name` for the own line of a node, `dim` for the lines of the tree.
    """
    for number, root in enumerate(trees["figures"]):
        if number:
            yield []
        yield [("name", clean(_head(root)))]
        yield from _body(root, "", columns)


def _head(node: Mapping[str, Any]) -> str:
    """A node's own line."""
    if node.get("repeated"):
        return f"{node['id']} (above)"
    if "kind" in node:
        return f"{node['id']}: {node['title']}"
    value, unit = node["value"], node["unit"]
    return f"{node['id']} = {units.both_bytes(value) if unit == 'B' else units.show(value, unit)}"


def _body(node: Mapping[str, Any], left: str, columns: int) -> Iterator[Line]:
    """Everything below a node's own line; `left` is the tree's lines to the left of it."""
    below: Sequence[Mapping[str, Any]] = node.get("inputs", ())
    bar = left + (f"{_BAR} " if below else "  ")
    for word, content in _says(node):
        yield from _hanging("", f"{word}: {content}", bar, bar + "  ", columns)
    for number, child in enumerate(below):
        last = number == len(below) - 1
        deeper = left + ("   " if last else f"{_BAR}  ")
        yield from _hanging("name", _head(child), f"{left}{_LAST if last else _FORK} ", deeper + "  ", columns)
        yield from _body(child, deeper, columns)


def _hanging(style: str, text: str, left: str, rest_left: str, columns: int) -> Iterator[Line]:
    first, *rest = wrap(clean(text), max(columns - len(rest_left), _LEAST))
    yield [("dim", left), (style, first)]
    yield from ([("dim", rest_left), (style, line)] for line in rest)


def _says(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The lines of text of a node, each with the word before it."""
    if node.get("repeated"):
        return
    yield from _record_says(node) if "kind" in node else _figure_says(node)
    places: dict[str, list[str]] = {}
    for source in node["sources"]:
        places.setdefault(source["document"], []).append(source["place"])
    yield from (("source", f"{document_title}, {'; '.join(some)}") for document_title, some in places.items())


def _figure_says(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if node["low"] != node["high"]:
        yield "range", labels.bounds(node["low"], node["high"], node["unit"])
    yield "basis", node["basis"]
    if "limited_by" in node:
        yield "limited by", node["limited_by"]
    yield "rule", node["rule"]
    for r in node.get("readings", ()):
        yield _reading(r["text"], r["source"]["document"], r["source"]["place"], r["used"], r["why"])


def _reading(text: str, document_title: str, place: str, used: bool, why: str) -> tuple[str, str]:
    """The reading that the value is, or another one: a misprint, or an end of the range, as `why` says."""
    sentence = f"{text} ({document_title}, {place})"
    return "reading" if used else "another reading", f"{sentence}: {why}" if why else sentence


def _record_says(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    says = node.get("says", {})
    if node["kind"] == "spread":
        yield from _spread_says(says)
        return
    plain = ", ".join(f"{word} {_plain(value)}" for word, value in says.items() if not _nested(value))
    yield node["kind"], plain or node["title"]
    yield from ((word, compact(value)) for word, value in says.items() if _nested(value))
    for r in node.get("readings", ()):
        yield _reading(r["value"], r["document"], r["place"], r["used"], r.get("why", ""))
    yield from (("doubt", f"{d['document']}, {d['place']}: {d['why']}") for d in node.get("doubts", ()))
    if "conditions" in node:
        yield "conditions", "; ".join(f"{k} {_plain(v)}" for k, v in node["conditions"].items())
    if "note" in node:
        yield "note", node["note"]


def _spread_says(says: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a spread is, and each of its ratios with what differs and where it was learned."""
    yield "spread", "nine of ten measurements lie between the prediction divided by the ratio and multiplied by it"
    for step, ratio in says["ratios"].items():
        pairs = says["pairs"].get(step, 0)
        learned = (
            f"learned from {plural(pairs, 'pair')} of measurements"
            if pairs
            else "borrowed, since no pair of measurements shows it"
        )
        yield STEPS[step], f"ratio {ratio}, {learned}"


def _nested(value: object) -> bool:
    """Whether a word of a record has words or items of its own."""
    return isinstance(value, Mapping | list | tuple)


def compact(value: object) -> str:
    """A nested word of a record in one line: `inode 512 B; journal (above 1 GiB, share 4 %)`.

    Deeper levels stand in brackets; the items of a list stand one after the other.
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{word} {_inner(deeper)}" for word, deeper in value.items()) or "none"
    if isinstance(value, list | tuple) and len(value) == 1:
        return compact(value[0])
    return _items(value)


def _inner(value: object) -> str:
    """A deeper level: in brackets where it has words or items of its own."""
    if isinstance(value, Mapping):
        return f"({', '.join(f'{word} {_inner(deeper)}' for word, deeper in value.items()) or 'none'})"
    if isinstance(value, list | tuple):
        bracketed = bool(value) and all(isinstance(v, Mapping) for v in value)
        return _items(value) if bracketed else f"({_items(value)})"
    return _plain(value)


def _items(value: object) -> str:
    """The items of a list, between commas where blanks would not tell them apart."""
    if not isinstance(value, list | tuple):
        return _plain(value)
    items = [_inner(v) for v in value]
    between = ", " if any(" " in i and not isinstance(v, Mapping) for i, v in zip(items, value, strict=True)) else " "
    return between.join(items) or "none"


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
