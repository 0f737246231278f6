"""Judges overlay records against the other records: those that they replace, and those that they are used with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design, ModuleSize
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.measurements import Measurement, Statement
from pixsize.catalog.records import Adapter, Constant, Enclosure, Layout, Limit, Switch, Versioned
from pixsize.catalog.tunings import Tuning
from pixsize.findings import Finding
from pixsize.load.partial_request import did_you_mean, named
from pixsize.load.positions import quoted
from pixsize.load.record_checks import references
from pixsize.load.record_files import Entry
from pixsize.product import PRODUCTS, FileSystem
from pixsize.quantities import bound

MOST_COUNT = 1_000_000_000
_MOST_SIZE = 10**18
"""The largest count, and the largest size in bytes, of a limit whose shipped record has no `most`: against slips of
units and digits. No part of a plan comes near them."""
_TAKES = "takes away at least 0 %, and less than 100 %"


def of_bound(entry: Entry, replaced: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a limit or a choice: path and message. The bounds are those of the shipped."""
    word = "value" if "value" in entry.words else "values"
    values = (
        [(word, entry.words[word])]
        if word == "value"
        else [(f"{word}[{n}]", v) for n, v in enumerate(entry.words[word])]
    )
    shipped = replaced or {}
    least, step = bound(shipped.get("least", 1)), bound(shipped.get("multiple_of", 1))
    most = bound(shipped["most"]) if "most" in shipped else None
    before = shipped.get(word)
    model = before[0] if isinstance(before, list) else before
    for where, value in values:
        number, sized = bound(value), isinstance(value, str)
        above = most if most is not None else _MOST_SIZE if sized else MOST_COUNT
        if least == most != number:
            yield where, f"{quoted(value)} is out of range: pixsize knows {least} alone"
        elif number < least and word == "value":
            yield where, f"{quoted(value)} is out of range: at least {least}"
        elif number > above:
            yield where, f"{quoted(value)} is out of range: at most {above:,}"
        elif number % step:
            yield where, f"{quoted(value)} is no multiple of {step:,} B"
        if model is not None and sized != isinstance(model, str):
            wanted = "a size with its unit" if isinstance(model, str) else "a count without a unit"
            yield where, f"{quoted(value)} stands here; {entry.replaces} is {wanted}, {model} as shipped"
    for fixed in ("least", "most", "multiple_of"):
        if replaced and entry.words.get(fixed) not in (None, replaced.get(fixed)):
            yield fixed, f"the bounds of {entry.replaces} are those of the shipped record"


def of_share(entry: Entry, constant: Constant, replaced: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """What is wrong with the shares of a constant in the place of a shipped one: path and message."""
    effect, replaces = (replaced or {}).get("effect"), entry.replaces
    for word, share in (("low", constant.low), ("value", constant.value), ("high", constant.high)):
        percent = f"{float(share * 100):g} %"
        if effect == "takes_away" and not 0 <= share < 1:
            yield word, f"{percent} is out of range: {replaces} {_TAKES}"
        elif effect == "grants" and not 0 < share <= 1:
            yield word, f"{percent} is out of range: {replaces} grants more than 0 %, and at most 100 %"
        elif effect == "weighs" and not 0 <= share <= 1:
            yield word, f"{percent} is out of range: {replaces} is at least 0 %, and at most 100 %"
    if replaced and entry.words.get("effect") not in (None, effect):
        yield "effect", f"the effect of {replaces} is that of the shipped record"


def together(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with valid overlay records beside the others."""
    yield from _sizes(kept, catalog)
    yield from _pairs(kept, catalog)
    yield from _measured(kept, catalog)
    yield from _families(kept, catalog)
    yield from _paired(kept, catalog)
    yield from _fabrics(kept, catalog)
    yield from _layouts(kept, catalog)
    yield from _variants(kept, catalog)
    yield from _conflicts(kept, catalog)
    yield from _surpluses(kept, catalog)
    yield from of_tunings(kept, catalog)
    yield from of_versions(kept, catalog)


def _sizes(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """Two records of one size of one design: which one a request means would depend on their ids."""
    meant: dict[tuple[str, str], str] = {}
    overlaid = {entry.id: entry for entry in kept}
    for size in sorted(catalog.all(ModuleSize), key=lambda s: (s.id in overlaid, s.id)):
        key = (catalog.id_of(size.design), size.size)
        other = meant.setdefault(key, size.id)
        if other != size.id and size.id in overlaid:
            message = f"{other} is the size {quoted(size.size)} of {size.design} too"
            yield overlaid[size.id].finding("PX201", "size", message, f"To replace that record, add: replaces: {other}")


def _pairs(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A smallest above its largest: nothing would ever lie between them. Named once, where both are replaced."""
    done: set[str] = set()
    limits = {*catalog.ids("limit"), *(e.replaces for e in kept if e.words["kind"] == "limit")}
    for entry in kept:
        stem, _, end = entry.replaces.rpartition("_")
        least, most = f"{stem}_min", f"{stem}_max"
        if end not in ("min", "max") or stem in done or not {least, most} <= limits:
            continue
        done.add(stem)
        low, high = catalog.get(Limit, least).value, catalog.get(Limit, most).value
        if low > high:
            values = {i: catalog.raw[catalog.id_of(i)]["value"] for i in (least, most)}
            message = f"{least} is {values[least]} and {most} {values[most]}: nothing lies between them"
            yield entry.finding("PX203", "value", message)


def _filesystem(design: Design) -> FileSystem | None:
    """The file system of a design; None where no product makes it, which is PX205."""
    product = PRODUCTS.get(design.filesystem)
    return product.filesystem if product else None


def _measured(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A system that no plan could ever be compared with, as the file system of its design judges it."""
    for entry in kept:
        record = catalog.record(entry.id)
        if not isinstance(record, Measurement | Statement) or record.system is None:
            continue
        filesystem = _filesystem(catalog.get(Design, record.system.design))
        if filesystem is None:
            continue
        if isinstance(record, Measurement):
            for where, message in filesystem.unmeasurable(record.system, catalog) if record.system else ():
                yield entry.finding("PX203", where, message)
        elif record.system.variant is not None and record.system.variant not in filesystem.terms.variants:
            known = named(filesystem.terms.variants)
            message = f"{quoted(record.system.variant)} is no variant of {record.system.design}: {known}"
            yield entry.finding("PX203", "system.variant", message)


def _families(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """An enclosure is of a family that pixsize plans, and those of a design are of the family of its volumes."""
    overlaid = {entry.id: entry for entry in kept}
    families = [name for name, product in PRODUCTS.items() if product.gives == "arrays"]
    for entry in kept:
        record = catalog.record(entry.id)
        if isinstance(record, Enclosure) and record.family not in families:
            message = f"{quoted(record.family)} is no family of arrays that pixsize plans; it plans {named(families)}"
            yield entry.finding("PX203", "family", message, did_you_mean(record.family, families))
    for design in (d for d in catalog.all(ArrayDesign) if d.volumes in families):
        for where, enclosure in _enclosures(design, catalog):
            if enclosure.family == design.volumes or enclosure.family not in families:
                continue
            message = f"{design.id} has volumes of {design.volumes}, and {enclosure.id} is of {enclosure.family}"
            if design.id in overlaid:
                yield overlaid[design.id].finding("PX203", where, message)
            elif enclosure.id in overlaid:
                yield overlaid[enclosure.id].finding("PX203", "family", message)


def _enclosures(design: ArrayDesign, catalog: Catalog) -> Iterator[tuple[str, Enclosure]]:
    """The enclosures of a design, each with the path of its word."""
    storage = design.storage
    used = (("storage.array", storage.array), ("storage.expansion", storage.expansion))
    for where, name in (*used, ("metadata.array", design.metadata.array)):
        if name:
            yield where, catalog.get(Enclosure, name)


_PAIR = 2
"""Servers of a module, and controllers of an array. Owners of volumes, paths to them and failover count on both."""


def _paired(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A module has two servers, an array two controllers, and an expansion none. Each record is blamed once."""
    overlaid = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for design in catalog.all(ArrayDesign):
        for role, servers in (("storage", design.storage.servers), ("metadata", design.metadata.servers)):
            if servers.count != _PAIR and design.id in overlaid:
                message = f"{servers.count} servers: every module is a pair of servers"
                yield overlaid[design.id].finding("PX203", f"{role}.servers.count", message, f"count: {_PAIR}")
        for where, enclosure in _enclosures(design, catalog):
            expected = 0 if where == "storage.expansion" else _PAIR
            if enclosure.controllers == expected or enclosure.id in done:
                continue
            done.add(enclosure.id)
            use = "an expansion, which has none" if expected == 0 else f"an array, which has {expected}"
            message = f"{enclosure.id} has {enclosure.controllers} controllers, and {design.id} uses it as {use}"
            if enclosure.id in overlaid:
                yield overlaid[enclosure.id].finding("PX203", "controllers", message)
            elif design.id in overlaid:
                yield overlaid[design.id].finding("PX203", where, message)


def _fabrics(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """The first fabric of a design is the one that its servers have adapters for; switch and links go together."""
    overlaid = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for design in catalog.all(Design):
        for where, message, parts in (
            *_first_fabric(design, catalog),
            *_links(design, catalog),
            *_reserved(design, catalog),
        ):
            blamed = next((overlaid[i] for i in (design.id, *parts) if i in overlaid), None)
            if blamed and blamed.id not in done:
                done.add(blamed.id)
                yield blamed.finding("PX203", where if blamed.id == design.id else "", message)


Unfit = tuple[str, str, tuple[str, ...]]
"""The path in a design, what does not go together, and the other records that it is about."""


def _first_fabric(design: Design, catalog: Catalog) -> Iterator[Unfit]:
    """What the first fabric has that is none of the design's own."""
    for fabric in design.fabrics[:1]:
        adapter = fabric.links[0].adapter
        if catalog.id_of(adapter) not in set(_adapters_of(design, catalog)):
            message = f"no server of {design.id} has {adapter}, the full rate of its first fabric"
            yield "fabrics[0].links[0].adapter", message, ()


def _reserved(design: Design, catalog: Catalog) -> Iterator[Unfit]:
    """Switches without a port that is left for a server."""
    fabrics = [fabric.switch for fabric in design.fabrics]
    for place, role in enumerate(design.switches):
        own = catalog.get(Switch, role.model)
        for switch in (own, *(catalog.get(Switch, name) for name in fabrics if own.network != "management")):
            if role.reserved >= switch.ports:
                message = f"{role.reserved} of the {switch.ports} ports of {switch.id} lead to other switches"
                yield f"switches[{place}]", message, (switch.id,)


def _adapters_of(design: Design, catalog: Catalog) -> Iterator[str]:
    """The adapters that a design has, its fabrics apart."""
    for path, name, kinds in references(design):
        if "adapter" in kinds and not path.startswith("fabrics"):
            yield catalog.id_of(name)


def _links(design: Design, catalog: Catalog) -> Iterator[Unfit]:
    """Links that are faster than the full rate, adapters that are none or stand in networks of two kinds."""
    kinds: dict[str, str] = {}
    for place, fabric in enumerate(design.fabrics):
        switch = catalog.get(Switch, fabric.switch)
        if switch.network == "management":
            yield f"fabrics[{place}].switch", f"{switch.id} makes the network of the management", (switch.id,)
        rates = [catalog.get(Adapter, link.adapter) for link in fabric.links]
        for number, card in enumerate(rates):
            where, parts = f"fabrics[{place}].links[{number}]", (card.id, switch.id)
            if card.use != "network":
                yield where, f"{card.id} is no adapter of a network", parts
            elif kinds.setdefault(card.id, switch.network) != switch.network:
                yield where, f"{card.id} is set to {kinds[card.id]}, and {switch.id} makes {switch.network}", parts
            elif card.bytes_per_s * (each := fabric.links[number].links_a_port) > rates[0].bytes_per_s:
                what = f"{card.id} carries" if each == 1 else f"{each} links of {card.id} on a port carry"
                yield where, f"{what} more than {rates[0].id}, the full rate of {fabric.name}", parts


def _layouts(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A layout is of the enclosure that a design uses it for: slot by slot."""
    overlaid = {entry.id: entry for entry in kept}
    for design in catalog.all(ArrayDesign):
        roles = (("storage", design.storage), ("metadata", design.metadata))
        for role, use, variant, name in ((r, u, v, n) for r, u in roles for v, n in u.layouts.items()):
            array = use.array
            layout, enclosure = catalog.get(Layout, name), catalog.get(Enclosure, array)
            if layout.slots == enclosure.slots:
                continue
            used_for = f"{design.id} uses {layout.id} for {enclosure.id}, which has {enclosure.slots}"
            message = f"{layout.slots} slots, while {used_for}"
            if layout.id in overlaid:
                yield overlaid[layout.id].finding("PX203", "slots", message)
            elif enclosure.id in overlaid:
                yield overlaid[enclosure.id].finding("PX203", "slots", message)
            elif design.id in overlaid:
                yield overlaid[design.id].finding("PX203", f"{role}.layouts.{variant}", message)


def _variants(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A design has a layout for each variant that a request of its file system can ask for."""
    for entry in kept:
        design = catalog.record(entry.id)
        if not isinstance(design, ArrayDesign):
            continue
        filesystem = _filesystem(design)
        for role, variants in filesystem.layouts.items() if filesystem else ():
            layouts = getattr(design, role).layouts
            missing = [variant for variant in variants if variant not in layouts]
            if missing:
                message = (
                    f"{' and '.join(missing)} is missing: {design.filesystem} has the variants {', '.join(variants)}"
                )
                yield entry.finding("PX203", f"{role}.layouts", message)


def _conflicts(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What the file system of a design finds wrong with it and its layouts; each record once."""
    overlaid = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for design in catalog.all(ArrayDesign):
        filesystem = _filesystem(design)
        for places, message in filesystem.conflicts(design, catalog) if filesystem else ():
            blamed = next(((overlaid[i], where) for i, where in places if i in overlaid), None)
            if blamed and places[0][0] not in done:
                done.add(places[0][0])
                yield blamed[0].finding("PX203", blamed[1], message)


def _surpluses(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What a doubt takes off a measured rate is never all of it: the constant that a measurement names for it."""
    overlaid = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for measurement in catalog.ids("measurement"):
        for index, doubt in enumerate(catalog.raw[measurement].get("doubts", ())):
            if not doubt.get("surplus"):
                continue
            constant = catalog.get(Constant, doubt["surplus"])
            if constant.low >= 0 and constant.high < 1:
                continue
            message = f"{measurement} has {constant.id} for a surplus, which {_TAKES}"
            if constant.id in overlaid and constant.id not in done:
                done.add(constant.id)
                word = "high" if constant.high >= 1 else "low"
                yield overlaid[constant.id].finding("PX203", word, message)
            elif constant.id not in overlaid and measurement in overlaid:
                yield overlaid[measurement].finding("PX203", f"doubts[{index}].surplus", message)


def of_tunings(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """PX203 for tunings that wait for each other, and for two that set one parameter in one place."""
    overlaid = {entry.id: entry for entry in kept}
    if any(entry.words["kind"] == "tuning" for entry in kept):
        yield from _circle(overlaid, catalog)
        yield from _set_twice(overlaid, catalog)


def _circle(overlaid: dict[str, Entry], catalog: Catalog) -> Iterator[Finding]:
    """The first circle of `after`: none of its tunings could ever be made. Shipped ones alone have none."""
    graph = {t.id: [catalog.id_of(earlier) for earlier in t.after] for t in catalog.all(Tuning)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1][:-1]
        entry = next(overlaid[i] for i in sorted(circle) if i in overlaid)
        others = [i for i in circle if i != entry.id]
        named = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        message = f"waits for {named}, which in the end waits for it" if others else "waits for itself"
        yield entry.finding("PX203", "after", message, "Take a tuning out of after.")


def _set_twice(overlaid: dict[str, Entry], catalog: Catalog) -> Iterator[Finding]:
    """Which of two values holds would depend on their ids."""
    set_by: dict[tuple[str, str, str, bool], str] = {}
    for tuning in sorted(catalog.all(Tuning), key=lambda t: (t.id in overlaid, t.id)):
        design = catalog.id_of(tuning.design)
        own = (design, tuning.parameter)
        others = {p: set_by.setdefault((*own, p, tuning.benchmark_only), tuning.id) for p in tuning.set_on}
        for other in sorted({o for o in others.values() if o != tuning.id and tuning.id in overlaid}):
            places = " and ".join(place for place, o in others.items() if o == other)
            message = f"{other} sets {quoted(tuning.parameter)} on {places} too"
            hint = f"To replace that record, add: replaces: {other}"
            yield overlaid[tuning.id].finding("PX203", "parameter", message, hint)


Span = tuple[tuple[int, ...], tuple[int, ...], str]
"""The first version, the last, and the id of the record that speaks for them."""


def of_versions(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """PX201 for two records of one kind that speak for one version of a program.

    Which of them a plan or a script goes by would depend on their ids.
    """
    overlaid = {entry.id: entry for entry in kept}
    for kind in dict.fromkeys(entry.words["kind"] for entry in kept):
        model = KINDS[kind]
        if issubclass(model, Versioned):
            records = catalog.all(model)
            texts = {r.id: r.versions_text for r in records}
            yield from _spoken_for_twice(overlaid, [(*r.span, r.id) for r in records], texts, model.begins)


def _spoken_for_twice(
    overlaid: dict[str, Entry], spans: Sequence[Span], texts: Mapping[str, str], word: str
) -> Iterator[Finding]:
    """A finding at a record of the overlay that begins before another ends, or within which another begins."""
    end: tuple[int, ...] = ()
    ends = ""
    for first, last, record in sorted(spans, key=lambda span: (span[0], span[2] in overlaid, span[2])):
        if ends and first <= end and not overlaid.keys().isdisjoint((record, ends)):
            own, other = (record, ends) if record in overlaid else (ends, record)
            message = f"{other} speaks for {texts[other]} already: the two have versions in common"
            hint = f"Other versions, or, to replace that record: replaces: {other}"
            yield overlaid[own].finding("PX201", word, message, hint)
        if last > end:
            end, ends = last, record
