"""Rules of every plan about what the vendor sells: drives and switches."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import Switch
from pixsize.check.asked import drives
from pixsize.check.case import Case
from pixsize.check.gather import listed
from pixsize.findings import Finding
from pixsize.product import PRODUCTS


def confirmed_drives(case: Case) -> Iterator[Finding]:
    """PX404: a source confirms each drive for the arrays."""
    used: dict[str, str] = {}
    for where, drive_id in drives(case):
        used.setdefault(drive_id, where)
    parts, matrix = ("servers", "the vendor's list") if case.plan.pools else ("arrays", "the ME4 support matrix")
    for drive_id, where in used.items():
        drive = case.drive(drive_id)
        if not drive.confirmed:
            message = f"no source at hand confirms {drive.title} ({drive_id}) for these {parts}"
            yield Finding("PX404", message, where, f"check {matrix} before quoting")


def access_layer(case: Case) -> Iterator[Finding]:
    """PX406: servers and arrays fit on the switches of the design; more need a fabric that is not planned."""
    servers, arrays = len(case.plan.servers), len(case.plan.arrays)
    over = []
    for role in case.design.switches:
        model = case.catalog.get(Switch, role.model)
        ports = servers * role.ports_a_server + arrays * role.ports_an_array
        if ports > model.ports:
            over.append(f"{ports:,} ports of {model.title} ({model.ports} each)")
    if over:
        needs = " and ".join(over)
        parts = f"{servers:,} servers and {arrays:,} arrays" if arrays else f"{servers:,} servers"
        message = f"{parts} need {needs}: only access switches are planned"
        yield Finding("PX406", message, case.grows_at, "plan the uplinks or the spine separately")


def known_arrays(case: Case) -> Iterator[Finding]:
    """PX302: every reply is of an array that the plan has."""
    from difflib import get_close_matches

    unknown = sorted(set(case.observed.arrays) - set(case.arrays))
    if not unknown:
        return
    near = get_close_matches(unknown[0], case.arrays, 1)
    message = f"replies of {listed(unknown)}; the plan has {listed(case.arrays) or 'no arrays'}"
    hint = f"did you mean {near[0]}? A file is named with its array's id first" if near else "rename the files"
    yield Finding("PX302", message, "", hint)


def known_systems(case: Case) -> Iterator[Finding]:
    """PX302: replies of a product's system belong to a plan with such a system."""
    for name in case.observed.own:
        replies = PRODUCTS[name].replies
        if replies is not None and name not in (case.design.volumes, case.design.filesystem):
            message = f"replies of {replies.system}; the plan has none"
            yield Finding("PX302", message, "", "another folder of replies, or another design")


RULES = (confirmed_drives, access_layer, known_arrays, known_systems)
