"""The settings that a design's document prints, each where it is set; those for benchmarks alone stand apart."""

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
from pixsize.product import volume_terms
from pixsize.products.lustre.plan import LustreFilesystem, lustre, mgs_target
from pixsize.products.lustre.records import LustreRelease
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import code, prose, word, word_list

_PARAMETER = re.compile(r"[a-z](?:[A-Za-z0-9_.*-]|\[\^M\])*")
"""A parameter of lctl. `-osc-[^M]*` names the connections of clients: those of an MDT end in `-osc-MDT0000`."""
_FSNAME = "{fsname}"


class Script(NamedTuple):
    """A file with the settings that are given in one place: where it lies, and whose settings they are."""

    path: str
    place: Place
    benchmark: bool
    whose: str
    nodes: str


_MGS = Script("mgs.sh", "mgs", False, "the whole file system", "the server where the MGS runs")
_NODES = (
    Script("clients.sh", "client", False, "a client", "each client"),
    Script("servers.sh", "server", False, "a server", "each MDS and OSS"),
    Script("benchmark-only/clients.sh", "client", True, "a client", "each client"),
    Script("benchmark-only/servers.sh", "server", True, "a server", "each MDS and OSS"),
)
_HFI1 = (
    Script("hfi1/servers/hfi1.conf", "hfi1-server", False, "the driver hfi1", "each MDS and OSS"),
    Script("hfi1/clients/hfi1.conf", "hfi1-client", False, "the driver hfi1", "every client"),
)
_KINDS = {"mgs": "mgs", "client": "node", "server": "node", "hfi1-server": "module", "hfi1-client": "module"}
"""By the place of a setting, how the page says that it is made: at the MGS, on each node, or by a driver."""


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """A file for each place where something is set, and a page that says what each setting is for."""
    settings_of = list(scripts(plan, catalog))
    network = storage_network(plan, catalog)
    files = [_file(plan, catalog, script, tunings) for script, tunings in settings_of]
    if network is not None:
        text = template.fill("tuning/storage-network.sh.j2", network)
        files.append(File(f"tuning/{network['script']}", text, executable=True))
    page = template.fill("tuning/README.md.j2", _run_book(plan, catalog, settings_of, network))
    return (*files, File("tuning/README.md", page))


def _file(plan: Plan, catalog: Catalog, script: Script, tunings: Sequence[Tuning]) -> File:
    """What lctl sets, once at the MGS or node by node; or options that the driver of Omni-Path reads when it loads."""
    fsname, release = lustre(plan).name, catalog.get(LustreRelease, lustre(plan).release)
    settings = [setting(t, fsname, release) for t in tunings]
    if script in _HFI1:
        options = " ".join(f"{s['parameter']}={s['value']}" for s in settings)
        text = template.fill("tuning/hfi1.conf.j2", {"nodes": script.nodes, "options": options})
        return File(f"tuning/{script.path}", text)
    view: dict[str, Any] = {
        "plan": word(plan.name),
        "fsname": word(fsname),
        "mgs": _mgs_servers(plan),
        "servers": " ".join(word(s.id) for s in plan.servers if s.role != "management"),
        "settings": settings,
        "script": script.path.rpartition("/")[2],
        **script._asdict(),
    }
    source = "tuning/mgs.sh.j2" if script is _MGS else "tuning/node.sh.j2"
    return File(f"tuning/{script.path}", template.fill(source, view), executable=True)


def scripts(plan: Plan, catalog: Catalog) -> Iterator[tuple[Script, list[Tuning]]]:
    """Each file that a plan has, with its settings in the order in which they are made."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    tunings = [t for t in ordered(catalog.of_design(Tuning, plan.design), catalog.id_of) if not why_not(t, release)]
    for script in (_MGS, *_NODES, *_HFI1):
        of_script = [t for t in tunings if script.place in t.set_on and t.benchmark_only == script.benchmark]
        if of_script:
            yield script, of_script


def why_not(tuning: Tuning, release: LustreRelease) -> str:
    """Why a setting is not made with a release; empty where it is."""
    current = default(tuning, release)
    if current is None and tuning.permanence == "temporary":
        return f"no source at hand says what {release.title} has by itself, so that nothing could take it back"
    if tuning.raises and current is not None and int(current) >= int(tuning.value):
        how = "as much" if int(current) == int(tuning.value) else "more: it would be lowered"
        return f"{release.title} has {current} by itself, which is {how}"
    return ""


def default(tuning: Tuning, release: LustreRelease) -> str | None:
    """The value without the setting: the one of its record, or the release's in MiB; None where no source says it."""
    if tuning.default_of is None:
        return tuning.default
    sizes = {"client_dirty": release.client_dirty_bytes, "client_read_ahead": release.client_read_ahead_bytes}
    size = sizes[tuning.default_of]
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
    ready: list[int] = []  # a heap of places: of what may be made now, what was given first comes first
    done: list[Tuning] = []
    while sorter.is_active():
        for tuning_id in sorter.get_ready():
            heappush(ready, places[tuning_id])
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


def _mgs_servers(plan: Plan) -> str:
    """The servers on which the MGS may run, the preferred first."""
    return " or ".join(map(word, mgs_target(plan).servers))


def storage_network(plan: Plan, catalog: Catalog) -> dict[str, Any] | None:
    """The network of a pool's servers: interface, MTU, servers and their addresses, and the script that sets it.

    None where the plan knows no such network, or nobody says how large its packets are to be.
    """
    servers = [s for s in plan.servers if s.storage_ips]
    if not servers or not lustre(plan).storage_interface:
        return None
    terms = volume_terms(plan)
    if terms.sharing is None or not terms.sharing.mtu:
        return None
    return {
        "plan": word(plan.name),
        "script": f"{word(plan.volumes[0].provider)}-network.sh",
        "product": prose(terms.name),
        "mtu": word(catalog.get(Limit, terms.sharing.mtu).value),
        "interface": word(lustre(plan).storage_interface),
        "nodes": word_list([s.id for s in servers]),
        "addresses": " ".join(word(ip) for s in servers for ip in s.storage_ips),
    }


def _run_book(
    plan: Plan, catalog: Catalog, settings_of: Sequence[tuple[Script, Sequence[Tuning]]], network: dict[str, Any] | None
) -> dict[str, Any]:
    """What the page loops over: what each setting is for, and what is to be known before it is made."""
    fsname, release = lustre(plan).name, catalog.get(LustreRelease, lustre(plan).release)
    lnet = lustre(plan).network
    tunings = catalog.of_design(Tuning, plan.design)
    document = tunings[0].sources[0].document if tunings else "pixsize"
    left_out = [(t, reason) for t in ordered(tunings, catalog.id_of) if (reason := why_not(t, release))]
    rows = [
        {
            "name": script.path,
            "nodes": script.nodes,
            "what": f"{len(settings)}{', **for benchmarks only**' if script.benchmark else f' of {script.whose}'}",
        }
        for script, settings in settings_of
    ]
    if network:
        what = f"MTU {network['mtu']} on the network of {network['product']}"
        rows.append({"name": network["script"], "nodes": f"each of {network['nodes']}", "what": what})
    return {
        "fsname": word(fsname),
        "mgs": _mgs_servers(plan),
        "document": prose(catalog.get(Record, document).title),
        "files": rows,
        "parts": [
            {
                "name": script.path,
                "whose": script.whose,
                "nodes": script.nodes,
                "kind": "benchmark" if script.benchmark else _KINDS[script.place],
                "settings": [setting(t, fsname, release) for t in settings],
            }
            for script, settings in settings_of
        ],
        "left_out": [setting(t, fsname, release) | {"why": prose(reason)} for t, reason in left_out],
        "clients_only": any("[^M]" in t.parameter for _, settings in settings_of for t in settings),
        "network": network,
        "on_tcp": lnet is not None and lnet.lnet.startswith("tcp"),
    }


def _applies(plan: Plan) -> bool:
    return isinstance(plan.filesystem, LustreFilesystem)


RENDERER = Renderer(
    name="tuning",
    summary="the document's settings of Lustre, its network and drivers, those for benchmarks apart",
    applies=_applies,
    files=files,
)
