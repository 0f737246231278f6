"""The scripts that build a PowerFlex system, and where they run."""

from __future__ import annotations

from typing import NamedTuple


class Script(NamedTuple):
    """A script of the series: what it does, in a line, and whether it destroys what the drives hold."""

    name: str
    summary: str
    destroys: bool = False


MASTER_SCRIPTS = (
    Script("01-mdm-cluster.sh", "Makes the MDM cluster: two managers and a tie breaker."),
    Script("02-pool.sh", "Makes the protection domain and the pool, with its spare policy and zero padding."),
    Script("04-sds.sh", "Adds each SDS to the protection domain, with its first drive.", destroys=True),
    Script("05-drives.sh", "Adds the other drives of each SDS to the pool.", destroys=True),
    Script("07-sdc-names.sh", "Lets each SDC in, under the name of its server."),
    Script("08-volumes.sh", "Makes the volumes."),
    Script("09-maps.sh", "Maps each volume to the SDCs of the servers that may serve its target."),
    Script("10-collect.sh", "Collects the ids of the system and of its volumes, for pixsize."),
)
"""The scripts that run on the master MDM."""
CHECK_DRIVES = Script("03-check-drives.sh", "Checks the drives of a server.")
SDC = Script("06-sdc.sh", "Tells the SDC of a server where the MDMs are.")
