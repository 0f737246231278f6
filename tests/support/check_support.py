"""A plan that no rule finds fault with, and ways to break it in one place. Requests are made here, not loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive
from pixsize.check import check
from pixsize.findings import Finding
from pixsize.observed import (
    Observed,
    ObservedArray,
    ObservedDisk,
    ObservedEnclosure,
    ObservedGroup,
    ObservedVolume,
)
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.products.me4.reply_rows import media_of, use_of
from pixsize.products.scale.request import ScaleRequest
from pixsize.request import Request
from tests.support import written
from tests.support.changing import replace

MIB, TIB = 2**20, 2**40
UNSEEN = "PX410"
"""The note of every plan on arrays that have reported nothing."""
ARRAYS = {"small": 1, "medium": 2, "large": 4}

T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """Everything that `check` looks at."""

    request: Any
    plan: Plan
    catalog: Catalog
    observed: Observed

    def findings(self) -> tuple[Finding, ...]:
        """What the rules say."""
        return check(self.request, self.plan, self.catalog, self.observed)

    def codes(self) -> list[str]:
        """The codes of what the rules say, in order."""
        return [f.code for f in self.findings()]

    def with_plan(self, **parts: Any) -> Site:
        """The same with other parts of the plan."""
        return replace(self, plan=replace(self.plan, **parts))

    def with_array(self, name: str, **parts: Any) -> Site:
        """The same with other replies of one array; replies about drives say which spares of the plan are added."""
        seen = replace(self.observed.arrays.get(name, ObservedArray()), **parts)
        other = replace(self, observed=replace(self.observed, arrays={**self.observed.arrays, name: seen}))
        return other.with_plan(spares=other.planned_again().plan.spares) if "disks" in parts else other

    def planned_again(self) -> Site:
        """The same with the plan that request and replies give."""
        plan, refusals = make_plan(self.request, self.catalog, self.observed)
        assert plan is not None, refusals
        return replace(self, plan=plan)


def changed(parts: tuple[T, ...], which: int | Callable[[T], bool], **fields: Any) -> tuple[T, ...]:
    """The parts with other fields in one of them: by place, or the first that is `which`."""
    at = which if isinstance(which, int) else next(i for i, p in enumerate(parts) if which(p))
    new: T = replace(parts[at], **fields)  # type: ignore[type-var]
    return (*parts[:at], new, *parts[at + 1 :])


@lru_cache(maxsize=1)
def _shipped() -> dict[str, dict[str, Any]]:
    return {record["id"]: record for _, record in written.records()}


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The shipped records."""
    return Catalog(_shipped())


def catalog_with(record_id: str, **words: Any) -> Catalog:
    """The shipped records with other words in one of them."""
    return Catalog({**_shipped(), record_id: {**_shipped()[record_id], **words}})


def asked(*modules: Mapping[str, Any], hdmd: Mapping[str, Any] | None = None, **filesystem: Any) -> ScaleRequest:
    """A completed request; its words are those of a request, drives are catalog ids."""
    return ScaleRequest.model_validate(
        {
            "name": "site",
            "design": "pixstor-6",
            "storage_modules": [_storage(m, i, standard=hdmd is None) for i, m in enumerate(modules)],
            "hdmd": None if hdmd is None else _hdmd(hdmd),
            "filesystem": {
                "name": "mmfs1",
                "block_size": "8 MiB",
                "inode_size": "4 KiB",
                "metadata_replicas": 2,
                "failure_groups": "per_array",
                **filesystem,
            },
        }
    )


def _storage(words: Mapping[str, Any], index: int, *, standard: bool) -> dict[str, Any]:
    count = words.get("count", 1)
    return {
        "size": "large",
        "data_drive": "nl-sas-12tb",
        "metadata_drive": "ssd-960gb" if standard else None,
        "chunk_size": "512 KiB",
        "hosts": tuple(f"s{index + 1}m{m + 1}n{n}" for m in range(count) for n in (1, 2)),
        **words,
    }


def _hdmd(words: Mapping[str, Any]) -> dict[str, Any]:
    modules = words.get("modules", 1)
    hosts = tuple(f"h{m + 1}n{n}" for m in range(modules) for n in (1, 2))
    return {"drive": "ssd-960gb", "hosts": hosts, **words}


def site(request: Request, records: Catalog | None = None, *, observe: bool = True) -> Site:
    """The request's plan, made again from what arrays built after it would report (or from nothing observed)."""
    records = records or catalog()
    plan, refusals = make_plan(request, records, Observed())
    assert plan is not None, refusals
    if not observe:
        return Site(request, plan, records, Observed())
    observed = reported(plan, records)
    again, refusals = make_plan(request, records, observed)
    assert again is not None, refusals
    return Site(request, again, records, _with_volume_sizes(observed, again)).planned_again()


def reported(plan: Plan, records: Catalog) -> Observed:
    """What the arrays of a plan report once they are built: groups 2.2 % under nominal, as a real one does."""
    arrays = {a.id: _array(plan, a.id, records) for a in plan.arrays}
    return Observed(arrays, digest="0" * 64)


def _array(plan: Plan, array: str, records: Catalog) -> ObservedArray:
    groups = [g for g in plan.disk_groups if g.array == array]
    numbers = {v.id: i for i, v in enumerate(plan.volumes)}
    enclosures = next(a.enclosures for a in plan.arrays if a.id == array)
    places = [(g.enclosure, s, "LINEAR POOL", g.drive) for g in groups for s in g.slots]
    places += [(p.enclosure, s, "GLOBAL SP", p.drive) for p in plan.spares if p.array == array for s in p.slots]
    return ObservedArray(
        groups={g.id: ObservedGroup(g.id, g.bytes * 978 // 1000 // 512 * 512, 0) for g in groups},
        volumes={
            v.id: ObservedVolume(v.id, f"3600c0ff0{numbers[v.id]:024x}", None, v.owner.upper())
            for v in plan.volumes
            if v.array == array
        },
        disks={(e, s): _disk(e, s, usage, records.get(Drive, drive)) for e, s, usage, drive in places},
        enclosures={e.index: ObservedEnclosure(f"PowerVault {e.model.upper()}") for e in enclosures},
        replies=(f"{array}.show.json",),
    )


def _disk(enclosure: int, slot: int, usage: str, drive: Drive) -> ObservedDisk:
    description = "SSD SAS" if drive.media == "sas-ssd" else "SAS MDL"
    return ObservedDisk(enclosure, slot, use_of(usage), drive.capacity_bytes, media_of(description))


def _with_volume_sizes(observed: Observed, plan: Plan) -> Observed:
    arrays = {}
    for name, seen in observed.arrays.items():
        sizes = {v.id: v.bytes for v in plan.volumes if v.array == name}
        taken = {g: sum(v.bytes for v in plan.volumes if v.backing == g) for g in seen.groups}
        left = {g: seen.groups[g].bytes - taken[g] for g in seen.groups}
        arrays[name] = replace(
            seen,
            volumes={i: replace(v, bytes=sizes[i]) for i, v in seen.volumes.items()},
            groups={i: replace(g, free_bytes=left[i] if left[i] > 8 * MIB else 0) for i, g in seen.groups.items()},
        )
    return replace(observed, arrays=arrays)


@lru_cache(maxsize=1)
def good() -> Site:
    """A Large with three ME4024, built and reported."""
    return site(asked({}, hdmd={"arrays": 3}))


@lru_cache(maxsize=1)
def good_standard() -> Site:
    """A Large in the standard variant, built and reported: four arrays, each with both uses."""
    return site(asked({}))


@lru_cache(maxsize=1)
def good_expanded() -> Site:
    """A Large with expansions and three ME4024, built and reported."""
    return site(asked({"expansion": True}, hdmd={"arrays": 3}))


def blind(base: Site) -> Site:
    """The same plan, with no replies to hold against it: for breaking the plan alone. PX410 says that there are none."""
    groups = tuple(replace(g, reported_bytes=None) for g in base.plan.disk_groups)
    volumes = tuple(replace(v, wwid=None, reported_bytes=None) for v in base.plan.volumes)
    spares = tuple(replace(s, added=False) for s in base.plan.spares)
    return replace(base, observed=Observed()).with_plan(disk_groups=groups, volumes=volumes, spares=spares)


@dataclass(frozen=True)
class Break:
    """A good site broken in one place: the code that must come alone, its place, and words of its message.

    `notes` are codes that the good site has as well.
    """

    code: str
    name: str
    make: Callable[[], Site]
    where: str
    words: tuple[str, ...]
    notes: frozenset[str] = frozenset()

    def prove(self) -> None:
        """Fails unless this code, and no other, is found, and its finding says what it must."""
        broken = self.make()
        notes = self.notes if broken.observed.arrays or self.code == UNSEEN else self.notes | {UNSEEN}
        findings = [f for f in broken.findings() if f.code not in notes]
        assert {f.code for f in findings} == {self.code}, [(f.code, f.message) for f in findings]
        first = findings[0]
        assert first.where == self.where
        missing = [w for w in self.words if w not in first.message]
        assert not missing, (missing, first.message)
