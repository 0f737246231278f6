"""What is done on site for the gateways: from their packages to the name that clients know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.software import Ports
from pixsize.plan.records import Plan, added
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.products.ctdb.render.ctdb import own_names, view
from pixsize.products.ctdb.render.packages import inside, origins, packages, there_before
from pixsize.render.outward import Outward, outward_step
from pixsize.render.steps import (
    ACCEPTED,
    BEFORE_TESTS,
    PREPARED,
    SAME_TIME,
    SAME_USERS,
    SERVED,
    SERVICES_STOPPED,
    SERVING,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import word
from pixsize.texts import plural

_INSTALLED = "gateways that have their packages"
_IN_PLACE = "files of CTDB, Samba and NFS on the gateways"
_OUTWARD = "gateways that have an interface towards the clients"
_LET_GO = "services that systemd does not start"
_FORMED = "a CTDB cluster of all gateways"
_JOINED = "gateways that Active Directory knows"
_FOLDER = "a folder for CTDB's lock"
_SERVED = "public addresses that answer"

_SERVICES = {"": (), "kernel": ("nfs-server",), "ganesha": ("nfs-ganesha",)}
_PLACES = {
    "script.options": "/etc/ctdb/script.options",
    "nodes": "/etc/ctdb/nodes",
    "public_addresses": "/etc/ctdb/public_addresses",
    "smb.conf": "/etc/samba/smb.conf",
    "exports": "/etc/exports",
    "nfs.conf": "/etc/nfs.conf",
    "98-nfs-static-ports.conf": "/etc/sysctl.d/98-nfs-static-ports.conf",
    "rpc-rquotad": "/etc/sysconfig/rpc-rquotad",
    "ganesha.conf": "/etc/ganesha/ganesha.conf",
}
_GANESHA = (
    "cp -b $(rpm -ql ctdb | grep /nfs-ganesha-callout$) /etc/ctdb/nfs-ganesha-callout",
    "chmod 0755 /etc/ctdb/nfs-ganesha-callout",
    "mkdir -p /etc/ctdb/nfs-checks-ganesha.d",
    "cp -b $(rpm -ql ctdb | grep /20.nfs_ganesha.check$) /etc/ctdb/nfs-checks-ganesha.d/20.nfs_ganesha.check",
)


class _Site(NamedTuple):
    """What the steps are about."""

    cluster: CtdbCluster
    values: dict[str, Any]
    gateways: tuple[str, ...]
    each: int
    own_conf: bool
    listening: dict[str, int]

    @property
    def ads(self) -> bool:
        """Whether SMB clients log in with Active Directory."""
        return self.values["smb"] and self.cluster.smb_security == "ads"

    def boxes(self, do: str, page: str = "") -> tuple[Box, ...]:
        """The same thing to do on every gateway."""
        return tuple(Box(gateway, do, page.format(gateway=gateway), self.each) for gateway in self.gateways)

    def first(self, do: str) -> tuple[Box, ...]:
        """A thing to do on one gateway."""
        return (Box(self.gateways[0], do, "", self.each),)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """From the packages of the gateways to the name that clients know."""
    cluster = added(plan, CtdbCluster)
    if cluster is None:
        return ()
    names = tuple(map(word, cluster.gateways))
    listening = {program: ports[0] for program, ports in catalog.get(Ports, "gateways.ports").tcp.items()}
    values, each = view(plan, cluster, catalog), seconds(catalog, "script")
    site = _Site(cluster, values, names, each, own_names(plan, catalog), listening)
    joined = (_joined(site),) if site.ads else ()
    return (
        _installed(site, catalog),
        _outward(plan, site),
        _lock(site),
        _in_place(site),
        _let_go(site),
        _formed(site),
        *joined,
        _served(site),
        _named(site),
        _accepted(site),
        _stopped(site),
    )


def _installed(site: _Site, catalog: Catalog) -> Step:
    smb, nfs = site.values["smb"], site.values["nfs"]
    wanted = packages(nfs, smb=smb, ads=site.ads)
    return Step(
        "Install the packages of the gateways",
        site.boxes(", ".join(wanted)),
        (
            there_before(wanted),
            Look(f"`rpm -q {' '.join(wanted)}`, on each", "a version for every package, the same on all gateways"),
            *inside(nfs, smb=smb),
            Look("`mmlscluster --ces`", "no CES node: CES has servers of its own for the same ports and addresses"),
            SAME_TIME,
        ),
        after=(PREPARED,),
        provides=(_INSTALLED,),
        text=(
            "A gateway is a client of the file system: GPFS first, then these packages. CES, the service of IBM Storage Scale "
            "for SMB and NFS, must not be enabled on them.",
            origins(wanted, catalog),
        ),
        commands=(f"dnf install -y {' '.join(wanted)}",),
    )


def _outward(plan: Plan, site: _Site) -> Step:
    """The interface that CTDB puts the public addresses on: it has none of its own."""
    interface = site.cluster.public_addresses[0].interface
    gets = f"`{word(interface)}`, without an address of its own"
    routed = Look(
        f"the way to clients behind a router: `ip route`, once CTDB has put an address on `{word(interface)}`",
        f"by the router of that network, over `{word(interface)}`",
    )
    wanted = Outward(
        "Make the gateways' interface towards the clients",
        interface,
        lambda _: gets,
        ("ipv4.method disabled", "ipv6.method disabled"),
        (routed,),
    )
    return outward_step(plan, site.gateways, wanted, _OUTWARD, site.each)


def _lock(site: _Site) -> Step:
    folder = f"{site.values['mount']}/.ctdb"
    exported = " ".join(export["path"] for export in site.values["exports"])
    return Step(
        "Make the folder of CTDB's lock",
        site.first(f"make `{folder}`, and the folders that clients see where they do not exist yet"),
        (
            Look(f"`ls -ld {folder}`, on each gateway", "`drwx------`, owner root, on every gateway"),
            Look(f"`ls -d {exported}`, on each gateway", "every folder that clients see"),
        ),
        after=(SERVING,),
        provides=(_FOLDER,),
        text=(
            "The file system is mounted on every gateway. The lock decides which part of a divided cluster goes on.",
        ),
        commands=(f"mkdir -p -m 0700 {folder}",),
    )


def _in_place(site: _Site) -> Step:
    nfs = site.values["nfs"]
    kernel, ganesha = nfs == "kernel", nfs == "ganesha"
    left_out = {"smb.conf"} if not site.values["smb"] else set()
    left_out |= set() if kernel else {"exports", "nfs.conf", "98-nfs-static-ports.conf", "rpc-rquotad"}
    left_out |= set() if ganesha else {"ganesha.conf"}
    places = {name: place for name, place in _PLACES.items() if name not in left_out}
    return Step(
        "Put the files on the gateways",
        site.boxes(
            "enter the commands in a copy of the folder `ctdb`",
            "ctdb/{gateway}/ctdb.conf" if site.own_conf else "ctdb/ctdb.conf",
        ),
        (
            Look("`sha256sum /etc/ctdb/nodes /etc/ctdb/public_addresses`, on each", "the same sums on every gateway"),
            *(
                (Look("`testparm -s`, on each", "no `Unknown parameter`, and every share"),)
                if site.values["smb"]
                else ()
            ),
        ),
        needs=(_INSTALLED,),
        provides=(_IN_PLACE,),
        commands=(
            *(f"install -b -m 0644 {name} {place}" for name, place in places.items()),
            f"install -b -m 0644 {'$(hostname -s)/' if site.own_conf else ''}ctdb.conf /etc/ctdb/ctdb.conf",
            *(("modprobe lockd", "sysctl --system") if kernel else ()),
            *(_GANESHA if ganesha else ()),
        ),
    )


def _let_go(site: _Site) -> Step:
    smb = ("smb", "nmb", "winbind") if site.values["smb"] else ()
    services = (*smb, *_SERVICES[site.values["nfs"]])
    answers = ", ".join(f"`{a}`" for a in site.values["answers"][:3]) + (
        " and so on" if len(site.values["answers"]) > 3 else ""
    )
    interface = word(site.cluster.public_addresses[0].interface)
    probe = f"arping -D -q -c 3 -I {interface} $a; echo $a $?"
    return Step(
        "Leave the services and the public addresses to CTDB",
        site.boxes("enter the commands; a service that is not installed says so"),
        (
            Look(f"`systemctl is-enabled {' '.join(services)}`, on each", "`disabled`, or no such unit, for every one"),
            Look(f"`ip -br addr show {interface}`, on each", f"the interface, with none of {answers}"),
            Look(
                f"`for a in {' '.join(site.values['answers'])}; do {probe}; done`, on {site.gateways[0]}",
                "`0` behind each address: nobody in the network of the clients has it, no router either",
            ),
        ),
        needs=(_INSTALLED, _OUTWARD),
        provides=(_LET_GO,),
        text=(
            "CTDB starts and stops these services itself, and gives each public address to one gateway. No file of the operating "
            "system names a public address.",
        ),
        commands=tuple(f"systemctl disable --now {service}" for service in services),
    )


def _formed(site: _Site) -> Step:
    count = len(site.gateways)
    lock = f"{site.values['mount']}/.ctdb/lock"
    interface = word(site.cluster.public_addresses[0].interface)
    line = f"{interface} NETWORK/LENGTH {word(site.cluster.router) if site.cluster.router else 'ROUTER'}"
    return Step(
        "Form the CTDB cluster of the gateways",
        site.boxes("enter the commands"),
        (
            Look("`ctdb status`, on one gateway", f"{plural(count, 'node')}, each `OK`, after a minute at the most"),
            Look("`ctdb getreclock`, on one gateway", f"`{lock}`"),
        ),
        needs=(_IN_PLACE, _LET_GO),
        after=(SERVING, _FOLDER),
        provides=(_FORMED,),
        text=(
            "Between the gateways a firewall lets TCP port 4379 of CTDB through, on the network of the file system.",
            # The event script 11.routing of CTDB reads this file: interface, network, router.
            "Where clients are behind a router, `/etc/ctdb/static-routes` of every gateway has a line for each of their"
            f" networks, `{line}`, and `ctdb event script enable legacy 11.routing` is entered, too: CTDB makes these routes"
            " anew when addresses move.",
        ),
        commands=("ctdb event script enable legacy 10.interface", "systemctl enable --now ctdb"),
    )


def _joined(site: _Site) -> Step:
    realm = site.values["realm"]
    once = "then the command once, with an account that may join computers: CTDB spreads the secret"
    nsswitch = "`passwd` and `group` of `/etc/nsswitch.conf` end with `winbind`"
    first, *others = site.boxes(nsswitch)
    return Step(
        "Join the gateways to Active Directory",
        (first._replace(do=f"{nsswitch}; {once}"), *others),
        (
            Look(
                f"`host -t SRV _ldap._tcp.{realm.lower()}`, on each",
                "the domain controllers: without their DNS nobody logs in",
            ),
            Look("`net ads testjoin`, on each", "`Join is OK`"),
        ),
        needs=(_FORMED,),
        provides=(_JOINED,),
        text=(f"`net ads join -U ADMINISTRATOR@{realm}`, on one gateway alone.",),
    )


def _served(site: _Site) -> Step:
    smb, nfs = site.values["smb"], site.values["nfs"]
    scripts = (*(("49.winbind",) if site.ads else ()), *(("50.samba",) if smb else ()), *(("60.nfs",) if nfs else ()))
    public, count = len(site.values["public"]), len(site.gateways)
    exported = plural(len(site.values["exports"]), "folder")
    looks = [
        Look(
            "`ctdb status`, on one gateway",
            f"{plural(count, 'node')}, each `OK`: `UNHEALTHY` ends with the first good check",
        ),
        Look("`ctdb ip`, on one gateway", f"{plural(public, 'public address')}, each on a gateway"),
        Look("`ctdb event status legacy monitor`, on each", f"`OK` for {', '.join(f'`{s}`' for s in scripts)}"),
    ]
    if nfs == "kernel":
        looks.append(Look("`exportfs -v`, on each", f"{exported}, each with its `fsid` of the file `exports`"))
    elif nfs:
        looks.append(Look("`showmount -e localhost`, on each", exported))
    if nfs:
        looks.append(SAME_USERS)
    if site.ads:
        looks.append(Look(rf"`getent passwd '{site.values['workgroup']}\USER'`, on each", "the same number everywhere"))
    elif smb:
        looks.append(Look("`pdbedit -L`, on each", "the same users on every gateway"))
    return Step(
        "Start SMB and NFS on the gateways".replace(
            "SMB and NFS", " and ".join(p.upper() for p in site.cluster.protocols)
        ),
        site.boxes("enter the commands"),
        tuple(looks),
        needs=(_FORMED, *((_JOINED,) if site.ads else ())),
        provides=(_SERVED,),
        text=tuple(_said_of_clients(site)),
        commands=(*(f"ctdb event script enable legacy {script}" for script in scripts), "systemctl restart ctdb"),
    )


def _said_of_clients(site: _Site) -> Iterator[str]:
    yield f"Where a firewall stands between clients and gateways, it lets through: {_ports(site)}."
    if site.values["nfs"] == "kernel":
        yield "NFS clients mount with `vers=3`: CTDB does not hand the kernel's NFSv4 from gateway to gateway."
    if site.values["smb"] and not site.ads:
        yield "Each SMB user is added once, on any gateway, with `pdbedit -a USER`: CTDB spreads the accounts."


_NOT_LISTENING = {"kernel": {"statd_outgoing"}, "ganesha": {"statd_outgoing", "statd"}}
"""The ports of the settings that no file of a server of NFS opens."""


def _ports(site: _Site) -> str:
    """The ports that clients reach, by what listens on them."""
    smb, nfs = ([f"{site.listening[name]} ({name})"] if site.values[name.lower()] else [] for name in ("SMB", "NFS"))
    said = f"TCP {', '.join(smb + nfs)}"
    if not site.values["nfs"]:
        return said
    others = _NOT_LISTENING[site.values["nfs"]]
    fixed = (f"{port} ({name})" for name, port in site.values["ports"] if name not in others)
    mapper = site.listening["rpcbind"]
    return f"{said}; TCP and UDP {', '.join((f'{mapper} (rpcbind)', *fixed))}"


def _named(site: _Site) -> Step:
    domain, answers = site.values["domain"], site.values["answers"]
    return Step(
        "Publish the name of the gateways",
        (
            Box(
                "the DNS server",
                f"the A records of `{domain}` in its zone; or the zone and the line of `named.conf` where it has none",
                "ctdb/dns/gateways.zone",
                site.each,
            ),
        ),
        (
            Look(
                f"`dig +short {domain}`, on a client",
                f"{plural(len(answers), 'address')}: those of `ctdb ip`",
            ),
            Look("the same once more", "the same addresses, another one first"),
        ),
        needs=(_SERVED,),
        provides=(SERVED,),
        text=("The name leads to the public addresses, never to those of the gateways' own: these do not move.",),
    )


def _accepted(site: _Site) -> Step:
    """A file through each protocol, and again while a gateway is away."""
    gone, count = site.gateways[0], len(site.gateways)
    names = " and ".join(p.upper() for p in site.cluster.protocols)
    alone = count == 1
    away = Box(gone, "`systemctl stop ctdb` while a client reads, and `systemctl start ctdb` afterwards", "", site.each)
    public = plural(len(site.values["public"]), "public address")
    looks = [Look(f"`sha256sum FILE` at {place}, and on a gateway", "the same sum") for place in _places(site)]
    if not alone:
        looks += [
            Look(
                "the reader, while the gateway is away", "it waits for some seconds, goes on, and ends without an error"
            ),
            Look(f"`ctdb status`, on {site.gateways[1]}", f"{gone} is not `OK`, {plural(count - 1, 'other')} `OK`"),
            Look(f"`ctdb ip`, on {site.gateways[1]}", f"{public}, none of them on {gone}"),
        ]
    looks.append(Look("`ctdb status` and `ctdb ip`, at the end", f"{plural(count, 'node')}, each `OK`; {public}"))
    return Step(
        f"Accept the gateways: {names}",
        (
            Box(
                "a client", f"a file written and read by {names}, under the name {site.values['domain']}", "", site.each
            ),
            *(() if alone else (away,)),
        ),
        tuple(looks),
        needs=(_SERVED,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
    )


def _places(site: _Site) -> Iterator[str]:
    """Where a client has the first folder, by each protocol."""
    first = site.values["exports"][0]
    domain, path, share = site.values["domain"], first["path"], first["share"]
    if site.values["smb"]:
        yield rf"a client of SMB, in `\\{domain}\{share}`"
    if site.values["nfs"]:
        version = "-o vers=3 " if site.values["nfs"] == "kernel" else ""
        yield f"a client of NFS, behind `mount -t nfs {version}{domain}:{path} /mnt`"


def _stopped(site: _Site) -> Step:
    return Step(
        "Stop the services of the gateways",
        site.boxes("`systemctl stop ctdb`"),
        (Look("`systemctl is-active ctdb`, on each", "`inactive`"),),
        needs=(_SERVED,),
        after=(ACCEPTED,),
        provides=(SERVICES_STOPPED,),
        text=(
            "Tell users first: their folders go away until the gateways are back. CTDB starts with its gateway, and its lock lies"
            " in the file system: where that was mounted later, `systemctl restart ctdb` once it is.",
        ),
    )
