"""The scripts that form the cluster: run with bash, against commands of GPFS that are played."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pixsize.catalog.records import Limit
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.records import ScaleSetting
from pixsize.products.scale.render import cluster, stanzas
from pixsize.products.scale.render.cluster import SCRIPTS, files
from tests.lustre.render_lustre import clean_script
from tests.products.test_examples import plan_of
from tests.readers.compare import cluster_is_the_plan
from tests.readers.scripts import calls
from tests.readers.stanza import read_size
from tests.scale import gpfs_recorder
from tests.scale.gpfs_recorder import READING, empty
from tests.support.changing import replace
from tests.support.programs import stand_in, tool
from tests.support.running import catalog, make

REQUEST: dict[str, Any] = {
    "name": "lab",
    "design": "pixstor-6",
    "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
    "filesystem": {"name": "labfs", "descriptor": {"server": "mgmt1", "device": "/dev/disk/by-id/scsi-desc"}},
    "network": {"subnet": "10.10.0.0/24"},
    "gateways": {"domain": "files.example.org", "subnet": "10.40.0.0/24"},
    "cluster": {"name": "campus", "admin": "mgmt2"},
}
PLAN = make(REQUEST).plan
NODES = [server.id for server in PLAN.servers]
NAMES = [script.name for script in SCRIPTS]
CHANGING = ["mmcrcluster", "mmchlicense", "mmcrnodeclass", "mmchconfig", "mmstartup", "mmcrnsd", "mmcrfs", "mmmount"]
PROGRAMS = ["id", "hostname", "sleep", "ssh", *READING, *CHANGING]
WORDS = {"07-filesystem.sh": ["--nodes", "64"]}


class Done(NamedTuple):
    """How a script ended."""

    code: int
    said: str
    errors: str


class Site:
    """A folder with the rendered files, and a cluster that is played."""

    def __init__(self, folder: Path, given: Plan = PLAN, **words: Any) -> None:
        self.folder, self.file = folder, folder / "state.json"
        self.save(empty(host=scale(given).cluster.admin, **words))
        made = (*files(given, catalog()), *stanzas.files(given, catalog()))
        for file in made:
            path = folder / "out" / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text.replace("/usr/bin/ssh", str(folder / "bin/ssh")))
        (folder / "bin").mkdir()
        for program in PROGRAMS:
            path = folder / "bin" / program
            path.write_text(stand_in(gpfs_recorder.__file__))
            path.chmod(0o755)

    @property
    def state(self) -> dict[str, Any]:
        """The cluster as it is now."""
        found: dict[str, Any] = json.loads(self.file.read_text())
        return found

    def save(self, state: dict[str, Any]) -> None:
        self.file.write_text(json.dumps(state))

    def change(self, **words: Any) -> None:
        self.save(self.state | words)

    def run(self, name: str, *words: str) -> Done:
        """A script with its usual words, or those given."""
        command = [tool("bash"), str(self.folder / "out/cluster" / name), *(words or WORDS.get(name, []))]
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "STATE": str(self.file)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=100)
        return Done(done.returncode, done.stdout, done.stderr)

    def run_all(self) -> list[dict[str, Any]]:
        """Every script in its order, each of which has to end well; the state before each, and after the last."""
        states = [self.state]
        for name in NAMES:
            done = self.run(name)
            assert done.code == 0, (name, done)
            states.append(self.state)
        return states

    def stand_before(self, name: str = "") -> None:
        """As after all scripts before this one, or after all."""
        self.change(**WAY[NAMES.index(name) if name else len(NAMES)] | {"calls": []})

    def asked(self, *programs: str) -> list[list[str]]:
        """The calls of some programs; of those that change something where none is named."""
        return [call for call in self.state["calls"] if call[0] in (programs or CHANGING)]


WAY: list[dict[str, Any]] = []
"""The states of the cluster on the whole way, once it was gone; each call is a process, and takes its time."""


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    if not WAY:
        WAY.extend(Site(tmp_path_factory.mktemp("way")).run_all())
    return Site(tmp_path)


@pytest.fixture
def made(site: Site) -> Site:
    """A site on which every script was run."""
    site.stand_before()
    return site


ETHERNET = make(REQUEST | {"network": REQUEST["network"] | {"fabric": "ethernet-200"}}).plan


@pytest.mark.real
@pytest.mark.parametrize("given", [PLAN, ETHERNET], ids=["infiniband", "ethernet"])
def test_scripts_are_clean(given: Plan, tmp_path: Path) -> None:
    for file in files(given, catalog()):
        if file.path.endswith(".sh"):
            assert file.executable
            clean_script(file.text, tmp_path)


def test_the_files_read_back_are_the_plan() -> None:
    texts = {file.path.removeprefix("cluster/"): file.text for file in files(PLAN, catalog())}
    cluster_is_the_plan(texts, PLAN)
    for path, old, new in (
        ("nodes.list", "sm01n1:quorum-manager", "sm01n1:nonquorum-manager"),
        ("nodes.list", "gw1:nonquorum-client:gw1\n", ""),
        ("01-cluster.sh", "-C campus", "-C other"),
        ("02-licences.sh", "gw2 nonquorum-client gw2 server", "gw2 nonquorum-client gw2 client"),
        ("03-node-classes.sh", "class storage_servers sm01n1,sm01n2", "class storage_servers sm01n1"),
        ("06-nsds.sh", "\nsm01a1_data02\n", "\n"),
        ("07-filesystem.sh", "-B 8M", "-B 4M"),
    ):
        assert old in texts[path]
        with pytest.raises(AssertionError):
            cluster_is_the_plan(texts | {path: texts[path].replace(old, new)}, PLAN)


def test_the_whole_way(site: Site) -> None:
    state = WAY[-1]
    site.save(state)
    asked = site.asked()
    assert [name for n, name in enumerate(c[0] for c in asked) if n == 0 or asked[n - 1][0] != name] == CHANGING
    assert state["cluster"]["name"] == "campus"
    assert [node for node, _ in state["cluster"]["nodes"]] == NODES
    assert set(state["licences"].values()) == {"server"}
    assert state["classes"]["gateway_servers"] == ["gw1", "gw2"]
    assert ["pagepool", "96G", "storage_servers"] in state["config"]
    assert ["verbsPorts", "mlx5_0/1 mlx5_1/1", "management_servers"] in state["config"]
    assert ["unmountOnDiskFail", "yes", "mgmt1"] in state["config"]
    assert list(state["nsds"]) == [t.id for t in PLAN.targets]
    assert state["mounted"] == NODES
    (mmcrnsd,), (mmcrfs,) = site.asked("mmcrnsd"), site.asked("mmcrfs")
    assert mmcrnsd[2].endswith("out/stanzas/nsd.stanza")
    assert mmcrnsd[3:] == ["-v", "yes"]
    assert mmcrfs[-4:] == ["-n", "64", "--inode-limit", str(cluster.view(PLAN, catalog())["inodes"])]
    (mmcrcluster,) = site.asked("mmcrcluster")
    assert not {"-p", "-s", "--ccr-enable"} & set(mmcrcluster)
    assert mmcrcluster[-1] == "-A"


@pytest.mark.long
@pytest.mark.parametrize("domain", ["", ".example.org"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_done_is_not_done_again(made: Site, name: str, domain: str) -> None:
    """Whatever GPFS calls the nodes, with their domain or without."""
    made.change(domain=domain)
    done = made.run(name)
    assert (done.code, done.errors) == (0, "")
    assert "Done already" in done.said
    assert made.asked() == []


@pytest.mark.long
@pytest.mark.parametrize(("number", "program"), list(enumerate(CHANGING)), ids=CHANGING)
def test_a_failure_stops_and_the_next_start_goes_on(site: Site, number: int, program: str) -> None:
    name = NAMES[number]
    site.stand_before(name)
    site.change(fails=program)
    stopped = site.run(name)
    assert stopped.code == 1
    assert f"STOP: {program} failed with exit code 1." in stopped.errors
    assert site.run(name).code == 0
    assert site.state | {"calls": []} == WAY[number + 1] | {"calls": [], "host": site.state["host"]}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("01-cluster.sh", "mmlscluster"),
        ("02-licences.sh", "mmlslicense"),
        ("04-settings.sh", "mmlsconfig"),
        ("04-settings.sh", "mmgetstate"),
        ("05-start.sh", "mmgetstate"),
        ("06-nsds.sh", "mmlsnsd"),
        ("07-filesystem.sh", "mmlsfs"),
        ("07-filesystem.sh", "mmlsnsd"),
        ("08-mount.sh", "mmlsmount"),
    ],
)
def test_a_question_that_is_not_answered_changes_nothing(site: Site, name: str, program: str) -> None:
    site.stand_before(name)
    site.change(fails=program)
    done = site.run(name)
    assert done.code == 1
    assert f"STOP: {program}" in done.errors
    changed = [c[1] for c in site.asked()]
    assert changed in ([], ["ignorePrefetchLUNCount=yes"])  # what stands before maxblocksize


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_runs_nothing(site: Site, name: str) -> None:
    done = site.run(name, "--dry-run")
    assert (done.code, done.errors) == (0, "")
    assert site.state["calls"] == []
    assert re.search(rf"^\+ {CHANGING[NAMES.index(name)]} ", done.said, re.M)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_check_changes_nothing(site: Site, name: str) -> None:
    site.stand_before(name)
    before = site.state | {"calls": []}
    assert site.run(name, "--check").code == 0
    assert site.state | {"calls": []} == before
    assert site.asked() == [] or site.asked()[-1][0] != CHANGING[NAMES.index(name)]


@pytest.mark.long
def test_another_host_or_user_does_nothing(site: Site) -> None:
    site.change(host="sm01n1")
    for name in NAMES:
        assert "the script is for mgmt2" in site.run(name).errors
    assert site.asked() == []
    (site.folder / "bin/id").write_text("#!/bin/sh\necho 1000\n")
    assert "only root" in site.run(NAMES[0]).errors


@pytest.mark.long
def test_a_node_that_does_not_answer_is_no_node(site: Site) -> None:
    site.change(silent=["gw2"])
    done = site.run("01-cluster.sh")
    assert "gw2 does not answer" in done.errors
    assert site.asked() == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("cluster_there", "said"),
    [
        ({"name": "other", "nodes": []}, "this host is in the cluster other"),
        ({"name": "campus", "nodes": [["sm01n1", "quorum-manager"]]}, "sm01n2 is no node of the cluster"),
        ({"name": "campus", "nodes": [[n, "quorum-manager"] for n in NODES]}, "and nonquorum-manager in the plan"),
        ({"name": "campus", "nodes": [[n, "nonquorum-client"] for n in NODES]}, "sm01n1 is neither quorum nor manager"),
    ],
)
def test_another_cluster_is_left_alone(site: Site, cluster_there: dict[str, Any], said: str) -> None:
    site.change(cluster=cluster_there)
    done = site.run("01-cluster.sh")
    assert done.code == 1
    assert said in done.errors
    assert site.asked() == []


@pytest.mark.long
def test_a_class_with_other_members_is_left_alone(site: Site) -> None:
    site.stand_before("03-node-classes.sh")
    site.change(classes={"storage_servers": ["sm01n1", "mgmt1"]})
    assert "mmchnodeclass storage_servers replace" in site.run("03-node-classes.sh").errors
    assert site.asked("mmcrnodeclass") == []


@pytest.mark.long
def test_the_largest_block_is_not_changed_while_gpfs_runs(site: Site) -> None:
    site.stand_before("04-settings.sh")
    site.change(up=["sm01n1"])
    done = site.run("04-settings.sh")
    assert "while it is down everywhere" in done.errors
    assert ["mmchconfig", "maxblocksize=16M"] not in site.asked()


@pytest.mark.long
def test_a_larger_number_of_bytes_in_other_units_is_the_same(site: Site) -> None:
    site.stand_before("04-settings.sh")
    site.change(config=[["pagepool", str(96 << 30), "storage_servers"], ["maxblocksize", "16384K", ""]])
    assert site.run("04-settings.sh").code == 0
    assert not [c for c in site.asked("mmchconfig") if "storage_servers" in c and c[1].startswith("pagepool")]
    assert ["mmchconfig", "maxblocksize=16M"] not in site.asked()


@pytest.mark.long
def test_an_adapter_under_another_name_is_found(site: Site) -> None:
    site.stand_before("04-settings.sh")
    site.change(ports=["mlx5_0"])
    assert "sm01n1 has no adapter mlx5_1" in site.run("04-settings.sh").errors
    assert site.asked("mmchconfig") == []


def test_a_gateway_names_its_own_adapters(site: Site) -> None:
    """Two of four lead to the file system; what somebody entered stays, and the script does not guess."""
    site.stand_before("04-settings.sh")
    site.change(config=[["verbsPorts", "mlx5_7/1 mlx5_8/1", "gw1"]])
    done = site.run("04-settings.sh")
    assert done.code == 0, done
    ports = {where: value for name, value, where in site.state["config"] if name == "verbsPorts"}
    assert (ports["gw1"], ports["gw2"]) == ("mlx5_7/1 mlx5_8/1", "mlx5_1/1 mlx5_2/1")
    assert "gateway_servers" not in ports
    again = site.run("04-settings.sh").said
    assert "Done already: verbsPorts=mlx5_7/1 mlx5_8/1 for gw1." in again
    assert "+ mmchconfig" not in again


@pytest.mark.parametrize("active", [1, 4])
def test_a_gateway_with_other_adapters_is_asked_of_somebody(site: Site, active: int) -> None:
    site.stand_before("04-settings.sh")
    site.change(adapters={f"mlx5_{n}": ("InfiniBand", n < active) for n in range(4)})
    done = site.run("04-settings.sh")
    assert done.code == 1
    assert "gw1 has these active ports of InfiniBand: mlx5_0/1" in done.errors
    assert 'mmchconfig verbsPorts="DEVICE/1 DEVICE/1" -N gw1' in done.errors


def test_what_moves_files_has_the_settings_of_what_serves_them() -> None:
    """RDMA and read-ahead of gateways and Ngenea: two links each, as the ceilings have them."""
    values = cluster.view(plan_of("full-pixstor.yaml"), catalog())
    found = {(s["name"], s["where"]): s["value"] for s in values["settings"]}
    for where in ("gateway_servers", "ngenea_servers"):
        assert found["maxMBpS", where] == "50000"
        assert int(found["workerThreads", where]) > 64
        assert found["pagepool", where] == "32G"
        assert ("verbsPorts", where) not in found
    assert values["found"] == [{"node": node, "links": 2} for node in ("gw1", "gw2", "ng1", "ng2")]
    assert found["tscCmdPortRange", "all"] == "60000-61000"


@pytest.mark.long
def test_a_device_that_holds_something_stops_the_nsds(site: Site) -> None:
    site.stand_before("06-nsds.sh")
    site.change(holds={"sm01n2": ["/dev/mapper/sm01a1_data03"]})
    for words in (["--check"], []):
        done = site.run("06-nsds.sh", *words)
        assert done.code == 1
        assert "a device of sm01n2 holds something." in done.errors
        assert "sm01a1_data03 0x1fe dos" in done.errors
    assert site.asked("mmcrnsd") == []


@pytest.mark.long
def test_a_server_without_its_devices_stops_the_nsds(site: Site) -> None:
    site.stand_before("06-nsds.sh")
    site.change(silent=["sm01n1"])
    assert "sm01n1 does not have every device" in site.run("06-nsds.sh").errors
    assert site.asked("mmcrnsd") == []


@pytest.mark.long
def test_after_half_of_the_nsds_the_others_are_made(site: Site) -> None:
    site.stand_before("06-nsds.sh")
    site.change(half=True)
    assert site.run("06-nsds.sh").code == 1
    half = list(site.state["nsds"])
    assert 0 < len(half) < len(PLAN.targets)
    done = site.run("06-nsds.sh")
    assert done.code == 0, done
    assert list(site.state["nsds"]) == [t.id for t in PLAN.targets]
    looked = [call for call in site.asked("ssh") if "wipefs" in call][-1]
    assert not any(name in word for name in half for word in looked)


@pytest.mark.long
def test_stanzas_of_another_request_are_refused(site: Site) -> None:
    site.stand_before("06-nsds.sh")
    path = site.folder / "out/stanzas/nsd.stanza"
    path.write_text(path.read_text().replace("nsd=sm01a1_data02", "nsd=sm02a1_data02"))
    for name in ("06-nsds.sh", "07-filesystem.sh"):
        assert "does not have the NSDs of this script" in site.run(name).errors
    shutil.rmtree(path.parent)
    assert "nsd.stanza is missing" in site.run("06-nsds.sh").errors


@pytest.mark.long
@pytest.mark.parametrize(
    ("nsds", "said"),
    [({"sm01a1_data01": "old"}, "belongs to the file system old"), ({}, "GPFS has no NSD")],
)
def test_nsds_of_another_file_system_are_left_alone(site: Site, nsds: dict[str, str], said: str) -> None:
    site.stand_before("07-filesystem.sh")
    site.change(nsds=site.state["nsds"] | nsds if nsds else {"other": ""})
    assert said in site.run("07-filesystem.sh").errors
    assert site.asked("mmcrfs") == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--inodes", "1000"], "--nodes is needed"),
        (["--nodes", "x"], "--nodes takes a number"),
        (["--nodes", "64", "--inodes", "999999999999"], "more than the metadata NSDs hold"),
    ],
)
def test_numbers_that_mmcrfs_cannot_have(site: Site, words: list[str], said: str) -> None:
    site.stand_before("07-filesystem.sh")
    done = site.run("07-filesystem.sh", *words)
    assert done.code > 0
    assert said in done.errors
    assert site.asked("mmcrfs") == []


@pytest.mark.long
def test_a_file_system_that_is_made_otherwise_is_found(site: Site) -> None:
    site.stand_before("07-filesystem.sh")
    site.change(made={"blockAllocationType": "cluster"})
    assert "labfs has not blockAllocationType=scatter" in site.run("07-filesystem.sh").errors
    assert "labfs has not blockAllocationType=scatter" in site.run("07-filesystem.sh").errors


@pytest.mark.long
def test_a_node_that_does_not_mount_is_named(site: Site) -> None:
    site.stand_before("08-mount.sh")
    site.change(never=["gw1"])
    assert "labfs is not mounted on: gw1" in site.run("08-mount.sh").errors


def test_the_server_of_a_descriptor_outside_the_plan_is_a_node() -> None:
    words = REQUEST | {"filesystem": REQUEST["filesystem"] | {"descriptor": {"server": "q1", "device": "/dev/vg/desc"}}}
    (listed, *_) = files(make(words).plan, catalog())
    assert "q1:nonquorum-client:q1\n" in listed.text
    cluster_is_the_plan(
        {f.path.removeprefix("cluster/"): f.text for f in files(make(words).plan, catalog())}, make(words).plan
    )


@pytest.mark.parametrize("bad", ["a b", "a;b", "$(id)", "-p", "", "a\nb"])
def test_hostile_words_never_reach_a_script(bad: str) -> None:
    settings = scale(PLAN)
    for word in settings.cluster._fields:
        other = settings._replace(cluster=settings.cluster._replace(**{word: bad}))
        with pytest.raises(ValueError, match="may not stand"):
            files(replace(PLAN, filesystem=other), catalog())


def test_settings_of_infiniband_are_for_infiniband_alone() -> None:
    text = next(f.text for f in files(ETHERNET, catalog()) if f.path == "cluster/04-settings.sh")
    assert "maxblocksize all 16M" in text
    assert "verbs" not in text
    assert {s.role for s in ETHERNET.switches} == {"ethernet", "management"}


@pytest.mark.parametrize(
    ("words", "rate", "verbs"),
    [
        ({}, "50000", True),
        ({"link": "hdr100"}, "25000", True),
        ({"fabric": "ethernet-200"}, "50000", False),
        ({"fabric": "ethernet-200", "link": "100gbe"}, "25000", False),
        ({"fabric": "ethernet-100"}, "25000", False),
    ],
    ids=["hdr", "hdr100", "200gbe", "200gbe at 100", "100gbe"],
)
@pytest.mark.parametrize("switches", ["included", "customer"])
def test_settings_follow_the_network_whoever_has_the_switches(
    words: dict[str, str], rate: str, verbs: bool, switches: str
) -> None:
    """Two ports of 25 or of 12.5 GB/s, in MB/s; RDMA over InfiniBand alone."""
    network = REQUEST["network"] | words | {"switches": switches}
    plan = make(REQUEST | {"network": network}).plan
    text = next(f.text for f in files(plan, catalog()) if f.path == "cluster/04-settings.sh")
    assert f"maxMBpS storage_servers {rate}" in text
    assert ("verbsPorts storage_servers mlx5_0/1 mlx5_1/1" in text, "verbsRdma all enable" in text) == (verbs, verbs)


def test_mmcrfs_is_the_line_of_the_stanza_file() -> None:
    (file,) = stanzas.files(PLAN, catalog())
    (line,) = re.findall(r"^#   mmcrfs \S+ -F \S+ -T \S+ (.*)$", file.text, re.M)
    text = next(f.text for f in files(PLAN, catalog()) if f.path == "cluster/07-filesystem.sh")
    ((_device, _f, _stanzas, _t, _mount, *rest),) = calls(text, "run", "mmcrfs")
    assert " ".join(rest[:-4]) == line


def test_the_largest_block_of_a_file_system_is_allowed() -> None:
    largest = catalog().get(Limit, "scale.block_max").value
    assert read_size(catalog().get(ScaleSetting, "scale.setting.maxblocksize").value) >= largest


@pytest.mark.long
def test_every_script_is_refused_words_that_it_does_not_know(site: Site) -> None:
    for name in NAMES:
        done = site.run(name, "--force")
        assert (done.code, "usage: " + name in done.errors) == (2, True)
        assert site.run(name, "--help").said.startswith(f"usage: {name} [--check | --dry-run]")
    assert site.state["calls"] == []
