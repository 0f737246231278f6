"""Plans beside each other, each from its request or from the file that it was written to: `compare` and `diff`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.findings import Finding
from pixsize.workflow import Checked, Given, Tell, estimated, judged, plan, replies_of, silent, sized

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.report.differences import Change

# Rooms are imported where they are used, as in `workflow`.


class Side(NamedTuple):
    """A plan to set beside others, as JSON has it: from its request, or from the file that it was written to.

    `document` is None when a finding forbids it. `words` are what the user wrote of the request.
    """

    findings: tuple[Finding, ...]
    document: Mapping[str, Any] | None
    example: Path | None
    words: Mapping[str, Any] = MappingProxyType({})


def side(given: Given, tell: Tell = silent, *, by_threads: bool = True) -> Side:
    """The plan that a request or a file with a plan stands for."""
    from pixsize.report import plan_json
    from pixsize.report.request_changes import own_words

    tell("reading")
    given, found, findings = _written(given)
    if found is not None or findings:
        return Side(findings, found, None, own_words(found["request"], found["defaults"]) if found else {})
    planned = plan(given, tell, by_threads=by_threads)
    if planned.sized is None:
        return Side(planned.findings, None, planned.example)
    words = own_words(planned.sized.words, planned.sized.defaults)
    return Side(planned.findings, plan_json.document(planned.sized), planned.example, words)


def _written(given: Given) -> tuple[Given, dict[str, Any] | None, tuple[Finding, ...]]:
    """The plan that a file or standard input holds, or what is wrong with it; neither where it holds a request.

    Standard input is read once, and then held by what is given.
    """
    from pixsize.load import files, find_request, plan_file

    if given.config == files.STDIN:
        data = files.read_stdin(plan_file.PLAN_MIB * files.MIB)
        if isinstance(data, Finding):
            return given, None, (data,)
        if plan_file.looks_like_plan(data):
            return given, *plan_file.parse_plan(data, given.config)
        return given._replace(held=data), None, ()
    path, _ = find_request(given.config)
    return given, *(plan_file.read_plan(path, given.config) if plan_file.is_plan(path) else (None, ()))


def compare(given: Sequence[Given], tell: Tell = silent) -> tuple[Side, ...]:
    """The plans of several requests or files, in their order."""
    return tuple(side(each, tell) for each in given)


class Differing(NamedTuple):
    """The two plans, and what differs between them; None when a finding forbids one of them."""

    before: Side
    after: Side
    changes: tuple[Change, ...] | None


def diff(before: Given, after: Given, tell: Tell = silent) -> Differing:
    """What differs between two plans, and the words of the request that cause it."""
    from pixsize.load import load_catalog
    from pixsize.report.differences import Planner, explained

    sides = side(before, tell, by_threads=False), side(after, tell, by_threads=False)
    old, new = (s.document for s in sides)
    if old is None or new is None:
        return Differing(*sides, None)
    tell("looking for causes")
    catalogs = {given.catalog: load_catalog(given.catalog)[0] for given in (before, after)}
    planners = (partial(_document_of, given=given, records=catalogs[given.catalog]) for given in (before, after))
    old_side, new_side = (Planner(s.words, planner) for s, planner in zip(sides, planners, strict=True))
    return Differing(*sides, explained(old, new, old_side, new_side))


def _document_of(words: Mapping[str, Any], given: Given, records: Catalog) -> Mapping[str, Any] | None:
    """The plan of a request in plain words, as JSON has it; None where a finding forbids it."""
    from pixsize.load import load_words
    from pixsize.report import plan_json

    loaded, found = load_words(words, given.config, records)
    observed, more = replies_of(given, loaded, records)
    read = Checked((), None, loaded, records, observed)
    done, figures = estimated(judged(read, (*found, *more), given, silent), silent, by_threads=False)
    made = sized(done, figures)
    return plan_json.document(made) if made else None
