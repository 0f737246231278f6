"""What the rules of products that add to a system share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from pixsize.catalog.designs import AddedServers
from pixsize.catalog.records import Adapter, Switch
from pixsize.check.context import Context
from pixsize.expected import ExpectedServer
from pixsize.plan.networks import AGGREGATE, aggregated
from pixsize.plan.records import added
from pixsize.request import Words
from pixsize.units import show

R = TypeVar("R")
W = TypeVar("W", bound=Words)


def servers(prefix: str, role: str, count: int, section: AddedServers) -> Iterator[ExpectedServer]:
    """As many servers of the design as the request counts, numbered from 1."""
    adapters = tuple(sorted(section.servers.adapters.items()))
    for number in range(count):
        yield ExpectedServer(f"{prefix}{number + 1}", role, section.servers.model, adapters)


def words_of(context: Context, model: type[W]) -> W:
    """The words of the request. TypeError where it has none: these rules run where it has."""
    for _, words in context.added:
        if isinstance(words, model):
            return words
    raise TypeError(f"the request has no {model.__name__}")


def record_of(context: Context, record: type[R]) -> R:
    """What the plan has of an addition. TypeError where it has nothing: PX575 named that before."""
    found = added(context.plan, record)
    if found is None:
        raise TypeError(f"the plan has no {record.__name__}")
    return found


def links_of(context: Context, section: AddedServers) -> tuple[int, int]:
    """The links of such a server to the file system, and what they carry together one way.

    A server has as many links as the design's switches have ports for it.
    """
    ports = sum(
        use.count * use.ports_a_server
        for use in context.on_fabric.switches
        if context.catalog.get(Switch, use.model).network != "management"
    )
    ((model, cards),) = context.fitted(section).servers.adapters.items()
    links = min(ports, cards)
    return links, links * context.catalog.get(Adapter, model).bytes_per_s


def links_carry(context: Context, section: AddedServers, server: str, count: int) -> str:
    """What the links of such servers to the file system carry at the most, of one and of all of them, in words."""
    links, each = links_of(context, section)
    return (
        f"{links} links of a {server} to the file system carry {show(each, 'B/s')} at the most, those of {count:,} "
        f"together {show(each * count, 'B/s')}{counted_together(context, links)}"
    )


def counted_together(context: Context, links: int) -> str:
    """What a rate that counts so many links of a server rests on, behind a comma; empty where it rests on nothing."""
    return f", {AGGREGATE}" if links > 1 and aggregated(context.plan, context.catalog) else ""
