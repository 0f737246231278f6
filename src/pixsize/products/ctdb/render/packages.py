"""The packages of a gateway: which ones, where they come from, and what must be inside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pixsize.catalog.catalog import Catalog
from pixsize.products.ctdb.records import SETTINGS, GatewaySettings, Origin
from pixsize.render.steps import Look
from pixsize.render.template import code, prose, word

_WINBIND = ("samba-winbind", "samba-winbind-clients", "samba-winbind-modules", "bind-utils")
_OF_NFS = {"": (), "kernel": ("nfs-utils", "quota-rpc"), "ganesha": ("nfs-ganesha", "nfs-ganesha-gpfs", "nfs-utils")}


def packages(nfs: str, *, smb: bool, ads: bool) -> tuple[str, ...]:
    """The packages for a server of NFS, for SMB, and for users of Active Directory."""
    return ("ctdb", *(("samba", *(_WINBIND if ads else ())) if smb else ()), *_OF_NFS[nfs])


def origins(wanted: Sequence[str], catalog: Catalog) -> str:
    """What must be subscribed or added before the packages can be installed."""
    every = ((o, [p for p in o.packages if p in wanted]) for o in catalog.get(GatewaySettings, SETTINGS).origins)
    told = "; ".join(_origin(origin, here) for origin, here in every if here)
    return (
        f"{told}. The other packages are in BaseOS and AppStream. These places are from memory: `dnf repoquery` of the"
        " table has the last word. Where PixStor brings packages of these names, its guide says which to take; all"
        " gateways take them from one place."
    )


def _origin(origin: Origin, here: Sequence[str]) -> str:
    named = ", ".join(map(word, here))
    place = f"{prose(origin.place)} (`{code(origin.repository)}`)"
    if origin.subscribed:
        return f"{named}: from the {place}, which each gateway is subscribed to first"
    return f"{named}: in no repository of RHEL, but in the {place}, which is added first"


def there_before(wanted: Sequence[str]) -> Look:
    """Whether each package has a place that it comes from."""
    return Look(
        f"`dnf repoquery --latest-limit=1 {' '.join(wanted)}`, on each, before",
        "a line for each of them; what has none lacks its repository",
    )


def inside(nfs: str, *, smb: bool) -> Iterator[Look]:
    """The modules that the files name: a package may be built without them."""
    if smb:
        yield Look(
            "`find /usr/lib64/samba/vfs -name gpfs.so -o -name fileid.so`, on each",
            "both: `vfs objects` of smb.conf names them. Without gpfs.so take Samba from another place, such as"
            " PixStor's",
        )
    if nfs == "ganesha":
        yield Look("`find /usr/lib64/ganesha -name libfsalgpfs.so`, on each", "it is there: ganesha.conf names GPFS")
