"""What each command does for the one who calls it."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pixsize import workflow
from pixsize.catalog.kinds import KINDS
from pixsize.estimate.evidence import evidence_for
from pixsize.load import load_catalog
from pixsize.render import RENDERERS, File
from pixsize.resources import folder
from pixsize.units import show
from tests.support.cli_support import LEGAL, loads, program, request, run

DOUBTFUL = LEGAL
"""One warning, PX573: all metadata lies on one array."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def accepted(text: str, code: str = "PX573") -> str:
    return text + f"accept: [{{code: {code}, reason: we have a tie breaker}}]\n"


# check


def test_check_prints_findings_as_data(tmp_path: Path) -> None:
    request(tmp_path, DOUBTFUL)
    result = run("check")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert ": warning PX573 " in result.stdout
    assert result.stdout.splitlines()[-1] == "pixsize.yaml: 1 warning, 2 notes"


def test_strict_makes_warnings_count_but_not_notes(tmp_path: Path) -> None:
    request(tmp_path, DOUBTFUL)
    assert run("check", "--strict").exit_code == 1
    request(tmp_path, accepted(DOUBTFUL))
    result = run("check", "--strict")
    assert result.exit_code == 0
    assert "accepted: we have a tie breaker" in result.stdout
    assert "1 warning (1 accepted), 2 notes" in result.stdout


def test_accepted_warning_carries_its_reason_in_json(tmp_path: Path) -> None:
    request(tmp_path, accepted(DOUBTFUL))
    findings = loads(run("check", "--format", "json").stdout)["findings"]
    assert [f.get("accepted") for f in findings if f["code"] == "PX573"] == ["we have a tie breaker"]
    assert not any("accepted" in f for f in findings if f["code"] != "PX573")


def test_accepting_what_does_not_occur_is_mentioned(tmp_path: Path) -> None:
    request(tmp_path, accepted(LEGAL, "PX401"))
    result = run("check")
    assert result.exit_code == 0
    assert "accepted, but not found: PX401" in result.stdout
    assert "accepted, but not found" not in run("check", "-c", "mix").stdout


def test_findings_of_one_kind_at_one_place_are_told_once(tmp_path: Path) -> None:
    request(tmp_path, DOUBTFUL)
    findings = [json.dumps(f) for f in loads(run("check", "--format", "json").stdout)["findings"]]
    assert len(findings) == len(set(findings))


# plan -o


@pytest.mark.parametrize("form", ["text", "json", "yaml", "markdown"])
def test_output_file_holds_what_stdout_would(tmp_path: Path, form: str) -> None:
    request(tmp_path)
    shown = run("plan", "--format", form).stdout
    result = run("plan", "--format", form, "-o", "out.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "out.txt").read_text() == shown
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
    assert run("plan", "--format", form, "-o", "-").stdout == shown


def test_output_file_keeps_mode_and_follows_links(tmp_path: Path) -> None:
    request(tmp_path)
    real = tmp_path / "real.md"
    real.write_text("old")
    real.chmod(0o640)
    (tmp_path / "link.md").symlink_to(real)
    assert run("plan", "-o", "link.md").exit_code == 0
    assert real.read_text().startswith("# scratch\n")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert (tmp_path / "link.md").is_symlink()


def test_new_output_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    request(tmp_path)
    before = os.umask(0o027)
    try:
        run("plan", "-o", "new.txt")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_output_to_a_device_is_just_written() -> None:
    assert run("plan", "-c", "small", "-o", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.txt").write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    result = run("plan", "-c", "small", "-o", "out.txt")
    assert result.exit_code == 1
    assert "out.txt:1:1: error PX609 the file is not written: No space left on device" in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]
    assert (tmp_path / "out.txt").read_text() == "old"


@pytest.mark.parametrize("output", ["none/plan.json", "pixsize.yaml/plan.json"])
def test_a_file_that_cannot_be_made_is_a_finding(tmp_path: Path, output: str) -> None:
    """As one for which the disk has no room: the same exit code, the same code of a finding."""
    request(tmp_path)
    result = run("plan", "-c", "small", "-o", output)
    assert result.exit_code == 1
    assert f"{output}:1:1: error PX609 the file is not written: " in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["pixsize.yaml"]


# explain


def test_explain_walks_to_documents() -> None:
    text = run("explain", "capacity.formatted", "-c", "large+hdmd").stdout
    assert text.startswith("capacity.formatted = 3072 TB (2793.97 TiB)\n")
    assert "rule: " in text
    assert "source: Dell Technologies Validated Design" in text
    assert "capacity.raw = 4032 TB" in text


def test_explain_all_has_every_figure_of_the_plan() -> None:
    figures = loads(run("plan", "-c", "mix", "--format", "json").stdout)["figures"]
    explained = loads(run("explain", "--all", "-c", "mix", "--format", "json").stdout)
    assert [f["id"] for f in explained["figures"]] == list(figures)
    assert explained["schema"] == "pixsize.explain/1"


def test_explain_takes_several_figures_in_the_order_given() -> None:
    explained = loads(run("explain", "files.max", "capacity.raw", "-c", "small", "--format", "json").stdout)
    assert [f["id"] for f in explained["figures"]] == ["files.max", "capacity.raw"]


@pytest.mark.parametrize("example", ["large+hdmd", "lustre-me4", "lustre-powerflex"])
def test_explain_alone_lists_every_figure_in_a_line_each(example: str) -> None:
    figures = loads(run("plan", "-c", example, "--format", "json").stdout)["figures"]
    result = run("explain", "-c", example)
    head, rule, *rows = result.stdout.splitlines()
    assert result.exit_code == 0
    assert head.split() == ["figure", "value", "basis"]
    assert set(rule) == {" ", "-"}
    assert [row.split()[0] for row in rows] == list(figures)
    assert [row.split()[-1] for row in rows] == [f["basis"] for f in figures.values()]
    assert [" ".join(row.split()[1:-1]) for row in rows] == [show(f["value"], f["unit"]) for f in figures.values()]
    assert all(len(row) <= 80 for row in rows)
    assert "pixsize explain FIGURE" in result.stderr
    assert run("explain", "-q", "-c", example).stderr == ""
    listed = loads(run("explain", "-c", example, "--format", "json").stdout)
    assert listed["schema"] == "pixsize.figures/1"
    words = ("value", "low", "high", "unit", "basis")
    assert listed["figures"] == [{"id": i, **{w: f[w] for w in words}} for i, f in figures.items()]


def test_a_layout_without_spares_says_that_and_nothing_of_its_slots() -> None:
    for example in ("small", "large"):
        (figure,) = loads(run("explain", "capacity.spares", "-c", example, "--format", "json").stdout)["figures"]
        assert figure["value"] == 0
        assert figure["rule"].startswith("The layout has no hot spares: ")
        assert "slot" not in figure["rule"]
        assert not any("stand where" in i.get("note", "") for i in figure["inputs"])


def test_the_suggestion_for_a_family_is_what_the_first_lines_of_a_plan_show() -> None:
    from pixsize.report.explain import meant
    from pixsize.report.overview import HEADLINES

    for example in ("large+hdmd", "lustre-me4", "lustre-powerflex"):
        figures = loads(run("plan", "-c", example, "--format", "json").stdout)["figures"]
        assert set(HEADLINES) <= figures.keys()
        assert meant("throughput", figures) == tuple(i for i in HEADLINES if i.startswith("throughput."))


# where the findings of a plan are


@pytest.mark.parametrize(
    ("args", "streams", "there"),
    [
        ("", "2>&1", False),
        ("-q", "2>&1", True),
        ("", "", True),
        ("-o out.txt", "2>&1", True),
        ("", "2>/dev/null", True),
        ("", "2>&-", True),
    ],
)
def test_the_command_that_shows_findings_is_named_only_where_they_do_not_follow(
    tmp_path: Path, args: str, streams: str, there: bool
) -> None:
    request(tmp_path)
    command = f"exec {sys.executable} -m pixsize plan {args} {streams}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    shown = (tmp_path / "out.txt").read_text() if "-o" in args else done.stdout
    assert ("`pixsize check`" in shown) is there
    if not there:
        page, _, after = shown.partition(" warning PX573 ")
        assert "  - PX573 All metadata lies on one array. Fix: " in page
        assert "the loss of this array" in after


NO_EVIDENCE = """\
name: s
design: pixstor-6
storage_modules: [{size: small, data_drive: 12 TB}]
filesystem: {name: fs1}
"""


@pytest.mark.parametrize(
    ("figures", "hdmd", "codes"),
    [
        (["hardware.power"], "", ["PX407"]),
        (["metadata.empty.create.peak"], "", ["PX405"]),
        (
            ["metadata.4k.stat.sustained", "capacity.raw", "metadata.4k.read.peak", "hardware.power"],
            "",
            ["PX405", "PX407"],
        ),
        (["hardware.power"], "hdmd: {drive: 960 GB}\n", ["PX407"]),
    ],
)
def test_a_figure_that_nobody_measured_is_absent_for_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: list[str], hdmd: str, codes: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    request(tmp_path, NO_EVIDENCE + hdmd)
    result = run("explain", *figures)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"not in this plan: {', '.join(f for f in figures if f != 'capacity.raw')}\n")
    assert all(f" note {code} " in result.stderr for code in codes)
    held = loads(run("explain", *figures, "--format", "json").stdout)
    assert held["schema"] == "pixsize.findings/1"
    assert [f["code"] for f in held["findings"]] == codes


@pytest.fixture
def evidence_anew() -> Iterator[None]:
    """What is worked out from measurements is kept by the evidence: none of it outlives the test, or comes into it."""
    evidence_for.cache_clear()
    yield
    evidence_for.cache_clear()


@pytest.mark.usefixtures("evidence_anew")
def test_each_family_of_figures_has_its_own_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any measurement that a figure may be scaled from, one PX411 speaks of throughput and one of metadata."""
    monkeypatch.chdir(tmp_path)
    request(tmp_path)
    for found in ("measurements", "near"):
        monkeypatch.setattr(f"pixsize.estimate.evidence.Evidence.{found}", lambda *_: ())
    for figure, where in (
        ("throughput.random_4k.read.peak", "storage_modules"),
        ("metadata.empty.create.peak", "hdmd"),
    ):
        (finding,) = loads(run("explain", figure, "--format", "json").stdout)["findings"]
        assert (finding["code"], finding["where"]) == ("PX411", where)


@pytest.mark.parametrize("figure", ["metadata.empty.create", "hardware.powers", "throughput.random_4k.peak", "x"])
def test_a_figure_that_no_plan_has_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figure: str) -> None:
    monkeypatch.chdir(tmp_path)
    request(tmp_path, NO_EVIDENCE)
    for args in ([figure], ["hardware.power", figure, "--format", "json"]):
        result = run("explain", *args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"no figure {figure}" in result.stderr


# render


def test_one_file_goes_to_stdout_and_the_same_file_to_a_folder(tmp_path: Path) -> None:
    request(tmp_path)
    shown = run("render", "stanzas")
    assert shown.exit_code == 0
    assert shown.stdout.count("%nsd:") == 44
    assert run("render", "stanzas", "-o", "out").stdout == ""
    (written,) = (p for p in (tmp_path / "out").rglob("*") if p.is_file() and p.name != "MANIFEST.json")
    assert written.read_text() == shown.stdout


def test_all_is_every_target_that_fits(tmp_path: Path) -> None:
    request(tmp_path)
    result = run("render", "all", "-o", "out")
    assert result.exit_code == 0
    made = {p.name for p in (tmp_path / "out").iterdir() if p.is_dir()}
    assert {"stanzas", "multipath", "me4"} <= made
    assert not {"powerflex", "mkfs", "ha"} & made


def test_files_of_one_path_reach_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the terminal nor a folder: which of them is right is not known."""
    twice = (File("mount/a.fstab", "one\n"), File("mount/a.fstab", "two\n"))
    made = replace(RENDERERS["tuning"], files=lambda *_: twice)
    monkeypatch.setattr("pixsize.workflow.renderers", lambda: {"tuning": made})
    with pytest.raises(ValueError, match="two files are rendered as"):
        workflow.render(workflow.Given("lustre-powerflex"), ["tuning"])


def test_all_leaves_out_with_a_warning_what_lacks_something(tmp_path: Path) -> None:
    result = run("render", "all", "--config", "lustre-powerflex", "-o", "out")
    assert result.exit_code == 0
    assert result.stderr.count("PX607") == 3
    assert "mkfs is left out" in result.stderr
    assert "stanzas" not in result.stderr
    assert not (tmp_path / "out" / "mkfs").exists()
    assert (tmp_path / "out" / "powerflex").is_dir()


@pytest.mark.parametrize(("target", "example"), [("stanzas", "lustre-me4"), ("mkfs", "large"), ("powerflex", "large")])
def test_a_target_that_the_design_has_nothing_for_is_refused(target: str, example: str) -> None:
    result = run("render", target, "--config", example)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "PX608" in result.stderr


def altered(old: str, new: str) -> str:
    """The shipped example of a pool, with one line of it altered, as a request of its own."""
    text = (folder("examples") / "lustre-powerflex.yaml").read_text()
    assert text.count(old) == 1
    Path("pool.yaml").write_text(text.replace(old, new))
    return str(folder("examples") / "lustre-powerflex.observed")


def test_all_leaves_high_availability_out_where_nobody_knows_the_fence_agent(tmp_path: Path) -> None:
    """By its own name it is refused: a wrong option is noticed when a server is lost."""
    seen = altered("agent: fence_idrac", "agent: fence_apc")
    given = ("--config", "pool.yaml", "--observed", seen, "-o", "out")
    result = run("render", "all", *given)
    assert result.exit_code == 0, result.stderr
    assert "PX607 ha is left out: the options of fence_apc are unknown" in result.stderr
    assert "PX621" not in result.stderr
    assert {"mkfs", "mount", "powerflex"} < {p.name for p in (tmp_path / "out").iterdir()}
    assert not (tmp_path / "out" / "ha").exists()
    for wanted in (["ha"], ["all", "ha"]):
        refused = run("render", *wanted, *given)
        assert (refused.exit_code, "PX621" in refused.stderr) == (1, True)


def test_high_availability_that_was_turned_off_is_refused_where_the_request_says_so(tmp_path: Path) -> None:
    shutil.copytree(altered("drive: 2 TB", "failover: false\ndrive: 2 TB"), "seen")
    listed = Path("seen/powerflex.volumes.txt")
    listed.write_text(listed.read_text().replace("Mapped to 2 SDC", "Mapped to 1 SDC"))
    given = ("--config", "pool.yaml", "--observed", "seen", "-o", "out")
    refused = run("render", "ha", *given)
    assert refused.exit_code == 1
    assert "PX608 ha: the request says failover: false" in refused.stderr
    assert "pool.yaml:6:11: error PX608" in refused.stderr
    result = run("render", "all", *given)
    assert result.exit_code == 0, result.stderr
    assert "PX607" not in result.stderr
    assert "PX421" in result.stderr
    assert not (tmp_path / "out" / "ha").exists()


def test_a_named_target_that_lacks_something_is_refused_with_what_to_collect() -> None:
    result = run("render", "mkfs", "--config", "lustre-powerflex", "-o", "out")
    assert result.exit_code == 1
    assert "PX611" in result.stderr
    assert "powerflex.login.txt" in result.stderr


def test_all_again_changes_nothing(tmp_path: Path) -> None:
    request(tmp_path)
    result = run("render", "all", "-o", "out")
    count = sum(p.is_file() for p in (tmp_path / "out").rglob("*")) - 1
    assert f"wrote {count} files to out" in result.stderr
    assert f"wrote 0 files to out ({count} unchanged)" in run("render", "all", "-o", "out").stderr


def test_an_edited_file_stops_the_run_unless_forced(tmp_path: Path) -> None:
    request(tmp_path)
    run("render", "stanzas", "-o", "out")
    (written,) = (p for p in (tmp_path / "out").rglob("*.stanza"))
    good = written.read_text()
    written.write_text("# mine\n")
    result = run("render", "stanzas", "-o", "out")
    assert result.exit_code == 1
    assert "PX602" in result.stderr
    assert written.read_text() == "# mine\n"
    assert run("render", "stanzas", "-o", "out", "--force").exit_code == 0
    assert written.read_text() == good


def test_list_names_every_target_without_a_request() -> None:
    shown = run("render", "--list").stdout
    assert all(f"  {name} " in shown for name in RENDERERS)
    assert workflow.summaries()["multipath"].startswith("multipath.conf for each pair of servers, with ")
    assert ", with nsddevices for GPFS" in workflow.summaries()["multipath"]
    assert workflow.summaries()["stanzas"] == RENDERERS["stanzas"].summary


def test_observed_replies_change_the_plan() -> None:
    replies = str(folder("examples") / "large+hdmd.observed")
    without = loads(run("plan", "-c", "large+hdmd", "--format", "json").stdout)
    seen = loads(run("plan", "-c", "large+hdmd", "--format", "json", "--observed", replies).stdout)
    assert without["volumes"] != seen["volumes"]
    assert any("wwid" in v for v in seen["volumes"])
    assert any("reported_bytes" in g for g in seen["disk_groups"])


# catalog


def test_catalog_list_has_every_record_once() -> None:
    every = loads(run("catalog", "list", "--format", "json").stdout)["records"]
    assert [r["id"] for r in every] == list(load_catalog()[0].ids())
    text = run("catalog", "list").stdout
    assert all(re.search(rf"^  {re.escape(r['id'])}( |$)", text, re.M) for r in every)
    for kind in KINDS:
        some = loads(run("catalog", "list", kind, "--format", "json").stdout)["records"]
        assert some == [r for r in every if r["kind"] == kind]
        assert yaml.safe_load(run("catalog", "list", kind, "--format", "yaml").stdout)["records"] == some


def test_every_record_shown_can_be_laid_over_again(tmp_path: Path) -> None:
    """The YAML of `show` under another id is a legal record, equal to the one it came from."""
    overlay = tmp_path / "mine"
    overlay.mkdir()
    shipped = load_catalog()[0]
    for kind in KINDS:
        for number, record_id in enumerate(shipped.ids(kind)[:2]):
            shown = run("catalog", "show", record_id).stdout
            name = f"fence_own{number}" if kind == "fence_agent" else f"own-{kind.replace('_', '-')}{number}"
            own = shown.replace(f"id: {record_id}\n", f"id: {name}\n", 1)
            if kind == "module_size":  # a second record of the same size would leave open which is meant
                own = re.sub(r"(?m)^size: .*$", f"size: own{number}", own)
            if kind in {"tuning", "lustre_release", "pcs_dialect"}:  # a second one would leave open which holds
                own = f"replaces: {record_id}\n{own}"
            (overlay / f"{kind}{number}.yaml").write_text(own)
            assert loads(run("catalog", "show", record_id, "--format", "json").stdout) == yaml.safe_load(shown)
    result = run("catalog", "list", "--catalog", "mine", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert sum(r["id"].startswith(("own-", "fence_own")) for r in loads(result.stdout)["records"]) == len(
        list(overlay.iterdir())
    )


def test_broken_overlay_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.yaml").write_text("kind: drive\nid: x\ntitle: x\ncapacity: 12\nmedia: nl-sas\n")
    for args in (["catalog", "list"], ["plan", "-c", "small"], ["check", "-c", "small"]):
        result = run(*args, "--catalog", "mine")
        assert result.exit_code == 1
        assert "a.yaml:4:11: error PX" in result.stderr + result.stdout


# init


@pytest.mark.parametrize("example", sorted(p.stem for p in folder("examples").glob("*.yaml")))
def test_init_copies_an_example_and_the_plan_works(tmp_path: Path, example: str) -> None:
    result = run("init", example)
    assert result.exit_code == 0
    assert "pixsize plan" in result.stderr
    assert (tmp_path / "pixsize.yaml").read_text() == (folder("examples") / f"{example}.yaml").read_text()
    assert run("plan").exit_code == 0


def test_init_alone_lists_the_starters_and_writes_nothing(tmp_path: Path) -> None:
    for options in ((), ("-q",)):
        result = run("init", *options)
        assert (result.exit_code, result.stderr) == (0, "")
        lines = result.stdout.splitlines()
        assert [line.split()[0] for line in lines] == sorted(p.stem for p in folder("examples").glob("*.yaml"))
        for line in lines:
            assert re.fullmatch(r"\S+ {2,}[A-Z].{15,}\w", line), line
            assert "examples/" not in line
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [("-o", "x.yaml"), ("--force",)])
def test_init_without_a_name_writes_no_file(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run("init", *options)
    assert result.exit_code == 2
    assert "Missing argument 'NAME'; `pixsize init` alone lists the starters" in result.stderr
    assert (result.stdout, list(tmp_path.iterdir())) == ("", [])


def test_init_with_a_name_of_ones_own(tmp_path: Path) -> None:
    assert run("init", "atlas7").exit_code == 0
    shipped = yaml.safe_load((folder("examples") / "large+hdmd.yaml").read_text())
    assert yaml.safe_load((tmp_path / "pixsize.yaml").read_text()) == shipped | {"name": "atlas7"}
    assert run("plan").stdout.startswith("atlas7\n")


def test_init_never_writes_over_a_file(tmp_path: Path) -> None:
    mine = request(tmp_path, "# mine\n")
    result = run("init", "small")
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert mine.read_text() == "# mine\n"
    assert run("init", "small", "--force").exit_code == 0
    assert "size: small" in mine.read_text()


def test_init_elsewhere_names_the_file_in_the_next_command() -> None:
    assert "pixsize plan --config 'my system.yaml'" in run("init", "small", "-o", "my system.yaml").stderr
    assert run("init", "small", "-o", "-").stdout == (folder("examples") / "small.yaml").read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lage", "did you mean large"),
        ("a..b", "two points"),
        ("../x", "nor can a system have that name"),
        ("a b", "a blank"),
        ("B", "pools A and B"),
    ],
)
def test_init_refuses_what_is_no_name(tmp_path: Path, name: str, said: str) -> None:
    result = run("init", name)
    assert result.exit_code == 2
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


# progress


def test_no_progress_where_nobody_watches() -> None:
    result = program("render", "me4", "-q", "-c", "mix", "-o", "out", TERM="xterm-256color")
    assert result.stderr == ""
