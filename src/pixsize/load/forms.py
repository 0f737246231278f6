"""How the words of a request that hold other words are written: shown where something else stands behind one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pixsize.findings import Finding
from pixsize.load.shapes import model_of
from pixsize.request import Words


def with_forms(findings: Iterable[Finding], model: type[Words]) -> tuple[Finding, ...]:
    """The findings; those about a value in the place of a mapping or a list show how the word is written."""
    forms = dict(_forms(model))
    return tuple(f._replace(hint=forms[f.where]) if _is_of_form(f) and f.where in forms else f for f in findings)


def _is_of_form(finding: Finding) -> bool:
    return finding.code in ("PX009", "PX104")


def _forms(model: type[Words], path: str = "") -> Iterator[tuple[str, str]]:
    """The words that hold others, by their paths, each with a hint; none inside lists, whose paths have numbers."""
    for word, info in model.model_fields.items():
        below = model_of(info.annotation)
        if below is None or not issubclass(below, Words):
            continue
        listed = "tuple" in str(info.annotation)
        written = f"{word}: [{below.form}]" if listed else f"{word}: {below.form}"
        if below.form:
            yield f"{path}{word}", f"Write {written}" + ("." if info.is_required() else ", or leave the word out.")
        if not listed:
            yield from _forms(below, f"{path}{word}.")
