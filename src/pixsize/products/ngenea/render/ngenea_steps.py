"""What is done on site for Ngenea."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, added
from pixsize.products.ngenea.plan import ColdTarget, NgeneaNodes
from pixsize.products.ngenea.records import NgeneaSetting
from pixsize.products.ngenea.render.ngenea import PATH, path_of, section_of
from pixsize.render.outward import Outward, outward_step
from pixsize.render.steps import (
    ACCEPTED,
    BACK,
    MOUNTED,
    MOVERS,
    PLACED,
    POWERED,
    PREPARED,
    SERVED,
    SERVICES_STOPPED,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import checked, comma_list, word
from pixsize.render.template import code as printed

_INSTALLED = "nodes that have Ngenea"
_OUTWARD = "Ngenea nodes that reach their targets"
_LISTED = "targets that Ngenea knows"
_ORDERED = "a policy whose rules stand in the order that Ngenea needs"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The nodes and their software, settings, the targets, the order of the policy, and a file that goes and comes back."""
    nodes = added(plan, NgeneaNodes)
    if nodes is None:
        return ()
    filesystem = word(plan.filesystem.name)
    return (
        _outward(plan, nodes, catalog),
        _software(nodes, catalog),
        _settings(nodes, section_of(plan, catalog).settings, catalog),
        _targets(plan, nodes, catalog),
        _policy(nodes, filesystem, catalog),
        _proof(nodes, filesystem, catalog),
        _stopped(nodes, catalog),
        _back(nodes, catalog),
    )


def _outward(plan: Plan, nodes: NgeneaNodes, catalog: Catalog) -> Step:
    """The interface towards the targets: which networks they are on, and what the request does not have, is the site's."""
    interface = word(section_of(plan, catalog).interface)
    subnet = IPv4Network(nodes.subnet) if nodes.subnet else None
    length, router = (subnet.prefixlen if subnet else "LENGTH"), (word(nodes.router) if nodes.router else "ROUTER")
    own = {node: f"{word(a)}/{length}" for node, a in zip(nodes.nodes, nodes.addresses, strict=False)}
    hosts = dict.fromkeys(target.host for target in nodes.targets if target.host)
    looks = tuple(
        Look(
            f"`ip route get` and the address of {word(host)} (`getent hosts {word(host)}`), on each",
            f"`dev {interface}`",
        )
        for host in hosts
    )
    address = ("ipv4.method manual", f"ipv4.addresses ADDRESS/{length}", "ipv4.routes", f"'NETWORK/LENGTH {router}'")
    wanted = Outward(
        "Make the Ngenea nodes' interface towards the targets",
        interface,
        lambda node: f"`{interface}`, with {own.get(node, 'an address of the site')} and a route to each target",
        address,
        looks,
        "NETWORK/LENGTH is the network of a target. Several routes stand in one pair of quotes, with commas between them; a"
        f" target {f'in {subnet}' if subnet else 'in the network of the interface'} needs none.",
    )
    return outward_step(plan, nodes.nodes, wanted, _OUTWARD, seconds(catalog, "script"))


def _software(nodes: NgeneaNodes, catalog: Catalog) -> Step:
    each = seconds(catalog, "prepare")
    return Step(
        "Install Ngenea on its nodes",
        tuple(
            Box(
                word(node),
                "operating system, GPFS, a node of the cluster with a licence, Ngenea by its guide",
                "",
                each,
            )
            for node in nodes.nodes
        ),
        (
            Look("`mmlscluster` and `mmlslicense -L`", "every Ngenea node, each with a licence"),
            Look("`mmgetstate -N " + comma_list(nodes.nodes) + "`", "`active` for each"),
        ),
        needs=(PREPARED,),
        provides=(_INSTALLED,),
        text=("How Ngenea is installed, licensed and started is on no public page: the vendor's guide says it.",),
    )


def _settings(nodes: NgeneaNodes, settings: tuple[NgeneaSetting, ...], catalog: Catalog) -> Step:
    first, each = word(nodes.nodes[0]), seconds(catalog, "look")
    servers = comma_list(nodes.nodes)
    boxes = [Box(first, _set(setting, servers), "", each) for setting in settings]
    boxes.append(Box(first, "once for all nodes: `mmshutdown -a`, then `mmstartup -a`", "", each))
    boxes += [Box(word(node), "Ngenea started, by its guide", "", each) for node in nodes.nodes]
    looks = (
        *(
            Look(
                f"`mmlsconfig {word(s.parameter)}`", f"more than {s.above:,} for {servers}" if s.above else f"{s.value}"
            )
            for s in settings
        ),
        Look("`mmgetstate -a`, before Ngenea is started", "every node `active`"),
    )
    return Step(
        "Set GPFS up for Ngenea, and start it",
        tuple(boxes),
        looks,
        needs=(_INSTALLED,),
        provides=(MOVERS,),
        text=(
            "The values are those of the vendor's public pages (Ngenea HSM documentation, General Configuration). They count"
            " from the next start of GPFS, once on all nodes, before anybody uses the file system. Then"
            " start Ngenea on its nodes: a file system that was made with `-z yes` is mounted only once it runs.",
        ),
    )


def _set(setting: NgeneaSetting, servers: str) -> str:
    """The command of one setting; one that is large enough stays as it is, and is else raised on the nodes alone."""
    name = word(setting.parameter)
    if setting.above is None:
        return f"`mmchconfig {name}={setting.value}`"
    return (
        f"`mmlsconfig {name}`; where that shows {setting.above:,} or less for a node of Ngenea,"
        f" `mmchconfig {name}={setting.value} -N {servers}`. Never lower it"
    )


def _targets(plan: Plan, nodes: NgeneaNodes, catalog: Catalog) -> Step:
    section, each = section_of(plan, catalog), seconds(catalog, "script")
    folder, master = checked(PATH, section.folder), word(section.master)
    boxes = [
        Box(word(node), _placed(target, folder, complete=path.endswith(".conf")), path, each)
        for node in nodes.nodes
        for target in nodes.targets
        for path in (path_of(target, catalog),)
    ]
    boxes += [
        Box(word(node), f"every target listed in `{folder}/{master}`, by the vendor's guide", "", each)
        for node in nodes.nodes
    ]
    return Step(
        "Give Ngenea its targets",
        tuple(boxes),
        tuple(_looks(nodes)),
        needs=(MOVERS, MOUNTED, _OUTWARD),
        provides=(_LISTED,),
        text=(
            f"The rendered files hold no secret. The keys of `{master}`, and how a file of credentials is written, are on no"
            " public page: pixsize writes neither. Credentials never lie in the file system, in these files or in a"
            " repository.",
        ),
    )


def _placed(target: ColdTarget, folder: str, *, complete: bool) -> str:
    """What is done on a node for a target: its file, and the file with its keys."""
    ending = "" if complete else ", its keys written by the vendor's guide"
    done = f"`{folder}/{word(target.name)}.conf`{ending}"
    if target.credentials_file:
        credentials = checked(PATH, target.credentials_file)
        done += f"; keys in `{credentials}`, then `chown root: {credentials}` and `chmod 600 {credentials}`"
    return done


def _looks(nodes: NgeneaNodes) -> Iterator[Look]:
    for target in nodes.targets:
        if target.host:
            url = f"{word(target.scheme)}://{word(target.host)}:{word(target.port)}/"
            yield Look(
                f"`curl --silent --show-error --head {url}`, on each node",
                f"a line that begins with `HTTP/`, whatever its number: {word(target.name)} answers",
            )
        if target.credentials_file:
            path = checked(PATH, target.credentials_file)
            yield Look(f"`stat -c '%a %U' {path}`, on each node", "`600 root`")
        if target.path:
            path = checked(PATH, target.path)
            yield Look(f"`findmnt --target {path}`, on each node", f"the other file system of {word(target.name)}")


def _policy(nodes: NgeneaNodes, filesystem: str, catalog: Catalog) -> Step:
    return Step(
        "Put the rules of the policy into the order of Ngenea",
        (
            Box(
                word(nodes.nodes[0]),
                f"the recall rules of the vendor first, the default placement rule last; `mmchpolicy {filesystem} FILE -I test`"
                f" before `mmchpolicy {filesystem} FILE`",
                "",
                seconds(catalog, "script"),
            ),
        ),
        (
            Look(
                f"`mmlspolicy {filesystem} -L`", "recall rules above all others, the default placement rule below them"
            ),
        ),
        needs=(_LISTED,),
        after=(PLACED,),
        provides=(_ORDERED,),
        text=(
            "GPFS takes the first rule that fits a file. The recall rules come with Ngenea and are on no public page. A"
            " placement rule above them, or a default that is not the last, takes their files first. Each new policy"
            " replaces the whole of the one before: write all rules into one FILE, those of pools with them.",
        ),
    )


def _proof(nodes: NgeneaNodes, filesystem: str, catalog: Catalog) -> Step:
    names = printed(", ".join(target.name for target in nodes.targets))
    return Step(
        "Move a file to each target and back",
        (
            Box(
                word(nodes.nodes[0]),
                f"a test file below `/{filesystem}` to each of {names} and back, by the vendor's guide; no user's file before"
                " that",
                "",
                seconds(catalog, "script"),
            ),
        ),
        (
            Look("`sha256sum FILE`, before and after", "the same sum"),
            Look("`ls -l FILE`, while its data are away", "the size that it had"),
        ),
        needs=(_ORDERED,),
        provides=(SERVED,),
        text=(
            "Learn from it whether the object stays when its file comes back (DeleteOnRecall), and tell whoever makes the"
            " backups: a copy of the file system alone lacks the data that were moved away.",
        ),
    )


def _stopped(nodes: NgeneaNodes, catalog: Catalog) -> Step:
    each = seconds(catalog, "look")
    return Step(
        "Stop Ngenea",
        tuple(
            Box(word(node), "Ngenea stopped, by its guide; no file on its way any more", "", each)
            for node in nodes.nodes
        ),
        (Look("the list of tasks of Ngenea", "none that runs"),),
        needs=(MOVERS,),
        after=(ACCEPTED,),
        provides=(SERVICES_STOPPED,),
        text=(
            "When the system is switched on again, Ngenea starts before the file system is mounted: without it no node"
            " mounts.",
        ),
    )


def _back(nodes: NgeneaNodes, catalog: Catalog) -> Step:
    """After a start of everything: no node mounts before the program that moves files answers."""
    each = seconds(catalog, "look")
    return Step(
        "Start Ngenea again",
        tuple(
            Box(word(node), "Ngenea started, by its guide, where it did not start by itself", "", each)
            for node in nodes.nodes
        ),
        (
            Look("`mmgetstate -N " + comma_list(nodes.nodes) + "`, before", "`active` for each"),
            Look("the state of Ngenea, by its guide, on each", "it runs"),
        ),
        needs=(MOVERS,),
        after=(POWERED,),
        provides=(BACK,),
        text=("A file system that was made with `-z yes` is mounted nowhere without it.",),
    )
