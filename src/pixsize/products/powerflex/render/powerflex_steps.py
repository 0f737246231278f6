"""The steps that set PowerFlex up: packages, MDM cluster, pool, drives, SDCs, volumes and maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.powerflex.render.powerflex import CHECK_DRIVES, SDC, view
from pixsize.products.powerflex.render.run_book import nodes
from pixsize.render.steps import DEVICES, FABRIC, PREPARED, REPLIES, VOLUMES, Box, Look, Step, seconds
from pixsize.texts import listed
from pixsize.units import binary_bytes

_PAGE = "powerflex/README.md"
_INSTALLED = "packages of PowerFlex"
_POOL = "the MDM cluster and the pool"
_CHECKED = "drives that were checked"
_SHARED = "drives in the pool"
_NAMED = "SDCs with the names of their servers"
_PASSWORD = ("read -rsp 'Password of admin: ' POWERFLEX_PASSWORD && export POWERFLEX_PASSWORD",)
"""The scripts of the master take the password from the environment."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The scripts in the order of their numbers, each where it runs. The names of devices come from replies about the
    volumes: where they are known, the volumes exist, and all that they need."""
    values = view(plan, catalog)
    script = seconds(catalog, "script")
    exists = [bool(t.device) for t in plan.targets]
    pool = (_cluster(values, script), _check(plan, values, script), _drives(values, script))
    clients = _clients(values, script)
    return (
        _packages(plan, values, 2 * script),
        # A volume that exists lies in the pool, on its drives: these are never made again, however many volumes are missing.
        *(step.ticked() if any(exists) else step for step in pool),
        clients.ticked() if all(exists) else clients,
        _volumes(plan, values, script, all(exists)),
        *_collect_ids(plan, values, script),
        _devices(values, seconds(catalog, "look")),
    )


def _run(where: str, names: Sequence[str], section: str, each: int, options: str = "") -> Box:
    commands = ", then ".join(f"`./{name}{options}`" for name in names)
    return Box(where, f"in the folder `powerflex`: {commands}", f"{_PAGE}#{section}", each * len(names))


def _packages(plan: Plan, values: dict[str, Any], each: int) -> Step:
    """The packages by what a server is; managers and tie breakers differ by a variable."""
    boxes = []
    for node in nodes(plan, plan.pools[0]):
        role = "0" if node["mdm"] == "tie breaker" else "1"
        parts = [f"`MDM_ROLE_IS_MANAGER={role} rpm -i EMC-ScaleIO-mdm-*.rpm` ({node['mdm']})"] if node["mdm"] else []
        parts += ["`rpm -i EMC-ScaleIO-sds-*.rpm`"] if node["sds"] else []
        parts += [f"`MDM_IP={values['mdms']} rpm -i EMC-ScaleIO-sdc-*.rpm`"] if node["sdc"] else []
        boxes.append(Box(node["name"], ", then ".join(parts), f"{_PAGE}#1.", each))
    return Step(
        "Install the packages of PowerFlex",
        tuple(boxes),
        (
            Look("`rpm -qa 'EMC-ScaleIO-*'`, on each", "the packages of the box, of release 3.0"),
            Look(f"`scli --help`, on {values['master']['name']}", "the words of the page, section 1"),
        ),
        needs=(PREPARED,),
        after=(FABRIC,),
        provides=(_INSTALLED,),
        text=("MDMs first, SDCs last.",),
    )


def _cluster(values: dict[str, Any], script: int) -> Step:
    return Step(
        "Make the MDM cluster and the pool of PowerFlex",
        (_run(values["master"]["name"], ("01-mdm-cluster.sh", "02-pool.sh"), "2.", script),),
        (
            Look(
                "`scli --query_cluster`",
                f"managers {values['manager_list']}, tie breakers {values['tie_breaker_list']}, none degraded",
            ),
            Look("the pool", f"{values['spare']} % spare, zero padding enabled"),
        ),
        needs=(_INSTALLED,),
        provides=(_POOL,),
        commands=_PASSWORD,
    )


def _check(plan: Plan, values: dict[str, Any], script: int) -> Step:
    return Step(
        "Check the drives of each SDS",
        tuple(_run(server, (CHECK_DRIVES.name,), "3.", script) for server in plan.pools[0].servers),
        (
            Look("the last line", f"`All {values['count']} drives of` the server `are as planned.`"),
            Look("a table of drives that are not all zeros", "stop: the page says how to decide"),
        ),
        needs=(PREPARED, _POOL),
        provides=(_CHECKED,),
        text=("A server that restarts after this step is checked again: Linux may give its drives other names.",),
    )


def _drives(values: dict[str, Any], script: int) -> Step:
    return Step(
        "Add the drives to the pool",
        (_run(values["master"]["name"], ("04-sds.sh", "05-drives.sh"), "4.", script, " --drives-checked"),),
        (
            Look("`scli --query_all_sds`", f"{len(values['servers'])} SDS, all connected"),
            Look("the pool", f"all {len(values['drives']) + len(values['servers'])} drives"),
        ),
        needs=(_POOL, _CHECKED),
        provides=(_SHARED,),
        destroys="what the drives of the SDS hold",
        commands=_PASSWORD,
    )


def _clients(values: dict[str, Any], script: int) -> Step:
    boxes = [_run(s["name"], (SDC.name,), "5.", script) for s in values["sdcs"]]
    boxes.append(_run(values["master"]["name"], ("07-sdc-names.sh",), "6.", script))
    return Step(
        "Connect the SDCs, and name them",
        tuple(boxes),
        (Look("`scli --query_all_sdc`", f"{len(values['sdcs'])} SDCs, each connected, with the name of its server"),),
        needs=(_POOL,),
        provides=(_NAMED,),
        text=("The command is for the last box.",),
        commands=_PASSWORD,
    )


def _volumes(plan: Plan, values: dict[str, Any], script: int, made: bool) -> Step:
    box = _run(values["master"]["name"], ("08-volumes.sh", "09-maps.sh"), "7.", script)
    missing = [t.volume or "" for t in plan.targets if not t.device]
    lacking = f"No reply shows {listed(missing)}; the scripts leave the others alone."
    sizes = Counter(v.bytes for v in plan.volumes)
    return Step(
        "Make and map the volumes of PowerFlex",
        (box._replace(done=made, about=(("powerflex", "volume"),)),),
        (
            Look("`scli --query_all_volumes`", ", ".join(f"{n} of {binary_bytes(b)}" for b, n in sizes.items())),
            Look("the same", "each volume mapped to the SDCs of the page, section 7"),
        ),
        needs=(_SHARED, _NAMED),
        provides=(VOLUMES,),
        text=(lacking,) if missing and len(missing) < len(plan.targets) else (),
        commands=_PASSWORD,
    )


def _collect_ids(plan: Plan, values: dict[str, Any], script: int) -> Iterator[Step]:
    """The ids of system and volumes, where nobody knows them yet: the names of the devices hold them."""
    if any(not t.device for t in plan.targets):
        yield Step(
            "Collect the ids of the volumes, and render again",
            (_run(values["master"]["name"], ("10-collect.sh",), "8.", script),),
            (Look("the new RUNBOOK.md", "the volumes as done, and no target left out for want of devices"),),
            needs=(VOLUMES,),
            provides=(REPLIES,),
            commands=_PASSWORD,
            text=(
                "Copy both texts into the folder of `--observed`, and run"
                " `pixsize render all --config REQUEST --observed FOLDER -o DIR`. Then go on in the new RUNBOOK.md.",
            ),
        )


def _devices(values: dict[str, Any], look: int) -> Step:
    return Step(
        "See the volumes on the servers",
        tuple(Box(s["name"], "`ls -l /dev/disk/by-id/emc-vol-*`", f"{_PAGE}#8.", look) for s in values["sdcs"]),
        (Look("each server", "the volumes that are mapped to it (page, section 7), and no other"),),
        needs=(VOLUMES,),
        after=(REPLIES,),
        provides=(DEVICES,),
    )
