"""The only composer: one function a command, each from what the user gave to what is shown or written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.findings import Finding, Position, has_errors

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.figures import Figure
    from pixsize.load import Loaded
    from pixsize.observed import Observed
    from pixsize.plan.records import Plan
    from pixsize.render import File, Renderer
    from pixsize.render.writer import Written
    from pixsize.report.sized_plan import SizedPlan

# Rooms are imported where they are used: `init` and `schema` need none of them, and every start would pay for all.

Tell = Callable[[str], None]
"""Told the name of each stage when it begins."""

DEFAULT_CONFIG = "pixsize.yaml"
STARTER = "large+hdmd"
"""The example that a new system begins with."""
_SEVERITIES = ("error", "warning", "note")


class Given(NamedTuple):
    """What a command line names: the request (`held` where it was read already), records laid over the catalog, and
    replies of the real arrays.
    """

    config: str = DEFAULT_CONFIG
    catalog: Path | None = None
    observed: Path | None = None
    held: bytes | None = None


class Checked(NamedTuple):
    """A request as far as it came. `plan` is there when nothing forbids one; `loaded` when the request could be read.

    `example` is the shipped file that was read because the one given does not exist.
    """

    findings: tuple[Finding, ...]
    example: Path | None = None
    loaded: Loaded | None = None
    catalog: Catalog | None = None
    observed: Observed | None = None
    plan: Plan | None = None

    def unused_acceptances(self) -> tuple[str, ...]:
        """Codes that the request accepts and that did not occur."""
        accepted = self.loaded.request.accept if self.loaded else ()
        found = {f.code for f in self.findings}
        return tuple(a.code for a in accepted if a.code not in found)


class Planned(NamedTuple):
    """A plan with its figures, ready for a report; `sized` is None when a finding forbids the plan."""

    findings: tuple[Finding, ...]
    sized: SizedPlan | None
    example: Path | None


class Explained(NamedTuple):
    """The ids of all figures of a plan, and the trees of those asked for: None when the plan is forbidden.

    `absent` are figures asked for that could be measured and were not, with the findings that say why. `short` are a
    few lines for each figure asked for.
    """

    findings: tuple[Finding, ...]
    ids: tuple[str, ...]
    trees: dict[str, Any] | None
    example: Path | None
    absent: Mapping[str, tuple[Finding, ...]] = MappingProxyType({})
    short: tuple[tuple[str, ...], ...] = ()


class Rendered(NamedTuple):
    """The files of the targets asked for. `files` is None when a finding forbids them; nothing is written yet.

    `labels` are those that `--reformat` knows; None where there is no plan. `left_out` are the
    targets that `all` could not render, each with the reason.
    """

    findings: tuple[Finding, ...]
    targets: tuple[str, ...]
    files: tuple[File, ...] | None
    request_digest: str
    observed_digest: str
    example: Path | None
    labels: tuple[str, ...] | None = None
    left_out: Mapping[str, str] = MappingProxyType({})


def silent(_stage: str) -> None:
    """Tells nobody."""


def check(given: Given, tell: Tell = silent) -> Checked:
    """The request, the plan, and every finding about both, those of the estimates among them."""
    return estimated(checked(given, tell), tell, by_threads=False)[0]


def plan(given: Given, tell: Tell = silent, *, by_threads: bool = True) -> Planned:
    """The plan with its figures, those by threads where asked for. No plan when anything found is an error."""
    done, figures = estimated(checked(given, tell), tell, by_threads=by_threads)
    return Planned(done.findings, sized(done, figures), done.example)


def sized(done: Checked, figures: Mapping[str, Figure]) -> SizedPlan | None:
    """An allowed plan with its figures; None where a finding forbids it."""
    if done.plan is None or done.loaded is None or done.catalog is None:
        return None
    from pixsize.report.sized_plan import SizedPlan

    return SizedPlan(done.plan, figures, done.findings, done.loaded.words, done.loaded.defaults, done.catalog)


def explain(given: Given, wanted: Iterable[str] | None, tell: Tell = silent) -> Explained:
    """The trees of the figures `wanted`, or of all; the caller refuses ids that no plan has."""
    from pixsize.estimate.ids import MEASURABLE
    from pixsize.estimate.make import reasons
    from pixsize.report import explain as trees

    planned = plan(given, tell)
    if planned.sized is None:
        return Explained(planned.findings, (), None, planned.example)
    figures = planned.sized.figures
    requested = tuple(figures if wanted is None else wanted)
    present = [i for i in requested if i in figures]
    trees_made = trees.document(present, figures, planned.sized.catalog)
    short = tuple(trees.short(figures[i], planned.sized.catalog) for i in present)
    absent = {
        i: reasons(i, planned.findings, planned.sized.terms) for i in requested if i not in figures and i in MEASURABLE
    }
    explained = {i: why for i, why in absent.items() if why}
    return Explained(planned.findings, tuple(figures), trees_made, planned.example, explained, short)


def is_request(given: Given, path: str) -> bool:
    """Whether `path` is the file that holds the request, by whatever name or link."""
    from pixsize.load import find_request

    try:
        return find_request(given.config)[0].samefile(path)
    except (OSError, ValueError):  # one of them is not there, or no path at all
        return False


def summaries() -> Mapping[str, str]:
    """What every render target makes, by its name."""
    from pixsize.render import RENDERERS, summary

    return {name: summary(name) for name in RENDERERS}


def renderers() -> Mapping[str, Renderer]:
    """Every render target by its name."""
    from pixsize.render import RENDERERS

    return RENDERERS


def render(given: Given, wanted: Iterable[str], tell: Tell = silent, reformat: Iterable[str] = ()) -> Rendered:
    """The files of the targets `wanted`; `all` stands for every target that fits. None when anything is an error.

    `reformat` are labels of what exists, and is destroyed by the script that makes it; the caller
    refuses those that the plan does not have.
    """
    from pixsize.render.manifest import ALL
    from pixsize.render.records import by_path

    done = checked(given, tell)
    if done.plan is None or done.catalog is None or done.loaded is None or done.observed is None:
        return Rendered(done.findings, (), None, "", "", done.example)
    old = tuple(reformat)
    requested = tuple(wanted)
    chosen, left_out, more = _chosen(requested, done.plan, done.catalog)
    remakers = [r.again for name, r in renderers().items() if name in requested and r.again] if old else []
    labels = tuple(label for again in remakers for label in again.labels(done.plan))
    if old:
        chosen = tuple(r.again.renderer(old) if r.again else r for r in chosen)
    more += tuple(f for r in chosen for f in r.findings(done.plan, done.catalog))
    found = _settled((*done.findings, *more), done.loaded, given.config)
    files: list[File] = []
    for renderer in chosen if not has_errors(found) else ():
        tell(f"rendering {renderer.name}")
        files += renderer.files(done.plan, done.catalog)
    names = [r.name for r in chosen]
    if ALL in requested:
        if not has_errors(found):
            from pixsize.render.run_book import run_book, unbuilt  # one target alone has none

            found = _settled((*found, *unbuilt(done.plan, files)), done.loaded, given.config)
            files.append(run_book(done.plan, done.catalog, files, names, left_out, found))
        names.append(ALL)
    return Rendered(
        found,
        tuple(names),
        None if has_errors(found) else tuple(by_path(files).values()),
        done.loaded.digest,
        done.observed.digest,
        done.example,
        labels,
        {name: why.message for name, why in left_out.items()},
    )


def _chosen(
    wanted: Iterable[str], plan: Plan, catalog: Catalog
) -> tuple[tuple[Renderer, ...], dict[str, Finding], tuple[Finding, ...]]:
    """The renderers in the order of the registry, each once; what `all` leaves out, with the error that is the reason;
    and the findings: PX607 for what is left out, PX608 for a wrong name.

    A target that the plan has nothing for is left out of `all` in silence; one that lacks something, with a warning.
    """
    names = set(wanted)
    chosen: list[Renderer] = []
    left_out: dict[str, Finding] = {}
    found: list[Finding] = []
    for name in renderers() if "all" in names else [n for n in renderers() if n in names]:
        renderer = renderers()[name]
        fits = renderer.applies(plan)
        if fits and (name in names or not renderer.left_out_for):
            chosen.append(renderer)
            continue
        lacks = [f for f in renderer.findings(plan, catalog) if f.severity == "error"]
        if fits and not any(f.code in renderer.left_out_for for f in lacks):
            chosen.append(renderer)
        elif name in names:
            found += lacks or [Finding("PX608", f"{name}: {plan.design} has nothing of this kind", "design")]
        elif (why := next((f for f in lacks if f.code != "PX608"), None)) is not None:
            left_out[name] = why
    found += [Finding("PX607", f"{name} is left out: {f.message}", f.where, f.hint) for name, f in left_out.items()]
    return tuple(chosen), left_out, tuple(found)


def write(rendered: Rendered, out: Path, *, force: bool) -> Written:
    """Writes rendered files below `out`, all or none."""
    from pixsize.render.writer import write as put

    return put(
        rendered.files or (),
        out,
        targets=rendered.targets,
        request_digest=rendered.request_digest,
        observed_digest=rendered.observed_digest,
        left_out=rendered.left_out,
        force=force,
    )


def catalog(overlay: Path | None) -> tuple[Catalog | None, tuple[Finding, ...]]:
    """The catalog with the records of `overlay` laid over it; None when they contain an error."""
    from pixsize.load import load_catalog

    records, found = load_catalog(overlay)
    return (None if has_errors(found) else records), _settled(found, None, str(overlay or ""))


def checked(given: Given, tell: Tell) -> Checked:
    """Everything up to the judged plan. A stage begins only when the one before found no error."""
    read, found = _read(given, tell)
    return judged(read, found, given, tell)


def judged(read: Checked, found: tuple[Finding, ...], given: Given, tell: Tell) -> Checked:
    """What was read, with its plan and every finding about both."""
    from pixsize.check import check as judge
    from pixsize.plan.make import make_plan

    if read.loaded is None or read.catalog is None or read.observed is None or has_errors(found):
        return read._replace(findings=_settled(found, read.loaded, given.config))
    tell("planning")
    made, more = make_plan(read.loaded.request, read.catalog, read.observed)
    found += more
    if made is not None and not has_errors(found):
        tell("checking")
        found += judge(read.loaded.request, made, read.catalog, read.observed)
    allowed = None if has_errors(found) else made
    return read._replace(findings=_settled(found, read.loaded, given.config), plan=allowed)


def _read(given: Given, tell: Tell) -> tuple[Checked, tuple[Finding, ...]]:
    """Catalog, request and replies. A broken catalog ends here: each record that it lacks would be another finding."""
    from pixsize.load import find_request, load_catalog, load_request

    tell("reading")
    records, found = load_catalog(given.catalog)
    if has_errors(found):
        return Checked(()), found
    path, shipped = find_request(given.config)
    loaded, more = load_request(given.config, records, given.held)
    observed, reply_findings = replies_of(given, loaded, records)
    return Checked((), path if shipped else None, loaded, records, observed), (*found, *more, *reply_findings)


def replies_of(given: Given, loaded: Loaded | None, records: Catalog) -> tuple[Observed, tuple[Finding, ...]]:
    """The replies of the real arrays, read as those of the design's products."""
    from pixsize.catalog.designs import Design
    from pixsize.load import load_observed
    from pixsize.observed import Observed

    if given.observed is None:
        return Observed(), ()
    design = records.get(Design, loaded.request.design) if loaded else None
    return load_observed(given.observed, (design.volumes, design.filesystem) if design else ())


def estimated(done: Checked, tell: Tell, *, by_threads: bool) -> tuple[Checked, Mapping[str, Figure]]:
    """The figures of an allowed plan, and its findings with those of the estimates."""
    if done.plan is None or done.catalog is None:
        return done, {}
    from pixsize.estimate.make import estimate

    tell("estimating")
    figures, more = estimate(done.plan, done.catalog, by_threads=by_threads)
    found = _settled((*done.findings, *more), done.loaded, "")
    return done._replace(findings=found, plan=None if has_errors(found) else done.plan), figures


def _settled(found: Iterable[Finding], loaded: Loaded | None, given: str) -> tuple[Finding, ...]:
    """The findings once each, with their places in files, those that the user takes on marked, the worst first."""
    reasons = {a.code: a.reason for a in loaded.request.accept} if loaded else {}
    positions = loaded.positions if loaded else None
    placed = (
        f if f.position is not None else f.at(positions.value(f.where) if positions else Position(given)) for f in found
    )
    marked = (f.accept(reasons[f.code]) if f.severity == "warning" and f.code in reasons else f for f in placed)
    return tuple(sorted(dict.fromkeys(marked), key=_order))


def _order(finding: Finding) -> tuple[int, str, int, int, str, str]:
    at = finding.position or Position("")
    return _SEVERITIES.index(finding.severity), at.file, at.line, at.column, finding.code, finding.message


def example_names() -> tuple[str, ...]:
    """The names of the shipped examples, sorted."""
    from pixsize.resources import folder

    return tuple(sorted(p.stem for p in folder("examples").glob("*.yaml")))


def starters() -> tuple[tuple[str, str], ...]:
    """The shipped examples by name, each with what its first line, a comment, says of it."""
    import re

    from pixsize.resources import folder

    texts = ((name, (folder("examples") / f"{name}.yaml").read_text(encoding="utf-8")) for name in example_names())
    heads = ((name, re.sub(r"^# (examples/[^:]*: )?", "", text.partition("\n")[0])) for name, text in texts)
    return tuple((name, head[:1].upper() + head[1:].rstrip(".")) for name, head in heads)


def starter(name: str) -> tuple[str, str]:
    """The text of the shipped example `name`; for any other name that a system can bear, the starter with that name.

    Empty when there is none, and why: empty too where the name is so close to an example's that this was meant.
    """
    import re
    from difflib import get_close_matches

    from pixsize.resources import folder

    stem = name.removesuffix(".yaml")
    if stem in example_names():
        return (folder("examples") / f"{stem}.yaml").read_text(encoding="utf-8"), ""
    trouble = _name_trouble(name)
    if trouble or get_close_matches(name, example_names(), n=1, cutoff=0.75):
        return "", trouble
    text = (folder("examples") / f"{STARTER}.yaml").read_text(encoding="utf-8")
    own = re.sub(r"\A# examples/.*\n", "", text)
    return re.sub(r"(?m)^name: .*$", f"name: {name}", own, count=1), ""


def _name_trouble(name: str) -> str:
    """Why the starter's design cannot have a system of this name; empty when it can."""
    from pixsize.catalog.designs import Design
    from pixsize.catalog.records import Limit
    from pixsize.load import load_catalog, load_request
    from pixsize.load.names import system_trouble
    from pixsize.product import volumes_of

    records, _ = load_catalog()
    trouble = system_trouble(name, records.get(Limit, "pixsize.name_chars").value)
    loaded, _ = load_request(STARTER, records)
    if trouble or loaded is None:
        return trouble
    return volumes_of(records.get(Design, loaded.request.design)).terms.reserved_names.get(name.lower(), "")
