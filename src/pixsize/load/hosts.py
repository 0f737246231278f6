"""The servers' names in the cluster: generated where they were left out, counted and compared where they were given."""

from __future__ import annotations

from pixsize.load import names
from pixsize.load.draft import Draft
from pixsize.load.positions import item, quoted


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


def complete_hosts(draft: Draft, parent: str, counted: str, prefix: str, servers: int) -> None:
    """Name the servers of every module below `parent`: `servers` for each of those that the word `counted` counts."""
    number = 0
    for node, word, path in draft.each(f"{parent}.hosts"):
        count = whole(node.get(counted))
        if not count and word not in node:
            draft.bad.add(path)  # how many names are due is not known
        elif word not in node:
            node[word] = [
                f"{prefix}{m:02d}n{s}" for m in range(number + 1, number + count + 1) for s in range(1, servers + 1)
            ]
            draft.defaults.append(path)
        elif count and isinstance(node[word], list) and len(node[word]) != count * servers:
            message = f"{len(node[word])} names for {count} modules of {servers} servers: {count * servers} are needed"
            draft.report("PX112", path, message)
        number += count


def judge_hosts(draft: Draft, parents: tuple[str, ...], generated: list[str]) -> None:
    """PX107 for what is no host name, PX110 for what stands twice; `generated` are names that pixsize gives."""
    seen = {name.lower(): "a server that pixsize names itself" for name in generated}
    given: list[tuple[str, str]] = []
    for parent in parents:
        for value, path in draft.values(f"{parent}.hosts"):
            listed = [
                (n, item(path, i)) for i, n in enumerate(value if isinstance(value, list) else []) if isinstance(n, str)
            ]
            if path in draft.defaults:
                seen |= {name.lower(): "a server that pixsize names itself" for name, _ in listed}
            else:
                given += listed
    for name, path in given:
        _judge_host(draft, name, path, seen)


def _judge_host(draft: Draft, name: str, path: str, seen: dict[str, str]) -> None:
    trouble = names.host_trouble(name)
    if trouble:
        draft.report("PX107", path, f"{quoted(name)} cannot name a server: {trouble}")
    elif name.lower() in seen:
        draft.report("PX110", path, f"{quoted(name)} is already the name of {seen[name.lower()]}")
    seen.setdefault(name.lower(), path)
