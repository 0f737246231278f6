"""Settings that a document prints beside its benchmarks, one record each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching, one_of
from pixsize.catalog.records import Many, Ref
from pixsize.product import PRODUCTS
from pixsize.product import Place as ProductPlace
from pixsize.registry import Registry

Parameter = Annotated[
    str,
    matching(
        r"[a-z]([A-Za-z0-9_.*-]|\{fsname\}|\[\^[A-Z]\]){0,99}",
        "a small letter, then at most 99 of A-Z, a-z, 0-9, `_`, `.`, `*` and `-`, or {fsname} and signs such as [^M]",
    ),
]
"""A parameter's name; `{fsname}` stands for the name of the file system, `*` for whatever the program finds there,
`[^M]` for a character other than M. Which names there are, the product of the place says."""
Setting = Annotated[
    str,
    matching(
        r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", "a letter or a digit, then at most 39 of A-Z, a-z, 0-9, `_`, `.` and `-`"
    ),
]
"""A value, as a command takes it: never what could be read as an option."""
NOT_PRINTED = "none"
"""What `printed` says of a setting that no document prints."""
Printed = Annotated[
    str,
    matching(
        r"(none|[A-Za-z][A-Za-z0-9_ {}.*-]{0,199} ?= ?[A-Za-z0-9_.-]{1,40})",
        "a name, an equals sign and a value, as in timeout=600, or none",
    ),
]
"""A setting as a document prints it, `lctl set_param timeout=600`: name, equals sign, value; `none` where none does."""
Permanence = Literal["permanent", "temporary", "module"]
PLACES: Registry[ProductPlace] = Registry(
    {place: where for product in PRODUCTS.values() for place, where in product.places.places.items()}
)
"""Every place where a setting can be given, by the word for it."""
Place = Annotated[str, one_of(lambda: PLACES)]
Part = Annotated[str, one_of(lambda: dict.fromkeys(part for place in PLACES.values() for part in place.parts))]


class Tuning(OfDesign):
    """A setting of a design, spelt as the software takes it; `printed` is how the document spells it.

    `set_on` says where it is given, one of the places of the products; `acts_on` are the parts that
    obey it. A `permanent` setting stays until somebody takes it back, a `temporary` one until the node forgets it, a
    `module` one is read when the driver is loaded. `benchmark_only` settings are worth a figure in a report and
    nothing else; they name the `default` to go back to, or say by `default_of` which value of the release is
    that, in MiB. A setting that `raises` is left out for a release whose own value is as large. `after` are the
    tunings that must be there first. What a program is given is a parameter and a value that the product of
    the place knows. `confirmed` is false where no public source gives the
    command; `doubt` says what is to be known before it is set.
    """

    parameter: Parameter
    value: Setting
    printed: Printed
    set_on: Annotated[Many[Place], Field(min_length=1)]
    acts_on: Annotated[Many[Part], Field(min_length=1)]
    permanence: Permanence
    benchmark_only: bool = False
    default: Setting | None = None
    default_of: Annotated[str, one_of(lambda: dict.fromkeys(d for p in PLACES.values() for d in p.defaults))] | None = (
        None
    )
    raises: bool = False
    after: Many[Annotated[str, Ref("tuning")]] = ()
    confirmed: bool = True
    doubt: str = ""

    @property
    def printed_name(self) -> str:
        """The name that the document prints; the parameter's own where no document prints one."""
        return self.parameter if self.printed == NOT_PRINTED else self.printed.partition("=")[0].strip()

    @model_validator(mode="after")
    def _fits(self) -> Tuning:
        """What could not be rendered, or not be taken back, is no tuning."""
        if any(PLACES[place].permanence != self.permanence for place in self.set_on):
            lasts = ", ".join(f"{place} is {PLACES[place].permanence}" for place in self.set_on)
            raise ValueError(f"permanence: {self.permanence}, but what is set on {lasts}")
        if self.benchmark_only and self.permanence != "temporary":
            raise ValueError("benchmark_only: a setting for benchmarks is temporary")
        if self.permanence == "temporary" and self.default is None and self.default_of is None:
            raise ValueError("default: what a temporary setting goes back to")
        if self.default is not None and self.default_of is not None:
            raise ValueError("default_of: one of it and default, not both")
        if self.raises and not (self.value.isdecimal() and (self.default_of or (self.default or "").isdecimal())):
            raise ValueError("raises: a number, and one that it is compared with")
        if self.default_of is not None and any(self.default_of not in PLACES[p].defaults for p in self.set_on):
            raise ValueError("default_of: a value that the software has for all places of set_on")
        for place in self.set_on:
            why = PLACES[place].refusal(self)
            if why:
                raise ValueError(why)
        return self
