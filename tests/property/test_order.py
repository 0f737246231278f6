"""The order of files, of rows in them, and of words in those changes nothing: in catalogs and in replies of arrays."""

from __future__ import annotations

import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize import resources, workflow
from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.load import load_catalog, load_observed
from pixsize.observed import Observed

SOURCES = [{"document": "site", "place": "a report"}]
RECORDS: list[dict[str, Any]] = [
    {"kind": "source", "id": "site", "title": "our report", "publisher": "we"},
    {"kind": "drive", "id": "ours", "title": "a drive", "sources": SOURCES, "capacity": "14.1 TB", "media": "nl-sas"},
    {"kind": "limit", "id": "nsds", "replaces": "scale.nsds", "title": "t", "sources": SOURCES, "value": 3000},
    {"kind": "limit", "replaces": "me4.lun_max", "title": "t", "sources": SOURCES, "value": 200},
    *(
        {
            "kind": "measurement",
            "id": f"site.{n}",
            "title": "a benchmark",
            "sources": SOURCES,
            "figure": "throughput.sequential.n_n.write.peak",
            "unit": "B/s",
            "system": {
                "design": "pixstor-6",
                "storage_modules": [{"size": "small", "data_drive": drive}],
                "hdmd": {"drive": "ssd-960gb"},
                "block_size": "8 MiB",
            },
            "readings": [
                {"value": f"{rate} GB/s", "document": "site", "place": "1"},
                {"value": f"{rate + 1} GB/s", "document": "site", "place": "2", "used": False},
            ],
            "conditions": {"tool": "fio"},
        }
        for n, (drive, rate) in enumerate((("nl-sas-12tb", 5), ("nl-sas-12tb", 4), ("nl-sas-8tb", 4), ("ours", 6)))
    ),
]
REQUEST = """\
name: s
design: pixstor-6
storage_modules: [{size: small, data_drive: 14.1 TB}, {size: small, data_drive: 12 TB}, {size: medium, data_drive: 8 TB}]
hdmd: {drive: 960 GB}
filesystem: {name: fs1}
"""
randoms = st.randoms(use_true_random=False)


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same words, the keys of every mapping in another order; lists that mean an order stay."""
    if isinstance(value, dict):
        return {k: shuffled(value[k], rng) for k in rng.sample(list(value), len(value))}
    return [shuffled(v, rng) for v in value] if isinstance(value, list) else value


def dealt(rows: list[Any], rng: random.Random) -> dict[str, list[Any]]:
    """The rows in any order, in up to four files with any names."""
    names = rng.sample(["aa", "b-1", "mm", "x9", "zz"], rng.randint(1, 4))
    files: dict[str, list[Any]] = {}
    for row in rng.sample(rows, len(rows)):
        files.setdefault(rng.choice(names), []).append(row)
    return files


def planned(files: dict[str, list[Any]]) -> tuple[Catalog, workflow.Planned]:
    with TemporaryDirectory() as name:
        folder, config = Path(name) / "records", Path(name) / "request.yaml"
        config.write_text(REQUEST)
        for file, records in files.items():
            path = folder / (file if len(file) > 2 else ".") / f"{file}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            apart = json.loads(json.dumps(records))  # what two records share would become an anchor
            path.write_text(yaml.safe_dump(apart if len(apart) > 1 else apart[0], sort_keys=False))
        catalog, findings = load_catalog(folder)
        assert findings == ()
        return catalog, workflow.plan(workflow.Given(str(config), folder))


@settings(max_examples=25, deadline=None)
@given(randoms)
def test_the_order_of_records_and_of_their_words_changes_nothing(rng: random.Random) -> None:
    first_catalog, first = planned({"all": RECORDS})
    other_catalog, other = planned(dealt([shuffled(r, rng) for r in RECORDS], rng))
    assert first.sized is not None
    assert other.sized is not None
    assert first_catalog.raw == other_catalog.raw
    assert list(first_catalog.raw) == list(other_catalog.raw)
    assert first.sized.plan == other.sized.plan
    assert first.sized.figures == other.sized.figures
    assert first.sized.figures["throughput.sequential.n_n.write.peak"].inputs.count("site.1") == 1
    assert told(first.findings) == told(other.findings)


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(f.code, f.message) for f in findings]


def reply(file: str) -> dict[str, Any]:
    """The JSON of a reply in the shipped example, without what the array's prompt adds."""
    text = (resources.folder("examples") / "large+hdmd.observed" / file).read_text()
    held: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
    return held


ROWS = [
    (kind, row)
    for kind, file in (("disk-groups", "sm01a1.disk-groups.json"), ("volumes", "sm01a1.volumes.json"))
    for row in reply(file)[kind]
]


def observed(files: dict[str, list[Any]], rng: random.Random) -> Observed:
    with TemporaryDirectory() as folder:
        for file, rows in files.items():
            kinds = rng.sample(["disk-groups", "volumes"], 2)
            held = {kind: [row for k, row in rows if k == kind] for kind in kinds}
            (Path(folder) / f"sm01a1.{file}.json").write_text(json.dumps({k: v for k, v in held.items() if v}))
        found, findings = load_observed(Path(folder))
        assert findings == ()
        return found


@settings(max_examples=25, deadline=None)
@given(randoms)
def test_the_order_of_replies_and_of_their_fields_changes_nothing(rng: random.Random) -> None:
    first = observed({"all": ROWS}, rng).arrays["sm01a1"]
    other = observed(dealt([(kind, shuffled(row, rng)) for kind, row in ROWS], rng), rng).arrays["sm01a1"]
    assert len(first.groups) == len(first.volumes) == 8
    assert (dict(first.groups), dict(first.volumes)) == (dict(other.groups), dict(other.volumes))


@settings(max_examples=5, deadline=None)
@given(randoms)
def test_replies_in_any_files_give_the_same_plan(rng: random.Random) -> None:
    folder = resources.folder("examples") / "large+hdmd.observed"
    with TemporaryDirectory() as name:
        for path in folder.iterdir():
            array, _, rest = path.name.partition(".")
            (Path(name) / f"{array}.{rng.choice('abcxyz')}-{rest}").write_bytes(path.read_bytes())
        first, other = (workflow.plan(workflow.Given("large+hdmd", None, f)) for f in (folder, Path(name)))
    assert first.sized is not None
    assert other.sized is not None
    assert first.sized.plan == other.sized.plan
    assert first.sized.figures == other.sized.figures
    assert told(first.findings) == told(other.findings)
