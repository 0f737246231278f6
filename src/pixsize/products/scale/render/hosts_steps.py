"""The steps that give the servers their names and their time, before anything reaches one from another."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.render.cluster import outside
from pixsize.products.scale.render.hosts import view
from pixsize.render.steps import CABLED, SAME_TIME, Box, Look, Step, seconds
from pixsize.render.template import word
from pixsize.texts import plural

INSTALLED = "servers that have their operating system"
NAMED = "servers that know each other's names, and the time"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The files on every server, then the sets of nodes and the inventory on the admin node."""
    return (_named(plan, catalog), _sets(plan, catalog))


def _named(plan: Plan, catalog: Catalog) -> Step:
    values, each = view(plan), seconds(catalog, "script")
    name = values["plan"]
    first, sources = plan.servers[0], plural(len(values["ntp"]), "source")
    others = tuple(word(server) for server in outside(plan))
    text = (
        "The operating system is installed, and calls each server as the plan does. A server's own name leads to its address"
        " on the network of the file system, never to a loopback address: take a line such as `127.0.1.1 SERVER` out of"
        " `/etc/hosts`.",
        *(
            (f"`hosts` has no line for {' and '.join(others)}, of which the plan knows no address: add it.",)
            if others
            else ()
        ),
        *(
            ("Where NetworkManager writes `/etc/resolv.conf` itself, give it the same values instead.",)
            if values["dns"]
            else ()
        ),
    )
    return Step(
        "Give the servers their names and the time",
        tuple(
            Box(word(server.id), "enter the commands in a copy of the folder `hosts`", "hosts/hosts", each)
            for server in plan.servers
        ),
        (
            Look(f"`getent ahostsv4 {word(first.id)}`, on each", f"`{first.address}`, and no other address"),
            Look("`getent ahostsv4 $(hostname)`, on each", "the address of `hosts`, none that begins with 127"),
            Look("`chronyc -n sources`, on each", f"{sources}, one of them with `^*`"),
            SAME_TIME,
        ),
        after=(CABLED, INSTALLED),
        provides=(NAMED,),
        text=text,
        commands=(
            f"sed -i.before '/^# begin {name}$/,/^# end {name}$/d' /etc/hosts",
            "cat hosts >> /etc/hosts",
            *(("install -b -m 0644 resolv.conf /etc/resolv.conf",) if values["dns"] else ()),
            "install -b -m 0644 chrony.conf /etc/chrony.conf",
            "systemctl enable chronyd",
            "systemctl restart chronyd",
        ),
    )


def _sets(plan: Plan, catalog: Catalog) -> Step:
    count = len(view(plan)["nodes"])
    admin = word(scale(plan).cluster.admin)
    return Step(
        "Bring the node sets and the inventory to the admin node",
        (
            Box(
                admin,
                "`genders` lies in `/etc`, where pdsh has it, and `inventory.yaml` where Ansible is run",
                "hosts/inventory.yaml",
                seconds(catalog, "look"),
            ),
        ),
        (
            Look("`nodeattr -k`", "`0 parse errors discovered`"),
            Look("`nodeattr -n node | wc -l`", f"{count}"),
            Look(
                "`ansible-inventory -i inventory.yaml --graph`", f"{count} servers below `scale_nodes`, and no warning"
            ),
            Look("`ansible -i inventory.yaml scale_nodes -m ping`", f"`SUCCESS` from {count}"),
        ),
        needs=(NAMED,),
        text=(
            "The inventory is for the roles that prepare nodes. Cluster, NSDs and file system are made by the scripts of the"
            " folder `cluster`, and by nothing else.",
        ),
    )
