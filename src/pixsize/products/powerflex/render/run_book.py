"""The view of the run book of PowerFlex: which server runs what, and what must be seen before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Limit
from pixsize.plan.records import Plan, Pool
from pixsize.product import pool_terms, terms_of
from pixsize.products.powerflex.plan import own_of
from pixsize.products.powerflex.render.powerflex import CHECK_DRIVES, MASTER_SCRIPTS, SDC, Script
from pixsize.products.powerflex.request import VOLUME_STEP
from pixsize.render.template import word
from pixsize.units import binary_bytes, decimal_bytes

_GIB = 2**30  # the unit of `--size_gb`: GB of PowerFlex are binary
_FIRST_OF_FILE_SYSTEM = 4
"""The first number of the file system in the list of what starts: MDM cluster, SDS and SDC come before it."""
_IN_POOL = "protection_domain_name, storage_pool_name"
_COMMANDS = (
    (
        "create_mdm_cluster",
        "master_mdm_ip, master_mdm_management_ip, master_mdm_name, accept_license, approve_certificate",
    ),
    ("login", "username, password"),
    ("set_password", "old_password, new_password"),
    (
        "add_standby_mdm",
        "new_mdm_ip, mdm_role (manager, tb), new_mdm_name, new_mdm_management_ip; "
        "where it wants a certificate approved, approve_certificate as well",
    ),
    (
        "switch_cluster_mode",
        "cluster_mode (3_node, 5_node), add_slave_mdm_name, add_tb_name; a comma between two names, from memory",
    ),
    ("query_cluster", "no more"),
    ("add_protection_domain", "protection_domain_name"),
    ("add_storage_pool", f"{_IN_POOL}, media_type (SSD)"),
    ("modify_spare_policy", f"{_IN_POOL}, spare_percentage, i_am_sure"),
    ("modify_zero_padding_policy", f"{_IN_POOL}, enable_zero_padding"),
    ("add_sds", f"sds_ip, sds_ip_role (all), {_IN_POOL}, sds_name, device_path"),
    ("add_sds_device", "sds_name, storage_pool_name, device_path"),
    ("query_all_sdc", "no more"),
    ("rename_sdc", "sdc_ip, new_name"),
    ("add_sdc", "sdc_ip, sdc_name; in restricted mode alone"),
    ("add_volume", f"{_IN_POOL}, volume_name, size_gb; thick where nothing else is said"),
    ("map_volume_to_sdc", "volume_name, sdc_name, allow_multi_map"),
    ("query_all_volumes", "no more"),
    ("query_storage_pool", "protection_domain_name, storage_pool_name"),
)
"""Commands of scli 3.x and their options, as public roles, modules and scripts use them (catalog:
dell-ansible-powerflex, puppet-scaleio). The run book lists them, so that they can be compared with `scli --help`."""


def view(plan: Plan, catalog: Catalog, values: dict[str, Any]) -> dict[str, Any]:
    """Everything that the template of the run book loops over, beside the words of the scripts."""
    pool, terms = plan.pools[0], pool_terms(terms_of(plan, catalog))
    drive = catalog.get(Drive, pool.drive)
    return values | {
        "interface": word(pool.interface),
        "files": [_row(s, values) for s in sorted((*MASTER_SCRIPTS, CHECK_DRIVES, SDC))],
        "counts": {
            "servers": f"{len(pool.servers)} SDS",
            "volumes": f"{len(plan.volumes)} volumes",
            "drives": f"{pool.drives} drives",
        },
        "nodes": list(nodes(plan, pool)),
        "mtu": word(catalog.get(Limit, "powerflex.mtu").value),
        "helps": [{"command": command, "words": options} for command, options in _COMMANDS],
        "rebuild": _rebuild(pool),
        "first_device": values["servers"][0]["device"],
        "drive": f"{decimal_bytes(drive.capacity_bytes)} = {binary_bytes(drive.capacity_bytes)}",
        "raw": f"{decimal_bytes(pool.bytes)} = {binary_bytes(pool.bytes)}",
        "kinds": list(_kinds(plan, terms.kinds)),
        "fs": terms,
        "starts": terms.starts(plan, _FIRST_OF_FILE_SYSTEM),
        "stops": terms.stops(plan),
        "mounts": terms.mounts(plan),
        **_room(plan, values),
        "failover": pool.takeover,
        "survives": "one" if len(own_of(pool).tie_breakers) == 1 else "two",
        "step": word(int(catalog.get(Limit, VOLUME_STEP).value) // _GIB),
        "shown": [{"name": word(t.volume), "sdcs": ", ".join(map(word, t.servers))} for t in plan.targets],
        "maps_note": " ".join(values["sharing_note"]),
    }


def _row(script: Script, values: dict[str, Any]) -> dict[str, str]:
    places = {CHECK_DRIVES.name: f"each of {values['sharing']}", SDC.name: f"each of {values['clients']}"}
    return {
        "name": script.name,
        "host": places.get(script.name, values["master"]["name"]),
        "makes": script.summary.rstrip("."),
        "destroys": "**what the drives hold**" if script.destroys else "nothing",
    }


def nodes(plan: Plan, pool: Pool) -> Iterator[dict[str, str]]:
    """A row for each server that runs a part of PowerFlex."""
    mdm_cluster = own_of(pool)
    mdm = dict.fromkeys(mdm_cluster.tie_breakers, "tie breaker") | dict.fromkeys(mdm_cluster.managers, "manager")
    mdm[mdm_cluster.managers[0]] = "manager, master"
    serving = {s for t in plan.targets for s in t.servers}
    for server in plan.servers:
        if server.id in serving or server.id in pool.servers:
            yield {
                "name": word(server.id),
                "ip": ", ".join(map(word, server.storage_ips)),
                "mdm": mdm.get(server.id, ""),
                "sds": "yes" if server.id in pool.servers else "",
                "sdc": "yes" if server.id in serving else "",
            }


def _rebuild(pool: Pool) -> str:
    """Whether the spare share suffices to rebuild a lost server, as a sentence."""
    if pool.spare_percent * len(pool.servers) >= 100:
        return f" One of {len(pool.servers)} servers holds no more."
    return (
        f" **One of {len(pool.servers)} servers holds more: after its loss the pool cannot rebuild everything**, and"
        " stays with one copy of some data until the server is back."
    )


def _room(plan: Plan, values: dict[str, Any]) -> dict[str, str]:
    """In GiB: all volumes, the space for them by the drives as sold, the most space there can be, and what is left."""
    total = sum(v.bytes for v in plan.volumes) // _GIB
    return {
        "total": f"{total:,}",
        "room": f"{values['room_gib']:,}",
        "most": f"{values['most_gib']:,}",
        "left": f"{max(values['room_gib'] - total, 0):,}",
    }


def _kinds(plan: Plan, names: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """A row for each kind of target and size of its volumes."""
    sizes = {v.id: v.bytes for v in plan.volumes}
    rows = [(t.kind, sizes[t.volume]) for t in plan.targets if t.volume]
    for (kind, size), group in groupby(rows):
        count = len(list(group))
        gib = size // _GIB
        yield {"name": names[kind], "count": str(count), "gib": f"{gib:,}", "total": f"{gib * count:,}"}
