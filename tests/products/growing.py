"""Requests for more hardware than another has: one more of something, or something larger in place of a smaller one."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tests.support.running import Made, make_if_legal

Words = dict[str, Any]
SIZES = ("small", "medium", "large")


def larger(words: Words) -> Iterator[tuple[str, Words]]:
    """Every request with one more part than the words ask for, and what was added; not all of them are legal."""
    modules = words.get("storage_modules", [])
    for place, module in enumerate(modules):
        yield from ((f"{what} of {module['size']}", _put(words, place, more)) for what, more in _larger_module(module))
        for size in SIZES:
            beside = {word: value for word, value in module.items() if word != "expansion"} | {"size": size, "count": 1}
            yield f"{size} beside {module['size']}", words | {"storage_modules": [*modules, beside]}
    for block, word, least in (("hdmd", "arrays", 1), ("hdmd", "modules", 1), ("metadata", "pairs", 1)):
        if isinstance(words.get(block), dict):
            yield f"{block}.{word}", words | {block: words[block] | {word: words[block].get(word, least) + 1}}
    if words.get("design", "").startswith("pixstor") and "hdmd" not in words:
        yield "hdmd", words | {"hdmd": {"arrays": 1, "drive": "960 GB"}}
    network = words.get("network") or {}
    if "link" in network:  # left out, it is the full rate
        yield "network.link", words | {"network": {word: value for word, value in network.items() if word != "link"}}
    if (words.get("metadata") or {}).get("dne") is False:
        yield "metadata.dne", words | {"metadata": words["metadata"] | {"dne": True}}
    if "servers" in words:
        yield "servers", words | {"servers": words["servers"] + 1}


def _larger_module(module: Words) -> Iterator[tuple[str, Words]]:
    yield "count", module | {"count": module.get("count", 1) + 1}
    size = SIZES.index(module["size"])
    if size + 1 < len(SIZES):
        yield "size", module | {"size": SIZES[size + 1]}
    if not module.get("expansion"):
        yield "expansion", module | {"expansion": True}


def _put(words: Words, place: int, module: Words) -> Words:
    changed = copy.deepcopy(words)
    changed["storage_modules"][place] = module
    return changed


def planned(words: Words) -> Made | None:
    """The plan and its figures, the same object again for the same words; None where anything refuses the request.

    Systems grow into each other: one of the measured systems with one more module is another one of them.
    """
    return _planned(json.dumps(words, sort_keys=True))


@lru_cache(maxsize=300)
def _planned(words: str) -> Made | None:
    return make_if_legal(json.loads(words), by_threads=True)
