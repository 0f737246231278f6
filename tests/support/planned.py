"""The shipped examples planned and explained by the workflow itself, each once a run: nobody changes a plan."""

from __future__ import annotations

from functools import cache
from typing import Any

from pixsize import workflow
from pixsize.report.sized_plan import SizedPlan


@cache
def facts(example: str) -> SizedPlan:
    """The plan of an example with all its figures."""
    found = workflow.plan(workflow.Given(example)).sized
    assert found is not None
    return found


@cache
def trees_of(example: str) -> dict[str, Any]:
    """What `explain --all` knows of an example."""
    trees = workflow.explain(workflow.Given(example), None).trees
    assert trees
    return trees
