"""Accepted results as records of the catalog: measurements of the planned system, with conditions and source."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize import units
from pixsize.acceptance.points import Sample
from pixsize.acceptance.verdicts import Accepted, CurvePoint, Test
from pixsize.estimate.ids import MEASURABLE, by_threads
from pixsize.report.printable import clean
from pixsize.report.serialize import block_yaml_list
from pixsize.results.records import Run

_MOST_FILES = 8
_LONGEST = 1_900
"""A text of a record is at most 2,000 characters."""


def records_of(accepted: Accepted, system: Mapping[str, Any], site: str, date: str) -> str | None:
    """The records as YAML: a source, and a measurement for each test that passed. None where none did.

    What is doubtful is no evidence. The ids hold the checksum of the files: two campaigns of a system can be laid over
    the catalog together.
    """
    passed = [t for t in accepted.tests if t.verdict == "pass"]
    if not passed:
        return None
    digests = sorted({s.digest for t in passed for s in t.point.samples})
    mark = hashlib.sha256("".join(digests).encode()).hexdigest()[:8]
    prefix = re.sub(r"[^a-z0-9]+", "-", (site or accepted.name).lower()).strip("-")[:30] or "site"
    source = f"{prefix}-{mark}"
    whose = _text(site or f"the site of {accepted.name}")
    document = {
        "kind": "source",
        "id": source,
        "title": f"Benchmarks of {_text(accepted.name)}",
        "publisher": whose,
        **({"date": date} if date else {}),
        "confidence": "Own measurement, read from the outputs of the tools",
    }
    records = [_record(t, accepted, system, source) for t in passed]
    records += [_point(p, accepted, system, source) for p in accepted.points if _is_below_a_peak(p, passed)]
    return block_yaml_list([document, *records])


def _is_below_a_peak(point: CurvePoint, passed: Sequence[Test]) -> bool:
    """Whether so many threads are a figure of their own, beside a peak with more that counts."""
    peak = next((t for t in passed if t.figure == f"{point.rate}.peak"), None)
    known = point.threads is not None and by_threads(point.rate, point.threads) in MEASURABLE
    return known and point.is_clean and peak is not None and (peak.threads or 0) > (point.threads or 0)


def _record(test: Test, accepted: Accepted, system: Mapping[str, Any], source: str) -> dict[str, Any]:
    threads = _threads(test, accepted)
    words = _words(test.figure, test.measured, test.unit, test.point.samples, accepted, system, source)
    conditions = dict(_conditions(test.point.samples, accepted))
    if test.threads:
        conditions["threads_at_peak" if threads else "threads"] = f"{test.threads}"
    return words | ({"threads": threads} if threads else {}) | {"conditions": conditions}


def _point(point: CurvePoint, accepted: Accepted, system: Mapping[str, Any], source: str) -> dict[str, Any]:
    figure = by_threads(point.rate, point.threads or 1)
    words = _words(figure, point.measured, point.unit, point.samples, accepted, system, source)
    return words | {"conditions": dict(_conditions(point.samples, accepted)) | {"threads": f"{point.threads}"}}


def _words(
    figure: str,
    measured: int,
    unit: str,
    samples: Sequence[Sample],
    accepted: Accepted,
    system: Mapping[str, Any],
    source: str,
) -> dict[str, Any]:
    place = _place(samples)
    return {
        "kind": "measurement",
        "id": f"{source}.{figure}",
        "title": f"{_text(accepted.name)}, {figure}",
        "sources": [{"document": source, "place": place}],
        "figure": figure,
        "unit": unit,
        "system": dict(system),
        # In the base unit, so that what is read back is the very number.
        "readings": [{"value": f"{measured} {unit}", "document": source, "place": place, "used": True}],
        "trust": "calibration",
    }


def _threads(test: Test, accepted: Accepted) -> dict[str, Any]:
    """The threads at a peak, and the most that ran."""
    if not test.figure.endswith(".peak") or not test.threads:
        return {}
    stem = test.figure.removesuffix(".peak")
    ran = [p.threads for p in accepted.points if p.rate == stem and p.threads]
    return {"at": [test.threads], "most": max(ran)}


def _place(samples: Sequence[Sample]) -> str:
    """The files, each with the beginning of its checksum."""
    files = {s.file: s.digest for s in samples}
    named = [f"{_text(name)} (SHA-256 {digest[:16]})" for name, digest in list(files.items())[:_MOST_FILES]]
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    return (", ".join(named) + more)[:_LONGEST]


def _conditions(samples: Sequence[Sample], accepted: Accepted) -> Iterator[tuple[str, str]]:
    run: Run = samples[0].run
    yield "tool", f"{run.tool} {run.version}".strip()
    if accepted.campaign.client_bytes:
        size = units.binary_bytes(accepted.campaign.client_bytes)
        yield "clients", f"{run.nodes or accepted.campaign.clients}, {size} of memory each"
    if run.moved:
        yield "data_size", f"{units.binary_bytes(run.moved)} in all"
    if run.transfer:
        yield "transfer_size", units.binary_bytes(run.transfer) + (", O_DIRECT" if run.direct else "")
    if run.file_bytes is not None:
        yield "file_size", f"{run.file_bytes}"
    if run.iterations:
        yield "iterations", f"{run.iterations}; the value is their mean"
    if run.began:
        yield "began", _text(run.began)
    if run.command:
        yield "command", _text(run.command)


def _text(text: str) -> str:
    """A text of a file in one printable line."""
    return clean(" ".join(text.split()))[:_LONGEST]
