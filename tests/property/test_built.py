"""A Lustre that was built as planned: its replies go with the plan, and every file that fits is rendered, whole."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize import workflow
from pixsize.load import load_observed
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from pixsize.render.manifest import ALL, target_of
from tests.property.lustre_strategies import on_arrays, on_pool
from tests.property.observing import groups_built, pool_built, volumes_built
from tests.property.running import catalog, load_words
from tests.readers.compare import arrays_hold_the_plan, mkfs_makes_the_plan

SHARED = {"mkfs", "lnet", "mount", "tuning", "striping"}
some = settings(max_examples=30, deadline=None)
few = settings(max_examples=10, deadline=None)
shares = st.integers(0, 30)


class Built(NamedTuple):
    """The plan of a system that was built, and every file that was written for it, by its path."""

    plan: Plan
    files: dict[str, str]


def built(words: dict[str, Any], room: Path, share: int = 0) -> Built:
    """Build what a request plans, collect what it says, and render all; fails unless all goes together."""
    config, replies = room / "request.yaml", room / "replies"
    config.write_text(yaml.safe_dump(words, sort_keys=False, allow_unicode=True), encoding="utf-8")
    replies.mkdir()
    if words["design"] == "lustre-me4":
        groups_built(planned(words, replies), replies, share)
        volumes_built(planned(words, replies), replies)
    else:
        pool_built(planned(words, replies), replies)
    rendered = workflow.render(workflow.Given(str(config), None, replies), ["all"])
    trouble = [f for f in rendered.findings if f.severity == "error" or f.code[:3] in ("PX3", "PX6")]
    assert not trouble, trouble
    workflow.write(rendered, room / "out", force=False)
    return Built(planned(words, replies), written(room / "out"))


def planned(words: dict[str, Any], replies: Path) -> Plan:
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    seen, more = load_observed(replies) if any(replies.iterdir()) else (Observed(), ())
    assert not more, more
    plan, refusals = make_plan(loaded.request, catalog(), seen)
    assert plan is not None, refusals
    return plan


def written(out: Path) -> dict[str, str]:
    """The files of a folder, which are those that its manifest names, byte for byte."""
    files = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    manifest = json.loads(files.pop("MANIFEST.json"))
    assert {f["path"]: f["sha256"] for f in manifest["files"]} == {p: sha256(t).hexdigest() for p, t in files.items()}
    assert {target_of(p) for p in files} == set(manifest["targets"])
    return {path: text.decode("ascii") for path, text in files.items()}


def targets(files: dict[str, str]) -> set[str]:
    return {target_of(path) for path in files} - {ALL}


def bash_reads(files: dict[str, str], room: Path) -> None:
    """Each script is one that bash can read to its end."""
    scripts = [str(room / "out" / path) for path in files if path.endswith(".sh")]
    assert scripts
    bash = shutil.which("bash")
    assert bash
    loop = 'for script in "$@"; do bash -n "$script" || exit 1; done'
    done = subprocess.run([bash, "-c", loop, "bash", *scripts], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@some
@given(on_arrays(complete=True), shares)
def test_every_target_of_a_lustre_on_arrays_is_rendered(words: dict[str, Any], share: int) -> None:
    with TemporaryDirectory() as room:
        plan, files = built(words, Path(room), share)
    assert targets(files) >= SHARED | {"me4", "multipath", "ha"}
    assert not targets(files) & {"stanzas", "powerflex"}
    assert not [path for path in files if path.endswith(".incomplete")]
    arrays_hold_the_plan(files, plan)
    mkfs_makes_the_plan(files, plan)
    for module in plan.modules:
        text = files[f"multipath/{module.id}/multipath.conf"]
        assert all((f"wwid {v.wwid}\n" in text) is (v.array in module.arrays) for v in plan.volumes)


@some
@given(on_pool(complete=True))
def test_every_target_of_a_lustre_in_a_pool_is_rendered(words: dict[str, Any]) -> None:
    with TemporaryDirectory() as room:
        plan, files = built(words, Path(room))
    assert targets(files) >= SHARED | {"powerflex"}
    assert not targets(files) & {"stanzas", "me4", "multipath"}
    assert ("ha" in targets(files)) == lustre(plan).failover
    mkfs_makes_the_plan(files, plan)
    volumes = files["powerflex/08-volumes.sh"]
    assert all(v.id in volumes for v in plan.volumes)
    for target in plan.targets:
        holders = [p for p, t in files.items() if p.startswith("mount/") and p.endswith(".sh") and target.device in t]
        assert sorted(holders) == sorted(f"mount/{server}.sh" for server in target.servers)
        clusters = [p for p, t in files.items() if p.endswith("/02-resources.sh") and target.device in t]
        assert len(clusters) == lustre(plan).failover


@few
@given(st.one_of(on_arrays(complete=True), on_pool(complete=True, most=11)), shares)
def test_bash_reads_every_script(words: dict[str, Any], share: int) -> None:
    with TemporaryDirectory() as room:
        _, files = built(words, Path(room), share)
        bash_reads(files, Path(room))
