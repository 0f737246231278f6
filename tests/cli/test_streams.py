"""Standard streams that are closed or full, and readers that leave: none of it is a bug, and nothing lands elsewhere."""

from __future__ import annotations

import fcntl
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.cli_support import loads

PIXSIZE = f"{sys.executable} -m pixsize"
QUIET = "-q -c small"
DATA = [
    "--help",
    "--version",
    "plan --help",
    f"plan {QUIET}",
    f"plan {QUIET} --format json",
    f"check {QUIET} --format json",
    f"explain capacity.raw {QUIET}",
    f"render stanzas {QUIET}",
    "catalog list",
    "init small -o -",
]
"""Commands that have something for stdout, and then end with 0."""
NO_DATA = {
    f"plan {QUIET} -o plan.txt": 0,
    f"render me4 {QUIET} -o out": 0,
    "explain x -c small": 2,
    "paln": 2,
    "plan": 1,
}
"""Commands that have nothing for stdout, and their exit codes."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shell(command: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command with redirections, as a shell runs it."""
    done = subprocess.run(["sh", "-c", f"exec {PIXSIZE} {command}"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("args", DATA)
def test_stdout_closed_or_full_is_one_line_and_exit_code_1(args: str) -> None:
    assert shell(f"{args} >&-") == (1, "", "Error: stdout is closed\n")
    assert shell(f"{args} >/dev/full") == (1, "", "Error: stdout: No space left on device\n")


@pytest.mark.long
@pytest.mark.parametrize("args", [f"plan {QUIET}", "--help", f"check {QUIET} --format json"])
def test_stdout_and_stderr_closed_or_full_together(args: str) -> None:
    assert shell(f"{args} >&- 2>&-") == (1, "", "")
    assert shell(f"{args} >/dev/full 2>&1") == (1, "", "")
    assert shell(f"{args} <&- >&- 2>/dev/full") == (1, "", "")


def test_stdout_that_may_only_be_read() -> None:
    assert shell("--version 1</dev/null") == (1, "", "Error: stdout: Bad file descriptor\n")


@pytest.mark.long
@pytest.mark.parametrize(("args", "code"), NO_DATA.items())
def test_a_stdout_that_is_not_used_changes_nothing(args: str, code: int) -> None:
    said = shell(args)
    assert said[0] == code
    assert shell(f"{args} --force >&-" if "render" in args else f"{args} >&-") == said
    assert shell(f"{args} >/dev/full")[0] == code


@pytest.mark.long
@pytest.mark.parametrize(("args", "code"), {**NO_DATA, "plan -c small": 0, "check -c small": 0, "--help": 0}.items())
def test_stderr_closed_or_full_leaves_exit_code_and_data(args: str, code: int) -> None:
    whole = shell(args)
    assert whole[0] == code
    for stream in ("2>&-", "2>/dev/full"):
        assert shell(f"{args} {stream}") == (code, whole[1], "")


@pytest.mark.long
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path, streams: str) -> None:
    """What is opened first gets the lowest number that is free, and whatever goes there."""
    assert shell("render all -c small -o good")[0] == 0
    assert shell("plan -c small -o good.txt")[0] == 0
    assert shell(f"render all -c small -o out {streams}")[0] == 0
    assert shell(f"plan -c small -o out.txt {streams}")[0] == 0
    assert (tmp_path / "out.txt").read_bytes() == (tmp_path / "good.txt").read_bytes()
    files = {
        name: {str(p.relative_to(name)): p.read_bytes() for p in Path(name).rglob("*") if p.is_file()}
        for name in ("good", "out")
    }
    assert files["out"] == files["good"]


def test_closed_streams_are_taken_by_nothing_before_anything_is_opened() -> None:
    code = (
        "import os, sys; sys.argv = ['pixsize', '--version']; from pixsize.streams import guard; guard()\n"
        "seen = [os.readlink(f'/proc/self/fd/{n}') for n in (0, 1, 2)] + [os.open('/dev/zero', os.O_RDONLY) > 2]\n"
        "open('seen', 'w').write(repr(seen))"
    )
    subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", code], check=True)
    assert Path("seen").read_text() == repr(["/dev/null"] * 3 + [True])


@pytest.mark.long
@pytest.mark.parametrize(
    "variables", ["PYTHONUNBUFFERED=1", "LC_ALL=C PYTHONIOENCODING=ascii", "_PIXSIZE_COMPLETE=bash_source"]
)
def test_nor_is_it_a_bug_with_other_buffers_and_encodings(variables: str) -> None:
    for stream, why in ((">&-", " is closed"), (">/dev/full", ": No space left on device")):
        done = subprocess.run(
            ["sh", "-c", f"{variables} {PIXSIZE} plan -q -c small {stream}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, f"Error: stdout{why}\n")


@pytest.mark.long
def test_a_reader_that_leaves_ends_the_program_in_silence() -> None:
    read, write = os.pipe()
    os.close(read)
    for args in (["plan", "-q", "-c", "large"], ["--help"], ["catalog", "list"]):
        command = [sys.executable, "-m", "pixsize", *args]
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 141, args
        assert done.stderr == ""
    for args in (["plan", "-c", "large+hdmd"], ["paln"]):
        command = [sys.executable, "-m", "pixsize", *args]
        assert subprocess.run(command, stdout=subprocess.DEVNULL, stderr=write, check=False).returncode == 141
    os.close(write)


def test_a_pipe_that_is_full_and_does_not_block_is_waited_for() -> None:
    """Such a stdout comes from programs that share theirs, as ssh does."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETFL, os.O_NONBLOCK)
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen([sys.executable, "-m", "pixsize", "schema", "plan"], stdout=write) as job:
        os.close(write)
        time.sleep(0.5)
        with os.fdopen(read, "rb") as reader:
            shown = reader.read().decode()
    assert job.returncode == 0
    assert loads(shown)["title"] == "pixsize plan"


# Files on a full disk


def full_disk() -> None:
    """No file of this process may be larger than a few bytes, which fails as a full disk does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.long
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (f"plan {QUIET} -o file.txt", "PX609"),
        (f"plan {QUIET} --format json -o file.txt", "PX609"),
        ("init small -q -o file.txt", "PX609"),
        (f"render me4 {QUIET} -o out", "PX603"),
        (f"render all {QUIET} -o out", "PX603"),
    ],
)
def test_a_full_disk_is_exit_code_1_and_leaves_nothing(tmp_path: Path, args: str, code: str) -> None:
    done = subprocess.run(
        [*PIXSIZE.split(), *args.split()], capture_output=True, text=True, check=False, preexec_fn=full_disk
    )
    assert done.returncode == 1
    assert f":1:1: error {code} " in done.stderr
    assert "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []
    if "json" in args:
        assert [f["code"] for f in loads(done.stdout)["findings"]] == [code]


def test_a_full_device_in_the_place_of_the_file() -> None:
    code, out, err = shell(f"plan {QUIET} -o /dev/full")
    assert (code, out) == (1, "")
    assert err == "/dev/full:1:1: error PX609 the file is not written: No space left on device\n"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("mine\n")
    command = [*PIXSIZE.split(), *f"plan {QUIET} -o file.txt".split()]
    assert subprocess.run(command, stderr=subprocess.DEVNULL, check=False, preexec_fn=full_disk).returncode == 1
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]
    assert (tmp_path / "file.txt").read_text() == "mine\n"
