"""`pixsize catalog list|show`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from pixsize import workflow
from pixsize.cli.options import catalog_option, format_option
from pixsize.cli.output import columns, emit, show_lines
from pixsize.cli.talk import refused
from pixsize.cli.usage import unknown

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.report.document import Line

_FIRST = ("kind", "id", "title", "replaces")
"""What a record is shown with first: as an overlay file takes it, its own words follow in their order."""
_TITLE_ROOM = 30
"""The columns that a title, and the gaps beside it, should have at least."""


def _complete_id(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    records = workflow.catalog(ctx.params.get("catalog"))[0]
    ids = records.ids() if records else ()
    return [CompletionItem(i, help=records.record(i).title if records else "") for i in ids if i.startswith(incomplete)]


def _complete_kind(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from pixsize.catalog.kinds import KINDS

    return [CompletionItem(k) for k in KINDS if k.startswith(incomplete)]


def _records(overlay: Path | None, form: str) -> Catalog:
    """The catalog; ends the run when the overlay contains an error."""
    records, findings = workflow.catalog(overlay)
    if records is None:
        raise click.exceptions.Exit(refused(findings, form))
    return records


@click.group(short_help="The facts that plans rest on.")
def command() -> None:
    """The facts that plans rest on: drives, arrays, servers, designs, limits, measurements and their documents."""


class _NamingKinds(click.Command):
    """A command whose help names every kind of record, those of the products among them."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the help, and the kinds below it; they are loaded here, as no other command needs them to start."""
        from pixsize.catalog.kinds import KINDS

        super().format_help_text(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"Kinds: {', '.join(KINDS)}.")


@command.command("list", cls=_NamingKinds, short_help="The records, by id.")
@click.argument("kind", required=False, shell_complete=_complete_kind)
@catalog_option
@format_option("text", "json", "yaml")
def list_records(kind: str | None, catalog: Path | None, form: str) -> None:
    """The records, all or of one KIND."""
    from pixsize.catalog.kinds import KINDS
    from pixsize.report import serialize

    if kind is not None and kind not in KINDS:
        raise unknown("kind of record", kind, KINDS)
    records = _records(catalog, form)
    rows = [{"id": i, "kind": records.raw[i]["kind"], "title": records.record(i).title} for i in records.ids(kind)]
    if form == "text":
        show_lines(_table(rows, columns(sys.stdout)))
    else:
        document = {"schema": "pixsize.catalog/1", "records": rows}
        emit(serialize.to_json(document) if form == "json" else serialize.to_yaml(document))


def _table(rows: Sequence[Mapping[str, str]], columns: int) -> Iterator[Line]:
    """Ids, kinds and titles as a table; where the ids leave no room beside them, each title on a line of its own."""
    from pixsize.report.document import Column, Table
    from pixsize.report.text import table

    available = columns - max((len(r["id"]) + len(r["kind"]) for r in rows), default=0)
    if available >= _TITLE_ROOM:
        block = Table(
            (Column("id"), Column("kind"), Column("title", wraps=True)),
            tuple((r["id"], r["kind"], r["title"]) for r in rows),
        )
    else:
        pairs = tuple(((r["id"],), (f"  {r['kind']}: {r['title']}",)) for r in rows)
        block = Table((Column("id, kind and title", wraps=True),), tuple(line for pair in pairs for line in pair))
    return table(block, columns)


@command.command("show", short_help="One record, whole.")
@click.argument("record_id", metavar="ID", shell_complete=_complete_id)
@catalog_option
@format_option("yaml", "json")
def show_record(record_id: str, catalog: Path | None, form: str) -> None:
    """One record, whole: as YAML that a `--catalog` folder takes."""
    from pixsize.report import serialize

    records = _records(catalog, form)
    if record_id not in records:
        raise unknown("record", record_id, records.ids(), lists="pixsize catalog list")
    raw = records.raw[records.id_of(record_id)]
    words = {k: raw[k] for k in _FIRST if k in raw} | {k: v for k, v in raw.items() if k not in _FIRST}
    emit(serialize.block_yaml(words) if form == "yaml" else serialize.indented(words))
