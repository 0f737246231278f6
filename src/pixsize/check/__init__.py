"""The rules that judge a finished plan, written from the vendors' documents and not from the planner's code."""

from pixsize.check.rules import check

__all__ = ["check"]
