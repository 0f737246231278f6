"""What servers are ordered with."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pixsize.catalog.records import Record, ServerId


class ServerParts(Record):
    """What servers of a model are ordered with beside their adapters, by what it is for; no figure rests on it."""

    server: ServerId
    parts: Annotated[dict[str, str], Field(min_length=1, max_length=32)]
