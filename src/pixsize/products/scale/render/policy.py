"""The policy of the file system: which pool a new file goes to."""

from __future__ import annotations

import re

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import ScaleFilesystem, scale
from pixsize.products.scale.render.cluster import Script, view
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, word

_POOL = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}", re.ASCII)
INSTALL = Script("01-policy.sh", "gives the file system its policy")


def path_of(plan: Plan) -> str:
    """Where the policy lies below the folder of the rendered files."""
    return f"policy/{word(scale(plan).name)}.policy"


def script_path() -> str:
    """Where the script that installs it lies."""
    return f"policy/{INSTALL.name}"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The rules, and the script that installs them.

    Without a policy GPFS takes the first pool for data by its own count, and without a last rule that fits all files
    some cannot be created (IBM Storage Scale documentation, Creating a policy).
    """
    values = view(plan, catalog)
    main = checked(_POOL, scale(plan).data_pool)
    rules = {"plan": values["plan"], "filesystem": values["filesystem"], "main": main}
    about = {"script": INSTALL.name, "summary": INSTALL.summary, "destroys": "", "options": [], "extra_usage": ""}
    about |= {"file": path_of(plan).rpartition("/")[2], "default": f"RULE 'default' SET POOL '{main}'"}
    return (
        File(path_of(plan), template.fill("policy/rules.policy.j2", rules)),
        File(script_path(), template.fill("policy/01-policy.sh.j2", values | about), executable=True),
    )


RENDERER = Renderer(
    name="policy",
    summary="which pool a new file goes to, and a script that tells GPFS",
    applies=lambda plan: isinstance(plan.filesystem, ScaleFilesystem) and bool(plan.targets),
    files=files,
)
