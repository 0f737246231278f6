"""Writes a JSON file of the shipped catalogs and one of the codes of findings: `python -m pixsize.load.snapshot`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pixsize import resources
from pixsize.codes import RANGES, SNAPSHOT, Code, Severity
from pixsize.load.catalog_loader import FILE, Shipped, catalog_files, digest, from_yaml
from pixsize.load.yaml_reader import read

_PACKAGE = Path(__file__).parents[1]
_CODE = re.compile(r"PX[0-9]{3}")


def text_of(shipped: Shipped, digest_hex: str) -> str:
    """The snapshot file: one line a record, so that differences can be read."""
    lines = [f'{{"digest": {json.dumps(digest_hex)},', '"places": {']
    lines += [
        ",\n".join(f"{json.dumps(i)}: {json.dumps(shipped.places[i])}" for i in sorted(shipped.places)),
        "},",
        '"raw": {',
    ]
    records = (f"{json.dumps(i)}: {json.dumps(shipped.raw[i], separators=(',', ':'))}" for i in sorted(shipped.raw))
    lines += [",\n".join(records), "}}"]
    return "\n".join(lines) + "\n"


def codes_text(codes: Mapping[str, Code]) -> str:
    """The snapshot of the codes: one line a code."""
    lines = (f"{json.dumps(code)}: {json.dumps(meaning._asdict())}" for code, meaning in codes.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_codes(folder: Path = _PACKAGE) -> tuple[dict[str, Code], list[str]]:
    """The codes of all `codes.yaml` below `folder`, sorted, and what is wrong with these files, a line each."""
    found: dict[str, Code] = {}
    wrong: list[str] = []
    for path in sorted(folder.rglob("codes.yaml")):
        shown = path.relative_to(folder).as_posix()
        parsed = read(path, shown)
        wrong += [f"{shown}: {f.code} {f.message}" for f in parsed.findings]
        for code, entry in (parsed.value or {}).items():
            trouble = [*_trouble(code, entry), *(["it stands in another file too"] if code in found else [])]
            wrong += [f"{shown}: {code}: {what}" for what in trouble]
            if not trouble:
                found[code] = Code(**entry)
    return dict(sorted(found.items())), wrong


def _trouble(code: str, entry: Any) -> Iterator[str]:  # noqa: ANN401  whatever the file holds
    if not _CODE.fullmatch(code):
        yield "a code is PX and three digits"
    elif code[:3] not in RANGES:
        ranges = ", ".join(f"{kind} ({title})" for kind, title in RANGES.items())
        yield f"no code begins with {code[:3]}; the ranges are {ranges}"
    if not isinstance(entry, dict) or set(entry) != set(Code._fields):
        yield f"the words are {', '.join(Code._fields)}"
        return
    if entry["severity"] not in get_args(Severity):
        yield f"a severity is one of {', '.join(get_args(Severity))}"
    yield from (f"{word} is text" for word in entry if not isinstance(entry[word], str) or not entry[word])


def main() -> int:
    """Write the snapshots anew; 1, and what is wrong, when the files cannot be read."""
    folder = resources.folder("catalogs")
    names = catalog_files(folder)
    shipped = from_yaml(folder, names)
    codes, wrong = read_codes()
    for finding in shipped.findings:
        place = finding.position
        wrong.append(
            f"{place.file}:{place.line}:{place.column}: {finding.code} {finding.message}" if place else finding.message
        )
    if wrong:
        print("\n".join(wrong))
        return 1
    FILE.write_text(text_of(shipped, digest(folder, names)), encoding="utf-8")
    SNAPSHOT.write_text(codes_text(codes), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
