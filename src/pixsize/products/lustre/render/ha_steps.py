"""The steps that hand the targets of a Lustre file system over to Pacemaker."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.product import volume_terms
from pixsize.products.lustre.ha_records import HaPolicy
from pixsize.products.lustre.plan import lustre, server_of, target_of
from pixsize.products.lustre.render.ha import NODE, POLICY, RESOURCES, RUN_BOOK, SETUP, Cluster, clusters, units
from pixsize.products.lustre.render.ha_fencing import ask, secrets
from pixsize.products.lustre.render.shared import stops
from pixsize.render.steps import MADE, MOUNTED, NETWORK, PREPARED, PROVEN, SERVING, STARTED, Box, Look, Step, seconds
from pixsize.render.template import device, word

_READY = "nodes that are ready for Pacemaker"
_ONLINE = "clusters that are online"
_STOPPED = "targets that are stopped"
_ANSWERING = "fence devices that answer every server"
_HEADERS = "devices of SBD with their headers"
_SBD_RUNS = Look(
    "`pcs stonith sbd status`",
    "`YES`, `YES`, `YES` for every node: installed, enabled and running",
)
_SECOND_LINK = Look(
    "the cable of the second link pulled, then put back",
    "`pcs status` unchanged, `corosync-cfgtool -s` names the link",
)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Nodes, clusters, resources, proof: the cluster that holds the MGS before the others."""
    ordered = sorted(clusters(plan), key=lambda c: not any(target_of(t).mgs for t in c.targets))
    script, sharing = seconds(catalog, "script"), volume_terms(plan).sharing
    return (
        _stop_by_hand(plan, script),
        *_sbd_headers(plan, catalog, ordered, script),
        _prepare_nodes(ordered, units(plan, catalog), script),
        Step(
            "Set up the clusters",
            tuple(_box(c, SETUP, "2.", script) for c in ordered),
            (
                Look("`pcs status`", "every node online, and no resources"),
                *(
                    [Look("`corosync-cfgtool -s`, on each node", "both links connected")]
                    if _has_second_link(plan)
                    else []
                ),
                *([_SBD_RUNS] if lustre(plan).sbd_devices else []),
            ),
            needs=(_READY,),
            provides=(_ONLINE,),
            commands=(ask(["HACLUSTER_PASSWORD"]),),
        ),
        _try_devices(plan, catalog, ordered, script),
        _hand_over(plan, catalog, ordered, script),
        Step(
            "Fence each server once, before there is data",
            tuple(_proofs(ordered, 2 * seconds(catalog, "restart"), bool(lustre(plan).second_fence_agent))),
            (
                Look("the fenced server", "it goes off, and comes on again"),
                Look("`pcs status`", "its targets started on the next server, after the fencing and not before"),
                # A server that shares its drives takes a copy of the data away with it.
                *(Look(run, shows) for run, shows in (sharing.rebuilt if sharing else ())),
                *([_SECOND_LINK] if _has_second_link(plan) else []),
                Look("`pcs status`, at the end", "every `fence` device started"),
                Look("`pcs status`, after `pcs resource relocate run`", "every target on its first server again"),
            ),
            needs=(SERVING, MOUNTED),
            provides=(PROVEN,),
            text=("One server at a time: wait until the one before is back, and go on when the table is right.",),
        ),
    )


def _sbd_headers(plan: Plan, catalog: Catalog, ordered: list[Cluster], script: int) -> Iterator[Step]:
    """What SBD writes to its devices, once: they hold a slot for each server of every cluster."""
    policy = catalog.get(HaPolicy, POLICY)
    times = f"-1 {policy.sbd_watchdog_s} -4 {policy.sbd_msgwait_s}"
    if lustre(plan).sbd_devices:
        yield Step(
            "Write the headers of SBD",
            tuple(
                Box(
                    word(ordered[0].servers[0].id),
                    f"`sbd -d {device(d)} {times} create`",
                    _page(ordered[0], "1."),
                    script,
                )
                for d in lustre(plan).sbd_devices
            ),
            (
                Look("before: `ls -l DEVICE`, on every server", "the device, the same on all"),
                Look(
                    "before: `sbd -d DEVICE dump`, on one server",
                    "an error: no header is there. Where it shows one, clusters may use the device: write nothing, tick the box",
                ),
                Look(
                    "before: `blkid -p DEVICE`, `wipefs -n DEVICE`",
                    "nothing: no other data (these do not see SBD's own)",
                ),
                Look("`sbd -d DEVICE dump`, on every server", "the same header, with these times"),
                Look("`wdctl`, on every server", f"a watchdog that can be set to {policy.sbd_watchdog_s} s"),
            ),
            needs=(PREPARED,),
            provides=(_HEADERS,),
            destroys="what the devices of SBD hold, the slots of every cluster among them",
            text=(
                "The devices are of another storage. Where it is reached by multipath, /etc/multipath.conf of every server"
                " needs its vendor and product under `blacklist_exceptions` first; then `multipath -r` and `dracut -f`.",
            ),
        )


def _prepare_nodes(ordered: list[Cluster], before: list[str], script: int) -> Step:
    """Mount points, services before Pacemaker, and pcsd, on every server; `before` are the units of these services."""
    return Step(
        "Prepare the nodes for Pacemaker",
        tuple(
            Box(
                word(s.id),
                f"in the folder `ha/{word(c.id)}`: `./{NODE} --check`, then `./{NODE}`",
                _page(c, "2."),
                script,
            )
            for c in ordered
            for s in c.servers
        ),
        (
            Look("`systemctl is-active pcsd`", "`active`"),
            Look("`systemctl show resource-agents-deps.target -p Requires -p After`", f"{', '.join(before)} in both"),
        ),
        needs=(MADE, NETWORK, _STOPPED),
        after=(_HEADERS,),
        provides=(_READY,),
        text=("The password of the user `hacluster` is the same on all nodes.",),
        commands=(ask(["HACLUSTER_PASSWORD"]),),
    )


def _has_second_link(plan: Plan) -> bool:
    return any(server_of(server).ring for server in plan.servers)


def _secrets(plan: Plan, catalog: Catalog) -> tuple[str, ...]:
    """The line that asks for what the fence devices log in with; none where they want nothing."""
    names = [secret.name for secret in secrets(plan, catalog)]
    return (ask(names),) if names else ()


def _try_devices(plan: Plan, catalog: Catalog, ordered: list[Cluster], script: int) -> Step:
    """A server is fenced by another one, so the way from each server to each device has to be tried."""
    return Step(
        "Ask every fence device from every server",
        tuple(
            Box(word(s.id), f"in the folder `ha/{word(c.id)}`: `./{RESOURCES} --check`", _page(c, "1."), script)
            for c in ordered
            for s in c.servers
        ),
        (Look("each script", "every device says that its server is on; nothing was changed"),),
        needs=(_ONLINE,),
        provides=(_ANSWERING,),
        commands=_secrets(plan, catalog),
    )


def _hand_over(plan: Plan, catalog: Catalog, ordered: list[Cluster], script: int) -> Step:
    """Resources, fencing and constraints, cluster by cluster, and what each variable of the fence devices holds."""
    variables = "".join(f" `{secret.name}` is {secret.what}." for secret in secrets(plan, catalog))
    return Step(
        "Hand the targets over to Pacemaker",
        tuple(_box(c, RESOURCES, "2.", script) for c in ordered),
        (
            Look("`pcs status`", "every target started on its first server, every `fence-` device started"),
            Look("`lctl get_param health_check`, on each server", "`healthy`"),
        ),
        needs=(_ANSWERING,),
        provides=(SERVING,),
        text=(
            "In this order: the cluster with the MGS has to serve before another cluster starts its targets. Each fence"
            " device is asked for its status first." + variables,
        ),
        commands=_secrets(plan, catalog),
    )


def _page(cluster: Cluster, section: str) -> str:
    return f"ha/{word(cluster.id)}/{RUN_BOOK}#{section}"


def _box(cluster: Cluster, script: str, section: str, seconds_each: int) -> Box:
    folder = f"ha/{word(cluster.id)}"
    return Box(
        word(cluster.servers[0].id),
        f"in the folder `{folder}`: `./{script} --check`, then `./{script}`, once",
        _page(cluster, section),
        seconds_each,
    )


def _stop_by_hand(plan: Plan, script: int) -> Step:
    """Who mounts from now on is Pacemaker: what was started by hand is stopped, in the order that Lustre needs."""
    return Step(
        "Stop what was started by hand",
        tuple(
            Box(
                word(server),
                f"in the folder `mount`: `./{word(server)}.sh stop {word(kind)}`",
                "mount/README.md#Stop",
                script,
            )
            for kind, server in stops(plan)
        ),
        (Look("`mount -t lustre`, on each server", "nothing"),),
        needs=(STARTED,),
        provides=(_STOPPED,),
        text=("Unmount the clients first, if one was mounted. In this order.",),
    )


def _proofs(ordered: list[Cluster], each: int, second: bool) -> Iterator[Box]:
    for cluster in ordered:
        names = [word(s.id) for s in cluster.servers]
        for rank, server in enumerate(names):
            other = names[(rank + 1) % len(names)]
            do = f"`pcs stonith fence {server}`; when {server} is back, `pcs resource relocate run`"
            yield Box(other, do, _page(cluster, "3."), each)
            if second:
                yield Box(
                    other,
                    f"the same with the cable of {server}'s controller pulled; then put it back, and `pcs stonith cleanup`",
                    _page(cluster, "Levels"),
                    each,
                )
