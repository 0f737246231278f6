"""What is done on site for the NVMe tier, before its volumes become NSDs."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, added
from pixsize.products.nvmesh.plan import NvmePair, NvmeTier
from pixsize.products.nvmesh.render.nvmesh import ATTACH, CREATE, UNIT, VOLUMES, folder, installed, volumes_of
from pixsize.render.steps import (
    ACCEPTED,
    ATTACHED,
    BACK,
    BEFORE_TESTS,
    POWERED,
    PREPARED,
    STOPPED,
    VOLUMES_STOPPED,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import comma_list, word

_INSTALLED = "servers whose NVMe drives NVMesh has"
_CREATED = "volumes of the NVMe tier"
_THERE = "devices of the NVMe tier on both servers of each pair"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """NVMesh on the servers and the arbiter; the volumes of each pair; their devices on both servers, now and
    after each start.
    """
    tier = added(plan, NvmeTier)
    if tier is None:
        return ()
    return (
        _installed(tier, catalog),
        _created(plan, tier, catalog),
        _attached(plan, tier, catalog),
        *_before_gpfs(plan, tier, catalog),
        _accepted(plan, tier, catalog),
        _stopped(tier, catalog),
        _back(plan, tier, catalog),
    )


def _installed(tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "prepare")
    boxes = [
        Box(word(s), "NVMesh, target and client; all NVMe drives formatted for it", "", each) for s in _servers(tier)
    ]
    if tier.arbiter:
        boxes.append(Box(word(tier.arbiter.server), "NVMesh, target; one NVMe drive formatted for it", "", each))
    return Step(
        "Install NVMesh on the servers of the NVMe tier",
        tuple(boxes),
        (
            Look(
                "the page of targets of NVMesh's management",
                f"{len(boxes)} targets, every drive of them in good health",
            ),
        ),
        needs=(PREPARED,),
        provides=(_INSTALLED,),
        destroys="what the NVMe drives hold that are formatted for NVMesh",
        text=(
            "How NVMesh is installed and licensed, and how its management is made of three nodes, is in the vendor's guide."
            " System disks are never formatted for it.",
        ),
    )


def _created(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "script")
    boxes = tuple(
        _box(pair, pair.servers[0], f"{CREATE} --management URL --config FILE", CREATE, each) for pair in tier.pairs
    )
    count = sum(len(volumes_of(plan, pair)) for pair in tier.pairs)
    return Step(
        f"Create the {count} volumes of the NVMe tier",
        boxes,
        (
            Look(
                "the page of volumes of NVMesh's management", f"{count} volumes, online, with the bytes of `{VOLUMES}`"
            ),
        ),
        needs=(_INSTALLED,),
        provides=(_CREATED,),
        text=(
            "URL is that of NVMesh's management. FILE is a file of curl with what a login needs, readable by root alone; no"
            " rendered file holds a secret. The script asks the management for its volumes before and after, and may be started"
            " again; where it gets no list, it says what to look at, and goes on with `--looked`. Where the last volume of a pair is refused for lack of room, NVMesh keeps a private"
            " area on each drive: take the new volumes away again, lay the record `nvmesh.private_area` with its size over the"
            " catalog, and render again, before anything lies on them.",
        ),
    )


def _attached(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "script")
    boxes = tuple(_box(pair, server, ATTACH, ATTACH, each) for pair in tier.pairs for server in pair.servers)
    most = max(len(volumes_of(plan, pair)) for pair in tier.pairs)
    return Step(
        "Attach the volumes of the NVMe tier on both servers of each pair",
        boxes,
        (Look("`ls /dev/nvmesh`, on each of these servers", f"the {most} volumes of its pair"),),
        needs=(_CREATED,),
        provides=(_THERE,),
        text=(
            "Before mmcrnsd: an NSD needs its device on both of its servers, and GPFS sees it by `nsddevices` alone. The mirror lies"
            " below the file system, so that GPFS keeps one copy of the data in this pool.",
        ),
    )


def _before_gpfs(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Iterator[Step]:
    """A unit of systemd on both servers of a pair: without their devices the NSDs of the tier are down."""
    each = seconds(catalog, "look")
    for number, pair in enumerate(tier.pairs, 1):
        boxes = (Box(word(s), f"enter the commands in the folder `{folder(pair)}`", "", each) for s in pair.servers)
        yield Step(
            f"Attach the volumes of {word(pair.id)} at each start, before GPFS",
            tuple(boxes),
            (
                Look(f"`systemctl is-enabled {UNIT}`", "`enabled`"),
                Look("`systemctl show gpfs -p After -p Wants`", f"`{UNIT}` in both lines"),
                Look(f"`journalctl -b -u {UNIT}`", f"{len(volumes_of(plan, pair))} volumes, each `attached`"),
            ),
            needs=(_THERE,),
            provides=(ATTACHED,) if number == len(tier.pairs) else (),
            text=(
                "GPFS starts with its server. Without this unit it may start before NVMesh has the volumes, and takes the"
                " NSDs on them for lost. The unit waits for NVMesh, attaches what NVMesh has not attached by itself, and lets"
                " GPFS start in any case.",
            ),
            commands=(
                f"install -m 0755 {ATTACH} {installed(pair)}",
                f"install -m 0644 {UNIT} /etc/systemd/system/{UNIT}",
                "systemctl daemon-reload",
                f"systemctl enable --now {UNIT}",
            ),
        )


def _accepted(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    """Both halves of every mirror, before and after one server was away."""
    each = seconds(catalog, "restart")
    count = sum(len(volumes_of(plan, pair)) for pair in tier.pairs)
    targets = len(_servers(tier)) + bool(tier.arbiter)
    alone = targets < _MAJORITY
    return Step(
        "Accept the mirrors of the NVMe tier",
        tuple(
            Box(word(pair.servers[1]), f"restarted while a file in the pool {word(tier.pool)} is written", "", each)
            for pair in tier.pairs
        ),
        (
            Look("the page of volumes, before", f"{count} volumes online, both copies of each in good health"),
            Look(
                "the same, while the server is away",
                f"the volumes of its pair degraded, none offline{_LEFT if alone else ''}",
            ),
            Look("the writer, meanwhile", "it goes on, and ends without an error"),
            Look(
                "the page of volumes, after the rebuild", f"{count} volumes online, both copies of each in good health"
            ),
            Look("`ls /dev/nvmesh`, on the server that is back", "the volumes of its pair, without a command"),
        ),
        needs=(ATTACHED,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
        text=("One server at a time; the next one only when no volume is degraded any more.",),
        takes="the rebuild of what was written meanwhile",
    )


_MAJORITY = 3
"""Targets from which on one may be away (NVMesh, User Guide: RAID 1 and 10 with target redundancy)."""
_LEFT = "; with two targets and no third, neither has a majority: volumes may go offline (PX623)"


def _stopped(tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "look")
    return Step(
        "Stop the NVMe tier",
        tuple(
            Box(word(s), "NVMesh stopped, first its client, then its target, by its guide", "", each)
            for s in _servers(tier)
        ),
        (Look("`ls /dev/nvmesh`, on each of these servers", "nothing, or no such folder"),),
        needs=(ATTACHED,),
        after=(ACCEPTED, STOPPED),
        provides=(VOLUMES_STOPPED,),
        text=(
            "Behind GPFS, before the servers: a volume that is in use when its second server goes is rebuilt for nothing. Volumes"
            f" need not be detached for it; at the next start `{UNIT}` attaches those that are not. The nodes of NVMesh's"
            " management go off last, and come on first.",
        ),
    )


def _back(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    """After a start of everything: the tier before the file system that lies on it."""
    each = seconds(catalog, "look")
    count = sum(len(volumes_of(plan, pair)) for pair in tier.pairs)
    servers = comma_list(_servers(tier))
    return Step(
        "See the NVMe tier again",
        tuple(_box(pair, server, f"{ATTACH} --check", ATTACH, each) for pair in tier.pairs for server in pair.servers),
        (
            Look("the page of volumes of NVMesh's management", f"{count} volumes online, none degraded"),
            Look(
                f"`{ATTACH} --check`, on each of these servers",
                f"each volume `attached`. Else `journalctl -b -u {UNIT}` says why; then `{ATTACH}`, on each of them, and"
                f" `mmnsddiscover -a -N {servers}` on one",
            ),
        ),
        needs=(ATTACHED,),
        after=(POWERED,),
        provides=(BACK,),
        text=(
            "An NSD whose device came after GPFS is seen again by `mmnsddiscover`; a disk of the file system that is down by then"
            " is started in the step behind.",
        ),
    )


def _box(pair: NvmePair, server: str, words: str, script: str, each: int) -> Box:
    return Box(word(server), f"`{words}`, in the folder `{folder(pair)}`", f"{folder(pair)}/{script}", each)


def _servers(tier: NvmeTier) -> list[str]:
    return [server for pair in tier.pairs for server in pair.servers]
