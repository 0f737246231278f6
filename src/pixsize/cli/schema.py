"""`pixsize schema request|plan`."""

from __future__ import annotations

import click

from pixsize.cli.output import emit


@click.group(short_help="JSON Schemas of the request and of the plan.")
def command() -> None:
    """JSON Schemas (draft 2020-12) of what pixsize reads and of what it prints."""


@command.command("request")
def request_schema() -> None:
    """The words of a request. An editor that knows YAML schemas completes and checks them."""
    from pixsize.report import request_schema, serialize

    emit(serialize.indented(request_schema.schema()))


@command.command("plan")
def plan_schema() -> None:
    """What `pixsize plan --format json` prints."""
    from pixsize.report import plan_schema, serialize

    emit(serialize.indented(plan_schema.schema()))
