"""The files for NVMesh: the body of the request by a schema, and the scripts with programs that answer."""

from __future__ import annotations

import configparser
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pixsize.render import RENDERERS, STEPS
from pixsize.render.steps import ATTACHED, DEVICES
from tests.ngenea.words import planned
from tests.nvmesh.words import ARBITER, good, request
from tests.readers.nvmesh import read_volumes
from tests.support.programs import tool
from tests.support.running import catalog

FILES = {f.path: f.text for f in RENDERERS["nvmesh"].files(good().plan, catalog())}
BODY = "nvmesh/nvp1/volumes.json"


def test_a_pair_has_a_body_two_scripts_and_a_unit() -> None:
    assert set(FILES) == {
        BODY,
        *(f"nvmesh/nvp1/{name}" for name in ("create.sh", "attach.sh", "nvmesh-volumes.service")),
    }
    two = RENDERERS["nvmesh"].files(planned(request(pairs=2)).plan, catalog())
    assert [f.path.split("/")[1] for f in two] == ["nvp1"] * 4 + ["nvp2"] * 4


def test_the_body_is_what_the_interface_takes() -> None:
    volumes = read_volumes(FILES[BODY])
    assert len(volumes) == 8
    assert volumes[0] == {
        "name": "nvp1_data01",
        "capacity": 1_904_740 * 2**20,
        "RAIDLevel": "Striped & Mirrored RAID-10",
        "stripeSize": 32,
        "stripeWidth": 10,
        "numberOfMirrors": 1,
        "protectionLevel": "Full Separation",
        "limitByNodes": ["nvme1", "nvme2"],
    }


MISTAKES: tuple[dict[str, Any], ...] = (
    {"name": "x" * 23},
    {"name": "e_data"},
    {"name": "d_data"},
    {"name": "a.b"},
    {"capacity": "MAX"},
    {"capacity": 1.5},
    {"RAIDLevel": "RAID-10"},
    {"stripeSize": 16},
    {"stripeWidth": 1},
    {"numberOfMirrors": 3},
    {"limitByNodes": ["nvme1", "nvme1"]},
    {"protectionLevel": "None"},
    {"size": 5},
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_a_planted_mistake_is_refused(mistake: dict[str, Any]) -> None:
    body = json.loads(FILES[BODY])
    body[3] |= mistake
    with pytest.raises(ValueError, match=r"."):
        read_volumes(json.dumps(body))


def test_a_name_twice_and_an_empty_body_are_refused() -> None:
    body = json.loads(FILES[BODY])
    for wrong in ([], [body[0], body[0]], body[0]):
        with pytest.raises(ValueError, match=r"."):
            read_volumes(json.dumps(wrong))


def laid_out(folder: Path, **programs: str) -> Path:
    """The files in a folder, with /dev/nvmesh inside it, beside programs that answer as told."""
    for path, text in FILES.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace("/dev/nvmesh", f"{folder}/dev").replace("[ -b ", "[ -e ").replace("sleep 5", ":"))
    (folder / "bin").mkdir()
    (folder / "dev").mkdir()
    for name, answer in programs.items():
        program = folder / "bin" / name
        program.write_text(f"#!/bin/bash\n{answer}\n")
        program.chmod(0o755)
    return folder


def run(folder: Path, script: str, *words: str) -> tuple[int, str]:
    command = [tool("bash"), str(folder / "nvmesh/nvp1" / script), *words]
    path = {"PATH": f"{folder}/bin:/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=path)
    return done.returncode, done.stdout + done.stderr


SIZE = "echo $((1904740 * 1048576))"


def test_attach_attaches_what_is_missing_and_looks_again(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, nvmesh_attach_volumes=f'touch "{tmp_path}/dev/$1"', blockdev=SIZE)
    (folder / "dev/nvp1_data01").touch()
    status, said = run(folder, "attach.sh")
    assert (status, said.count("attached now")) == (0, 7), said
    assert run(folder, "attach.sh", "--check") == (0, "".join(f"nvp1_data{n:02d}: attached\n" for n in range(1, 9)))


@pytest.mark.parametrize(
    ("programs", "words", "why"),
    [
        ({"nvmesh_attach_volumes": "touch wrong", "blockdev": SIZE}, ("--check",), "nvp1_data01 is not attached"),
        ({"nvmesh_attach_volumes": ":", "blockdev": SIZE}, (), "does not appear"),
        ({"nvmesh_attach_volumes": "exit 3", "blockdev": SIZE}, (), ""),
        ({}, ("--force",), "unknown word"),
    ],
    ids=["check", "no device", "refused", "unknown word"],
)
def test_attach_stops(tmp_path: Path, programs: dict[str, str], words: tuple[str, ...], why: str) -> None:
    status, said = run(laid_out(tmp_path, **programs), "attach.sh", *words)
    assert status != 0
    assert why in said


def test_a_start_of_the_server_waits_for_nvmesh(tmp_path: Path) -> None:
    """NVMesh refuses until it has started; then some volumes are there by themselves, and the others are attached."""
    answer = f'echo >>"{tmp_path}/asked"; [ "$(wc -l <"{tmp_path}/asked")" -gt 9 ] && touch "{tmp_path}/dev/$1"'
    folder = laid_out(tmp_path, nvmesh_attach_volumes=answer, blockdev=SIZE)
    (folder / "dev/nvp1_data08").touch()
    status, said = run(folder, "attach.sh", "--wait")
    assert (status, said.count("attached now")) == (0, 7), said
    assert len((folder / "asked").read_text()) == 9 + 7


def test_a_start_of_the_server_does_not_wait_for_ever(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, nvmesh_attach_volumes=f'echo >>"{tmp_path}/asked"; exit 1', blockdev=SIZE)
    status, said = run(folder, "attach.sh", "--wait")
    assert status == 1
    assert "/nvp1_data01 does not appear" in said
    assert len((folder / "asked").read_text()) == 1 + 60


def test_the_unit_is_before_gpfs_and_runs_the_script_that_the_step_installs() -> None:
    unit = configparser.RawConfigParser(strict=True, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(FILES["nvmesh/nvp1/nvmesh-volumes.service"])
    assert unit["Unit"]["Before"] == unit["Install"]["WantedBy"] == "gpfs.service"
    assert "nvmeshclient.service" in unit["Unit"]["After"].split()
    assert int(unit["Service"]["TimeoutStartSec"]) > 60 * 5
    script, word = unit["Service"]["ExecStart"].split()
    (step,) = (s for s in STEPS["nvmesh"](good().plan, catalog()) if "before GPFS" in s.title)
    assert f"install -m 0755 attach.sh {script}" in step.commands
    assert word == "--wait"
    assert [box.where for box in step.boxes] == ["nvme1", "nvme2"]


def test_attach_stops_at_another_size(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, nvmesh_attach_volumes=f'touch "{tmp_path}/dev/$1"', blockdev="echo 4096")
    status, said = run(folder, "attach.sh")
    assert status == 1
    assert "has 4096 bytes, where the plan has" in said


class Management:
    """NVMesh's management as curl sees it: it lists the volumes of a file, and takes those of a body, or refuses some."""

    def __init__(self, folder: Path, *, lists: str = "cat", takes: int = 8, answers: str = "") -> None:
        self.folder, self.there = folder, folder / "there"
        self.there.touch()
        listing = {"cat": f'printf "["; sed "s/.*/{{\\"_id\\": \\"&\\"}},/" "{self.there}"; printf "]"'}.get(
            lists, lists
        )
        saved = f'sed -n \'s/.*"name": "\\(.*\\)".*/\\1/p\' "${{body#@}}" | head -n {takes} >>"{self.there}"'
        answer = answers or '[{"success":true}]'
        program = f"""for word; do case $word in @*) body=$word ;; esac; last=$word; done
echo "$last" >>"{folder}/asked"
case $last in */volumes/all) {listing} ;; */volumes/save) {saved}; printf '%s' '{answer}' ;; *) exit 22 ;; esac"""
        laid_out(folder, curl=program)
        (folder / "login").touch()

    def create(self, *words: str) -> tuple[int, str]:
        given = ("--management", "https://nvmesh.example.org:4000", "--config", str(self.folder / "login"))
        return run(self.folder, "create.sh", *given, *words)

    def sent(self) -> int:
        """How many bodies it was sent."""
        return (self.folder / "asked").read_text().count("/volumes/save")


def test_create_asks_sends_the_body_and_asks_again(tmp_path: Path) -> None:
    site = Management(tmp_path)
    assert run(tmp_path, "create.sh", "--dry-run") == (0, (tmp_path / BODY).read_text())
    assert not (tmp_path / "asked").exists()
    status, said = site.create()
    assert (status, site.sent()) == (0, 1), said
    assert [line.rpartition("/")[2] for line in (tmp_path / "asked").read_text().split()] == ["all", "save", "all"]
    assert "NVMesh lists all 8 volumes" in said


def test_create_again_before_attach_sends_nothing(tmp_path: Path) -> None:
    """No device is there yet: the management alone knows that the volumes are."""
    site = Management(tmp_path)
    assert site.create()[0] == 0
    status, said = site.create()
    assert (status, site.sent()) == (0, 1), said
    assert "Done already" in said


def test_create_leaves_what_is_there_alone(tmp_path: Path) -> None:
    site = Management(tmp_path)
    site.there.write_text("nvp1_data05\n")
    status, said = site.create("--looked")
    assert (status, site.sent()) == (1, 0)
    assert "some of them already: nvp1_data05" in said
    site.there.write_text("")
    (tmp_path / "dev/nvp1_data05").touch()
    assert "nvp1_data05 is there already" in site.create()[1]
    assert site.sent() == 0


@pytest.mark.parametrize("lists", ["exit 22", "printf '<html>'", ":"])
def test_create_where_the_list_is_none_wants_somebody_who_looked(tmp_path: Path, lists: str) -> None:
    site = Management(tmp_path, lists=lists)
    status, said = site.create()
    assert (status, site.sent()) == (1, 0)
    assert "start again with --looked" in said
    status, said = site.create("--looked")
    assert (status, site.sent()) == (0, 1)
    assert "every volume must have succeeded" in said


@pytest.mark.parametrize(
    ("takes", "answers", "why"),
    [
        (7, '[{"success":true},{"_id":"nvp1_data08","success": false,"error":"no room"}]', "refused some volumes"),
        (7, "[]", "NVMesh lists 7 of 8 volumes"),
    ],
)
def test_create_sees_a_refusal_inside_a_reply(tmp_path: Path, takes: int, answers: str, why: str) -> None:
    status, said = Management(tmp_path, takes=takes, answers=answers).create()
    assert status == 1
    assert why in said


def test_create_says_what_lacks(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, curl="exit 22")
    (folder / "login").touch()
    assert "--management URL is needed" in run(folder, "create.sh")[1]
    assert "--config FILE is needed" in run(folder, "create.sh", "--management", "https://x")[1]
    words = ("--management", "https://x", "--config", str(folder / "login"), "--looked")
    status, said = run(folder, "create.sh", *words)
    assert status == 1
    assert "refused the request" in said


def test_volumes_are_attached_before_gpfs_looks_for_them() -> None:
    """NVMesh, volumes, devices on both servers, nsddevices, NSDs, file system, and the policy that says what lies there."""
    steps = [
        step for name in ("cluster", "nvmesh", "multipath", "policy") for step in STEPS[name](good().plan, catalog())
    ]
    provided = {word: step.title for step in steps for word in step.provides}
    shown = next(step for step in steps if DEVICES in step.provides)
    made = next(step for step in steps if step.title.startswith("Make the 76 NSDs"))
    placed = next(step for step in steps if step.title == "Give mmfs1 its policy")
    assert ATTACHED in shown.after
    assert provided[ATTACHED] == "Attach the volumes of nvp1 at each start, before GPFS"
    assert DEVICES in made.needs
    assert provided[placed.needs[0]] == "Make the file system mmfs1"
    assert "the default rule last" in placed.looks[0].shows


def test_nsddevices_of_the_pair_shows_a_descriptor_on_it_too() -> None:
    """One file a server: what it does not name GPFS does not see."""
    words = request(arbiter=ARBITER)
    words["filesystem"]["descriptor"] = {"server": "nvme1", "device": "/dev/disk/by-id/scsi-desc"}
    files = {f.path: f.text for f in RENDERERS["multipath"].files(planned(words).plan, catalog())}
    assert [path for path in files if path.endswith("nsddevices")] == [
        "multipath/sm01/nsddevices",
        "multipath/hm01/nsddevices",
        "multipath/nvp1/nsddevices",
    ]
    text = files["multipath/nvp1/nsddevices"]
    assert text.count("    nvmesh/nvp1_data0") == 8
    assert "    disk/by-id/scsi-desc\n" in text
    assert "mapper/" not in text
