"""Rules about the NVMe tier: each breaks a good plan in one place and must be found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from tests.ngenea.words import planned
from tests.nvmesh.words import ARBITER, good, request, tier
from tests.support.changing import replace
from tests.support.check_support import Break, Site, changed

RATES = frozenset({"PX624"})


def with_tier(**fields: Any) -> Site:
    """The good plan with other fields in what NVMesh has of it."""
    plan = good().plan
    return good().with_plan(additions=(replace(plan.additions[0], own=replace(tier(plan), **fields)),))


def first(plan: Plan, parts: str) -> int:
    """The place of the first volume or target of the tier."""
    return next(place for place, part in enumerate(getattr(plan, parts)) if part.id.startswith("nvp"))


def volume(**fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in the first volume of the tier."""
    plan = good().plan
    return lambda: good().with_plan(volumes=changed(plan.volumes, first(plan, "volumes"), **fields))


def target(**fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in the first target of the tier."""
    plan = good().plan
    return lambda: good().with_plan(targets=changed(plan.targets, first(plan, "targets"), **fields))


def nsd(**fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in what the file system has of that target."""
    plan = good().plan
    own: Any = plan.targets[first(plan, "targets")].own
    return target(own=replace(own, **fields))


def size() -> int:
    return good().plan.volumes[-1].bytes


def more_than_fits() -> Site:
    plan = good().plan
    volumes = tuple(replace(v, bytes=v.bytes + 10 * 2**20) if v.provider == "nvmesh" else v for v in plan.volumes)
    return good().with_plan(volumes=volumes)


def short_names() -> Site:
    """A catalog in which NVMesh takes fewer characters than the names have."""
    raw = good().catalog.raw
    return replace(good(), catalog=Catalog(raw | {"nvmesh.name_chars": raw["nvmesh.name_chars"] | {"value": 10}}))


def no_room_at_all() -> Site:
    """A catalog in which NVMesh keeps whole drives: a finding, and no crash."""
    raw = good().catalog.raw
    area = raw["nvmesh.private_area"] | {"value": "99.9 %", "high": "99.9 %"}
    return replace(good(), catalog=Catalog(raw | {"nvmesh.private_area": area})).planned_again()


BREAKS = (
    Break("PX628", "no drive left", no_room_at_all, "nvme.drive", ("nvp1_data01 has 0 bytes, and 7 more",), RATES),
    Break("PX625", "names", short_names, "nvme", ("'nvp1_data01' cannot name a volume", "10 letters"), RATES),
    Break("PX623", "no majority", lambda: planned(request()), "nvme", ("2 targets", "neither of the two"), RATES),
    Break(
        "PX598",
        "another drive",
        lambda: planned(request(drive="2 TB", arbiter=ARBITER)),
        "nvme.drive",
        ("says that the NVMe servers take", "nvme-2tb"),
        RATES,
    ),
    Break("PX624", "rates", good, "nvme", ("50 GB/s", "100 GB/s at the most", "all writes are 50 GB/s")),
    Break("PX628", "odd size", volume(bytes=size() - 2**20), "nvme.drive", ("nvp1_data01", "multiple of"), RATES),
    Break("PX628", "no room", more_than_fits, "nvme.drive", ("the volumes of nvp1 ask for",), RATES),
    Break("PX599", "metadata", volume(purpose="metadata"), "nvme", ("nvp1_data01 is for metadata",), RATES),
    Break(
        "PX629",
        "arbiter inside",
        lambda: with_tier(arbiter=replace(tier(good().plan).arbiter, server="nvme2")),
        "nvme.arbiter",
        ("nvme2, which is no third target",),
        RATES,
    ),
    Break(
        "PX578",
        "an arbiter that nobody installs",
        lambda: planned(request(arbiter=ARBITER | {"server": "mgtm1"})),
        "nvme.arbiter.server",
        ("mgtm1 is no server of the plan",),
        RATES,
    ),
    Break("PX525", "no arbiter", lambda: with_tier(arbiter=None), "nvme", ("arbiter of the tier is None",), RATES),
    Break("PX525", "slices", lambda: with_tier(slice_bytes=2**20), "nvme", ("slice_bytes of the tier",), RATES),
    Break("PX525", "width", lambda: with_tier(stripe_width=9), "nvme", ("stripe_width of the tier is 9",), RATES),
    Break("PX525", "stripes", lambda: with_tier(stripe_blocks=64), "nvme", ("stripe_blocks of the tier is 64",), RATES),
    Break("PX525", "pool", lambda: with_tier(pool="flash"), "nvme", ("pool of the tier is 'flash'",), RATES),
    Break("PX506", "backing", volume(backing="nvp2"), "", ("nvp1_data01 lies on nvp2",), RATES),
    Break("PX517", "wrong pool", nsd(pool="nlsas"), "", ("nvp1_data01", "expected dataOnly in nvme"), RATES),
    Break("PX517", "wrong use", nsd(usage="metadataOnly"), "", ("nvp1_data01", "metadataOnly"), RATES),
    Break("PX524", "wrong servers", target(servers=("sm01n1", "sm01n2")), "", ("nvp1 is served by",), RATES),
    Break("PX525", "turned servers", target(servers=("nvme2", "nvme1")), "", ("prefers nvme2",), RATES),
    Break("PX525", "another device", target(device="/dev/mapper/nvp1_data01"), "", ("device /dev/mapper",), RATES),
    Break("PX513", "numbers", nsd(failure_group=2003), "filesystem.failure_groups", ("expected 2001",), RATES),
    Break("PX513", "of arrays", nsd(failure_group=101), "", ("nvp1_data01 of nvp1 shares failure group 101",), RATES),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_a_break_is_found(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize("name", ["e_data", "d_data", "x" * 23, "a.b", "a b", "", "nvp1_data01\n"])
def test_a_name_that_nvmesh_refuses_is_found(name: str) -> None:
    plan = good().plan
    place = first(plan, "volumes")
    renamed = changed(plan.volumes, place, id=name)
    found = good().with_plan(volumes=renamed).codes()
    assert "PX575" in found or "PX625" in found


def test_three_targets_are_a_majority() -> None:
    for words in (request(pairs=2), request(arbiter=ARBITER)):
        assert "PX623" not in planned(words).codes()


def test_a_descriptor_on_a_server_of_the_tier_is_named() -> None:
    """It would give up its mount, and the NSDs of its pair with it."""
    words = request(arbiter=ARBITER)
    words["filesystem"]["descriptor"] = {"server": "nvme1", "device": "/dev/disk/by-id/scsi-desc"}
    assert "PX574" in planned(words).codes()
