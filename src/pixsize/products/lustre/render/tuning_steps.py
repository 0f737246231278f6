"""The steps that set what a design's document sets: drivers and networks early, Lustre's settings last."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import mgs_target, server_of
from pixsize.products.lustre.render.tuning import files, storage_network
from pixsize.render.steps import (
    CLIENT_DRIVER,
    CLIENTS,
    DRIVER,
    FABRIC,
    LAID_OUT,
    MOUNTED,
    PREPARED,
    SERVING,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import clients_name, word

_PAGE = "tuning/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Only what the plan's design has settings for."""
    paths = {file.path for file in files(plan, catalog)}
    return (*_drivers(plan, catalog, paths), *_network(plan, catalog), *_settings(plan, catalog, paths))


def _drivers(plan: Plan, catalog: Catalog, paths: set[str]) -> Iterator[Step]:
    """Options that a driver reads when it is loaded, so before LNet uses it."""
    for path, nodes, needed in (
        ("tuning/hfi1/servers/hfi1.conf", [word(s.id) for s in plan.servers if server_of(s).nids], PREPARED),
        ("tuning/hfi1/clients/hfi1.conf", [clients_name(s.id for s in plan.servers)], CLIENTS),
    ):
        if path in paths:
            yield Step(
                f"Set the options of the driver hfi1 on the {path.split('/')[2]}",
                tuple(
                    Box(
                        node,
                        f"install `{path}` as `/etc/modprobe.d/hfi1.conf`, `dracut -f`, restart",
                        _PAGE,
                        seconds(catalog, "script") + seconds(catalog, "restart"),
                    )
                    for node in nodes
                ),
                (Look("`cat /sys/module/hfi1/parameters/krcvqs`", "the value of the file"),),
                needs=(needed,),
                provides=(DRIVER if "servers" in path else CLIENT_DRIVER,),
            )


def _network(plan: Plan, catalog: Catalog) -> Iterator[Step]:
    network = storage_network(plan, catalog)
    if network is not None:
        script = network["script"]
        yield Step(
            f"Set the packet size on the network of {network['product']}",
            tuple(
                Box(
                    word(s.id),
                    f"in the folder `tuning`: `./{script}`; when it has run on all servers, `./{script} --check`",
                    _PAGE,
                    2 * seconds(catalog, "script"),
                )
                for s in plan.servers
                if s.storage_ips
            ),
            (Look(f"`./{script} --check`, on each", "every other address answers packets of the full size"),),
            needs=(PREPARED,),
            after=(DRIVER,),
            provides=(FABRIC,),
        )


def _settings(plan: Plan, catalog: Catalog, paths: set[str]) -> Iterator[Step]:
    """Settings of Lustre itself; those for benchmarks alone are no step."""
    boxes = tuple(_boxes(plan, seconds(catalog, "script"), paths))
    if boxes:
        yield Step(
            "Set the document's settings",
            boxes,
            tuple(_looks(plan, catalog)),
            needs=(SERVING, MOUNTED),
            after=(LAID_OUT,),
            text=(
                "Optional: nothing depends on these settings. Measure before and after, and keep both results."
                " `benchmark-only` is for the time of a benchmark, and no step.",
            ),
        )


def _looks(plan: Plan, catalog: Catalog) -> Iterator[Look]:
    """Where the values can be seen: a server shows nothing of a client's parameters, and the other way round."""
    texts = "".join(f.text for f in files(plan, catalog) if f.executable and "benchmark-only" not in f.path)
    names = "the names that the script prints"
    if "obdfilter." in texts:
        yield Look("`lctl get_param` of the names with `obdfilter.`, on an OSS", "the values that the script prints")
        names = "the other names"
    yield Look(f"`lctl get_param` of {names}, on a client", "the values that the script prints")


def _boxes(plan: Plan, each: int, paths: set[str]) -> Iterator[Box]:
    clients = clients_name(s.id for s in plan.servers)
    if "tuning/mgs.sh" in paths:
        where = f"where the MGS runs, {word(mgs_target(plan).servers[0])} at first"
        yield Box(where, "in the folder `tuning`: `./mgs.sh --dry-run`, then `./mgs.sh`", _PAGE, each)
        yield Box(
            clients, "unmount and mount the file system: a client takes these settings when it connects", _PAGE, each
        )
    if "tuning/servers.sh" in paths:
        for server in plan.servers:
            if server_of(server).nids:
                yield Box(word(server.id), "in the folder `tuning`: `./servers.sh --set`", _PAGE, each)
    if "tuning/clients.sh" in paths:
        yield Box(clients, "in the folder `tuning`, on each: `./clients.sh --set`", _PAGE, each)
