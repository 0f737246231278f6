"""The servers' names in the cluster: generated where they were left out, counted and compared where they were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pixsize.load import names
from pixsize.load.draft import Draft
from pixsize.load.positions import item, join, quoted

_PARTS = "pixsize.parts"


def whole(value: object) -> int:
    """A count as it stands in the words; 0 where it is none, which the shape reports."""
    return value if type(value) is int and value > 0 else 0


def judge_total(draft: Draft, pattern: str, most: int) -> bool:
    """Whether the modules counted at `pattern` are few enough to plan; PX114 where the total first passes `most`."""
    total = 0
    for value, path in draft.values(pattern):
        total += whole(value)
        if total > most:
            draft.report("PX114", path, f"{total:,} modules up to here; pixsize plans at most {most:,}")
            return False
    return True


def judge_parts(draft: Draft, where: str, what: str, total: int) -> bool:
    """Whether so many things may be made; PX120 at `where` when they are more than `pixsize.parts`."""
    most = draft.limit(_PARTS)
    if total > most:
        draft.report("PX120", where, f"{total:,} {what}; pixsize plans at most {most:,} (catalog: {_PARTS})")
    return total <= most


def in_modules(prefix: str) -> Callable[[int, int], str]:
    """Names such as `sm01n2`, the second server of the first module."""
    return lambda module, server: f"{prefix}{module:02d}n{server}"


def in_a_row(prefix: str, servers: int) -> Callable[[int, int], str]:
    """Names such as `oss03`: the servers counted through, `servers` a module."""
    return lambda module, server: f"{prefix}{(module - 1) * servers + server:02d}"


def complete_hosts(draft: Draft, pattern: str, counted: str, servers: int, name: Callable[[int, int], str]) -> None:
    """Name the servers at `pattern`: `servers` for each module that the word `counted` beside it counts.

    `name` makes a name of the module's number and the server's, both from 1.
    """
    number = 0
    for node, word, path in draft.each(pattern):
        count = whole(node.get(counted, 1 if not counted else 0))
        if not judge_parts(draft, path.rpartition(".")[0], "servers up to here", (number + count) * servers):
            draft.bad.add(path)
        elif not count and word not in node:
            draft.bad.add(path)  # how many names are due is not known
            _judge_missing(draft, node, path, counted)
        elif word not in node:
            modules = range(number + 1, number + count + 1)
            node[word] = [name(m, s) for m in modules for s in range(1, servers + 1)]
            draft.defaults.append(path)
        elif count and isinstance(node[word], list) and len(node[word]) != count * servers:
            given = f"{len(node[word]):,} name{'' if len(node[word]) == 1 else 's'}"
            message = f"{given} for {count * servers:,} servers"
            draft.report("PX112", path, message)
        number += count


def _judge_missing(draft: Draft, node: Mapping[str, object], path: str, counted: str) -> None:
    """PX103 for a count that neither the request nor the design has; one at the top its shape asks for."""
    parent = path.rpartition(".")[0]
    if parent and counted not in node:
        message = f"the word {counted} is missing, and the design has no default for it"
        draft.report("PX103", join(parent, counted), message, f"Add {counted}, or a default to the design.")


def leave_unnamed(draft: Draft, patterns: tuple[str, ...]) -> None:
    """Ask for no names where nobody gave any: too many modules were asked for to make them."""
    unnamed = (found for pattern in patterns for found in draft.each(pattern))
    draft.bad |= {path for node, word, path in unnamed if word not in node}


def management_names(draft: Draft) -> list[str]:
    """The names that pixsize gives to the management servers of the design."""
    role = draft.design.management
    return [f"mgmt{n + 1}" for n in range(role.count if role else 0)]


def judge_hosts(
    draft: Draft,
    patterns: tuple[str, ...],
    generated: list[str],
    *,
    by_host: bool = False,
    trouble_of: Callable[[str], str] = names.host_trouble,
) -> None:
    """PX107 for what is no host name by `trouble_of`, PX110 for what stands twice; `generated` are names by pixsize.

    `by_host` also refuses names that differ in their domains alone: scripts know a server by what `hostname` prints,
    with its domain or without.
    """
    own = "a server that pixsize names itself"
    seen = {_key(name, by_host): (name, own) for name in generated}
    given: list[tuple[str, str]] = []
    for pattern in patterns:
        for value, path in draft.values(pattern):
            listed = [
                (n, item(path, i)) for i, n in enumerate(value if isinstance(value, list) else []) if isinstance(n, str)
            ]
            if path in draft.defaults:
                seen |= {_key(name, by_host): (name, own) for name, _ in listed}
            else:
                given += listed
    for name, path in given:
        _judge_host(draft, name, path, trouble_of(name), seen.get(_key(name, by_host)))
        seen.setdefault(_key(name, by_host), (name, path))


def _key(name: str, by_host: bool) -> str:
    return name.lower().partition(".")[0] if by_host else name.lower()


def _judge_host(draft: Draft, name: str, path: str, trouble: str, earlier: tuple[str, str] | None) -> None:
    if trouble:
        draft.report("PX107", path, f"{quoted(name)} cannot name a server: {trouble}")
    elif earlier and earlier[0].lower() == name.lower():
        draft.report("PX110", path, f"{quoted(name)} is already the name of {earlier[1]}")
    elif earlier:
        message = f"{quoted(name)} is {quoted(earlier[0])} up to the first point, the name of {earlier[1]}"
        draft.report(
            "PX110", path, message, "Scripts take either for the server: a host may say its name without its domain."
        )
