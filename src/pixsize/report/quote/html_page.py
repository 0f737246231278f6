"""A quote as one file of HTML: no script, nothing from outside. Also as PDF, by WeasyPrint where it is installed."""

from __future__ import annotations

import base64

from pixsize.render.template import fill_html
from pixsize.report.document import Items, Table
from pixsize.report.printable import clean
from pixsize.report.quote import pictures
from pixsize.report.quote.contents import Quote
from pixsize.report.quote.sections import MOST_RACKS, Block, Facts, Pages, Picture, Ranges, pages
from pixsize.resources import folder

_DRAWN = {
    "waterfall": lambda title, about, quote: pictures.waterfall(title, about, quote.steps),
    "racks": lambda title, about, quote: pictures.racks(title, about, quote.racks[:MOST_RACKS]),
    "topology": lambda title, about, quote: pictures.topology(title, about, quote.topology),
}


def draw(quote: Quote) -> str:
    """The whole page. Every text is escaped by the template; pictures escape their own."""
    made: Pages = pages(quote)
    style = (folder("templates") / "quote" / "style.css").read_text(encoding="utf-8")
    logo = quote.words.logo
    view = {
        "language": quote.words("language"),
        "style": f"{style}{quote.words.style}",
        "logo": f"data:{logo.media};base64,{base64.b64encode(logo.data).decode()}" if logo else "",
        "quote": quote,
        "pages": made,
        "kind": _kind,
        "clean": clean,
        "bar": pictures.bar,
        "draw": lambda part, block: _DRAWN[block.kind](part.title, block.about, quote),
    }
    return fill_html("quote/page.html.j2", view)


def _kind(block: Block) -> str:
    kinds = ((Facts, "facts"), (Ranges, "ranges"), (Picture, "picture"), (Items, "items"), (Table, "table"))
    return next((name for kind, name in kinds if isinstance(block, kind)), "text")
