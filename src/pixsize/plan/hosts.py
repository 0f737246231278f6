"""Names of hosts, as people write them."""

from __future__ import annotations


def same_host(one: str, other: str) -> bool:
    """Whether two names mean one host: without regard to case, and a bare name means any domain's."""
    one, other = one.lower(), other.lower()
    if "." in one and "." in other:
        return one == other
    return one.partition(".")[0] == other.partition(".")[0]
