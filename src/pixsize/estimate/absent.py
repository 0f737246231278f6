"""Why a figure that could be measured is not in a plan: the finding of the estimates that stands where it would."""

from __future__ import annotations

from collections.abc import Iterable

from pixsize.findings import Finding

_CODES = {"hardware": ("PX407",), "metadata": ("PX405", "PX411"), "throughput": ("PX411",)}
"""The codes that may say why a figure of a family is absent."""


def reasons(figure: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that say why the figure is absent; one on several families' figures names one of the family."""
    family = figure.partition(".")[0]
    codes = _CODES.get(family, ())
    return tuple(f for f in findings if f.code in codes and (f.code != "PX411" or f" {family}." in f.message))
