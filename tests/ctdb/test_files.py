"""The files of gateways, line by line, and which of them there are."""

from __future__ import annotations

import re
from typing import Any
from zlib import crc32

import pytest

from pixsize.products.ctdb.render.ctdb import RENDERER
from pixsize.products.ctdb.render.ctdb_steps import steps
from tests.ctdb.gateway_plans import ADS, bare, cluster, files, planned, request
from tests.support.check_support import catalog_with
from tests.support.running import catalog

EVERY = {"nodes", "public_addresses", "script.options", "dns/named.conf", "dns/gateways.zone"}
OWN = {"gw1/ctdb.conf", "gw2/ctdb.conf"}
KERNEL = {"exports", "nfs.conf", "98-nfs-static-ports.conf", "rpc-rquotad"}
ROOT = crc32(b"/mmfs1") % 65535 + 1


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ({}, {"smb.conf", *KERNEL}),
        ({"protocols": ["smb"]}, {"smb.conf"}),
        ({"protocols": ["nfs"]}, KERNEL),
        ({"protocols": ["nfs"], "nfs_server": "ganesha"}, {"ganesha.conf"}),
        ({"protocols": ["smb"], "nfs_server": "ganesha"}, {"smb.conf"}),
        ({"protocols": ["nfs", "smb"], "nfs_server": "ganesha"}, {"smb.conf", "ganesha.conf"}),
    ],
)
def test_only_the_files_of_the_protocols_asked_for(words: dict[str, object], more: set[str]) -> None:
    assert files(**words).keys() == EVERY | OWN | more


def test_nodes_and_public_addresses() -> None:
    made = files(count=3)
    assert made["nodes"] == "10.10.0.7\n10.10.0.8\n10.10.0.9\n"
    assert made["public_addresses"] == "10.40.0.1/24 bond1\n10.40.0.2/24 bond1\n10.40.0.3/24 bond1\n"
    own = files(count=1, addresses=["10.40.0.9", "10.40.0.8"], interface="p1p1")
    assert own["public_addresses"] == "10.40.0.9/24 p1p1\n10.40.0.8/24 p1p1\n"


def test_each_gateway_says_which_node_it_is_on_infiniband() -> None:
    made = files()
    for gateway, address in (("gw1", "10.10.0.7"), ("gw2", "10.10.0.8")):
        assert bare(made[f"{gateway}/ctdb.conf"]) == [
            "[logging]",
            "location = syslog",
            "log level = NOTICE",
            "[cluster]",
            "recovery lock = /mmfs1/.ctdb/lock",
            f"node address = {address}",
        ]


def test_on_ethernet_one_ctdb_conf_serves_all() -> None:
    plan = planned(request())
    ethernet = catalog_with("qm8700", network="ethernet")
    made = {file.path: file.text for file in RENDERER.files(plan, ethernet)}
    assert bare(made["ctdb/ctdb.conf"])[-2:] == ["[cluster]", "recovery lock = /mmfs1/.ctdb/lock"]
    assert not [path for path in made if path.startswith("ctdb/gw")]
    placed = next(step for step in steps(plan, ethernet) if step.title == "Put the files on the gateways")
    assert "install -b -m 0644 ctdb.conf /etc/ctdb/ctdb.conf" in placed.commands
    assert {box.page for box in placed.boxes} == {"ctdb/ctdb.conf"}


def test_script_options_of_each_server() -> None:
    smb = ["CTDB_SAMBA_CHECK_PORTS=445", "CTDB_SAMBA_SKIP_SHARE_CHECK=no"]
    kernel = [
        "CTDB_NFS_CALLOUT=/etc/ctdb/nfs-linux-kernel-callout",
        "CTDB_NFS_CHECKS_DIR=/etc/ctdb/nfs-checks.d",
        "CTDB_NFS_SKIP_SHARE_CHECK=no",
    ]
    assert bare(files()["script.options"]) == smb + kernel
    assert bare(files(protocols=["nfs"])["script.options"]) == kernel
    assert bare(files(protocols=["smb"])["script.options"]) == smb
    assert bare(files(protocols=["nfs"], nfs_server="ganesha")["script.options"]) == [
        "CTDB_NFS_CALLOUT=/etc/ctdb/nfs-ganesha-callout",
        "CTDB_NFS_CHECKS_DIR=/etc/ctdb/nfs-checks-ganesha.d",
        "CTDB_NFS_SKIP_SHARE_CHECK=no",
        "CTDB_NFS_STATE_FS_TYPE=gpfs",
        "CTDB_NFS_STATE_MNT=/mmfs1",
    ]


def test_smb_conf_with_local_accounts() -> None:
    assert bare(files(exports=["/mmfs1/home", "/mmfs1/data"])["smb.conf"]) == [
        "[global]",
        "clustering = yes",
        "netbios name = FILES",
        "security = user",
        "vfs objects = fileid gpfs",
        "fileid:algorithm = fsname",
        "[home]",
        "path = /mmfs1/home",
        "read only = no",
        "[data]",
        "path = /mmfs1/data",
        "read only = no",
    ]


def test_smb_conf_with_active_directory() -> None:
    assert bare(files(smb=ADS)["smb.conf"])[3:9] == [
        "security = ads",
        "realm = AD.EXAMPLE.ORG",
        "workgroup = EXAMPLE",
        "idmap config * : backend = autorid",
        "idmap config * : range = 1000000-19999999",
        "idmap config * : rangesize = 1000000",
    ]


def test_kernel_nfs_has_a_fixed_fsid_and_fixed_ports() -> None:
    made = files(exports=["/mmfs1", "/mmfs1/data"])
    data = crc32(b"/mmfs1/data") % 65535 + 1
    assert bare(made["exports"].replace("/mmfs1", "mmfs1")) == [
        f"mmfs1 *(rw,sync,no_subtree_check,root_squash,fsid={ROOT})",
        f"mmfs1/data *(rw,sync,no_subtree_check,root_squash,fsid={data})",
    ]
    assert bare(made["nfs.conf"]) == [
        "[lockd]",
        "port = 32768",
        "udp-port = 32768",
        "[mountd]",
        "manage-gids = 1",
        "port = 32767",
        "[nfsd]",
        "vers4 = n",
        "[statd]",
        "ha-callout = /etc/ctdb/statd-callout",
        "name = files.example.org",
        "outgoing-port = 32766",
        "port = 32765",
    ]
    assert bare(made["98-nfs-static-ports.conf"]) == ["fs.nfs.nlm_tcpport = 32768", "fs.nfs.nlm_udpport = 32768"]
    assert bare(made["rpc-rquotad"]) == ['RPCRQUOTADOPTS="-p 32769"']


def test_ganesha_has_the_same_number_and_the_same_ports() -> None:
    assert bare(files(nfs_server="ganesha")["ganesha.conf"]) == [
        "NFS_CORE_PARAM {",
        "NFS_Port = 2049;",
        "MNT_Port = 32767;",
        "NLM_Port = 32768;",
        "Rquota_Port = 32769;",
        "}",
        "EXPORT {",
        f"Export_Id = {ROOT};",
        'Path = "/mmfs1";',
        'Pseudo = "/mmfs1";',
        "Access_Type = RW;",
        "Squash = Root_Squash;",
        "Protocols = 3, 4;",
        "SecType = sys;",
        "FSAL {",
        "Name = GPFS;",
        "}",
        "}",
    ]


def test_the_zone_has_an_answer_for_each_public_address() -> None:
    made = files(count=3)
    assert bare(made["dns/gateways.zone"]) == [
        "$ORIGIN example.org.",
        "$TTL 60",
        "@ IN SOA localhost. root.localhost. 1 3600 600 604800 60",
        "@ IN NS localhost.",
        "files.example.org. 60 IN A 10.40.0.1",
        "files.example.org. 60 IN A 10.40.0.2",
        "files.example.org. 60 IN A 10.40.0.3",
    ]
    assert bare(made["dns/named.conf"]) == [
        "options {",
        "rrset-order { order cyclic; };",
        "};",
        'zone "example.org" {',
        "type master;",
        'file "gateways.zone";',
        "};",
    ]


def test_a_site_sets_its_own_numbers_ports_and_seconds() -> None:
    ports = {"statd": 4001, "statd_outgoing": 4002, "mountd": 4003, "lockd": 4004, "rquotad": 4005}
    own = catalog_with("gateways.settings", first_id=5_000_000, ids_a_domain=100_000, domains=3, nfs_ports=ports, ttl=5)
    plan = planned(request(smb=ADS))
    made = {file.path.removeprefix("ctdb/"): bare(file.text) for file in RENDERER.files(plan, own)}
    assert "idmap config * : range = 5000000-5299999" in made["smb.conf"]
    assert "idmap config * : rangesize = 100000" in made["smb.conf"]
    assert [line for line in made["nfs.conf"] if "port" in line] == [
        "port = 4004",
        "udp-port = 4004",
        "port = 4003",
        "outgoing-port = 4002",
        "port = 4001",
    ]
    assert made["rpc-rquotad"] == ['RPCRQUOTADOPTS="-p 4005"']
    assert "files.example.org. 5 IN A 10.40.0.1" in made["dns/gateways.zone"]


def shares(*exports: str) -> list[str]:
    return [e.share for e in cluster(exports=list(exports)).exports]


def test_shares_are_called_as_their_folders_unless_two_would_be_called_alike() -> None:
    assert shares("/mmfs1/a", "/mmfs1/b/c") == ["a", "c"]
    assert shares("/mmfs1/a/data", "/mmfs1/b/Data", "/mmfs1/c") == ["mmfs1~a~data", "mmfs1~b~Data", "c"]
    assert shares("/mmfs1/homes", "/mmfs1/Global") == ["mmfs1~homes", "mmfs1~Global"]
    long = "/mmfs1/" + "x" * 81
    assert shares(long) == [f"~{crc32(long.encode()) % 65535 + 1}"]


def test_the_number_of_an_export_stays_when_others_come_and_go() -> None:
    numbers = {e.path: e.id for e in cluster(exports=["/mmfs1/a", "/mmfs1/b", "/mmfs1/c"]).exports}
    assert {e.path: e.id for e in cluster(exports=["/mmfs1/c", "/mmfs1/b"]).exports}.items() <= numbers.items()


def test_two_exports_never_have_one_number() -> None:
    one, other = "/mmfs1/p25", "/mmfs1/p356"
    by_number: dict[int, str] = {}
    for folder in (f"/mmfs1/p{n}" for n in range(2000)):
        number = crc32(folder.encode()) % 65535
        if number in by_number:
            one, other = by_number[number], folder
            break
        by_number[number] = folder
    assert crc32(one.encode()) % 65535 == crc32(other.encode()) % 65535
    first, second = (e.id for e in cluster(exports=[one, other]).exports)
    assert (first, second) == (number + 1, (number + 1) % 65535 + 1)


@pytest.mark.parametrize(
    ("domain", "name"),
    [
        ("files.example.org", "FILES"),
        ("a-name-that-is-longer.example.org", "A-NAME-THAT-IS"),
        ("exactly-fifteen.example.org", "EXACTLY-FIFTEEN"),
        (None, ""),
    ],
)
def test_the_netbios_name_is_the_first_part_of_the_host_name(domain: str | None, name: str) -> None:
    assert cluster(domain=domain).netbios_name == name


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        ({"network": None}, "no address of the gateways on the network"),
        ({"subnet": None}, "no public addresses"),
        ({"domain": None}, "no host name"),
    ],
)
def test_what_is_missing_refuses_this_target_alone(lacking: dict[str, None], words: str) -> None:
    whole = request(**{word: value for word, value in lacking.items() if word != "network"})
    asked = {word: value for word, value in whole.items() if word not in lacking}
    (finding,) = RENDERER.findings(planned(asked), catalog())
    assert (finding.code, finding.code in RENDERER.left_out_for) == ("PX640", True)
    assert words in finding.message
    assert finding.hint


def titles(**gateways: object) -> list[str]:
    return [step.title for step in steps(planned(request(**gateways)), catalog())]


def test_the_interface_of_the_clients_is_made_and_nobody_else_answers_there() -> None:
    made = {step.title: step for step in steps(planned(request()), catalog())}
    interface = made["Make the gateways' interface towards the clients"]
    assert "con-name bond1 ifname bond1" in interface.commands[0]
    assert "ipv4.method disabled" in interface.commands[0]
    assert {box.do for box in interface.boxes} == {
        "the adapters in slots 2 and 7: `bond1`, without an address of its own"
    }
    asked = [look.run for look in made["Leave the services and the public addresses to CTDB"].looks]
    assert any("for a in 10.40.0.1 10.40.0.2; do arping -D -q -c 3 -I bond1 $a;" in run for run in asked)


def test_an_interface_that_is_no_bond_is_left_to_the_site() -> None:
    made = {step.title: step for step in steps(planned(request(interface="p1p1")), catalog())}
    interface = made["Make the gateways' interface towards the clients"]
    assert interface.commands == ()
    assert "p1p1" in interface.boxes[0].do


@pytest.mark.parametrize(("words", "router"), [({}, "10.40.0.254"), ({"router": None}, "ROUTER")])
def test_clients_behind_a_router_have_a_way_back(words: dict[str, str | None], router: str) -> None:
    """Interface, network, router: what the event script 11.routing reads from /etc/ctdb/static-routes."""
    made = {step.title: step for step in steps(planned(request(**words)), catalog())}
    told = " ".join(made["Form the CTDB cluster of the gateways"].text)
    assert f"`bond1 NETWORK/LENGTH {router}`, and `ctdb event script enable legacy 11.routing`" in told


def test_the_steps_end_with_the_name() -> None:
    assert titles(smb=ADS, protocols=["nfs", "smb"]) == [
        "Install the packages of the gateways",
        "Make the gateways' interface towards the clients",
        "Make the folder of CTDB's lock",
        "Put the files on the gateways",
        "Leave the services and the public addresses to CTDB",
        "Form the CTDB cluster of the gateways",
        "Join the gateways to Active Directory",
        "Start SMB and NFS on the gateways",
        "Publish the name of the gateways",
        "Accept the gateways: SMB and NFS",
        "Stop the services of the gateways",
    ]
    assert "Start NFS on the gateways" in titles(protocols=["nfs"], smb=ADS)
    assert "Join the gateways to Active Directory" not in titles(protocols=["nfs"], smb=ADS)


@pytest.mark.parametrize(
    ("words", "scripts", "packages", "disabled"),
    [
        ({}, ["50.samba", "60.nfs"], "ctdb samba nfs-utils quota-rpc", ["smb", "nmb", "winbind", "nfs-server"]),
        (
            {"smb": ADS, "nfs_server": "ganesha"},
            ["49.winbind", "50.samba", "60.nfs"],
            "ctdb samba samba-winbind samba-winbind-clients samba-winbind-modules bind-utils nfs-ganesha nfs-ganesha-gpfs nfs-utils",
            ["smb", "nmb", "winbind", "nfs-ganesha"],
        ),
        ({"protocols": ["nfs"], "smb": ADS}, ["60.nfs"], "ctdb nfs-utils quota-rpc", ["nfs-server"]),
        ({"protocols": ["smb"]}, ["50.samba"], "ctdb samba", ["smb", "nmb", "winbind"]),
    ],
)
def test_what_is_installed_left_to_ctdb_and_started(
    words: dict[str, object], scripts: list[str], packages: str, disabled: list[str]
) -> None:
    done = {step.title: step for step in steps(planned(request(**words)), catalog())}
    assert done["Install the packages of the gateways"].commands == (f"dnf install -y {packages}",)
    let_go = done["Leave the services and the public addresses to CTDB"]
    assert let_go.commands == tuple(f"systemctl disable --now {service}" for service in disabled)
    started = next(step for title, step in done.items() if title.startswith("Start "))
    enabled = [f"ctdb event script enable legacy {script}" for script in scripts]
    assert started.commands == (*enabled, "systemctl restart ctdb")


@pytest.mark.parametrize("words", [{}, {"nfs_server": "ganesha"}, {"protocols": ["nfs"]}, {"protocols": ["smb"]}])
def test_each_rendered_file_is_put_somewhere(words: dict[str, object]) -> None:
    placed = next(s for s in steps(planned(request(**words)), catalog()) if s.title == "Put the files on the gateways")
    sources = {
        command.removeprefix("install -b -m 0644 ").rpartition(" ")[0]
        for command in placed.commands
        if command.startswith("install")
    }
    here = {path for path in files(**words) if not path.startswith(("dns/", "gw"))}
    assert sources == here | {"$(hostname -s)/ctdb.conf"}


def test_active_directory_is_joined_once_and_its_dns_is_looked_for() -> None:
    done = {step.title: step for step in steps(planned(request(smb=ADS, count=3)), catalog())}
    join = done["Join the gateways to Active Directory"]
    assert ["once" in box.do for box in join.boxes] == [True, False, False]
    assert join.commands == ()
    assert join.looks[0].run == "`host -t SRV _ldap._tcp.ad.example.org`, on each"
    assert r"`getent passwd 'EXAMPLE\USER'`, on each" in {
        look.run for look in done["Start SMB and NFS on the gateways"].looks
    }


def test_ces_and_public_addresses_of_the_system_are_looked_for() -> None:
    looks = {look.run: look.shows for step in steps(planned(request()), catalog()) for look in step.looks}
    assert looks["`mmlscluster --ces`"].startswith("no CES node")
    assert looks["`ip -br addr show bond1`, on each"] == "the interface, with none of `10.40.0.1`, `10.40.0.2`"
    assert {"`testparm -s`, on each", "`exportfs -v`, on each", "`ctdb ip`, on one gateway"} <= looks.keys()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"protocols": ["smb"]}, "TCP 445 (SMB)."),
        (
            {"protocols": ["nfs"], "nfs_server": "ganesha"},
            "TCP 2049 (NFS); TCP and UDP 111 (rpcbind), 32767 (mountd), 32768 (lockd), 32769 (rquotad).",
        ),
        (
            {},
            "TCP 445 (SMB), 2049 (NFS); TCP and UDP 111 (rpcbind), 32765 (statd), 32767 (mountd), 32768 (lockd), 32769 (rquotad).",
        ),
    ],
)
def test_a_firewall_learns_the_ports_of_the_clients(words: dict[str, Any], said: str) -> None:
    done = {step.title: step for step in steps(planned(request(**words)), catalog())}
    started = next(step for title, step in done.items() if title.startswith("Start "))
    assert started.text[0].endswith(f"it lets through: {said}")


def test_every_port_that_ganesha_listens_on_is_let_through() -> None:
    (said,) = (
        s.text[0] for s in steps(planned(request(nfs_server="ganesha")), catalog()) if s.title.startswith("Start ")
    )
    opened = set(re.findall(r"\b(\d{3,5}) \(", said))
    listening = set(re.findall(r"_Port = (\d+);", files(nfs_server="ganesha")["ganesha.conf"]))
    assert len(listening) == 4
    assert listening | {"111"} <= opened


@pytest.mark.parametrize(
    ("words", "named", "modules"),
    [
        ({}, {"ctdb"}, {"gpfs.so", "fileid.so"}),
        ({"protocols": ["nfs"], "nfs_server": "ganesha"}, {"ctdb", "nfs-ganesha"}, {"libfsalgpfs.so"}),
    ],
)
def test_packages_that_a_plain_rhel_lacks_are_told_with_their_place(
    words: dict[str, Any], named: set[str], modules: set[str]
) -> None:
    """Whoever has no subscription learns it before the first command, and a package without its module behind it."""
    (step,) = (s for s in steps(planned(request(**words)), catalog()) if s.title.startswith("Install the packages"))
    text = " ".join(step.text)
    assert {p for p in ("ctdb", "nfs-ganesha") if f"{p}: " in text or f"{p}, " in text} == named
    assert "`rhel-8-for-x86_64-resilientstorage-rpms`" in text
    looks = [look.run for look in step.looks]
    assert looks[0].startswith("`dnf repoquery")
    assert {name for run in looks for name in re.findall(r"-name (\S+?\.so)", run)} == modules
