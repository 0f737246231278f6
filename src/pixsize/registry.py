"""A table of objects by name, each loaded when it is first used, so that a start loads only what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A mapping of names to objects; `places` names each as `module:attribute`, below `folder` where one is given.

    The names alone load nothing.
    """

    def __init__(self, places: Mapping[str, str], folder: str = "") -> None:
        self.places = {name: f"{folder}.{place}" if folder else place for name, place in places.items()}
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            module, _, attribute = self.places[name].partition(":")
            self._loaded[name] = cast("T", getattr(import_module(module), attribute))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, name: object) -> bool:
        return name in self.places
