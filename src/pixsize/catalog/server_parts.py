"""What servers are ordered with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Few, Model, Record, ServerId

Text = Annotated[str, Field(min_length=1, max_length=200)]


PartId = Annotated[
    str,
    matching(
        r"[a-z0-9](?:[a-z0-9.+-]{0,38}[a-z0-9])?",
        "a small letter or a digit, then at most 39 of a-z, 0-9, `.`, `+` and `-`",
    ),
]
"""The id of a part on a bill and in a parts file; no record of the catalog has it."""


class ServerPart(Model):
    """So many equal parts of one server.

    `id` is theirs on a bill, made of `item` where it is left out.
    `sold` says whether they belong to the bill: `included` do. `optional` ones are the customer's choice, those of the
    `test_bed` are what benchmarks ran on in place of what is sold, and of `unsaid` no document says how many there are.
    """

    item: Text
    id: PartId | Literal[""] = ""
    count: Few = 1
    sold: Literal["included", "optional", "test_bed", "unsaid"] = "included"


class ServerParts(Record):
    """What servers of a model are ordered with beside their adapters, by what it is for; no figure rests on it."""

    server: ServerId
    parts: Annotated[dict[str, ServerPart], Field(min_length=1, max_length=32)]
