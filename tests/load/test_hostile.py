"""Records of an overlay with hostile values, field by field: each ends in a finding, or its output stays harmless."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pixsize import resources
from pixsize.catalog.kinds import KINDS
from pixsize.findings import has_errors
from pixsize.load.catalog_loader import shipped
from pixsize.load.model_words import model_of, words_of
from pixsize.workflow import Given, render
from pixsize.workflow import catalog as load
from tests.support.cli_support import run

Words: TypeAlias = dict[str, Any]
Path_: TypeAlias = tuple[Any, ...]

MARK = "pwned"
"""Stands in every text that could be run; where it reaches a file, it has to be harmless."""
HOSTILE = (
    f"$(touch {MARK})",
    f"`touch {MARK}`",
    f"x'; touch {MARK} #",
    f'x"; touch {MARK}; "',
    f"x\ntouch {MARK}",
    f"-{MARK}",
    f"../{MARK}",
    f"| {MARK} | x |",
    f"# {MARK}",
    f"{{{{ {MARK} }}}}",
    f"<b>{MARK}</b> [x](y) **z**",
    f"{MARK} ~ \\",
    f"[{MARK}](http://evil.example/x) <img src=x onerror=alert(1)> ![{MARK}](http://evil.example/y)",
    f"<http://evil.example/{MARK}> [{MARK}][1] [1]: /x <!-- {MARK} </a",
    f"https://evil.example/{MARK} www.evil.example/{MARK} root@evil.example",
    f"na\u00efve \u2013 {MARK}",
    "\x1b[31mred",
    "bell\x07",
    "\u202eright to left",
    "",
    "   ",
    "x" * 5000,
    "all",
    "9" * 30 + " GB",
    "0 %",
    "a=b",
    "a b",
)
NO_TEXTS: tuple[Any, ...] = (-1, 0, 2**63, 10**40, True, 1.5, float("nan"), float("inf"), [], {}, None, [[]], [{}])
EXAMPLES = ("large", "large+hdmd", "lustre-me4", "lustre-powerflex")
COMMANDS = (
    ("check",),
    ("plan",),
    ("plan", "--format", "markdown"),
    ("plan", "--format", "yaml"),
    ("plan", "--format", "json"),
    ("explain", "--all"),
)
RAW = shipped().raw


DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""Where PyYAML has libyaml, that writes the overlays in a tenth of the time."""


class Change(NamedTuple):
    """A shipped record, the path of a value in it, and what is put there; a path that ends in None is a new word."""

    record: str
    path: Path_
    value: Any

    def made(self, words: Mapping[str, Any] | None = None) -> Words:
        """The record, or words that were changed elsewhere already, with the change."""
        changed: Any = copy.deepcopy(dict(words or RAW[self.record])) | {"replaces": self.record}
        at = changed
        for key in self.path[:-1]:
            at = at[key]
        at[self.path[-1]] = self.value
        return dict(changed)


def values(words: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Everything below a record, with its path."""
    items = words.items() if isinstance(words, dict) else enumerate(words) if isinstance(words, list) else ()
    for key, value in items:
        yield (*path, key), value
        yield from values(value, (*path, key))


def value_at(words: Any, path: Path_) -> Any:
    """What stands at a path below a record; None where nothing does."""
    for key in path:
        if not (key in words if isinstance(words, dict) else isinstance(words, list)):
            return None
        words = words[key]
    return words


def absent(model: type[BaseModel], words: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The words of a model that a record could have and has not."""
    for each in words if isinstance(words, list) else [words]:
        if not isinstance(each, dict):
            continue
        here = (*path, words.index(each)) if isinstance(words, list) else path
        for word, annotation in words_of(model).items():
            below = model_of(annotation)
            if word not in each:
                yield (*here, word)
            elif below is not None:
                yield from absent(below, each[word], (*here, word))


def fields() -> dict[tuple[str, ...], list[tuple[str, Path_]]]:
    """Each field of each kind of record, and the records and paths where it stands or could stand."""
    found: dict[tuple[str, ...], list[tuple[str, Path_]]] = {}
    for record_id, words in RAW.items():
        places = [p for p, _ in values(words)] + list(absent(KINDS[words["kind"]], words))
        for path in places:
            if path[0] != "kind":
                name = (words["kind"], *("*" if isinstance(key, int) else str(key) for key in path))
                found.setdefault(name, []).append((record_id, path))
    return found


FIELDS = fields()


def test_the_walk_reaches_every_kind_and_every_word() -> None:
    assert {name[0] for name in FIELDS} == set(KINDS)
    for kind, model in KINDS.items():
        assert set(words_of(model)) <= {name[1] for name in FIELDS if name[0] == kind}, kind
    assert len(FIELDS) > 350


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory where there is room: these tests write and remove some thousand trees."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30
    with TemporaryDirectory(dir=memory if roomy else None) as folder:
        yield Path(folder)


def lay(folder: Path, *records: Mapping[str, Any]) -> Path:
    mine = folder / "mine"
    shutil.rmtree(mine, ignore_errors=True)
    mine.mkdir()
    for number, record in enumerate(records):
        (mine / f"{number}.yaml").write_text(yaml.dump(dict(record), Dumper=DUMPER, sort_keys=False))
    return mine


def accepted(folder: Path, *records: Mapping[str, Any]) -> bool:
    """Whether the overlay is; where it is not, a finding says so."""
    catalog, findings = load(lay(folder, *records))
    assert (catalog is None) == has_errors(findings)
    return catalog is not None


def drawn(turn: int) -> list[Change]:
    """For each field a record and a value that change from turn to turn."""
    changes = []
    for number, (name, places) in enumerate(sorted(FIELDS.items())):
        choices = HOSTILE if number % 4 or turn % 2 else NO_TEXTS
        record, path = places[(turn * 7 + number) % len(places)]
        changes.append(Change(record, path, choices[(turn * 5 + number + len(name)) % len(choices)]))
    return changes


def together(changes: list[Change]) -> list[Words]:
    """The records with all changes, as many of one record as there are."""
    made: dict[str, Words] = {}
    for change in changes:
        made[change.record] = change.made(made.get(change.record))
    return list(made.values())


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Every file and page as it is without an overlay."""
    folder = tmp_path_factory.mktemp("plain")
    return {(e, n): t for e in EXAMPLES for n, t in outputs(folder, e, folder / "none", laid=False).items()}


def outputs(folder: Path, example: str, mine: Path, laid: bool = True) -> dict[str, str]:
    """What the commands print and `render all` writes, by name; {} where a finding forbids the plan."""
    options = ["--config", example, *(["--catalog", str(mine)] if laid else [])]
    seen = resources.folder("examples") / f"{example}.observed"
    options += ["--observed", str(seen)] if seen.is_dir() else []
    shown = {}
    for command in COMMANDS:
        result = run(*command, *options)
        assert result.exit_code in (0, 1), (command, result.output[-2000:])
        refused = result.exit_code == 1
        assert not refused or "error PX" in result.output or '"error"' in result.output, (command, result.output)
        if refused:
            return {}
        shown[" ".join(command)] = result.stdout
        assert all(c.isprintable() or c == "\n" for c in result.output), command
    shutil.rmtree(folder / "out", ignore_errors=True)
    result = run("render", "all", "-o", str(folder / "out"), *options)
    assert result.exit_code in (0, 1), result.output[-2000:]
    assert result.exit_code == 0 or "error PX" in result.output, result.output
    files = [p for p in sorted((folder / "out").rglob("*")) if p.is_file()]
    return shown | {str(p.relative_to(folder / "out")): p.read_text(encoding="utf-8") for p in files}


def judge_file(name: str, text: str) -> None:
    """A file that a machine reads: what an overlay says stands in it as a comment, and nothing is but plain text."""
    assert all(c in {"\n", "\t"} or " " <= c <= "~" for c in text), name
    if name == "MANIFEST.json":
        json.loads(text)
        assert MARK not in text
    for line in text.splitlines():
        assert MARK not in line or (line.startswith("#") and not name.endswith(".cli")), (name, line)
    if name.endswith(".sh") and MARK in text:
        subprocess.run(["bash", "-n"], input=text.encode(), check=True)


def outline(page: str) -> list[str]:
    """Headings, fences and boxes of a page of Markdown, by their kinds."""
    found = (re.match(r"#+ |```|- \[.\]", line) for line in page.splitlines())
    return [match[0] for match in found if match]


LIVE = {
    "link": r"\[[^][]*\](?:\([^)]*\)|\[|:)",
    "tag": r"<[A-Za-z/!?][^>]*",
    "address": r"(?i)\b(?:https?|ftp)://\S*|\bwww\.\S*|[a-z0-9.+_-]+@[a-z0-9_-]+\.[a-z0-9.]+",
}
"""What a reader's program makes a link, an image or a tag of, outside code and where no backslash stands before it."""


def live(page: str, kind: str) -> set[str]:
    """The links, tags or addresses of a page of Markdown."""
    shown = re.sub(r"(?ms)^ *```.*?^ *```|(?<!\\)(`+)[^`]+\1", "", page)
    return {m[0] for m in re.finditer(LIVE[kind], re.sub(r"\\[!-/:-@[-`{-~]", "", shown))}


def judge_page(name: str, text: str, before: str) -> None:
    """A page that people read has the parts that it always has, and tables with as many cells in each row."""
    assert all(c.isprintable() or c == "\n" for c in text), name
    assert set(outline(text)) <= set(outline(before)), name
    for kind in LIVE if name.endswith(".md") else ("link", "tag"):  # pages of reports show addresses of documents
        assert live(text, kind) <= live(before, kind), (name, live(text, kind) - live(before, kind))
    cells = 0
    for line in text.splitlines():
        found = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not cells or found in {0, cells}, (name, line)
        cells = found


def judge(shown: dict[str, str], example: str, plain: dict[tuple[str, str], str]) -> None:
    for name, text in shown.items():
        if name.endswith("json"):
            json.loads(text)
        if name.endswith("--format yaml"):
            yaml.safe_load(text)
        elif name.endswith((".md", "markdown", ".txt")):  # nothing reads a .txt but people
            judge_page(name, text, plain.get((example, name), text))
        elif "/" in name or name == "MANIFEST.json":
            judge_file(name, text)


TITLES = (
    "lustre-me4",
    "me4084",
    "me484",
    "dell-lustre-me4",
    "lustre-me4.tuning.timeout",
    "lustre-me4.tuning.checksums",
)


@pytest.mark.long
@pytest.mark.parametrize("title", [v for v in HOSTILE if any(sign in v for sign in ("](", "://", "<"))])
def test_a_title_is_no_link_and_no_tag(tmp_path: Path, plain: dict[tuple[str, str], str], title: str) -> None:
    """Of a design, an enclosure, a document and settings, and the words of a doubt."""
    records = [Change(record, ("title",), title).made() for record in TITLES]
    records[-1]["doubt"] = title
    shown = outputs(tmp_path, "lustre-me4", lay(tmp_path, *records))
    pages = [name for name, text in shown.items() if name.endswith(".md") and MARK in text]
    assert {"RUNBOOK.md", "tuning/README.md"} <= set(pages)
    assert any(name.startswith("me4/") for name in pages)
    judge(shown, "lustre-me4", plain)


@pytest.mark.long
@pytest.mark.parametrize("turn", range(2))
def test_what_an_overlay_may_say_is_harmless_in_every_output(
    tmp_path: Path, turn: int, plain: dict[tuple[str, str], str]
) -> None:
    """Every field once a turn: refused with a finding, or, all that is accepted at once, harmless in what comes of it."""
    taken = [c for c in drawn(turn) if accepted(tmp_path, c.made())]
    texts = [c for c in taken if isinstance(c.value, str) and MARK in c.value]
    assert len(texts) > 20  # titles, notes, places: the walk would prove nothing without them
    mine = lay(tmp_path, *together(texts))
    assert load(mine)[0] is not None
    planned = 0
    for example in EXAMPLES:
        shown = outputs(tmp_path, example, mine)
        planned += bool(shown)
        judge(shown, example, plain)
    assert planned == len(EXAMPLES)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(FIELDS)), st.sampled_from([*HOSTILE, *NO_TEXTS]), st.data())
def test_one_hostile_value_anywhere(
    tmp_path_factory: pytest.TempPathFactory, name: tuple[str, ...], value: Any, data: st.DataObject
) -> None:
    """One value alone, through every command, with the example that uses such records."""
    folder = tmp_path_factory.mktemp("one")
    record, path = data.draw(st.sampled_from(FIELDS[name]))
    change = Change(record, path, value)
    if accepted(folder, change.made()):
        example = data.draw(st.sampled_from(EXAMPLES))
        judge(outputs(folder, example, folder / "mine"), example, {})


def empties(kind: str) -> Iterator[Change]:
    """Nothing in the place of each list and mapping of a kind, in the first record that has it and in the last."""
    for name, places in FIELDS.items():
        found = []
        for record, path in places if name[0] == kind else ():
            there = value_at(RAW[record], path)
            if isinstance(there, list | dict):
                found.append(Change(record, path, type(there)()))
        yield from (*found[:1], *found[1:][-1:])


@pytest.mark.long
@pytest.mark.parametrize("kind", [k for k in sorted(KINDS) if list(empties(k))])
def test_an_empty_list_anywhere(tmp_path: Path, kind: str) -> None:
    """A list that plans need something of is refused; with any other, every example is planned or ends in a finding."""
    for change in empties(kind):
        if not accepted(tmp_path, change.made()):
            continue
        for example in EXAMPLES:
            made = render(Given(example, tmp_path / "mine", None), ["all"])
            assert has_errors(made.findings) == (made.files is None), (change, example)
