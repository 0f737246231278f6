"""A PowerFlex pool: what it takes, what it can rebuild, and who manages it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from pixsize import units
from pixsize.catalog.records import Constant, Limit
from pixsize.check.context import Context, Hit, grouped
from pixsize.check.pools import expected_pool
from pixsize.findings import Finding
from pixsize.plan.records import Pool
from pixsize.product import pool_terms
from pixsize.products.powerflex.observed import reported_pool
from pixsize.products.powerflex.plan import PROVIDER, own_of
from pixsize.products.powerflex.rules.request import takeover_groups, takes_over
from pixsize.texts import listed


def volumes_agree(context: Context) -> Iterator[Finding]:
    """PX524: a volume lies in a pool of the plan, and its device is named after the reported ids."""
    system = reported_pool(context.observed)

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            volume = context.volumes.get(target.volume or "")
            if volume is None:
                continue  # PX506 names it
            reported = system.volumes.get(volume.id) if system else None
            name = f"emc-vol-{system.system}-{reported.id}" if system and reported else None
            expected = f"/dev/disk/by-id/{name}" if name else ""
            if target.device != expected:
                planned = target.device or "none"
                yield context.where_of(target), f"{target.id}: device {planned}, where {expected or 'none'} is due"
            if volume.wwid != name:
                yield context.where_of(target), f"{volume.id} is known as {volume.wwid}, where {name} is due"
            if (volume.provider, volume.purpose, volume.array) != (PROVIDER, target.purpose, ""):
                yield context.where_of(target), f"{target.id}: {volume.id} is no volume for {target.purpose} of a pool"

    return grouped("PX524", hits(), "volume and target describe one thing")


def whole_steps(context: Context) -> Iterator[Finding]:
    """PX555: the size of each volume is a multiple of the allocation step."""
    step = context.limit("powerflex.volume_step")

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            size = context.bytes_of(target)
            if size % step:
                yield f"powerflex.{target.kind}", f"{target.volume} has {size:,} bytes"

    allowed = f"the MDM rounds each volume up to a multiple of {units.binary_bytes(step)}"
    return grouped("PX555", hits(), allowed)


def volumes_fit(context: Context) -> Iterator[Finding]:
    """PX553: the volumes fit the pool beside its spare share, each byte in every copy."""
    for pool in context.plan.pools:
        needed, space = _volume_bytes(context, pool), _space_for_volumes(context, pool)
        if needed > space:
            message = (
                f"the volumes are {_gib(needed)}; {pool.id} has {_gib(space)} of its "
                f"{units.decimal_bytes(pool.bytes)}, "
                f"with {pool.spare_percent} % spare and each byte {_copies(context)} times"
            )
            yield Finding("PX553", message, *_oversized(context, pool, space))


def rebuild_space(context: Context) -> Iterator[Finding]:
    """PX554: when a server is lost, the others have space for a second copy of what it held."""
    for pool in context.plan.pools:
        needed, servers = _volume_bytes(context, pool), len(pool.servers)
        if needed > _space_for_volumes(context, pool) or not servers:
            continue  # PX553 names it
        after_loss, least = _space_after_loss(context, pool), -(-100 // servers)
        share = f"{pool.spare_percent} % are spare, where one server of {servers} is {least} %"
        if needed > after_loss:
            space = f"the others have room for {_gib(after_loss)} of {_gib(needed)}"
            message = f"a lost server cannot be rebuilt: {space}; {share}"
        elif pool.spare_percent < least:
            message = f"a lost server can be rebuilt only while the pool is not filled further: {share}"
        else:
            continue
        hint = f"spare: {least}, and {_data_targets(context)} that fit beside it"
        yield Finding("PX554", message, "powerflex.spare", hint)


def free_share(context: Context) -> Iterator[Finding]:
    """PX566: beside the spare share a part of the pool stays free, so that the last volumes can be made."""
    share = context.catalog.get(Constant, "powerflex.pool_free").value
    for pool in context.plan.pools:
        needed, space = _volume_bytes(context, pool), _space_for_volumes(context, pool)
        most = math.floor(pool.bytes * (Fraction(100 - pool.spare_percent, 100) - share) / _copies(context))
        if most < needed <= space:
            message = (
                f"the volumes leave {_gib(space - needed)} of the {_gib(space)} that {pool.id} has for them; "
                f"{float(share * 100):g} % of the pool, {_gib(space - most)}, is to stay free, as drives hold a little "
                "less than as sold"
            )
            word = pool_terms(context.terms).data
            hint = f"leave `{word}` out for the largest size that leaves as much"
            yield Finding("PX566", message, f"powerflex.{word}", hint)


def members(context: Context) -> Iterator[Finding]:
    """PX556: a pool has enough servers, and three or five servers of the plan are its MDM cluster."""
    least, many = context.limit("powerflex.sds_min"), context.limit("powerflex.five_mdms")

    def hits() -> Iterator[Hit]:
        for pool in context.plan.pools:
            if len(set(pool.servers)) < least:
                yield context.grows_at, f"{pool.id} has {len(set(pool.servers))} servers"
            mdms = own_of(pool).mdms
            of_plan = set(mdms) <= {s.id for s in context.plan.servers}
            expected = 5 if len(pool.servers) >= many else 3
            if len(mdms) != expected or len(set(mdms)) != expected or not of_plan:
                members = listed(mdms) or "nobody"
                yield context.grows_at, f"the MDM cluster of {pool.id} is {members}, where {expected} are due"

    allowed = (
        f"a pool has at least {least} servers; two managers and a tie breaker are three servers of the plan, and from "
        f"{many} servers on three managers and two tie breakers are five"
    )
    return grouped("PX556", hits(), allowed)


def managers_apart(context: Context) -> Iterator[Finding]:
    """PX567: no two managers of the MDM cluster are servers that take over from each other."""

    def hits() -> Iterator[Hit]:
        for pool in context.plan.pools:
            for group in takeover_groups(context):
                together = [m for m in group if m in own_of(pool).managers]
                if len(together) > 1:
                    yield context.grows_at, f"{listed(together)} manage {pool.id} and take over from each other"

    return grouped("PX567", hits(), "the managers of the MDM cluster are servers of different failover groups")


def beyond_the_pool(context: Context) -> Iterator[Finding]:
    """PX526: a pool has no more devices and servers than its vendor allows."""
    return _over_limits("PX526", context, confirmed=True)


def beyond_another_release(context: Context) -> Iterator[Finding]:
    """PX527: the same, where the bound is known for another release only."""
    return _over_limits("PX527", context, confirmed=False)


def two_readings(context: Context) -> Iterator[Finding]:
    """PX557: volumes of the size that the document prints are shown in both readings, the MDM's and decimal."""
    documented = context.design.documented
    printed = documented.data_volume_bytes if documented else None
    data = [v.bytes for v in context.plan.volumes if v.purpose == "data"]
    if printed is None or not context.plan.pools:
        return
    as_the_mdm_counts = printed // 10**9 * 2**30
    if set(data) != {as_the_mdm_counts}:
        return
    pool, step = context.plan.pools[0], context.limit("powerflex.volume_step")
    decimal_size = -(-printed // step) * step
    total = _volume_bytes(context, pool)
    decimal_total, terms = total - len(data) * (as_the_mdm_counts - decimal_size), pool_terms(context.terms)
    message = (
        f"the document's {units.decimal_bytes(printed)} are taken as {_gib(as_the_mdm_counts)}, {_gib(total)} in all, "
        f"as PowerFlex counts; in decimal units {terms.target} would be {_gib(decimal_size)}, {_gib(decimal_total)} "
        f"in all. When a server is lost, {_gib(_space_after_loss(context, pool))} have room"
    )
    hint = f"leave `{terms.data}` out for the largest that can be rebuilt"
    yield Finding("PX557", message, f"powerflex.{terms.data}", hint)


def nobody_takes_over(context: Context) -> Iterator[Finding]:
    """PX558: another server takes the targets of a lost one over."""
    if not takes_over(context):
        data = [t for t in context.plan.targets if t.purpose == "data"]
        expected = expected_pool(context)
        targets = f"{len(data) // max(len(expected.sharing), 1)} {_data_targets(context)}"
        message = f"nothing takes over a dead server: its {targets}, and all files with a stripe there, wait for it"
        word = expected.takeover_word
        hint = f"{word} maps each volume to a second server" if word else ""
        yield Finding("PX558", message, expected.takeover_at, hint)


def fencing_stops_sds(context: Context) -> Iterator[Finding]:
    """PX419: fencing a server of the pool takes nothing away but the targets that it serves."""
    if takes_over(context):
        server = pool_terms(context.terms).server
        # A cluster of three members loses its majority with two of them; one of five does not.
        three = any(len(own_of(pool).mdms) == 3 for pool in context.plan.pools)
        managers = ", and the pool's management too where both are members of its MDM cluster" if three else ""
        message = (
            f"each {server} is an SDS too: fencing one makes the pool rebuild what it held. A second one that is "
            f"fenced or lost before the rebuild has ended takes data from every target{managers}"
        )
        hint = "wait for the rebuild before a server is stopped by hand"
        yield Finding("PX419", message, expected_pool(context).takeover_at, hint)


RULES = (
    volumes_agree,
    volumes_fit,
    rebuild_space,
    free_share,
    whole_steps,
    members,
    managers_apart,
    beyond_the_pool,
    beyond_another_release,
    nobody_takes_over,
    two_readings,
    fencing_stops_sds,
)


def _gib(size: int) -> str:
    return f"{size // 2**30:,} GiB"


def _copies(context: Context) -> int:
    return context.limit("powerflex.mirror_copies")


def _oversized(context: Context, pool: Pool, space: int) -> tuple[str, str]:
    """The request's word to change, and a hint: the size for data, unless the other volumes leave no space for data."""
    step, terms = context.limit("powerflex.volume_step"), pool_terms(context.terms)
    least = sum(step if t.purpose == "data" else context.bytes_of(t) for t in context.plan.targets)
    data = terms.kinds[terms.data]
    if least <= space:
        return f"powerflex.{terms.data}", f"smaller {data}, or more servers"
    if pool.spare_percent > -(-100 // max(len(pool.servers), 1)):
        return "powerflex.spare", f"a smaller spare share: beside it there is no room for {data}"
    bytes_of_kind = Counter[str]()
    for target in context.plan.targets:
        bytes_of_kind[target.kind] += context.bytes_of(target) if target.purpose != "data" else 0
    kind = max(bytes_of_kind, key=lambda each: bytes_of_kind[each])
    return f"powerflex.{kind}", f"a smaller `{kind}`, or more servers: beside it there is no room for {data}"


def _data_targets(context: Context) -> str:
    terms = pool_terms(context.terms)
    return terms.kinds[terms.data]


def _volume_bytes(context: Context, pool: Pool) -> int:
    """The bytes of all volumes of the pool, each rounded up to the allocation step."""
    step = context.limit("powerflex.volume_step")
    return sum(-(-v.bytes // step) * step for v in context.plan.volumes if v.backing == pool.id)


def _space_for_volumes(context: Context, pool: Pool) -> int:
    """The bytes that volumes may take beside the spare share, one copy counted."""
    return pool.bytes * (100 - pool.spare_percent) // 100 // _copies(context)


def _space_after_loss(context: Context, pool: Pool) -> int:
    """The bytes that volumes may take so that all copies fit on the servers that are left when one is lost."""
    servers = max(len(pool.servers), 1)
    return pool.bytes * (servers - 1) // servers // _copies(context)


def _over_limits(code: str, context: Context, *, confirmed: bool) -> Iterator[Finding]:
    """A finding for each pool and exceeded limit: those that are confirmed for this release, or those that are not."""
    for pool in context.plan.pools:
        bounds = (
            (pool.drives, f"devices in pool {pool.id}", "powerflex.pool_devices"),
            (len(pool.servers), f"servers in domain {pool.domain}", "powerflex.domain_sds"),
        )
        for count, what, limit_id in bounds:
            limit = context.catalog.get(Limit, limit_id)
            if limit.confirmed == confirmed and count > limit.value:
                doubt = "" if confirmed else ", as seen for another release, unconfirmed"
                message = f"{count:,} {what}; {limit.title}: {limit.value:,} at most{doubt}"
                yield Finding(code, message, context.grows_at, f"catalog: {limit_id}")
