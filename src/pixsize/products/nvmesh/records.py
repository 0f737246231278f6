"""The NVMe tier of a design: its servers, their drives, and how volumes lie over them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from pixsize.catalog.designs import AddedServers
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import DriveId, Few, Many, Natural, PoolName

SLICE = "nvmesh.slice"
DRIVE_OVERHEAD = "nvmesh.drive_overhead"
PRIVATE_AREA = "nvmesh.private_area"
SLICES_A_DRIVE = "nvmesh.slices_a_drive"
NAME_CHARS = "nvmesh.name_chars"
TARGETS = "nvmesh.targets_min"
"""The ids of limits and of the constant that the volumes rest on."""
PATH = re.compile(r"(/[a-z][a-z0-9_-]{0,30}){1,5}")
"""A path of NVMesh's interface."""


class NvmeDesign(AddedServers):
    """Pairs of servers with drives of their own.

    A pair has `volumes`, each over all `drives` of both servers: a mirror has its copies on either server. A drive
    takes `stripe_blocks` of a stripe, in blocks of 4 KiB. `confirmed` are the drives that the document names; a request
    without a drive has `drive`. The file system calls the tier by its `pool`. `services` are the units of systemd that
    start NVMesh on a server, `listing` is where its management lists all volumes.
    """

    drives: Few
    drive: DriveId
    confirmed: Many[DriveId]
    volumes: Few
    stripe_blocks: Annotated[Natural, Field(ge=32)]
    pool: PoolName
    services: Many[Annotated[str, matching(r"[a-z][a-z0-9-]{0,40}\.service", "a unit such as nvmeshclient.service")]]
    listing: Annotated[str, matching(PATH.pattern, "a path of small letters, such as /volumes/all")]
