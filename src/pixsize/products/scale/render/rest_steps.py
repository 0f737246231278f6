"""The whole system off, and on again: the order for every later time, tried once before users come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Target
from pixsize.products.scale.plan import CLIENTS, scale
from pixsize.render.steps import (
    ACCEPTED,
    BACK,
    POWERED,
    SERVICES_STOPPED,
    SERVING,
    STOPPED,
    VOLUMES_STOPPED,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import word
from pixsize.texts import listed, plural

_OFF = "a system that was switched off in order"


def steps(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> tuple[Step, ...]:
    """GPFS, then the devices; the devices, then GPFS. `values` are those of the scripts."""
    return (_stopped(plan, values, catalog), _off(plan, catalog), *_on(plan, values, catalog))


def _stopped(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> Step:
    name, admin = word(scale(plan).name), word(values["admin"])
    return Step(
        "Stop GPFS everywhere",
        (Box(admin, "enter the commands", "", seconds(catalog, "script")),),
        (
            Look(
                f"`mmlsmount {name} -L`, before `mmshutdown`",
                "no node: where one has it, `lsof` there says who uses it",
            ),
            Look("`mmgetstate -a`", f"{plural(len(values['nodes']), 'node')} `down`"),
        ),
        needs=(SERVING,),
        after=(ACCEPTED, SERVICES_STOPPED),
        provides=(STOPPED,),
        text=(
            f"This step and {_following(plan)} the order for every later time, too: users and services first, GPFS, the servers, the"
            " arrays. Before users come, they show that everything comes back by itself.",
        ),
        commands=(f"mmumount {name} -a", "mmshutdown -a"),
    )


def _following(plan: Plan) -> str:
    return "those behind it are" if _has_more(plan) else "the next two are"


def _has_more(plan: Plan) -> bool:
    """Whether something between the devices and the file system comes first when everything is switched on again."""
    return scale(plan).dmapi or any(_beside_the_arrays(plan))


def _off(plan: Plan, catalog: Catalog) -> Step:
    look = seconds(catalog, "look")
    servers = [Box(word(s.id), "`systemctl poweroff`", "", look) for s in reversed(plan.servers)]
    arrays = [
        Box(word(a.id), "its controllers shut down at its console, then its power; expansions last", "", 2 * look)
        for a in plan.arrays
    ]
    return Step(
        "Switch the servers off, then the arrays",
        (*servers, *arrays, Box("the switches", "off, if they serve nothing else", "", look)),
        (
            Look("the management controller of each server", "power off, before the first array goes off"),
            Look(
                "each array, before its power goes",
                "its console says that it was shut down: nothing waits in its cache",
            ),
        ),
        needs=(STOPPED,),
        after=(VOLUMES_STOPPED,),
        provides=(_OFF,),
        text=("The page of each array has its own order, and the words that shut its controllers down.",),
    )


def _on(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> tuple[Step, ...]:
    """One step, or two where something between the devices and the file system comes first."""
    beside = tuple(dict.fromkeys(s for t in _beside_the_arrays(plan) for s in t.servers))
    on, shown = _switched_on(beside, catalog), _seen(plan, values)
    look = Box(word(values["admin"]), _LOOKED, "", seconds(catalog, "script"))
    if not _has_more(plan):
        return (Step("Switch everything on again, and look", (*on, look), shown, needs=(_OFF,), text=(_USERS,)),)
    state, mounted, disks, *more = shown
    waits = Look("the health of the arrays, and each server", "health OK; a login on each")
    return (
        Step("Switch everything on again", on, (waits,), needs=(_OFF,), provides=(POWERED,)),
        Step(
            "Look at the file system that is on again",
            (look._replace(do=f"{_LOOKED}; a remedy of the table where a line is not right"),),
            (state, disks, mounted, *more),
            needs=(POWERED,),
            after=(BACK,),
            text=(_USERS,),
        ),
    )


_LOOKED = "the table, without entering anything else before"
_USERS = "From here on the system belongs to its users."


def _beside_the_arrays(plan: Plan) -> Iterator[Target]:
    """The targets on volumes of no array: their servers are the storage."""
    beside = {v.id for v in plan.volumes if not v.array}
    return (t for t in plan.targets if t.volume in beside)


def _switched_on(beside: Sequence[str], catalog: Catalog) -> tuple[Box, ...]:
    """The devices; the servers that hold volumes themselves before those that mount them."""
    restart = seconds(catalog, "restart")
    arrays = Box("the arrays", "expansions, controllers; then wait until their health is OK", "", restart)
    switches = Box("the switches", "on", "", seconds(catalog, "look"))
    if not beside:
        return (arrays, switches, Box("the servers", f"on, {_DATA_FIRST}", "", restart))
    holders = Box(listed(map(word, beside), 4), "on, and up before any other server: volumes lie in them", "", restart)
    return (arrays, switches, holders, Box("the other servers", f"on, {_DATA_FIRST}", "", restart))


_DATA_FIRST = "those of the data and the metadata first"


def _seen(plan: Plan, values: Mapping[str, Any]) -> tuple[Look, ...]:
    name, count = word(scale(plan).name), len(values["nodes"])
    stayed = f"; where clients stayed on, `mmstartup -N {CLIENTS}` first" if scale(plan).clients else ""
    return (
        Look("`mmgetstate -a`", f"{plural(count, 'node')} `active`: GPFS starts with its nodes (`autoload`){stayed}"),
        Look(f"`mmlsmount {name} -L`", f"{plural(count, 'node')}; else `mmmount {name} -a`, and find out why"),
        Look(f"`mmlsdisk {name} -e`", "that all disks are up and ready; else `mmchdisk " + name + " start -a`"),
        Look("`mmhealth cluster show`", "no component that is failed or degraded"),
        Look("the checks of the services of users, in their steps above", "the same as then"),
    )
