"""Secrets do not belong in a request: words that would hold one are refused, and their lines are not shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import item, join, quoted
from pixsize.products.ngenea.request import NgeneaTarget

_SECRET = re.compile(
    r"secret|passw|passphrase|credential|token|signature|(access|account|api|shared|private|auth)key|^(keys?|pass|pwd|sas)$",
    re.ASCII,
)
_SPELT = re.compile(r"[^a-z0-9]", re.ASCII)
_HINT = "Write it into a file on the Ngenea nodes, and its path here: credentials_file: /etc/pixsize/cold."


def refuse_secrets(partial: PartialRequest, parent: str) -> None:
    """PX101 for every word at or below `parent` that would hold a secret, in place of what was said of it before."""
    for word, where in list(_secrets(partial.words[parent], parent)):
        partial.hide(where)
        partial.findings[:] = [found for found in partial.findings if found.where != where]
        message = f"{quoted(word)} would hold a secret: it does not belong in a request, nor in rendered files"
        partial.report("PX101", where, message, _HINT, at_key=True)


def _secrets(words: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(words, list):
        for index, each in enumerate(words):
            yield from _secrets(each, item(path, index))
    elif isinstance(words, dict):
        for word, value in words.items():
            if _is_secret(str(word)):
                yield str(word), join(path, str(word))
            else:
                yield from _secrets(value, join(path, str(word)))


def _is_secret(word: str) -> bool:
    """Whether a word asks for a secret. One that ends in `file` asks for a path, whatever its first part."""
    spelt = _SPELT.sub("", word.lower())
    return word not in NgeneaTarget.model_fields and not spelt.endswith("file") and bool(_SECRET.search(spelt))
