"""The steps that measure the finished system, the last of the run book."""

from __future__ import annotations

from collections.abc import Sequence

from pixsize.bench.kit import kit_of
from pixsize.bench.render import Script, scripts
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render.steps import ACCEPTED, BACK, BEFORE_TESTS, SERVING, Box, Look, Step, seconds
from pixsize.render.template import duration, word

MEASURED = "a system that is measured"
_PAGE = "bench/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The smoke run, the long runs with what is set around them, and the verdict."""
    kit = kit_of(plan, catalog)
    made, each = scripts(kit), seconds(catalog, "script")
    first = word(kit.clients.names[0])
    before, long = made[:2], made[2:]
    look = seconds(catalog, "look")
    return (
        Step(
            "Look for a slow client, server or target",
            tuple(Box(first, f"in the folder `bench`: `./{s.name}`", _PAGE, each) for s in before),
            (Look(f"what `{before[-1].name}` prints last", "nothing is slower than the rest of its kind"),),
            needs=(SERVING,),
            after=(*BEFORE_TESTS, ACCEPTED, BACK),
            provides=(_SMOKED,),
            text=(
                f"The folder `bench` is copied to {first}, from which ssh reaches every client and server. {_read_by(made)}",
            ),
            takes=f"about {duration(sum(s.seconds for s in before))}",
        ),
        Step(
            "Measure what the plan promises",
            tuple(Box(first, f"in the folder `bench`: `./{s.name}`", _PAGE, each) for s in long),
            (Look("`ls bench/results bench/logs`", "an output for each point, and nothing that ends in `.failed`"),),
            needs=(_SMOKED,),
            provides=(MEASURED,),
            text=("Nobody else uses the system meanwhile. A script that was interrupted goes on when started again.",),
            takes=f"about {duration(kit.seconds)} at the plan's rates, without anybody there",
        ),
        Step(
            "Judge the results",
            (Box("where pixsize is", "`pixsize accept --config FILE --results bench/results`", _PAGE, look),),
            (Look("its verdict", "`pass`, or reasons that somebody takes on"),),
            needs=(MEASURED,),
        ),
    )


def _read_by(made: Sequence[Script]) -> str:
    """The files that are no scripts of their own."""
    has_settings = any(s.template == "set.sh.j2" for s in made)
    return f"`lib.sh`{' and `settings.sh`' if has_settings else ''}{' are' if has_settings else ' is'} read by the scripts, and run by nobody."


_SMOKED = "a system without a part that is slower than the others"
