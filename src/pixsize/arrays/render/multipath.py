"""Names for the LUNs of each pair of servers: multipath.conf by WWID."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pixsize.arrays.stripes import Stripe, stripe_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.records import Enclosure
from pixsize.findings import Finding
from pixsize.plan.records import DiskGroup, Module, Plan, Volume
from pixsize.product import filesystem_of, terms_of, volume_terms
from pixsize.quantities import SCSI_WORD
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, name, prose, word
from pixsize.units import binary_bytes

_NAMED_AT_MOST = 12
"""How many replies a message lists before it counts the rest; each unfinished file lists its own in full."""
_WWID = re.compile(r"[0-9a-f]{33}")
"""What multipath and udev print: `3`, for a NAA identifier, and its 32 digits in lower case."""


def largest_stripe(groups: Iterable[DiskGroup]) -> tuple[Stripe, ...]:
    """The largest stripe of the groups with parity; none where all are mirrors, which never read before they write."""
    stripes = {s for g in groups if (s := stripe_of(g))}
    return (max(stripes, key=lambda s: (s.bytes, s.data_drives)),) if stripes else ()


@dataclass(frozen=True, slots=True)
class Pair:
    """What the two servers of a module see: the volumes and disk groups of its arrays.

    `models` are the catalog ids of its arrays, each once.
    """

    module: Module
    volumes: tuple[Volume, ...]
    groups: tuple[DiskGroup, ...]
    models: tuple[str, ...]

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The arrays with a volume whose WWID is unknown, in the order of the plan."""
        return tuple(dict.fromkeys(v.array for v in self.volumes if v.wwid is None))


def reply(array: str) -> str:
    """The file name under which an array's reply about its volumes is collected."""
    return f"{word(array)}.volumes.json"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """multipath.conf for each module, under another name while WWIDs are missing; and what the file system adds."""
    added = filesystem_of(catalog.get(Design, plan.design)).adds.get(RENDERER.name)
    own = tuple(_conf(pair, plan, catalog) for pair in pairs(plan))
    return (*own, *(added.files(plan, catalog) if added else ()))


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:
    """PX601 for missing replies, PX304 for two volumes with one WWID, PX622 for arrays that multipath cannot match."""
    return (*_missing(plan), *_doubled(plan), *_nameless(plan, catalog))


def pairs(plan: Plan) -> Iterator[Pair]:
    """What the servers of each module see; modules without volumes on arrays are left out."""
    volumes: dict[str, list[Volume]] = {}
    for volume in plan.volumes:
        if volume.array:
            volumes.setdefault(volume.array, []).append(volume)
    groups: dict[str, list[DiskGroup]] = {}
    for group in plan.disk_groups:
        groups.setdefault(group.array, []).append(group)
    models = {a.id: a.model for a in plan.arrays}
    for module in plan.modules:
        own = tuple(v for array in module.arrays for v in volumes.get(array, ()))
        if own:
            behind = tuple(g for array in module.arrays for g in groups.get(array, ()))
            kinds = tuple(dict.fromkeys(models[v.array] for v in own if v.array in models))
            yield Pair(module, own, behind, kinds)


def _conf(pair: Pair, plan: Plan, catalog: Catalog) -> File:
    known: list[dict[str, str]] = []
    missing: list[dict[str, str]] = []
    for volume in pair.volumes:
        if volume.wwid is None:
            missing.append({"alias": name(volume.id), "array": word(volume.array)})
        else:
            known.append({"alias": name(volume.id), "wwid": wwid(volume.wwid)})
    filesystem, volumes = terms_of(plan, catalog), volume_terms(plan)
    view = head(pair) | {
        "known": known,
        "missing": missing,
        "replies": [reply(a) for a in pair.unnamed],
        "models": _models(pair, catalog),
        "namesakes": filesystem.namesakes,
        "last_path": filesystem.last_path,
        "guide": volumes.multipath,
        "show_volumes": volumes.commands["volumes"],
    }
    folder = f"multipath/{word(pair.module.id)}"
    if missing:
        return File(f"{folder}/multipath.conf.incomplete", template.fill("multipath/incomplete.j2", view))
    return File(f"{folder}/multipath.conf", template.fill("multipath/multipath.conf.j2", view))


def _models(pair: Pair, catalog: Catalog) -> list[dict[str, Any]]:
    """What the pair's arrays call themselves, each once, and the largest stripe: a section is of a product."""
    records = (catalog.get(Enclosure, model) for model in pair.models)
    called = dict.fromkeys((scsi(r.scsi_vendor), scsi(r.scsi_product)) for r in records)
    stripes = [
        {
            "kib": stripe.bytes // 1024,  # the unit of `max_sectors_kb`
            "size": binary_bytes(stripe.bytes),
            "data": stripe.data_drives,
            "chunk": binary_bytes(stripe.chunk_bytes),
        }
        for stripe in largest_stripe(pair.groups)
    ]
    return [{"vendor": vendor, "product": product, "stripes": stripes} for vendor, product in called]


def head(pair: Pair) -> dict[str, Any]:
    """A module and its servers, as the head of a file names them."""
    return {"module": word(pair.module.id), "servers": " and ".join(map(word, pair.module.servers))}


def _missing(plan: Plan) -> Iterator[Finding]:
    arrays = [array for pair in pairs(plan) for array in pair.unnamed]
    if not arrays:
        return
    replies = ", ".join(reply(a) for a in arrays[:_NAMED_AT_MOST])
    more = len(arrays) - _NAMED_AT_MOST
    rest = f" and {more} more, <array>.volumes.json each" if more > 0 else ""
    on_arrays = [v for v in plan.volumes if v.array]
    volumes = sum(v.wwid is None for v in on_arrays)
    command = volume_terms(plan).commands["volumes"]
    which = f"array {arrays[0]}" if len(arrays) == 1 else f"{len(arrays)} arrays"
    yield Finding(
        "PX601",
        f"the WWIDs of {volumes} of {len(on_arrays)} volumes are unknown: "
        f"every multipath.conf that needs one ends in .incomplete",
        hint=f"when the volumes exist, collect `{command}` of {which} into the folder of --observed, as "
        f"{replies}{rest}, and render again",
    )


def _doubled(plan: Plan) -> Iterator[Finding]:
    reported = [v for v in plan.volumes if v.wwid is not None]
    count = Counter(v.wwid for v in reported)
    for repeated in (w for w, n in count.items() if n > 1):
        names = ", ".join(v.id for v in reported if v.wwid == repeated)
        hint = f"collect `{volume_terms(plan).commands['volumes']}` of their arrays again"
        yield Finding("PX304", f"one WWID for several volumes: {names}", hint=hint)


def _nameless(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """PX622: the file blacklists whatever it cannot name, so an array without a name would have no volumes."""
    places = {model: pair.module.where for pair in pairs(plan) for model in pair.models}
    for model, where in places.items():
        record = catalog.get(Enclosure, model)
        missing = [w for w in ("scsi_vendor", "scsi_product") if not getattr(record, w)]
        if missing:
            message = (
                f"the record {record.id} ({prose(record.title)}) has no {' and no '.join(missing)}: multipath.conf "
                "would blacklist every volume of such an array"
            )
            hint = "add them as `cat /sys/block/sdX/device/vendor /sys/block/sdX/device/model` prints them for a volume"
            yield Finding("PX622", message, where, f"{hint} of such an array")


RENDERER = Renderer(
    name="multipath",
    summary="multipath.conf for each pair of servers",
    needs="the reply of every array about its volumes in --observed, for the WWIDs",
    applies=lambda plan: any(v.array for v in plan.volumes),
    findings=findings,
    files=files,
    left_out_for=frozenset({"PX622"}),
)


def wwid(value: str) -> str:
    """A WWID as multipath knows it: `3` and 32 lower-case hex digits."""
    return checked(_WWID, value)


def scsi(value: str) -> str:
    """A vendor or product as SCSI devices call themselves, to stand in quotes: no sign of a regular expression."""
    return checked(SCSI_WORD, value)
