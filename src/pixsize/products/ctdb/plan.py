"""What CTDB has of a plan: the cluster of gateways, and how clients reach it."""

from __future__ import annotations

from typing import Annotated, NamedTuple

GATEWAY = "gateway"
ROLES = frozenset({GATEWAY})
"""The role of the gateways among the servers of a plan."""


class PublicAddress(NamedTuple):
    """An address that clients use, and that moves to another gateway when its own fails."""

    address: Annotated[str, "with the length of its network, such as 10.40.0.1/24"]
    interface: Annotated[str, "where the gateways have it"]


class Export(NamedTuple):
    """A folder that clients see.

    `id` is its number for NFS clients: the same on every gateway, and the same when other folders come and go, or the
    file handles of clients go stale.
    """

    path: Annotated[str, "the folder, by its path on the gateways"]
    share: Annotated[str, "its name for SMB clients"]
    id: Annotated[int, "its number for NFS clients"]


class CtdbCluster(NamedTuple):
    """The gateways of a plan.

    `domain` is the host name of all public addresses, and empty where the request names none; `netbios_name` is made of
    its first part, and empty as well.
    """

    gateways: Annotated[tuple[str, ...], "the gateways"]
    protocols: Annotated[tuple[str, ...], "smb, nfs or both"]
    nfs_server: Annotated[str, "kernel or ganesha"]
    domain: Annotated[str, "the host name of all public addresses"]
    public_addresses: Annotated[tuple[PublicAddress, ...], "the addresses that clients use"]
    exports: Annotated[tuple[Export, ...], "the folders that clients see"]
    netbios_name: Annotated[str, "the name of all gateways for SMB clients"]
    smb_security: Annotated[str, "how SMB clients log in: user or ads"]
    realm: Annotated[str, "the Kerberos realm of the SMB clients"] = ""
    workgroup: Annotated[str, "the workgroup of the SMB clients"] = ""
    router: Annotated[str, "the router of the public addresses"] = ""


def names(count: int) -> tuple[str, ...]:
    """The names of so many gateways: gw1, gw2 and so on."""
    return tuple(f"gw{n}" for n in range(1, count + 1))
