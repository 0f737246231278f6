"""The parameters of PowerFlex that a tuning may set at the MDM."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pixsize.product import Place

if TYPE_CHECKING:
    from pixsize.catalog.tunings import Tuning


def _refusal(tuning: Tuning) -> str:
    """Why scli is not to set a tuning: the word and the reason; empty where it may.

    It takes its commands in the same form as its parameters, as in `--remove_volume`.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", tuning.parameter):
        return "parameter: a parameter of PowerFlex is a plain name"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", tuning.printed_name):
        return "printed: a parameter of PowerFlex is a plain name"
    for word, name in (("parameter", tuning.parameter), ("printed", tuning.printed_name)):
        if not re.fullmatch(r"(?:sds|sdc|mdm)_[a-z0-9_]+", name):
            return f"{word}: a parameter of PowerFlex begins with sds_, sdc_ or mdm_, not as {name!r} does"
    return ""


MDM = Place("permanent", ("sds", "sdc"), _refusal, ())
