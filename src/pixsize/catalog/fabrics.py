"""The networks that a design can have for its data, and the design with one of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design, Fabric, FabricLink, ServerRole, SwitchRole
from pixsize.catalog.records import Adapter, Model, Switch

M = TypeVar("M", bound=Model)


class FabricChoice(NamedTuple):
    """What a request says of the network: the name of a fabric, and of a link; whose the switches are.

    Empty names are those of the design's own choice.
    """

    fabric: str = ""
    link: str = ""
    customer: bool = False


class Chosen(NamedTuple):
    """A fabric of a design and one of its links."""

    fabric: Fabric
    link: FabricLink


def chosen(design: Design, choice: FabricChoice) -> Chosen | None:
    """The fabric and the link that a request chooses; None where the design has none of these names."""
    fabric = next((f for f in design.fabrics if choice.fabric in ("", f.name)), None)
    link = next((link for link in fabric.links if choice.link in ("", link.name)), None) if fabric else None
    return Chosen(fabric, link) if fabric and link else None


def told(wanted: Chosen) -> str:
    """A fabric and its link as a sentence names them."""
    return f"the network {wanted.fabric.name} with links {wanted.link.name}"


def with_fabric(design: Design, choice: FabricChoice, catalog: Catalog) -> Design:
    """The design with the switches and the adapters of what was chosen; its own, and one without fabrics, stays.

    The switch of another fabric than the first stands in the place of every one that is not for the management, and as
    many links share a port as the link says.
    """
    wanted, fitted = chosen(design, choice), fitted_to(design, design, choice, catalog)
    if wanted is None:
        return fitted
    roles = (
        role if catalog.get(Switch, role.model).network == "management" else _made_for(role, wanted, design)
        for role in design.switches
    )
    return fitted.model_copy(update={"switches": tuple(roles)})


def _made_for(role: SwitchRole, wanted: Chosen, design: Design) -> SwitchRole:
    model = role.model if wanted.fabric == design.fabrics[0] else wanted.fabric.switch
    return role.model_copy(update={"model": model, "links_a_port": wanted.link.links_a_port})


def fitted_to(record: M, design: Design, choice: FabricChoice, catalog: Catalog) -> M:
    """A record of servers with the adapters of the fabric that was chosen, in place of those that the design has."""
    wanted = chosen(design, choice)
    if wanted is None or wanted.link == design.fabrics[0].links[0]:
        return record
    return _refitted(record, catalog.id_of(design.fabrics[0].links[0].adapter), wanted.link.adapter, catalog)


def _refitted(record: M, old: str, new: str, catalog: Catalog) -> M:
    changed: dict[str, Any] = {}
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, ServerRole):
            cards = {new if catalog.id_of(card) == old else card: count for card, count in value.adapters.items()}
            changed[name] = value.model_copy(update={"adapters": cards})
        elif isinstance(value, Model):
            changed[name] = _refitted(value, old, new, catalog)
    return record.model_copy(update=changed)


def without_switches(design: Design) -> Design:
    """The design for a system on the customer's switches: none is planned, and no cable to one."""
    return design.model_copy(update={"switches": ()})


def used_by(design: Design, adapters: Iterable[str], catalog: Catalog) -> Chosen | None:
    """The fabric and the link that servers with these adapters have; None where the design knows none with them.

    Of several fabrics with such a link it is the first: they differ in their switches alone.
    """
    present = {catalog.id_of(adapter) for adapter in adapters if adapter in catalog}
    every = (Chosen(fabric, link) for fabric in design.fabrics for link in fabric.links)
    return next((each for each in every if catalog.id_of(each.link.adapter) in present), None)


def card_of(adapter: str, catalog: Catalog) -> str:
    """The card that an adapter is: its own record, or the one that it is a setting of."""
    return catalog.get(Adapter, adapter).card or adapter


def network_of(fabric: Fabric, catalog: Catalog) -> str:
    """The kind of network that a fabric is."""
    return catalog.get(Switch, fabric.switch).network
