"""A quote as PDF: the page of HTML, set by WeasyPrint. Its only importer; `pip install 'pixsize[pdf]'` brings it."""

from __future__ import annotations

from typing import Any

import weasyprint  # type: ignore[import-untyped,import-not-found,unused-ignore]  # an extra that has no types
from weasyprint.urls import URLFetcher  # type: ignore[import-untyped,import-not-found,unused-ignore]

from pixsize.report.quote.contents import Quote
from pixsize.report.quote.html_page import draw as draw_html


def draw(quote: Quote) -> bytes:
    """The pages, tagged for readers of screens (PDF/UA). Nothing is fetched: what the page needs stands in it."""
    nothing_outside = URLFetcher(allowed_protocols=("data",))
    made: Any = weasyprint.HTML(string=draw_html(quote), url_fetcher=nothing_outside)
    return bytes(made.write_pdf(pdf_identifier=quote.digest.encode(), pdf_variant="pdf/ua-1"))
