"""Failure groups: what GPFS may lose at once, and where it may put the copies of metadata and descriptor."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pixsize.check.case import SYSTEM_POOL, Case, same_host
from pixsize.check.gather import Hit, gathered, listed, size
from pixsize.findings import Finding


def lost_capacity(case: Case) -> Iterator[Finding]:
    """PX409: failure groups are of sizes that let every byte have its copies elsewhere."""
    sizes: Counter[int] = Counter()
    for nsd in case.stacks:
        if nsd.group.purpose == "metadata":
            sizes[nsd.target.failure_group] += nsd.group.bytes
    replicas = case.plan.scale.metadata_replicas
    if len(sizes) < replicas:
        return  # PX510 names it
    fair, usable = sum(sizes.values()) // replicas, usable_bytes(list(sizes.values()), replicas)
    if usable < fair:
        largest, most = sizes.most_common(1)[0]
        message = (
            f"{size(fair - usable)} of {size(fair)} metadata capacity are lost: "
            f"failure group {largest} has {size(most)}, all others together "
            f"{size(sum(sizes.values()) - most)}, and {replicas} copies lie in different groups"
        )
        yield Finding("PX409", message, _sizing_path(case), _evening_hint(case))


def usable_bytes(sizes: Sequence[int], replicas: int) -> int:
    """How much can be stored in `replicas` copies, each in a different group of these sizes.

    The k largest groups can at best hold one copy each of everything, whatever their size; the other copies must fit
    into the rest. With two copies this is min(sum/2, sum - largest).
    """
    ordered = sorted(sizes, reverse=True)
    return min(sum(ordered[k:]) // (replicas - k) for k in range(replicas))


def replicas_have_groups(case: Case) -> Iterator[Finding]:
    """PX510: there are at least as many metadata failure groups as copies."""
    groups = {t.failure_group for t in case.plan.targets if t.purpose == "metadata"}
    replicas = case.plan.scale.metadata_replicas
    if replicas > len(groups):
        message = f"{replicas} copies of the metadata, but {len(groups)} failure groups that can store them"
        hint = f"metadata_replicas: {len(groups)}, or more metadata arrays" if groups else "more metadata arrays"
        yield Finding("PX510", message, "filesystem.metadata_replicas", hint)


def replicas_on_two_arrays(case: Case) -> Iterator[Finding]:
    """PX511: where two metadata arrays exist, no array's metadata lies in two failure groups."""
    groups: dict[str, set[int]] = defaultdict(set)
    for nsd in case.stacks:
        if nsd.group.purpose == "metadata":
            groups[nsd.array.id].add(nsd.target.failure_group)
    split = [(a, sorted(numbers)) for a, numbers in groups.items() if len(numbers) > 1]
    if len(groups) < 2 or case.plan.scale.metadata_replicas < 2:
        return iter(())
    hits = ((case.where(a), f"the metadata NSDs of {a} lie in failure groups {listed(n)}") for a, n in split)
    allowed = f"with {len(groups)} metadata arrays, those of one array lie in one group"
    return gathered("PX511", hits, allowed)


def descriptor_domains(case: Case) -> Iterator[Finding]:
    """PX512: the NSDs of the system pool lie in enough fault domains for a majority of the descriptor to survive."""
    need = case.limit("scale.descriptor_groups")
    arrays = {n.array.id for n in case.stacks if n.target.pool == SYSTEM_POOL}
    system = [t for t in case.plan.targets if t.pool == SYSTEM_POOL]
    helpers = {s for t in system if t.usage == "descOnly" for s in t.servers[:1]}
    groups = {t.failure_group for t in system}
    domains = min(len(groups), len(arrays) + len(helpers))
    if domains >= need:
        return
    where, hint = _descriptor_cure(case, len(arrays), len(helpers), need)
    message = (
        f"the NSDs of {SYSTEM_POOL} lie in {len(groups)} failure groups on {len(arrays)} "
        f"array{'s' if len(arrays) > 1 else ''}{' and a descriptor server' if helpers else ''}, {domains} fault "
        f"domain{'s' if domains > 1 else ''}; {need} are needed, or the loss of one array can take the majority of the "
        "file-system descriptor, and with it the file system"
    )
    yield Finding("PX512", message, where, hint)


def numbers(case: Case) -> Iterator[Finding]:
    """PX513: numbers that GPFS takes, none shared between a data array and another array's metadata."""
    last = case.limit("scale.failure_group_max")
    owners = _arrays_by_number(case)

    def hits() -> Iterator[Hit]:
        for target in case.plan.targets:
            if not 0 <= target.failure_group <= last:
                yield "storage_modules", f"{target.id} has failure group {target.failure_group}"
        for number, (data, metadata) in owners.items():
            strangers = sorted(data - metadata) if metadata else []
            if strangers:
                both = f"data of {listed(strangers)} and metadata of {listed(sorted(metadata))}"
                yield "filesystem.failure_groups", f"failure group {number} holds {both}"
        for target in case.plan.targets:
            if target.usage == "descOnly" and target.failure_group in owners:
                yield "filesystem.descriptor", f"{target.id} shares failure group {target.failure_group} with arrays"

    allowed = f"numbers go up to {last:,} (-1 would part every NSD), and data, metadata and descriptor share none"
    return gathered("PX513", hits(), allowed)


def repeated_numbers(case: Case) -> Iterator[Finding]:
    """PX514: data arrays have numbers of their own, as long as the numbers last.

    In the standard variant an array has one number for both uses; with `sides` that number is its side.
    """
    shared = {
        number: data
        for number, (data, metadata) in _arrays_by_number(case).items()
        if len(data) > 1 and not (metadata and case.plan.scale.failure_groups == "sides")
    }
    if not shared:
        return
    number, data = next(iter(shared.items()))
    count = sum(map(len, shared.values()))
    message = (
        f"{count:,} data arrays share {len(shared):,} failure-group numbers, "
        f"such as {number} for {listed(sorted(data))}; "
        f"GPFS numbers end at {case.limit('scale.failure_group_max'):,}"
    )
    yield Finding("PX514", message, "storage_modules", "harmless with one copy of the data")


def descriptor_server(case: Case) -> Iterator[Finding]:
    """PX523: the descriptor lies on a server that does not serve metadata, and that goes by its planned name."""
    metadata = {s for n in case.stacks if n.group.purpose == "metadata" for s in n.module.servers}
    helpers = [s for t in case.plan.targets if t.usage == "descOnly" for s in t.servers]
    seen = [why for why in (_server_trouble(case, s, metadata) for s in helpers) if why]
    hits = (("filesystem.descriptor.server", why) for why in seen)
    free = [s.id for s in case.plan.servers if s.role == "management"]
    hint = f"server: {free[0]}" if free else "a server of no metadata module"
    return gathered("PX523", hits, "it is there to outlive the metadata arrays and their servers", hint)


RULES = (
    replicas_have_groups,
    replicas_on_two_arrays,
    numbers,
    repeated_numbers,
    lost_capacity,
    descriptor_domains,
    descriptor_server,
)


def _server_trouble(case: Case, server: str, metadata: set[str]) -> str:
    """What is wrong with the descriptor's server; empty when nothing is."""
    planned = [s.id for s in case.plan.servers if same_host(s.id, server)]
    other = next((name for name in planned if name != server), "") if server not in planned else ""
    written = f", and is written differently from the planned {other}" if other else ""
    if any(same_host(server, name) for name in metadata):
        return f"{server} holds the descriptor and serves metadata{written}"
    return f"{server} is written differently from the planned {other}" if other else ""


def _arrays_by_number(case: Case) -> dict[int, tuple[set[str], set[str]]]:
    """The arrays whose data, and those whose metadata, lie in each failure group."""
    owners: dict[int, tuple[set[str], set[str]]] = {}
    for nsd in case.stacks:
        data, metadata = owners.setdefault(nsd.target.failure_group, (set(), set()))
        (data if nsd.group.purpose == "data" else metadata).add(nsd.array.id)
    return owners


def _sizing_path(case: Case) -> str:
    """The word of the request that sets the sizes of the metadata failure groups."""
    if case.plan.scale.failure_groups == "sides":
        return "filesystem.failure_groups"
    return "hdmd.arrays" if case.plan.variant == "hdmd" else "storage_modules"


def _evening_hint(case: Case) -> str:
    if case.plan.scale.failure_groups == "sides":
        return "failure_groups: per_array, or an even number of equal metadata arrays"
    return "equal SSDs in all metadata arrays, or an even spread of modules"


def _descriptor_cure(case: Case, arrays: int, helpers: int, need: int) -> tuple[str, str]:
    """Where and how the descriptor gets the fault domains that it lacks."""
    if arrays >= need:
        return "filesystem.failure_groups", "failure_groups: per_array, or a `filesystem.descriptor` on a third server"
    if arrays > 1:
        hint = f"`filesystem.descriptor` on a third server, in a group of its own, or {need} metadata arrays"
        return "filesystem.descriptor", hint
    more = "a second metadata array" if helpers else "a second metadata array and a `filesystem.descriptor`"
    hint = f"{more}, or {need} metadata arrays; with one array the metadata is lost with it in any case"
    return ("hdmd.arrays" if case.plan.variant == "hdmd" else "storage_modules[0].size"), hint
