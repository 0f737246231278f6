"""What only a terminal gets, watched through a pseudo-terminal: colours, width, progress; and what shells complete."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

import pytest

from pixsize.cli import COMMANDS
from pixsize.cli.progress import Progress, bar
from pixsize.render import RENDERERS
from pixsize.report.printable import width
from tests.support.cli_support import LEGAL, request

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def watched(*args: str, columns: int = 80, cwd: Path | None = None, **env: str) -> tuple[int, str]:
    """Exit code and everything that a command writes to the terminal it runs in."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    command = [sys.executable, "-m", "pixsize", *args]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env={**clean, "TERM": "xterm-256color", **env}
    ) as job:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return job.returncode, shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 60])
def test_prose_fits_a_narrow_terminal(columns: int, tmp_path: Path) -> None:
    request(tmp_path, LEGAL)
    shown = ESCAPES.sub(
        "", watched("explain", "-q", "throughput.random_4k.write.peak", columns=columns, cwd=tmp_path)[1]
    )
    rule = next(line for line in shown.splitlines() if "rule: " in line)
    assert columns - 20 < width(rule) <= columns


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_colours_and_the_terminals_width(columns: int) -> None:
    code, shown = watched("plan", "-q", "-c", "mix", columns=columns)
    assert code == 0
    assert "\x1b[1" in shown
    assert "\u2588" in shown
    widest = max(width(line) for line in ESCAPES.sub("", shown).splitlines())
    assert widest <= columns
    assert columns < 200 or widest <= 140


def test_a_plan_on_a_terminal_is_the_page_alone() -> None:
    """A screen and a half: no finding is printed a second time below the warnings; the long page has them there."""
    code, shown = watched("plan", "-c", "large+hdmd")
    drawn = ESCAPES.sub("", shown)
    assert code == 0
    assert drawn.count("\n") <= 66  # with what it says of the example
    assert "- PX573 All metadata lies on one array. Fix: " in drawn
    assert "`pixsize check`" in drawn
    assert "warning PX573" not in drawn
    long = ESCAPES.sub("", watched("plan", "-c", "large+hdmd", "--long")[1])
    assert "warning PX573" in long
    assert "`pixsize check`" not in long


def test_a_plan_fits_a_narrow_terminal() -> None:
    shown = ESCAPES.sub("", watched("plan", "-q", "-c", "full-pixstor", columns=40)[1])
    assert max(map(width, shown.splitlines())) <= 40
    assert "  files\n    plan with: 1 billion\n    expected: 2.05 billion\n    basis: estimated !\n" in shown


@pytest.mark.long
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_text_on_a_terminal_that_wants_it(env: dict[str, str]) -> None:
    for args in (["plan", "-c", "mix"], ["check", "-c", "mix"], ["explain", "--all", "-c", "mix"]):
        assert "\x1b" not in watched(*args, **env)[1]


@pytest.mark.long
def test_a_terminal_shows_the_same_words_as_a_pipe() -> None:
    for args in (
        ["plan", "-q", "-c", "mix"],
        ["explain", "--all", "-c", "mix"],
        ["catalog", "list"],
        ["render", "--list"],
    ):
        shown = re.sub("  [\u2588\u2591]+", "", ESCAPES.sub("", watched(*args)[1]))
        piped = subprocess.run(
            [sys.executable, "-m", "pixsize", *args], capture_output=True, text=True, check=True
        ).stdout
        assert [line.rstrip() for line in shown.splitlines()][-len(piped.splitlines()) :] == piped.splitlines()


def test_findings_are_coloured_wrapped_and_clean(tmp_path: Path) -> None:
    request(tmp_path, LEGAL.replace("large", "large\u202e") + "accept: []\n")
    code, shown = watched("check", cwd=tmp_path)
    assert code == 1
    assert "\x1b[1;31merror PX" in shown
    assert "\u202e" not in shown
    assert max(width(line) for line in ESCAPES.sub("", shown).splitlines()) <= 80


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [["plan"], ["explain", "--all"], ["render", "stanzas", "-o", "out"], ["check"]],
    ids=lambda command: command[0],
)
def test_long_work_shows_its_stage_and_leaves_no_trace(tmp_path: Path, command: list[str]) -> None:
    """Hundreds of modules take seconds on any machine, and the turning wheel begins after half a second."""
    request(tmp_path, LEGAL.replace("  - size: large\n", "  - size: large\n    count: 400\n"))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "limit.yaml").write_text(
        "kind: limit\nreplaces: scale.nsds\ntitle: raised\nvalue: 40000\n"
        "sources: [{document: pixsize, place: a test}]\n"
    )
    code, shown = watched(*command, "--catalog", "more", cwd=tmp_path)
    assert code == 0
    turns = re.findall(r"\r\x1b\[2K(\S) ([a-z0-9 ]+) \.\.\.", shown)
    assert any(stage.startswith(("planning", "checking", "estimating", "rendering", "writing")) for _, stage in turns)
    *_, wheel = re.finditer(r"\r\x1b\[2K\S [a-z0-9 ]+ \.\.\.", shown)
    assert shown[wheel.end() :].startswith("\r\x1b[2K")
    quiet = watched(*command, "--quiet", "--catalog", "more", cwd=tmp_path)[1]
    assert not re.search(r"\x1b\[2K\S [a-z0-9 ]+ \.\.\.", quiet)


def test_short_work_shows_no_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("pixsize.cli.progress.fancy", lambda _: True)
    with Progress() as progress:
        progress.tell("thinking")
    assert capsys.readouterr().err == ""


def test_progress_ends_with_the_work_even_when_it_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pixsize.cli.progress.fancy", lambda _: True)
    monkeypatch.setattr("pixsize.cli.progress._PATIENCE_S", 0.01)
    with pytest.raises(KeyboardInterrupt), Progress() as progress:
        progress.tell("thinking")
        time.sleep(0.3)
        raise KeyboardInterrupt
    shown = capsys.readouterr().err
    assert "thinking ..." in shown
    assert shown.endswith("\r\x1b[2K")


# Completion


def completed(line: str, cwd: Path | None = None) -> list[str]:
    """What bash would be given for this line, the cursor at its end."""
    env = {
        **os.environ,
        "_PIXSIZE_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    command = [sys.executable, "-m", "pixsize"]
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [item.partition(",")[2] for item in done.stdout.splitlines() if item]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(shell: str) -> None:
    env = {**os.environ, "_PIXSIZE_COMPLETE": f"{shell}_source"}
    done = subprocess.run([sys.executable, "-m", "pixsize"], env=env, capture_output=True, text=True, check=True)
    assert "_PIXSIZE_COMPLETE" in done.stdout
    assert "pixsize" in done.stdout


def test_commands_and_options_are_completed() -> None:
    assert completed("pixsize ") == list(COMMANDS)
    assert completed("pixsize ex") == ["explain"]
    assert {"--config", "--catalog", "--observed", "--format", "--output"} <= set(completed("pixsize plan --"))
    assert completed("pixsize plan --format ma") == ["markdown"]
    assert completed("pixsize catalog ") == ["list", "show"]


def test_targets_and_kinds_are_completed() -> None:
    assert completed("pixsize render ") == [*RENDERERS, "all"]
    assert completed("pixsize render stanzas m") == [n for n in RENDERERS if n.startswith("m")]
    assert completed("pixsize catalog list dr") == ["drive"]
    assert completed("pixsize catalog show me40") == ["me4024", "me4084"]
    assert "large+hdmd" in completed("pixsize init ")


def test_figures_of_the_request_are_completed(tmp_path: Path) -> None:
    assert completed("pixsize explain capacity.f", tmp_path) == []
    request(tmp_path)
    assert completed("pixsize explain capacity.f", tmp_path) == [
        "capacity.formatted",
        "capacity.filesystem_overhead",
    ]
    assert completed("pixsize explain --config large files.", tmp_path) == ["files.max"]


def test_requests_here_and_examples_are_completed_for_config(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    request(tmp_path / "sites", name="a.yaml")
    request(tmp_path, name="large-one.yaml")
    (tmp_path / "notes.txt").write_text("")
    assert completed("pixsize plan --config ", tmp_path)[:2] == ["large-one.yaml", "sites/"]
    assert completed("pixsize plan --config larg", tmp_path)[:2] == ["large-one.yaml", "large+expansion.yaml"]
    assert completed("pixsize plan --config sites/", tmp_path) == ["sites/a.yaml"]


def test_a_bar_says_how_much_is_done() -> None:
    full, empty = "\u2588", "\u2591"
    assert bar(0.0) == 24 * empty + "   0% "
    assert bar(0.5) == 12 * full + 12 * empty + "  50% "
    assert bar(1.0) == 24 * full + " 100% "
