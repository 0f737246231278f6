"""The commands in the README and the pages: each is run, in the page's order, and what it prints is compared.

A fenced `console` block holds `$ command` lines, each followed by what it prints on the terminal; a line `...` stands
for any lines, and ` ...` at the end of a line for any words. A fenced `yaml title=FILE` or `text title=FILE` block is written to FILE first. Commands in tables and prose must succeed.
The commands run in a folder that has the `examples` of a checkout, and nothing else; those of the README as programs of
their own. A pixsize command in a fence that is
not run would be a promise that nobody keeps, so there is none but where the reader's own files are meant.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pixsize.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(console|(?:yaml|text) title=(\S+))\n(.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`(pixsize [^`]*--config [^`]*)`")
SHELL = re.compile(r"[|&;<>()$`*?~#!{\[]")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def pages_with(pattern: re.Pattern[str]) -> list[Any]:
    """The pages where something matches. The README's commands are programs of their own, which takes its time."""
    found = (page for page in PAGES if pattern.search(page.read_text()))
    return [pytest.param(p, marks=pytest.mark.long) if p.name == "README.md" else p for p in found]


def run(command: str, cwd: Path, *, here: bool) -> tuple[int, str]:
    """A command of a page, as its reader would run it: its exit code, and what it says and prints in one stream.

    In this process where that is enough: `pixsize` with words that a shell would leave as they are.
    """
    settings = {"COLUMNS": "80", "NO_COLOR": "1"}
    words = shlex.split(command)
    if here and words[0] == "pixsize" and not SHELL.search(command):
        with contextlib.chdir(cwd):
            result = CliRunner().invoke(main, words[1:], prog_name="pixsize", env=settings)
        return result.exit_code, result.output
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | settings
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", command], cwd=cwd, env=env, text=True, check=False, **both)
    return done.returncode, done.stdout


def matches(printed: str, expected: str) -> bool:
    """Whether the text is as expected, where a line `...` stands for any lines, and none."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.sub(r"\\ \\\.\\\.\\\.$", " .*", re.escape(line)) + r" *\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.long
@pytest.mark.parametrize("page", pages_with(FENCE), ids=lambda p: p.name)
def test_console_blocks_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for fence in FENCE.finditer(page.read_text()):
        if fence[2]:
            (tmp_path / fence[2]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / fence[2]).write_text(fence[3])
            continue
        for part in re.split(r"^\$ ", fence[3], flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            _, printed = run(command, tmp_path, here=page.name != "README.md")
            assert matches(printed, expected), f"{page.name}: $ {command}\n{printed}"


@pytest.mark.parametrize("page", pages_with(INLINE), ids=lambda p: p.name)
def test_commands_in_prose_succeed(page: Path, tmp_path: Path) -> None:
    for command in dict.fromkeys(INLINE.findall(page.read_text())):
        if "..." in command or "FILE" in command:
            continue
        code, said = run(command, tmp_path, here=page.name != "README.md")
        assert code == 0, f"{page.name}: {command}\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_in_fences_are_run_unless_they_need_files_of_the_readers_own(page: Path) -> None:
    for language, body in re.findall(r"^```([^\n]*)\n(.*?)^```$", page.read_text(), re.M | re.S):
        if language.startswith(("console", "yaml", "text")):
            continue
        left = [line for line in body.splitlines() if line.startswith("pixsize ") and "FILE" not in line]
        assert left == [], f"{page.name}: ```{language}"


def test_the_example_in_the_readme_is_the_shipped_one() -> None:
    def words(text: str) -> list[str]:
        lines = (line.partition("#")[0].rstrip() for line in text.splitlines())
        return [line for line in lines if line]

    shown = re.search(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert shown
    shipped = words((ROOT / "examples/large+hdmd.yaml").read_text())
    assert set(words(shown[1])) <= set(shipped)
