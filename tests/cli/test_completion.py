"""Completion in a shell: what its function asks for is answered, and anything else is wrong usage, said in a line."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cli_support import run


def completed(**given: bytes) -> tuple[int, str, str]:
    """The exit code and the streams of pixsize with these variables."""
    env = {os.fsencode(k): os.fsencode(v) for k, v in os.environ.items()} | {k.encode(): v for k, v in given.items()}
    done = subprocess.run([sys.executable, "-m", "pixsize"], env=env, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"_PIXSIZE_COMPLETE": b"bash_complete"}, "COMP_WORDS"),
        ({"_PIXSIZE_COMPLETE": b"zsh_complete", "COMP_WORDS": b"pixsize"}, "COMP_CWORD"),
        ({"_PIXSIZE_COMPLETE": b"bash_complete", "COMP_WORDS": b"pixsize", "COMP_CWORD": b"x"}, "no number"),
        ({"_PIXSIZE_COMPLETE": b"bash_complete", "COMP_WORDS": b"pixsize", "COMP_CWORD": b"9" * 5000}, "no number"),
        ({"_PIXSIZE_COMPLETE": b"bash_complete", "COMP_WORDS": b"pixsize plan -c \xff", "COMP_CWORD": b"3"}, "UTF-8"),
        ({"_PIXSIZE_COMPLETE": b"zsh_bogus"}, "zsh_bogus"),
        ({"_PIXSIZE_COMPLETE": b"ksh_source"}, "bash, zsh or fish"),
        ({"_PIXSIZE_COMPLETE": b"1"}, "as in bash_source"),
        ({"_PIXSIZE_COMPLETE": b"\xff\x1b[31m"}, "as in bash_source"),
    ],
)
def test_what_no_shell_asks_for_is_wrong_usage(given: dict[str, bytes], said: str) -> None:
    code, out, err = completed(**given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert err.rstrip("\n").isprintable()


def test_what_a_shell_asks_for_is_answered() -> None:
    words = {"COMP_WORDS": b"pixsize pl", "COMP_CWORD": b"1"}
    assert completed(_PIXSIZE_COMPLETE=b"bash_complete", **words)[:2] == (0, "plain,plan\n")
    fish = {"COMP_WORDS": b"pixsize pl", "COMP_CWORD": b"pl"}
    assert completed(_PIXSIZE_COMPLETE=b"fish_complete", **fish)[1].startswith("plain,plan\t")
    for shell in (b"bash", b"zsh", b"fish"):
        code, out, _ = completed(_PIXSIZE_COMPLETE=shell + b"_source")
        assert (code, "_PIXSIZE_COMPLETE" in out) == (0, True)
    assert completed(_PIXSIZE_COMPLETE=b"")[0] in (0, 2)


# --- in a real bash --------------------------------------------------------------------------------------------------

_PROMPT = b"ready> "


class Typed:
    """An interactive bash in a terminal, with completion, in which `pixsize` writes its arguments to a file."""

    def __init__(self, folder: Path) -> None:
        script = run("completion", "bash").stdout
        program = folder / "bin" / "pixsize"
        program.parent.mkdir()
        program.write_text(
            f'#!/bin/sh\nif [ -n "$_PIXSIZE_COMPLETE" ]; then exec {sys.executable} -m pixsize "$@"; fi\n'
            f"printf '%s\\n' \"$@\" >{folder}/given.part; mv {folder}/given.part {folder}/given\n"
        )
        program.chmod(0o755)
        start = folder / "rc"
        start.write_text(f"{script}\nPS1='{_PROMPT.decode()}'\nbind 'set enable-bracketed-paste off'\n")
        self.here, self._given = folder / "here", folder / "given"
        self.here.mkdir()
        path = f"{program.parent}:{os.environ['PATH']}"
        env = {**os.environ, "PATH": path, "TERM": "dumb", "HISTFILE": "", "INPUTRC": "/dev/null"}
        self._terminal, inner = pty.openpty()
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--rcfile", str(start), "-i"],
            cwd=self.here,
            env=env,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self._read_until(_PROMPT)

    def _read_until(self, wanted: bytes) -> None:
        seen, end = b"", time.monotonic() + 30
        while wanted not in seen:
            ready, _, _ = select.select([self._terminal], [], [], max(end - time.monotonic(), 0))
            assert ready, seen
            seen += os.read(self._terminal, 4096)

    def arguments(self, line: str) -> list[str]:
        """What pixsize is given where this is typed and ended with Enter."""
        self._given.unlink(missing_ok=True)
        os.write(self._terminal, line.encode() + b"\r")
        end = time.monotonic() + 30
        while not self._given.exists():
            assert time.monotonic() < end, line
            time.sleep(0.02)
        return self._given.read_text().splitlines()

    def close(self) -> None:
        """Ends the shell."""
        self._bash.kill()
        self._bash.wait()
        os.close(self._terminal)


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    bash = Typed(tmp_path_factory.mktemp("bash"))
    yield bash
    bash.close()


@pytest.mark.parametrize(
    ("name", "typed_part"),
    [
        ("quote;touch PWNED;.yaml", "quo"),
        ("a b.yaml", "a"),
        ("$(touch PWNED).yaml", "\\$"),
        ("glob*.yaml", "glo"),
        ("back\\slash.yaml", "ba"),
        ("it's.yaml", "it"),
        ("comma,comma.yaml", "comm"),
    ],
)
def test_bash_quotes_the_name_of_a_file(typed: Typed, name: str, typed_part: str) -> None:
    (typed.here / name).touch()
    (typed.here / f"{name[:2]}\nplain,evil.yaml").touch()  # a line of its own would be a candidate
    assert typed.arguments(f"pixsize diff {typed_part}\t") == ["diff", name]
    assert typed.arguments(f"pixsize plan --config={typed_part}\t") == ["plan", f"--config={name}"]
    assert not (typed.here / "PWNED").exists()


def test_bash_goes_on_below_a_folder(typed: Typed) -> None:
    (typed.here / "sub folder").mkdir()
    (typed.here / "sub folder" / "inner.yaml").touch()
    assert typed.arguments("pixsize diff su\tin\t") == ["diff", "sub folder/inner.yaml"]


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("pixsize plan --config=full-p\t", ["plan", "--config=full-pixstor.yaml"]),
        ("pixsize plan --format=j\t", ["plan", "--format=json"]),
        ("pixsize explain --config=lustre-me4 files.o\t", ["explain", "--config=lustre-me4", "files.ost_objects"]),
        ("pixsize render mult\t", ["render", "multipath"]),
        ("pixsize diff full-p\t full-p\t", ["diff", "full-pixstor.yaml", "full-pixstor.yaml"]),
    ],
)
def test_bash_completes(typed: Typed, line: str, arguments: list[str]) -> None:
    assert typed.arguments(line) == arguments
