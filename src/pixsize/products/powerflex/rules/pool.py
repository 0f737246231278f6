"""A PowerFlex pool: what was asked of it, what it takes, and what it can rebuild."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from pixsize import units
from pixsize.catalog.records import Constant, Limit
from pixsize.check.asked import adapters, management_servers, switches
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered, listed, unlike
from pixsize.findings import Finding
from pixsize.plan.records import Pool, Server
from pixsize.products.powerflex.observed import reported_pool
from pixsize.products.powerflex.request import pool_request

_ALLOWED = "the plan is what was asked for, neither less nor more"
_PRINTED_AS_GIB, _PRINTED_DECIMAL = 1600 * 2**30, 16 * 10**11
"""`1.6 TB` of the PowerFlex paper (Installation Details), as the MDM counts GB and TB, and in decimal terabytes."""


def pool_as_asked(case: Case) -> Iterator[Finding]:
    """PX525: one pool of all the drives of the servers asked for, with the spare share asked for."""
    wanted, design = pool_request(case), case.pool_design
    drives = wanted.servers * design.storage.drives

    def hits() -> Iterator[Hit]:
        if len(case.plan.pools) != 1:
            yield "servers", f"{len(case.plan.pools)} pools, where one is due"
        for pool in case.plan.pools:
            rows: tuple[tuple[str, str, object, object], ...] = (
                ("", "name", pool.id, design.pool),
                ("", "domain", pool.domain, design.domain),
                ("hosts", "servers", pool.servers, wanted.hosts),
                ("drive", "drive", pool.drive, wanted.drive),
                ("servers", "drives", pool.drives, drives),
                ("powerflex.spare", "spare", pool.spare_percent, wanted.powerflex.spare),
                ("drive", "bytes", pool.bytes, drives * case.drive(wanted.drive).capacity_bytes),
            )
            for where, word, seen, due in rows:
                if seen != due:
                    yield where, f"{word} of {pool.id} is {seen}, where {due} was asked for"

    return gathered("PX525", hits(), _ALLOWED)


def servers_as_asked(case: Case) -> Iterator[Finding]:
    """PX525: the servers of the pool and of the metadata, by name, model, adapters and drives."""
    wanted, design = pool_request(case), case.pool_design
    rows = (
        ("servers", "storage", wanted.hosts, design.storage.servers, (wanted.drive, design.storage.drives)),
        ("metadata", "metadata", wanted.metadata.hosts, design.metadata, None),
    )

    def hits() -> Iterator[Hit]:
        for where, role, hosts, due, drives in rows:
            there = [s for s in case.plan.servers if s.role == role]
            if tuple(s.id for s in there) != hosts:
                yield where, f"servers {listed(s.id for s in there)}, where {listed(hosts)} were asked for"
            for server in there:
                if (server.model, dict(server.adapters), server.drives) != (due.model, due.adapters, drives):
                    yield where, f"{server.id} is {_built(server)}"

    return gathered("PX525", hits(), _ALLOWED)


def volumes_agree(case: Case) -> Iterator[Finding]:
    """PX524: a volume lies in a pool of the plan, and its device is what its ids make it."""
    seen = reported_pool(case.observed)

    def hits() -> Iterator[Hit]:
        for target in case.plan.targets:
            volume = case.volumes.get(target.volume or "")
            if volume is None:
                continue  # PX506 names it
            reply = seen.volumes.get(volume.id) if seen else None
            name = f"emc-vol-{seen.system}-{reply.id}" if seen and reply else None
            due = f"/dev/disk/by-id/{name}" if name else ""
            if target.device != due:
                there = target.device or "none"
                yield case.where_of(target), f"{target.id}: device {there}, where {due or 'none'} is due"
            if volume.wwid != name:
                yield case.where_of(target), f"{volume.id} is known as {volume.wwid}, where {name} is due"
            if (volume.provider, volume.purpose, volume.array) != ("powerflex", target.purpose, ""):
                yield case.where_of(target), f"{target.id}: {volume.id} is no volume for {target.purpose} of a pool"

    return gathered("PX524", hits(), "volume and target describe one thing")


def steps(case: Case) -> Iterator[Finding]:
    """PX555: volumes are whole steps of the MDM."""
    step = case.limit("powerflex.volume_step")

    def hits() -> Iterator[Hit]:
        for target in case.plan.targets:
            there = case.bytes_of(target)
            if there % step:
                yield f"powerflex.{target.kind}", f"{target.volume} has {there:,} bytes"

    allowed = f"the MDM rounds each volume up to a multiple of {units.binary_bytes(step)}"
    return gathered("PX555", hits(), allowed)


def room(case: Case) -> Iterator[Finding]:
    """PX553: the volumes fit the pool beside its spare share, each byte in every copy."""
    for pool in case.plan.pools:
        wanted, net = _wanted(case, pool), _net(case, pool)
        if wanted > net:
            message = (
                f"the volumes are {_gib(wanted)}; {pool.id} has {_gib(net)} of its {units.decimal_bytes(pool.bytes)}, "
                f"with {pool.spare_percent} % spare and each byte {_copies(case)} times"
            )
            yield Finding("PX553", message, *_too_much(case, pool, net))


def rebuild(case: Case) -> Iterator[Finding]:
    """PX554: when a server is lost, the others have room for what it held."""
    for pool in case.plan.pools:
        wanted, servers = _wanted(case, pool), len(pool.servers)
        if wanted > _net(case, pool) or not servers:
            continue  # PX553 names it
        left, due = _left(case, pool), -(-100 // servers)
        share = f"{pool.spare_percent} % are spare, where one server of {servers} is {due} %"
        if wanted > left:
            seen = f"a lost server cannot be rebuilt: the others have room for {_gib(left)} of {_gib(wanted)}; {share}"
        elif pool.spare_percent < due:
            seen = f"a lost server can be rebuilt only while the pool is not filled further: {share}"
        else:
            continue
        yield Finding("PX554", seen, "powerflex.spare", f"spare: {due}, and OSTs that fit beside it")


def room_left(case: Case) -> Iterator[Finding]:
    """PX566: beside the spare share a part of the pool stays free, so that the last volumes can be made."""
    share = case.catalog.get(Constant, "powerflex.pool_free").value
    for pool in case.plan.pools:
        wanted, net = _wanted(case, pool), _net(case, pool)
        most = math.floor(pool.bytes * (Fraction(100 - pool.spare_percent, 100) - share) / _copies(case))
        if most < wanted <= net:
            message = (
                f"the volumes leave {_gib(net - wanted)} of the {_gib(net)} that {pool.id} has for them; "
                f"{float(share * 100):g} % of the pool, {_gib(net - most)}, is to stay free, as drives hold a little "
                "less than as sold"
            )
            yield Finding("PX566", message, "powerflex.ost", "leave `ost` out for the largest size that leaves as much")


def members(case: Case) -> Iterator[Finding]:
    """PX556: a pool has enough servers, and three or five servers of the plan are its MDM cluster."""
    least, many = case.limit("powerflex.sds_min"), case.limit("powerflex.five_mdms")

    def hits() -> Iterator[Hit]:
        for pool in case.plan.pools:
            if len(set(pool.servers)) < least:
                yield "servers", f"{pool.id} has {len(set(pool.servers))} servers"
            known = set(pool.mdms) <= {s.id for s in case.plan.servers}
            due = 5 if len(pool.servers) >= many else 3
            if len(pool.mdms) != due or len(set(pool.mdms)) != due or not known:
                yield "servers", f"the MDM cluster of {pool.id} is {listed(pool.mdms) or 'nobody'}, where {due} are due"

    allowed = (
        f"a pool has at least {least} servers; two managers and a tie breaker are three servers of the plan, and from "
        f"{many} servers on three managers and two tie breakers are five"
    )
    return gathered("PX556", hits(), allowed)


def managers_apart(case: Case) -> Iterator[Finding]:
    """PX567: no two managers of the MDM cluster are servers that take over from each other."""

    def hits() -> Iterator[Hit]:
        for pool in case.plan.pools:
            for group in _takeover_groups(case):
                together = [m for m in group if m in pool.managers]
                if len(together) > 1:
                    yield "servers", f"{listed(together)} manage {pool.id} and take over from each other"

    return gathered("PX567", hits(), "the managers of the MDM cluster are servers of different failover groups")


def _takeover_groups(case: Case) -> list[list[str]]:
    """The servers that may come to serve one target: neighbours, the last three of an odd number, and the MDS."""
    if not _takes_over(case):
        return []
    oss = [s.id for s in case.plan.servers if s.role == "storage"]
    ring = oss[-3:] if len(oss) % 2 else []
    pairs = [oss[place : place + 2] for place in range(0, len(oss) - len(ring), 2)]
    return [*pairs, ring, [s.id for s in case.plan.servers if s.role == "metadata"]]


def beyond_the_pool(case: Case) -> Iterator[Finding]:
    """PX526: a pool has no more devices and servers than its vendor allows."""
    return _beyond("PX526", case, confirmed=True)


def beyond_another_release(case: Case) -> Iterator[Finding]:
    """PX527: the same, where the bound is known for another release only."""
    return _beyond("PX527", case, confirmed=False)


def two_readings(case: Case) -> Iterator[Finding]:
    """PX557: an OST of the size that the document prints is shown in both of its readings."""
    wanted = pool_request(case).powerflex
    if wanted.ost_bytes != _PRINTED_AS_GIB or not case.plan.pools:
        return
    pool, step = case.plan.pools[0], case.limit("powerflex.volume_step")
    other = -(-_PRINTED_DECIMAL // step) * step
    now = _wanted(case, pool)
    then = now - len(case.of_kind["ost"]) * (wanted.ost_bytes - other)
    message = (
        f"the document's 1.6 TB are taken as {_gib(wanted.ost_bytes)}, {_gib(now)} in all, as PowerFlex counts; in "
        f"decimal units an OST would be {_gib(other)}, {_gib(then)} in all. When a server is lost, "
        f"{_gib(_left(case, pool))} have room"
    )
    yield Finding("PX557", message, "powerflex.ost", "leave `ost` out for the largest that can be rebuilt")


def nobody_takes_over(case: Case) -> Iterator[Finding]:
    """PX558: another server takes the targets of a lost one over."""
    if not _takes_over(case):
        each = len(case.of_kind["ost"]) // max(len(pool_request(case).hosts), 1)
        message = f"nothing takes over a dead server: its {each} OSTs, and all files with a stripe there, wait for it"
        yield Finding("PX558", message, "failover", "failover: true maps each volume to a second server")


def fencing_stops_sds(case: Case) -> Iterator[Finding]:
    """PX419: fencing an OSS takes nothing away but the OSS."""
    if _takes_over(case):
        message = (
            "each OSS is an SDS too: fencing one makes the pool rebuild what it held. A second one that is fenced or "
            f"lost before the rebuild has ended takes data from every target{_management(case)}"
        )
        yield Finding("PX419", message, "failover", "wait for the rebuild before a server is stopped by hand")


def parts_in_order(case: Case) -> Iterator[Finding]:
    """PX525: servers, switches and the MDM cluster have the names and the order that the request gives."""
    wanted, design = pool_request(case), case.pool_design
    servers = [(name, "metadata", None, adapters(design.metadata)) for name in wanted.metadata.hosts]
    servers += [(name, "storage", None, adapters(design.storage.servers)) for name in wanted.hosts]

    def hits() -> Iterator[str]:
        words = ("id", "role", "module", "adapters")
        yield from unlike("server", words, case.plan.servers, (*servers, *management_servers(case)))
        yield from unlike("switch", ("id", "role", "model"), case.plan.switches, switches(case))
        network = wanted.powerflex.network
        due = (design.pool, _due_mdms(case), network.interface if network else "", wanted.failover)
        yield from unlike("pool", ("id", "mdms", "interface", "takeover"), case.plan.pools, [due])

    return gathered("PX525", (("", why) for why in hits()), _ALLOWED)


def _takes_over(case: Case) -> bool:
    """Whether a second server takes over the targets of one that is lost."""
    return all(pool.takeover for pool in case.plan.pools)


def _due_mdms(case: Case) -> tuple[str, ...]:
    """The members of the MDM cluster: one server of each group that takes over, then a second one of each.

    The servers with drives come first. Without failover they are the first of those.
    """
    count = 5 if pool_request(case).servers >= case.limit("powerflex.five_mdms") else 3
    groups = _takeover_groups(case)
    ranked = sorted((place, turn, name) for turn, group in enumerate(groups) for place, name in enumerate(group))
    return tuple(name for _, _, name in ranked)[:count] or pool_request(case).hosts[:count]


ASKED = (pool_as_asked, servers_as_asked)
RULES = (
    volumes_agree,
    room,
    rebuild,
    room_left,
    steps,
    members,
    managers_apart,
    beyond_the_pool,
    beyond_another_release,
    nobody_takes_over,
    two_readings,
    fencing_stops_sds,
)
EXACT = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _management(case: Case) -> str:
    """What the loss of two servers means for the management of the pool."""
    three = any(len(pool.mdms) == 3 for pool in case.plan.pools)
    return ", and the pool's management too where both are members of its MDM cluster" if three else ""


def _built(server: Server) -> str:
    drives = f" and {server.drives[1]} {server.drives[0]}" if server.drives else ""
    return f"{server.model} with {listed(f'{count} {name}' for name, count in server.adapters)}{drives}"


def _gib(size: int) -> str:
    return f"{size // 2**30:,} GiB"


def _copies(case: Case) -> int:
    return case.limit("powerflex.mirror_copies")


def _too_much(case: Case, pool: Pool, net: int) -> tuple[str, str]:
    """The word whose value does not fit, and a hint: the OSTs', unless all the rest leaves no room for small ones."""
    step = case.limit("powerflex.volume_step")
    least = sum(step if t.kind == "ost" else case.bytes_of(t) for t in case.plan.targets)
    if least <= net:
        return "powerflex.ost", "smaller OSTs, or more servers"
    if pool.spare_percent > -(-100 // max(len(pool.servers), 1)):
        return "powerflex.spare", "a smaller spare share: beside it there is no room for OSTs"
    mgt = sum(case.bytes_of(t) for t in case.of_kind["mgt"])
    if mgt > sum(case.bytes_of(t) for t in case.of_kind["mdt"]):
        return "powerflex.mgt", "a smaller MGT: beside it there is no room for OSTs"
    return "powerflex.mdt", "smaller MDTs, or more servers: beside them there is no room for OSTs"


def _wanted(case: Case, pool: Pool) -> int:
    """What the pool's volumes take, each a whole number of steps."""
    step = case.limit("powerflex.volume_step")
    return sum(-(-v.bytes // step) * step for v in case.plan.volumes if v.backing == pool.id)


def _net(case: Case, pool: Pool) -> int:
    return pool.bytes * (100 - pool.spare_percent) // 100 // _copies(case)


def _left(case: Case, pool: Pool) -> int:
    """What volumes may take so that all copies fit when a server is lost, the spare share used up."""
    servers = max(len(pool.servers), 1)
    return pool.bytes * (servers - 1) // servers // _copies(case)


def _beyond(code: str, case: Case, *, confirmed: bool) -> Iterator[Finding]:
    """One finding a limit and pool; limits that are not confirmed warn, others forbid."""
    for pool in case.plan.pools:
        bounds = (
            (pool.drives, f"devices in pool {pool.id}", "powerflex.pool_devices"),
            (len(pool.servers), f"servers in domain {pool.domain}", "powerflex.domain_sds"),
        )
        for count, what, limit_id in bounds:
            limit = case.catalog.get(Limit, limit_id)
            if limit.confirmed == confirmed and count > limit.value:
                doubt = "" if confirmed else ", as seen for another release, unconfirmed"
                message = f"{count:,} {what}; {limit.title}: {limit.value:,} at most{doubt}"
                yield Finding(code, message, "servers", f"catalog: {limit_id}")
