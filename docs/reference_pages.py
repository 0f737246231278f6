"""The pages of the reference that are drawn from the program itself: commands, request, figures, catalog."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import click
from pydantic import BaseModel

from pixsize import workflow
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.kinds import KINDS
from pixsize.cli import COMMANDS, main
from pixsize.codes import codes
from pixsize.estimate.ids import MEASURABLE, is_by_threads
from pixsize.figures import Figure
from pixsize.load import load_catalog
from pixsize.product import PRODUCTS
from pixsize.render import RENDERERS
from pixsize.report import request_schema
from pixsize.report.markdown import escape
from pixsize.report.sized_plan import SizedPlan
from pixsize.request import shape_for

_COLUMNS = 80
_WIDTH = 120


def cli_page() -> dict[str, str]:
    """Every command with its help."""
    parts = ["# Commands", _wrapped(_COMMANDS), *_helps(main, "pixsize", None)]
    for name in COMMANDS:
        parts += _helps(main.get_command(click.Context(main), name), f"pixsize {name}", click.Context(main))
    targets = ((f"`{name}`", escape(r.summary), escape(r.needs or "-")) for name, r in RENDERERS.items())
    parts += ["## Render targets", _wrapped(_TARGETS), _table(("target", "makes", "needs"), targets)]
    return {"cli.md": "\n\n".join([*parts, _EXIT_CODES]) + "\n"}


_COMMANDS = """\
stdout is data, stderr is talk: findings, progress and everything else that is not the answer.
`--format json` prints nothing but JSON. Colours and progress appear on a terminal only, and not
with `NO_COLOR`. Without `--config`, the request is `pixsize.yaml` in the current folder; where no
file has the name given, it is that of a shipped example. [Shell
completion](../how-to/shell-completion.md) knows commands, options, targets, figures and examples."""

_TARGETS = """\
Each writes a folder of its own name; `all` writes those that fit the plan, and says why it leaves a
target out."""

_EXIT_CODES = """\
## Exit codes

| code | means |
|---|---|
| 0 | fine; warnings and notes do not change that, unless `check --strict` is asked |
| 1 | the input or the result is wrong: a finding of severity error |
| 2 | wrong usage |
| 3 | a bug in pixsize; `PIXSIZE_DEBUG=1` shows where |
| 130 | interrupted with Ctrl-C; nothing is half written |
| 141 | the reader of the output has gone, as with `pixsize plan \\| head -1` |"""


def _helps(command: click.Command | None, path: str, parent: click.Context | None) -> Iterator[str]:
    assert command is not None
    context = click.Context(command, info_name=path, terminal_width=_COLUMNS, max_content_width=_COLUMNS)
    context.help_option_names = ["-h", "--help"]
    yield f"## {path}"
    yield f"```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group) and parent is not None:
        for name in command.list_commands(context):
            yield from _helps(command.get_command(context, name), f"{path} {name}", context)


def request_page() -> dict[str, str]:
    """Every word of a request with its default, for each shape that the requests of a design have."""
    below = request_schema.schema()["$defs"]
    parts = ["# The request", _wrapped(_REQUEST)]
    for model, designs in _shapes():
        names = " and ".join(f"`{d.id}`" for d in designs)
        parts += [f"## {names}", "\n".join(f"{d.title}." for d in designs)]
        filled = {field.alias or word for word, field in model.model_fields.items() if field.is_required()}
        for path, body in _bodies("", below[model.__name__], below):
            rows = (_word(path, w, a, body, designs, filled) for w, a in body["properties"].items())
            title = f"### `{path}`" if path else "### The top"
            parts += [title, _table(("word", "takes", "default", "for"), rows)]
    return {"request.md": "\n\n".join(parts) + "\n"}


def _shapes() -> Iterator[tuple[type[BaseModel], tuple[Design, ...]]]:
    """The model of each shape of request, and the designs of the catalog that have it."""
    designs = load_catalog()[0].all(Design)
    found: dict[type[BaseModel], list[Design]] = {}
    for filesystem, volumes in itertools.product(PRODUCTS, repeat=2):
        shape = shape_for(filesystem, volumes)
        if shape is not None:
            of_pair = (d for d in designs if (d.filesystem, d.volumes) == (filesystem, volumes))
            found.setdefault(shape.model, []).extend(of_pair)
    yield from ((model, tuple(there)) for model, there in found.items())


_REQUEST = """\
A request is a YAML file of at most 1 MiB. Its design says which words it takes: those of each
design stand in a section of their own. Sizes are text with a unit, `8 MiB`; a drive is a
capacity that the design offers, `12 TB`, or the id of a drive in the [catalog](catalog.md).
`pixsize schema request` prints the JSON Schema, with which an editor completes and checks the
words. A word that is left out takes its default; the plan names those that did."""

_WORKED_OUT = {
    "hosts": "generated",
    "addresses": "from the subnet",
    "management": "`iml_monitored` for 2.10, otherwise `none`",
    "spare": "the share of one server, rounded up",
    "ost": "the largest that fits",
}
"""Words whose default is no value of the design, but follows from the other words."""


def _bodies(path: str, body: dict[str, Any], below: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The mappings of a request, the outer before the inner, with their paths."""
    yield path, body
    for word, about in body["properties"].items():
        reference = about.get("$ref") or about.get("items", {}).get("$ref")
        if reference:
            inner = f"{path}.{word}".lstrip(".") + ("[]" if "items" in about else "")
            yield from _bodies(inner, below[reference.rpartition("/")[2]], below)


def _word(
    path: str, word: str, about: dict[str, Any], body: dict[str, Any], designs: Iterable[Design], filled: set[str]
) -> tuple[str, ...]:
    """A row of the table. Of the mappings at the top, every completed request has those that are `filled`."""
    full = f"{path}.{word}".lstrip(".")
    said = {_plain(d.defaults[full]) for d in designs if full in d.defaults}
    default = "must be written" if word in body.get("required", ()) else ", ".join(sorted(said))
    default = default or ("as below" if "$ref" in about and full in filled else _WORKED_OUT.get(word, "none"))
    return f"`{word}`", _takes(about), default, escape(about.get("description", ""))


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _takes(about: dict[str, Any]) -> str:
    if "enum" in about:
        return " or ".join(f"`{v}`" for v in about["enum"])
    if "$ref" in about:
        return "a mapping, see below"
    if about["type"] == "array":
        return "a list, see below" if "$ref" in about["items"] else "a list of texts"
    if about["type"] == "integer":
        return f"a whole number, {about.get('minimum', 0)} or more" + (
            f", at most {about['maximum']}" if "maximum" in about else ""
        )
    return {
        "boolean": "true or false",
        "string": "a size with its unit" if "pattern" in about else "text",
        "object": "a mapping of names",
    }[about["type"]]


def figures_page() -> dict[str, str]:
    """Every figure that plans of each design have, with its rule; rates with that of the model."""
    sized = {name: _sized(name) for name in sorted(workflow.example_names())}
    rules = {f.rule for s in sized.values() for f in s.figures.values() if f.basis == "measured"}
    parts = [
        "# Figures",
        _wrapped(_FIGURES),
        _wrapped(_RATES),
        f"> {_wrapped(min(rules, key=lambda rule: (len(rule), rule)))}",
    ]
    for design in (d.id for _, designs in _shapes() for d in designs):
        of_design = {name: s.figures for name, s in sized.items() if s.plan.design == design}
        if of_design:
            parts += [f"## `{design}`", *_tables(of_design)]
    power = f"`hardware.power`, in `W`, is there only where it was measured. {codes()['PX407'].why}"
    return {"figures.md": "\n\n".join([*parts, "## What nobody can work out", _wrapped(power)]) + "\n"}


def _sized(example: str) -> SizedPlan:
    sized = workflow.plan(workflow.Given(example)).sized
    assert sized is not None, example
    return sized


_SHOWN = ".threads_64"
"""The number of threads that stands for all others on the page."""


def _tables(examples: Mapping[str, Mapping[str, Figure]]) -> Iterator[str]:
    """The figures of a design, from its examples by name: what is worked out, and what a benchmark can measure.

    Rates are shown as the model makes them, and best of the example that is furthest from what was measured.
    """
    furthest = max(examples, key=lambda name: _doubt(examples[name].values()))
    known: dict[str, dict[bool, Figure]] = {}
    for name in sorted(examples, key=lambda name: (name != workflow.STARTER, name != furthest)):
        for figure_id, figure in examples[name].items():
            known.setdefault(figure_id, {}).setdefault(figure.basis == "measured", figure)
    assert "hardware.power" not in known
    calculated = {i: rules for i, rules in known.items() if i not in MEASURABLE}
    yield _table(("id", "unit", "rule"), (_rule(i, r) for i, r in sorted(calculated.items())))
    rates = {i: r for i, r in known.items() if i not in calculated and (not is_by_threads(i) or i.endswith(_SHOWN))}
    if rates:
        yield f"Rates that were not measured; the rules are those of the example `{furthest}`:"
        yield _table(("id", "unit", "rule"), (_rule(i, r) for i, r in sorted(rates.items())))


def _doubt(figures: Iterable[Figure]) -> Fraction:
    """How wide the ranges of all rates that were not measured are, each as a part of its value."""
    rates = (f for f in figures if f.basis != "measured" and f.value and f.id in MEASURABLE)
    return sum((Fraction(f.high - f.low, f.value) for f in rates), Fraction(0))


def _rule(figure_id: str, rules: Mapping[bool, Figure]) -> tuple[str, str, str]:
    figure = rules.get(False) or rules[True]
    return f"`{figure_id}`", figure.unit, escape(figure.rule)


_FIGURES = """\
A figure has a value between a low and a high, a unit, a basis, a rule in words, sources, and
inputs: other figures and records of the [catalog](catalog.md). `pixsize explain ID` follows one
down to the documents. Units: `B` bytes, `B/s` bytes a second, `op/s` operations a second, `U` rack
units, `W` watts, `1` a count. Bases, strongest first: `exact` (arithmetic on chosen parts),
`measured` (this configuration was benchmarked), `specified` (a vendor's document states it),
`extrapolated` (scaled from a measurement by a stated rule), `estimated` (engineering judgement). A
figure for which there is no evidence is absent from a plan, and `pixsize explain` says why. The rules
below are those of the first shipped example of a design that has the figure; a rule can speak of the
system at hand. [How each number is made](../explanation/how-each-number-is-made.md) tells the whole."""

_RATES = """\
Where the very system was measured, by the shipped documents or by a
[record of yours](../how-to/extend-the-catalog.md), the rule of a rate is the following, with the
factor of its own family of figures and what there is to doubt; any other system is scaled
from what was measured, or bounded by it. Of the rates by
threads of the clients (`threads_1` to `threads_1024`, as many as the documents of a design speak of) those of
64 threads stand for all."""


def catalog_page() -> dict[str, str]:
    """Every shipped record, by kind."""
    records = load_catalog()[0]
    parts = ["# The catalog", _wrapped(_CATALOG)]
    for kind in KINDS:
        rows = (_record(records, i) for i in records.ids(kind))
        heads = ("id", "title", "published by" if kind == "source" else "sources")
        parts += [f"## {kind}", _table(heads, rows)]
    return {"catalog.md": "\n\n".join(parts) + "\n"}


_CATALOG = """\
The facts that plans rest on, each with the document and the place where it was read. `pixsize
catalog show ID` prints a record whole, as the YAML that a `--catalog` folder takes: [extend the
catalog](../how-to/extend-the-catalog.md)."""


def _record(records: Catalog, record_id: str) -> tuple[str, ...]:
    raw = records.raw[record_id]
    if raw["kind"] == "source":
        about = ", ".join(str(raw[w]) for w in ("publisher", "date", "reference") if raw.get(w))
    else:
        citations = [*raw.get("sources", ()), *raw.get("readings", ())]
        about = "; ".join(dict.fromkeys(f"{s['document']}: {s['place']}" for s in citations))
    return f"`{record_id}`", escape(str(raw["title"])), escape(about)


def _wrapped(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), _WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
