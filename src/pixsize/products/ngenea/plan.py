"""What Ngenea has of a plan: its nodes, and the storage that files are moved to."""

from __future__ import annotations

from typing import Annotated, NamedTuple

NGENEA = "ngenea"
ROLES = frozenset({NGENEA})
"""The role of the Ngenea nodes among the servers of a plan."""
EXPORTING: frozenset[str] = frozenset()
"""None of them gives files to clients."""


class ColdTarget(NamedTuple):
    """Storage that files are moved to. No field holds a secret."""

    name: Annotated[str, "its name, and that of its file"]
    type: Annotated[str, "s3, ds3, azure, google or posix"]
    host: Annotated[str, "the host of its server"] = ""
    port: Annotated[int | None, "the port of its server"] = None
    scheme: Annotated[str, "https or http"] = ""
    bucket: Annotated[str, "the bucket or container of the objects"] = ""
    region: Annotated[str, "the region of the bucket"] = ""
    path: Annotated[str, "the folder of another file system"] = ""
    credentials_file: Annotated[str, "the file on the nodes that holds its keys"] = ""


class NgeneaNodes(NamedTuple):
    """The Ngenea nodes of a plan and their targets."""

    nodes: Annotated[tuple[str, ...], "the Ngenea nodes"]
    targets: Annotated[tuple[ColdTarget, ...], "where files are moved to"] = ()
    subnet: Annotated[str, "the network that leads to the targets"] = ""
    router: Annotated[str, "its router"] = ""
    addresses: Annotated[tuple[str, ...], "those of the nodes on it, in their order"] = ()


def names(count: int) -> tuple[str, ...]:
    """The names of so many Ngenea nodes: ng1, ng2 and so on."""
    return tuple(f"ng{n}" for n in range(1, count + 1))
