"""What the scripts must never do: remove what is not theirs, measure a busy or slow system, or take a torn output for one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench import kits

TWO = {"clients": {"hosts": ["c1", "c2"], "cores": 4, "memory": "64 GiB"}, "threads": [1, 2]}
OWN = "root/mmfs1/pixsize-bench-scratch"


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    return kits.rendered(tmp_path, "large+hdmd", TWO)


def script(where: Path, part: str) -> str:
    return kits.named(where / "files" / "bench", part)


def test_a_folder_of_somebody_else_is_neither_used_nor_removed(tmp_path: Path, bench: Path) -> None:
    own = tmp_path / "campaign" / OWN
    (own / "n_n").mkdir(parents=True)
    (own / "n_n" / "precious").write_text("data")
    for part in ("empty", "remove", "smoke", "check"):
        done = kits.simulated(tmp_path, script(tmp_path, part))
        assert done.returncode == 1
        assert "no file .pixsize-bench" in done.stderr
    assert (own / "n_n" / "precious").read_text() == "data"
    assert bench.is_dir()


@pytest.mark.parametrize("what", ["own", "test", "marker"])
@pytest.mark.usefixtures("bench")
def test_links_lead_nowhere(what: str, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("data")
    (precious / ".pixsize-bench").write_text("pixsize bench scratch\n")
    own = tmp_path / "campaign" / OWN
    if what == "own":
        own.parent.mkdir(parents=True)
        own.symlink_to(precious)
    else:
        own.mkdir(parents=True)
        if what == "marker":
            (own / ".pixsize-bench").symlink_to(precious / ".pixsize-bench")
        else:
            (own / ".pixsize-bench").write_text("pixsize bench scratch\n")
            for test in ("n_n", "n_1", "random", "empty", "4k", "smoke"):
                (own / test).symlink_to(precious)
    for part in ("empty", "remove"):
        done = kits.simulated(tmp_path, script(tmp_path, part))
        assert done.returncode == 1
        assert "STOP" in done.stderr
    assert sorted(p.name for p in precious.iterdir()) == [".pixsize-bench", "file"]


@pytest.mark.usefixtures("bench")
def test_what_others_put_into_the_folder_stays(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    own = tmp_path / "campaign" / OWN
    (own / "notes").write_text("data")
    done = kits.simulated(tmp_path, script(tmp_path, "remove"))
    assert done.returncode == 1
    assert "holds something that these scripts did not write" in done.stderr
    assert (own / "notes").read_text() == "data"
    (own / "notes").unlink()
    assert kits.simulated(tmp_path, script(tmp_path, "remove")).returncode == 0
    assert not own.exists()
    assert own.parent.is_dir()


@pytest.mark.usefixtures("bench")
def test_what_an_interrupted_check_left_is_removed(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    own = tmp_path / "campaign" / OWN
    (own / "check").mkdir()
    (own / "check" / "file.00000000").touch()
    done = kits.simulated(tmp_path, script(tmp_path, "remove"))
    assert done.returncode == 0, done.stderr
    assert not own.exists()


@pytest.mark.usefixtures("bench")
def test_data_that_were_removed_in_part_never_count_as_written(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    campaign = tmp_path / "campaign"
    written = campaign / "bench" / "state" / "n_n.data"
    written.write_text("a point\n")
    words = [
        "bash",
        "-c",
        'usage() { :; }; . "$1"; rm() { [ "$1" != -rf ] || exit 130; command rm "$@"; }; data_remove n_n',
    ]
    lib = str(campaign / "bench" / "lib.sh")
    assert subprocess.run([*words, "bash", lib], capture_output=True, check=False).returncode == 130
    assert not written.exists()


@pytest.mark.usefixtures("bench")
def test_the_load_of_the_run_before_is_waited_for(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    campaign = tmp_path / "campaign"
    words = 'usage() { :; }; . "$1"; on() { cat "$STATE/load"; echo 40; };'
    lib = str(campaign / "bench" / "lib.sh")

    def waited(load: str, then: str) -> subprocess.CompletedProcess[str]:
        (campaign / "bench" / "state" / "load").write_text(f"{load}\n")
        body = f"{words} sleep() {{ echo slept $1; {then}; }}; need_idle"
        return subprocess.run(["bash", "-c", body, "bash", lib], capture_output=True, text=True, check=False)

    faded = waited("30.5", 'echo 0.5 >"$STATE/load"')
    assert (faded.returncode, faded.stdout.count("slept 60")) == (0, 1), faded.stderr
    stays = waited("30.5", ":")
    assert (stays.returncode, stays.stdout.count("slept 60")) == (1, 10)
    assert "is not idle" in stays.stderr


@pytest.mark.usefixtures("bench")
def test_names_of_tests_are_no_paths(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    lib = tmp_path / "campaign" / "bench" / "lib.sh"
    victim = tmp_path / "campaign" / "root" / "mmfs1" / "victim"
    victim.mkdir()
    for name in ("", "../victim", ".", "..", "a/b", "-rf", "x\ny"):
        words = ["bash", "-c", 'usage() { :; }; . "$1"; data_remove "$2"', "bash", str(lib), name]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, "is no name of a test" in done.stderr) == (1, True), name
    assert victim.is_dir()
    assert (tmp_path / "campaign" / OWN / ".pixsize-bench").is_file()


@pytest.mark.usefixtures("bench")
def test_a_wrong_file_system_is_not_measured(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    environment = os.environ | {
        "PATH": f"{tmp_path / 'campaign' / 'bin'}:{os.environ['PATH']}",
        "SIMULATED": str(tmp_path / "campaign"),
        "SIMULATED_TYPE": "xfs",
    }
    words = ["bash", str(tmp_path / "campaign" / "bench" / script(tmp_path, "empty"))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not on a file system of type gpfs" in done.stderr


@pytest.mark.usefixtures("bench")
def test_scripts_on_the_measured_file_system_stop(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1").returncode == 0
    campaign = tmp_path / "campaign"
    (campaign / "bin" / "findmnt").write_text("#!/bin/sh\ncase $* in *FSTYPE*) echo gpfs ;; *) echo /mmfs1 ;; esac\n")
    environment = os.environ | {"PATH": f"{campaign / 'bin'}:{os.environ['PATH']}", "SIMULATED": str(campaign)}
    words = ["bash", str(campaign / "bench" / script(tmp_path, "empty"))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "lie on the file system that they measure" in done.stderr


@pytest.mark.usefixtures("bench")
def test_a_busy_or_silent_client_stops_a_run(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign"
    campaign.mkdir()
    (campaign / "busy.c2").write_text("4711 ior\n")
    done = kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1")
    assert done.returncode == 1
    assert "c2 runs ior" in done.stderr
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 1 --busy").returncode == 0
    (campaign / "busy.c2").unlink()
    (campaign / "silent").write_text("c1")
    done = kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 2")
    assert done.returncode == 1
    assert "c1 does not answer" in done.stderr


@pytest.mark.usefixtures("bench")
def test_the_smoke_run_names_what_is_slow(tmp_path: Path) -> None:
    done = kits.simulated(tmp_path, script(tmp_path, "check"), script(tmp_path, "smoke"))
    assert done.returncode == 0, done.stderr
    targets = [c for h, c in kits.remote(tmp_path) if c.startswith("dd if=/dev/mapper/")]
    assert len(targets) == len(set(targets)) == 44
    assert not any("of=/dev/" in c and "of=/dev/null" not in c for _, c in kits.remote(tmp_path))
    (tmp_path / "campaign" / "slow.c2").touch()
    done = kits.simulated(tmp_path, script(tmp_path, "smoke"))
    assert done.returncode == 1
    assert "SLOW: client-writes c2" in done.stdout
    assert "SLOW: client-writes c1" not in done.stdout


@pytest.mark.usefixtures("bench")
def test_settings_come_back_as_they_were(tmp_path: Path) -> None:
    sets = script(tmp_path, "set-sequential"), script(tmp_path, "set-random"), script(tmp_path, "undo")
    done = kits.simulated(tmp_path, *sets)
    assert done.returncode == 0, done.stderr
    pool = [c.partition(" ")[2].strip() for _, c in kits.remote(tmp_path) if "mmchconfig" in c]
    assert pool == [
        "pagepool=32768M -i -N c1\\,c2",
        "pagepool=98304M -i -N sm01n1\\,sm01n2\\,hm01n1\\,hm01n2",
        "pagepool=16384M -i -N c1\\,c2",
        "pagepool=32768M -i -N sm01n1\\,sm01n2\\,hm01n1\\,hm01n2",
        "pagepool=DEFAULT -i -N c1\\,c2\\,sm01n1\\,sm01n2\\,hm01n1\\,hm01n2",
        "pagepool=96G -i -N sm01n1\\,sm01n2",
    ]
    again = kits.simulated(tmp_path, script(tmp_path, "undo"))
    assert "Done already" in again.stdout


def test_settings_of_lustre_come_back_as_they_were(tmp_path: Path) -> None:
    kits.rendered(tmp_path, "lustre-me4", TWO)
    done = kits.simulated(tmp_path, script(tmp_path, "set-tuned"), script(tmp_path, "undo"))
    assert done.returncode == 0, done.stderr
    made = [(h, c.replace("\\", "").split()[2]) for h, c in kits.remote(tmp_path) if "lctl set_param" in c]
    first = [w for h, w in made if h == "c1"]
    settings, back = first[: len(first) // 2], first[len(first) // 2 :]
    assert "osc.scratch-OST*-osc-[^M]*.checksums=0" in settings
    assert len(back) == len(settings)
    assert all(w.endswith("=8") and "*" not in w for w in back)


def test_settings_of_a_client_that_was_mounted_anew_do_not_hold_up_the_others(tmp_path: Path) -> None:
    kits.rendered(tmp_path, "lustre-me4", TWO)
    assert kits.simulated(tmp_path, script(tmp_path, "set-tuned")).returncode == 0
    ssh = tmp_path / "campaign" / "bin" / "ssh"
    new = ssh.read_text().replace(
        "case $command in", "case $host$command in *c1*lctl*osc*) exit 2 ;; esac\ncase $command in", 1
    )
    words = [str(tmp_path / "campaign" / "bench" / script(tmp_path, "undo"))]
    environment = os.environ | {"SIMULATED": str(tmp_path / "campaign"), "SIMULATED_TYPE": "lustre"}
    environment["PATH"] = f"{ssh.parent}:{environment['PATH']}"
    ssh.write_text(new)
    done = subprocess.run(["bash", *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "c1 was mounted anew" in done.stdout
    assert any(h == "c2" and "checksums=8" in c.replace("\\", "") for h, c in kits.remote(tmp_path))
    assert not (tmp_path / "campaign" / "bench" / "state" / "settings").exists()


@pytest.mark.usefixtures("bench")
def test_a_campaign_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    sets, measure = script(tmp_path, "set-sequential"), script(tmp_path, "n-n")
    assert kits.simulated(tmp_path, sets, f"{measure} --threads 1").returncode == 0
    results = tmp_path / "campaign" / "bench" / "results"
    first = {p.name: p.stat().st_mtime_ns for p in results.iterdir()}
    assert len(first) == 4
    assert kits.simulated(tmp_path, measure).returncode == 0
    assert {n: p.stat().st_mtime_ns for n in first for p in [results / n]} == first
    # A read that is missing needs its data again: the write comes first.
    read = next(p for p in results.iterdir() if p.name.endswith("t0002.iozone-3.492.read.txt"))
    read.unlink()
    before = len(kits.calls(tmp_path, "iozone"))
    assert kits.simulated(tmp_path, measure).returncode == 0
    assert [w[2] for w in kits.calls(tmp_path, "iozone")[before:]] == ["0", "1"]
    assert read.exists()
    assert not list((tmp_path / "campaign" / OWN).glob("n_n/*"))


@pytest.mark.usefixtures("bench")
def test_a_signal_ends_the_run_and_leaves_no_torn_output(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, script(tmp_path, "set-sequential")).returncode == 0
    campaign = tmp_path / "campaign"
    shim = campaign / "bin" / "iozone"
    whole = shim.read_text()
    shim.write_text('#!/bin/sh\ntouch "$SIMULATED/running"\nexec sleep 300\n')
    environment = os.environ | {
        "PATH": f"{campaign / 'bin'}:{os.environ['PATH']}", "SIMULATED": str(campaign), "SIMULATED_TYPE": "gpfs",
    }  # fmt: skip
    words = ["bash", str(campaign / "bench" / script(tmp_path, "n-n"))]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not (campaign / "running").exists():
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "it goes on" in said
    results = campaign / "bench" / "results"
    assert not results.exists() or not list(results.iterdir())
    shim.write_text(whole)
    assert kits.simulated(tmp_path, script(tmp_path, "n-n")).returncode == 0
    assert len(list(results.glob("*.txt"))) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo 'IOR-9.9.9: MPI'; echo 'Finished: now'", "the options are those of 3.3.0"),
        ("echo 'IOR-3.3.0: MPI'", "its output is not whole"),
        ("echo 'IOR-3.3.0: MPI'; echo 'Finished: now'; exit 3", "ended with exit code 3"),
    ],
)
@pytest.mark.usefixtures("bench")
def test_an_output_that_is_torn_failed_or_of_another_version_does_not_count(
    text: str, said: str, tmp_path: Path
) -> None:
    assert kits.simulated(tmp_path, script(tmp_path, "set-sequential")).returncode == 0
    campaign = tmp_path / "campaign"
    (campaign / "bin" / "mpirun").write_text(f"#!/bin/sh\n{text}\n")
    environment = os.environ | {
        "PATH": f"{campaign / 'bin'}:{os.environ['PATH']}", "SIMULATED": str(campaign), "SIMULATED_TYPE": "gpfs",
    }  # fmt: skip
    words = ["bash", str(campaign / "bench" / script(tmp_path, "n-1"))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert not (campaign / "bench" / "results").exists() or not list((campaign / "bench" / "results").iterdir())


@pytest.mark.usefixtures("bench")
def test_what_stands_beside_an_output_is_json_whatever_the_words(tmp_path: Path) -> None:
    assert kits.simulated(tmp_path, f"{script(tmp_path, 'empty')} --threads 2").returncode == 0
    (path,) = (tmp_path / "campaign" / "bench" / "results").glob("*.json")
    found = json.loads(path.read_text())
    assert found["schema"] == "pixsize.bench/1"
    assert found["output"] == path.with_suffix(".txt").name
    assert found["hosts"] == ["c1", "c2"]
    assert re.search(r"-I 1024 -L -u -t -F -N 1$", " ".join(found["command"]))
    lib = tmp_path / "campaign" / "bench" / "lib.sh"
    for text in ('a"b', "a\\b", "a\tb\nc", "$(reboot)", "\u00e9"):
        words = ["bash", "-c", 'usage() { :; }; . "$1"; json "$2"', "bash", str(lib), text]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        json.loads(done.stdout)
    assert sys.version_info


@pytest.mark.parametrize(
    ("part", "options"),
    [
        ("empty", "--data document"),
        ("n-n", "--threads 5"),
        ("n-n", "--threads 1;2"),
        ("n-n", "--data all"),
        ("undo", "x"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_done(
    part: str, options: str, tmp_path: Path, bench: Path
) -> None:
    words = ["bash", str(bench / script(tmp_path, part)), "--dry-run", *options.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage: " in done.stderr
    assert not done.stdout
