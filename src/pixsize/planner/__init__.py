"""The named steps that make a Plan from a completed request."""

from pixsize.planner.steps import make_plan

__all__ = ["make_plan"]
