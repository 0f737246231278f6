"""The scripts for Pacemaker, run: the words of each pcs, and everything that stops them. The scheduler has its own test."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.unit.ha_support import SCRIPTS, SECRETS, Result, run, text_of
from tests.unit.lustre_plan import NEW, me4_plan, powerflex_plan, settings
from tests.unit.test_render_multipath import tool

PLANS = {"me4": me4_plan(), "new": me4_plan(release=NEW), "ring": powerflex_plan(3)}
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
    (folders,) = [c for c in done.calls if c.startswith("mkdir")]
    # Its own, and those of the server before it in the ring; not those of the one behind it.
    assert folders == "mkdir -p " + " ".join(f"/lustre/scratch-OST{n:04x}" for n in (0, 1, 2, 3))
    assert [c for c in done.calls if c.startswith("systemctl")] == ["systemctl enable pcsd", "systemctl start pcsd"]
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
    assert not any(c.startswith(("mkdir", "chpasswd", "systemctl")) for c in done.calls)


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
    assert (done.code, done.printed) == (0, "Everything is here. Nothing was changed.\n"), done.said
    changing = ("mkdir", "chpasswd", "systemctl", "pcs -f", "pcs cluster setup", "pcs cluster cib-push")
    assert not any(c.startswith(changing) for c in done.calls)


@pytest.mark.parametrize("name, commands", [("00-node.sh", 4), ("01-cluster-setup.sh", 4), ("02-resources.sh", 17)])
def test_a_dry_run_prints_every_command_and_no_secret(name: str, commands: int, tmp_path: Path) -> None:
    devices = [t.device for t in PLANS["me4"].targets if "oss01" in t.servers]
    script = text_of(PLANS["me4"], f"ha/sm01/{name}")
    done = run(tmp_path, script, "--dry-run", devices=devices, **PAIR)
    assert (done.code, len(done.printed.splitlines())) == (0, commands), done.printed
    assert not any(secret.split()[0] in done.printed for secret in SECRETS.values())
    assert [c for c in done.calls if c.startswith(("pcs", "mkdir", "chpasswd")) and "--version" not in c] == []


def created(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if " resource create " in line]


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
    given = " ".join(f"{w}={v}" for w, v in zip(fence, ("10.30.0.3", "FENCE_USER", "FENCE_PASSWORD"), strict=True))
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
