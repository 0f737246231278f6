"""A second opinion on a finished plan: rules written from the vendors' documents, not from the planner's code."""

from pixsize.check.rules import check

__all__ = ["check"]
