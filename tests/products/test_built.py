"""A system that was built as planned: its replies go with the plan, and every file that fits is rendered, whole."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pixsize import workflow
from pixsize.catalog.designs import Design
from pixsize.render.manifest import ALL, target_of
from tests.products.drawing import examples, requests
from tests.products.reading import bash_reads, read_back, rendered
from tests.products.replying import REPLIES, built
from tests.support.running import catalog, make

pytestmark = pytest.mark.long
MAKERS = {design: catalog().get(Design, design).volumes for design in sorted(examples())}


@pytest.mark.parametrize("design", [design for design, maker in MAKERS.items() if maker in REPLIES])
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_what_is_written_for_a_system_that_replies_is_its_plan(design: str, data: st.DataObject) -> None:
    words = data.draw(requests(design))
    made = make(words)
    assume(made.figures)
    with TemporaryDirectory() as name:
        config, replies, out = (Path(name) / part for part in ("request.yaml", "replies", "out"))
        config.write_text(yaml.safe_dump(words, sort_keys=False), encoding="utf-8")
        replies.mkdir()
        plan, _ = built(made.loaded.request, replies, REPLIES[MAKERS[design]], data.draw(st.integers(0, 30)))
        ready = workflow.render(workflow.Given(str(config), None, replies), ["all"])
        assert not [f for f in ready.findings if f.severity == "error" or f.code.startswith("PX3")]
        workflow.write(ready, out, force=False)
        files = written(out)
        bash_reads(files, Path(name) / "read")
    assert {target_of(path) for path in files} - {ALL} == rendered(plan).keys()
    read_back(files, plan)


def written(out: Path) -> dict[str, str]:
    """The files of a folder, which are those that its manifest names, byte for byte."""
    files = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    manifest = json.loads(files.pop("MANIFEST.json"))
    assert {f["path"]: f["sha256"] for f in manifest["files"]} == {p: sha256(t).hexdigest() for p, t in files.items()}
    assert {target_of(p) for p in files} == set(manifest["targets"])
    return {path: text.decode("ascii") for path, text in files.items()}
