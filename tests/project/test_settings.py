"""The gates are set as sharply as the project says, and notice what they are there for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pixsize.report import text
from pixsize.report.plan_page import page
from tests.support.planned import facts

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/pixsize"
ROOMS = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
ROOMS -= {"__init__", "__main__"}
"""The folders and modules of the program; `__main__` starts it."""


@pytest.fixture(scope="module")
def tool() -> dict[str, dict]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]


def test_warnings_are_errors_and_markers_are_known(tool):
    options = tool["pytest"]["ini_options"]
    assert options["filterwarnings"] == ["error"]
    assert options["xfail_strict"] is True
    assert {"--strict-markers", "--strict-config"} <= set(options["addopts"].split())
    assert options["testpaths"] == ["tests"]


def test_types_are_judged_strictly_and_everywhere(tool):
    mypy = tool["mypy"]
    assert (mypy["strict"], mypy["files"]) == (True, ["src"])
    assert not {"exclude", "overrides", "ignore_errors", "ignore_missing_imports"} & set(mypy)


def test_branches_are_counted(tool):
    assert tool["coverage"]["run"] == {"branch": True, "source": ["pixsize"]}


def contracts(tool):
    return {c["name"]: c for c in tool["importlinter"]["contracts"]}


def test_rooms_import_downwards_only(tool):
    assert tool["importlinter"]["root_package"] == "pixsize"
    contract = contracts(tool)["Rooms import downwards only"]
    floors = [[r.strip() for r in layer.split("|")] for layer in contract["layers"]]
    assert contract["type"] == "layers"
    assert not {"ignore_imports", "exhaustive_ignores"} & set(contract)
    order = {room: n for n, floor in enumerate(floors) for room in floor}
    assert {f"pixsize.{room}" for room in ROOMS} == set(order)
    house = [
        "cli", "workflow", "products", "load", "arrays", "render", "check", "estimate", "plan", "catalog", "figures", "product",
    ]  # fmt: skip
    assert [order[f"pixsize.{room}"] for room in house] == sorted({order[f"pixsize.{room}"] for room in house})


def test_a_judge_never_imports_what_it_judges(tool):
    contract = contracts(tool)["A judge never imports what it judges"]
    assert contract["type"] == "forbidden"
    assert set(contract["source_modules"]) == {"pixsize.check", "pixsize.arrays.rules", "pixsize.products.*.rules"}
    makers = {"plan.make", "render", "arrays.build", "arrays.render", "products.*.build", "products.*.render"}
    assert {module.removeprefix("pixsize.") for module in contract["forbidden_modules"]} == makers
    assert "ignore_imports" not in contract


@pytest.mark.parametrize(
    ("name", "importers", "packages"),
    [
        ("One importer each of click and rich", {"cli"}, {"click", "rich"}),
        ("Units alone know pint", {"units"}, {"pint"}),
        ("One importer of XlsxWriter", {"report"}, {"xlsxwriter"}),
        ("One importer each of python-docx and WeasyPrint", {"report"}, {"docx", "weasyprint"}),
        ("Files are parsed in load; report only writes YAML", {"load", "report"}, {"yaml"}),
    ],
)
def test_a_package_has_its_importers_and_no_others(tool, name, importers, packages):
    contract = contracts(tool)[name]
    assert contract["type"] == "forbidden"
    assert set(contract["source_modules"]) == {f"pixsize.{room}" for room in ROOMS - importers}
    assert set(contract["forbidden_modules"]) == packages
    assert "ignore_imports" not in contract


def runs(*targets: str) -> list[str]:
    """The commands that `make` would run for targets, in order."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}  # of a make that runs this test
    command = ["make", "-Bn", "VENV=.venv", *targets]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_check_command_runs_every_gate_and_every_test():
    gates = [c.removeprefix(".venv/bin/") for c in runs("check")]
    assert {"ruff check .", "ruff format --check .", "mypy", "lint-imports", "python docs/generate.py --check"} <= {
        *gates
    }
    (tests,) = (c for c in gates if "pytest" in c)
    assert re.search(r"-m pytest -n \d+ --dist loadfile --no-loadscope-reorder$", tests)
    assert runs("lint", "coverage") == [
        f"{c} --cov --cov-report=term:skip-covered" if "pytest" in c else c for c in runs("check")
    ]


def test_the_quick_command_leaves_out_what_is_marked():
    (tests,) = (c for c in runs("quick") if "pytest" in c)
    assert re.search(r'-m pytest -n \d+ --dist loadfile --no-loadscope-reorder -m "not real and not long"$', tests)


# The golden trees


EXAMPLE = """\
name: small
design: pixstor-6
storage_modules: [{size: small, data_drive: 12 TB}]
hdmd: {drive: 960 GB}
filesystem: {name: fs1}
"""


def golden(cwd: Path, *options: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/golden", *options]
    return subprocess.run(
        command, cwd=cwd, env=env | {"PYTHONPATH": "src"}, text=True, capture_output=True, check=False
    )


@pytest.mark.long
def test_the_run_that_renews_the_expected_trees_fails(tmp_path):
    """In a copy of the project with a single example: missing trees fail, renewed ones too, and then all agree."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("catalogs", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "tests/golden/expected").mkdir(parents=True)
    for file in ("pyproject.toml", "tests/__init__.py", "tests/conftest.py", "tests/support/__init__.py", "tests/support/programs.py", "tests/golden/__init__.py", "tests/golden/test_goldens.py"):  # fmt: skip
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/small.yaml").write_text(EXAMPLE)
    assert golden(tmp_path).returncode == 1
    renewing = golden(tmp_path, "--renew-goldens")
    assert renewing.returncode == 1, renewing.stdout
    assert "renewed; read the difference" in renewing.stdout
    assert (tmp_path / "tests/golden/expected/small/plan.json").is_file()
    agreed = golden(tmp_path)
    assert agreed.returncode == 0, agreed.stdout
    (tmp_path / "tests/golden/expected/small/plan.txt").write_text("")
    assert golden(tmp_path).returncode == 1


# CI's script


MAKE = """\
#!{bash}
echo "make $*" >> calls
case "$*" in
  demo) echo "{formatted}"; for n in {{1..{stanzas}}}; do echo "%nsd:"; done ;;
esac
"""
PYTHON = """\
#!{bash}
[ "$1" = --version ] && echo "Python {version}.9"
[ "$1" = -c ] || exit 0
[ "$3" = {version} ]
"""
PYENV = """\
#!{bash}
[ "$1 $2" = "prefix {version}" ] && echo "{prefix}"
"""


def formatted() -> str:
    """The line of the plan that the demo shows, and that `.ci/run` looks for."""
    return next(line for line in text.draw(page(facts("large+hdmd")), 80).splitlines() if "formatted" in line)


def ci_run(folder: Path, path: tuple[str, ...] = (), pyenv: str = "", stanzas: int = 44) -> tuple[int, str, list[str]]:
    """The exit code of `.ci/run`, what it says, and what it calls, where only some versions of Python are there."""
    bash, programs = shutil.which("bash"), folder / "programs"
    programs.mkdir()
    agent = folder / "ocf/resource.d/heartbeat/Filesystem"
    agent.parent.mkdir(parents=True)
    agent.touch()
    for name in ("bash", "dirname", "tee", "tail", "grep"):
        (programs / name).symlink_to(str(shutil.which(name)))
    here = ("multipath", "shellcheck", "pcs", "crm_simulate", "fence_idrac", "mke2fs", "losetup", "unshare")
    here += ("ctdb", "testparm", "named-checkzone", "exportfs", "ganesha.nfsd")
    here += ("chronyd", "nodeattr", "ansible-inventory", "chromium", "mpirun.openmpi", "mpirun.mpich")
    scripts = dict.fromkeys(here, "") | {"make": MAKE.format(bash=bash, stanzas=stanzas, formatted=formatted())}
    scripts |= {f"python{version}": PYTHON.format(bash=bash, version=version) for version in path}
    if pyenv:
        scripts |= {"pyenv": PYENV.format(bash=bash, version=pyenv, prefix=folder / "kept")}
        (folder / "kept/bin").mkdir(parents=True)
        (folder / "kept/bin/python").write_text(PYTHON.format(bash=bash, version=pyenv))
        (folder / "kept/bin/python").chmod(0o755)
    for name, script in scripts.items():
        (programs / name).write_text(script or f"#!{bash}\n")
        (programs / name).chmod(0o755)
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    env = {"PATH": str(programs), "TMPDIR": str(folder), "OCF_ROOT": str(folder / "ocf")}
    done = subprocess.run([str(bash), str(folder / ".ci/run")], env=env, text=True, capture_output=True, check=False)
    calls = (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []
    return done.returncode, done.stdout + done.stderr, calls


def test_ci_says_aloud_that_there_is_no_other_python(tmp_path):
    code, said, calls = ci_run(tmp_path)
    assert (code, calls) == (0, ["make demo", "make lint coverage"])
    assert "WARNING: neither Python 3.12 nor 3.13" in said


@pytest.mark.parametrize(
    ("path", "pyenv", "versions"),
    [
        (("3.12", "3.13"), "", ["3.12", "3.13"]),
        (("3.13",), "", ["3.13"]),
        ((), "3.12", ["3.12"]),
        (("3.12",), "3.13", ["3.12", "3.13"]),
    ],
)
def test_ci_tries_every_python_that_is_there(tmp_path, path, pyenv, versions):
    code, said, calls = ci_run(tmp_path, path, pyenv)
    assert code == 0, said
    others = [(c.split()[1], c.split()[-1]) for c in calls[:-2]]
    assert others == [(f"VENV=.venv-{v}", "quick") for v in versions]
    assert calls[-2:] == ["make demo", "make lint coverage"]
    assert [v for v in ("3.12", "3.13") if f"no Python {v} on this machine" in said] == [
        v for v in ("3.12", "3.13") if v not in versions
    ]


def test_ci_looks_at_what_the_first_command_prints(tmp_path):
    code, _, calls = ci_run(tmp_path, ("3.12",), stanzas=43)
    assert (code, calls[-1]) == (1, "make demo")
