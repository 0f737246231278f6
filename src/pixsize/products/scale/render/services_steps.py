"""What is done on site for clients that are nodes of the cluster, and for search and monitoring."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import CLIENTS as CLASS
from pixsize.products.scale.plan import Services, scale
from pixsize.products.scale.render.cluster import PROGRAM
from pixsize.products.scale.render.hosts_steps import NAMED
from pixsize.products.scale.render.site_steps import console
from pixsize.render.steps import CLIENTS, MOUNTED, PREPARED, SERVED, SERVING, Box, Look, Step, seconds
from pixsize.render.template import checked, word
from pixsize.texts import plural


def clients(plan: Plan, catalog: Catalog) -> Iterator[Step]:
    """The packages of the clients, before the cluster takes them in."""
    names = [word(client.name) for client in scale(plan).clients]
    if not names:
        return
    first, count = scale(plan).clients[0], plural(len(names), "client")
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    address = f"`{word(first.address)}`" if first.address else "its address on the network of the file system"
    shell = checked(PROGRAM, scale(plan).cluster.remote_shell)
    yield Step(
        "Prepare the clients",
        (Box(count, f"{span}: GPFS; names and time as on the servers", "", seconds(catalog, "prepare")),),
        (
            Look("`rpm -q gpfs.base`, on each", "a release that the servers' works with, best the same"),
            Look("`modinfo -n mmfs26`, on each", "the module of the running kernel; else `mmbuildgpl`"),
            Look(f"`getent ahostsv4 {names[0]}`, on each node", f"{address}, and no other"),
            Look(
                f"`{shell} CLIENT true`, as root from the admin server to each, and back",
                "no question, and nothing printed",
            ),
            Look("`free -g`, on one of each kind", f"twice the page pool of the class `{CLASS}` at least"),
        ),
        needs=(PREPARED,),
        after=(NAMED,),
        provides=(CLIENTS,),
        text=(
            "Clients are nodes of the cluster with a client licence: they mount the file system, vote nowhere and serve nothing."
            " The scripts of the folder `cluster` take them in with the servers. The time is that of one client: prepare one,"
            " then the others by the site's own tools. One that is down when the cluster is formed is left out of the request"
            " (`cluster: {clients: {hosts: [...]}}`), and the folder rendered again. A client that comes later: `mmaddnode`,"
            " then the scripts again.",
            "RDMA of a client wants `verbsPorts` with its own adapters, which the plan does not know (`ibdev2netdev`); until then it"
            " uses IP.",
        ),
    )


def services(plan: Plan, catalog: Catalog) -> Iterator[Step]:
    """Search and monitoring: how they are installed is in no public document, and what is looked at afterwards here."""
    found = scale(plan).services or Services()
    each = seconds(catalog, "prepare")
    if found.search:
        yield Step(
            "Install the search, by the vendor's guide",
            tuple(Box(word(server), "the search of PixStor and its database", "", each) for server in found.search),
            (
                Look(
                    "`df -h` of the database's folder, on each", "the system disks of the server, and room that lasts"
                ),
                Look("a search for a file that was just written", "that file, with its owner and its size"),
            ),
            needs=(SERVING,),
            after=(MOUNTED,),
            provides=(SERVED,),
            text=(
                "Not rendered: no public document says how it is installed. Its database has copies of some metadata, so that"
                " a search asks the management servers and no metadata NSD (Dell PixStor 6 white paper, System Design): it lies"
                " on their own disks, never in the file system.",
            ),
        )
    if found.monitoring:
        yield Step(
            "Install monitoring and analytics, by the vendor's guide",
            tuple(
                Box(word(server), "monitoring of PixStor, as its guide says", "", each) for server in found.monitoring
            ),
            (
                Look("the list of what is watched", f"{_watched(plan)}, none that is missing"),
                Look("a test message", "it reaches who is on duty"),
                Look(
                    "`df -h` of the folder of its data, on each", "the system disks of the server, and room that lasts"
                ),
            ),
            needs=(SERVING,),
            after=(MOUNTED,),
            provides=(SERVED,),
            text=(
                "Not rendered: no public document says how it is installed. The management controllers of the servers are"
                f" watched by Dell's own software{console(plan, catalog)}, over the network for the management.",
            ),
        )


def _watched(plan: Plan) -> str:
    counts = ((len(plan.servers), "server"), (len(plan.arrays), "array"), (len(plan.switches), "switch"))
    return ", ".join(plural(count, what) for count, what in counts if count)
