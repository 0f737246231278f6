"""Every example against its expected tree: what each command prints and every file that render writes.

The trees of `WHOLE` hold every file, for people to read a change in. The others hold the plan, the findings and the
MANIFEST, whose digests tell of every byte of every file.

`make goldens` renews the trees; the run that renews still fails, so that the flag cannot be left on.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from pixsize.cli import COMMANDS, main
from pixsize.resources import folder

EXPECTED = Path(__file__).parent / "expected"
EXAMPLES = sorted(folder("examples").glob("*.yaml"))
OBSERVED = sorted(folder("examples").glob("*.observed"))
CASES = [(p.stem, p, None) for p in EXAMPLES] + [(p.name, p.with_suffix(".yaml"), p) for p in OBSERVED]

WHOLE = frozenset(("large+hdmd.observed", "lustre-me4.observed", "lustre-powerflex.observed"))
KEPT = frozenset(("plan.txt", "plan.json", "check.txt", "files/MANIFEST.json"))
"""What is kept of the other examples."""

PRINTED = {
    "plan.txt": ["plan"],
    "plan-long.txt": ["plan", "--long"],
    "plan.json": ["plan", "--format", "json"],
    "plan.md": ["plan", "--format", "markdown"],
    "explain.txt": ["explain", "--all"],
    "check.txt": ["check"],
}


def produced(config: Path, observed: Path | None, out: Path) -> None:
    """Write everything that the program says and makes of a request into `out`."""
    runner = CliRunner()
    given = ["--config", config.name] + (["--observed", str(observed)] if observed else [])
    out.mkdir()
    for name, command in PRINTED.items():
        result = runner.invoke(main, [*command, *given])
        assert result.exit_code == 0, result.output
        (out / name).write_text(result.stdout)
    result = runner.invoke(main, ["render", "all", *given, "-o", str(out / "files")])
    assert result.exit_code == 0, result.output


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def kept(root: Path, name: str) -> dict[str, bytes]:
    """The files of a tree that are kept for an example."""
    return {path: content for path, content in tree(root).items() if name in WHOLE or path in KEPT}


NAMED = re.compile(r"`pixsize ([a-z]+)((?: [^`\n]*)?)`")


def unknown_commands(out: Path) -> list[str]:
    """What the rendered files tell the reader to call, and the program does not have."""
    found = []
    for path in sorted((out / "files").rglob("*")):
        for command, rest in NAMED.findall(path.read_text()) if path.is_file() else ():
            words = re.findall(r"(?<= )--?[a-z-]+", rest)
            known = (
                [o for p in main.get_command(Context(main), command).params for o in p.opts]
                if command in COMMANDS
                else []
            )
            if command not in COMMANDS or not set(words) <= {*known, "--help"}:
                found.append(f"{path.relative_to(out)}: pixsize {command}{rest}")
    return found


@pytest.mark.parametrize(("name", "config", "observed"), CASES, ids=[c[0] for c in CASES])
def test_example(
    name: str,
    config: Path,
    observed: Path | None,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    produced(config, observed, tmp_path / "out")
    assert unknown_commands(tmp_path / "out") == []
    expected = EXPECTED / name
    if request.config.getoption("--renew-goldens"):
        shutil.rmtree(expected, ignore_errors=True)
        for path in kept(tmp_path / "out", name):
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tmp_path / "out" / path, expected / path)
        pytest.fail("renewed; read the difference, then run without --renew-goldens")
    made, wanted = kept(tmp_path / "out", name), tree(expected)
    assert sorted(made) == sorted(wanted)
    for path, content in made.items():
        assert content.decode() == wanted[path].decode(), path


def test_every_expected_tree_has_its_example() -> None:
    assert {p.name for p in EXPECTED.iterdir()} == {c[0] for c in CASES}
