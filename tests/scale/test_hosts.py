"""The files of target `hosts`: they say the plan, a planted mistake in one is caught, and what stands against them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.findings import has_errors
from pixsize.products.scale.render.hosts import RENDERER
from pixsize.products.scale.render.hosts_steps import steps
from pixsize.render import RENDERERS
from pixsize.render.run_book import run_book
from tests.products.drawing import hosts as host_names
from tests.readers.compare import hosts_know_the_plan
from tests.readers.hosts import read_genders, read_hosts, read_inventory
from tests.scale.host_plans import OTHER, codes, files, planned, request
from tests.support.changing import replace
from tests.support.running import catalog, load_words, make

Words = dict[str, Any]


def test_names_of_each_network() -> None:
    read = read_hosts(files()["hosts"])
    assert len(read) == 12 + 5  # four servers on three networks; two controllers and three switches
    assert read["10.10.0.1"] == ["sm01n1.example.org", "sm01n1"]
    assert read["10.20.0.3"] == ["mgmt1-mgmt.example.org", "mgmt1-mgmt"]
    assert read["10.30.0.4"] == ["mgmt2-bmc.example.org", "mgmt2-bmc"]


def test_a_server_with_a_domain_of_its_own_keeps_it() -> None:
    read = read_hosts(files(hosts=["a.lab.org", "b"])["hosts"])
    assert read["10.10.0.1"] == ["a.lab.org", "a"]
    assert read["10.20.0.1"] == ["a-mgmt.lab.org", "a-mgmt"]
    assert read["10.10.0.2"] == ["b.example.org", "b"]
    assert read_hosts(files(hosts=["a.lab.org", "b"], domain=None)["hosts"])["10.10.0.2"] == ["b"]


def test_the_least_that_is_needed() -> None:
    made = files(management=None, bmc=None, domain=None, dns=None)
    assert set(made) == {"hosts", "chrony.conf", "genders", "inventory.yaml"}
    assert read_inventory(made["inventory.yaml"])["all"]["children"]["scale_nodes"]["hosts"]["sm01n1"][
        "ansible_host"
    ] == ("10.10.0.1")


def test_what_products_add_is_in_the_files() -> None:
    words = request() | {"gateways": {"domain": "files.example.org", "subnet": "10.40.0.0/24"}}
    plan = make(words).plan
    made = {f.path.removeprefix("hosts/"): f.text for f in RENDERER.files(plan, catalog())}
    hosts_know_the_plan(made, plan)
    assert read_genders(made["genders"])["gw1"] == {"node": "", "role": "gateway"}
    assert "10.20.0.5" in read_hosts(made["hosts"])


def test_a_server_of_a_descriptor_outside_the_plan() -> None:
    made = files(descriptor=OTHER)
    assert "q1.lab.example.org" in made["hosts"]
    assert not any("q1" in name for names in read_hosts(made["hosts"]).values() for name in names)
    assert read_genders(made["genders"])["q1"] == {"node": "", "role": "descriptor"}
    hosts_know_the_plan(made, planned(descriptor=OTHER))


def test_overwriting_is_never_asked_for() -> None:
    assert "overwrite" not in "".join(files().values())
    assert "scale_storage" not in read_inventory(files()["inventory.yaml"])["all"]["children"]["scale_nodes"]["vars"]


def check(words: Words, path: str, pattern: str, by: str) -> None:
    """Reads the files of a request back, one of them with another text in the first place of a pattern."""
    made = files(**words)
    text = re.sub(pattern, by, made[path], count=1)
    assert (text == made[path]) is (pattern == by)
    hosts_know_the_plan(made | {path: text}, planned(**words))


@pytest.mark.parametrize(
    "words", [{}, {"descriptor": OTHER}, {"hosts": ["a.lab.org", "b"]}, {"dns": None, "bmc": None}]
)
def test_without_a_mistake_nothing_is_caught(words: Words) -> None:
    check(words, "hosts", "sm01", "sm01")


@pytest.mark.parametrize(
    ("path", "pattern", "by"),
    [
        ("hosts", r"10\.10\.0\.1 ", "10.10.0.9 "),
        ("hosts", r"10\.10\.0\.2 ", "10.10.0.1 "),
        ("hosts", r"sm01n2-mgmt\.", "sm01n1-mgmt."),
        ("hosts", r" sm01n1\n", "\n"),
        ("hosts", r"sm01n1\.example\.org sm01n1\n", "sm01n1 sm01n1.example.org\n"),
        ("hosts", r"10\.30\.0\.4 .*\n", ""),
        ("hosts", r"# end", "10.9.9.9 stray\n# end"),
        ("hosts", "mgmt1-bmc", "mgmt1_bmc"),
        ("chrony.conf", "ntp1", "ntp2"),
        ("chrony.conf", "server 192.*\n", ""),
        ("chrony.conf", "iburst", "iburts"),
        ("chrony.conf", "makestep 1.0 3", "makestep 1.0 -1"),
        ("chrony.conf", "rtcsync", "rtcsink"),
        ("resolv.conf", "search example", "search sample"),
        ("resolv.conf", r"192\.0\.2\.54", "192.0.2.53"),
        ("resolv.conf", "nameserver", "nameservers"),
        ("genders", "sm01n1 ", "sm01n1.example.org "),
        ("genders", "sm01n2 ", "sm01n1 "),
        ("genders", ",role=storage", ",role=metadata"),
        ("genders", "pair=sm01", "pair=sm02"),
        ("genders", ",quorum,", ","),
        ("genders", ",manager\n", "\n"),
        ("genders", "mgmt2.*\n", ""),
        ("inventory.yaml", "10.20.0.1", "10.10.0.1"),
        ("inventory.yaml", "quorum: true", "quorum: false"),
        ("inventory.yaml", "manager: true", "manager: false"),
        ("inventory.yaml", "scale_admin_node: true", "scale_admin_node: false"),
        ("inventory.yaml", 'daemon_nodename: "sm01n1"', 'daemon_nodename: "sm01n1-mgmt"'),
        ("inventory.yaml", 'admin_nodename: "sm01n1"', 'admin_nodename: "sm01n2"'),
        ("inventory.yaml", 'clustername: "lab"', 'clustername: "gpfs1"'),
        ("inventory.yaml", "pair_sm01", "pair_sm02"),
        ("inventory.yaml", "# (scale_storage)", r"\1"),
        ("inventory.yaml", 'blockSize: "8M"', 'blockSize: "1M"'),
        ("inventory.yaml", "defaultMetadataReplicas: 2", "defaultMetadataReplicas: 1"),
        ("inventory.yaml", "maxDataReplicas: 2", "maxDataReplicas: 1"),
        ("inventory.yaml", 'MountPoint: "/labfs"', 'MountPoint: "/mnt/labfs"'),
        ("inventory.yaml", "metadataOnly", "dataAndMetadata"),
        ("inventory.yaml", "failureGroup: 1", "failureGroup: -1"),
        ("inventory.yaml", 'servers: "sm01n1,sm01n2"', 'servers: "sm01n1"'),
        ("inventory.yaml", 'pool: "system"', 'pool: "data"'),
        ("inventory.yaml", "/dev/mapper/", "/dev/"),
        ("inventory.yaml", "# +numNodes", "#     overwriteNSDs: true\n        #     numNodes"),
    ],
)
def test_a_planted_mistake_is_caught(path: str, pattern: str, by: str) -> None:
    with pytest.raises((AssertionError, ValueError, StopIteration, TypeError)):
        check({}, path, pattern, by)


# What stands against the files


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ({}, []),
        ({"ntp": None}, ["PX644"]),
        ({"ntp": []}, ["PX644"]),
        ({"hosts": ["a.x", "a.y"]}, ["PX643"]),
        ({"hosts": ["a", "A.x"]}, ["PX643"]),
        ({"hosts": ["a", "a-mgmt"]}, ["PX643"]),
        ({"hosts": ["a", "a-MGMT"]}, ["PX643"]),
        ({"hosts": ["a", "a-mgmt"], "management": None}, []),
        ({"hosts": ["a", "a-bmc.lab.org"]}, ["PX643"]),
        ({"hosts": ["ungrouped", "b"]}, ["PX643"]),
        ({"hosts": ["x" * 59, "b"]}, ["PX643"]),
        ({"hosts": ["x" * 58, "b"]}, []),
        ({"domain": ".".join(["x" * 61] * 4)}, ["PX643"]),
        ({"hosts": ["q1.other.org", "b"], "descriptor": OTHER}, ["PX643"]),
    ],
)
def test_what_stands_against_the_files(words: Words, found: list[str]) -> None:
    assert codes(**words) == found


def test_without_a_network_there_are_no_names() -> None:
    words = request()
    del words["network"]
    findings = RENDERER.findings(make(words).plan, catalog())
    assert [(f.code, f.where) for f in findings] == [("PX642", "")]


def test_of_another_file_system_nothing_is_said() -> None:
    words = {"name": "lab", "design": "lustre-me4", "filesystem": {"name": "scratch"}}
    plan = make(words | {"storage_modules": [{"size": "small", "data_drive": "8 TB"}]}).plan
    assert not RENDERER.applies(plan)
    assert RENDERER.findings(plan, catalog()) == ()


@pytest.mark.parametrize("bad", ["a b", "a;b", "$(id)", "-p", "a\nb", 'a"b', "a: b"])
def test_hostile_words_never_reach_a_file(bad: str) -> None:
    plan = planned()
    site = plan.filesystem.site  # type: ignore[attr-defined]
    wrong = [
        plan.filesystem._replace(site=site._replace(**{w: v}))
        for w, v in (("domain", bad), ("ntp", (bad,)), ("dns", (bad,)))
    ]  # type: ignore[attr-defined]
    plans = [replace(plan, filesystem=filesystem) for filesystem in wrong]
    first, *others = plan.servers
    plans.append(replace(plan, servers=(replace(first, id=bad), *others)))
    plans.append(replace(plan, servers=(replace(first, address=bad), *others)))
    plans += [
        replace(plan, servers=(replace(first, own=replace(first.own, **{w: bad})), *others))
        for w in ("management", "bmc")
    ]
    for other in plans:
        with pytest.raises(ValueError, match=r"may not stand|Expected 4 octets|not permitted|Only decimal"):
            RENDERER.files(other, catalog())


@settings(max_examples=25, deadline=None)
@given(
    names=st.lists(host_names, min_size=2, max_size=2, unique_by=str.lower),
    left_out=st.sets(st.sampled_from(["management", "bmc", "domain", "dns"])),
)
def test_whatever_is_legal_is_read_back(names: list[str], left_out: set[str]) -> None:
    loaded, found = load_words(request(hosts=names, **dict.fromkeys(left_out)))
    if loaded is None:
        assert {f.code for f in found} <= {"PX107", "PX110"}
        return
    plan = planned(hosts=names, **dict.fromkeys(left_out))
    if not has_errors(RENDERER.findings(plan, catalog())):
        hosts_know_the_plan({f.path.removeprefix("hosts/"): f.text for f in RENDERER.files(plan, catalog())}, plan)


# Steps


def test_names_come_before_whatever_needs_them() -> None:
    plan = planned()
    fitting = [n for n, r in RENDERERS.items() if r.applies(plan) and not has_errors(r.findings(plan, catalog()))]
    made = [file for n in fitting for file in RENDERERS[n].files(plan, catalog())]
    titles = re.findall(r"^## \d+\. (.*)$", run_book(plan, catalog(), made, fitting, {}).text, re.M)
    order = ["Give the servers their names and the time", "Prepare the servers", "Form the GPFS cluster lab"]
    assert [title for title in titles if title in order] == order


def test_a_step_names_what_the_files_lack() -> None:
    named, sets = steps(planned(descriptor=OTHER), catalog())
    assert any("q1.lab.example.org" in text for text in named.text)
    assert [look.shows for look in sets.looks][1] == "5"
    assert not any("q1" in text for text in steps(planned(), catalog())[0].text)


def test_the_commands_of_the_step_put_the_lines_in_once(tmp_path: Path) -> None:
    """Run twice, as after a change of the plan: the old lines go, whatever else stands there stays."""
    (named, _) = steps(planned(), catalog())
    target = tmp_path / "etc-hosts"
    target.write_text("127.0.0.1 localhost\n")
    (tmp_path / "hosts").write_text(files()["hosts"])
    script = "\n".join(c.replace("/etc/hosts", str(target)) for c in named.commands if "/etc/hosts" in c)
    for _ in range(2):
        subprocess.run(["bash", "-euc", script], cwd=tmp_path, check=True)
    target.write_text(target.read_text() + "10.9.9.9 printer\n")
    subprocess.run(["bash", "-euc", script], cwd=tmp_path, check=True)
    read = read_hosts(target.read_text())
    assert read == {"127.0.0.1": ["localhost"], "10.9.9.9": ["printer"]} | read_hosts(files()["hosts"])
