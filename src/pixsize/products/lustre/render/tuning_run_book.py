"""The view of the page on tunings: what each setting is for, and what is to be known before it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.tuning_scripts import (
    Script,
    document,
    left_out,
    mgs_servers,
    network_view,
    scripts,
    setting,
)
from pixsize.render.template import prose, word


def view(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """Everything that the template loops over."""
    held = list(scripts(plan, catalog))
    network = network_view(plan, catalog)
    fsname, release = lustre(plan).name, catalog.get(LustreRelease, lustre(plan).release)
    return {
        "fsname": word(fsname),
        "mgs": mgs_servers(plan),
        "document": document(plan, catalog),
        "files": [_row(script, len(tunings)) for script, tunings in held] + list(_network_row(network)),
        "parts": [
            {
                "name": script.path,
                "whose": script.whose,
                "nodes": script.nodes,
                "kind": _kind(script),
                "settings": [setting(t, fsname, release) for t in tunings],
            }
            for script, tunings in held
        ],
        "left_out": [setting(t, fsname, release) | {"why": prose(why)} for t, why in left_out(plan, catalog)],
        "clients_only": any("[^M]" in t.parameter for _, tunings in held for t in tunings),
        "network": network,
        "on_tcp": (lnet := lustre(plan).network) is not None and lnet.lnet.startswith("tcp"),
    }


def _kind(script: Script) -> str:
    if script.benchmark:
        return "benchmark"
    return {"mgs": "mgs", "client": "node", "server": "node"}.get(script.place, "module")


def _row(script: Script, count: int) -> dict[str, str]:
    what = f"{count}, **for benchmarks only**" if script.benchmark else f"{count} of {script.whose}"
    return {"name": script.path, "nodes": script.nodes, "what": what}


def _network_row(network: dict[str, Any] | None) -> Iterator[dict[str, str]]:
    if network:
        yield {
            "name": "powerflex-network.sh",
            "nodes": f"each of {network['nodes']}",
            "what": f"MTU {network['mtu']} on the network of PowerFlex",
        }
