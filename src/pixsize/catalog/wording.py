"""What a template of a quote says: its words, a logo and a style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Logo(NamedTuple):
    """A picture for the head of a quote: its bytes, `image/png` or `image/jpeg`, and its size in pixels."""

    data: bytes
    media: str
    width: int
    height: int


class Wording(NamedTuple):
    """The words of a quote by their paths in `texts.yaml`, such as `headings.holds`; and what stands beside that file.

    `style` is CSS that follows the shipped one; empty where the template has none.
    """

    texts: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    logo: Logo | None = None
    style: str = ""

    def __call__(self, path: str) -> str:
        """The text of a path."""
        return self.texts[path]

    def label(self, word: str) -> str:
        """The text of a label."""
        return self.texts[f"labels.{word}"]

    def heading(self, word: str) -> str:
        """The text of a heading."""
        return self.texts[f"headings.{word}"]

    def note(self, word: str) -> str:
        """The text of a note."""
        return self.texts[f"notes.{word}"]
