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
from pixsize.products.nvmesh.request import Policy

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
    """PX107 for shares in no order, and an arbiter that is no server's name, or one of those it is to arbitrate."""
    _judge_policy(partial)
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


def _judge_policy(partial: PartialRequest) -> None:
    """PX107 where files would leave the tier before they may fill it, or never leave it."""
    words = partial.words[WORD].get("policy", {})
    known = Policy()
    if not isinstance(words, dict):
        return
    limit, high, low = (words.get(word, getattr(known, word)) for word in ("limit", "high", "low"))
    if not all(type(share) is int for share in (limit, high, low)) or low < high <= limit:
        return
    message = (
        f"low {low}, high {high}, limit {limit}: files leave the tier from high on until low, and enter it up to limit"
    )
    partial.report("PX107", f"{WORD}.policy", message, "low below high, and high no more than limit.")
