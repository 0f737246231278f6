"""What is done on site, step by step, for each render target; RUNBOOK.md puts the steps of all targets in one order.

A step names what it needs and what it provides in the words below. It comes after every step that provides what it
needs, so a target knows no other target. What a file system's `prepare` does provides `PREPARED`; a family of arrays
provides `VOLUMES` and `REPLIES`, multipath `DEVICES`. A step that makes targets needs these.

Tests of the finished system come after `BEFORE_TESTS`, and provide `ACCEPTED`. Behind them the system is switched off
once: what users reach (`SERVICES_STOPPED`), the file system (`STOPPED`), the volumes below it (`VOLUMES_STOPPED`), then
the devices. On again, these come first (`POWERED`), then what the file system does not come back without (`BACK`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.run_book import WorkTime
from pixsize.plan.records import Plan

ARRAYS_RACKED = "arrays that stand in their racks"
RACKED = "devices that stand in their racks"
CABLED = "cables that are plugged in"
ARRAYS_ON = "arrays that are switched on, at addresses of their own"
SERVERS_ON = "switches and servers that are switched on"
PREPARED = "servers that are prepared"
CLIENTS = "clients that have their packages"
VOLUMES = "volumes that are made and mapped"
REPLIES = "files that were rendered with the replies about the volumes"
ATTACHED = "volumes that are attached to the servers that share their drives"
DEVICES = "devices that every server sees under the planned names"
PORTS_SET = "adapters whose ports are set to the network that they lead to"
NETWORK = "a network of the file system that answers between all servers"
FABRIC = "a storage network that answers between all servers"
DRIVER = "drivers of the servers that have their options"
CLIENT_DRIVER = "drivers of the clients that have their options"
MADE = "targets that are made"
STARTED = "targets that were started once by hand"
SERVING = "a file system that serves"
MOUNTED = "clients that have the file system mounted"
PLACED = "a policy that places new files"
MOVERS = "a program that moves files to other storage"
PROVEN = "a failover that was tried"
LAID_OUT = "default layouts"
SERVED = "services that users reach"
ACCEPTED = "a system that passed its tests"
SERVICES_STOPPED = "services of users that are stopped"
STOPPED = "a file system that is stopped everywhere"
VOLUMES_STOPPED = "volumes that no server uses any more"
POWERED = "devices that are switched on again"
BACK = "volumes and programs that the file system needs, back again"

BEFORE_TESTS = (SERVING, MOUNTED, PLACED, MOVERS, SERVED)
"""What a test of the finished system comes after."""


class Box(NamedTuple):
    """One thing to do in one place, with a box to tick.

    `where` is a server, an array or a kind of node, `do` a line of Markdown, `page` the path of the page with the
    details below the folder of the rendered files, with an anchor; `seconds` how long a person is busy with it. `done`
    says that a reply of the real machine shows it as done, unless a finding is about what it makes: `about` names that
    by array and kind, as findings do.
    """

    where: str
    do: str
    page: str = ""
    seconds: int = 0
    done: bool = False
    about: tuple[tuple[str, str], ...] = ()


class Look(NamedTuple):
    """How to see that a step was done: what to run or to look at, and what it shows then. Both in Markdown."""

    run: str
    shows: str


class Step(NamedTuple):
    """A step of the run book. `destroys` says what is lost by it, and is empty where nothing is.

    It cannot be done without what it `needs`; it comes `after` whatever provides the rest, where the plan has that.
    `takes` is what to know of its duration beside the work of a person. `text` are paragraphs before the boxes,
    `commands` what is entered in every place, in this order.
    """

    title: str
    boxes: tuple[Box, ...]
    looks: tuple[Look, ...]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    destroys: str = ""
    takes: str = ""

    @property
    def done(self) -> bool:
        """Whether the replies show everything as done."""
        return all(box.done for box in self.boxes)

    def ticked(self) -> Step:
        """The step with all its boxes ticked."""
        return self._replace(boxes=tuple(box._replace(done=True) for box in self.boxes))


def seconds(catalog: Catalog, work: str) -> int:
    """How long a piece of work takes, by the last part of its record's id, such as `script`."""
    return catalog.get(WorkTime, f"work.{work}").seconds


Steps = Callable[[Plan, Catalog], tuple[Step, ...]]
"""What is done on site for a render target, or before all of them: the steps in their order."""

SAME_TIME = Look("`chronyc tracking`, on each", "the same reference everywhere, an offset below a second")
SAME_USERS = Look("`id USER`, on each", "the same answer as on the clients, for every user")
WITH_ARRAYS = "lsscsi, sg3_utils, device-mapper-multipath"
"""The packages of a server that is cabled to arrays."""
