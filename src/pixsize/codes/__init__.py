"""The registry of findings: one entry a code, by the stage that finds it. The reference pages are made from it."""

from __future__ import annotations

from pixsize.codes.code import Code, Severity
from pixsize.codes.designing import DESIGN_CODES
from pixsize.codes.lustre import LUSTRE_CODES
from pixsize.codes.planning import PLAN_CODES
from pixsize.codes.reading import CATALOG_CODES, FILE_CODES, OBSERVED_CODES, REQUEST_CODES
from pixsize.codes.rendering import RENDER_CODES

CODES: dict[str, Code] = (
    FILE_CODES
    | REQUEST_CODES
    | CATALOG_CODES
    | OBSERVED_CODES
    | DESIGN_CODES
    | PLAN_CODES
    | LUSTRE_CODES
    | RENDER_CODES
)
"""Every code and what it means."""

__all__ = ["CODES", "Code", "Severity"]
