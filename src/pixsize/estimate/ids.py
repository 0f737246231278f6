"""The parts of which the ids of rate figures are made, each spelled once."""

from __future__ import annotations

SEQUENTIAL = "throughput.sequential."
RANDOM = "throughput.random_4k."
METADATA = "metadata."
FAMILIES = (SEQUENTIAL, RANDOM, METADATA)
"""The beginnings of the ids of figures whose readings show how far readings of such a figure lie apart."""
PATTERNS = ("n_n", "n_1")
DIRECTIONS = ("write", "read")
DURATIONS = ("peak", "sustained")
OPERATIONS = ("create", "stat", "read", "remove")
