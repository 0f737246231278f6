"""What a person runs to set PowerFlex 3.x up: the MDM cluster, the pool, its drives, the volumes and their maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Limit
from pixsize.catalog.tunings import Tuning
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Pool, Server
from pixsize.product import pool_terms, terms_of
from pixsize.products.powerflex.build import MIRROR_COPIES, mirrored_bytes
from pixsize.products.powerflex.observed import LOGIN, VOLUMES
from pixsize.products.powerflex.plan import on_powerflex, own_of
from pixsize.products.powerflex.request import VOLUME_STEP
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import code, comma_list, device, prose, word, word_list

REVIEW = "performance-parameters.txt"
_ALONE = ["Each volume is mapped to one server: nothing takes over the targets of a server that is lost."]
_GIB = 2**30  # the unit of `--size_gb`: GB of PowerFlex are binary
_MORE_PERCENT = 2
"""03-check-drives.sh accepts drives of 1 % more than as sold. A reply with over 2 % more free space is misread."""
_DRIVE = "/dev/nvme{number}n1"
"""What Linux calls the NVMe drives of a server, in the order in which it finds them (see the run book, section 3)."""


class Option(NamedTuple):
    """An option of a script: what the usage says of it, and the name of its number; empty where it takes none."""

    name: str
    says: str
    argument: str = ""


class Script(NamedTuple):
    """A script of the series: what it does, in a line, and whether it destroys what the drives hold."""

    name: str
    summary: str
    destroys: bool = False
    options: tuple[Option, ...] = ()


_DRIVES_CHECKED = (
    Option("--drives-checked", "03-check-drives.sh has passed on every server: destroy what the drives hold"),
)
_RESTRICTED_MODE = (Option("--restricted", "lets in each SDC that is not there yet: PowerFlex is in restricted mode"),)
_UNREADABLE_REPLIES = (
    Option("--free", "the room for volumes, as you read it yourself: the script does not ask", "GIB"),
    Option("--skip-list", "does not ask which volumes there are: those before --from, and no others"),
)
_POOL_CHECKED = (
    Option("--skip-list", "does not ask in which pool the volumes are: you have seen that it is the planned one"),
)
MASTER_SCRIPTS = (
    Script("01-mdm-cluster.sh", "Makes the MDM cluster: its managers and tie breakers."),
    Script("02-pool.sh", "Makes the protection domain and the pool, with its spare policy and zero padding."),
    Script("04-sds.sh", "Adds each SDS to the protection domain, with its first drive.", True, _DRIVES_CHECKED),
    Script("05-drives.sh", "Adds the other drives of each SDS to the pool.", True, _DRIVES_CHECKED),
    Script(
        "07-sdc-names.sh",
        "Gives each SDC the name of its server, and sees whether it is connected.",
        options=_RESTRICTED_MODE,
    ),
    Script("08-volumes.sh", "Makes the volumes, where the pool has room for all of them.", options=_UNREADABLE_REPLIES),
    Script(
        "09-maps.sh", "Maps each volume to the SDCs of the servers that may serve its target.", options=_POOL_CHECKED
    ),
    Script("10-collect.sh", "Collects the ids of the system and of its volumes, for pixsize."),
)
"""The scripts that run on the master MDM."""
CHECK_DRIVES = Script("03-check-drives.sh", "Checks the drives of a server.")
SDC = Script("06-sdc.sh", "Tells the SDC of a server where the MDMs are.")


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The scripts in the order of their numbers, the settings that are only to be looked at, and the run book."""
    from pixsize.products.powerflex.render.run_book import view as run_book  # most runs render no run book

    values = view(plan, catalog)
    return (
        *sorted(_scripts(values), key=lambda f: f.path),
        File(f"powerflex/{REVIEW}", template.fill(f"powerflex/{REVIEW}.j2", review(plan, catalog))),
        File("powerflex/README.md", template.fill("powerflex/README.md.j2", run_book(plan, catalog, values))),
    )


def _scripts(values: dict[str, Any]) -> Iterator[File]:
    for script in (CHECK_DRIVES, SDC):
        yield File(f"powerflex/{script.name}", template.fill(f"powerflex/{script.name}.j2", values), executable=True)
    for script in MASTER_SCRIPTS:
        text = template.fill(f"powerflex/{script.name}.j2", values | _head(script, values))
        yield File(f"powerflex/{script.name}", text, executable=True)


def _head(script: Script, values: dict[str, Any]) -> dict[str, Any]:
    """What the head of a script of the master MDM shows: its name, its options, and the number of its steps."""
    steps = {
        "01-mdm-cluster.sh": 3 + values["members"],
        "02-pool.sh": 4,
        "04-sds.sh": len(values["servers"]),
        "05-drives.sh": len(values["drives"]),
        "07-sdc-names.sh": len(values["sdcs"]),
        "08-volumes.sh": len(values["volumes"]),
        "09-maps.sh": len(values["maps"]),
        "10-collect.sh": 2,
    }
    flags = [_flag(option, needed=script.destroys) for option in script.options]
    return {
        "script": script.name,
        "summary": script.summary,
        "steps": steps[script.name],
        "destroys": script.destroys,
        "flags": flags,
        "flags_usage": "".join(f" {flag['usage']}" for flag in flags),
    }


def _flag(option: Option, *, needed: bool) -> dict[str, Any]:
    """An option of a script as its usage shows it, and the variable that holds it."""
    shown = f"{option.name} {option.argument}".strip()
    return {
        "option": option.name,
        "variable": option.name.strip("-").replace("-", "_"),
        "usage": shown if needed else f"[{shown}]",
        "shown": shown.ljust(15),
        "says": option.says,
        "counts": option.argument,
    }


def view(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """What the templates of the scripts substitute. ValueError for a volume that is no multiple of the step."""
    pool, terms = plan.pools[0], pool_terms(terms_of(plan, catalog))
    servers = {s.id: s for s in plan.servers}
    sharing = [servers[s] for s in pool.servers]
    clients = _clients(plan)
    drives = {s.id: s.drives[1] if s.drives else 0 for s in sharing}
    per_server = {s: [device(_DRIVE.format(number=n)) for n in range(count)] for s, count in drives.items()}
    return {
        "plan": word(plan.name),
        "domain": word(pool.domain),
        "pool": word(pool.id),
        "spare": word(pool.spare_percent),
        **_cluster(pool, servers),
        "sharing": word_list([s.id for s in sharing]),
        "clients": word_list([s.id for s in clients]),
        "servers": [_node(s) | {"device": per_server[s.id][0]} for s in sharing],
        "drives": [{"sds": word(s), "device": d} for s, values in per_server.items() for d in values[1:]],
        "devices": " ".join(per_server[sharing[0].id]),
        "count": word(len(per_server[sharing[0].id])),
        "bytes": word(catalog.get(Drive, pool.drive).capacity_bytes),
        "sdcs": [_node(s) for s in clients],
        "volumes": list(_volumes(plan, catalog)),
        "data_targets": terms.kinds[terms.data],
        "data_word": terms.data,
        "room_gib": volume_space(pool, catalog) // _GIB,
        "most_gib": volume_space(pool, catalog) * (100 + _MORE_PERCENT) // 100 // _GIB,
        "maps": list(_maps(plan)),
        "sharing_note": list(terms.two_servers) if pool.takeover else _ALONE,
        "login_file": LOGIN,
        "volumes_file": VOLUMES,
    }


def volume_space(pool: Pool, catalog: Catalog) -> int:
    """The bytes that a pool has for volumes, worked out from its drives as sold."""
    return mirrored_bytes(pool.bytes, pool.spare_percent, catalog.get(Limit, MIRROR_COPIES).value)


def _cluster(pool: Pool, servers: dict[str, Server]) -> dict[str, Any]:
    """The members of the MDM cluster by their roles, and the addresses at which an SDC finds the managers."""
    mdm_cluster = own_of(pool)
    managers, tie_breakers = (
        [_node(servers[s]) for s in part] for part in (mdm_cluster.managers, mdm_cluster.tie_breakers)
    )
    return {
        "master": managers[0],
        "slaves": managers[1:],
        "tie_breakers": tie_breakers,
        "members": len(mdm_cluster.mdms),
        "slave_names": comma_list(mdm_cluster.managers[1:]),
        "tie_breaker_names": comma_list(mdm_cluster.tie_breakers),
        "manager_list": word_list(list(mdm_cluster.managers)),
        "tie_breaker_list": word_list(list(mdm_cluster.tie_breakers)),
        "member_list": word_list(list(mdm_cluster.mdms)),
        "mdms": comma_list(ip for s in mdm_cluster.managers for ip in servers[s].storage_ips),
    }


def _node(server: Server) -> dict[str, Any]:
    return {"name": word(server.id), "ip": word(server.storage_ips[0]), "ips": comma_list(server.storage_ips)}


def _clients(plan: Plan) -> list[Server]:
    """The servers that use volumes of the pool, in the order of the plan."""
    serving = {s for t in plan.targets for s in t.servers}
    return [s for s in plan.servers if s.id in serving]


def _volumes(plan: Plan, catalog: Catalog) -> Iterator[dict[str, str]]:
    step = catalog.get(Limit, VOLUME_STEP).value
    for volume in plan.volumes:
        if volume.bytes <= 0 or volume.bytes % step or volume.bytes % _GIB:
            raise ValueError(f"{volume.id} of {volume.bytes} bytes is no multiple of {step}")
        yield {"name": word(volume.id), "gib": word(volume.bytes // _GIB)}


def _maps(plan: Plan) -> Iterator[dict[str, str]]:
    """A row for each volume and server of its target. From a volume's second map on, scli wants --allow_multi_map."""
    for target in plan.targets:
        for rank, server in enumerate(target.servers):
            more = " --allow_multi_map" if rank else ""
            yield {"volume": word(target.volume), "sdc": word(server), "more": more}


def review(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """The settings of PowerFlex that the design's document prints, without a command that a public source confirms."""
    tunings = catalog.of_design(Tuning, plan.design)
    settings = [_setting(t) for t in tunings if "powerflex" in t.set_on]
    return {
        "plan": word(plan.name),
        "count": len(settings),
        "settings": settings,
        "misspelt": [s for s in settings if s["printed_name"] != s["name"]],
    }


def _setting(tuning: Tuning) -> dict[str, str]:
    return {
        "name": word(tuning.parameter),
        "value": word(tuning.value),
        "of": " ".join(f"--all_{word(part)}" for part in tuning.acts_on),
        "printed": code(tuning.printed),
        "printed_name": word(tuning.printed_name),
        "doubt": prose(tuning.doubt) or "the option",
    }


def _unknown_addresses(plan: Plan) -> tuple[Finding, ...]:
    """PX630: SDS, SDC and MDM are named by their addresses."""
    if not on_powerflex(plan):
        return ()
    needed = {s for pool in plan.pools for s in (*pool.servers, *own_of(pool).mdms)} | {s.id for s in _clients(plan)}
    lacking = [s.id for s in plan.servers if s.id in needed and not s.storage_ips]
    if not lacking:
        return ()
    message = f"the addresses of {word_list(lacking)} on the network of PowerFlex are unknown"
    hint = "add powerflex: {network: {interface: p1p1, subnet: 10.20.0.0/24}}, with the values of the site"
    return (Finding("PX630", message, "powerflex", hint),)


RENDERER = Renderer(
    name="powerflex",
    summary="MDM cluster, pool, drives, volumes and maps of PowerFlex, with a run book",
    needs="the addresses of the servers on the network of PowerFlex (powerflex.network)",
    applies=lambda plan: on_powerflex(plan) and not _unknown_addresses(plan),
    findings=lambda plan, _: _unknown_addresses(plan),
    files=files,
)
