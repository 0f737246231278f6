"""Writes the shipped catalogs, and the codes of findings, as a JSON file each: `python -m pixsize.load.snapshot`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pixsize import resources
from pixsize.codes import SNAPSHOT, Code
from pixsize.load.catalog_loader import FILE, Shipped, catalog_files, digest, from_yaml
from pixsize.load.code_files import read_codes


def text_of(held: Shipped, digest_hex: str) -> str:
    """The snapshot file: one line a record, so that differences can be read."""
    lines = [f'{{"digest": {json.dumps(digest_hex)},', '"places": {']
    lines += [
        ",\n".join(f"{json.dumps(i)}: {json.dumps(held.places[i])}" for i in sorted(held.places)),
        "},",
        '"raw": {',
    ]
    lines += [",\n".join(f"{json.dumps(i)}: {_compact(held.raw[i])}" for i in sorted(held.raw)), "}}"]
    return "\n".join(lines) + "\n"


def _compact(words: Mapping[str, Any]) -> str:
    return json.dumps(words, separators=(",", ":"))


def codes_text(codes: Mapping[str, Code]) -> str:
    """The snapshot of the codes: one line a code."""
    lines = (f"{json.dumps(code)}: {json.dumps(meaning._asdict())}" for code, meaning in codes.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write the snapshots anew; 1, and what is wrong, when the files cannot be read."""
    folder = resources.folder("catalogs")
    names = catalog_files(folder)
    held = from_yaml(folder, names)
    codes, wrong = read_codes()
    for finding in held.findings:
        place = finding.position
        wrong.append(
            f"{place.file}:{place.line}:{place.column}: {finding.code} {finding.message}" if place else finding.message
        )
    if wrong:
        print("\n".join(wrong))
        return 1
    FILE.write_text(text_of(held, digest(folder, names)), encoding="utf-8")
    SNAPSHOT.write_text(codes_text(codes), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
