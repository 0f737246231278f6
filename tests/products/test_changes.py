"""Whatever is changed in a plan is found: every field of every record, for every design."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args, get_type_hints

import pytest

from pixsize.check.context import Rule
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS, terms_of
from tests.products.changing_plans import Change, changes
from tests.products.drawing import examples, smallest
from tests.products.judging import Judged, judged
from tests.support.running import catalog

LNET = {"lnet": "o2ib", "interface": "ib0", "subnet": "10.10.0.0/24"}
POOL_NET = {"network": {"interface": "p2p1", "subnet": "10.30.0.0/24"}}
SERVERS = ("mds01", "mds02", "oss01", "oss02")
FENCING = {"agent": "fence_idrac", "subnet": "10.20.0.0/24"}
OUTLETS = {server: [f"10.31.0.1/{n}", f"10.31.0.2/{n}"] for n, server in enumerate(SERVERS, 1)}
DESCRIPTOR = {"server": "mgmt1", "device": "/dev/disk/by-id/scsi-desc"}


def pixstor(*modules: dict[str, Any], **words: Any) -> dict[str, Any]:
    return {"name": "lab", "design": "pixstor-6", "storage_modules": modules, "filesystem": {"name": "labfs"}} | words


def lustre(design: str, **words: Any) -> dict[str, Any]:
    return {"name": "lab", "design": design, "network": LNET, "filesystem": {"name": "scratch"}} | words


SMALL = {"size": "small", "data_drive": "8 TB"}
REQUESTS: dict[str, tuple[dict[str, Any], bool]] = {
    "pixstor, metadata beside the data": (pixstor({"size": "medium", "data_drive": "8 TB"}), True),
    "pixstor, one array": (pixstor(SMALL, filesystem={"name": "labfs", "metadata_replicas": 1}), False),
    "pixstor, metadata arrays": (
        pixstor(
            {"size": "small", "data_drive": "12 TB", "expansion": True},
            hdmd={"drive": "960 GB", "arrays": 1, "modules": 2},
            filesystem={"name": "labfs", "descriptor": DESCRIPTOR},
        ),
        True,
    ),
    "pixstor, sides": (
        pixstor(
            SMALL,
            hdmd={"drive": "960 GB", "arrays": 3},
            filesystem={"name": "labfs", "failure_groups": "sides"},
        ),
        False,
    ),
    "pixstor, names and networks": (
        pixstor(
            SMALL,
            network={
                "subnet": "10.10.0.0/24",
                "management": {"subnet": "10.20.0.0/24"},
                "bmc": {"subnet": "10.30.0.0/24"},
                "domain": "example.org",
                "ntp": ["ntp1.example.org", "192.0.2.1"],
                "dns": ["192.0.2.53", "192.0.2.54"],
            },
        ),
        False,
    ),
    "pixstor, clients": (
        pixstor(
            SMALL,
            network={"subnet": "10.10.0.0/24"},
            cluster={"clients": {"hosts": ["c1", "c2.example.org", "c3"]}},
            management={"search": True, "monitoring": True},
        ),
        False,
    ),
    "pixstor, gateways": (
        pixstor(
            SMALL,
            network={"subnet": "10.10.0.0/24"},
            gateways={
                "count": 3,
                "domain": "files.example.org",
                "subnet": "10.40.0.0/24",
                "exports": ["/labfs/a", "/labfs/b"],
                "smb": {"security": "ads", "realm": "EXAMPLE.ORG", "workgroup": "EXAMPLE"},
            },
        ),
        False,
    ),
    "pixstor, nvme": (
        pixstor(SMALL, nvme={"pairs": 2, "drive": "1.6 TB", "arbiter": {"server": "mgmt2", "drive": "2 TB"}}),
        False,
    ),
    "pixstor, ngenea": (
        pixstor(
            SMALL,
            ngenea={
                "count": 2,
                "targets": [
                    {
                        "name": "cold",
                        "type": "s3",
                        "endpoint": "https://s3.example.org:9000",
                        "bucket": "cold",
                        "region": "eu-west-1",
                        "credentials_file": "/etc/pixsize/cold",
                    },
                    {"name": "blobs", "type": "azure", "bucket": "blobs", "credentials_file": "/etc/pixsize/blobs"},
                    {"name": "old", "type": "posix", "path": "/archive/old"},
                ],
            },
        ),
        False,
    ),
    "lustre on arrays": (
        lustre(
            "lustre-me4",
            lustre_version="2.15.8",
            storage_modules=[{"size": "medium", "data_drive": "8 TB"}],
            fencing=FENCING
            | {"second": {"agent": "fence_apc_snmp", "outlets": OUTLETS}, "ring": {"subnet": "10.40.0.0/24"}},
        ),
        True,
    ),
    "lustre on arrays, watched": (
        lustre(
            "lustre-me4",
            lustre_version="2.10.8",
            management="iml_monitored",
            storage_modules=[SMALL, SMALL | {"data_drive": "12 TB"}],
            metadata={"dne": False, "mgt": "with_mdt0", "pairs": 2},
            fencing=FENCING | {"second": {"agent": "fence_sbd", "devices": ["/dev/disk/by-id/sbd1"]}},
        ),
        False,
    ),
    "lustre in a pool": (
        lustre("lustre-powerflex", lustre_version="2.15.8", servers=5, drive="2 TB", powerflex=POOL_NET, fencing=FENCING),
        True,
    ),
    "lustre in a pool, no failover": (
        lustre("lustre-powerflex", servers=3, drive="2 TB", failover=False, powerflex=POOL_NET), False
    ),
}  # fmt: skip
"""Requests that make every kind of part, and whether their systems are built and have reported."""
_OWN = {words["design"] for words, _ in REQUESTS.values()}
REQUESTS |= {
    f"{design}, example {number}": (words, False)
    for design, every in examples().items()
    if design not in _OWN
    for number, words in enumerate(every, 1)
}
"""A design that has no request of its own here stands with its examples."""
SMALLEST = {f"the smallest {design}": design for design in examples()}
"""Of every design, whatever product it is of: found from its examples."""
UNLISTED = [name for name, design in SMALLEST.items() if design not in _OWN]
"""Of the designs that have no request of their own here."""


def trade_places_on_an_array(plan: Plan, changed: Plan) -> bool:
    """Two targets that are spread over the paths of one array now prefer each the other's first server of the same two."""
    pairs = [(a, b) for a, b in zip(plan.targets, changed.targets, strict=True) if a != b]
    arrays = {volume.id: volume.array for volume in plan.volumes}
    spread = all(a.volume and arrays[a.volume] and terms_of(plan, catalog()).balances(a) for a, _ in pairs)
    return (
        spread
        and len({arrays[a.volume] for a, _ in pairs if a.volume}) == 1
        and all(sorted(a.servers) == sorted(b.servers) for a, b in pairs)
    )


FREE: dict[tuple[str, str, str], tuple[str, Callable[[Plan, Plan], bool]]] = {
    ("Target", "servers", "exchanged"): (
        "which of its servers a target on an array prefers is free, as long as the paths are balanced (PX515)",
        trade_places_on_an_array,
    ),
}
"""Record, field and kind of change -> why no rule names it, though files or figures differ, and for which plans."""
MOST = 0.01
"""The part of all changes with an effect that may pass."""
PLACES = 5
"""At how many places of a plan the long test makes each kind of change, from the first place to the last."""
SAMPLE = 83
"""The daily test takes each change of this number; a prime, so that all kinds of change are among them."""
RENDERED = 199
"""Of the changes that are found, each of this number is rendered, to learn how many have an effect; a prime too."""


@cache
def site(name: str) -> Judged:
    words, built = (smallest(SMALLEST[name]), False) if name in SMALLEST else REQUESTS[name]
    return judged(words, built=built)


def kind_of(change: Change) -> tuple[str, str, str]:
    return change.record, change.field, change.how.partition(" ")[0]


def spread(of: Judged) -> Iterator[Change]:
    """The changes of a plan, each kind at `PLACES` places at most."""
    kinds: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes(of.plan, catalog()):
        how = "exchanged" if change.how.startswith("exchanged") else change.how
        kinds.setdefault((change.record, change.field, how), []).append(change)
    for alike in kinds.values():
        places = min(PLACES, len(alike))
        yield from (alike[n * (len(alike) - 1) // max(1, places - 1)] for n in range(places))


def is_free(of: Judged, change: Change) -> bool:
    """Whether no rule need name the change."""
    why = FREE.get(kind_of(change))
    return why is not None and why[1](of.plan, change.plan)


def is_caught(of: Judged, change: Change) -> bool:
    """Whether a rule finds the change; one that cannot say anything at all has failed."""
    try:
        return of.is_caught(change.plan)
    except Exception as error:
        raise AssertionError(change.name) from error


def finder(of: Judged, change: Change, first: Rule | None) -> Rule | None:
    """A rule that finds the change, if any does; `first` is asked first."""
    try:
        return of.finder(change.plan, first)
    except Exception as error:
        raise AssertionError(change.name) from error


def every_record(record: Any, seen: set[Any]) -> set[Any]:
    """The types of record that a plan can be made of, found from their annotations."""
    if record in seen:
        return seen
    if hasattr(record, "_fields") or dataclasses.is_dataclass(record):
        seen.add(record)
        for annotation in get_type_hints(record).values():
            every_record(annotation, seen)
    for part in get_args(record):
        every_record(part, seen)
    return seen


def test_every_design_and_every_record_of_a_plan_is_changed() -> None:
    changed = {(c.record, c.field) for name in (*REQUESTS, *UNLISTED) for c in changes(site(name).plan, catalog())}
    own = [f for product in PRODUCTS.values() if (f := product.filesystem)]
    parts = [r for f in own for r in (f.record, f.target_record, f.server_record) if r]
    records = set().union(*(every_record(part, set()) for part in (Plan, *parts)))
    fields = {(r.__name__, name) for r in records for name in get_type_hints(r)}
    assert fields - changed == set()


@pytest.mark.parametrize("name", [*REQUESTS, *SMALLEST])
def test_some_changes_are_found(name: str) -> None:
    start = [*REQUESTS, *SMALLEST].index(name)
    drawn = (c for n, c in enumerate(changes(site(name).plan, catalog())) if n % SAMPLE == start)
    passed = [c for c in drawn if not is_caught(site(name), c) and not is_free(site(name), c)]
    assert not [c.name for c in passed if site(name).alters(c.plan)]


@pytest.mark.long
def test_all_changes_are_found() -> None:
    """At least 99 of 100 that have an effect; the rest are those of `FREE`, each of which is needed.

    Of the changes that are found some are drawn, and each stands for as many: to render them all takes half an hour.
    Rules are asked until one finds the change; that all can say something of it, the test above shows for its sample.
    """
    passed: Counter[tuple[str, str, str]] = Counter()
    effective = 0
    for name in (*REQUESTS, *UNLISTED):
        finders: dict[tuple[str, str], Rule] = {}  # most changes of a field are found by one rule
        for number, change in enumerate(spread(site(name))):
            found = finder(site(name), change, finders.get((change.record, change.field)))
            if found:
                finders[change.record, change.field] = found
            if (not found or number % RENDERED == 0) and site(name).alters(change.plan):
                effective += RENDERED if found else 1
                passed[kind_of(change)] += found is None
                assert found or is_free(site(name), change), change.name
    there = {kind for kind, count in passed.items() if count}
    assert there == set(FREE)
    assert sum(passed.values()) <= MOST * effective
