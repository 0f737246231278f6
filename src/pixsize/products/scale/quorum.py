"""Which servers are quorum nodes: an odd number, spread over the pairs that fail together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pixsize.plan.records import Server

MANAGEMENT = "management"
ROLES = ("storage", "metadata", MANAGEMENT)
"""The roles whose servers vote. What products add may be switched off without asking anybody.

The exception is servers with drives of their own beside two pairs: they serve NSDs, and a third pair leaves a majority.
"""
_FEW = 2
"""With so many pairs, one of them holds two votes of three."""
_USUAL = 5
"""Votes from three pairs on: any two servers may fail, and any one pair."""
_MOST = 7
"""Votes at the most: GPFS takes eight (limit `scale.quorum_nodes`), and an even number survives no more than seven."""


def pairs_of(servers: Sequence[Server]) -> dict[str, tuple[str, ...]]:
    """The servers that may vote, by what they fail with: their module, or their role; in the order of the plan."""
    pairs: dict[str, tuple[str, ...]] = {}
    for server in servers:
        if server.role in ROLES:
            pair = server.module or server.role
            pairs[pair] = (*pairs.get(pair, ()), server.id)
    if len(pairs) == _FEW:
        with_drives = [s for s in servers if s.drives and s.role not in ROLES]
        pairs |= {s.role: tuple(other.id for other in with_drives[:2]) for s in with_drives[:1]}
    return pairs


def quorum_nodes(pairs: Mapping[str, Sequence[str]], kinds: Mapping[str, str]) -> tuple[str, ...]:
    """The quorum nodes, given the servers of each pair and the role of each pair.

    Every pair has one vote before any has two, those of different roles first. Second votes go to the pairs in their
    order: the management comes last, so that its loss stops nothing where two pairs are all there is.
    """
    first = {kind: pair for pair, kind in reversed(list(kinds.items()))}
    order = dict.fromkeys([*(first[role] for role in ROLES if role in first), *pairs])
    voters = [pairs[pair][0] for pair in order] + [pairs[pair][1] for pair in pairs if len(pairs[pair]) > 1]
    return tuple(voters[: _wanted(len(pairs), len(voters))])


def _wanted(pairs: int, able: int) -> int:
    """How many votes: three for two pairs, five from three on, a vote a pair from six on; never an even number."""
    if pairs < _FEW:
        return min(pairs, 1)
    wanted = min(able, 3 if pairs == _FEW else max(_USUAL, min(_MOST, pairs)))
    return wanted if wanted % 2 else wanted - 1
