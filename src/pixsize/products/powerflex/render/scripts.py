"""The scripts that build a PowerFlex system, and where they run."""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """An option of one script alone; `argument` is what it counts, or empty for a mere switch."""

    name: str
    says: str
    argument: str = ""


class Script(NamedTuple):
    """A script of the series: what it does, in a line, and whether it destroys what the drives hold."""

    name: str
    summary: str
    destroys: bool = False
    options: tuple[Option, ...] = ()


_CHECKED = (Option("--drives-checked", "03-check-drives.sh has passed on every server: destroy what the drives hold"),)
_RESTRICTED = (Option("--restricted", "lets in each SDC that is not there yet: PowerFlex is in restricted mode"),)
_UNREAD = (
    Option("--free", "the room for volumes, as you read it yourself: the script does not ask", "GIB"),
    Option("--skip-list", "does not ask which volumes there are: those before --from, and no others"),
)
_SEEN = (Option("--skip-list", "does not ask in which pool the volumes are: you have seen that it is the planned one"),)
MASTER_SCRIPTS = (
    Script("01-mdm-cluster.sh", "Makes the MDM cluster: its managers and tie breakers."),
    Script("02-pool.sh", "Makes the protection domain and the pool, with its spare policy and zero padding."),
    Script("04-sds.sh", "Adds each SDS to the protection domain, with its first drive.", True, _CHECKED),
    Script("05-drives.sh", "Adds the other drives of each SDS to the pool.", True, _CHECKED),
    Script(
        "07-sdc-names.sh",
        "Gives each SDC the name of its server, and sees whether it is connected.",
        options=_RESTRICTED,
    ),
    Script("08-volumes.sh", "Makes the volumes, where the pool has room for all of them.", options=_UNREAD),
    Script("09-maps.sh", "Maps each volume to the SDCs of the servers that may serve its target.", options=_SEEN),
    Script("10-collect.sh", "Collects the ids of the system and of its volumes, for pixsize."),
)
"""The scripts that run on the master MDM."""
CHECK_DRIVES = Script("03-check-drives.sh", "Checks the drives of a server.")
SDC = Script("06-sdc.sh", "Tells the SDC of a server where the MDMs are.")
