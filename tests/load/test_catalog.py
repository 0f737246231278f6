"""The shipped catalogs, their snapshot, and records laid over them."""

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import pytest
import yaml
from pydantic import Field

from pixsize import codes, resources
from pixsize.catalog.designs import ModuleSize
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import (
    AdapterId,
    Constant,
    Drive,
    DriveId,
    LayoutId,
    Limit,
    Many,
    Model,
    Record,
    Ref,
    ServerId,
)
from pixsize.load import catalog_loader, load_catalog, load_request, record_checks, snapshot
from pixsize.load.record_checks import references

SOURCES = "sources: [{document: pixsize, place: a test}]\n"
DRIVE = "kind: drive\nid: nl-sas-21.7tb\ntitle: 21.7 TB NL-SAS\nsources: [{document: pixsize, place: a test}]\ncapacity: 21.7 TB\nmedia: nl-sas\n"


@pytest.fixture
def overlay(tmp_path):
    def lay(**texts):
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        return load_catalog(folder)

    return lay


def found(findings):
    return [(f.code, f.position.file.rpartition("/")[2], f.position.line, f.position.column) for f in findings]


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()[0]


def test_every_shipped_record_is_valid_and_makes_sense(catalog):
    for record_id in catalog.ids():
        record = catalog.record(record_id)
        assert list(record_checks.trouble(record)) == []
        assert list(record_checks.bad_texts(catalog.raw[record_id])) == []
        for where, named, kinds in references(record):
            assert catalog.raw[named]["kind"] in kinds, (record_id, where, named)


class Gateway(Model):
    """What a record of a product may be made of."""

    adapters: dict[AdapterId, int] = Field(default_factory=dict)
    layouts: dict[str, LayoutId] = Field(default_factory=dict)
    pair: tuple[DriveId, DriveId] | None = None


class GatewayNode(Record):
    """A kind of record as a product has its own."""

    model: ServerId = ""
    runs: Annotated[str, Ref("lustre_release", "ports"), Field(min_length=1)] | None = Field(None, alias="software")
    gateways: Many[Gateway] = ()
    word: str = "r750"


def test_what_a_record_of_a_product_names_is_found_by_its_annotations():
    words = {
        "id": "g",
        "title": "t",
        "sources": [{"document": "nobody", "place": "p"}],
        "model": "r9000",
        "software": "lustre-9",
        "gateways": [{}, {"adapters": {"cx-9": 1}, "layouts": {"any": "round"}, "pair": ("nvme-1pb", "tape")}],
    }
    assert list(references(GatewayNode.model_validate(words))) == [
        ("sources[0].document", "nobody", ("source",)),
        ("model", "r9000", ("server",)),
        ("software", "lustre-9", ("lustre_release", "ports")),
        ("gateways[1].adapters.cx-9", "cx-9", ("adapter",)),
        ("gateways[1].layouts.any", "round", ("layout",)),
        ("gateways[1].pair[0]", "nvme-1pb", ("drive",)),
        ("gateways[1].pair[1]", "tape", ("drive",)),
    ]
    assert list(references(GatewayNode.model_validate({"id": "g", "title": "t"}))) == []


def test_a_record_of_a_product_names_only_what_there_is(overlay, monkeypatch):
    monkeypatch.setitem(KINDS.places, "gateway", f"{__name__}:GatewayNode")
    _, findings = overlay(
        a="kind: gateway\nid: g\ntitle: t\nmodel: me4084\ngateways: [{layouts: {any: round}}]\n" + SOURCES
    )
    assert found(findings) == [("PX202", "a.yaml", 4, 8), ("PX202", "a.yaml", 5, 28)]
    assert [f.message for f in findings] == [
        "g: me4084 is no record of kind server",
        "g: no record 'round' of kind layout",
    ]


def test_every_reference_is_to_kinds_that_there_are(catalog):
    named = {kind for i in catalog.ids() for _, _, kinds in references(catalog.record(i)) for kind in kinds}
    assert named <= set(KINDS)
    assert named >= {
        "source",
        "drive",
        "array",
        "server",
        "adapter",
        "switch",
        "layout",
        "design",
        "constant",
        "tuning",
    }


def test_a_shipped_measurement_keeps_its_words_when_its_design_is_replaced(catalog, overlay):
    """The design of another file system stands for pixstor-6; what was measured was Storage Scale all the same."""
    design = {k: v for k, v in catalog.raw["lustre-me4"].items() if k != "id"} | {"replaces": "pixstor-6"}
    laid, findings = overlay(mine=yaml.safe_dump(design, sort_keys=False))
    assert findings == ()
    assert laid.record("pixstor-6").filesystem == "lustre"
    measured = [m for m in laid.all(Measurement) if m.system and m.system.design == "pixstor-6"]
    assert {m.system.variant for m in measured} == {"hdmd"}


def test_every_kind_is_shipped(catalog):
    assert {catalog.raw[i]["kind"] for i in catalog.ids()} == set(KINDS)


@pytest.fixture
def anew():
    """The shipped records are read again, as at the start of a process."""
    catalog_loader._shipped.cache_clear()
    yield
    catalog_loader._shipped.cache_clear()


def test_the_committed_snapshot_is_current():
    folder = resources.folder("catalogs")
    names = catalog_loader.catalog_files(folder)
    held = catalog_loader.from_yaml(folder, names)
    assert held.findings == []
    wanted = snapshot.text_of(held, catalog_loader.digest(folder, names))
    assert catalog_loader.FILE.read_text(encoding="utf-8") == wanted, "run: python -m pixsize.load.snapshot"


def test_snapshot_and_yaml_give_the_same_catalog(anew, monkeypatch):
    fast = load_catalog()[0]
    monkeypatch.setattr(catalog_loader, "FILE", catalog_loader.FILE.with_name("absent.json"))
    slow, findings = load_catalog()
    assert findings == ()
    assert slow.raw == fast.raw
    assert {i: list(words) for i, words in slow.raw.items()} == {i: list(words) for i, words in fast.raw.items()}


def test_the_snapshot_spares_the_parsing(anew, monkeypatch):
    def refuse(*_args):
        raise AssertionError("the YAML was parsed")

    monkeypatch.setattr(catalog_loader, "from_yaml", refuse)
    assert load_catalog()[1] == ()


@pytest.fixture
def copied(anew, tmp_path, monkeypatch):
    folder = tmp_path / "catalogs"
    shutil.copytree(resources.folder("catalogs"), folder)
    monkeypatch.setattr(catalog_loader.resources, "folder", lambda _name: folder)
    return folder


def test_an_edited_catalog_is_read_anew(copied):
    path = copied / "drives" / "nl-sas.yaml"
    path.write_text(path.read_text().replace("capacity: 12 TB", "capacity: 13 TB"))
    catalog, findings = load_catalog()
    assert findings == ()
    assert catalog.get(Drive, "nl-sas-12tb").capacity_bytes == 13 * 10**12


def test_a_renamed_or_added_file_is_noticed(copied):
    before = catalog_loader.digest(copied, catalog_loader.catalog_files(copied))
    (copied / "drives" / "nl-sas.yaml").rename(copied / "drives" / "other.yaml")
    assert catalog_loader.digest(copied, catalog_loader.catalog_files(copied)) != before
    (copied / "new.yml").write_text(DRIVE)
    assert "nl-sas-21.7tb" in load_catalog()[0]


def test_a_broken_shipped_catalog_is_a_finding(copied):
    (copied / "drives" / "zz.yaml").write_text("- kind: drive\n  id: nl-sas-12tb\n- kind: dive\n  id: x\n")
    findings = load_catalog()[1]
    assert found(findings) == [("PX203", "zz.yaml", 3, 9), ("PX201", "zz.yaml", 2, 7)]


@pytest.mark.parametrize("content", ["{", '{"digest": "x"}', "[]"])
def test_a_broken_snapshot_is_passed_over(anew, tmp_path, monkeypatch, content):
    path = tmp_path / "s.json"
    path.write_text(content)
    monkeypatch.setattr(catalog_loader, "FILE", path)
    assert "nl-sas-12tb" in load_catalog()[0]


def test_the_snapshot_is_written_by_its_command(copied, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(snapshot, "FILE", tmp_path / "s.json")
    monkeypatch.setattr(snapshot, "SNAPSHOT", tmp_path / "codes.json")
    monkeypatch.setattr(snapshot.resources, "folder", lambda _name: copied)
    assert snapshot.main() == 0
    assert (tmp_path / "s.json").read_bytes() == catalog_loader.FILE.read_bytes()
    (copied / "drives" / "zz.yaml").write_text("- kind: dive\n  id: x\n")
    assert snapshot.main() == 1
    assert "zz.yaml:1:9: PX203" in capsys.readouterr().out


def test_the_command_can_be_run(tmp_path):
    code = (
        "import pathlib, runpy, sys, pixsize.codes as c, pixsize.load.catalog_loader as s;"
        "s.FILE, c.SNAPSHOT = map(pathlib.Path, sys.argv[1:]);"
        "runpy.run_module('pixsize.load.snapshot', run_name='__main__')"
    )
    files = tmp_path / "s.json", tmp_path / "codes.json"
    subprocess.run([sys.executable, "-W", "error", "-c", code, *map(str, files)], check=True)
    assert [file.read_bytes() for file in files] == [catalog_loader.FILE.read_bytes(), codes.SNAPSHOT.read_bytes()]


def test_a_new_id_adds(overlay, tmp_path):
    catalog, findings = overlay(drive=DRIVE)
    assert findings == ()
    assert catalog.get(Drive, "nl-sas-21.7tb").capacity_bytes == 21_700_000_000_000
    request = tmp_path / "r.yaml"
    request.write_text(
        "name: x\ndesign: pixstor-6\nstorage_modules: [{size: large, data_drive: 21.7 TB}]\nfilesystem: {name: f}\n"
    )
    assert load_request(str(request), catalog)[0].request.storage_modules[0].data_drive == "nl-sas-21.7tb"


NEW = {
    "source": "publisher: me\n",
    "drive": "capacity: 5 TB\nmedia: nl-sas\n",
    "array": "family: me4\nslots: 12\nrack_units: 2 U\ncontrollers: 2\n",
    "server": "rack_units: 1 U\n",
    "adapter": "use: sas\nports: 4\nlane_rate: 1 GB/s\npcie_lanes: 8\npcie_lane_rate: 1 GB/s\n",
    "switch": "rack_units: 1 U\nports: 8\nnetwork: ethernet\n",
    "layout": "slots: 12\ngroups: [{purpose: data, level: r6, slots: ['0-9']}]\nspares: '10,11'\n",
    "module_size": "design: pixstor-6\nsize: tiny\narrays: 1\n",
    "limit": "value: 3 TiB\n",
    "choice": "values: [1 KiB, 2 KiB]\n",
    "statement": "figure: capacity.raw\nunit: B\nsystem: {design: pixstor-6, storage_modules: [{size: small, data_drive: nl-sas-12tb}]}\nreadings: [{value: 5 TB, document: pixsize, place: here}]\n",
    "constant": "value: 2 %\nlow: 1 %\nhigh: 3 %\nbasis: estimated\n",
    "measurement": "figure: throughput.sequential.n_n.write.peak\nunit: B/s\nreadings: [{value: 5 GB/s, document: pixsize, place: here}]\nconditions: {}\ntrust: width\n",
}


@pytest.mark.parametrize("kind", NEW)
def test_every_kind_can_be_added(overlay, kind):
    catalog, findings = overlay(
        new=f"kind: {kind}\nid: mine\ntitle: mine\nsources: [{{document: pixsize, place: x}}]\n{NEW[kind]}"
    )
    assert findings == ()
    assert isinstance(catalog.record("mine"), KINDS[kind])


def test_a_design_can_be_added(overlay, catalog):
    words = dict(catalog.raw["pixstor-6"]) | {"id": "my-pixstor"}
    assert overlay(design=yaml.safe_dump(words))[1] == ()


def test_every_shipped_record_can_be_laid_over_itself(overlay, catalog):
    records = [dict(words) | {"replaces": record_id} for record_id, words in catalog.raw.items()]
    again, findings = overlay(all=yaml.safe_dump(records, sort_keys=False, allow_unicode=True))
    assert findings == ()
    assert again.raw == catalog.raw


def test_replaces_with_the_same_id_or_none(overlay):
    for id_line in ("id: scale.nsds\n", ""):
        catalog, findings = overlay(
            limit=f"kind: limit\n{id_line}title: more\nreplaces: scale.nsds\nvalue: 100000\n{SOURCES}"
        )
        assert findings == ()
        assert catalog.get(Limit, "scale.nsds").value == 100_000
        assert "replaces" not in catalog.raw["scale.nsds"]


def test_a_replaced_id_finds_its_successor(overlay):
    catalog, findings = overlay(drive=DRIVE + "replaces: nl-sas-12tb\n")
    assert findings == ()
    assert catalog.record("nl-sas-12tb").id == "nl-sas-21.7tb"
    assert "nl-sas-12tb" in catalog
    assert "nl-sas-12tb" not in catalog.ids("drive")


def test_two_drives_of_one_capacity_are_ambiguous(overlay, tmp_path):
    catalog, _ = overlay(drive=DRIVE.replace("21.7 TB", "12 TB"))
    request = tmp_path / "r.yaml"
    request.write_text(
        "name: x\ndesign: pixstor-6\nstorage_modules: [{size: large, data_drive: 12 TB}]\nfilesystem: {name: f}\n"
    )
    loaded, findings = load_request(str(request), catalog)
    assert (loaded, [f.code for f in findings]) == (None, ["PX109"])
    assert "nl-sas-12tb or nl-sas-21.7tb" in findings[0].message
    request.write_text(request.read_text().replace("12 TB", "nl-sas-21.7tb"))
    assert load_request(str(request), catalog)[1] == ()


def test_a_file_may_hold_a_list_and_lie_deeper(tmp_path):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "many.yml").write_text(
        yaml.safe_dump(
            [yaml.safe_load(f"kind: limit\nid: mine.{n}\ntitle: t\nvalue: {n}\n{SOURCES}") for n in (1, 2, 3)]
        )
    )
    (tmp_path / "README.md").write_text("no: record")
    catalog, findings = load_catalog(tmp_path)
    assert findings == ()
    assert [catalog.get(Limit, f"mine.{n}").value for n in (1, 2, 3)] == [1, 2, 3]


BAD = [
    (DRIVE.replace("nl-sas-21.7tb", "nl-sas-12tb"), [("PX201", 2, 5)]),
    (DRIVE + "replaces: nl-sas-99tb\n", [("PX202", 7, 11)]),
    (DRIVE + "replaces: me4084\n", [("PX203", 1, 7)]),
    (DRIVE.replace("kind: drive", "kind: drvie"), [("PX203", 1, 7)]),
    (DRIVE.replace("kind: drive\n", ""), [("PX203", 1, 1)]),
    (DRIVE.replace("kind: drive", "kind: [drive]"), [("PX203", 1, 1)]),
    (DRIVE.replace("id: nl-sas-21.7tb\n", ""), [("PX203", 1, 1)]),
    (DRIVE.replace("id: nl-sas-21.7tb", "id: 20"), [("PX203", 2, 5)]),
    (DRIVE.replace("id: nl-sas-21.7tb", "id: 'a b'"), [("PX203", 2, 5)]),
    (DRIVE.replace("id: nl-sas-21.7tb", 'id: "a\\e[1m"'), [("PX203", 2, 5)]),
    (DRIVE + "replaces: 5\n", [("PX203", 7, 11)]),
    (DRIVE.replace("capacity", "capcity"), [("PX203", 1, 1), ("PX203", 5, 1)]),
    (DRIVE.replace("21.7 TB\n", "20\n", 2).replace("title: 20\n", "title: x\n"), [("PX203", 5, 11)]),
    (DRIVE.replace("media: nl-sas", "media: tape"), [("PX203", 6, 8)]),
    (DRIVE.replace("title: 21.7 TB NL-SAS", "title: 20"), [("PX203", 3, 8)]),
    (DRIVE.replace("capacity: 21.7 TB", "capacity: 0 B"), [("PX203", 5, 11)]),
    (DRIVE.replace("document: pixsize", "document: nobody"), [("PX202", 4, 22)]),
    (DRIVE.replace("document: pixsize", "document: me4084"), [("PX202", 4, 22)]),
    (DRIVE.replace("21.7 TB NL-SAS", '"a\\e[1mb"'), [("PX203", 3, 8)]),
    (DRIVE + "note: yes\n", [("PX009", 7, 7)]),
    (DRIVE + "rpm: '7200'\n", [("PX203", 7, 6)]),
    ("- x\n- 3\n", [("PX203", 1, 3), ("PX203", 2, 3)]),
    ("text\n", [("PX005", 1, 1)]),
    ("", [("PX005", 1, 1)]),
    ("a: [x\n", [("PX004", 1, 4)]),
    ("kind: module_size\nid: x\ntitle: t\ndesign: pixstor-9\nsize: s\narrays: 1\n", [("PX202", 4, 9)]),
    ("kind: module_size\nid: x\ntitle: t\ndesign: pixstor-6\nsize: s\narrays: 1000000\n", [("PX203", 6, 9)]),
    ("kind: constant\nid: x\ntitle: t\nvalue: 5 %\nlow: 6 %\nhigh: 7 %\nbasis: exact\n", [("PX203", 4, 8)]),
    ("kind: limit\nid: x\ntitle: t\nvalue: -5\n", [("PX203", 4, 8)]),
    ("kind: limit\nid: x\ntitle: t\nvalue: 5 W\n", [("PX203", 4, 8)]),
    ("kind: choice\nid: x\ntitle: t\nvalues: []\n", [("PX203", 4, 1)]),
    ("kind: choice\nid: x\ntitle: t\nvalues: [2 KiB, 1 KiB]\n", [("PX203", 4, 1)]),
    ("kind: choice\nid: x\ntitle: t\nvalues: [0, 1 KiB]\n", [("PX203", 4, 1)]),
    (
        "kind: statement\nid: x\ntitle: t\nfigure: capacity.raw\nunit: B\nsystem: {design: pixstor-9, storage_modules: [{size: small, data_drive: nope}]}\n"
        "readings: [{value: 5 B, document: nobody, place: p}, {value: 5 W, document: pixsize, place: p}]\n",
        [("PX202", 6, 18), ("PX202", 6, 73), ("PX202", 7, 35), ("PX203", 7, 1), ("PX203", 7, 62)],
    ),
    (
        "kind: layout\nid: x\ntitle: t\nslots: 4\ngroups: [{purpose: data, level: r1, slots: ['0,1', '1,2']}]\nspares: '4'\n",
        [("PX203", 5, 52), ("PX203", 6, 9)],
    ),
    (
        "kind: layout\nid: x\ntitle: t\nslots: 4\ngroups: [{purpose: data, level: r1, slots: ['3-1']}]\n",
        [("PX203", 5, 45)],
    ),
    (
        "kind: array\nid: x\ntitle: t\nfamily: me4\nslots: 100000000\nrack_units: 2 U\ncontrollers: 2\n",
        [("PX203", 5, 8)],
    ),
    (
        "kind: measurement\nid: x\ntitle: t\nfigure: f\nunit: B/s\nreadings: [{value: 5 W, document: pixsize, place: p}, {value: 5 B/s, document: pixsize, place: p}]\nconditions: {}\ntrust: width\n",
        [("PX203", 6, 1), ("PX203", 6, 20)],
    ),
    (
        "kind: measurement\nid: x\ntitle: t\nfigure: throughput.sequential.n_n.write.peak\nunit: B/s\nsystem: {design: pixstor-6, block_size: 8 MiB, storage_modules: [{size: small, data_drive: r750}], hdmd: {drive: nope}}\n"
        "readings: [{value: 5 B/s, document: pixsize, place: p}]\nconditions: {}\n",
        [("PX202", 6, 92), ("PX202", 6, 114)],
    ),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=range(len(BAD)))
def test_bad_records_are_refused_where_they_stand(overlay, text, expected):
    if text.startswith("kind: ") and "sources:" not in text:
        text += SOURCES
    _, findings = overlay(bad=text)
    assert sorted((c, line, column) for c, _, line, column in found(findings)) == sorted(expected)
    assert {f.position.file.rpartition("/")[2] for f in findings} <= {"bad.yaml"}
    assert all(f.message.isprintable() for f in findings)


def test_both_places_of_a_duplicate_are_named(overlay):
    _, findings = overlay(a=DRIVE, b="\n" + DRIVE)
    assert found(findings) == [("PX201", "b.yaml", 3, 5)]
    assert "a.yaml:1" in findings[0].message
    _, findings = overlay(
        a=DRIVE.replace("nl-sas-21.7tb", "nl-sas-12tb"), b="- {kind: limit, id: x, title: t, value: 1}"
    )
    assert "catalogs/drives/nl-sas.yaml:" in findings[0].message
    assert "replaces: nl-sas-12tb" in findings[0].hint


def test_one_record_is_replaced_once(overlay):
    _, findings = overlay(
        a=DRIVE + "replaces: nl-sas-12tb\n", b=DRIVE.replace("21.7tb", "21.8tb") + "replaces: nl-sas-12tb\n"
    )
    assert found(findings) == [("PX201", "b.yaml", 7, 11)]
    assert "a.yaml:1" in findings[0].message


def test_hints_name_the_nearest(overlay):
    assert "drive" in overlay(a=DRIVE.replace("kind: drive", "kind: drvie"))[1][0].hint
    assert "nl-sas-1" in overlay(a=DRIVE + "replaces: nl-sas-12.1tb\n")[1][0].hint
    assert any("capacity" in f.hint for f in overlay(a=DRIVE.replace("capacity", "capcity"))[1])


def test_everything_wrong_is_found_at_once(overlay):
    _, findings = overlay(a=DRIVE.replace("21.7 TB\n", "20 W\n"), b="a: [", c=DRIVE.replace("nl-sas-21.7tb", "me4084"))
    assert sorted(f.code for f in findings) == ["PX004", "PX201", "PX203"]


def test_folders_that_are_none(tmp_path):
    (tmp_path / "file").write_text("x")
    for path, why in ((tmp_path / "gone", "no such folder"), (tmp_path / "file", "no folder")):
        catalog, findings = load_catalog(path)
        assert found(findings) == [("PX001", path.name, 1, 1)]
        assert why in findings[0].message
        assert "nl-sas-12tb" in catalog


def test_links_pipes_and_hidden_files_do_no_harm(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / ".#draft.yaml").write_text("a: [")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text("a: [")
    (tmp_path / "real.yaml").write_text(DRIVE)
    catalog, findings = load_catalog(tmp_path)
    assert [(f.code, f.severity, Path(f.position.file).name) for f in findings] == [
        ("PX204", "warning", name) for name in ("gone.yaml", "loop", "pipe.yaml")
    ]
    assert "nl-sas-21.7tb" in catalog


def test_a_link_to_a_file_is_read(tmp_path):
    (tmp_path / "kept").write_text(DRIVE)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "drive.yaml").symlink_to(tmp_path / "kept")
    assert "nl-sas-21.7tb" in load_catalog(folder)[0]


def test_a_folder_too_large_to_be_a_catalog(tmp_path, monkeypatch):
    monkeypatch.setattr("pixsize.load.record_files._MOST_ENTRIES", 3)
    for n in range(5):
        (tmp_path / f"{n}.txt").write_text("")
    assert found(load_catalog(tmp_path)[1]) == [("PX207", tmp_path.name, 1, 1)]


def test_the_order_of_files_changes_nothing(tmp_path):
    texts = [DRIVE, DRIVE.replace("20", "22"), "kind: limit\nid: m\ntitle: t\nvalue: 1\n"]
    catalogs = []
    for order in ((0, 1, 2), (2, 1, 0)):
        folder = tmp_path / "".join(map(str, order))
        folder.mkdir()
        for name, index in zip("abc", order, strict=True):
            (folder / f"{name}.yaml").write_text(texts[index])
        catalogs.append(load_catalog(folder)[0])
    assert catalogs[0].raw == catalogs[1].raw
    assert list(catalogs[0].raw) == list(catalogs[1].raw)


def test_values_survive_the_way_through_the_snapshot(catalog):
    assert json.loads(json.dumps(catalog.raw)) == catalog.raw
    assert catalog.get(Constant, "me4.volume_margin").value == Fraction(3, 100)
    assert catalog.get(ModuleSize, "pixstor-6.large").arrays == 4
    assert len(catalog.all(Measurement)) > 10


LIMIT = "kind: limit\nreplaces: {}\ntitle: t\nvalue: {}\n" + SOURCES.replace("{", "{{").replace("}", "}}")
SIZE = "kind: module_size\nid: mine\ntitle: t\ndesign: pixstor-6\nsize: {}\narrays: {}\n" + SOURCES.replace(
    "{", "{{"
).replace("}", "}}")


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        (LIMIT.format("me4.volume_alignment", "0 B"), (4, 8), "at least 1"),
        (LIMIT.format("me4.volume_alignment", "0"), (4, 8), "at least 1"),
        (LIMIT.format("me4.volume_alignment", "1 EB"), (4, 8), "at most"),
        (LIMIT.format("me4.volume_alignment", "1000 B"), (4, 8), "no multiple of 512 B"),
        (LIMIT.format("powerflex.volume_step", "1 MiB"), (4, 8), "no multiple of 1,073,741,824 B"),
        (LIMIT.format("lustre.fsname_chars", "20"), (4, 8), "at most 8"),
        (LIMIT.format("powerflex.mirror_copies", "1"), (4, 8), "pixsize knows 2 alone"),
        (LIMIT.format("powerflex.mirror_copies", "5"), (4, 8), "pixsize knows 2 alone"),
        (LIMIT.format("me4.volume_alignment", "300"), (4, 8), "a size with its unit"),
        (LIMIT.format("scale.nsds", "4000 TB"), (4, 8), "a count without a unit"),
        (LIMIT.format("scale.nsds", "0"), (4, 8), "at least 1"),
        (LIMIT.format("scale.nsds", "-1"), (4, 8), "out of range"),
        (LIMIT.format("scale.nsds", "4.5"), (4, 8), "4.5 is no whole number"),
        (LIMIT.format("scale.nsds", "true"), (4, 8), "True"),
        (LIMIT.format("me4.volume_bytes", "99999999999999 YB"), (4, 8), "exabyte"),
        (DRIVE.replace("21.7 TB\nmedia", "14 TiB\nmedia"), (5, 11), "decimal units"),
        (DRIVE.replace("21.7 TB\nmedia", "2 EB\nmedia"), (5, 11), "out of range"),
        (DRIVE + "rpm: -1\n", (7, 6), "at least 1"),
        (DRIVE.replace("[{document: pixsize, place: a test}]", "[]"), (4, 1), "at least one source"),
        (SIZE.format("tiny", "true"), (6, 9), "true stands here"),
        (SIZE.format("tiny", "'3'"), (6, 9), "a whole number is needed"),
        (SIZE.format("''", "3"), (5, 7), "no name of a size"),
        (SIZE.format("-x", "3"), (5, 7), "no name of a size"),
        (SIZE.format("$(x)", "3"), (5, 7), "no name of a size"),
        ("kind: layout\nid: x\ntitle: t\nslots: 1000000000\ngroups: []\n" + SOURCES, (4, 8), "at most 1000"),
    ],
)
def test_values_that_no_plan_could_use_are_refused(overlay, text, place, why):
    _, findings = overlay(bad=text)
    assert {(f.code, f.position.line, f.position.column) for f in findings} == {("PX203", *place)}
    assert why in " ".join(f.message for f in findings)


def test_one_size_of_a_design_is_described_once(overlay):
    _, findings = overlay(a=SIZE.format("large", 4))
    assert [(f.code, f.position.line) for f in findings] == [("PX201", 5)]
    assert "replaces: pixstor-6.large" in findings[0].hint
    assert overlay(a=SIZE.format("large", 4) + "replaces: pixstor-6.large\n")[1] == ()


def test_a_layout_has_the_slots_of_its_enclosure(overlay, catalog):
    words = dict(catalog.raw["pixstor-6.me4084.hdmd"]) | {"slots": 90, "replaces": "pixstor-6.me4084.hdmd"}
    _, findings = overlay(a=yaml.safe_dump(words))
    assert {f.code for f in findings} == {"PX203"}
    told = " ".join(f.message for f in findings)
    for design in ("pixstor-5", "pixstor-6"):
        assert f"{design} uses pixstor-6.me4084.hdmd for me4084, which has 84" in told


def test_names_in_capitals_are_read_and_empty_folders_are_said(tmp_path):
    assert found(load_catalog(tmp_path)[1]) == [("PX204", tmp_path.name, 1, 1)]
    (tmp_path / "A.YAML").write_text(DRIVE)
    catalog, findings = load_catalog(tmp_path)
    assert (findings, "nl-sas-21.7tb" in catalog) == ((), True)


def test_files_under_other_names_are_not_passed_over_in_silence(tmp_path):
    for name in ("drive.txt", "drive.yaml.bak", "notes", ".hidden", "README.md", "readme"):
        (tmp_path / name).write_text("kind: drive\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "drive.json").write_text("{}")
    (tmp_path / "drive.yaml").write_text(DRIVE)
    findings = load_catalog(tmp_path)[1]
    assert [(f.code, f.severity) for f in findings] == [("PX204", "warning")] * 4
    names = [str(Path(f.position.file).relative_to(tmp_path)) for f in findings]
    assert names == ["deep/drive.json", "drive.txt", "drive.yaml.bak", "notes"]


SHARE = "kind: constant\nreplaces: {}\nid: ours\ntitle: t\n" + SOURCES.replace("{", "{{").replace("}", "}}")
SHARE += "value: {}\nlow: {}\nhigh: {}\nbasis: estimated\n"


@pytest.mark.parametrize(
    "constant", ["lustre.mdtest_surplus", "me4.array_overhead", "me4.volume_margin", "scale.data_overhead"]
)
def test_what_is_taken_away_is_never_all(overlay, constant):
    assert overlay(a=SHARE.format(constant, "50 %", "0 %", "99.9 %"))[1] == ()
    for value, low, high, lines in (("2 %", "1 %", "100 %", [8]), ("100 %", "1 %", "150 %", [6, 8])):
        findings = overlay(a=SHARE.format(constant, value, low, high))[1]
        assert [(f.code, f.position.line) for f in sorted(findings, key=lambda f: f.position.line)] == [
            ("PX203", line) for line in lines
        ]
        assert all(f"{constant} takes away at least 0 %, and less than 100 %" in f.message for f in findings)


@pytest.mark.parametrize("constant", ["scale.inode_share", "server.memory_share"])
def test_what_is_granted_is_never_nothing(overlay, constant):
    assert overlay(a=SHARE.format(constant, "100 %", "0.1 %", "100 %"))[1] == ()
    for value, low, high, line in (("50 %", "0 %", "100 %", 7), ("50 %", "1 %", "101 %", 8)):
        (finding,) = overlay(a=SHARE.format(constant, value, low, high))[1]
        assert (finding.code, finding.position.line) == ("PX203", line)
        assert f"{constant} grants more than 0 %, and at most 100 %" in finding.message


@pytest.mark.parametrize("constant", ["arrays.size_weight", "arrays.drives_weight"])
def test_a_weight_lies_between_two_ends(overlay, constant):
    """It is a part of the way: none of it, or all, and nothing beyond."""
    assert overlay(a=SHARE.format(constant, "50 %", "0 %", "100 %"))[1] == ()
    assert overlay(a=SHARE.format(constant, "0 %", "0 %", "0 %"))[1] == ()
    for low, high, line in (("0 %", "101 %", 8), ("-1 %", "100 %", 7)):
        (finding,) = overlay(a=SHARE.format(constant, "50 %", low, high))[1]
        assert (finding.code, finding.position.line) == ("PX203", line)
    findings = overlay(a=SHARE.format(constant, *["1000 %"] * 3))[1]
    assert {(f.code, "is at least 0 %, and at most 100 %" in f.message) for f in findings} == {("PX203", True)}


def test_a_share_that_stands_for_nothing_shipped_is_free(overlay):
    assert overlay(a=SHARE.replace("replaces: {}\n", "").format("150 %", "150 %", "150 %"))[1] == ()


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"scale.block_min": "32 MiB"}, "scale.block_min is 32 MiB and scale.block_max 16 MiB"),
        ({"scale.block_max": "32 KiB"}, "scale.block_min is 64 KiB and scale.block_max 32 KiB"),
        (
            {"scale.block_min": "2 MiB", "scale.block_max": "1 MiB"},
            "scale.block_min is 2 MiB and scale.block_max 1 MiB",
        ),
        ({"me4.lun_min": 255}, "me4.lun_min is 255 and me4.lun_max 254"),
        ({"me4.lun_max": 1}, "me4.lun_min is 2 and me4.lun_max 1"),
        ({"me4.r5_drives_min": 17}, "me4.r5_drives_min is 17 and me4.r5_drives_max 16"),
        ({"me4.r6_drives_max": 3}, "me4.r6_drives_min is 4 and me4.r6_drives_max 3"),
        ({"me4.r10_drives_min": 17}, "me4.r10_drives_min is 17 and me4.r10_drives_max 16"),
    ],
)
@pytest.mark.parametrize("own", ["", "id: ours.{}\n"])
def test_bounds_that_cross_are_refused_once(overlay, limits, said, own):
    texts = {f"r{n}": LIMIT.format(i, v) + own.format(n) for n, (i, v) in enumerate(limits.items())}
    (finding,) = overlay(**texts)[1]
    assert (finding.code, finding.position.line, finding.position.column) == ("PX203", 4, 8)
    assert finding.message.endswith(f"{said}: nothing lies between them")


def test_bounds_may_meet(overlay):
    assert overlay(a=LIMIT.format("scale.block_min", "16 MiB"), b=LIMIT.format("me4.lun_max", "2"))[1] == ()


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "\ud800"])
def test_a_folder_whose_name_no_system_takes(tmp_path, name):
    assert [f.code for f in load_catalog(tmp_path / name)[1]] == ["PX001"]


def test_very_many_findings_are_cut_short(overlay):
    _, findings = overlay(a=DRIVE + "".join(f"w{n}: 1\n" for n in range(5000)))
    assert len(findings) == 100
    assert "more is wrong" in findings[-1].message


def test_every_kind_of_design_can_be_named_by_a_request(catalog):
    from pixsize.catalog.designs import Design
    from pixsize.catalog.kinds import kinds_of
    from pixsize.catalog.records import DESIGNS

    assert set(DESIGNS) == set(kinds_of(Design))


def test_a_plan_of_one_file_system_loads_nothing_of_another():
    """Each start pays for what it uses: a request for GPFS needs no request, rule or renderer of Lustre.

    Rates of arrays that were measured below Lustre serve it, too, and Lustre says what was measured: `figures.system`, in its terms.
    """
    code = (
        "import sys; sys.argv = ['pixsize', 'plan', '-q', '--config', 'large']\n"
        "from pixsize.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.startswith('pixsize') and ('lustre' in m or m.endswith('.ha')) and not m.endswith(('products.lustre', '.product'))), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lustre = [f"pixsize.products.lustre.{m}" for m in ("figures", "figures.system", "plan", "terms")]
    assert done.stderr.splitlines()[-1] == repr(lustre)


@pytest.mark.parametrize(
    ("text", "word", "why"),
    [
        (
            LIMIT.format("lustre.fsname_chars", "8") + "\nmost: 40\n",
            "most",
            "bounds of lustre.fsname_chars are those of the shipped",
        ),
        (
            LIMIT.format("me4.volume_alignment", "4 MiB") + "\nmultiple_of: 1\n",
            "multiple_of",
            "bounds of me4.volume_alignment",
        ),
        (LIMIT.format("lustre.fsname_chars", "8") + "\nmost: 8\n", "", ""),
    ],
)
def test_an_overlay_moves_no_bounds_of_a_bound(overlay, text, word, why):
    _, findings = overlay(mine=text)
    assert [f.code for f in findings] == (["PX203"] if word else [])
    assert all(why in f.message and f.position.text.startswith(word) for f in findings)
