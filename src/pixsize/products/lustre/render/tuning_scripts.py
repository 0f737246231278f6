"""The settings of a document by the file that they are given in, and their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit, Record
from pixsize.catalog.tunings import Place, Tuning
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.render.template import code, prose, word, word_list

_PARAMETER = re.compile(r"[a-z](?:[A-Za-z0-9_.*-]|\[\^M\])*")
_FSNAME = "{fsname}"


class Script(NamedTuple):
    """A file with the settings that are given in one place: where it lies, and whose settings they are."""

    path: str
    place: Place
    benchmark: bool
    whose: str
    nodes: str


MGS = Script("mgs.sh", "mgs", False, "the whole file system", "the server where the MGS runs")
_NODES = (
    Script("clients.sh", "client", False, "a client", "each client"),
    Script("servers.sh", "server", False, "a server", "each MDS and OSS"),
    Script("benchmark-only/clients.sh", "client", True, "a client", "each client"),
    Script("benchmark-only/servers.sh", "server", True, "a server", "each MDS and OSS"),
)
HFI1 = (
    Script("hfi1/servers/hfi1.conf", "hfi1-server", False, "the driver hfi1", "each MDS and OSS"),
    Script("hfi1/clients/hfi1.conf", "hfi1-client", False, "the driver hfi1", "every client"),
)


def scripts(plan: Plan, catalog: Catalog) -> Iterator[tuple[Script, list[Tuning]]]:
    """Each file that a plan has, with its settings in the order in which they are made."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    every = [t for t in ordered(catalog.of_design(Tuning, plan.design), catalog.id_of) if not why_not(t, release)]
    for script in (MGS, *_NODES, *HFI1):
        mine = [t for t in every if script.place in t.set_on and t.benchmark_only == script.benchmark]
        if mine:
            yield script, mine


def left_out(plan: Plan, catalog: Catalog) -> Iterator[tuple[Tuning, str]]:
    """The settings of the document that the plan's release is better off without, and why."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    for tuning in ordered(catalog.of_design(Tuning, plan.design), catalog.id_of):
        why = why_not(tuning, release)
        if why:
            yield tuning, why


def why_not(tuning: Tuning, release: LustreRelease) -> str:
    """Why a setting is not made with a release; empty where it is."""
    own = default(tuning, release)
    if own is None and tuning.permanence == "temporary":
        return f"no source at hand says what {release.title} has by itself, so that nothing could take it back"
    if tuning.raises and own is not None and int(own) >= int(tuning.value):
        than = "as much" if int(own) == int(tuning.value) else "more: it would be lowered"
        return f"{release.title} has {own} by itself, which is {than}"
    return ""


def default(tuning: Tuning, release: LustreRelease) -> str | None:
    """The value that a setting goes back to: its own, or that of the release in MiB; None where nobody knows it."""
    if tuning.default_of is None:
        return tuning.default
    held = {"client_dirty": release.client_dirty_bytes, "client_read_ahead": release.client_read_ahead_bytes}
    size = held[tuning.default_of]
    return None if size is None else str(size // 2**20)


def ordered(tunings: Sequence[Tuning], id_of: Callable[[str], str] = str) -> list[Tuning]:
    """The tunings, each behind those that it comes after, else as given. ValueError where they wait in a circle.

    `id_of` gives the id of the record that stands for an id: what a tuning waits for may have been replaced.
    """
    places = {tuning.id: place for place, tuning in enumerate(tunings)}
    waits = {t.id: [i for i in map(id_of, t.after) if i in places] for t in tunings}
    sorter = TopologicalSorter(waits)
    try:
        sorter.prepare()
    except CycleError as error:
        raise ValueError(f"tunings wait for each other: {', '.join(error.args[1])}") from error
    ready: list[int] = []
    done: list[Tuning] = []
    while sorter.is_active():
        for each in sorter.get_ready():
            heappush(ready, places[each])
        done.append(tunings[heappop(ready)])
        sorter.done(done[-1].id)
    return done


def setting(tuning: Tuning, fsname: str, release: LustreRelease) -> dict[str, str]:
    """The words of a setting, with the name of the file system in its place."""
    parameter = tuning.parameter.replace(_FSNAME, word(fsname))
    if _PARAMETER.fullmatch(parameter) is None:
        raise ValueError(f"{parameter!r} may not stand in a rendered file")
    return {
        "parameter": parameter,
        "value": word(tuning.value),
        "default": word(default(tuning, release) or tuning.value),
        "title": prose(tuning.title),
        "printed": code(tuning.printed),
        "doubt": prose(tuning.doubt),
        "comment": prose(tuning.doubt).encode("ascii", "replace").decode(),
    }


def mgs_servers(plan: Plan) -> str:
    """The servers on which the MGS may run, the preferred first."""
    target = next(t for t in plan.targets if target_of(t).mgs)
    return " or ".join(map(word, target.servers))


def network_view(plan: Plan, catalog: Catalog) -> dict[str, Any] | None:
    """The network of PowerFlex: interface, MTU, servers and their addresses; None where the plan knows none."""
    servers = [s for s in plan.servers if s.storage_ips]
    if not servers or not lustre(plan).storage_interface:
        return None
    return {
        "plan": word(plan.name),
        "mtu": word(catalog.get(Limit, "powerflex.mtu").value),
        "interface": word(lustre(plan).storage_interface),
        "nodes": word_list([s.id for s in servers]),
        "addresses": " ".join(word(ip) for s in servers for ip in s.storage_ips),
    }


def document(plan: Plan, catalog: Catalog) -> str:
    """The title of the document whose settings these are."""
    tunings = catalog.of_design(Tuning, plan.design)
    cited = tunings[0].sources[0].document if tunings else "pixsize"
    return prose(catalog.get(Record, cited).title)
