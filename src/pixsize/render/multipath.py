"""Names for the LUNs of each pair of servers: multipath.conf by WWID, and nsddevices, which shows them to GPFS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Module, Plan, ScaleFilesystem, Volume
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.words import device, name, word, wwid

_NAMED_AT_MOST = 12
"""How many replies a message lists before it counts the rest; each unfinished file lists its own in full."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A module as its servers see it: the volumes of its arrays, and devices of GPFS that are no volume."""

    module: Module
    volumes: tuple[Volume, ...]
    devices: tuple[str, ...]

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The arrays with a volume whose WWID is unknown, in the order of the plan."""
        return tuple(dict.fromkeys(v.array for v in self.volumes if v.wwid is None))


def reply(array: str) -> str:
    """The file name under which the reply to `show volumes` of an array is collected."""
    return f"{word(array)}.volumes.json"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:  # noqa: ARG001  the same call for every renderer
    """multipath.conf for each module, under another name while WWIDs are missing; and nsddevices where GPFS asks."""
    gpfs = isinstance(plan.filesystem, ScaleFilesystem)
    terms = {"hears": "GPFS", "namesakes": " and of the NSDs"} if gpfs else {"hears": "Lustre", "namesakes": ""}
    files = [_conf(pair, terms) for pair in _pairs(plan)]
    if gpfs:
        files += [_nsddevices(pair) for pair in _pairs(plan)]
    return tuple(files)


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001
    """Which replies are still to be collected; and two volumes that claim one WWID, which is one alias too many."""
    return (*_missing(plan), *_doubled(plan.volumes))


def _pairs(plan: Plan) -> Iterator[Pair]:
    volumes: dict[str, list[Volume]] = {}
    for volume in plan.volumes:
        if volume.provider == "me4":
            volumes.setdefault(volume.array, []).append(volume)
    for module in plan.modules:
        own = tuple(v for array in module.arrays for v in volumes.get(array, ()))
        if own:
            yield Pair(module, own, tuple(_other_devices(plan, module)))


def _other_devices(plan: Plan, module: Module) -> Iterator[str]:
    """Devices on the module's servers that GPFS uses beside the arrays: nsddevices hides what it does not name."""
    local = set(module.servers)
    return (t.device for t in plan.targets if t.volume is None and local & set(t.servers))


def _conf(pair: Pair, terms: Mapping[str, str]) -> File:
    known: list[dict[str, str]] = []
    missing: list[dict[str, str]] = []
    for volume in pair.volumes:
        if volume.wwid is None:
            missing.append({"alias": name(volume.id), "array": word(volume.array)})
        else:
            known.append({"alias": name(volume.id), "wwid": wwid(volume.wwid)})
    view = _head(pair) | dict(terms) | {"known": known, "missing": missing, "replies": [reply(a) for a in pair.unnamed]}
    folder = f"multipath/{word(pair.module.id)}"
    if missing:
        return File(f"{folder}/multipath.conf.incomplete", template.fill("multipath/incomplete.j2", view))
    return File(f"{folder}/multipath.conf", template.fill("multipath/multipath.conf.j2", view))


def _nsddevices(pair: Pair) -> File:
    names = [f"mapper/{name(v.id)}" for v in pair.volumes]
    names += (device(d).removeprefix("/dev/") for d in pair.devices)
    text = template.fill("multipath/nsddevices.j2", _head(pair) | {"names": names})
    return File(f"multipath/{word(pair.module.id)}/nsddevices", text, executable=True)


def _head(pair: Pair) -> dict[str, Any]:
    return {"module": word(pair.module.id), "servers": " and ".join(map(word, pair.module.servers))}


def _missing(plan: Plan) -> Iterator[Finding]:
    arrays = [array for pair in _pairs(plan) for array in pair.unnamed]
    if not arrays:
        return
    replies = ", ".join(reply(a) for a in arrays[:_NAMED_AT_MOST])
    more = len(arrays) - _NAMED_AT_MOST
    rest = f" and {more} more, <array>.volumes.json each" if more > 0 else ""
    volumes = sum(v.wwid is None for v in plan.volumes)
    yield Finding(
        "PX601",
        f"the WWIDs of {volumes} of {len(plan.volumes)} volumes are unknown: "
        f"every multipath.conf that needs one ends in .incomplete",
        hint=f"when the volumes exist, collect `show volumes` of {_arrays(arrays)} into the folder of --observed, as "
        f"{replies}{rest}, and render again",
    )


def _arrays(arrays: list[str]) -> str:
    return f"array {arrays[0]}" if len(arrays) == 1 else f"{len(arrays)} arrays"


def _doubled(volumes: Iterable[Volume]) -> Iterator[Finding]:
    seen = [v for v in volumes if v.wwid is not None]
    count = Counter(v.wwid for v in seen)
    for twice in (w for w, n in count.items() if n > 1):
        names = ", ".join(v.id for v in seen if v.wwid == twice)
        hint = "collect `show volumes` of their arrays again"
        yield Finding("PX304", f"one WWID for several volumes: {names}", hint=hint)


def _applies(plan: Plan) -> bool:
    return any(v.provider == "me4" for v in plan.volumes)


RENDERER = Renderer(
    name="multipath",
    summary="multipath.conf for each pair of servers, with nsddevices for GPFS",
    needs="`show volumes` of every array in --observed, for the WWIDs",
    applies=_applies,
    findings=findings,
    files=files,
)
