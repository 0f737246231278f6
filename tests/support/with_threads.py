"""The same estimates as in `estimating`, with the rates by threads."""

from __future__ import annotations

from functools import partial

from tests.support import estimating

estimated, estimated_file, lustre_in_a_pool, lustre_on_arrays = (
    partial(made, by_threads=True)
    for made in (
        estimating.estimated,
        estimating.estimated_file,
        estimating.lustre_in_a_pool,
        estimating.lustre_on_arrays,
    )
)
