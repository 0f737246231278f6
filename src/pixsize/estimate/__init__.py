"""Figures and findings from a plan and the measurements of the catalog."""

from pixsize.estimate.steps import estimate

__all__ = ["estimate"]
