"""The settings that a design's document prints, each where it is set; those for benchmarks alone stand apart."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import LustreFilesystem, lustre
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.tuning_scripts import HFI1, MGS, mgs_servers, network_view, scripts, setting
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import word

_NETWORK = "powerflex-network.sh"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """A file for each place where something is set, and a page that says what each setting is for."""
    from pixsize.products.lustre.render.tuning_run_book import view as run_book  # most runs render no run book

    made = (*_lustre(plan, catalog), *_options(plan, catalog), *_network(plan, catalog))
    view = run_book(plan, catalog)
    return (*made, File("tuning/README.md", template.fill("tuning/README.md.j2", view)))


def _lustre(plan: Plan, catalog: Catalog) -> Iterator[File]:
    """What lctl sets: once at the MGS, or node by node."""
    fsname, release = lustre(plan).name, catalog.get(LustreRelease, lustre(plan).release)
    for script, tunings in scripts(plan, catalog):
        if not script.path.endswith(".sh"):
            continue
        view = {
            "plan": word(plan.name),
            "fsname": word(fsname),
            "mgs": mgs_servers(plan),
            "servers": " ".join(word(s.id) for s in plan.servers if s.role != "management"),
            "settings": [setting(t, fsname, release) for t in tunings],
            "script": script.path.rpartition("/")[2],
            **script._asdict(),
        }
        source = "tuning/mgs.sh.j2" if script is MGS else "tuning/node.sh.j2"
        yield File(f"tuning/{script.path}", template.fill(source, view), executable=True)


def _options(plan: Plan, catalog: Catalog) -> Iterator[File]:
    """Options of the driver of Omni-Path, which reads them when it is loaded."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    for script, tunings in scripts(plan, catalog):
        if script in HFI1:
            settings = [setting(t, lustre(plan).name, release) for t in tunings]
            options = " ".join(f"{s['parameter']}={s['value']}" for s in settings)
            view = {"nodes": script.nodes, "options": options}
            yield File(f"tuning/{script.path}", template.fill("tuning/hfi1.conf.j2", view))


def _network(plan: Plan, catalog: Catalog) -> Iterator[File]:
    view = network_view(plan, catalog)
    if view is not None:
        yield File(f"tuning/{_NETWORK}", template.fill(f"tuning/{_NETWORK}.j2", view), executable=True)


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
