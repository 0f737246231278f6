"""bench: numbered scripts that measure what the plan promises, as the design's document measured it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pixsize import units
from pixsize.bench.commands import Phase, host_file, share
from pixsize.bench.kit import Bench, Kit, findings_of, kit_of
from pixsize.bench.points import MIB, Point, iterations, lasting, measures, thread_counts
from pixsize.bench.records import Command, Settings
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Record
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, duration, prose, word
from pixsize.texts import plural

_PATIENCE = 20
"""So many times the expected time a run may take, and an hour: it ends those that wait for ever, and no slow one."""
_SMOKE_MIB = 4096
"""What each client, server and target moves in the smoke run: some seconds each."""
_SLOW_PERCENT = 80
"""A client or a target that reaches less of the median is named."""
_SHELL = re.compile(r"[A-Za-z0-9_./:=,%+@{}\[\]^*-]+")
_VARIABLES = ("threads", "each", "directories", "files", "iterations", "directory", "list")
_TITLES = {
    "n_n": "sequential reads and writes, each thread its own file",
    "n_n_128k": "sequential reads and writes with transfers of 128 KiB, each thread its own file",
    "n_1": "sequential reads and writes, all threads one file",
    "random": "random reads and writes of 4 KiB, each thread its own file",
    "empty": "operations on empty files",
    "128b": "operations on files of 128 bytes",
    "3k": "operations on files of 3 KiB",
    "4k": "operations on files of 4 KiB",
}


class Script(NamedTuple):
    """A numbered script: its name, what it is for, its template with the values; `seconds` is how long it takes."""

    name: str
    summary: str
    template: str
    values: dict[str, Any]
    seconds: int = 0


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:
    """PX700 to PX709, and PX608 where no document says how such a plan is measured."""
    return tuple(findings_of(plan, catalog))


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The scripts, what they share, a host file for each number of threads, and a page."""
    kit = kit_of(plan, catalog)
    made = scripts(kit)
    shared = [File("bench/lib.sh", template.fill("bench/lib.sh.j2", _shared(kit)))]
    chosen = _chosen(kit)
    if chosen:
        # Settings that belong together have one template: the functions of one file.
        values = {"all": [{**s.values, "function": _function(s)} for s in chosen], **chosen[0].values}
        shared.append(File("bench/settings.sh", template.fill(chosen[0].template, values)))
    rendered = [
        File(f"bench/{s.name}", template.fill(f"bench/{s.template}", s.values | {"script": s.name}), executable=True)
        for s in made
    ]
    page = File("bench/README.md", template.fill("bench/README.md.j2", _page(kit, made, catalog)))
    return (page, *shared, *rendered, *_host_files(kit))


def _host_files(kit: Kit) -> Iterator[File]:
    """For each number of threads the file of the MPI, and a list with a line for each thread, node after node."""
    names = [word(n) for n in kit.clients.names]
    counts = {n for b in kit.benches for n in (p.threads for p in b.default)} | {1, len(names)}
    for threads in sorted(counts):
        yield File(f"bench/hosts/{threads}.{kit.mpi.mpi}", host_file(names, threads, kit.mpi))
        yield File(f"bench/hosts/{threads}.list", "".join(f"{names[n % len(names)]}\n" for n in range(threads)))


def scripts(kit: Kit) -> tuple[Script, ...]:
    """The numbered scripts in their order. Settings are made before the tests that need them, and taken back behind."""
    made: list[Script] = []

    def add(script: Script) -> str:
        made.append(script._replace(name=f"{len(made) + 1:02d}-{script.name}"))
        return made[-1].name

    add(_check(kit))
    add(_smoke(kit))
    current: Settings | None = None
    changed = undone = ""
    for bench in kit.benches:
        wanted = kit.around.settings.get(bench.method.test)
        if wanted != current:
            changed = add(_setting(kit, wanted) if wanted else _undoing(kit))
            undone = "" if wanted else changed
        current = wanted
        add(_measuring(kit, bench, changed))
    if current:
        undone = add(_undoing(kit))
    add(_removing(kit, undone))
    return tuple(made)


def _quoted(text: str) -> str:
    """A text of our own as one word of a shell."""
    return "'" + checked(re.compile(r"[A-Za-z0-9 .,_/-]*"), text) + "'"


def _function(settings: Settings) -> str:
    return checked(re.compile(r"[a-z_]{1,40}"), settings.name.replace("-", "_"))


def _chosen(kit: Kit) -> list[Settings]:
    """The settings of all tests, each once."""
    found: dict[str, Settings] = {}
    for bench in kit.benches:
        settings = kit.around.settings.get(bench.method.test)
        if settings is not None:
            found.setdefault(settings.name, settings)
    return list(found.values())


def _common(kit: Kit) -> dict[str, Any]:
    return {"plan": word(kit.plan.name), "first": word(kit.clients.names[0])}


def _shared(kit: Kit) -> dict[str, Any]:
    return _common(kit) | {
        "directory": checked(re.compile(r"(/[A-Za-z0-9_.+-]+)+"), kit.directory),
        "fstype": word(kit.around.fstype),
        "mpi": word(kit.mpi.mpi),
        "clients": [word(n) for n in kit.clients.names],
        "servers": [word(n) for n in kit.servers],
        "admin": word(kit.around.admin) if kit.around.admin else "",
        "drop": [_command(c) for c in kit.around.drop],
        "patience": _PATIENCE,
    }


def _command(command: Command) -> dict[str, str]:
    each = {"clients": '"${CLIENTS[@]}"', "servers": '"${SERVERS[@]}"'}.get(command.where, "")
    return {"each": each, "words": " ".join(map(_shell_word, command.words))}


def _shell_word(text: str) -> str:
    """A word of a command as a shell takes it: quoted where it has a pattern, with variables in the place of names."""
    if text == "{clients}":
        return '"$(joined "${CLIENTS[@]}")"'
    if text == "{directory}":
        return '"$directory"'
    if text == "$shift":
        return '${shift[@]+"${shift[@]}"}'  # bash 4.2 of EL7 takes an empty list for an unknown one
    if "$" in text:
        names = re.findall(r"\$\{?([a-z]+)\}?", text)
        if not names or any(n not in _VARIABLES for n in names):
            raise ValueError(f"{text!r} has a variable that no script knows")
        return f'"{text}"'
    checked(_SHELL, text)
    return f"'{text}'" if re.search(r"[*\[\]{}^]", text) else text


def _check(kit: Kit) -> Script:
    tools = sorted({(b.method.tool, b.version) for b in kit.benches})
    values = _common(kit) | {
        "tools": [{"tool": t, "version": word(v), "command": _momentary(kit, t)} for t, v in tools],
        "uses_mpi": any(tool != "iozone" for tool, _ in tools),
        "memory": kit.clients.memory if kit.clients.is_known else 0,
        "most": max(p.total for b in kit.benches for p in b.default) // 1024,
        "healthy": [_command(c) for c in kit.around.healthy],
    }
    return Script("check.sh", "looks at clients, servers, tools and space; changes nothing", "check.sh.j2", values, 120)


def _momentary(kit: Kit, tool: str) -> str:
    """The command of a tool that runs for a moment on every client."""
    if tool == "iozone":
        return '"$tool" -i 0 -w -r 1m -s 1m -t "$threads" -+n -+m "$list"'
    words = {
        "ior": '-a POSIX -F -w -k -i 1 -t 1m -b 1m -o "$directory/file"',
        "mdtest": '-d "$directory" -i 1 -n 1 -F -u',
    }
    return f'{_launched(kit)} "$tool" {words[tool]}'


def _launched(kit: Kit) -> str:
    """How the MPI starts `$threads` processes."""
    given = {"{hosts}": f'"$HERE/hosts/$threads.{kit.mpi.mpi}"', "{threads}": '"$threads"'}
    return " ".join(['"$mpirun"', *(given.get(w, w) for w in kit.mpi.words)])


def _smoke(kit: Kit) -> Script:
    targets = [
        {"server": word(t.servers[0]), "device": template.device(t.device), "target": word(t.id), "purpose": t.purpose}
        for t in kit.plan.targets
        if t.device and t.servers and t.volume
    ]
    values = _common(kit) | {
        "targets": targets,
        "mib": _SMOKE_MIB,
        "percent": _SLOW_PERCENT,
        "layouts": [{"words": " ".join(map(_shell_word, x.words))} for x in kit.around.layouts.get("n_n", ())[:1]],
    }
    seconds = 15 * (len(kit.clients.names) + len(targets) + len(kit.servers))
    return Script(
        "smoke.sh", "each client, server and target by itself, some seconds each", "smoke.sh.j2", values, seconds
    )


def _setting(kit: Kit, settings: Settings) -> Script:
    values = _common(kit) | {
        "name": word(settings.name),
        "function": _function(settings),
        "summary": prose(settings.summary),
    }
    return Script(f"set-{word(settings.name)}.sh", f"sets {settings.summary}", "set.sh.j2", values, 120)


def _undoing(kit: Kit) -> Script:
    return Script("undo.sh", "takes the settings back", "undo.sh.j2", _common(kit), 120)


def _removing(kit: Kit, undo: str) -> Script:
    tests = [word(b.method.test) for b in kit.benches]
    values = _common(kit) | {"tests": tests, "undo": undo or "Nothing"}
    return Script("remove.sh", "removes the folder of the benchmarks", "remove.sh.j2", values, 300)


def _measuring(kit: Kit, bench: Bench, changed: str) -> Script:
    """The script of a test; `changed` is the one that makes its settings, or takes others back."""
    method, settings = bench.method, kit.around.settings.get(bench.method.test)
    both = bench.points if not method.of_files else {method.sized_by: bench.default}
    values = _common(kit) | {
        "title": _TITLES[method.test],
        "tool": word(method.tool),
        "version": word(bench.version),
        "of_files": method.of_files,
        "uses_mpi": method.tool != "iozone",
        "test": word(method.test),
        "default": method.sized_by,
        "sizes": {name: _sizes(name, made) for name, made in both.items()},
        "columns": _columns(bench),
        "fields": "each" if not method.of_files else f"{'directories ' * bool(method.per_directory)}files iterations",
        "points": {name: [_row(bench, p) for p in made] for name, made in both.items()},
        "make": [" ".join(map(_shell_word, words)) for words in kit.around.make.get(method.test, ())],
        "layouts": [
            {"fewest": x.fewest, "most": x.most, "words": " ".join(map(_shell_word, x.words))}
            for x in kit.around.layouts.get(method.test, ())
        ],
        "phases": [_phase(kit, bench, p) for p in bench.phases],
        "settings_name": word(settings.name) if settings else "none",
        "settings_text": f"'{prose(settings.summary)}'" if settings else "none",
        "settings_hint": _quoted(
            f"Run {changed} first." if changed else "The script that undoes them takes them back."
        ),
    }
    name = method.test.replace("_", "-")
    return Script(
        f"{name}.sh", f"measures {_TITLES[method.test]}", "measure.sh.j2", values, lasting(method, bench.default)
    )


def _sizes(name: str, made: Sequence[Point]) -> str:
    least, most = min(p.total for p in made), max(p.total for p in made)
    shown = units.binary_bytes(least) + (f" to {units.binary_bytes(most)}" if most > least else "")
    if name == "memory":
        return f"{shown} a run: twice the memory of clients and servers, or what the document used where that is more"
    return f"{shown} a run, as the document"


def _columns(bench: Bench) -> str:
    if bench.method.of_files:
        each = "directories and files" if bench.method.per_directory else "files"
        return f"Threads, {each} of each, iterations, seconds that the plan expects."
    seconds = " and ".join(f"of `{p.name}`" for p in bench.phases)
    return f"Threads, MiB of each, seconds that the plan expects {seconds}."


def _row(bench: Bench, point: Point) -> str:
    if bench.method.of_files:
        times = iterations(bench.method, point)
        directories = f"{point.directories} " if point.directories else ""
        return f"{point.threads} {directories}{point.files} {times} {point.seconds[0] * times}"
    repeated = bench.method.iterations if bench.method.tool == "ior" else 1
    seconds = " ".join(str(s * repeated) for s in point.seconds)
    return f"{point.threads} {point.each // MIB} {seconds}"


def _phase(kit: Kit, bench: Bench, phase: Phase) -> dict[str, Any]:
    launched = [] if bench.method.tool == "iozone" else [_launched(kit)]
    words = [*launched, '"$tool"', *map(_shell_word, _with_iterations(bench, phase.words))]
    kind, folder = ("result", "$RESULTS") if phase.measures else ("log", "$LOGS")
    return {"name": word(phase.name), "reads": phase.reads, "kind": kind, "folder": folder, "command": " ".join(words)}


def _with_iterations(bench: Bench, words: Sequence[str]) -> list[str]:
    """IOR repeats as often as the document; mdtest as often as its row says."""
    fixed = None if bench.method.of_files else str(bench.method.iterations)
    return [fixed if fixed and w == "$iterations" else w for w in words]


def _page(kit: Kit, made: Sequence[Script], catalog: Catalog) -> dict[str, Any]:
    documents = list(dict.fromkeys(s.document for b in kit.benches for s in b.method.sources))
    return _common(kit) | {
        "documents": [prose(catalog.get(Record, d).title) for d in documents if d not in ("pixsize", "io-tools")],
        "directory": checked(re.compile(r"(/[A-Za-z0-9_.+-]+)+"), kit.directory),
        "clients": len(kit.clients.names),
        "cores": kit.clients.cores,
        "memory": units.binary_bytes(kit.clients.memory),
        "mpi": prose(kit.mpi.title),
        "total": duration(kit.seconds),
        "scripts": [{"name": s.name, "summary": prose(s.summary), "takes": duration(s.seconds)} for s in made],
        "benches": [_bench_row(kit, b, made) for b in kit.benches],
        "settings": [prose(s.summary) for s in _chosen(kit)],
        "notes": [prose(b.method.note) for b in kit.benches if b.method.note],
        "mpi_note": prose(kit.mpi.note),
        "percent": _SLOW_PERCENT,
        "shares": _shares(kit),
    }


def _shares(kit: Kit) -> list[dict[str, int]]:
    counts = sorted({p.threads for b in kit.benches for p in b.default})
    return [
        {"threads": n, "nodes": len(parts), "each": max(count for _, count in parts)}
        for n in counts
        for parts in [share(kit.clients.names, n)]
    ]


def _bench_row(kit: Kit, bench: Bench, made: Sequence[Script]) -> dict[str, Any]:
    method = bench.method
    name = next(s.name for s in made if s.values.get("test") == method.test)
    threads = thread_counts(method, (kit.plan.benchmark.threads if kit.plan.benchmark else ()), kit.clients)
    what = f"{bench.default[0].files * bench.default[0].threads:,} files" if method.of_files else ""
    if not method.of_files:
        what = _sizes(method.sized_by, bench.default)
    elif method.per_directory:
        what += f", {method.per_directory:,} a directory"
    elif method.files_each:
        what = f"{method.files_each:,} files a thread"
    return {
        "script": name,
        "title": _TITLES[method.test],
        "tool": f"{method.tool} {prose(bench.version)}",
        "document_tool": prose(method.version) if method.version != bench.version else "",
        "threads": f"{threads[0]} to {threads[-1]:,}, {plural(len(threads), 'point')}"
        if len(threads) > 1
        else f"{threads[0]}",
        "what": what,
        "takes": duration(lasting(method, bench.default)),
        "figures": ", ".join(f"`{stem}`" for stem in measures(method.test, kit.figures)),
        "source": prose("; ".join(s.place for s in method.sources[:1])),
    }


def _applies(plan: Plan) -> bool:
    return bool(plan.servers)


RENDERER = Renderer(
    name="bench",
    summary="benchmarks of what the plan promises, as its document measured it: scripts, host files and points",
    needs="the names of the clients (benchmark.clients.hosts)",
    applies=_applies,
    files=files,
    findings=findings,
    left_out_for=frozenset({"PX608", "PX700", "PX703", "PX704", "PX705", "PX706", "PX709"}),
)
