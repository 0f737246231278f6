"""Whatever legal words a target has: its file is read back to the plan, and the plan has no error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.findings import has_errors
from pixsize.load.names import host_trouble, reserved
from pixsize.render import RENDERERS
from tests.ngenea.words import planned, request
from tests.readers.compare import ngenea_reaches_the_plans_targets
from tests.support.running import catalog

pytestmark = pytest.mark.long


NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{1,30}\Z").filter(
    lambda n: not reserved(n) and n.lower() not in ("ngenea", "general")
)
HOSTS = st.from_regex(r"\A[a-z][a-z0-9]{0,20}(-[a-z0-9]{1,9})?(\.[a-z][a-z0-9]{0,20}){0,3}\Z").filter(
    lambda h: not host_trouble(h)
)
# They begin with a letter: what YAML could read as a number has quotes, and its reader is tested elsewhere.
BUCKETS = st.from_regex(r"\A[A-Za-z][A-Za-z0-9._-]{1,61}[A-Za-z0-9]\Z").filter(lambda b: not reserved(b))
REGIONS = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{1,62}\Z").filter(lambda r: not reserved(r))
PATHS = st.from_regex(r"\A(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}){1,6}\Z").filter(lambda p: p.split("/")[1] != "mmfs1")


@st.composite
def endpoints(draw: st.DrawFn) -> dict[str, Any]:
    """An endpoint with its scheme and port, as the user may write them."""
    host, port = draw(HOSTS), draw(st.none() | st.integers(1, 65535))
    scheme = draw(st.sampled_from(["https", "http"]))
    words: dict[str, Any] = {
        "endpoint": f"{scheme}://{host}" + (f":{port}" if port else "") + draw(st.sampled_from(["", "/"]))
    }
    if scheme == "http" or draw(st.booleans()):
        words["scheme"] = scheme
    if draw(st.booleans()):
        words["port"] = port or draw(st.integers(1, 65535))
    return words


@st.composite
def targets(draw: st.DrawFn) -> dict[str, Any]:
    """A legal target of any type."""
    kind = draw(st.sampled_from(["s3", "ds3", "azure", "google", "posix"]))
    if kind == "posix":
        return {"type": kind, "path": draw(PATHS)}
    words = {"type": kind, "bucket": draw(BUCKETS), "credentials_file": draw(PATHS)}
    if kind in ("s3", "ds3") or draw(st.booleans()):
        words |= draw(endpoints())
    if kind == "s3" and draw(st.booleans()):
        words["region"] = draw(REGIONS)
    return words


@st.composite
def drawn(draw: st.DrawFn) -> dict[str, Any]:
    """A legal request with up to six targets."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique_by=str.lower))
    return request(*({"name": name} | draw(targets()) for name in names), count=draw(st.integers(1, 5)))


@settings(max_examples=60, deadline=None)
@given(drawn())
def test_legal_words_are_read_back_to_the_plan(words: dict[str, Any]) -> None:
    site = planned(words)
    assert not has_errors(site.findings())
    made = {f.path.removeprefix("ngenea/"): f.text for f in RENDERERS["ngenea"].files(site.plan, catalog())}
    ngenea_reaches_the_plans_targets(made, site.plan)
