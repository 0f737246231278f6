"""The steps on servers before the first file."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Server
from pixsize.catalog.software import Ports
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.records import ScaleSetting
from pixsize.products.scale.render import site_steps
from pixsize.products.scale.render.cluster import PROGRAM, SETTINGS, outside
from pixsize.products.scale.render.hosts_steps import NAMED
from pixsize.products.scale.render.services_steps import clients
from pixsize.products.scale.render.site_steps import GPFS, versions
from pixsize.render.steps import CABLED, NETWORK, PREPARED, SAME_TIME, SAME_USERS, WITH_ARRAYS, Box, Look, Step, seconds
from pixsize.render.template import checked, prose, word

_COMMANDS = "tscCmdPortRange"
_READINGS = ("sas_as_allocated", "sas_as_cabled")
"""Words of a server's record: the slots of its SAS adapters where a document lists the slots, and where the cables."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What the servers need before anything else."""
    each = seconds(catalog, "prepare")
    with_arrays = [s for m in plan.modules for s in m.servers]
    boxes = [Box(word(s), f"GPFS, {WITH_ARRAYS}", "", each) for s in with_arrays]
    every = dict.fromkeys([*(s.id for s in plan.servers), *outside(plan)])
    boxes += [Box(word(s), "GPFS", "", each) for s in every if s not in with_arrays]
    prepare = Step(
        "Prepare the servers",
        tuple(boxes),
        (
            Look("`rpm -q gpfs.base`, on each", f"the same release everywhere{_release(plan, catalog)}"),
            Look("`modinfo -n mmfs26`, on each", "the module of the running kernel; else `mmbuildgpl`"),
            Look(
                f"`{checked(PROGRAM, scale(plan).cluster.remote_shell)} SERVER true`, as root from each to each",
                "no question, and nothing printed",
            ),
            SAME_TIME,
            SAME_USERS,
        ),
        after=(CABLED, NAMED, NETWORK),
        provides=(PREPARED,),
        text=(
            "Each server has its operating system, its adapters and the packages of its box. Names lead to the addresses"
            f" of the daemons, from every node. {_slots(plan, catalog)}rite down which port is cabled to which controller.",
            "PixStor brings GPFS, and is installed and licensed by its vendor's guide, on every server, before the cluster is"
            f" formed: the scripts of the folder `cluster` form it. Root has `/usr/lpp/mmfs/bin` in its PATH then: commands"
            f" stand here without it. Where firewalld runs, {_ports(catalog)} between all nodes.",
        ),
    )
    return (*site_steps.steps(plan, catalog), prepare, *clients(plan, catalog))


def _release(plan: Plan, catalog: Catalog) -> str:
    found = versions(plan, catalog).get(GPFS, "")
    return f"; {prose(found)} is what the document was tried with" if found else ""


def _ports(catalog: Catalog) -> str:
    """The ports of the daemons in a sentence."""
    ports = catalog.get(Ports, "scale.ports")
    named = ", ".join(f"{', '.join(map(str, numbers))} ({prose(program)})" for program, numbers in ports.tcp.items())
    ranges = (s.value for s in catalog.all(ScaleSetting) if s.attribute == _COMMANDS)
    more = "".join(f" and {word(ports)} (commands, `{_COMMANDS}` in `cluster/{SETTINGS.name}`)" for ports in ranges)
    return f"it lets TCP {named}{more} through"


def _slots(plan: Plan, catalog: Catalog) -> str:
    """The start of a sentence: in which slots the document has the SAS adapters, where it contradicts itself; and a w."""
    documents = {source.document for source in catalog.record(plan.design).sources}
    models = [catalog.get(Server, model) for model in sorted({s.model for s in plan.servers if s.role == "storage"})]
    for slots in (model.slots for model in models if documents & {source.document for source in model.sources}):
        named = [prose(slots[reading]) for reading in _READINGS if reading in slots]
        places = [slot.partition(" (")[0].replace(", ", " and ") for slot in named]
        if len(set(places)) > 1:
            return (
                f"The document puts the SAS adapters into slots {places[0]} in one place and {places[1]} in another: w"
            )
    return "W"
