"""The policy of the file system: which pool a new file goes to, and when files leave a pool that fills up."""

from __future__ import annotations

import re
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import FilledPool, Plan
from pixsize.product import PRODUCTS
from pixsize.products.scale.plan import ScaleFilesystem, scale
from pixsize.products.scale.records import ScalePolicy
from pixsize.products.scale.render.cluster import PROGRAM, Script, view
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, word

_POOL = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}", re.ASCII)
_FOLDER = re.compile(r"\.?[A-Za-z][A-Za-z0-9_.-]{0,62}", re.ASCII)
_EVENTS = re.compile(r"[A-Za-z]+(,[A-Za-z]+)*", re.ASCII)
_PARAMETERS = re.compile(r"[%A-Za-z-]+( [%A-Za-z-]+)*", re.ASCII)
_SAID = re.compile(r"[A-Za-z][A-Za-z -]{0,78}[A-Za-z]", re.ASCII)


class PolicyScript(Script):
    """A script of the folder `policy`."""

    @property
    def path(self) -> str:
        """Where it lies below the folder of the rendered files."""
        return f"policy/{self.name}"


INSTALL = PolicyScript("01-policy.sh", "gives the file system its policy")
CALLBACK = PolicyScript("02-callback.sh", "lets a pool that fills up start the policy")


def path_of(plan: Plan) -> str:
    """Where the policy lies below the folder of the rendered files."""
    return f"policy/{word(scale(plan).name)}.policy"


def pools(plan: Plan) -> tuple[FilledPool, ...]:
    """The pools beside the main one, in the order in which new files try them."""
    found = ((PRODUCTS[addition.product].adds, addition.own) for addition in plan.additions)
    return tuple(pool for adds, own in found if adds is not None and adds.pools is not None for pool in adds.pools(own))


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The rules, the script that installs them, and one for the callback where files leave a pool.

    Without a policy GPFS takes the first pool for data by its own count, and without a last rule that fits all files
    some cannot be created (IBM Storage Scale documentation, Creating a policy).
    """
    tiers, values = pools(plan), view(plan, catalog)
    (section, *_) = catalog.all(ScalePolicy)
    main, mount = checked(_POOL, scale(plan).data_pool), f"/{values['filesystem']}"
    rules = {
        "plan": values["plan"],
        "filesystem": values["filesystem"],
        "main": main,
        "pools": [tier._asdict() | {"name": checked(_POOL, tier.name)} for tier in tiers],
        "kept": [f"{mount}/{checked(_FOLDER, folder)}" for folder in section.kept],
    }
    about = {
        "file": path_of(plan).rpartition("/")[2],
        "default": f"RULE 'default' SET POOL '{main}'",
        "callback": _callback(section),
    }
    scripts = (INSTALL, CALLBACK) if tiers else (INSTALL,)
    return (
        File(path_of(plan), template.fill("policy/rules.policy.j2", rules)),
        *(_script(script, values | about) for script in scripts),
    )


def _callback(section: ScalePolicy) -> dict[str, str]:
    return {
        "name": word(section.callback),
        "command": checked(PROGRAM, section.command),
        "events": checked(_EVENTS, section.events),
        "parameters": checked(_PARAMETERS, section.parameters),
        "none": checked(_SAID, section.none),
    }


def _script(script: Script, values: dict[str, Any]) -> File:
    about = {"script": script.name, "summary": script.summary, "destroys": "", "options": [], "extra_usage": ""}
    return File(script.path, template.fill(f"policy/{script.name}.j2", values | about), executable=True)


RENDERER = Renderer(
    name="policy",
    summary="which pool a new file goes to, when files leave a pool, and scripts that tell GPFS",
    applies=lambda plan: isinstance(plan.filesystem, ScaleFilesystem) and bool(plan.targets),
    files=files,
)
