"""`pixsize compare` and `pixsize diff` as their users see them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from pixsize.report.serialize import to_json
from tests.support.cli_support import LEGAL, loads, request, run


def plan_file(folder: Path, text: str = LEGAL, name: str = "plan.json") -> Path:
    """A plan as `pixsize plan` writes it."""
    path = folder / name
    result = run("plan", "-c", str(request(folder, text, "of.yaml")), "--format", "json", "-o", str(path))
    assert result.exit_code == 0, result.output
    return path


def test_requests_plans_and_examples_stand_side_by_side(tmp_path: Path) -> None:
    other = request(tmp_path, LEGAL.replace("large", "small"), "small.yaml")
    result = run("compare", str(plan_file(tmp_path)), str(other), "mix", "--format", "json")
    assert result.exit_code == 0, result.output
    found = loads(result.stdout)
    assert [s["name"] for s in found["systems"]] == ["scratch", "scratch", "campus"]
    usable = next(row for row in found["rows"] if row["figure"] == "capacity.usable")
    assert usable["best"] == 2
    assert "no file mix here: this is about the shipped example mix" in result.stderr


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_page_names_every_system(form: str) -> None:
    result = run("compare", "small", "large", "--format", form, "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "lab" in result.stdout
    assert "project" in result.stdout


def test_one_file_is_nothing_to_compare() -> None:
    assert run("compare", "large").exit_code == 2
    assert run("compare").exit_code == 2


def test_a_request_with_an_error_is_named_and_nothing_is_compared(tmp_path: Path) -> None:
    wrong = request(tmp_path, LEGAL.replace("12 TB", "13 TB"), "wrong.yaml")
    result = run("compare", "large", str(wrong), "--quiet")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"{wrong}:" in result.stderr
    assert run("diff", "large", str(wrong), "--quiet").exit_code == 2


def test_diff_ends_with_the_codes_of_diff(tmp_path: Path) -> None:
    same = request(tmp_path)
    plan = plan_file(tmp_path)
    assert (run("diff", str(same), str(plan), "-q").exit_code, run("diff", str(same), str(plan), "-q").stdout) == (
        0,
        "",
    )
    other = request(tmp_path, LEGAL.replace("arrays: 1", "arrays: 2"), "other.yaml")
    result = run("diff", str(plan), str(other), "-q")
    assert result.exit_code == 1
    assert "hdmd.arrays" in result.stdout
    assert run("diff", str(same), str(tmp_path / "none.yaml"), "-q").exit_code == 2
    assert run("diff", str(same)).exit_code == 2


def test_diff_in_json(tmp_path: Path) -> None:
    same, other = request(tmp_path), request(tmp_path, LEGAL.replace("12 TB", "16 TB"), "other.yaml")
    assert loads(run("diff", str(same), str(same), "--format", "json").stdout)["same"] is True
    found = loads(run("diff", str(same), str(other), "--format", "json").stdout)
    assert found["same"] is False
    for change in found["changes"]:
        assert change["because"] == ["storage_modules[0].data_drive"]
        assert set(change) == {"kind", "path", "before", "after", "because"}
    assert {c["kind"] for c in found["changes"]} >= {"request", "figure", "part"}


def broken(change: Any) -> str:
    words = json.loads(run("plan", "-c", "small", "--format", "json").stdout)
    change(words)
    return json.dumps(words)


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.update(schema="pixsize.plan/2"),
        lambda w: w.pop("figures"),
        lambda w: w.update(figures=[]),
        lambda w: w["figures"].update(x={"value": 1, "low": 2, "high": 3, "unit": "B", "basis": "exact"}),
        lambda w: w["figures"].update(x={"value": 1.5, "low": 1, "high": 3, "unit": "B", "basis": "exact"}),
        lambda w: w["figures"].update(x={"value": -1, "low": -1, "high": 3, "unit": "B", "basis": "exact"}),
        lambda w: w["figures"].update(x={"value": True, "low": 0, "high": 3, "unit": "B", "basis": "exact"}),
        lambda w: w["figures"].update(x={"value": 1, "low": 1, "high": 3, "unit": "furlong", "basis": "exact"}),
        lambda w: w.update(request=[]),
        lambda w: w.update(parts={}),
        lambda w: w.pop("targets"),
        lambda w: w["parts"].append({"item": "x"}),
        lambda w: w["parts"].append({"item": "x", "count": "many"}),
        lambda w: w["findings"].append("PX000"),
        lambda w: w.update(defaults=[1]),
        lambda w: w["targets"].append({"id": "x"}),
    ],
)
def test_a_file_that_is_no_plan_is_refused(change: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(broken(change))
    for command in ("compare", "diff"):
        result = run(command, "large", str(path), "--quiet")
        assert result.exit_code == {"compare": 1, "diff": 2}[command]
        assert result.stdout == ""
        assert re.search(rf"{path}:\d+:\d+: error PX011 no plan of pixsize: ", result.stderr)
        assert result.stderr.count("error") == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": "pixsize.plan/1"',
        '{"schema": "pixsize.plan/1", "name": "x"}',
        '{"schema": ' + "[" * 100_000,
        '{"schema": NaN}',
        '{"schema": ' + "9" * 10_000 + "}",
        '{"schema": "pixsize.findings/1", "findings": []}',
        '{"schema": "\\ud800"}',
    ],
)
def test_hostile_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    result = run("compare", str(path), "large", "--quiet")
    assert result.exit_code == 1
    assert "error PX011" in result.stderr


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("compare", str(pipe), "large", "--quiet")
    assert result.exit_code == 1
    assert "PX001" in result.stderr


def test_no_terminal_obeys_the_text_of_a_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    evil = "x\x1b[2J\u202e"

    def change(words: dict[str, Any]) -> None:
        words["name"] = evil
        words["figures"][f"capacity.{evil}"] = {"value": 1, "low": 1, "high": 1, "unit": "B", "basis": "exact"}
        words["parts"][0]["item"] = evil
        words["findings"].append({"code": evil, "severity": "note", "message": evil})

    path.write_text(broken(change))
    for args in (
        ("compare", str(path), "small"),
        ("compare", str(path), "small", "--format", "markdown"),
        ("diff", "small", str(path)),
    ):
        result = run(*args, "--quiet")
        assert result.exit_code in (0, 1)
        assert not {"\x1b", "\u202e"} & set(result.output), args


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (
            lambda w: w["figures"]["files.max"].update(value="many"),
            '"files.max"',
            "value: the text 'many' stands here; a whole number is needed",
        ),
        (lambda w: w["figures"]["files.max"].update(value=10**400), '"files.max"', "out of range"),
        (lambda w: w["parts"][2].update(count=10**400), None, "parts[2].count: "),
        (lambda w: w["figures"]["files.max"].update(low=10**20), '"files.max"', "outside its range"),
        (lambda w: w["targets"][1].pop("kind"), None, "targets[1].kind: the word kind is missing"),
        (lambda w: w.update(schema="pixsize.plan/2"), '"schema"', "another release made it"),
        (lambda w: w.update(schema="pixsize.findings/1"), '"schema"', "its form is 'pixsize.findings/1'"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_at_its_place(
    change: Any, line: str | None, said: str, tmp_path: Path
) -> None:
    words = json.loads(broken(lambda _: None))
    change(words)
    path = tmp_path / "plan.json"
    path.write_text(to_json(words))
    result = run("compare", "small", str(path), "-q")
    assert result.exit_code == 1
    found = re.search(rf"{path}:(\d+):\d+: error PX011 no plan of pixsize: (.*)", result.stderr)
    assert found
    assert said in found[2]
    assert int(found[1]) > 1
    assert line is None or line in path.read_text().splitlines()[int(found[1]) - 1]
    assert "hint: Write it again" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"schema": "pixsize.plan/1",\n "name" 1}',
            ":2:9: error PX011 no plan of pixsize: from here on it is no JSON",
        ),
        ('{"schema": "pixsize.plan/1",\n "name": "a",\n "name": "b"}', ":3:2: error PX007 "),
        ('{"schema": ' + "[" * 100_000, "nested too deeply"),
        ('{"schema": "pixsize.plan/1", "request": ' + '{"a": ' * 500 + "1" + "}" * 501, "nested too deeply"),
        ('{"schema": NaN}', "NaN is no number"),
    ],
)
def test_what_is_no_json_is_said_in_words(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    result = run("diff", str(path), "small", "-q")
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_plan_comes_from_standard_input_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    plan = plan_file(tmp_path)
    marked = tmp_path / "marked.json"
    marked.write_bytes(b"\xef\xbb\xbf" + plan.read_bytes())
    for text in (plan.read_text(), LEGAL):
        result = run("diff", "-", str(marked), input=text)
        assert (result.exit_code, result.stdout) == (0, ""), result.output
    result = run("compare", "small", "-", "--format", "json", input=LEGAL)
    assert loads(result.stdout)["systems"][1]["config"] == "-"


def test_standard_input_is_given_once() -> None:
    for args in (("diff", "-", "-"), ("compare", "-", "large", "-")):
        result = run(*args, input=LEGAL)
        assert result.exit_code == 2
        assert "standard input, which can be read once" in result.stderr


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_a_plan_in_the_place_of_a_request_is_one_finding(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"plan.{suffix}"
    assert run("plan", "-q", "-c", "small", "-o", str(path)).exit_code == 0
    commands = [("plan", "-c", str(path)), ("check", "-c", str(path))]
    commands += [("diff", "small", str(path))] if suffix == "yaml" else []
    for command in commands:
        result = run(*command, "-q")
        assert result.exit_code in (1, 2)
        assert result.output.count("error PX") == 1
        assert "error PX012 a plan stands here, not a request" in result.output


def test_compare_and_diff_read_what_the_arrays_replied(tmp_path: Path) -> None:
    """A plan made with replies differs from its request without them, and not with them."""
    given = request(tmp_path)
    folder = tmp_path / "observed"
    folder.mkdir()
    groups = [{"name": f"dg_sm01a1_data{n:02}", "size-numeric": 187_000_000_000} for n in range(1, 9)]
    (folder / "sm01a1.show-disk-groups.json").write_text(json.dumps({"disk-groups": groups}))
    plan = tmp_path / "observed.json"
    assert run("plan", "-q", "-c", str(given), "--observed", str(folder), "-o", str(plan)).exit_code == 0
    result = run("diff", "-q", str(given), str(plan))
    assert result.exit_code == 1
    assert "replies of" in result.stdout
    assert run("diff", "-q", str(given), str(plan), "--observed", str(folder)).exit_code == 0
    assert run("compare", "-q", str(given), str(plan), "--observed", str(folder)).exit_code == 0


def test_a_file_beside_an_example_of_the_same_name_is_mentioned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request(tmp_path, name="large.yaml")
    monkeypatch.chdir(tmp_path)
    result = run("compare", "large", "small")
    assert "this is about the shipped example large; the file large.yaml is read where its whole name" in result.stderr
    assert "example small\n" in result.stderr


def test_compare_and_diff_have_one_name_for_a_figure(tmp_path: Path) -> None:
    compared, differ = (run(c, "-q", "lustre-me4", "lustre-powerflex").stdout for c in ("compare", "diff"))
    for name in ("OST volumes", "files"):
        assert re.search(rf"^  {name}  ", compared, re.M)
        assert re.search(rf"^  {name}  ", differ, re.M)


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.update(servers="none", arrays=None, filesystem=[], links={"a": {"b": [1]}}, volumes=[1, {"id": 2}]),
        lambda w: w.update({"volumes, data: bytes": 5, "volumes, data": [{"id": "x", "bytes": {}}], "x": {}}),
        lambda w: w.update(disk_groups=[[[]], {"purpose": {"a": 1}}, "x", None], modules=[]),
        lambda w: w.update(request={"design": 1, "storage_modules": {"a": []}}, defaults=["[["]),
    ],
)
def test_parts_of_any_form_are_compared(change: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(broken(change))
    for pair in (("small", str(path)), (str(path), "large")):
        result = run("diff", "-q", *pair)
        assert result.exit_code == 1, result.output
        assert run("diff", "-q", *pair, "--format", "json").exit_code == 1
