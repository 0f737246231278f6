"""The form that the suffix of `-o` asks for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixsize.findings import Finding


def form_of(output: str | None, suffixes: Mapping[str, str]) -> str | None:
    """The form of what goes to `output`, text for a device; None for a file whose suffix says none."""
    if output in (None, "-"):
        return "text"
    is_device = os.path.exists(str(output)) and not os.path.isfile(str(output))
    return "text" if is_device else suffixes.get(Path(str(output)).suffix.lower())


def no_form(output: str, suffixes: Mapping[str, str], *, has_option: bool = True) -> Finding:
    """PX614 for such a file; `has_option` says whether --format could say the form."""
    from pixsize.findings import Finding, Position

    message = f"{Path(output).name!r} has no suffix that says a form"
    hint = f"{', '.join(suffixes)}{'; or --format' if has_option else ''}"
    return Finding("PX614", message, hint=hint, position=Position(output))
