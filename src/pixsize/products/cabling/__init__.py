"""The sheet of cables: where each of them is plugged in."""
