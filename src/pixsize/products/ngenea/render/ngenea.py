"""A file for each target of Ngenea: the keys that a public page lists, and the rest as comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan, added
from pixsize.products.ngenea.plan import ColdTarget, NgeneaNodes
from pixsize.products.ngenea.records import NgeneaDesign, NgeneaType, type_id
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, word

PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9_.][A-Za-z0-9_.-]*)+", re.ASCII)
"""An absolute path that no shell reads as anything else, without a part that climbs."""
_VALUE = re.compile(r"[A-Za-z0-9$:/_.-]+", re.ASCII)
"""A value of an INI file: nothing that a reader takes for a comment, a section or something to fill in."""


def section_of(plan: Plan, catalog: Catalog) -> NgeneaDesign:
    """The catalog's record of Ngenea for the plan's design."""
    (section, *_) = catalog.of_design(NgeneaDesign, plan.design)
    return section


def applies(plan: Plan) -> bool:
    """Whether the plan has Ngenea nodes."""
    return added(plan, NgeneaNodes) is not None


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    """PX641 where there is no target."""
    nodes = added(plan, NgeneaNodes)
    if nodes is None or nodes.targets:
        return ()
    hint = "Add targets below ngenea: a name, a type, and what the type needs."
    return (Finding("PX641", "Ngenea has no targets: no file says where it moves files to", "ngenea", hint),)


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """One file a target, the same on all nodes."""
    nodes = added(plan, NgeneaNodes)
    assert nodes is not None
    folder = checked(PATH, section_of(plan, catalog).folder)
    about = {"plan": word(plan.name), "folder": folder, "nodes": template.word_list(list(nodes.nodes))}
    return tuple(
        File(path_of(target, catalog), template.fill("ngenea/target.conf.j2", about | _view(target, catalog)))
        for target in nodes.targets
    )


def path_of(target: ColdTarget, catalog: Catalog) -> str:
    """The path of a target's file; it ends in `.draft` where no public page lists the keys."""
    kind = catalog.get(NgeneaType, type_id(target.type))
    return f"ngenea/{word(target.name)}.conf" + ("" if kind.keys else ".draft")


def _view(target: ColdTarget, catalog: Catalog) -> dict[str, object]:
    kind = catalog.get(NgeneaType, type_id(target.type))
    values = dict(_values(target))
    names = {key: text.replace("{name}", target.name) for key, text in kind.names.items()}
    return {
        "name": word(target.name),
        "type": word(target.type),
        "keys": [f"{word(key)}={values[known]}" for known, key in kind.keys.items() if known in values]
        + [f"{word(key)}={checked(_VALUE, text)}" for key, text in names.items()],
        "lacking": [f"{word(kind.keys.get(asked, asked))}" for asked in kind.asks if asked not in values],
        "unknown": [f"{known}: {value}" for known, value in values.items() if known not in kind.keys],
        "complete": bool(kind.keys),
    }


def _values(target: ColdTarget) -> Iterator[tuple[str, str]]:
    """What the plan says of a target, by the words of a request; each checked as a value of an INI file."""
    if target.host:
        yield "endpoint", word(target.host)
        yield "port", word(target.port)
        yield "scheme", word(target.scheme.upper())
    for known, value in (("bucket", target.bucket), ("region", target.region)):
        if value:
            yield known, word(value)
    for known, value in (("path", target.path), ("credentials_file", target.credentials_file)):
        if value:
            yield known, checked(PATH, value)


RENDERER = Renderer(
    name="ngenea",
    summary="a file for each target of Ngenea, without secrets",
    needs="the targets of Ngenea",
    applies=applies,
    files=files,
    findings=findings,
    left_out_for=frozenset({"PX641"}),
)
