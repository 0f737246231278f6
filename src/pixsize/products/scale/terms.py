"""What IBM Storage Scale is called in findings, pages and run books of others."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import HDMD, STANDARD, Services, nsd_of, scale
from pixsize.terms import Terms
from pixsize.texts import listed, plural
from pixsize.units import binary_bytes


def _full_write(plan: Plan, catalog: Catalog) -> tuple[str, int]:  # noqa: ARG001  the same call for every file system
    return "A file-system block", scale(plan).block_bytes


def _described(plan: Plan) -> str:
    fs = scale(plan)
    copies = f"{fs.metadata_replicas} {'copy' if fs.metadata_replicas == 1 else 'copies'} of the metadata"
    block, inode = binary_bytes(fs.block_bytes), binary_bytes(fs.inode_bytes)
    clients = f", {plural(len(fs.clients), 'client')}" if fs.clients else ""
    return f"{fs.name}: blocks of {block}, inodes of {inode}, {copies}{clients}"


_SERVICES = {"search": "search", "monitoring": "monitoring and analytics"}


def _managed(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Search and monitoring, each with the servers that it lies on."""
    services = scale(plan).services or Services()
    told = [
        f"{_SERVICES[word]} on {listed(hosts)}" for word, hosts in zip(Services._fields, services, strict=True) if hosts
    ]
    return (("management", f"{'; '.join(told)}: by the vendor's guide"),) if told else ()


def _counted(plan: Plan) -> tuple[str, str]:
    uses = Counter("the descriptor" if t.purpose == "descriptor" else t.purpose for t in plan.targets)
    parts = ", ".join(f"{n:,} for {use}" for use, n in uses.items())
    return "NSDs", f"{len(plan.targets):,}: {parts}"


_SHARES = {1: "one file-system block", 2: "half a file-system block", 4: "a quarter of a file-system block"}


def _chunk_meets(plan: Plan, sentence: str, stripe: int, level: str) -> str:  # noqa: ARG001
    """How a block lies on stripes: whole stripes, or parts of one, which the array must read before it can write."""
    block = scale(plan).block_bytes
    stripes, rest = divmod(block, stripe)
    size = binary_bytes(block)
    if rest or not stripes:
        part = f"larger than a file-system block of {size}" if not stripes else f"no whole part of a block of {size}"
        return f"{sentence}, {part}; a full write may have to read first"
    share = _SHARES.get(stripes, f"1/{stripes} of a file-system block")
    return f"{sentence}, {share} of {size}; a full write never reads first"


TERMS = Terms(
    makes="mmcrnsd",
    targets="NSDs",
    user="an NSD",
    expands=True,
    sized=False,
    no_growth="before mmcrnsd: an NSD does not grow afterwards",
    used_drives=(
        "- Where the drives may have been used before: ask now whose they were, and whether anybody needs what they hold. New volumes over",
        "  used drives may show old data; mmcrnsd stops at an old NSD only, and writes over anything else.",
    ),
    at_boot=(
        "- multipathd runs before GPFS does, at every start: `/etc/systemd/system/gpfs.service.d/multipathd.conf` with the three lines",
        "  `[Unit]`, `Wants=multipathd.service` and `After=multipathd.service`, then `systemctl daemon-reload`.",
    ),
    when_named=(
        "Before mmcrnsd, `nsddevices` of the same folder on both servers, and on **every** other server of an NSD the one of its own folder:",
        "GPFS finds the devices of a server by this file, and by nothing else.",
        "",
        "```",
        "install -b -m 0755 nsddevices /var/mmfs/etc/nsddevices",
        "/var/mmfs/etc/nsddevices",
        "```",
        "",
        "It prints `mapper/NAME dmm` for every volume. When all arrays of the file system are this far, `stanzas/nsd.stanza` says at its head",
        "how to go on. If mmcrnsd ends half way, `mmlsnsd -F` shows the NSDs that it made: give it the stanzas of the missing ones only.",
    ),
    namesakes=" and of the NSDs",
    last_path=("When the last path is gone GPFS must hear of it, and go to the other server.",),
    full_write=_full_write,
    pool_of=lambda target: nsd_of(target).pool,
    balances=lambda _: True,
    sized_by=lambda _: "group",
    # IBM Storage Scale, message 6027-1945
    illegal_name=lambda name: "begins with gpfs, which IBM reserves" if name.casefold().startswith("gpfs") else "",
    named_as_volumes=True,
    beside_volumes="filesystem.descriptor",
    grows_at={"arrays": "storage_modules"},
    modules={HDMD: "HDMD"},
    variants={
        HDMD: "high-demand (HDMD), on arrays of its own",
        STANDARD: "standard, on SSDs in the arrays of the data",
    },
    described=_described,
    managed=_managed,
    counted=_counted,
    chunk_meets=_chunk_meets,
    volumes_figure="",
    figure_names={},
    df="df",
    no_rates=("PX405",),
    in_pool=None,
)
