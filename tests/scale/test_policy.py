"""The policy: its rules are read by a reader of the grammar, and the script that installs them is run."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.products.scale.render import policy
from pixsize.render import STEPS
from pixsize.render.steps import MOUNTED, PLACED
from tests.lustre.render_lustre import clean_script
from tests.readers.policy import Migration, Placement, PolicyError, read
from tests.scale import gpfs_recorder
from tests.scale.gpfs_recorder import empty
from tests.support.changing import replace
from tests.support.programs import stand_in, tool
from tests.support.running import catalog, make, refused

PLAN = make(
    {
        "name": "lab",
        "design": "pixstor-6",
        "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
        "filesystem": {"name": "labfs"},
    }
).plan
TIERED_PLAN = make(
    {
        "name": "lab",
        "design": "pixstor-6",
        "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
        "filesystem": {"name": "labfs"},
        "nvme": {"policy": {"limit": 70, "high": 65, "low": 50}},
    }
).plan
POOLS = frozenset({"data", "nvme"})
DEFAULT = "RULE 'default' SET POOL 'data'"
FRESH = "/* DEFAULT */\n/* Store data in the first data pool or system pool */\n"
"""What mmlspolicy -L prints of a file system that nobody gave a policy; from memory of real systems."""
NONE = "No policy file was installed for file system 'labfs'.\n"
PROGRAMS = ("id", "hostname", "mmlscluster", "mmlspolicy", "mmchpolicy", "mmlscallback", "mmaddcallback")


class Site:
    """The rendered files, and a file system whose policy is kept in a file."""

    def __init__(self, folder: Path, found: str, given: Plan = PLAN) -> None:
        self.folder, self.state = folder, folder / "state.json"
        self.state.write_text(json.dumps(empty(host="mgmt1", policy=found, callbacks={})))
        for file in policy.files(given, catalog()):
            path = folder / file.path
            path.parent.mkdir(exist_ok=True)
            path.write_text(file.text)
        (folder / "bin").mkdir()
        for program in PROGRAMS:
            path = folder / "bin" / program
            path.write_text(stand_in(gpfs_recorder.__file__))
            path.chmod(0o755)
        self.rules = folder / "policy/labfs.policy"

    def run(self, *words: str, script: str = "01-policy.sh") -> subprocess.CompletedProcess[str]:
        command = [tool("bash"), str(self.folder / "policy" / script), *words]
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "STATE": str(self.state)}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)

    @property
    def changes(self) -> list[list[str]]:
        calls: list[list[str]] = json.loads(self.state.read_text())["calls"]
        return [call for call in calls if call[0] in ("mmchpolicy", "mmaddcallback")]

    def fails(self, program: str) -> None:
        state = json.loads(self.state.read_text())
        self.state.write_text(json.dumps(state | {"fails": program}))


def test_the_rules_place_every_file_in_the_data_pool() -> None:
    rules, _ = policy.files(PLAN, catalog())
    assert read(rules.text, frozenset({"data"})) == (Placement("default", "data"),)


@pytest.mark.real
def test_the_script_is_clean(tmp_path: Path) -> None:
    _, script = policy.files(PLAN, catalog())
    clean_script(script.text, tmp_path)


@pytest.mark.parametrize("found", [FRESH, NONE])
def test_a_file_system_without_a_policy_gets_it_once(found: str, tmp_path: Path) -> None:
    site = Site(tmp_path, found)
    first = site.run()
    assert first.returncode == 0, first.stderr
    assert site.changes == [
        ["mmchpolicy", "labfs", str(site.rules), "-I", "test"],
        ["mmchpolicy", "labfs", str(site.rules)],
    ]
    again = site.run()
    assert (again.returncode, len(site.changes)) == (0, 2)
    assert "Done already: labfs has this policy." in again.stdout


@pytest.mark.parametrize("option", ["--check", "--dry-run"])
def test_a_look_changes_nothing(option: str, tmp_path: Path) -> None:
    site = Site(tmp_path, NONE)
    assert site.run(option).returncode == 0
    assert site.changes == []


def test_a_rule_that_the_file_lacks_is_kept(tmp_path: Path) -> None:
    """Rules of a program that moves files were there first: they are taken over by hand, and then nothing is lost."""
    recall = "RULE 'recall' EXTERNAL POOL 'cold' EXEC '/opt/recall'"
    site = Site(tmp_path, f"/* theirs */\n{recall}\nRULE 'all' SET POOL 'data'\n")
    stopped = site.run()
    assert (stopped.returncode, site.changes) == (1, [])
    assert f"STOP: labfs has a rule that {site.rules} has not: {recall}" in stopped.stderr
    site.rules.write_text(f"{recall}\nRULE 'all' SET POOL 'data'\n{DEFAULT}\n")
    assert site.run().returncode == 0
    assert len(site.changes) == 2


@pytest.mark.parametrize(
    "text", ["", "RULE 'hot' SET POOL 'data' LIMIT (80)\n", f"{DEFAULT}\nRULE 'x' SET POOL 'nvme'\n"]
)
def test_a_file_without_the_default_rule_last_is_refused(text: str, tmp_path: Path) -> None:
    site = Site(tmp_path, NONE)
    site.rules.write_text(text)
    stopped = site.run()
    assert (stopped.returncode, site.changes) == (1, [])
    assert f"is not {DEFAULT}" in stopped.stderr


def test_a_policy_that_gpfs_refuses_is_not_installed(tmp_path: Path) -> None:
    site = Site(tmp_path, NONE)
    site.fails("mmchpolicy")
    stopped = site.run()
    assert (stopped.returncode, len(site.changes)) == (1, 1)
    assert site.run().returncode == 0


def test_a_missing_file_and_a_reply_that_nobody_knows_stop_it(tmp_path: Path) -> None:
    site = Site(tmp_path, NONE)
    site.fails("mmlspolicy")
    assert "mmlspolicy failed with exit code 1" in site.run().stderr
    site.rules.unlink()
    assert "is missing" in site.run().stderr
    assert site.changes == []


@pytest.mark.parametrize("pool", ["da ta", "d';x", "", "-p", "a\nb"])
def test_hostile_names_of_pools_never_reach_a_file(pool: str) -> None:
    bad = replace(PLAN, filesystem=replace(PLAN.filesystem, data_pool=pool))
    with pytest.raises(ValueError, match="may not stand"):
        policy.files(bad, catalog())


@pytest.mark.parametrize(("given", "pool"), [("PLAN", "data"), ("TIERED_PLAN", "nvme")])
def test_the_first_file_lies_where_the_policy_puts_it(given: str, pool: str) -> None:
    """The pool that the first rule of the file names, in blocks of the file system, once policy and mount are there."""
    plan = {"PLAN": PLAN, "TIERED_PLAN": TIERED_PLAN}[given]
    _, first = STEPS["policy"](plan, catalog())
    rules, *_ = policy.files(plan, catalog())
    assert read(rules.text, POOLS)[0].pool == pool
    assert [look.shows for look in first.looks if "mmlsattr" in look.run] == [f"storage pool name: {pool}"]
    assert first.commands[0] == "dd if=/dev/zero of=/labfs/pixsize.first bs=8M count=1024 oflag=direct"
    assert first.commands[-1] == "rm /labfs/pixsize.first"
    assert set(first.needs) == {PLACED, MOUNTED}


# --- a tier ---------------------------------------------------------------------------------------------------------

CALLBACK = "02-callback.sh"


def test_a_tier_is_filled_up_to_its_limit_and_drained() -> None:
    rules, *_ = policy.files(TIERED_PLAN, catalog())
    to, drain, default = read(rules.text, POOLS)
    assert (to, default) == (Placement("to_nvme", "nvme", 70), Placement("default", "data"))
    assert isinstance(drain, Migration)
    assert drain[1:6] == ("nvme", "data", 65, 50, "CURRENT_TIMESTAMP - ACCESS_TIME")
    assert re.findall(r"/labfs/(\S+)/%", drain.where) == [
        ".snapshots", ".SpaceMan", ".mmSharedTmpDir", ".ctdb", ".policytmp",
    ]  # fmt: skip


@pytest.mark.real
def test_the_scripts_of_a_tier_are_clean(tmp_path: Path) -> None:
    for file in policy.files(TIERED_PLAN, catalog())[1:]:
        clean_script(file.text, tmp_path)


def test_a_tier_has_its_policy_and_callback_once(tmp_path: Path) -> None:
    site = Site(tmp_path, FRESH, TIERED_PLAN)
    for script in ("01-policy.sh", CALLBACK):
        assert site.run("--check", script=script).returncode == 0
        assert site.run(script=script).returncode == 0
    made = site.changes
    assert made[-1] == [
        "mmaddcallback", "lowSpacePolicy", "--command", "/usr/lpp/mmfs/bin/mmstartpolicy",
        "--event", "lowDiskSpace,noDiskSpace", "--parms", "%eventName %fsName",
    ]  # fmt: skip
    for script in ("01-policy.sh", CALLBACK):
        assert "Done already" in site.run(script=script).stdout
    assert site.changes == made


def test_another_callback_of_the_name_is_left_alone(tmp_path: Path) -> None:
    site = Site(tmp_path, FRESH, TIERED_PLAN)
    other = {"lowSpacePolicy": {"command": "/root/mine", "event": "lowDiskSpace", "parms": "%fsName"}}
    site.state.write_text(json.dumps(json.loads(site.state.read_text()) | {"callbacks": other}))
    stopped = site.run(script=CALLBACK)
    assert (stopped.returncode, site.changes) == (1, [])
    assert "STOP: there is a callback lowSpacePolicy that does something else." in stopped.stderr


@pytest.mark.parametrize(
    "shares", [{"limit": 60}, {"high": 90}, {"low": 80}, {"high": 50, "low": 50}, {"limit": 100}, {"low": -1}]
)
def test_shares_in_no_order_are_refused(shares: dict[str, int]) -> None:
    refused(
        {
            "name": "lab",
            "design": "pixstor-6",
            "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
            "filesystem": {"name": "labfs"},
            "nvme": {"policy": shares},
        }
    )


# --- the reader ----------------------------------------------------------------------------------------------------

TIERED = (
    "RULE 'hot' SET POOL 'nvme' LIMIT (85)\n"
    "RULE 'drain' MIGRATE FROM POOL 'nvme' THRESHOLD (80,60) WEIGHT (CURRENT_TIMESTAMP - ACCESS_TIME) TO POOL 'data'\n"
    "    WHERE NOT (PATH_NAME LIKE '/labfs/.snapshots/%')\n" + DEFAULT
)


def test_the_reader_reads_placement_and_migration() -> None:
    hot, drain, default = read(TIERED, POOLS)
    assert hot == Placement("hot", "nvme", 85)
    assert isinstance(drain, Migration)
    assert (drain.source, drain.pool, drain.high, drain.low) == ("nvme", "data", 80, 60)
    assert drain.weight == "CURRENT_TIMESTAMP - ACCESS_TIME"
    assert default == Placement("default", "data")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"\n{DEFAULT}", ""),
        (DEFAULT, f"{DEFAULT} LIMIT (90)"),
        (" LIMIT (85)", ""),
        (
            "'hot' SET POOL 'nvme' LIMIT (85)\nRULE",
            "'first' SET POOL 'data'\nRULE 'hot' SET POOL 'nvme' LIMIT (85)\nRULE",
        ),
        ("SET POOL 'data'", "SET POOL 'date'"),
        ("(80,60)", "(60,80)"),
        ("(80,60)", "(80,60,50,1)"),
        ("TO POOL 'data'", "TO POOL 'nvme'"),
        ("(85)", "(850)"),
        ("RULE 'hot'", "RULE hot"),
        ("RULE 'hot'", "/* RULE 'hot'"),
        ("SET POOL 'nvme'", "SET POOL 'nvme"),
        ("WEIGHT (CURRENT_TIMESTAMP - ACCESS_TIME)", ""),
        ("RULE 'hot'", "RUEL 'hot'"),
    ],
)
def test_the_reader_refuses_what_cannot_place_every_file(old: str, new: str) -> None:
    assert old in TIERED
    with pytest.raises(PolicyError):
        read(TIERED.replace(old, new, 1), POOLS)
