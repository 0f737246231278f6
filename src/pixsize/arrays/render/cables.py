"""cables.csv and cables.txt: every cable with both its ends and a label to print."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Any, NamedTuple

from pixsize.catalog.cabling import Cabling, Supplies
from pixsize.catalog.catalog import Catalog
from pixsize.plan.networks import devices_of
from pixsize.plan.records import End, Link, Plan
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, prose
from pixsize.texts import plural

_END = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/ -]{0,79}", re.ASCII)
COLUMNS = ("number", "network", "from device", "from slot", "from port", "to device", "to slot", "to port", "label")


class Row(NamedTuple):
    """A cable as the sheet has it: its number, its network, the two ends, and the text of its label."""

    number: str
    network: str
    start: End
    end: End

    @property
    def label(self) -> str:
        """Both ends, as they are printed on the two ends of the cable."""
        return f"{self.number} {_plug(self.start)} - {_plug(self.end)}"

    @property
    def values(self) -> tuple[str, ...]:
        """The values of `COLUMNS`."""
        return (self.number, self.network, *self.start, *self.end, self.label)


def rows(plan: Plan) -> tuple[Row, ...]:
    """The cables in the order of the plan, numbered by network: S001 for SAS, D001 for data, M001 for management, J001
    between switches, O001 to the site's network, P001 for power.
    """
    numbers: Counter[str] = Counter()
    found = []
    for link in plan.links:
        numbers[link.network] += 1
        number = f"{link.network[0].upper()}{numbers[link.network]:03d}"
        found.append(Row(number, link.network, *_checked(link)))
    return tuple(found)


def _checked(link: Link) -> tuple[End, End]:
    start, end = (End(*(checked(_END, part) if part else "" for part in each)) for each in (link.start, link.end))
    return start, end


def _plug(end: End) -> str:
    return ":".join(part for part in end if part)


def _csv(plan: Plan) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.values for row in rows(plan))
    return text.getvalue()


def _text(plan: Plan, catalog: Catalog) -> str:
    (cabling, *_) = catalog.of_design(Cabling, plan.design)
    table = [COLUMNS[:-1], *(row.values[:-1] for row in rows(plan))]
    widths = [max(len(line[column]) for line in table) for column in range(len(COLUMNS) - 1)]
    view: dict[str, Any] = {
        "plan": checked(_END, plan.name),
        "lines": ["  ".join(v.ljust(w) for v, w in zip(line, widths, strict=True)).rstrip() for line in table],
        "counts": sorted(Counter(row.network for row in rows(plan)).items()),
        "doubts": [
            {
                "role": checked(_END, role),
                "adapter": prose(catalog.record(adapter).title),
                "used": " and ".join(checked(_END, slot) for slot in known.slots[adapter]),
                "elsewhere": " and ".join(checked(_END, slot) for slot in slots),
            }
            for role, known in cabling.servers.items()
            for adapter, slots in known.elsewhere.items()
            if adapter in known.slots and any(server.role == role for server in plan.servers)
        ],
        "unplanned": not plan.switches,
        "unknown": any(row.start.slot.startswith("adapter ") for row in rows(plan)),
        "split": sorted({row.end.device for row in rows(plan) if row.network == "data" and "/" in row.end.port}),
        "joined": sorted({row.start.device for row in rows(plan) if row.network == "joint"}),
        "outward": any(row.network == "outward" for row in rows(plan)),
        "addresses": [f"{checked(_END, n)}: {IPv4Address(a)}" for n, a in devices_of(plan)],
        "supplies": list(_supplies(plan, cabling, catalog)),
        "unsupplied": [prose(catalog.record(m).title) for m in _models(plan) if _known(m, cabling, catalog) is None],
    }
    return template.fill("cables/cables.txt.j2", view)


def _models(plan: Plan) -> tuple[str, ...]:
    """What hangs on the power: the models of servers, enclosures and switches, each once."""
    enclosures = (enclosure.model for array in plan.arrays for enclosure in array.enclosures)
    return tuple(dict.fromkeys((*(s.model for s in plan.servers), *enclosures, *(s.model for s in plan.switches))))


def _known(model: str, cabling: Cabling, catalog: Catalog) -> Supplies | None:
    own = catalog.id_of(model)
    return next((known for name, known in cabling.supplies.items() if catalog.id_of(name) == own), None)


def _supplies(plan: Plan, cabling: Cabling, catalog: Catalog) -> Iterator[str]:
    """A line for each model: its supplies, and what is known of them."""
    for model in _models(plan):
        known = _known(model, cabling, catalog)
        if known is not None:
            inlet = f"inlet {known.inlet}" if known.inlet else "inlet in no document at hand"
            volts = f", {known.volts} alone" if known.volts else ""
            doubt = " (estimated: in no document at hand)" if known.basis == "estimated" else ""
            yield f"{prose(catalog.record(model).title)}: {plural(known.count, 'PSU')}{doubt}, {inlet}{volts}"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The sheet as a table to read, and as one for a label printer or a spreadsheet."""
    return (File("cables/cables.csv", _csv(plan)), File("cables/cables.txt", _text(plan, catalog)))


RENDERER = Renderer(
    name="cables",
    summary="the sheet of cables",
    applies=lambda plan: bool(plan.links),
    files=files,
)
