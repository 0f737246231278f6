"""Writes the parts of the reference that follow from the code: `python docs/generate.py [--check] [--into FOLDER]`.

With `--check` nothing is written: pages that differ from the code are named, and the exit code is 1 when there are any.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import reference_pages

from pixsize.codes import RANGES, Code, codes

DOCS = Path(__file__).resolve().parent
WIDTH = 120

WEIGHT = {
    "error": "nothing else is written, and the exit code is 1.",
    "warning": "it leaves the exit code at 0, unless `pixsize check --strict` is asked. `accept` in the request takes "
    "it on, with a reason.",
    "note": "it never changes the exit code.",
}


def findings_page() -> dict[str, str]:
    """All codes: a table of each kind, then each code with what, why and cure below a heading of its own."""
    weights = "\n".join(_wrapped(f"- **{severity}**: {what}", "  ") for severity, what in WEIGHT.items())
    parts = ["# Findings", _wrapped(_INTRODUCTION), weights]
    for prefix, title in RANGES.items():
        some = {name: code for name, code in codes().items() if name.startswith(prefix)}
        rows = [f"| [{name}](#{name.lower()}) | {code.severity} | {code.title} |" for name, code in some.items()]
        parts += [f"## {title}", "\n".join(["| code | severity | what |", "|---|---|---|", *rows])]
        parts += [part for name, code in some.items() for part in _entry(name, code)]
    return {"findings.md": "\n\n".join(parts) + "\n"}


_INTRODUCTION = (
    "Everything that pixsize finds wrong or doubtful carries one of these codes; they are stable. All findings of a "
    "run are shown at once, on stderr, each with its file, line and column; `pixsize check` prints them on stdout "
    "as its data. Codes of the design and of the finished plan come from rules that re-derive what must hold from "
    "the vendors' documents, without asking how the plan was made. A code is an anchor of this page, such as "
    "`findings.md#px512`."
)


def _entry(name: str, code: Code) -> tuple[str, ...]:
    said = (f"**{code.title}** ({code.severity}).", code.why, f"What to do: {code.cure}")
    return (f"### {name}", *map(_wrapped, said))


def _wrapped(text: str, below: str = "") -> str:
    """Text in lines, none of which begins as an item of a list or a heading would: `1.` stays behind its word."""
    kept = re.sub(r" (?=(?:[0-9]+[.)]|[-+*#>]+) )", "\0", text)
    filled = textwrap.fill(kept, WIDTH, subsequent_indent=below, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\0", " ")


PARTS: tuple[Callable[[], Mapping[str, str]], ...] = (
    findings_page,
    reference_pages.cli_page,
    reference_pages.request_page,
    reference_pages.figures_page,
    reference_pages.catalog_page,
)
"""What makes the pages of `reference`: file name -> text. Every page of that folder is made here."""


def differing(into: Path) -> dict[Path, str | None]:
    """The files that are not as the code says: their text, or None for those that should not be there."""
    folder = into / "reference"
    pages = {folder / name: text for make in PARTS for name, text in make().items()}
    left_over = set(folder.rglob("*.md")) - pages.keys()
    stale = {p: t for p, t in pages.items() if not p.is_file() or p.read_text(encoding="utf-8") != t}
    return {**dict.fromkeys(left_over), **stale}


def write(files: Mapping[Path, str | None]) -> None:
    """Brings the files to what the code says."""
    for path, text in files.items():
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def main() -> int:
    """0 when the pages are, or now are, as the code says; 1 when `--check` found others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; name the pages that are stale")
    parser.add_argument("--into", type=Path, default=DOCS, help="another docs folder")
    options = parser.parse_args()
    files = differing(options.into)
    for path, text in sorted(files.items()):
        verb = ("stale" if text is not None else "left over") if options.check else "written" if text else "removed"
        print(f"{verb}: {path.relative_to(options.into)}")
    if not options.check:
        write(files)
    return int(bool(files) and options.check)


if __name__ == "__main__":
    sys.exit(main())
