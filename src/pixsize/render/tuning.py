"""The settings that a design's document prints, each where it is set; those for benchmarks alone stand apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit, Record
from pixsize.catalog.tunings import Place, Tuning
from pixsize.findings import Finding
from pixsize.plan.records import LustreFilesystem, Plan
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.words import prose, word

_PARAMETER = re.compile(r"[a-z][A-Za-z0-9_.*-]*")
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
_NETWORK = "powerflex-network.sh"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """A file for each place where something is set, and a page that says what each setting is for."""
    from pixsize.render.tuning_run_book import view as run_book  # most runs render no run book

    made = (*_lustre(plan, catalog), *_options(plan, catalog), *_network(plan, catalog))
    view = run_book(plan, catalog)
    return (*made, File("tuning/README.md", template.fill("tuning/README.md.j2", view)))


def scripts(plan: Plan, catalog: Catalog) -> Iterator[tuple[Script, list[Tuning]]]:
    """Each file that a plan has, with its settings in the order in which they are made."""
    every = ordered([t for t in catalog.all(Tuning) if t.design == plan.design])
    for script in (_MGS, *_NODES, *_HFI1):
        mine = [t for t in every if script.place in t.set_on and t.benchmark_only == script.benchmark]
        if mine:
            yield script, mine


def ordered(tunings: list[Tuning]) -> list[Tuning]:
    """The tunings, each behind those that it comes after. ValueError where they wait for each other."""
    left, done = list(tunings), list[Tuning]()
    known = {t.id for t in tunings}
    while left:
        placed = {t.id for t in done}
        ready = next((t for t in left if known.intersection(t.after) <= placed), None)
        if ready is None:
            raise ValueError(f"tunings wait for each other: {', '.join(t.id for t in left)}")
        done.append(ready)
        left.remove(ready)
    return done


def setting(tuning: Tuning, fsname: str) -> dict[str, str]:
    """The words of a setting, with the name of the file system in its place."""
    parameter = tuning.parameter.replace(_FSNAME, word(fsname))
    if _PARAMETER.fullmatch(parameter) is None:
        raise ValueError(f"{parameter!r} may not stand in a rendered file")
    return {
        "parameter": parameter,
        "value": word(tuning.value),
        "default": word(tuning.default or tuning.value),
        "title": prose(tuning.title),
        "printed": prose(tuning.printed),
        "doubt": prose(tuning.doubt),
        "comment": prose(tuning.doubt).encode("ascii", "replace").decode(),
    }


def mgs_servers(plan: Plan) -> str:
    """The servers on which the MGS may run, the preferred first."""
    target = next(t for t in plan.targets if t.mgs)
    return " or ".join(map(word, target.servers))


def _lustre(plan: Plan, catalog: Catalog) -> Iterator[File]:
    """What lctl sets: once at the MGS, or node by node."""
    fsname = plan.lustre.name
    for script, tunings in scripts(plan, catalog):
        if not script.path.endswith(".sh"):
            continue
        view = {
            "plan": word(plan.name),
            "fsname": word(fsname),
            "mgs": mgs_servers(plan),
            "settings": [setting(t, fsname) for t in tunings],
            "script": script.path.rpartition("/")[2],
            **script._asdict(),
        }
        source = "tuning/mgs.sh.j2" if script is _MGS else "tuning/node.sh.j2"
        yield File(f"tuning/{script.path}", template.fill(source, view), executable=True)


def _options(plan: Plan, catalog: Catalog) -> Iterator[File]:
    """Options of the driver of Omni-Path, which reads them when it is loaded."""
    for script, tunings in scripts(plan, catalog):
        if script in _HFI1:
            settings = [setting(t, plan.lustre.name) for t in tunings]
            options = " ".join(f"{s['parameter']}={s['value']}" for s in settings)
            view = {"nodes": script.nodes, "options": options}
            yield File(f"tuning/{script.path}", template.fill("tuning/hfi1.conf.j2", view))


def network_view(plan: Plan, catalog: Catalog) -> dict[str, Any] | None:
    """The network of PowerFlex: interface, MTU, servers and their addresses; None where the plan knows none."""
    from pixsize.render.powerflex import listed

    servers = [s for s in plan.servers if s.storage_ips]
    if not servers or not plan.lustre.storage_interface:
        return None
    return {
        "plan": word(plan.name),
        "mtu": word(catalog.get(Limit, "powerflex.mtu").value),
        "interface": word(plan.lustre.storage_interface),
        "nodes": listed([s.id for s in servers]),
        "addresses": " ".join(word(ip) for s in servers for ip in s.storage_ips),
    }


def _network(plan: Plan, catalog: Catalog) -> Iterator[File]:
    view = network_view(plan, catalog)
    if view is not None:
        yield File(f"tuning/{_NETWORK}", template.fill(f"tuning/{_NETWORK}.j2", view), executable=True)


def document(plan: Plan, catalog: Catalog) -> str:
    """The title of the document whose settings these are."""
    tunings = [t for t in catalog.all(Tuning) if t.design == plan.design]
    cited = tunings[0].sources[0].document if tunings else "pixsize"
    return prose(catalog.get(Record, cited).title)


def _applies(plan: Plan) -> bool:
    return isinstance(plan.filesystem, LustreFilesystem)


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    return ()


RENDERER = Renderer(
    name="tuning",
    summary="the document's settings of Lustre, its network and drivers, those for benchmarks apart",
    applies=_applies,
    findings=_findings,
    files=files,
)
