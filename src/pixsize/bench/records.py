"""What a file system tells benchmarks: where it is mounted, what is set around a test, how caches are dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pixsize.catalog.benchmarks import Test

Where = Literal["clients", "servers", "admin", "here"]
"""On each client, on each server, on the node where commands of the file system are entered, or right here."""


class Command(NamedTuple):
    """A command and where it is entered. `{clients}` among its words is the list of all clients, joined by commas."""

    where: Where
    words: tuple[str, ...]


class Layout(NamedTuple):
    """A command on the directory of a test, `{directory}`, for runs of `fewest` to `most` threads; 0 for no limit."""

    fewest: int
    most: int
    words: tuple[str, ...]


class Settings(NamedTuple):
    """What is set for the time of some tests.

    `template` has the functions of the shell that note what is there, set it, and take it back: `settings_note`,
    `settings_make` and `settings_undo`; it is filled with `values`. `name` is a word for it, `summary` a line.
    """

    name: str
    summary: str
    template: str
    values: Mapping[str, Any]


class Surroundings(NamedTuple):
    """What the file system is to benchmarks.

    `fstype` is what findmnt calls it. `admin` is the server of its commands, empty where every node takes them.
    `clients` are the nodes of the plan that mount it, where it names some. `drop` empties caches beyond those of the
    kernel. `settings` and `layouts` are by the test; a test that is not there has none. `make` makes the directory of
    a test, `{directory}`. `healthy` fails where something is missing or degraded.
    """

    mount: str
    fstype: str
    admin: str
    clients: tuple[str, ...]
    drop: tuple[Command, ...]
    settings: Mapping[Test, Settings]
    layouts: Mapping[Test, tuple[Layout, ...]]
    make: Mapping[Test, tuple[tuple[str, ...], ...]]
    healthy: tuple[Command, ...]
