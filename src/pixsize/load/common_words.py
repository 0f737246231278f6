"""What the words that several designs share must keep beyond their shape."""

from __future__ import annotations

from collections.abc import Callable

from pixsize.catalog.records import ModuleSize
from pixsize.codes import codes
from pixsize.load import names
from pixsize.load.draft import Draft, TooManyError, did_you_mean, named
from pixsize.load.positions import quoted


def judge_entries(draft: Draft) -> None:
    """More entries than modules may be planned are refused at once: to judge each would take seconds."""
    most, entries = draft.limit("pixsize.modules"), draft.words.get("storage_modules")
    if isinstance(entries, list) and len(entries) > most:
        message = f"{len(entries):,} entries, each a module or more; pixsize plans at most {most:,}"
        draft.report("PX114", "storage_modules", message)
        raise TooManyError


def judge_sizes(draft: Draft) -> None:
    """PX102 for sizes of storage module that the design does not have."""
    sizes = [s.size for s in draft.catalog.of_design(ModuleSize, draft.design.id)]
    for value, path in list(draft.values("storage_modules[].size")):
        if isinstance(value, str) and value not in sizes:
            draft.report(
                "PX102",
                path,
                f"unknown size {quoted(value)}; this design has {named(sizes)}",
                did_you_mean(value, sizes),
            )


def judge_name(draft: Draft, pattern: str, what: str, trouble_of: Callable[[str, int], str]) -> None:
    """PX107 for a name that something could misread; `trouble_of` takes the name and its longest legal length."""
    longest = draft.limit("pixsize.name_chars")
    for value, path in list(draft.values(pattern)):
        trouble = trouble_of(value, longest) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX107", path, f"{quoted(value)} cannot name {what}: {trouble}")


def judge_accepted(draft: Draft) -> None:
    """PX113 for what is no code of a warning, PX104 for a reason of several lines."""
    first: dict[str, str] = {}
    for value, path in list(draft.values("accept[].code")):
        if isinstance(value, str):
            _judge_code(draft, value, path)
            if first.setdefault(value, path) != path and not draft.is_bad(path):
                draft.report("PX113", path, f"{value} is accepted twice, first in {first[value]}", "Give one reason.")
    for value, path in list(draft.values("accept[].reason")):
        trouble = names.line_trouble(value) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX104", path, f"a reason is one line of text: {trouble}")


def _judge_code(draft: Draft, value: str, path: str) -> None:
    warnings = [code for code, entry in codes().items() if entry.severity == "warning"]
    if value not in codes():
        draft.report("PX113", path, f"there is no finding {quoted(value)}", did_you_mean(value, warnings, 0.7))
    elif value not in warnings:
        draft.report("PX113", path, f"{value} is of severity {codes()[value].severity}; only warnings can be taken on")
