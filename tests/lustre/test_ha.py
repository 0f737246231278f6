"""The scripts for Pacemaker, run: the words of each pcs, and everything that stops them. The scheduler has its own test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import Network, lustre
from pixsize.products.lustre.render.ha import clusters
from tests.lustre.ha_support import PROGRAMS, SCRIPTS, SECRETS, Result, run, text_of
from tests.lustre.lustre_plan import NEW, me4_plan, powerflex_plan, settings, with_outlets, with_ring, with_sbd
from tests.support.programs import tool

pytestmark = pytest.mark.real

PLANS = {"me4": me4_plan(), "new": me4_plan(release=NEW), "ring": powerflex_plan(3)}
PLANS |= {"outlets": with_outlets(me4_plan()), "sbd": with_sbd(me4_plan()), "linked": with_ring(me4_plan())}
CHANGING_UNITS = tuple(f"systemctl {verb}" for verb in ("enable", "disable", "start", "stop", "daemon-reload"))
PAIR = {"HOST": "oss01", "MEMBERS": "oss01 oss02"}


# --- 00: every node ------------------------------------------------------------------------------------------------


def node(place: Path, *options: str, **variables: str) -> Result:
    devices = [t.device for t in PLANS["ring"].targets if "oss02" in t.servers]
    script = text_of(PLANS["ring"], "ha/oss-ha01/00-node.sh")
    return run(place, script, *options, devices=devices, **{"HOST": "oss02"} | variables)


def test_a_node_gets_its_mount_points_its_password_and_pcsd(tmp_path: Path) -> None:
    done = node(tmp_path)
    assert done.code == 0
    assert done.typed == f"hacluster:{SECRETS['HACLUSTER_PASSWORD']}\n"
    (folders,) = [c for c in done.calls if c.startswith("mkdir -p /lustre")]
    # Its own, and those of the server before it in the ring; not those of the one behind it.
    assert folders == "mkdir -p " + " ".join(f"/lustre/scratch-OST{n:04x}" for n in (0, 1, 2, 3))
    changing = [c for c in done.calls if c.startswith("systemctl") and c.split()[1] not in ("cat", "show")]
    assert changing == [f"systemctl {c}" for c in ("daemon-reload", "enable lnet", "enable pcsd", "start pcsd")]
    assert not any(SECRETS["HACLUSTER_PASSWORD"] in call for call in done.calls)


@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({"HOST": "mds01"}, "this is mds01, which is no node of scratch-oss-ha01"),
        ({"UNKNOWN": "oss03"}, "the name oss03 is unknown here"),
        ({"USER_ID": "1000"}, "only root"),
        ({"HACLUSTER_PASSWORD": ""}, "HACLUSTER_PASSWORD: must be set"),
        ({"DEVICES": ""}, "is not there, or no block device"),
    ],
)
def test_a_node_that_is_not_ready_is_left_alone(variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    done = node(tmp_path, **variables)
    assert done.code == 1
    assert sentence in done.said
    assert not any(c.startswith(("mkdir", "chpasswd", *CHANGING_UNITS)) for c in done.calls)
    assert done.units == {}


def in_drop_in(done: Result) -> dict[str, str]:
    """What the drop-in of the target that Pacemaker waits for sets."""
    text = done.units["resource-agents-deps.target.d/lustre.conf"]
    return dict(re.findall(r"(?m)^(\w+)=(.*)$", text))


@pytest.mark.parametrize(
    "given, cluster, units",
    [
        (me4_plan(), "sm01", "lnet.service"),
        (me4_plan(release=NEW), "mm01", "lnet.service lustre-modules.service"),
        (powerflex_plan(3), "mds-ha01", "lnet.service scini.service"),
        (powerflex_plan(3, release=NEW), "oss-ha01", "lnet.service scini.service lustre-modules.service"),
        (settings(me4_plan(), network=Network("o2ib", "ib0", owner="modprobe")), "sm01", "lustre-modules.service"),
    ],
)
def test_lnet_and_scini_come_before_pacemaker(given: Plan, cluster: str, units: str, tmp_path: Path) -> None:
    servers = next(c.servers for c in clusters(given) if c.id == cluster)
    devices = [t.device for t in given.targets if servers[0].id in t.servers]
    done = run(tmp_path, text_of(given, f"ha/{cluster}/00-node.sh"), devices=devices, HOST=servers[0].id)
    assert done.code == 0, done.said
    assert in_drop_in(done) == {"Requires": units, "After": units}
    assert set(done.units) == {
        "resource-agents-deps.target.d/lustre.conf",
        *({"lustre-modules.service"} & set(units.split())),
    }
    assert ("systemctl enable lnet" in done.calls) == ("lnet.service" in units)
    if "lustre-modules.service" in units:
        before = units.replace(" lustre-modules.service", "").replace("lustre-modules.service", "")
        text = done.units["lustre-modules.service"]
        network = ["network-online.target", "network-online.target openibd.service rdma.service opa.service"]
        assert re.findall(r"(?m)^(?:Wants|After)=(.*)$", text) == [*network, *([before] if before else [])]
        assert re.findall(r"(?m)^Requires=(.*)$", text) == ([before] if before else [])
        assert "\nExecStart=/sbin/modprobe lustre\n" in text


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """The drop-in and the unit in a root of their own, with stand-ins for the services of others."""
    analyze = tool("systemd-analyze")
    done = node_of_new(tmp_path)
    root = tmp_path / "root/etc/systemd/system"
    for path, text in done.units.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.replace("/sbin/modprobe", "/bin/true"))
    (tmp_path / "root/bin").mkdir()
    (tmp_path / "root/bin/true").write_bytes(b"")
    (tmp_path / "root/bin/true").chmod(0o755)
    (root / "resource-agents-deps.target").write_text("[Unit]\nDescription=resource-agents dependencies\n")
    for service in ("lnet", "sysinit", "basic", "shutdown", "network-online"):
        kind = "service" if service == "lnet" else "target"
        body = "[Service]\nExecStart=/bin/true\n" if kind == "service" else ""
        (root / f"{service}.{kind}").write_text(f"[Unit]\nDescription={service}\n{body}")
    command = [analyze, "verify", f"--root={tmp_path / 'root'}", "--man=no", "resource-agents-deps.target"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert not re.search(r"lustre|lnet|resource-agents", said.stderr), said.stderr


def node_of_new(place: Path, **variables: str) -> Result:
    given = PLANS["new"]
    devices = [t.device for t in given.targets if "oss01" in t.servers]
    return run(place, text_of(given, "ha/sm01/00-node.sh"), devices=devices, **{"HOST": "oss01"} | variables)


@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({"TAKEN_BACK": "After"}, "systemd does not start lnet.service before the resource agents"),
        ({"TAKEN_BACK": "Requires"}, "systemd does not start lnet.service before the resource agents"),
        ({"WAITS": "network.target"}, "Pacemaker does not wait for resource-agents-deps.target"),
    ],
)
def test_a_drop_in_that_is_of_no_effect_is_no_success(variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    done = node_of_new(tmp_path, **variables)
    assert (done.code, f"STOP: {sentence}" in done.said) == (1, True), done.said
    assert "systemctl start pcsd" not in done.calls


@pytest.mark.parametrize("unit", ["lnet.service", "resource-agents-deps.target"])
def test_a_service_that_is_not_there_stops_before_anything_is_written(unit: str, tmp_path: Path) -> None:
    done = node_of_new(tmp_path, NO_UNIT=unit)
    assert (done.code, f"STOP: systemd knows no {unit} here" in done.said) == (1, True), done.said
    assert done.units == {}


# --- 01: the cluster -----------------------------------------------------------------------------------------------


def setup(place: Path, *options: str, cluster: str = "sm01", given: str = "me4", **variables: str) -> Result:
    return run(place, text_of(PLANS[given], f"ha/{cluster}/01-cluster-setup.sh"), *options, **PAIR | variables)


@pytest.mark.parametrize(
    "version, auth, words",
    [
        ("0.9.169", "cluster auth", "--name scratch-sm01 oss01 oss02 --token=17000 --wait_for_all=1"),
        ("0.10.12", "host auth", "scratch-sm01 oss01 oss02 totem token=17000 quorum wait_for_all=1"),
        ("0.11.5", "host auth", "scratch-sm01 oss01 oss02 totem token=17000 quorum wait_for_all=1"),
    ],
)
def test_the_words_of_each_pcs(version: str, auth: str, words: str, tmp_path: Path) -> None:
    tool("pcs")
    done = setup(tmp_path, PCS_VERSION=version)
    assert done.code == 0, done.said
    assert [c for c in done.calls if c.startswith("pcs") and "--version" not in c] == [
        f"pcs {auth} oss01 oss02 -u hacluster",
        f"pcs cluster setup {words}",
        "pcs cluster start --all --wait=120",
        "pcs cluster enable --all",
    ]
    assert done.typed == f"{SECRETS['HACLUSTER_PASSWORD']}\n"


def corosync(done: Result) -> dict[str, str]:
    """What pcs wrote for corosync: the names and values, those of nodes joined."""
    found: dict[str, str] = {}
    for name, value in re.findall(r"^\s+(\w+): (.*)$", done.corosync.read_text(), re.M):
        found[name] = f"{found[name]} {value}" if name == "name" and name in found else value
    return found


def test_pcs_itself_makes_a_cluster_of_two_nodes(tmp_path: Path) -> None:
    tool("pcs")
    conf = corosync(setup(tmp_path))
    assert (conf["cluster_name"], conf["name"], conf["token"]) == ("scratch-sm01", "oss01 oss02", "17000")
    assert (conf["two_node"], conf["wait_for_all"]) == ("1", "1")


def test_three_nodes_need_a_majority(tmp_path: Path) -> None:
    tool("pcs")
    done = setup(tmp_path, cluster="oss-ha01", given="ring", FLAGS="Quorate")
    assert done.code == 0, done.said
    conf = corosync(done)
    assert conf["name"] == "oss01 oss02 oss03"
    assert not {"two_node", "wait_for_all"} & set(conf)


def test_a_pair_that_corosync_does_not_know_for_one_is_no_success(tmp_path: Path) -> None:
    tool("pcs")
    done = setup(tmp_path, FLAGS="Quorate")
    assert done.code == 1
    assert "STOP: corosync does not know that scratch-sm01 has two nodes" in done.said


@pytest.mark.parametrize(
    "version, nodes",
    [
        ("0.9.169", "oss01,10.40.0.3 oss02,10.40.0.4"),
        ("0.10.12", "oss01 addr=oss01 addr=10.40.0.3 oss02 addr=oss02 addr=10.40.0.4"),
        ("0.11.5", "oss01 addr=oss01 addr=10.40.0.3 oss02 addr=oss02 addr=10.40.0.4"),
    ],
)
def test_a_second_link_in_the_words_of_each_pcs(version: str, nodes: str, tmp_path: Path) -> None:
    tool("pcs")
    done = run(tmp_path, text_of(PLANS["linked"], "ha/sm01/01-cluster-setup.sh"), **PAIR, PCS_VERSION=version)
    assert done.code == 0, done.said
    (line,) = [c for c in done.calls if c.startswith("pcs cluster setup")]
    assert f" scratch-sm01 {nodes} " in line
    if version != "0.9.169":
        text = done.corosync.read_text()
        assert re.findall(r"ring0_addr: (\S+)\s+ring1_addr: (\S+)", text) == [
            ("oss01", "10.40.0.3"),
            ("oss02", "10.40.0.4"),
        ]


def test_a_node_has_its_address_on_the_second_link(tmp_path: Path) -> None:
    given = PLANS["linked"]
    script = text_of(given, "ha/sm01/00-node.sh")
    devices = [t.device for t in given.targets if "oss01" in t.servers]
    for number, (ring, code) in enumerate((("10.40.0.3", 0), ("10.40.0.30", 1), ("", 1))):
        (place := tmp_path / str(number)).mkdir()
        done = run(place, script, "--check", devices=devices, HOST="oss01", RING=ring)
        assert (done.code, "no interface here has the address 10.40.0.3" in done.said) == (code, code == 1), done.said


@pytest.mark.parametrize(("version", "word"), [("0.9.169", "--device="), ("0.11.5", "device=")])
def test_sbd_is_enabled_before_the_cluster_starts(version: str, word: str, tmp_path: Path) -> None:
    tool("pcs")
    done = run(tmp_path, text_of(PLANS["sbd"], "ha/sm01/01-cluster-setup.sh"), **PAIR, PCS_VERSION=version)
    assert done.code == 0, done.said
    called = [c for c in done.calls if c.startswith("pcs")]
    enable = called.index(
        "pcs stonith sbd enable " + " ".join(f"{word}/dev/disk/by-id/wwn-0x600c0ff000sbd{n}" for n in (1, 2, 3))
    )
    assert called[enable - 1].startswith("pcs cluster setup ")
    assert called[enable + 1].startswith("pcs cluster start ")


@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({}, ""),
        (
            {"NO_HEADER": "/dev/disk/by-id/wwn-0x600c0ff000sbd2"},
            "/dev/disk/by-id/wwn-0x600c0ff000sbd2 has no header of SBD",
        ),
        ({"NO_WATCHDOG": "yes"}, "there is no /dev/watchdog here"),
        (
            {"LINKS": "rm /dev/disk/by-id/wwn-0x600c0ff000sbd3"},
            "/dev/disk/by-id/wwn-0x600c0ff000sbd3, a device of SBD, is not there",
        ),
        ({"TIMES": "90 180"}, "/dev/disk/by-id/wwn-0x600c0ff000sbd1 has times of SBD that are not the plan's"),
        (
            {"TIMES": "5 10"},
            "/dev/disk/by-id/wwn-0x600c0ff000sbd1 has times of SBD that are not the plan's: watchdog 5 s, msgwait 10 s",
        ),
        ({"TIMES": "60 100"}, "/dev/disk/by-id/wwn-0x600c0ff000sbd1 has times of SBD that are not the plan's"),
        ({"TIMES": "60 149"}, ""),
        (
            {"TIMES": "x y"},
            "/dev/disk/by-id/wwn-0x600c0ff000sbd1 has times of SBD that are not the plan's: watchdog 0 s",
        ),
    ],
)
def test_sbd_needs_disks_with_headers_and_a_watchdog(variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    given = PLANS["sbd"]
    devices = [t.device for t in given.targets if "oss01" in t.servers] + list(lustre(given).sbd_devices)
    script = text_of(given, "ha/sm01/00-node.sh")
    done = run(tmp_path, script, "--check", devices=devices, HOST="oss01", **variables)
    assert (done.code, f"STOP: {sentence}" in done.said) == (1, True) if sentence else (0, False), done.said


SBD_1 = "/dev/disk/by-id/wwn-0x600c0ff000sbd1"
CREATE = f"sbd -d {SBD_1} -1 60 -4 120 create"


def sbd_node(place: Path, **variables: str) -> Result:
    given = PLANS["sbd"]
    devices = [t.device for t in given.targets if "oss01" in t.servers] + list(lustre(given).sbd_devices)
    script = text_of(given, "ha/sm01/00-node.sh")
    return run(place, script, "--check", devices=devices, HOST="oss01", **variables)


@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({}, ""),
        ({"SIGNED": SBD_1}, f'and is not blank: {SBD_1}: UUID="7d6d0cf3'),
        ({"SIGNED": SBD_1, "ANSWER": "8"}, "and is not blank: several signatures."),
        ({"WIPEABLE": SBD_1}, "and is not blank.\n      DEVICE OFFSET TYPE UUID LABEL\n"),
    ],
)
def test_nobody_is_told_to_overwrite_a_device_that_holds_something(
    variables: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    """How a header is written is said where blkid and wipefs see nothing; otherwise what they see."""
    done = sbd_node(tmp_path, NO_HEADER=SBD_1, **variables)
    assert (done.code, f"STOP: {SBD_1} has no header of SBD" in done.said) == (1, True), done.said
    assert (CREATE in done.said) == (not sentence)
    assert sentence in done.said


def test_what_the_stand_ins_see_is_what_blkid_and_wipefs_print(tmp_path: Path) -> None:
    """The real programs on a file with ext4, and on one with a label of partitions."""
    image, label = tmp_path / "image", tmp_path / "label"
    for path in (image, label):
        with path.open("wb") as file:
            file.truncate(16 * 2**20)
    made = [tool("mke2fs"), "-q", "-t", "ext4", "-U", "7d6d0cf3-2ae4-4bd4-9d2e-8d0d4a1f4a43", str(image)]
    subprocess.run(made, check=True, capture_output=True)
    label.write_bytes(label.read_bytes()[:510] + b"\x55\xaa" + label.read_bytes()[512:])
    for program, option, path in (("blkid", "-p", image), ("wipefs", "-n", label)):
        play = tmp_path / f"play-{program}"
        play.write_text("#!/bin/bash\n" + PROGRAMS[program])
        command = ["bash", str(play), option, str(path)]
        seen = [
            subprocess.run(
                c, capture_output=True, text=True, check=False, env={"SIGNED": str(path), "WIPEABLE": str(path)}
            )
            for c in (command, [tool(program), option, str(path)])
        ]
        played, real = ((s.returncode, s.stdout.replace(' BLOCK_SIZE="1024"', "")) for s in seen)
        assert played == real


@pytest.mark.parametrize("header", [{}, {"NO_HEADER": SBD_1}])
def test_a_device_of_sbd_that_is_a_target_under_another_name_stops_it(header: dict[str, str], tmp_path: Path) -> None:
    """The names differ, and the number of the device is the same."""
    target = next(t.device for t in PLANS["sbd"].targets if t.id == "scratch-OST0002")
    done = sbd_node(tmp_path, LINKS=f"rm {SBD_1}; ln -s {target} {SBD_1}", **header)
    assert (done.code, f"STOP: {SBD_1}, a device of SBD, is {target}, the device of a target." in done.said) == (
        1,
        True,
    )
    assert "create" not in done.said
    (other := tmp_path / "other").mkdir()
    assert sbd_node(other, LINKS=f"mv {SBD_1} /dev/sbd; ln -s /dev/sbd {SBD_1}").code == 0


# --- 02: the targets -----------------------------------------------------------------------------------------------


def resources(place: Path, *options: str, given: str = "me4", **variables: str) -> Result:
    return run(place, text_of(PLANS[given], "ha/sm01/02-resources.sh"), *options, **PAIR | variables)


REFUSALS = [
    ({"HOST": "oss02"}, "this is oss02, and the script is for oss01"),
    ({"PCS_VERSION": "0.12.0"}, "pcs 0.12.0 is none that these commands are known for: 0.9, 0.10, 0.11"),
    ({"PCS_VERSION": "0.10.6"}, "pcs 0.10.6 is too old for these commands, which need 0.10.7"),
    ({"PCS_VERSION": "0.9.99"}, "pcs 0.9.99 is too old"),
    ({"USER_ID": "1000"}, "only root"),
]


@pytest.mark.parametrize("variables, sentence", [*REFUSALS, ({"HACLUSTER_PASSWORD": ""}, "PASSWORD: must be set")])
def test_the_set_up_refuses(variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    done = setup(tmp_path, **variables)
    assert (done.code, sentence in done.said) == (1, True), done.said
    assert not any(" cluster " in c or " auth " in c for c in done.calls)


@pytest.mark.parametrize(
    "variables, sentence",
    [
        *REFUSALS,
        ({"FENCE_USER": ""}, "FENCE_USER: must be set"),
        ({"FENCE_PASSWORD": ""}, "FENCE_PASSWORD: must be set"),
        ({"MEMBERS": "oss01 oss03"}, "oss02 is no node of this cluster"),
        ({"MEMBERS": ""}, "the cluster does not tell its configuration"),
    ],
)
def test_the_targets_are_not_handed_over(variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    tool("cibadmin")
    done = resources(tmp_path, **variables)
    assert (done.code, sentence in done.said) == (1, True), done.said
    assert not any(c.startswith("pcs -f") for c in done.calls)


def test_a_cluster_with_resources_stays_as_it_is(tmp_path: Path) -> None:
    tool("cibadmin")
    done = resources(tmp_path, OLD='<primitive id="x"/>')
    assert (done.code, "STOP: this cluster has resources already" in done.said) == (1, True)
    assert not any(c.startswith("pcs -f") for c in done.calls)


@pytest.mark.parametrize(
    "there, missing",
    [("ocf/resource.d/lustre/Lustre ]", "the resource agent ocf:lustre:Lustre"), ("fence_idrac", "fence_none")],
)
def test_what_is_not_installed_is_named(there: str, missing: str, tmp_path: Path) -> None:
    elsewhere = there.replace("lustre/", "nowhere/") if "/" in there else missing
    script = text_of(PLANS["new"], "ha/sm01/02-resources.sh").replace(there, elsewhere)
    done = run(tmp_path, script, **PAIR)
    assert (done.code, f"STOP: {missing} is not installed here" in done.said) == (1, True), done.said


@pytest.mark.parametrize("name", SCRIPTS)
def test_check_changes_nothing(name: str, tmp_path: Path) -> None:
    tool("cibadmin")
    devices = [t.device for t in PLANS["me4"].targets if "oss01" in t.servers]
    secrets = dict.fromkeys(SECRETS, "")
    script = text_of(PLANS["me4"], f"ha/sm01/{name}")
    done = run(tmp_path, script, "--check", devices=devices, **PAIR, **secrets)
    missing = "fence devices NOT asked: FENCE_USER, FENCE_PASSWORD are not set\nEverything else"
    here = missing if name == "02-resources.sh" else "Everything"
    assert (done.code, done.printed) == (0, f"{here} is here. Nothing was changed.\n"), done.said
    changing = ("mkdir", "chpasswd", *CHANGING_UNITS, "pcs -f", "pcs cluster setup", "pcs cluster cib-push")
    assert not any(c.startswith(changing) for c in done.calls)
    assert done.asked == []


@pytest.mark.parametrize("name, commands", [("00-node.sh", 13), ("01-cluster-setup.sh", 4), ("02-resources.sh", 19)])
def test_a_dry_run_prints_every_command_and_no_secret(name: str, commands: int, tmp_path: Path) -> None:
    devices = [t.device for t in PLANS["me4"].targets if "oss01" in t.servers]
    script = text_of(PLANS["me4"], f"ha/sm01/{name}")
    done = run(tmp_path, script, "--dry-run", devices=devices, **PAIR)
    assert (done.code, len(done.printed.splitlines())) == (0, commands), done.printed
    assert not any(secret.split()[0] in done.printed for secret in SECRETS.values())
    logins = re.findall(r"(?:username|password)=(\S+)", done.printed)
    assert set(logins) == ({'"$FENCE_USER"', '"$FENCE_PASSWORD"'} if name == "02-resources.sh" else set())
    assert [c for c in done.calls if c.startswith(("pcs", "mkdir", "chpasswd")) and "--version" not in c] == []


# --- the fence devices are asked first -------------------------------------------------------------------------------


def test_every_fence_device_is_asked_before_anything_is_made(tmp_path: Path) -> None:
    """By the words that Pacemaker will use, and through a pipe: no password is in a list of processes."""
    tool("cibadmin")
    done = run(tmp_path, text_of(PLANS["outlets"], "ha/sm01/02-resources.sh"), **PAIR, REFUSES="plug=4")
    assert (done.code, "pcs -f" in " ".join(done.calls)) == (1, False)
    login = f"username={SECRETS['FENCE_USER']}\npassword={SECRETS['FENCE_PASSWORD']}\nlanplus=1\n"
    community = f"community={SECRETS['FENCE2_COMMUNITY']}\n"
    assert done.asked == [
        *(f"ip=10.30.0.{n}\n{login}action=status\n" for n in (3, 4)),
        *(f"ip=10.31.0.{pdu}\nplug=3\n{community}action=status\n" for pdu in (1, 2)),
        f"ip=10.31.0.1\nplug=4\n{community}action=status\n",
    ]
    assert "STOP: fence2-oss02: fence_apc_snmp cannot ask for the state of oss02, exit code 1" in done.said
    assert "It said: ERROR: Failed: Unable to obtain correct plug status" in done.said
    for secret in SECRETS.values():
        assert not any(secret in call for call in done.calls if not call.startswith("pcs"))


@pytest.mark.parametrize(
    "answer, sentence",
    [
        ("1", "fence_idrac cannot ask for the state of oss02, exit code 1"),
        ("2", "fence_idrac says that oss02 is off, and it runs"),
        ("124", "fence_idrac had no answer for oss02 within 60 s"),
    ],
)
def test_a_login_that_fails_changes_nothing(answer: str, sentence: str, tmp_path: Path) -> None:
    tool("cibadmin")
    done = resources(tmp_path, REFUSES="10.30.0.4", ANSWER=answer)
    assert (done.code, f"STOP: fence-oss02: {sentence}" in done.said) == (1, True), done.said
    assert not any(c.startswith("pcs -f") for c in done.calls)
    assert not done.pushed.exists()


@pytest.mark.parametrize(
    "refuses, tried, answer, code",
    [
        ("10.30.0.3", "tried", "1", 0),
        ("10.30.0.3", "tried", "124", 0),
        ("10.30.0.3", "tried", "2", 1),
        ("10.30.0.3", "tried", "127", 1),
        ("10.30.0.3", "", "1", 1),
        ("10.30.0.4", "tried", "1", 1),
    ],
)
def test_a_controller_that_its_own_server_does_not_reach_is_tried_elsewhere(
    refuses: str, tried: str, answer: str, code: int, tmp_path: Path
) -> None:
    """Of the first server, which is not asked by itself when it is lost; never of another one.

    That a server which runs is off proves that the address is another machine's, whoever asks.
    """
    tool("pcs")
    script = text_of(PLANS["me4"], "ha/sm01/02-resources.sh")
    short = re.sub(r"(?m)^run pcs -f \S+ (?:constraint|resource create) .*\n", "", script)
    done = run(tmp_path, short, **PAIR, REFUSES=refuses, OWN_FENCE=tried, ANSWER=answer)
    assert (done.code, done.pushed.exists()) == (code, code == 0), done.said
    assert ("start here again with OWN_FENCE=tried" in done.said) == (code == 1 and answer != "2")
    assert ("says that oss01 is off, and it runs" in done.said) == (answer == "2")


def test_the_second_level_is_excused_by_nothing(tmp_path: Path) -> None:
    """A PDU is reached from every server alike."""
    tool("cibadmin")
    done = resources(tmp_path, "--check", given="outlets", OWN_FENCE="tried", REFUSES="plug=3")
    assert (done.code, "fence2-oss01: fence_apc_snmp cannot ask" in done.said) == (1, True), done.said


@pytest.mark.parametrize(("host", "code"), [("oss02", 0), ("mds01", 1)])
def test_every_node_can_try_the_fence_devices(host: str, code: int, tmp_path: Path) -> None:
    tool("cibadmin")
    done = resources(tmp_path, "--check", HOST=host)
    assert (done.code, len(done.asked)) == (code, 2 * (1 - code)), done.said


@pytest.mark.parametrize("mode, asked", [("--check", 2), ("--dry-run", 0)])
def test_a_check_asks_where_it_can_and_a_dry_run_shows_how(mode: str, asked: int, tmp_path: Path) -> None:
    tool("cibadmin")
    done = resources(tmp_path, mode)
    assert (done.code, len(done.asked)) == (0, asked), done.said
    login = 'username="$FENCE_USER" password="$FENCE_PASSWORD"'
    shown = f"printf %s\\\\n ip=10.30.0.3 {login} lanplus=1 action=status | fence_idrac\n"
    assert (shown in done.printed) == (mode == "--dry-run"), done.printed


def test_fence_idrac_itself_reads_such_words_and_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    """The real agent, asked as the script asks it, of an address where nothing answers."""
    agent = tool("fence_idrac")
    words = "ip=127.0.0.1\nusername=u\npassword=p\nlanplus=1\naction=status\n"
    for text in (words, words.replace("lanplus", "lanpluss")):
        done = subprocess.run([agent], input=text, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode not in (0, 2), done.stdout
        assert ("lanpluss" in done.stderr) == ("lanpluss" in text)


def test_whatever_an_agent_is_given_it_is_only_asked(tmp_path: Path) -> None:
    """The script's own function and the real agent, with a program in the place of ipmitool that notes its words."""
    agent, log, ipmitool = tool("fence_idrac"), tmp_path / "log", tmp_path / "ipmitool"
    ipmitool.write_text(f'#!/bin/sh\necho "$*" >>{log}\necho Chassis Power is on\n')
    ipmitool.chmod(0o755)
    text = text_of(PLANS["me4"], "ha/sm01/02-resources.sh")
    function = text[text.index("try_fence() {") : text.index("try_level_1() {")]
    words = f"ip=127.0.0.1 username=u password=p lanplus=1 action=off power_timeout=3 ipmitool_path={ipmitool}"
    script = f'mode=run\nstop() {{ echo "$@"; exit 1; }}\n{function}\ntry_fence fence-oss01 oss01 {agent} 1 {words}\n'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == f"fence-oss01: {agent} sees that oss01 is on\n", done.stdout + done.stderr
    assert [line.partition(" chassis ")[2] for line in log.read_text().splitlines()] == ["power status"]


@pytest.mark.parametrize("given, names", [("outlets", ["FENCE2_COMMUNITY"]), ("sbd", [])])
def test_the_second_level_wants_its_own_secrets(given: str, names: list[str], tmp_path: Path) -> None:
    tool("cibadmin")
    text = text_of(PLANS[given], "ha/sm01/02-resources.sh")
    wanted = ["FENCE_USER", "FENCE_PASSWORD", *names]
    assert re.findall(r'^    : "\$\{(\w+):\?', text, re.M) == wanted
    for number, name in enumerate(wanted):
        (place := tmp_path / str(number)).mkdir()
        done = run(place, text, **PAIR, **{name: ""})
        assert (done.code, f"{name}: must be set" in done.said) == (1, True), done.said


@pytest.mark.parametrize(
    "given, unset, code, asked, said",
    [
        ("outlets", "", 0, 6, ""),
        ("outlets", "FENCE2_COMMUNITY", 1, 2, "FENCE2_COMMUNITY is not set"),
        ("outlets", "FENCE_USER", 1, 4, "FENCE_USER is not set"),
        ("outlets", "FENCE_PASSWORD FENCE2_COMMUNITY", 1, 0, "FENCE_PASSWORD, FENCE2_COMMUNITY are not set"),
        ("outlets", "FENCE_USER FENCE_PASSWORD FENCE2_COMMUNITY", 0, 0,
         "FENCE_USER, FENCE_PASSWORD, FENCE2_COMMUNITY are not set"),
        ("sbd", "", 0, 4, ""),
        ("sbd", "FENCE_USER FENCE_PASSWORD", 0, 2, "FENCE_USER, FENCE_PASSWORD are not set"),
        ("sbd", "FENCE_PASSWORD", 1, 2, "FENCE_PASSWORD is not set"),
    ],
)  # fmt: skip
def test_a_check_says_which_devices_it_did_not_ask(
    given: str, unset: str, code: int, asked: int, said: str, tmp_path: Path
) -> None:
    """A level is asked where its own variables are there; some and not all of them are a mistake."""
    tool("cibadmin")
    done = resources(tmp_path, "--check", given=given, **dict.fromkeys(unset.split(), ""))
    assert (done.code, len(done.asked)) == (code, asked), done.said
    not_asked = f"fence devices NOT asked: {said}"
    assert (not_asked in (done.said if code else done.printed)) == bool(said), done.said + done.printed
    assert ("Everything is here." in done.printed) == (not said)


@pytest.mark.parametrize("refuses, code", [("none of them", 0), ("plug=4", 1)])
def test_the_fence_devices_of_a_cluster_that_runs_are_asked_too(refuses: str, code: int, tmp_path: Path) -> None:
    """It gets its second level by hand, and its outlets are tried before that."""
    tool("cibadmin")
    done = resources(tmp_path, "--check", given="outlets", OLD='<primitive id="x"/>', HOST="oss02", REFUSES=refuses)
    assert (done.code, len(done.asked)) == (code, 6 - code), done.said
    assert "This cluster has resources already. They stay as they are.\n" in done.printed
    assert ("STOP: fence2-oss02: fence_apc_snmp cannot ask" in done.said) == bool(code)
    assert not any(c.startswith(("pcs -f", "pcs cluster cib-push")) for c in done.calls)


# --- the health of servers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lacks, agent",
    [("host_list", "healthLNET"), ("lctl", "healthLNET"), ("name", "healthL"), ("dampen", "healthL")],
)
def test_an_agent_of_health_without_an_option_is_no_success(lacks: str, agent: str, tmp_path: Path) -> None:
    """With --force pcs would take it all the same. Each node is looked at, since each starts the agents."""
    done = resources(tmp_path, given="new", LACKS=lacks)
    assert (done.code, f"{agent}" in done.said, f"knows no option {lacks}" in done.said) == (1, True, True), done.said
    assert not any(c.startswith("pcs -f") for c in done.calls)
    (node := tmp_path / "node").mkdir()
    done = node_of_new(node, LACKS=lacks)
    assert (done.code, f"{agent}" in done.said, f"knows no option {lacks}" in done.said) == (1, True, True), done.said
    assert done.units == {}


def test_health_is_watched_where_the_release_has_the_agents(tmp_path: Path) -> None:
    new = text_of(PLANS["new"], "ha/sm01/02-resources.sh")
    assert len(re.findall(r"resource create \S+ ocf:lustre:health(?:LNET|LUSTRE) ", new)) == 2
    assert "ocf:lustre:health" not in text_of(PLANS["me4"], "ha/sm01/02-resources.sh")
    done = resources(tmp_path, "--dry-run", given="new")
    rules = [line for line in done.printed.splitlines() if " rule score=" in line]
    assert len(rules) == 3 * 4


def created(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if " resource create scratch-" in line]


@pytest.mark.parametrize(
    "version, agent, forced", [("0.11.5", "1.0.1", True), ("0.11.5", "1.0", False), ("0.10.12", "1.0.1", False)]
)
def test_pcs_is_forced_only_where_it_refuses_the_version_of_the_agent(
    version: str, agent: str, forced: bool, tmp_path: Path
) -> None:
    done = resources(tmp_path, "--dry-run", given="new", agent=agent, PCS_VERSION=version)
    lines = created(done.printed)
    assert len(lines) == 4
    assert all(line.strip().endswith(" --force") == forced for line in lines)


def test_a_dry_run_without_the_agent_says_what_it_could_not_ask(tmp_path: Path) -> None:
    script = text_of(PLANS["new"], "ha/sm01/02-resources.sh").replace("/usr/lib/ocf/resource.d/", "/nowhere/")
    done = run(tmp_path, script, "--dry-run", PCS_VERSION="0.11.5")
    assert done.code == 0, done.said
    assert "on a node the script asks it" in done.said
    assert len(created(done.printed)) == 4


def test_force_is_needed_for_the_agent_as_it_is_and_enough(tmp_path: Path) -> None:
    tool("pcs")
    script = text_of(PLANS["new"], "ha/sm01/02-resources.sh")
    one = re.sub(r"(?m)^run pcs -f \S+ (?:constraint|resource create scratch-OST000[1-3]) .*\n", "", script)
    done = run(tmp_path, one, agent="1.0.1", **PAIR)
    assert (done.code, done.pushed.exists()) == (0, True), done.said
    first = re.sub(r"(?m)^run pcs -f \S+ stonith .*\n.*\n", "", one).replace("force=yes", 'force=""')
    (other := tmp_path / "unforced").mkdir()
    refused = run(other, first, agent="1.0.1", **PAIR)
    assert (refused.code, refused.pushed.exists()) == (1, False)
    assert "1.0.1" in refused.said


@pytest.mark.parametrize(
    "version, defaults, fence",
    [
        ("0.9.169", "resource defaults", ("ipaddr", "login", "passwd")),
        ("0.10.12", "resource defaults update", ("ip", "username", "password")),
        ("0.11.5", "resource defaults update", ("ip", "username", "password")),
    ],
)
def test_the_words_for_defaults_and_fencing(
    version: str, defaults: str, fence: tuple[str, str, str], tmp_path: Path
) -> None:
    printed = resources(tmp_path, "--dry-run", PCS_VERSION=version).printed
    assert f"pcs -f draft.xml {defaults} resource-stickiness=200 \n" in printed
    given = " ".join(
        f"{w}={v}" for w, v in zip(fence, ("10.30.0.3", '"$FENCE_USER"', '"$FENCE_PASSWORD"'), strict=True)
    )
    assert f" stonith create fence-oss01 fence_idrac {given} lanplus=1 " in printed


@pytest.mark.parametrize("agent", ["fence_idrac", "fence_ipmilan", "fence_redfish"])
def test_pcs_knows_the_options_of_every_agent(agent: str, tmp_path: Path) -> None:
    tool("pcs")
    tool(agent)
    script = text_of(settings(PLANS["me4"], fence_agent=agent), "ha/sm01/02-resources.sh")
    script = re.sub(r"(?m)^run pcs -f \S+ stonith create fence-oss02 .*\n.*\n", "", script)
    done = run(tmp_path, re.sub(r"(?m)^run pcs -f \S+ (?:resource create|constraint) .*\n", "", script), **PAIR)
    assert (done.code, "Error" in done.said) == (0, False), done.said
    (device,) = ElementTree.parse(done.pushed).getroot().iter("primitive")
    options = {p.get("name"): p.get("value") for p in device.iter("nvpair")}
    assert device.get("type") == agent
    assert (options["username"], options["password"]) == (SECRETS["FENCE_USER"], SECRETS["FENCE_PASSWORD"])
