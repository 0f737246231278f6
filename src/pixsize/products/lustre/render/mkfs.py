"""Scripts that make the targets of a Lustre file system: one a server, and a run book beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.software import Software
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Target
from pixsize.products.lustre.plan import LustreFilesystem
from pixsize.products.lustre.render.needs import lacking
from pixsize.render import template
from pixsize.render.records import Again, File, Renderer
from pixsize.render.template import some


def labels(plan: Plan) -> tuple[str, ...]:
    """The labels of the targets that mkfs.lustre makes, in the order of first start; none for another file system."""
    return tuple(t.id for t in _targets(plan))


def reformatting(chosen: Iterable[str]) -> Renderer:
    """The renderer whose scripts destroy the targets with these labels; a label that a plan lacks does nothing."""
    old = frozenset(chosen)
    return replace(RENDERER, files=partial(_files, old=old), findings=partial(_findings, old=old))


def _files(plan: Plan, catalog: Catalog, old: frozenset[str] = frozenset()) -> tuple[File, ...]:
    """A script for each server that serves a target first, in the order in which they are run; then the run book."""
    if not _targets(plan):
        return ()
    from pixsize.products.lustre.format_time import format_works  # most runs format nothing
    from pixsize.products.lustre.render import mkfs_view

    works = format_works(plan, catalog)
    scripts = mkfs_view.scripts(plan, old, works)
    made = (File(f"mkfs/{s['server']}.sh", template.fill("mkfs/server.sh.j2", s), executable=True) for s in scripts)
    held = mkfs_view.run_book(plan, scripts, _ran(plan, catalog), works, _sizes_of(plan, catalog))
    return (*made, File("mkfs/README.md", template.fill("mkfs/README.md.j2", held)))


def _sizes_of(plan: Plan, catalog: Catalog) -> str:
    """The release whose sizes those of this plan's release are; empty where they are its own."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return ""
    from pixsize.products.lustre.records import LustreRelease

    return catalog.get(LustreRelease, plan.filesystem.release).sizes_of or ""


def _ran(plan: Plan, catalog: Catalog) -> str:
    """The software that the document ran on the servers of this design, empty where no record says."""
    found = (s for s in catalog.all(Software) if s.runs_on == "servers" and catalog.id_of(s.design) == plan.design)
    return ", ".join(f"{name} {version}" for record in found for name, version in record.versions.items())


def _targets(plan: Plan) -> tuple[Target, ...]:
    return tuple(t for t in plan.targets if t.kind in ("mgt", "mdt", "ost"))


def _applies(plan: Plan) -> bool:
    """Whether the plan has targets of Lustre, and everything that their scripts need."""
    return bool(_targets(plan)) and not any(lacking(plan))


def _findings(plan: Plan, catalog: Catalog, old: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """What the scripts lack, what mkfs.lustre would refuse, and what they destroy."""
    return (*lacking(plan), *_refused(plan, catalog), *_destroyed(plan, old))


def _refused(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """PX613: sizes that mkfs.lustre cannot format, each once."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    from pixsize.products.lustre.ldiskfs import refusal
    from pixsize.products.lustre.records import LustreRelease

    release = catalog.get(LustreRelease, plan.filesystem.release)
    sizes = {v.id: v.bytes for v in plan.volumes}
    kinds: dict[tuple[str, int], list[str]] = {}
    for target in _targets(plan):
        kinds.setdefault((target.kind, sizes[target.volume or ""]), []).append(target.id)
    for (kind, size), names in kinds.items():
        why = refusal(release, kind, size)
        if why:
            yield Finding("PX613", f"{some(names)}: mkfs.lustre would refuse {size:,} bytes: {why}")


def _destroyed(plan: Plan, old: frozenset[str]) -> Iterator[Finding]:
    """PX612: what --reformat was given for, once more in words."""
    for target in _targets(plan):
        if target.id in old:
            yield Finding(
                "PX612",
                f"{target.servers[0]}.sh destroys the target {target.id} that its device holds",
                hint="when it is done, render again without --reformat",
            )


RENDERER = Renderer(
    name="mkfs",
    summary="a script for each server that makes its Lustre targets, with a run book",
    needs="`network` in the request; on PowerFlex two replies of scli in --observed, for the names of devices",
    applies=_applies,
    findings=_findings,
    files=_files,
    again=Again("Lustre target", labels, reformatting),
)
