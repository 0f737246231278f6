"""A quote from a request: `quote`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pixsize.bills import bill_of
from pixsize.findings import Finding, Position, has_errors
from pixsize.workflow import Given, Tell, checked, estimated, silent, sized

if TYPE_CHECKING:
    from pixsize.report.quote.contents import Quote

# Rooms are imported where they are used, as in `workflow`.


class Wanted(NamedTuple):
    """What a quote is made with beside the request: a parts file, whom it is for, dates (YYYY-MM-DD), a template."""

    parts: str | None = None
    customer: str = ""
    date: str = ""
    valid_until: str = ""
    template: Path | None = None


class Quoted(NamedTuple):
    """A quote, or None when a finding forbids it."""

    findings: tuple[Finding, ...]
    quote: Quote | None
    example: Path | None


def quote(given: Given, wanted: Wanted, tell: Tell = silent) -> Quoted:
    """The quote of a request. Everything that is wrong with the request, the parts file and the template is found."""
    from pixsize.load.wording_loader import load_wording

    done, figures = estimated(checked(given, tell), tell, by_threads=False)
    billed = bill_of(done, wanted.parts, tell)
    tell("reading the template")
    words, found = load_wording(wanted.template)
    if not wanted.date:
        found = (*found, Finding("PX660", "no --date is given; the quote has no date", position=Position(given.config)))
    plan = sized(done, figures)
    every = (*billed.findings, *found)
    if has_errors(every) or plan is None or billed.bill is None or words is None or done.loaded is None:
        return Quoted(every, None, done.example)
    from pixsize.report.quote import contents

    tell("quoting")
    head = contents.Head(wanted.customer, wanted.date, wanted.valid_until)
    made = contents.quote(plan, billed.bill, words, head, done.loaded.digest, billed.rack)
    return Quoted(every, made, done.example)


def write(made: Quote, form: str) -> str | bytes | Finding:
    """The quote in a form: `html`, `docx`, `xlsx`, `pdf` or `markdown`. PX663 where WeasyPrint is not there."""
    if form == "pdf":
        try:
            from pixsize.report.quote import pdf
        except (ImportError, OSError) as error:  # the package, or a library that it needs
            why = "WeasyPrint is not installed" if isinstance(error, ModuleNotFoundError) else f"WeasyPrint: {error}"
            return Finding("PX663", " ".join(why.split())[:300], hint="pip install 'pixsize[pdf]'")
        return pdf.draw(made)
    if form == "docx":
        from pixsize.report.quote import word

        return word.draw(made)
    if form == "xlsx":
        from pixsize.report.quote import workbook

        return workbook.draw(made)
    from pixsize.report.quote import html_page, markdown_page

    return html_page.draw(made) if form == "html" else markdown_page.draw(made)
