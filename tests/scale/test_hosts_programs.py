"""The files of target `hosts` as the programs that they are for read them. Each program catches a planted mistake too.

`ansible-inventory` returns 0 on a file that it could not parse, and says so on stderr only: what it prints is read.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.readers.hosts import read_commented
from tests.scale.host_plans import OTHER, files
from tests.support.programs import tool

pytestmark = pytest.mark.real


def ran(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A program, what it returns and what it prints; nothing of whoever runs the tests reaches it."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **env}
    return subprocess.run(command, env=environment, text=True, capture_output=True, check=False, timeout=60)


def chronyd(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """chronyd reads the file, prints what it understood, and asks nobody."""
    (folder / "chrony.conf").write_text(text)
    return ran(tool("chronyd"), "-p", "-f", str(folder / "chrony.conf"))


def test_chronyd_reads_its_configuration(tmp_path: Path) -> None:
    done = chronyd(tmp_path, files()["chrony.conf"])
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("server")] == [
        "server ntp1.example.org iburst",
        "server 192.0.2.1 iburst",
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("makestep", "makestp", "Invalid directive"),
        ("makestep 1.0 3", "makestep 1.0", "Missing arguments"),
        ("rtcsync", "rtcsync on", "Too many arguments"),
        ("iburst", "iburts", "Could not parse"),
        ("server ntp1.example.org iburst", "server", "Could not parse"),
    ],
)
def test_chronyd_refuses_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    text = files()["chrony.conf"]
    assert right in text
    done = chronyd(tmp_path, text.replace(right, wrong, 1))
    assert done.returncode != 0
    assert said in done.stderr + done.stdout


def nodeattr(folder: Path, text: str, *query: str) -> subprocess.CompletedProcess[str]:
    """nodeattr's answer to a query of a file."""
    (folder / "genders").write_text(text)
    return ran(tool("nodeattr"), "-f", str(folder / "genders"), *query)


@pytest.mark.parametrize(
    ("query", "nodes"),
    [
        ("node", ["q1", "sm01n1", "sm01n2", "mgmt1", "mgmt2"]),
        ("role=storage", ["sm01n1", "sm01n2"]),
        ("pair=management", ["mgmt1", "mgmt2"]),
        ("quorum", ["sm01n1", "sm01n2", "mgmt1"]),
        ("role=descriptor", ["q1"]),
    ],
)
def test_nodeattr_finds_the_nodes_of_a_set(tmp_path: Path, query: str, nodes: list[str]) -> None:
    text = files(descriptor=OTHER)["genders"]
    checked = nodeattr(tmp_path, text, "-k")
    assert (checked.returncode, checked.stderr.strip()) == (0, "nodeattr: 0 parse errors discovered")
    assert sorted(nodeattr(tmp_path, text, "-n", query).stdout.split()) == sorted(nodes)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("sm01n1 ", "sm01n1.example.org ", "not a shortened hostname"),
        (",quorum", ",quorum,quorum", "duplicate attribute"),
        ("sm01n1 node,", "sm01n1 node, ", ""),
    ],
)
def test_nodeattr_refuses_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    done = nodeattr(tmp_path, files()["genders"].replace(right, wrong, 1), "-k")
    assert done.returncode != 0
    assert said in done.stderr + done.stdout


def inventory(folder: Path, text: str) -> tuple[dict[str, Any], str]:
    """What Ansible makes of an inventory, and what it complains of. Its plugin for YAML has to take the file."""
    (folder / "inventory.yaml").write_text(text)
    done = ran(tool("ansible-inventory"), "-i", str(folder / "inventory.yaml"), "--list", HOME=str(folder))
    assert done.returncode == 0 or done.stderr
    return json.loads(done.stdout or "{}"), done.stderr


@pytest.mark.parametrize("words", [{}, {"descriptor": OTHER}, {"hosts": ["a.lab.org", "yes-1"], "management": None}])
def test_ansible_reads_the_inventory(tmp_path: Path, words: dict[str, Any]) -> None:
    read, complaints = inventory(tmp_path, files(**words)["inventory.yaml"])
    assert complaints == ""
    first, second = words.get("hosts", ["sm01n1", "sm01n2"])
    others = ["q1.lab.example.org"] if "descriptor" in words else []
    assert sorted(read["scale_nodes"]["hosts"]) == sorted([first, second, "mgmt1", "mgmt2", *others])
    assert read["storage_servers"]["hosts"] == [first, second] == read["pair_sm01"]["hosts"]
    assert sorted(read["quorum_nodes"]["hosts"]) == sorted([first, second, "mgmt1"])
    variables = read["_meta"]["hostvars"]
    network = 10 if "management" in words else 20
    assert variables[second] == {
        "ansible_host": f"10.{network}.0.2",
        "scale_daemon_nodename": second,
        "scale_admin_nodename": second,
        "scale_cluster_quorum": True,
        "scale_cluster_manager": True,
        "scale_admin_node": False,
        "scale_cluster_clustername": "lab",
    }
    assert [host for host, own in variables.items() if own["scale_admin_node"]] == ["mgmt1"]


def test_ansible_takes_the_file_system_once_its_comments_are_gone(tmp_path: Path) -> None:
    """What stands in comments is YAML: who takes the reason away has the variables as the role reads them."""
    text = files()["inventory.yaml"]
    lines = text.splitlines()
    start = lines.index("        # scale_storage:")
    bare = [re.sub(r"^(        )# ", r"\1", line) if n >= start else line for n, line in enumerate(lines)]
    read, complaints = inventory(tmp_path, "\n".join(bare) + "\n")
    assert complaints == ""
    assert read["_meta"]["hostvars"]["mgmt1"]["scale_storage"] == read_commented(text, "scale_storage")


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("  children:", " children:\n   x", "Unable to parse"),
        ("      vars:", "\tvars:", "Unable to parse"),
        ("    scale_nodes:", "    scale-nodes:", "Invalid characters"),
        ('        "sm01n1":\n          ansible', '        "pair_sm01":\n          ansible', "both group and host"),
        ("scale_cluster_quorum: true", "scale_cluster_quorum: [true", "Unable to parse"),
        (
            "          scale_admin_node: false",
            "          scale_admin_node: false\n          scale_admin_node: true",
            "duplicate",
        ),
    ],
)
def test_ansible_complains_of_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    text = files()["inventory.yaml"]
    assert right in text
    _, complaints = inventory(tmp_path, text.replace(right, wrong, 1))
    assert said.lower() in complaints.lower()


_LOOK_UP = 'mount --bind "$1" /etc/hosts && shift && exec getent -s files ahostsv4 "$1"'


@pytest.mark.parametrize(
    ("name", "address", "canonical"),
    [
        ("sm01n1", "10.10.0.1", "sm01n1.example.org"),
        ("sm01n2-mgmt", "10.20.0.2", "sm01n2-mgmt.example.org"),
        ("mgmt2-bmc.example.org", "10.30.0.4", "mgmt2-bmc.example.org"),
        ("sm01n9", "", ""),
    ],
)
def test_the_library_of_every_program_finds_the_names(tmp_path: Path, name: str, address: str, canonical: str) -> None:
    tool("unshare", root=True)
    path = tmp_path / "hosts"
    path.write_text(files()["hosts"])
    done = ran(tool("unshare", root=True), "-m", "bash", "-c", _LOOK_UP, "bash", str(path), name)
    if "mount" in done.stderr:
        pytest.skip("no mounts of one's own on this machine")
    found = {tuple(line.split()[:1]) for line in done.stdout.splitlines()}
    assert found == ({(address,)} if address else set())
    assert (canonical in done.stdout) is True
