"""A request between its file and its model: it is completed with defaults and judged, and collects findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design, PoolDesign
from pixsize.findings import Finding
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.yaml_reader import UNREADABLE
from pixsize.texts import listed

MOST_NAMED = 16
"""Options that a message lists before it counts the rest."""
MOST_FINDINGS = 100
"""Of a request: a list of thousands of wrong entries should not print as many findings."""


class TooManyError(Exception):
    """The request has as many findings as are shown: judging ends here."""


def nearest(word: str, options: Iterable[str], likeness: float = 0.6) -> str:
    """The option that `word` was probably meant to be; empty when none is close."""
    import difflib

    by_fold = {option.lower(): option for option in options}
    close = difflib.get_close_matches(word[:64].lower(), by_fold, n=1, cutoff=likeness)
    return by_fold[close[0]] if close else ""


def did_you_mean(word: str, options: Iterable[str], likeness: float = 0.6) -> str:
    """The hint that names the nearest option; empty when none is close."""
    close = nearest(word, options, likeness)
    return f"Did you mean {close}?" if close else ""


def named(options: Iterable[str]) -> str:
    """The options, listed for a sentence: the first sixteen, and how many more."""
    return listed(options, MOST_NAMED)


@dataclass(slots=True)
class PartialRequest:
    """A request between its file and its model: `words` as the file has them, and as they are completed.

    `bad` are paths that a finding already names: nothing further is said of them. `defaults` are those that were
    completed. `chosen` maps the path of a drive to the catalog id that its words stand for.
    """

    words: dict[str, Any]
    design: Design
    catalog: Catalog
    positions: Positions
    findings: list[Finding] = field(default_factory=list)
    defaults: list[str] = field(default_factory=list)
    chosen: dict[str, str] = field(default_factory=dict)
    bad: set[str] = field(default_factory=set)

    @property
    def array_design(self) -> ArrayDesign:
        """The design, where its volumes lie on arrays; KeyError for any other."""
        return self.catalog.get(ArrayDesign, self.design.id)

    @property
    def pool_design(self) -> PoolDesign:
        """The design, where its servers share a pool; KeyError for any other."""
        return self.catalog.get(PoolDesign, self.design.id)

    def report(self, code: str, where: str, message: str, hint: str = "", at_key: bool = False) -> None:
        """Note a finding at the value of `where`, or at the word itself, and ask no more about it.

        Raises TooManyError when it is the last one that a reader could want.
        """
        position = self.positions.key(where) if at_key else self.positions.value(where)
        self.findings.append(Finding(code, message, where, hint, position))
        self.bad.add(where)
        if len(self.findings) >= MOST_FINDINGS:
            raise TooManyError

    def hide(self, where: str) -> None:
        """Show the line of `where` with no finding, earlier or later: it may hold a secret."""
        hidden = {self.positions.key(where).line, self.positions.value(where).line}
        self.positions.hide(hidden)
        self.findings[:] = [
            found.at(found.position._replace(text="")) if found.position and found.position.line in hidden else found
            for found in self.findings
        ]

    def is_bad(self, where: str) -> bool:
        """Whether `where`, or a part above it, was reported already."""
        while where:
            if where in self.bad:
                return True
            where = where[: max(where.rfind("."), where.rfind("["), 0)]
        return False

    def each(self, pattern: str) -> Iterator[tuple[dict[str, Any], str, str]]:
        """What can hold the last word of a pattern such as `storage_modules[].count`: mapping, word, path."""
        *parents, word = pattern.split(".")
        places: list[tuple[object, str]] = [(self.words, "")]
        for part in parents:
            places = [found for node, path in places for found in _step(node, path, part)]
        return ((node, word, join(path, word)) for node, path in places if isinstance(node, dict))

    def values(self, pattern: str) -> Iterator[tuple[Any, str]]:
        """The values at `pattern` that can still be judged, with their paths."""
        for node, word, path in self.each(pattern):
            if word in node and node[word] is not UNREADABLE and not self.is_bad(path):
                yield node[word], path

    def complete(self, pattern: str, value: object) -> None:
        """Fill `value` in wherever the word of `pattern` was left out, and note that it was."""
        for node, word, path in self.each(pattern):
            if word not in node:
                node[word] = value
                self.defaults.append(path)

    def limit(self, record_id: str) -> int:
        """The value of a limit record."""
        from pixsize.catalog.records import Limit

        return self.catalog.get(Limit, record_id).value

    def quantity(self, value: object) -> int | None:
        """A capacity in bytes; None where the text is none, which the shape reports."""
        try:
            return units.parse_whole(value, "capacity")
        except units.UnitError:
            return None

    def judge_choice(self, pattern: str, record_id: str) -> None:
        """PX102 for capacities that are none of those that a choice record of the catalog lists."""
        from pixsize.catalog.records import Choice

        choice = self.catalog.get(Choice, record_id)
        doubt = "" if choice.confirmed else "; no document at hand confirms that the list is complete"
        for value, path in self.values(pattern):
            size = self.quantity(value)
            sizes = named(units.binary_bytes(v) for v in choice.values)
            if size is None:
                self._report_size(value, path, sizes)
            elif size not in choice.values:
                closest = min(choice.values, key=lambda legal: abs(legal - size))
                message = f"{quoted(value)} is none of {sizes} (catalog: {choice.id}{doubt})"
                self.report("PX102", path, message, f"The nearest is {units.binary_bytes(closest)}.")

    def _report_size(self, value: object, path: str, sizes: str) -> None:
        """A number or a text without a legal unit, with the sizes that may stand there; others are the shape's."""
        try:
            units.parse_whole(value, "capacity")
        except units.UnitError as error:
            if error.code != "PX105" or not isinstance(value, str | int | float) or isinstance(value, bool):
                return
            self.report("PX105", path, f"{quoted(value)}: a number without a unit", f"Write one of {sizes}.")


def _step(node: object, path: str, part: str) -> Iterator[tuple[object, str]]:
    word = part.removesuffix("[]")
    below = node.get(word) if isinstance(node, dict) else None
    if part == word:
        if below is not None:
            yield below, join(path, word)
    elif isinstance(below, list):
        for index, each in enumerate(below):
            yield each, item(join(path, word), index)
