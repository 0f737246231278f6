"""Servers that take over from each other beside a pool that all of them share."""

from __future__ import annotations

from collections.abc import Sequence


def takeover_groups(servers: Sequence[str]) -> list[Sequence[str]]:
    """Who takes over from whom: pairs of neighbours; the last three of an odd number stand in a ring."""
    paired = len(servers) if len(servers) % 2 == 0 else len(servers) - 3
    pairs = [servers[i : i + 2] for i in range(0, paired, 2)]
    return [*pairs, servers[paired:]] if paired < len(servers) else pairs


def partners(servers: Sequence[str]) -> dict[str, str]:
    """The server that takes over from each: the next of its pair, or of its ring."""
    return {s: group[(i + 1) % len(group)] for group in takeover_groups(servers) for i, s in enumerate(group)}
