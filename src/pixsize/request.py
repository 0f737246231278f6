"""A request, completed with the defaults of its design: no word that a plan needs is optional."""

from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

COMPLETED: JsonDict = {"completed": True}
"""Of a field: the design's defaults, or other words, supply the word, so that a user may leave it out."""


class Words(BaseModel):
    """Base of the models of a request: frozen, strict about types, and strict about unknown words. `form` is an
    example.
    """

    form: ClassVar[str] = ""
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True, defer_build=True)


class Accepted(Words):
    """A warning that the user takes on, and why."""

    form: ClassVar[str] = "{code: PX512, reason: why it is taken on}"
    code: str = Field(description="the code of a warning, such as PX512")
    reason: str = Field(min_length=1, description="why; shown with the warning")


class Request(Protocol):
    """What every request has, whatever its design."""

    @property
    def name(self) -> str:
        """The name of the system."""
        ...

    @property
    def design(self) -> str:
        """The id of a design of the catalog."""
        ...

    @property
    def accept(self) -> tuple[Accepted, ...]:
        """The warnings that the user takes on."""
        ...
