"""What others say of the gateways."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.texts import listed, plural

_PROTOCOLS = {"smb": "SMB (Samba)", "nfs": "NFS"}
_SERVERS = {"kernel": "the kernel's server", "ganesha": "NFS-Ganesha"}


def about(cluster: CtdbCluster, catalog: Catalog) -> Iterator[tuple[str, str]]:  # noqa: ARG001
    """The gateways in a line of a report."""
    served = [
        f"{_PROTOCOLS[p]} with {_SERVERS[cluster.nfs_server]}" if p == "nfs" else _PROTOCOLS[p]
        for p in cluster.protocols
    ]
    named = f", {cluster.domain}" if cluster.domain else ""
    yield "gateways", f"{plural(len(cluster.gateways), 'gateway')} in a CTDB cluster{named}: {listed(served)}"
