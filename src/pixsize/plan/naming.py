"""How a server is called on each of its networks."""

from __future__ import annotations

from collections.abc import Mapping

ENDINGS: Mapping[str, str] = {"": "", "management": "-mgmt", "bmc": "-bmc"}
"""What is behind the name of a server on each of its networks: nothing on that of the file system."""


def names_on(network: str, server: str, domain: str) -> tuple[str, ...]:
    """The names of a server on a network: with its domain first, then without. A domain of its own comes first."""
    label, _, own = server.partition(".")
    bare = f"{label}{ENDINGS[network]}"
    return tuple(dict.fromkeys((f"{bare}.{own or domain}".rstrip("."), bare)))
