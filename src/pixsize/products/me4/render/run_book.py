"""The view of an array's run book: what must be seen before, between and after the steps, and when drives fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from pixsize.arrays.render.multipath import largest_stripe
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive, Enclosure, Limit, Record
from pixsize.plan.networks import MANAGEMENT, controllers_of, network_for
from pixsize.plan.records import MIRRORED, DiskGroup, Plan, Spares, Volume, data_drives
from pixsize.product import terms_of
from pixsize.products.me4.render.parts import Parts, blocks, chunk_size, disk_list, drive_ranges
from pixsize.render.template import name, prose, word
from pixsize.units import binary_bytes, decimal_bytes

KINDS = {"nl-sas": "SAS MDL", "sas-hdd": "SAS", "sas-ssd": "SSD SAS"}
"""How `show disks` describes a drive, by the media of its catalog record."""
SURVIVED = {"r1": "either drive", "r5": "any one drive", "r6": "any two drives", "r10": "one drive of each pair"}
"""The drives that a group goes on without (Dell PowerVault ME4 Administrator's Guide, RAID levels)."""


def view(parts: Parts, catalog: Catalog) -> dict[str, Any]:
    """Everything that the template of the run book loops over."""
    terms = terms_of(parts.plan, catalog)
    titles = ((e.index, prose(catalog.get(Record, e.model).title)) for e in parts.array.enclosures)
    enclosures = [{"index": index, "model": title} for index, title in titles]
    kinds = dict.fromkeys((g.level, len(g.slots), g.chunk_bytes) for g in parts.groups if g.chunk_bytes)
    return {
        "array": word(parts.array.id),
        "plan": word(parts.plan.name),
        "module": word(parts.module.id),
        "servers": " and ".join(map(word, parts.module.servers)),
        "model": prose(catalog.get(Record, parts.array.model).title),
        "enclosures": enclosures,
        "expansions": [e for e in enclosures if e["index"]],
        "disks": list(_disks(parts, catalog)),
        "usages": _usages(parts),
        "helps": list(_helps(parts, catalog)),
        "counts": _counts(parts),
        "groups": [_group(g) for g in parts.groups],
        "chunks": [_chunk(*kind, *terms.full_write(parts.plan, catalog)) for kind in kinds],
        "volumes": [_volume(v, catalog) for v in parts.volumes],
        "huge": _huge(parts, catalog),
        "requests": [s.bytes // 1024 for s in largest_stripe(parts.groups)],
        "step": binary_bytes(catalog.get(Limit, "me4.volume_alignment").value),
        "firmware": oldest_firmware(parts.array.model, catalog),
        "power": switching_on(parts, catalog),
        "controllers": [
            {"name": word(name), "side": side, "address": str(IPv4Address(address))}
            for side, (name, address) in zip(("a", "b"), controllers_of(parts.array), strict=False)
        ],
        "network": network_words(parts.plan),
        **drives_that_fail(parts, catalog),
        **_sizes(parts, catalog),
        "before": terms.no_growth,
        "targets": terms.targets,
        "user": terms.user,
        "used_drives": terms.used_drives,
        "at_boot": terms.at_boot,
        "next": terms.when_named,
    }


def network_words(plan: Plan) -> dict[str, str]:
    """What `set network-parameters` wants of the network for the management; a word in capitals is the site's."""
    network = network_for(plan, MANAGEMENT)
    mask, gateway = (str(IPv4Network(network.subnet).netmask), network.router) if network else ("", "")
    unknown = [what for what, known in (("the netmask", mask), ("the gateway", gateway)) if not known]
    return {
        "netmask": mask or "NETMASK",
        "gateway": word(gateway) if gateway else "GATEWAY",
        "of_the_site": f", with {' and '.join(unknown)} of the site" if unknown else "",
    }


def oldest_firmware(model: str, catalog: Catalog) -> str:
    """Which bundles of firmware an array may run, behind a comma; empty where its record names none."""
    oldest = catalog.get(Enclosure, model).firmware
    return f", {word(oldest)} or later" if oldest else ""


def _huge(parts: Parts, catalog: Catalog) -> list[dict[str, Any]]:
    """The volumes that are, or can be expanded to be, larger than any that is documented. One entry, or none."""
    limit = catalog.get(Limit, "me4.volume_bytes")
    groups = {g.id: g for g in parts.groups}
    sizes = [max(v.bytes, groups[v.backing].reported_bytes or groups[v.backing].bytes) for v in parts.volumes]
    over = [size for size in sizes if size > limit.value]
    known = "the largest that this array makes" if limit.confirmed else "the largest that is documented for the ME5"
    doubt = "" if limit.confirmed else "; no public source says whether the linear volumes of the ME4 have that bound"
    count = "One group" if len(over) == 1 else f"{len(over)} groups"
    row = {"count": count, "size": binary_bytes(max(over, default=0)), "limit": binary_bytes(int(limit.value))}
    return [{**row, "known": known, "doubt": doubt}] if over else []


def _counts(parts: Parts) -> dict[str, str]:
    spares = sum(len(s.slots) for s in parts.spares)
    return {
        "groups": f"{len(parts.groups)} disk groups",
        "spares": f"{spares} global spares" if spares else "no spares",
        "volumes": f"{len(parts.volumes)} volumes",
    }


def _disks(parts: Parts, catalog: Catalog) -> Iterator[dict[str, Any]]:
    """A row for each kind of drive in each enclosure."""
    slots: dict[tuple[int, str], list[int]] = {}
    holders: tuple[DiskGroup | Spares, ...] = (*parts.groups, *parts.spares)
    for holder in holders:
        slots.setdefault((holder.enclosure, holder.drive), []).extend(holder.slots)
    for (enclosure, model), numbers in sorted(slots.items(), key=lambda item: (item[0][0], min(item[1]))):
        drive = catalog.get(Drive, model)
        yield {
            "place": drive_ranges(enclosure, numbers),
            "count": len(numbers),
            "kind": KINDS.get(drive.media, prose(drive.media)),
            "size": f"{decimal_bytes(drive.capacity_bytes)} = {binary_bytes(drive.capacity_bytes)}",
        }


def _usages(parts: Parts) -> str:
    """What `show disks` counts once the groups exist."""
    grouped = sum(len(g.slots) for g in parts.groups)
    spares = sum(len(s.slots) for s in parts.spares)
    return f"{grouped} drives `LINEAR POOL`" + (f", {spares} drives `GLOBAL SP`" if spares else "") + ", none `AVAIL`"


def _helps(parts: Parts, catalog: Catalog) -> Iterator[dict[str, str]]:
    """The commands to look up on the array first: public sources do not confirm all their words for the ME4."""
    chunk = ", chunk-size" if any(g.chunk_bytes for g in parts.groups) else ""
    yield {"command": "help add disk-group", "words": f"type linear, disks, level, assigned-to{chunk}"}
    if parts.spares:
        yield {"command": "help add spares", "words": "a list of drives alone, which makes global spares"}
    yield {"command": "help create volume", "words": "pool, and size, in blocks of 512 bytes where no unit stands"}
    yield {"command": "help map volume", "words": "access, lun; without an initiator and ports, all of them"}
    if smaller(parts, catalog) or any(g.reported_bytes is None for g in parts.groups):
        yield {"command": "help expand volume", "words": "size max"}


def _group(group: DiskGroup) -> dict[str, Any]:
    return {
        "name": name(group.id),
        "place": disk_list(group),
        "level": f"RAID{group.level[1:]}",
        "drives": len(group.slots),
        "owner": group.owner.upper(),
        "chunk": chunk_size(group.chunk_bytes) if group.chunk_bytes else "none given",
    }


def _chunk(level: str, count: int, chunk: int, what: str, size: int) -> dict[str, Any]:
    """A chunk size as a stripe over the group's data drives, and how many stripes a full write takes."""
    data = data_drives(level, count)
    stripe = {"chunk": binary_bytes(chunk), "data": data, "stripe": binary_bytes(data * chunk)}
    if level in MIRRORED:
        return stripe | {"write": f"RAID {level[1:]} has no parity", "meets": "so that no write has to read first"}
    stripes, rest = divmod(size, data * chunk)
    whole = "1 stripe" if stripes == 1 else f"{stripes} stripes"
    fits = f"is {whole}, so that a full write never has to read first"
    meets = "is no whole number of stripes, so that a full write has to read first" if rest else fits
    return stripe | {"write": f"{what} of {binary_bytes(size)}", "meets": meets}


def _volume(volume: Volume, catalog: Catalog) -> dict[str, Any]:
    """A row of the tables; `device_bytes` is what its servers must see: a volume that exists is not made again."""
    align = catalog.get(Limit, "me4.volume_alignment").value
    reported = volume.reported_bytes
    return {
        "device_bytes": volume.bytes if reported is None or volume.bytes - reported >= align else reported,
        "name": name(volume.id),
        "group": name(volume.backing),
        "blocks": blocks(volume.bytes),
        "size": f"{decimal_bytes(volume.bytes)} = {binary_bytes(volume.bytes)}",
        "lun": volume.lun,
        "owner": volume.owner.upper(),
    }


def _sizes(parts: Parts, catalog: Catalog) -> dict[str, Any]:
    """The volumes that are planned under nominal, by kind, with the bytes that they leave; the volumes that exist and
    are smaller than their groups; and how many have their exact size."""
    groups = {g.id: g for g in parts.groups}
    planned = [v for v in parts.volumes if groups[v.backing].reported_bytes is None]
    small = smaller(parts, catalog)
    many = f"{len(small)} volumes exist, and are smaller than their groups"
    message = many if len(small) > 1 else "1 volume exists, and is smaller than its group"
    exact = len(parts.volumes) - len(planned) - len(small)
    grows = terms_of(parts.plan, catalog).expands
    return {
        "exact": [{"count": exact}] if exact else [],
        "grows": bool(small or (planned and grows)),
        "smaller": [{"seen": message, "names": [name(v.id) for v in small]}] if small else [],
        "estimated": [_estimated(planned, groups, catalog, grows)] if planned else [],
    }


def smaller(parts: Parts, catalog: Catalog) -> list[Volume]:
    """The volumes that exist on groups whose size is known, and leave more of them than the array rounds off."""
    known = {g.id for g in parts.groups if g.reported_bytes is not None}
    align = catalog.get(Limit, "me4.volume_alignment").value
    existing = ((v, v.reported_bytes) for v in parts.volumes if v.backing in known)
    return [v for v, size in existing if size is not None and v.bytes - size >= align]


def _estimated(planned: list[Volume], groups: Mapping[str, DiskGroup], catalog: Catalog, grows: bool) -> dict[str, Any]:
    overhead = catalog.get(Constant, "me4.array_overhead")
    nominals = _nominals(planned, groups)
    kinds = Counter((v.purpose, nominals[v.id], v.bytes) for v in planned)
    nominal = sum(size * n for (_, size, _), n in kinds.items())
    planned_bytes = sum(size * n for (_, _, size), n in kinds.items())
    likely, least, most = (
        max(0, int(nominal * (1 - share)) - planned_bytes) for share in (overhead.value, overhead.high, overhead.low)
    )
    return {
        "count": len(planned),
        "margin": _percent(catalog.get(Constant, "me4.volume_margin")),
        "overhead": _percent(overhead),
        "kinds": [_left(purpose, n, size, wanted) for (purpose, size, wanted), n in kinds.items()],
        "total": f"{nominal - planned_bytes:,} bytes, {_gib(nominal - planned_bytes)}",
        "likely": _gib(likely),
        "least": _gib(least),
        "most": _gib(most),
        "ways": "do one of two things" if grows else "render again",
        "better": "Better: render again." if grows else "Render again.",
        "expand": [[name(v.id) for v in planned]] if grows else [],
    }


def _nominals(planned: list[Volume], groups: Mapping[str, DiskGroup]) -> dict[str, int]:
    """The nominal bytes of each volume: those of its group, less the smaller volumes on it, which keep their size."""
    main = {v.backing: v for v in sorted(planned, key=lambda v: v.bytes)}
    nominals = {v.id: v.bytes for v in planned}
    for group, volume in main.items():
        beside = sum(v.bytes for v in planned if v.backing == group) - volume.bytes
        nominals[volume.id] = groups[group].bytes - beside
    return nominals


def _left(purpose: str, count: int, nominal: int, planned: int) -> dict[str, Any]:
    return {
        "purpose": purpose,
        "count": count,
        "nominal": f"{nominal:,}",
        "asked": f"{planned:,}",
        "left": f"{nominal - planned:,}",
        "gib": _gib(nominal - planned),
    }


def _gib(size: int) -> str:
    return f"{size / 2**30:,.1f} GiB"


def _percent(constant: Constant) -> str:
    return f"{float(constant.value * 100):g} %"


def switching_on(parts: Parts, catalog: Catalog) -> str:
    """The order of switching on: expansions, controllers, servers (Dell PowerVault ME4 Deployment Guide)."""
    behind = [e for e in parts.array.enclosures if e.index]
    steps = [f"the {prose(catalog.get(Record, e.model).title)} that is enclosure {e.index}" for e in reversed(behind)]
    steps.append(f"the {prose(catalog.get(Record, parts.array.model).title)} with the controllers")
    servers = " and ".join(map(word, parts.module.servers))
    return f"{', then '.join(steps)}, and {servers} last, when `show system` says that its health is OK"


def drives_that_fail(parts: Parts, catalog: Catalog) -> dict[str, Any]:
    """A row for each kind of group: what it goes on without, and the spares that may stand in for its drives."""
    kinds: dict[tuple[str, str], list[DiskGroup]] = {}
    for group in parts.groups:
        kinds.setdefault((group.level, group.drive), []).append(group)
    counts = {kind: _spares_for(catalog.get(Drive, kind[1]), parts.spares, catalog) for kind in kinds}
    rows = [
        {
            "groups": name(groups[0].id)
            if len(groups) == 1
            else f"{len(groups)}: {name(groups[0].id)} to {name(groups[-1].id)}",
            "kind": prose(catalog.get(Drive, drive).title),
            "level": f"RAID{level[1:]}",
            "without": SURVIVED[level],
            "spares": counts[level, drive] or "none",
        }
        for (level, drive), groups in kinds.items()
    ]
    return {"failing": rows, "spared": any(counts.values()), "unspared": not all(counts.values())}


def _spares_for(drive: Drive, spares: Iterable[Spares], catalog: Catalog) -> int:
    """How many spares fit: of the same type, and no smaller (Dell PowerVault ME4 Administrator's Guide, Spares)."""
    spare_drives = [(catalog.get(Drive, s.drive), len(s.slots)) for s in spares]
    return sum(n for d, n in spare_drives if d.media == drive.media and d.capacity_bytes >= drive.capacity_bytes)
