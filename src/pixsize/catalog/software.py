"""What a document ran its system with: versions of software, one record a kind of node."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pixsize.catalog.records import OfDesign

Printed = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}$")]
"""A name or a version as a document prints it; it goes into run books, so it has no signs of Markdown."""


class Software(OfDesign):
    """The versions that a design was validated with on its servers or its clients, by the name of the software.

    No figure is made from them: they say what the document's figures and commands were tried on.
    """

    runs_on: Literal["servers", "clients"]
    versions: dict[Printed, Printed]
