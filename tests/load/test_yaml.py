"""The reader of YAML: what it accepts, and the code, line and column of everything it refuses."""

import os
import socket
from pathlib import Path

import pytest
import yaml

from pixsize.load import files, yaml_reader
from pixsize.load.positions import Positions
from pixsize.load.yaml_reader import UNREADABLE

LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]


def found(parsed):
    return [(f.code, f.position.line, f.position.column) for f in parsed.findings]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def parse(request):
    return lambda text, top="mapping": yaml_reader.parse(text, "r.yaml", top, request.param)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("a: -3", {"a": -3}),
        ("a: 2.5", {"a": 2.5}),
        ("a: -0.5", {"a": -0.5}),
        ("a: 12 TB", {"a": "12 TB"}),
        ("a: true\nb: False", {"a": True, "b": False}),
        ("a:\nb: ~\nc: null", {"a": None, "b": None, "c": None}),
        ("a: '010'\nb: \"yes\"", {"a": "010", "b": "yes"}),
        ("a: [1, {b: c}]", {"a": [1, {"b": "c"}]}),
        ("a: {}", {"a": {}}),
        ("a: |\n  two\n  lines\n", {"a": "two\nlines\n"}),
        ("a: two\n  lines", {"a": "two lines"}),
        ("a: 10.0.0.1", {"a": "10.0.0.1"}),
        ("a: 2.15.8\nb: 1-2", {"a": "2.15.8", "b": "1-2"}),
        ("'a b': x", {"a b": "x"}),
        ("---\na: 1\n...\n", {"a": 1}),
        ("%YAML 1.1\n---\na: 1\n", {"a": 1}),
        ("a: 1 # yes\n", {"a": 1}),
        ("a: -x\nb: -", None),
        ("a: 0-18/2", {"a": "0-18/2"}),
        ("a: no-one\nb: one", {"a": "no-one", "b": "one"}),
    ],
)
def test_plain_values(parse, text, value):
    parsed = parse(text)
    if value is None:
        assert parsed.findings
    else:
        assert (parsed.value, parsed.findings) == (value, ())


ALIKE = [
    'a: "x\tb"',
    "a: 'x\ty'",
    "a: |\n  x\ty\n",
    "a:\tx",
    "x: {a: 1}\t# c",
    "a: x # a\tb",
    'a: "x\t\n  y"',
    "a: 'x \t\n  y'",
    "a: >\n  x\t\n  y",
    "a: |\n  x\t\n",
    'a: "a\\qb"',
    'a: "\\ud800"',
    'a: "\\U00110000"',
    'b: 1\na: "\\x4"',
    'a: "c\\"d\\uD900"',
    'a: {b: "\\UFFFFFFFF"}',
    '"\\ud800": 1',
    "\ta: 1",
    "a:\n\t- b",
    "a: [1,\t2]",
    "a: |\t\n  x\n",
    "a: 1\n\t\nb: 2",
    "a: 1\n\t# c\nb: 2",
    "a: 1\t",
    'a: "\tx"',
    "a: 'b'\t",
    "?\ta\n: b",
    "-\ta",
    "#\tc\na: 1",
    "a: |2\n   \tx\n",
    "a: |\n  x\n\ty\n",
    "a: |\n  x\n \t\n  y\n",
    "a: &x\ty",
    "a: !t\ty",
    "---\ta: 1",
    "a: x\ty\tz",
    'a: "x\n\ty"',
    "a: 1\n...\t\n",
    "%YAML 1.1\n---\na: 1\n",
    "%TAG ! a:\n---\na: 1",
    "a: 1\n...\n%TAG ! x:\n---\nb: 1\n",
    'a: "\\\t"',
    "a: ''\t: b",
    "a: |\n  # x\ty\nb:\tc",
    'a: "x" "y\tz',
    "a: [\n\t1]",
    "a:\n  |\n  b\tc\n#\td\ne: f\n",
    *(f"größe: x\na: {header}\n  x\nb: 1\n" for header in ("|#", ">#", "|# c", "|-#c", "|2#", ">+2#c", "|x", "|- #c")),
    "? |#\n  x\n: 1\n",
    "- >#\n  x\n",
    "--- |#\n  x\n",
    "a: |#",
    "a: [|#\n  x]",
    "%YAML 1.1#c\n---\na: 1\n",
    "%YAML 1.1 #c\n---\na: 1\n",
    "%YAML 1.1 c\n---\na: 1\n",
    "%YAML\n---\na: 1\n",
]


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="there is one parser only")
@pytest.mark.parametrize("text", ALIKE)
def test_both_parsers_say_the_same_of_tabs_escapes_and_directives(text):
    fast, plain = (
        yaml_reader.parse(text, "f", loader=yaml.CSafeLoader),
        yaml_reader.parse(text, "f", loader=yaml.SafeLoader),
    )
    assert fast.findings == plain.findings
    assert fast.value == plain.value


@pytest.mark.parametrize(
    ("text", "column"), [("a:\tx", 3), ("a: 12 TB\t", 9), ("a: x\t# y", 5), ("x: {a: 1}\t# c", 10), ("a: 1\t2", 5)]
)
def test_tabs_outside_quotes_are_refused(text, column):
    found = yaml_reader.parse(text, "f").findings
    assert [(f.code, f.position.line, f.position.column) for f in found] == [("PX004", 1, column)]


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.__name__)
@pytest.mark.parametrize(("header", "column"), [("|#", 5), (">#c", 5), ("|-# c", 6), (">2+#", 7), ("|x", 5)])
def test_a_comment_that_touches_the_header_of_a_text_is_refused(loader, header, column):
    """YAML wants a blank before a comment; libyaml does without, and so the same file would mean two things."""
    (found,) = yaml_reader.parse(f"a: {header}\n  x\n", "f", loader=loader).findings
    assert (found.code, found.position.line, found.position.column) == ("PX004", 1, column)
    assert "a comment only after a blank" in found.message


@pytest.mark.parametrize("header", ["|", "> # c", "|-", "|+2  # c"])
def test_a_header_with_a_blank_before_its_comment_is_read(header):
    assert yaml_reader.parse(f"a: {header}\n   #x\n", "f").findings == ()


@pytest.mark.parametrize(("text", "value"), [('a: "x\ty"', "x\ty"), ("a: |\n  x\ty\n", "x\ty\n"), ("a: x # \ty", "x")])
def test_tabs_inside_texts_and_comments_stay(text, value):
    parsed = yaml_reader.parse(text, "f")
    assert (parsed.value, parsed.findings) == ({"a": value}, ())


@pytest.mark.parametrize("escape", ["\\q", "\\ud800", "\\U00110000", "\\x4"])
def test_a_wrong_escape_is_called_one(escape):
    found = yaml_reader.parse(f'a: "b{escape}"', "f").findings
    assert [(f.code, f.position.column) for f in found] == [("PX004", 4)]
    assert "no escape" in found[0].message


def test_many_directives_are_refused_at_the_first():
    found = yaml_reader.parse(
        "".join(f"%TAG !a{n}! tag:x,2000:\n" for n in range(60_000)) + "---\na: 1\n", "f"
    ).findings
    assert [(f.code, f.position.line) for f in found] == [("PX008", 1)]


AMBIGUOUS = [
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "on",
    "ON",
    "off",
    "y",
    "Y",
    "n",
    "N",
    "010",
    "-01",
    "00",
    "08",
    "09.5",
    "1_000",
    "1_0.5",
    "1:30",
    "190:20:30",
    "00:11:22:33:44:55",
    "0x10",
    "0XFF",
    "0o7",
    "0b1",
    ".inf",
    "-.Inf",
    ".NaN",
    "1e3",
    "1.5E+3",
    ".5e1",
    "2020-01-02",
    "2001-12-14T21:59:43Z",
    "2001-12-14 21:59:43",
    "+5",
    "+1.5",
    ".5",
    "5.",
    "=",
    "<<",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_ambiguous_bare_values_are_refused_where_they_stand(parse, text):
    parsed = parse(f"first: 1\nword:  {text}\n")
    assert found(parsed) == [("PX009", 2, 8)]
    assert parsed.value == {"first": 1, "word": UNREADABLE}
    assert parsed.findings[0].where == "word"


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_the_same_in_quotes_is_text(parse, text):
    assert parse(f"word: '{text}'\n").value == {"word": text}


@pytest.mark.parametrize("text", ["yes", "010", "<<", "2020-01-02"])
def test_ambiguous_keys_are_refused(parse, text):
    parsed = parse(f"{text}: 1\nother: 2\n")
    assert found(parsed) == [("PX009", 1, 1)]
    assert parsed.value == {"other": 2}


BAD = [
    ("", [("PX005", 1, 1)]),
    ("# nothing\n", [("PX005", 1, 1)]),
    ("---\n", [("PX005", 1, 1)]),
    ("{}\n", [("PX005", 1, 1)]),
    ("- a\n- b\n", [("PX005", 1, 1)]),
    ("\n  text\n", [("PX005", 2, 3)]),
    ("a: 1\n---\nb: 2\n", [("PX006", 2, 1)]),
    ("a: 1\n--- \n", [("PX006", 2, 1)]),
    ("text\n---\na: 1\n", [("PX006", 2, 1), ("PX005", 1, 1)]),
    ("---\n---\na: 1\n", [("PX006", 2, 1), ("PX005", 1, 1)]),
    ("a: 1\nb: 2\na: 3\n", [("PX007", 3, 1)]),
    ("a: {b: 1, b: {c: 2}}\n", [("PX007", 1, 11)]),
    ("a: 1\n'a': 2\n\"a\": 3\n", [("PX007", 2, 1), ("PX007", 3, 1)]),
    ("a: &x 1\nb: *x\n", [("PX008", 1, 4), ("PX008", 2, 4)]),
    ("a: *nowhere\n", [("PX008", 1, 4)]),
    ("a: !!str 1\n", [("PX008", 1, 4)]),
    ("a: !!python/object/apply:os.system [ls]\n", [("PX008", 1, 4)]),
    ("a: ! x\n", [("PX008", 1, 4)]),
    ("%TAG ! tag:x,2000:\n---\na: 1\n", [("PX008", 1, 1)]),
    ("&x a: 1\n", [("PX008", 1, 1)]),
    ("<<: {a: 1}\nb: 2\n", [("PX009", 1, 1)]),
    ("b: &b {a: 1}\nc:\n  <<: *b\n", [("PX008", 1, 4), ("PX009", 3, 3), ("PX008", 3, 7)]),
    ("1: a\nb: 2\n", [("PX104", 1, 1)]),
    ("true: a\nb: 2\n", [("PX104", 1, 1)]),
    ("b: 2\n? [x]\n: 3\n", [("PX104", 2, 3)]),
    ("b: 2\n{c: d}: 3\n", [("PX104", 2, 1)]),
    ("a: " + "9" * 5000, [("PX108", 1, 4)]),
    ("a:\n\tb: 1\n", [("PX004", 2, 1)]),
    ("a:\n  - x\n \t- w\n\tz: 1\n", [("PX004", 3, 2), ("PX004", 4, 1)]),
    ("a: [1, 2\nb: 3\n", [("PX004", 1, 4)]),
    ("a: {b: 1\nc: 3", [("PX004", 1, 4)]),
    ("a: 'open\nb: 3\n", [("PX004", 1, 4)]),
    ('x: 1\na: "open\n', [("PX004", 2, 4)]),
    ("a: b: c\n", [("PX004", 1, 5)]),
    ("a: 1\n  b: 2\n", [("PX004", 2, 4)]),
    ("a: @x\n", [("PX004", 1, 4)]),
    ("a: `x`\n", [("PX004", 1, 4)]),
    ("a: 1\nb\nc: 2\n", [("PX004", 2, 1)]),
    ("  a: 1\nb: 2\n", [("PX004", 2, 1)]),
    ("a: - b\n", [("PX004", 1, 4)]),
    ("a: yes\nb: [no\n", [("PX009", 1, 4), ("PX009", 2, 5), ("PX004", 2, 4)]),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[repr(t[:30]) for t, _ in BAD])
def test_what_is_refused_and_where(parse, text, expected):
    assert found(parse(text)) == expected


def test_every_finding_carries_its_line_and_a_clear_message(parse):
    finding = parse("name: x\ncount: 010  # ten\n").findings[0]
    assert finding.position.file == "r.yaml"
    assert finding.position.text == "count: 010  # ten"
    assert "'010'" in finding.message


def test_a_duplicate_keeps_the_first_value_and_its_places(parse):
    parsed = parse("a: {x: 1}\na: {x: 2, y: 3}\n")
    assert parsed.value == {"a": {"x": 1}}
    assert parsed.positions.value("a.x").line == 1
    assert "line 1" in parsed.findings[0].message


@pytest.mark.parametrize("bracket", ["[", "{a: ", "- ", "? "])
def test_twenty_thousand_levels_are_refused_at_once(parse, bracket):
    parsed = parse(bracket * 20_000)
    codes = [code for code, *_ in found(parsed)]
    assert (codes[-1], codes.count("PX010")) == ("PX010", 1)
    assert len(codes) <= yaml_reader.MOST_DEPTH
    assert parsed.value is None


def test_thirty_two_levels_are_fine_and_one_more_is_not(parse):
    assert parse("a: " + "[" * 31 + "]" * 31).findings == ()
    assert found(parse("a: " + "[" * 32 + "]" * 32)) == [("PX010", 1, 35)]


def test_an_alias_bomb_stays_small(parse):
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 30)]
    parsed = parse("\n".join(lines))
    assert {code for code, *_ in found(parsed)} == {"PX008"}


def test_the_number_of_findings_is_bounded(parse):
    parsed = parse("".join(f"w{n}: yes\n" for n in range(500)))
    assert len(parsed.findings) == yaml_reader.MOST_FINDINGS
    assert "400 findings more" in parsed.findings[-1].message


def test_a_catalog_file_may_hold_a_list(parse):
    assert parse("- {a: 1}\n- {b: 2}\n", "records").value == [{"a": 1}, {"b": 2}]
    assert found(parse("x\n", "records")) == [("PX005", 1, 1)]


def test_places_of_values_words_and_of_what_is_not_there(parse):
    text = "storage_modules:\n  - size: large\n    hosts: [a, b]\nfilesystem: {name: x}\n'odd word': 1\n"
    places = parse(text).positions
    expected = {
        "storage_modules": (1, 1),
        "storage_modules[0]": (2, 5),
        "storage_modules[0].size": (2, 11),
        "storage_modules[0].hosts[1]": (3, 16),
        "storage_modules[0].hosts[7]": (3, 5),
        "storage_modules[0].count": (2, 5),
        "storage_modules[9].size": (1, 1),
        "filesystem.name": (4, 20),
        "filesystem.nothing.below": (4, 1),
        "nothing": (1, 1),
        "": (1, 1),
        "['odd word']": (5, 13),
    }
    assert {path: (places.value(path).line, places.value(path).column) for path in expected} == expected
    assert (places.key("filesystem.name").line, places.key("filesystem.name").column) == (4, 14)


def test_places_without_a_file_point_to_its_beginning():
    assert Positions("gone.yaml").value("a.b").line == 1


def test_a_line_is_shown_without_what_a_terminal_would_obey():
    shown = Positions("f", "a: \x1b[31mred\tx \u202e").at(1, 4).text
    assert shown == "a: \ufffd[31mred x \ufffd"


def read(path: Path, data: bytes):
    path.write_bytes(data)
    return yaml_reader.read(path, "given.yaml")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: 1\r\nb: yes\r\n", [("PX009", 2, 4)]),
        (b"a: 1\rb: yes\r", [("PX009", 2, 4)]),
        (b"\xef\xbb\xbfa: yes\n", [("PX009", 1, 4)]),
        (b"a: 1\nb: \xff\n", [("PX003", 2, 4)]),
        ("ä: ö\n".encode("latin-1"), [("PX003", 1, 1)]),
        (b"a: 1\nbb\x00: 2\n", [("PX003", 2, 3)]),
        (b"a: \x1b[31m\nb: \x07\n", [("PX003", 1, 4), ("PX003", 2, 4)]),
        ("a: 1\u2028b: 2\n".encode(), [("PX003", 1, 5)]),
        ("a: 1\x85b: 2\n".encode(), [("PX003", 1, 5)]),
        ("a: '\u202egnp'\n".encode(), [("PX003", 1, 5)]),
        ("a: b\ufeff\n".encode(), [("PX003", 1, 5)]),
        ("a: 1\n".encode("utf-16"), [("PX003", 1, 1)]),
        (
            b"\x7fELF\x02\x01\x01\x00",
            [("PX003", 1, 1), ("PX003", 1, 5), ("PX003", 1, 6), ("PX003", 1, 7), ("PX003", 1, 8)],
        ),
        (b"", [("PX005", 1, 1)]),
        (b"\xef\xbb\xbf", [("PX005", 1, 1)]),
    ],
)
def test_bytes_that_are_no_text(tmp_path, data, expected):
    assert found(read(tmp_path / "r.yaml", data)) == expected


def test_text_beyond_ascii_is_welcome(tmp_path):
    assert read(tmp_path / "r.yaml", "a: größer 🙂 – ok\n".encode()).value == {"a": "größer 🙂 – ok"}


def test_one_mebibyte_is_the_most(tmp_path):
    assert read(tmp_path / "r.yaml", b"a: 1\n#" + b"x" * (files.MIB - 6)).value == {"a": 1}
    assert found(read(tmp_path / "r.yaml", b"a: 1\n#" + b"x" * (files.MIB - 5))) == [("PX002", 1, 1)]


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "sparse.yaml"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    assert found(yaml_reader.read(path, "s")) == [("PX002", 1, 1)]


def special(tmp_path: Path) -> dict[str, Path]:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    (tmp_path / "file").write_text("a: 1\n")
    return {
        "missing": tmp_path / "missing",
        "folder": tmp_path,
        "pipe": tmp_path / "pipe",
        "circle": tmp_path / "circle",
        "dangling": tmp_path / "dangling",
        "zero": Path("/dev/zero"),
        "null": Path("/dev/null"),
        "under a file": tmp_path / "file" / "x",
        "long": tmp_path / ("x" * 5000),
        "nul": Path("a\0b"),
        "empty": Path(""),
    }


@pytest.mark.parametrize(
    "what", ["missing", "folder", "pipe", "circle", "dangling", "zero", "null", "under a file", "long", "nul", "empty"]
)
def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path, what):
    path = special(tmp_path)[what]
    parsed = yaml_reader.read(path, "given.yaml")
    assert (found(parsed), parsed.value) == ([("PX001", 1, 1)], None)
    assert parsed.findings[0].position.file == "given.yaml"


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert "socket" in yaml_reader.read(Path("s"), "s").findings[0].message


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "r.yaml"
    path.write_text("a: 1\n")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    parsed = yaml_reader.read(path, "r.yaml")
    monkeypatch.undo()
    assert found(parsed) == [("PX001", 1, 1)]
    assert "not permitted" in parsed.findings[0].message


def test_a_file_swapped_for_a_pipe_after_the_look_is_not_waited_for(tmp_path, monkeypatch):
    path = tmp_path / "r.yaml"
    path.write_text("a: 1\n")
    real_open = os.open

    def swap(name, flags, *args):
        path.unlink()
        os.mkfifo(path)
        return real_open(name, flags, *args)

    monkeypatch.setattr(os, "open", swap)
    parsed = yaml_reader.read(path, "r.yaml")
    monkeypatch.undo()
    assert found(parsed) == [("PX001", 1, 1)]
