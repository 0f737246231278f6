"""The `codes.yaml` files -> what every code of a finding means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pixsize.codes import Code, Severity
from pixsize.load.yaml_reader import read

FOLDER = Path(__file__).parents[1]
_CODE = re.compile(r"PX[0-9]{3}")


def read_codes(folder: Path = FOLDER) -> tuple[dict[str, Code], list[str]]:
    """The codes of all `codes.yaml` below `folder`, sorted, and what is wrong with these files, a line each."""
    found: dict[str, Code] = {}
    wrong: list[str] = []
    for path in sorted(folder.rglob("codes.yaml")):
        shown = path.relative_to(folder).as_posix()
        parsed = read(path, shown)
        wrong += [f"{shown}: {f.code} {f.message}" for f in parsed.findings]
        for code, words in (parsed.value or {}).items():
            trouble = [*_trouble(code, words), *(["it stands in another file too"] if code in found else [])]
            wrong += [f"{shown}: {code}: {what}" for what in trouble]
            if not trouble:
                found[code] = Code(**words)
    return dict(sorted(found.items())), wrong


def _trouble(code: str, words: Any) -> Iterator[str]:  # noqa: ANN401  whatever the file holds
    if not _CODE.fullmatch(code):
        yield "a code is PX and three digits"
    if not isinstance(words, dict) or set(words) != set(Code._fields):
        yield f"the words are {', '.join(Code._fields)}"
        return
    if words["severity"] not in get_args(Severity):
        yield f"a severity is one of {', '.join(get_args(Severity))}"
    yield from (f"{word} is text" for word in words if not isinstance(words[word], str) or not words[word])
