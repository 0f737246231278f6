"""Loads a request: parse the file, complete it with defaults, judge it; or report everything that is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

from pydantic import BaseModel, ValidationError

from pixsize import resources
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design
from pixsize.catalog.records import DESIGNS
from pixsize.findings import Finding, has_errors
from pixsize.load import model_words
from pixsize.load.files import exists
from pixsize.load.partial_request import MOST_FINDINGS, PartialRequest, TooManyError, did_you_mean, named, nearest
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.request_words import judge_entries, judge_sizes
from pixsize.load.yaml_reader import UNREADABLE, Parsed, read
from pixsize.product import Addition, RequestShape, additions_to
from pixsize.request import Request, Words, shape_for

_LONGEST_EXAMPLE = 100
"""Characters of a name that may be a shipped example's; a longer one is a path, and is not looked up."""
_Words: TypeAlias = Any
"""A mapping, a list or a plain value, as a file holds it."""


class Loaded(NamedTuple):
    """A request and how it was written: its completed words, which were defaults, and where the others stand.

    Equal requests have equal digests, however they are written.
    """

    request: Request
    words: dict[str, Any]
    defaults: tuple[str, ...]
    positions: Positions

    @property
    def digest(self) -> str:
        """The SHA-256 of the completed words."""
        return digest_of(self.words)


def find_request(given: str) -> tuple[Path, bool]:
    """The file that `given` names, and whether that is a shipped example: so it is where no file has the path."""
    path = Path(given)
    if given and len(given) <= _LONGEST_EXAMPLE and not exists(path) and path.name == given:
        for name in (given, f"{given}.yaml"):
            example = resources.folder("examples") / name
            if name.endswith(".yaml") and exists(example):
                return example, True
    return path, False


def load_request(given: str, catalog: Catalog, held: bytes | None = None) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """The request that `given` names, completed with its design's defaults; None, and why, when anything is wrong.

    `held` is what it holds, where that was read already.
    """
    path, _ = find_request(given)
    parsed = read(path, given, held=held)
    if parsed.value is None:
        return None, _with_examples(parsed.findings, given)
    if str(parsed.value.get("schema")).startswith("pixsize."):
        hint = "Give its request; `pixsize compare` and `diff` also take plans in JSON."
        return None, (Finding("PX012", "a plan stands here, not a request", "", hint, parsed.positions.key("schema")),)
    return _load(parsed, catalog)


def load_words(words: Mapping[str, Any], shown: str, catalog: Catalog) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """The request that plain words make; findings have the place `shown`, since no file holds the words."""
    return _load(Parsed(deepcopy(dict(words)), Positions(shown), ()), catalog)


def _load(parsed: Parsed, catalog: Catalog) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """The request that parsed words make, completed with its design's defaults."""
    partial, shape = _begin(parsed, catalog)
    findings = parsed.findings + _design_findings(parsed, catalog, partial is not None)
    if partial is None or shape is None:
        if not has_errors(findings):  # a bug: overlays with such a design are refused when they are read
            raise RuntimeError("a design of no known pair of volumes and file system")
        return None, _sorted(findings)
    partial.findings += findings
    request = _judge(partial, shape)
    if has_errors(partial.findings):
        return None, _sorted(with_forms(partial.findings, shape.model))
    if request is None:
        raise RuntimeError("a request was refused without a finding")  # a bug: something was left out and never named
    completed = _ordered(partial.words, shape.model, "", {})
    return Loaded(request, completed, tuple(partial.defaults), parsed.positions), _sorted(tuple(partial.findings))


def digest_of(words: Mapping[str, Any]) -> str:
    """The SHA-256 of words as canonical JSON."""
    import hashlib

    text = json.dumps(words, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _with_examples(findings: tuple[Finding, ...], given: str) -> tuple[Finding, ...]:
    first = findings[0]
    if first.code != "PX001" or "no such file" not in first.message:
        return findings
    hint = "`pixsize init large+hdmd` writes a request to begin with."
    if "/" not in given:
        examples = sorted(p.stem for p in resources.folder("examples").glob("*.yaml"))
        meant = did_you_mean(given.removesuffix(".yaml"), examples)
        hint = f"{meant} {hint} Shipped examples: {named(examples)}.".strip()
    return (Finding(first.code, first.message, first.where, hint, first.position),)


def _sorted(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (f.position.line, f.position.column) if f.position else (0, 0)))


def shape_of(design: Design) -> RequestShape | None:
    """How requests for a design are written; None where its file system does not go with its volumes."""
    return shape_for(design.filesystem, design.volumes)


def _begin(parsed: Parsed, catalog: Catalog) -> tuple[PartialRequest | None, RequestShape | None]:
    """The request with the design that was named, or probably meant, so that the rest can be judged too."""
    designs = _designs(catalog)
    name = parsed.value.get("design")
    if not (isinstance(name, str) and name in catalog and isinstance(catalog.record(name), Design)):
        name = nearest(name, designs) if isinstance(name, str) else ""
        name = name or (designs[0] if len(designs) == 1 else "")
    if not name:
        return None, None
    design = catalog.get(Design, name)
    partial = PartialRequest(parsed.value, design, catalog, parsed.positions)
    partial.chosen["design"] = design.id  # of what replaced it, where the request names a record that is replaced
    return partial, shape_of(design)


def _designs(catalog: Catalog) -> tuple[str, ...]:
    """The designs by id. Their kinds are named, since to look for all that are made alike would load every kind."""
    return tuple(sorted(i for kind in DESIGNS for i in catalog.ids(kind)))


def _design_findings(parsed: Parsed, catalog: Catalog, judged: bool) -> tuple[Finding, ...]:
    """What is wrong with the word `design`; where the rest is `judged`, its shape says what a missing one lacks."""
    name, designs = parsed.value.get("design"), _designs(catalog)
    position = parsed.positions.value("design")
    if isinstance(name, str):
        if name in catalog and isinstance(catalog.record(name), Design):
            return ()
        message = f"unknown design {quoted(name)}; the catalog has {named(designs)}"
        return (Finding("PX102", message, "design", did_you_mean(name, designs), position),)
    if judged or name is UNREADABLE:
        return ()
    code, message = (
        ("PX104", "a design is text") if "design" in parsed.value else ("PX103", "the word design is missing")
    )
    return (Finding(code, message, "design", f"The catalog has {named(designs)}.", position),)


def _judge(partial: PartialRequest, shape: RequestShape) -> Request | None:
    """The request, when nothing keeps its words from being one; what does, is noted in it."""
    try:
        misspelt = _judge_words(partial, shape)
        on_arrays = isinstance(partial.design, ArrayDesign)
        if on_arrays:
            judge_entries(partial)
        present = list(_additions(partial))
        shape.complete(partial)
        for addition in present:
            addition.adds.complete(partial)
        for pattern, value in model_words.plain_defaults(shape.model):
            partial.complete(pattern, value)
        if on_arrays:
            judge_sizes(partial)
        shape.judge(partial)
        for addition in present:
            addition.adds.judge(partial)
        try:
            completed = _ordered(partial.words, shape.model, "", partial.chosen)
            return cast("Request", shape.model.model_validate(completed))
        except ValidationError as error:
            _complain(partial, error, misspelt)
    except TooManyError:
        last = partial.findings[-1]
        message = f"{last.message} (more is wrong; these come first)"
        partial.findings[-1] = Finding(last.code, message, last.where, last.hint, last.position)
    return None


def _additions(partial: PartialRequest) -> Iterator[Addition]:
    """What the request adds to the system; PX121 for what the design has no record of."""
    for addition in additions_to(partial.design.filesystem):
        if not isinstance(partial.words.get(addition.word), dict):
            continue
        if partial.catalog.of_design(addition.adds.section, partial.design.id):
            yield addition
        else:
            message = f"{partial.design.id} has no {addition.word}: its document does not describe them"
            partial.report("PX121", addition.word, message, f"Leave out {addition.word}.", at_key=True)


def _complain(partial: PartialRequest, error: ValidationError, misspelt: Container[str]) -> None:
    """Report what pydantic found, without what a finding covers; all of it where there is no other finding."""
    complaints = list(model_words.complaints(error))
    for code, path, message, hint in complaints:
        if path not in misspelt and not partial.is_bad(path):
            partial.report(code, path, message, hint)
    if not has_errors(partial.findings):
        for code, path, message, hint in complaints:
            partial.report(code, path, message, hint)


def _judge_words(partial: PartialRequest, shape: RequestShape) -> set[str]:
    """Note unknown and empty words; returns the paths that the misspelt ones were meant to be."""
    problems: list[model_words.Problem] = []
    for problem in (
        *islice(model_words.unknown_words(shape.model, partial.words), MOST_FINDINGS),
        *model_words.empty_values(partial.words),
    ):
        code, path, message, hint = problem
        problems.append(problem)
        partial.report(code, path, message, hint, at_key=code == "PX101")
    return model_words.misspelt(problems)


def _ordered(words: _Words, model: type[BaseModel] | None, path: str, chosen: Mapping[str, str]) -> _Words:
    """The words in the order of their model, with `chosen` values in place of those at their paths."""
    if isinstance(words, list):
        return [_ordered(each, model, item(path, index), chosen) for index, each in enumerate(words)]
    if not isinstance(words, dict) or model is None:
        return chosen.get(path, words)
    legal = model_words.words_of(model)
    ordered = [w for w in legal if w in words] + [w for w in words if w not in legal]
    return {w: _ordered(words[w], model_words.model_of(legal.get(w)), join(path, w), chosen) for w in ordered}


def with_forms(findings: Iterable[Finding], model: type[Words]) -> tuple[Finding, ...]:
    """The findings; those about a value in the place of a mapping or a list show how the word is written."""
    forms = dict(_forms(model))
    about_form = ("PX009", "PX104")
    return tuple(f._replace(hint=forms[f.where]) if f.code in about_form and f.where in forms else f for f in findings)


def _forms(model: type[Words], path: str = "") -> Iterator[tuple[str, str]]:
    """The words that hold others, by their paths, each with a hint; none inside lists, whose paths have numbers."""
    for word, info in model.model_fields.items():
        below = model_words.model_of(info.annotation)
        if below is None or not issubclass(below, Words):
            continue
        listed = "tuple" in str(info.annotation)
        written = f"{word}: [{below.form}]" if listed else f"{word}: {below.form}"
        if below.form:
            yield f"{path}{word}", f"Write {written}" + ("." if info.is_required() else ", or leave the word out.")
        if not listed:
            yield from _forms(below, f"{path}{word}.")
