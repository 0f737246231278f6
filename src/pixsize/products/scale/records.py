"""Settings of GPFS, as documents and public clusters have them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from pixsize.catalog.benchmarks import Test
from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import DESIGNS, Many, Record, Ref
from pixsize.quantities import Bytes

Attribute = Annotated[str, matching(r"[a-z][A-Za-z0-9]{1,39}", "a small letter, then at most 39 of A-Z, a-z and 0-9")]
Value = Annotated[
    str,
    matching(
        r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}(\{n\}/[1-9])?|\{rate\}",
        "a letter or a digit, then at most 39 of A-Z, a-z, 0-9, `_`, `.` and `-`, or {n}/1 at its end; or {rate}",
    ),
]
"""A value, as mmchconfig takes it.

`{n}` stands for the number of each adapter of a server on the network, from 0; `{rate}` for what all of them carry
together, in MB/s.
"""
Role = Annotated[str, matching(r"[a-z]{1,30}", "the role of servers in a plan, such as storage")]


class ScaleSetting(Record):
    """An attribute of mmchconfig and its value.

    It is for the servers of some `roles`, or for every node; for one `design`, or for all; on one kind of `network`, or
    on any. `confirmed` is false where no public source at hand gives the value.
    """

    attribute: Attribute
    value: Value
    roles: Many[Role] = ()
    design: Annotated[str, Ref(*DESIGNS)] = ""
    network: Literal["any", "infiniband", "ethernet"] = "any"
    confirmed: bool = True

    @model_validator(mode="after")
    def _fits(self) -> ScaleSetting:
        """An adapter's number means something on servers of a role alone."""
        if "{" in self.value and not self.roles:
            raise ValueError("roles: the adapters of servers are counted, so that the roles must be named")
        return self


class ScalePolicy(Record):
    """What a policy keeps where it is, and the callback that starts it when a pool fills up.

    `kept` are folders below the mount point whose files leave no pool. `none` is what mmlscallback says without any.
    """

    kept: Many[Annotated[str, matching(r"\.?[A-Za-z][A-Za-z0-9_.-]{0,62}", "a name, such as .snapshots")]]
    callback: Annotated[str, matching(r"[A-Za-z][A-Za-z0-9]{0,30}", "a letter, then at most 30 of A-Z, a-z and 0-9")]
    command: Annotated[str, matching(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+", "an absolute path")]
    events: Annotated[str, matching(r"[A-Za-z]+(,[A-Za-z]+)*", "names of events, with commas between them")]
    parameters: Annotated[str, matching(r"[%A-Za-z-]+( [%A-Za-z-]+)*", "words of letters, `%` and `-`")]
    none: Annotated[str, matching(r"[A-Za-z][A-Za-z -]{0,78}[A-Za-z]", "letters, blanks and `-`")]


class ScaleBenchmark(OfDesign):
    """The page pool that the document of a design had on clients and on servers of NSDs for some of its tests."""

    tests: Annotated[Many[Test], Field(min_length=1)]
    clients_pool_bytes: Bytes = Field(alias="clients_pool")
    servers_pool_bytes: Bytes = Field(alias="servers_pool")
