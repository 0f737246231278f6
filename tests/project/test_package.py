"""The wheel and the sdist, each installed into an empty environment, do the main job from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]


def call(*command: str | Path, cwd: Path) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV_"))}
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_an_installed_package_does_the_main_job(kind: str, tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    call(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", dist, cwd=ROOT)
    (built,) = dist.iterdir()
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env/bin/python"
    call(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--disable-pip-version-check",
        built,
        cwd=tmp_path,
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    pixsize = tmp_path / "env/bin/pixsize"
    assert "3072.00 TB" in call(pixsize, "plan", "--config", "large+hdmd.yaml", cwd=elsewhere)
    stanzas = call(pixsize, "render", "stanzas", "--config", "large+hdmd.yaml", cwd=elsewhere)
    assert stanzas.count("%nsd:") == 44
    call(pixsize, "render", "all", "--config", "large+hdmd.yaml", "-o", "out", cwd=elsewhere)
    assert (elsewhere / "out/MANIFEST.json").is_file()
    installed = Path(call(python, "-c", "import pixsize; print(pixsize.__file__)", cwd=elsewhere).strip()).parent
    assert installed.is_relative_to(tmp_path)
    source = ROOT / "src/pixsize"
    for data in (*source.rglob("*.yaml"), *source.rglob("*.json")):
        assert (installed / data.relative_to(source)).read_bytes() == data.read_bytes(), data
