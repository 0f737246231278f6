"""How volumes become a file system: one module a file system, one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.built import Built
from pixsize.plan.records import Server, Target


class FileSystem(NamedTuple):
    """A kind of file system. Each has its own kind of request and of settings.

    `order` says what a request asks of the maker of volumes, `variant_of` which variant of the design that is, and
    `refusals` what no plan can be made of, from the counts alone. `settings` are the file system's own, `addressed`
    gives the servers their addresses, and `targets` lays the file system over what was built.
    """

    order: Callable[[Any, Any, Catalog], Any]
    variant_of: Callable[[Any], str]
    refusals: Callable[[Any, Any, Catalog], tuple[Finding, ...]]
    settings: Callable[[Any, Any, Catalog], Any]
    addressed: Callable[[Any, Any, Iterable[Server]], tuple[Server, ...]]
    targets: Callable[[Any, Any, Built, Catalog], tuple[Target, ...]]


def _scale() -> FileSystem:
    from pixsize.filesystems import scale as fs

    return FileSystem(fs.order, fs.variant_of, fs.refusals, fs.settings, fs.addressed, fs.targets)


def _lustre() -> FileSystem:
    from pixsize.filesystems import lustre as fs

    return FileSystem(fs.order, fs.variant_of, fs.refusals, fs.settings, fs.addressed, fs.targets)


FILESYSTEMS: dict[str, Callable[[], FileSystem]] = {"scale": _scale, "lustre": _lustre}
"""The word `filesystem` of a design -> how; a plan needs one, and loads no other."""
