"""The only user of the template engine, which is loaded when the first text is made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pixsize import resources

if TYPE_CHECKING:
    from jinja2 import Environment


def fill(template: str, view: Mapping[str, Any]) -> str:
    """The text of a template with the values of a view; a name that the view lacks is a bug, and raises."""
    return _environment().get_template(template).render(view)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resources.folder("templates")),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  no HTML is made; words.py checks every argument
        auto_reload=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
