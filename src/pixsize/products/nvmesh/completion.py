"""Completes and judges the word `nvme` of a request."""

from __future__ import annotations

from pixsize.load import names
from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import quoted
from pixsize.load.request_words import choose_drives
from pixsize.load.servers import judge_parts, whole
from pixsize.plan.records import same_host
from pixsize.products.nvmesh.plan import servers_of_pair
from pixsize.products.nvmesh.records import NvmeDesign

WORD = "nvme"
_ARBITER = f"{WORD}.arbiter.server"
_MEDIA = "nvme"


def hosts(partial: PartialRequest) -> list[str]:
    """The names of the servers: nvme1, nvme2 and so on, two a pair."""
    pairs = whole(partial.words[WORD].get("pairs", 1))
    few = 2 * pairs <= partial.limit("pixsize.parts")
    return [host for n in range(1, pairs + 1) for host in servers_of_pair(n)] if few else []


def complete(partial: PartialRequest) -> None:
    """Fill in the drive of the design, and that of the arbiter."""
    words = partial.words[WORD]
    (section, *_) = partial.catalog.of_design(NvmeDesign, partial.design.id)
    judge_parts(partial, f"{WORD}.pairs", "volumes on NVMe drives", section.volumes * whole(words.get("pairs", 1)))
    partial.complete(f"{WORD}.drive", section.drive)
    if isinstance(words["drive"], str):
        partial.complete(f"{WORD}.arbiter.drive", words["drive"])
    choose_drives(partial, f"{WORD}.drive", _MEDIA)
    choose_drives(partial, f"{WORD}.arbiter.drive", _MEDIA)


def judge(partial: PartialRequest) -> None:
    """PX107 for an arbiter that is no server's name, or one of the servers that it is to arbitrate."""
    own = hosts(partial)
    for value, where in list(partial.values(_ARBITER)):
        if not isinstance(value, str):
            continue
        trouble = names.host_trouble(value)
        if trouble:
            partial.report("PX107", where, f"{quoted(value)} is no server's name: {trouble}")
        elif any(same_host(value, host) for host in own):
            message = f"{quoted(value)} is a server of the pairs, and no third one"
            partial.report("PX107", where, message, "A server outside the pairs, such as mgmt1.")
