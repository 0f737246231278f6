"""How files are laid over OSTs and directories over MDTs, in the words of the release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import LustreFilesystem, lustre
from pixsize.products.lustre.records import SPREADS, LustreRelease, LustreWord, has_word
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import binary_size, word
from pixsize.units import binary_bytes

_MIB = 2**20  # bytes


class Part(NamedTuple):
    """A part of a progressive layout: up to which size of the file, None for its end, and over how many OSTs."""

    end: int | None
    stripes: int


_RISING = (Part(64 * _MIB, 1), Part(1024 * _MIB, 4))
"""Lustre Operations Manual, Progressive File Layout: a layout for files of all sizes, as its examples have it."""
_TAIL = "lustre.progressive_stripes"
"""The limit record that says over how many OSTs the rest of a large file lies at most."""
_DOCUMENT = "lustre-me4.document_stripes"
"""The limit record that says over how many OSTs the document's files lay: all that it had."""


class Script(NamedTuple):
    """A script, and what it does."""

    name: str
    what: str


_DEFAULT = Script("default-layout.sh", "Sets the default layout of new files, as planned.")
_PROGRESSIVELY = Script("progressive-layout.sh", "Sets a layout that grows with the file, instead of the planned one.")
_DIRECTORIES = Script("directories.sh", "Makes directories on one MDT after the other.")
_STRIPED = Script("striped-directory.sh", "Makes a directory that is striped over all MDTs.")
_ROUND_ROBIN = Script("round-robin.sh", "Lets new directories go to one MDT after the other.")
_SHOWN = Script("directory-layout.sh", "Shows how new directories are spread over the MDTs, and sets nothing.")


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """A script for each thing that can be set, and a page that says which is for what."""
    view = _view(plan, catalog)
    used = [script for script, has_use in _scripts(view) if has_use]
    rows = [{"name": s.name, "what": s.what.rstrip(".")} for s in used]
    page = template.fill("striping/README.md.j2", view | {"files": rows})
    return (*(_script(script, view) for script in used), File("striping/README.md", page))


def _scripts(view: dict[str, Any]) -> Iterator[tuple[Script, bool]]:
    """Every script, and whether the plan has a use for it."""
    several_mdts = view["mdts"] > 1
    yield _DEFAULT, True
    yield _PROGRESSIVELY, bool(view["progressive"])
    yield _SHOWN, several_mdts and view["spreads"]
    yield _ROUND_ROBIN, several_mdts and view["round_robin"]
    yield _DIRECTORIES, several_mdts
    yield _STRIPED, several_mdts


def _script(script: Script, view: dict[str, Any]) -> File:
    layout = view["progressive"] if script is _PROGRESSIVELY else view["layout"]
    values = view | {"what": script.what, "layout": layout}
    text = template.fill(f"striping/{script.name}.j2", values)
    return File(f"striping/{script.name}", text, executable=True)


def _view(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    fs = lustre(plan)
    release = catalog.get(LustreRelease, fs.release)
    osts = sum(t.kind == "ost" for t in plan.targets)
    mdts = sum(t.kind == "mdt" for t in plan.targets)
    size = binary_size(fs.stripe_bytes)
    tail = catalog.get(Limit, _TAIL).value
    # No part lies over more OSTs than there are.
    parts = tuple(p._replace(stripes=min(p.stripes, osts, tail)) for p in (*_RISING, Part(None, tail)))
    over = {1: "on one OST", -1: "over all OSTs"}.get(fs.stripe_count, f"over {fs.stripe_count} OSTs")
    spreading = catalog.get(LustreWord, SPREADS)
    spreads = has_word(fs.version, spreading)
    return {
        "plan": word(plan.name),
        "fsname": word(fs.name),
        "release": word(fs.version),
        "osts": _counted(osts, "OST"),
        "mdt_count": _counted(mdts, "MDT"),
        "mdts": mdts,
        "last": mdts - 1,
        "size": size,
        "layout": f"-c {fs.stripe_count} -S {size}",
        "meaning": f"A new file lies {over}, in stripes of {binary_bytes(fs.stripe_bytes)}.",
        "progressive": _progressive(fs, parts),
        "progressive_words": _progressive_words(parts),
        "grows": osts < tail,
        "tail": tail,
        "most": _counted(parts[-1].stripes, "OST"),
        "capped": parts[-1].stripes < osts,
        "printed": list(_documented_layouts(plan, osts, catalog)),
        "count": release.lfs_mkdir.count,
        "index": release.lfs_mkdir.index,
        "spreads": spreads,
        "spreads_since": f"since {spreading.since}" if spreading.since else "by itself",
        "round_robin": release.max_inherit_rr and not spreads,
    }


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _progressive(fs: LustreFilesystem, parts: tuple[Part, ...]) -> str:
    """The options of the progressive layout; none where a part would end within a stripe, which lfs refuses."""
    if any(part.end and part.end % fs.stripe_bytes for part in parts):
        return ""
    size = f" -S {binary_size(fs.stripe_bytes)}"
    ends = ["-1" if part.end is None else binary_size(part.end) for part in parts]
    return " ".join(
        f"-E {end} -c {part.stripes}{'' if rank else size}"  # later parts take the stripe size of the first
        for rank, (part, end) in enumerate(zip(parts, ends, strict=True))
    )


def _progressive_words(parts: tuple[Part, ...]) -> str:
    """What the script sets, in words: it names numbers, and so never "all OSTs"."""
    sizes = []
    for part in parts:
        over = _counted(part.stripes, "OST")
        sizes.append(f"the first {binary_bytes(part.end)} on {over}" if part.end else f"the rest on {over}")
    return ", ".join(sizes)


def _documented_layouts(plan: Plan, osts: int, catalog: Catalog) -> Iterator[dict[str, str]]:
    """The layouts that the design's document measured with, where it says them whole."""
    if plan.design == catalog.id_of("lustre-me4"):
        most = int(catalog.get(Limit, _DOCUMENT).value)
        over = f"over as many OSTs as it had, {most}" if osts >= most else f"over all that there are now; it had {most}"
        what = f"the document's sequential test below 32 threads, {over}"
        yield {"what": what, "layout": f"-c {min(osts, most)} -S 1M"}
        yield {"what": "the document's sequential test from 32 threads on", "layout": "-c 1 -S 1M"}
        yield {"what": "the document's random test", "layout": "-c 1 -S 4M"}


def _applies(plan: Plan) -> bool:
    return isinstance(plan.filesystem, LustreFilesystem)


RENDERER = Renderer(
    name="striping",
    summary="default layouts of files, and directories on every MDT",
    applies=_applies,
    files=files,
)
