"""Completion in a shell: what its function asks for is answered, and anything else is wrong usage, said in a line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


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
