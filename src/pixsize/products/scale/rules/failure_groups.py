"""Failure groups: what GPFS may lose at once, and where it may put the copies of metadata and descriptor."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import Finding
from pixsize.plan.records import same_host
from pixsize.products.scale.plan import HDMD, nsd_of, scale
from pixsize.products.scale.rules.design import request_of
from pixsize.products.scale.rules.nsds import added_targets
from pixsize.texts import listed
from pixsize.units import both_bytes


def lost_capacity(context: Context) -> Iterator[Finding]:
    """PX409: failure groups are of sizes that let every byte have its copies elsewhere."""
    sizes: Counter[int] = Counter()
    for nsd in context.stacks:
        if nsd.group.purpose == "metadata":
            sizes[nsd_of(nsd.target).failure_group] += nsd.group.bytes
    replicas = scale(context.plan).metadata_replicas
    if not 0 < replicas <= len(sizes):
        return  # PX510 and PX525 name it
    fair, usable = sum(sizes.values()) // replicas, usable_bytes(list(sizes.values()), replicas)
    if usable < fair:
        largest, most = sizes.most_common(1)[0]
        message = (
            f"{both_bytes(fair - usable)} of {both_bytes(fair)} metadata capacity are lost: "
            f"failure group {largest} has {both_bytes(most)}, all others together "
            f"{both_bytes(sum(sizes.values()) - most)}, and {replicas} copies lie in different groups"
        )
        path = "hdmd.arrays" if context.plan.variant == HDMD else "storage_modules"
        hint = "equal SSDs in all metadata arrays, or an even spread of modules"
        if scale(context.plan).failure_groups == "sides":
            path, hint = (
                "filesystem.failure_groups",
                "failure_groups: per_array, or an even number of equal metadata arrays",
            )
        yield Finding("PX409", message, path, hint)


def usable_bytes(sizes: Sequence[int], replicas: int) -> int:
    """How much can be stored in `replicas` copies, each in a different group of these sizes.

    The k largest groups can at best hold one copy each of everything, whatever their size; the other copies must fit
    into the rest. With two copies this is min(sum/2, sum - largest).
    """
    ordered = sorted(sizes, reverse=True)
    return min(sum(ordered[k:]) // (replicas - k) for k in range(replicas))


def replicas_have_groups(context: Context) -> Iterator[Finding]:
    """PX510: there are at least as many metadata failure groups as copies."""
    groups = {nsd_of(t).failure_group for t in context.plan.targets if t.purpose == "metadata"}
    replicas = scale(context.plan).metadata_replicas
    if replicas > len(groups):
        message = f"{replicas} copies of the metadata, but {len(groups)} failure groups that can store them"
        hint = f"metadata_replicas: {len(groups)}, or more metadata arrays" if groups else "more metadata arrays"
        yield Finding("PX510", message, "filesystem.metadata_replicas", hint)


def replicas_on_two_arrays(context: Context) -> Iterator[Finding]:
    """PX511: where two metadata arrays exist, no array's metadata lies in two failure groups."""
    groups: dict[str, set[int]] = defaultdict(set)
    for nsd in context.stacks:
        if nsd.group.purpose == "metadata":
            groups[nsd.array.id].add(nsd_of(nsd.target).failure_group)
    split = [(a, sorted(numbers)) for a, numbers in groups.items() if len(numbers) > 1]
    if len(groups) < 2 or scale(context.plan).metadata_replicas < 2:
        return iter(())
    hits = ((context.where(a), f"the metadata NSDs of {a} lie in failure groups {listed(n)}") for a, n in split)
    allowed = f"with {len(groups)} metadata arrays, those of one array lie in one group"
    return grouped("PX511", hits, allowed)


def descriptor_survives(context: Context) -> Iterator[Finding]:
    """PX512: whichever array or descriptor server is lost, a majority of the descriptor's copies is left.

    GPFS puts the copies on NSDs of any pool, in different failure groups as far as there are enough; which groups it
    takes is not said, so the worst choice counts (IBM Storage Scale documentation, file system descriptor quorum).
    """
    domains = _nsds_by_domain(context)
    groups = {number for numbers in domains.values() for number in numbers}
    # GPFS keeps more copies, the more failure groups there are, but never more than there are NSDs.
    least, *more = context.choice("scale.descriptor_copies")
    nsds = sum(t.kind == "nsd" for t in context.plan.targets)
    copies = min(max([least, *(n for n in more if n <= len(groups))]), nsds)
    worst = {domain: _copies_lost(numbers, len(groups), copies) for domain, numbers in domains.items()}
    fatal = [domain for domain, lost in worst.items() if 2 * (copies - lost) <= copies]
    if not fatal:
        return
    where, hint = _descriptor_cure(context, len(domains))
    arrays = sum(domain in context.arrays for domain in domains)
    backings = list(dict.fromkeys(added.backing for _, added in added_targets(context)))
    helped = arrays + len(backings) < len(domains)
    beside = "".join(f" and {backing}" for backing in backings)
    message = (
        f"the loss of {listed(fatal)} may take {worst[fatal[0]]} of the {copies} copies of the file-system descriptor, "
        f"and with them the file system: all NSDs lie in {len(groups)} failure groups on {arrays} "
        f"array{'' if arrays == 1 else 's'}{beside}{' and a descriptor server' if helped else ''}"
    )
    yield Finding("PX512", message, where, hint)


def metadata_on_one_array(context: Context) -> Iterator[Finding]:
    """PX573: metadata lies on two arrays at least, so that it outlives one."""
    holders = {n.array.id for n in context.stacks if n.group.purpose == "metadata"}
    if len(holders) != 1:
        return
    (only,) = holders
    copies = scale(context.plan).metadata_replicas
    why = "" if copies < 2 else f", and the {copies} copies of every block lie on it"
    where, hint = _second_metadata_array(context)
    message = f"all metadata lies on {only}{why}: the loss of this array is the loss of the file system"
    yield Finding("PX573", message, where, hint)


def numbers(context: Context) -> Iterator[Finding]:
    """PX513: numbers that GPFS takes, none shared between a data array and another array's metadata."""
    last = context.limit("scale.failure_group_max")
    owners = _arrays_by_number(context)

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            if not 0 <= nsd_of(target).failure_group <= last:
                yield "storage_modules", f"{target.id} has failure group {nsd_of(target).failure_group}"
        for number, (data, metadata) in owners.items():
            strangers = sorted(data - metadata) if metadata else []
            if strangers:
                both = f"data of {listed(strangers)} and metadata of {listed(sorted(metadata))}"
                yield "filesystem.failure_groups", f"failure group {number} holds {both}"
        for target, added in added_targets(context):
            number = nsd_of(target).failure_group
            if number in owners:
                yield "", f"{target.id} of {added.backing} shares failure group {number} with arrays"
        for target in context.plan.targets:
            if nsd_of(target).usage == "descOnly" and nsd_of(target).failure_group in owners:
                yield (
                    "filesystem.descriptor",
                    f"{target.id} shares failure group {nsd_of(target).failure_group} with arrays",
                )

    allowed = f"numbers go up to {last:,} (-1 would part every NSD), and data, metadata and descriptor share none"
    return grouped("PX513", hits(), allowed)


def repeated_numbers(context: Context) -> Iterator[Finding]:
    """PX514: data arrays have numbers of their own, as long as the numbers last.

    In the standard variant an array has one number for both uses; with `sides` that number is its side.
    """
    shared = {
        number: data
        for number, (data, metadata) in _arrays_by_number(context).items()
        if len(data) > 1 and not (metadata and scale(context.plan).failure_groups == "sides")
    }
    if not shared:
        return
    number, data = next(iter(shared.items()))
    count = sum(map(len, shared.values()))
    message = (
        f"{count:,} data arrays share {len(shared):,} failure-group numbers, "
        f"such as {number} for {listed(sorted(data))}; "
        f"GPFS numbers end at {context.limit('scale.failure_group_max'):,}"
    )
    yield Finding("PX514", message, "storage_modules", "harmless with one copy of the data")


def descriptor_server(context: Context) -> Iterator[Finding]:
    """PX523: the descriptor lies on a server that does not serve metadata, and that goes by its planned name."""
    metadata = {s for n in context.stacks if n.group.purpose == "metadata" for s in n.module.servers}
    troubles = [why for why in (_server_trouble(context, s, metadata) for s in _helpers(context)) if why]
    hits = (("filesystem.descriptor.server", why) for why in troubles)
    return grouped("PX523", hits, "it is there to outlive the metadata arrays and their servers", _free_server(context))


def descriptor_beside_nsds(context: Context) -> Iterator[Finding]:
    """PX574: the descriptor's server serves no other NSD, since it gives up its mount when its small disk fails."""
    serving = {s for t in context.plan.targets if t.volume is not None for s in t.servers}
    busy = [s for s in _helpers(context) if any(same_host(s, other) for other in serving)]
    hits = (("filesystem.descriptor.server", f"{s} holds the descriptor and serves NSDs beside it") for s in busy)
    why = "unmountOnDiskFail=yes, which the descriptor's server needs, is not for a server that others read through"
    return grouped("PX574", hits, why, _free_server(context))


def numbers_in_order(context: Context) -> Iterator[Finding]:
    """PX513: arrays are numbered in their order, so that a system that has grown keeps the numbers that it had.

    Metadata arrays count from 1, or are 1 and 2 by turns where `sides` was asked for; a lone one has 1 for the first
    half of its NSDs and 2 for the rest. Data arrays that hold metadata too have its number, others count from a number
    of their own, and begin again after the last; the descriptor has the last.
    """
    expected = _expected_numbers(context)
    hits = (
        (
            "filesystem.failure_groups",
            f"{t.id} has failure group {nsd_of(t).failure_group}, expected {expected[t.id]}",
        )
        for t in context.plan.targets
        if nsd_of(t).failure_group != expected[t.id]
    )
    return grouped("PX513", hits, "failure groups are numbered in the order of the arrays")


RULES = (
    replicas_have_groups,
    replicas_on_two_arrays,
    numbers,
    repeated_numbers,
    lost_capacity,
    descriptor_survives,
    metadata_on_one_array,
    descriptor_server,
    descriptor_beside_nsds,
)
EXACT = (numbers_in_order,)
"""These run where no rule of the first stage has found an error."""


def _expected_numbers(context: Context) -> dict[str, int]:
    """The failure group of each NSD, calculated without the code that plans it: a mistake there is found here."""
    on = {use: [s for s in context.stacks if s.group.purpose == use] for use in ("data", "metadata")}
    arrays = {use: list(dict.fromkeys(s.array.id for s in stacks)) for use, stacks in on.items()}
    sides = request_of(context).filesystem.failure_groups == "sides"
    numbers = {a: place % 2 + 1 if sides else place + 1 for place, a in enumerate(arrays["metadata"])}
    expected = {s.target.id: numbers[s.array.id] for s in on["metadata"]}
    if len(numbers) == 1:
        expected = {s.target.id: 1 + (2 * place >= len(expected)) for place, s in enumerate(on["metadata"])}
    last = context.limit("scale.failure_group_max")
    if not set(arrays["data"]) <= set(numbers):
        first = max(context.limit("scale.first_data_failure_group"), max(expected.values(), default=0) + 1)
        available = max(last - bool(_helpers(context)) - first + 1, 1)
        numbers = {a: first + place % available for place, a in enumerate(arrays["data"])}
    expected |= {s.target.id: numbers[s.array.id] for s in on["data"]}
    backings = list(dict.fromkeys(added.backing for added in context.added_volumes.values()))
    first = context.limit("scale.first_added_failure_group")
    expected |= {t.id: first + backings.index(added.backing) for t, added in added_targets(context)}
    return expected | {t.id: last for t in context.plan.targets if t.volume is None}


def _nsds_by_domain(context: Context) -> dict[str, Counter[int]]:
    """What fails at once, an array or the descriptor's server, and how many NSDs it has in each failure group."""
    domains: dict[str, Counter[int]] = defaultdict(Counter)
    for nsd in context.stacks:
        domains[nsd.array.id][nsd_of(nsd.target).failure_group] += 1
    for target, added in added_targets(context):
        domains[added.backing][nsd_of(target).failure_group] += 1
    for target in context.plan.targets:
        if target.volume is None and target.servers:
            domains[f"server {target.servers[0]}"][nsd_of(target).failure_group] += 1
    return domains


def _copies_lost(numbers: Mapping[int, int], groups: int, copies: int) -> int:
    """How many copies a domain holds at worst: one in each group that it has NSDs in, and those beyond one a group."""
    spread = min(copies, len(numbers))
    beyond = max(copies - groups, 0)
    return spread + min(beyond, sum(numbers.values()) - len(numbers))


def _helpers(context: Context) -> list[str]:
    """The servers of NSDs that hold nothing but the descriptor."""
    return [s for t in context.plan.targets if nsd_of(t).usage == "descOnly" for s in t.servers]


def _free_server(context: Context) -> str:
    free = [s.id for s in context.plan.servers if s.role == "management"]
    return f"server: {free[0]}" if free else "a server that serves no NSDs"


def _server_trouble(context: Context, server: str, metadata: set[str]) -> str:
    """What is wrong with the descriptor's server; empty when nothing is."""
    planned = [s.id for s in context.plan.servers if same_host(s.id, server)]
    other = next((name for name in planned if name != server), "") if server not in planned else ""
    written = f", and is written differently from the planned {other}" if other else ""
    if any(same_host(server, name) for name in metadata):
        return f"{server} holds the descriptor and serves metadata{written}"
    return f"{server} is written differently from the planned {other}" if other else ""


def _arrays_by_number(context: Context) -> dict[int, tuple[set[str], set[str]]]:
    """The arrays whose data, and those whose metadata, lie in each failure group."""
    owners: dict[int, tuple[set[str], set[str]]] = {}
    for nsd in context.stacks:
        data, metadata = owners.setdefault(nsd_of(nsd.target).failure_group, (set(), set()))
        (data if nsd.group.purpose == "data" else metadata).add(nsd.array.id)
    return owners


def _second_metadata_array(context: Context) -> tuple[str, str]:
    """Where and how the metadata gets an array beside its only one."""
    if context.plan.variant == HDMD:
        return "hdmd.arrays", "arrays: 2, or more HDMD modules"
    return "storage_modules[0].size", "size: medium, or a second storage module"


def _descriptor_cure(context: Context, domains: int) -> tuple[str, str]:
    """Where and how the descriptor gets the failure groups that it lacks."""
    least = context.choice("scale.descriptor_copies")[0]
    third = "a `filesystem.descriptor` on a server of its own"
    if len({n.array.id for n in context.stacks if n.group.purpose == "metadata"}) == 1:
        where, hint = _second_metadata_array(context)
        return where, hint if domains + 1 >= least else f"{hint}; and {third}"
    if domains >= least and scale(context.plan).failure_groups == "sides":
        return "filesystem.failure_groups", f"failure_groups: per_array, or {third}"
    return "filesystem.descriptor", f"{third}, or {least} arrays"
