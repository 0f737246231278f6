"""Writes the parts of the reference that follow from the code: `python docs/generate.py [--check] [--into FOLDER]`.

With `--check` nothing is written: pages that differ from the code are named, and the exit code is 1 when there are any.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import reference_pages

from pixsize.codes import Code, codes

DOCS = Path(__file__).resolve().parent
WIDTH = 120

KINDS = {
    "PX0": "Files",
    "PX1": "Requests",
    "PX2": "The catalog",
    "PX3": "What arrays and PowerFlex reported",
    "PX4": "The design",
    "PX5": "The finished plan",
    "PX6": "Rendered files",
}
"""What the first digit of a code says."""

WEIGHT = {
    "error": "An error: nothing else is written, and the exit code is 1.",
    "warning": "A warning: it leaves the exit code at 0, unless `pixsize check --strict` is asked. "
    "`accept` in the request takes it on, with a reason.",
    "note": "A note: it never changes the exit code.",
}


def finding_pages() -> dict[str, str]:
    """One page a code, by file name."""
    return {f"{name}.md": _page(name, code) for name, code in codes().items()}


def findings_index() -> dict[str, str]:
    """The list of all codes, by kind."""
    parts = ["# Findings", _wrapped(_INTRODUCTION)]
    for prefix, title in KINDS.items():
        rows = [
            f"| [{n}](findings/{n}.md) | {c.severity} | {c.title} |" for n, c in codes().items() if n.startswith(prefix)
        ]
        if rows:
            parts += [f"## {title}", "\n".join(["| code | severity | what |", "|---|---|---|", *rows])]
    return {"findings.md": "\n\n".join(parts) + "\n"}


_INTRODUCTION = (
    "Everything that pixsize finds wrong or doubtful carries one of these codes; they are stable. All findings of a "
    "run are shown at once, on stderr, each with its file, line and column; `pixsize check` prints them on stdout "
    "as its data. Codes of the design and of the finished plan come from rules that re-derive what must hold from "
    "the vendors' documents, without asking how the plan was made."
)


def _page(name: str, code: Code) -> str:
    parts = (
        f"# {name}: {code.title}",
        _wrapped(WEIGHT[code.severity]),
        "## Why",
        _wrapped(code.why),
        "## What to do",
        _wrapped(code.cure),
        "[All findings](../findings.md)",
    )
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


Part = tuple[str, Callable[[], Mapping[str, str]], str]

PARTS: tuple[Part, ...] = (
    ("reference/findings", finding_pages, "*.md"),
    ("reference", findings_index, ""),
    ("reference", reference_pages.cli_page, ""),
    ("reference", reference_pages.request_page, ""),
    ("reference", reference_pages.figures_page, ""),
    ("reference", reference_pages.catalog_page, ""),
)
"""Folder under docs, what makes its pages (file name -> text), and the pattern of files there that are all generated.

An empty pattern leaves other files of the folder alone; with one, a file that is no longer made is removed.
"""


def differing(into: Path) -> dict[Path, str | None]:
    """The files that are not as the code says: their text, or None for those that should not be there."""
    differing: dict[Path, str | None] = {}
    for folder, make, pattern in PARTS:
        pages = {into / folder / name: text for name, text in make().items()}
        there = set((into / folder).glob(pattern)) if pattern else set()
        differing |= dict.fromkeys(there - pages.keys())
        differing |= {p: t for p, t in pages.items() if not p.is_file() or p.read_text(encoding="utf-8") != t}
    return differing


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
