"""What the estimates of a kind of system are worded with: what things are called, and the places that say so."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.figures import Source


class Words(NamedTuple):
    """What a kind of system calls its targets, how files are spread over `n` of them, and where its document says what.

    `doubled` tells where twice the drives behind the same controllers were seen, `metadata` the volumes for metadata,
    `metadata_targets` the targets on them, `counted` what the document's formatted capacity leaves aside; `modules` is
    the request's path to what can be had several times.
    """

    target: str
    metadata: str
    metadata_targets: str
    spread: str
    doubled: str
    counted: str
    modules: str
    raw: Source
    formatted: Source
    layout: Source
    spreading: Source
    grows: Source
    chain: Source
