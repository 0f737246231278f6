"""Every citation of a document at hand is opened: its place is there, and so is its number.

The documents are not part of the project; tests/recorded/documents has the numbers of each of their places.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from tests.recorded.documents import index
from tests.support.citations import Citation, NoSuchPlaceError, citations, is_printed, places, printed_at, records

CALCULATED = re.compile(r"\ba (?:sum|product), not printed")
"""Readings that pixsize made of printed numbers say so."""

PAGES_NOT_AT_HAND = {"dell-pixstor-5": {13, 14, 21, 25, 26, 27, 35}}
"""Of this guide two pages are at hand, 24 and 30. Nobody opened what is cited of the others."""

AT_HAND = [c for c in citations() if c.document in index.outline()]


def pages_of(citation: Citation) -> set[int]:
    """The pages that a place begins with, in a document cited by page."""
    match = re.search(r"\b[Pp]ages? (\d+)(?: and (\d+)| to (\d+))?", citation.place)
    assert match, f"{citation.record}: '{citation.place}' names no page"
    first, second, last = match.groups()
    return set(range(int(first), int(last or first) + 1)) | ({int(second)} if second else set())


def is_at_hand(citation: Citation) -> bool:
    if citation.document not in PAGES_NOT_AT_HAND:
        return True
    pages = pages_of(citation)
    missing = pages & PAGES_NOT_AT_HAND[citation.document]
    assert missing in (set(), pages), f"{citation.record}: '{citation.place}' mixes pages at hand with others"
    return not missing


OPENED = [c for c in AT_HAND if is_at_hand(c)]


def test_documents_at_hand_are_cited():
    assert {c.document for c in AT_HAND} == set(index.outline())
    assert len([c for c in OPENED if c.value]) > 100


def test_pages_not_at_hand_are_listed():
    """A page is either in the index or listed, never both, and the catalog cites no other."""
    for document, pages in PAGES_NOT_AT_HAND.items():
        indexed = {int(p["path"][0].removeprefix("Page ")) for p in places(document)}
        cited = {page for c in AT_HAND if c.document == document for page in pages_of(c)}
        assert not indexed & pages
        assert cited <= indexed | pages


@pytest.mark.parametrize("citation", OPENED, ids=lambda c: f"{c.record}:{c.document}:{c.place}"[:150])
def test_a_citation_opens(citation):
    found = printed_at(citation.document, citation.place)
    for words, printed in found:
        missing = [n for n in index.numbers_of(words) if not is_printed(n, printed)]
        assert not missing, f"{citation.place}: {missing} not among {sorted(printed)}"
    if citation.value:
        everywhere = {number for _, printed in found for number in printed}
        is_calculated = CALCULATED.search(citation.why.lower()) is not None
        assert is_printed(citation.value, everywhere) is not is_calculated, sorted(everywhere)


NOT_PRINTED = {
    "arrays.size_weight": "a judgement between two ends that are printed",
    "arrays.drives_weight": "calculated from the rates of two tables",
    "lustre.mdtest_surplus": "0 takes the printed rates as they are",
    "powerflex.spare_seen": "other documents print it",
    "powerflex.mirror_copies": "two, by the ratio of 32 to 64 TB",
    "lustre.mgt_volume": "GiB, where the document prints GB",
    "me4.enclosures_5u": "three expansions in words, and the array itself",
    "pixstor-6.expansions": "one, in words",
}
"""Values of constants and limits that no document at hand prints as a number, and why they cite one all the same."""


def values() -> list[tuple[str, str]]:
    """Constants, limits and tunings that cite a document at hand: their ids and values."""
    at_hand = {c.record for c in OPENED}
    return [(r["id"], str(r["value"])) for r in records() if "value" in r and r["id"] in at_hand]


@pytest.mark.parametrize("record, value", values())
def test_a_value_is_printed_where_its_record_says(record, value):
    places_of_it = [printed_at(c.document, c.place) for c in OPENED if c.record == record]
    printed = {number for found in places_of_it for _, numbers in found for number in numbers}
    assert is_printed(value, printed) is (record not in NOT_PRINTED), sorted(printed)


def conditions() -> list[tuple[str, str, str]]:
    """What measurements from documents at hand say of threads and of the course of the curve.

    Where a record cites a page that is not at hand too, its numbers may stand there.
    """
    at_hand = {c.record for c in OPENED} - {c.record for c in AT_HAND if not is_at_hand(c)}
    measured = [r for r in records() if r["kind"] == "measurement" and r["id"] in at_hand]
    words = ("threads", "threads_at_peak", "course")
    return [(r["id"], word, r["conditions"][word]) for r in measured for word in words if word in r["conditions"]]


@pytest.mark.parametrize("record, word, told", conditions())
def test_a_condition_has_the_numbers_of_the_places_cited(record, word, told):
    places_of_it = [printed_at(c.document, c.place) for c in OPENED if c.record == record]
    printed = {number for found in places_of_it for _, numbers in found for number in numbers}
    assert [n for n in index.numbers_of(told) if not is_printed(n, printed)] == []


@pytest.mark.parametrize(
    "document, place",
    [
        ("dell-pixstor-6", "Table 6"),
        ("dell-pixstor-6", "Summary"),
        ("dell-pixstor-6", "Storage Configuration on ME4 Arrays, Figure 5"),
        ("dell-pixstor-6", "Figure 19 and 23, Figure 23"),
        ("dell-pixstor-6", "Table 4, row 'Metadata Stat 4KiB files', peak, column Read"),
        ("dell-pixstor-6", "Table 4, row 'Metadata Stat', peak"),
        ("dell-pixstor-6", "Table 1, Table 4"),
        ("dell-lustre-me4", "7. Sequential Reads and Writes N-N, Figure 3"),
        ("dell-pixstor-5", "Page 35"),
    ],
)
def test_a_place_that_the_document_lacks(document, place):
    with pytest.raises(NoSuchPlaceError):
        printed_at(document, place)


@pytest.mark.parametrize(
    "number, place, there",
    [
        ("20.5 GB/s", "Table 4, row 'Large sequential N clients to N files', peak, column Write", True),
        ("20.5 GB/s", "Table 4, row 'Large sequential N clients to N files', peak, column Read", False),
        ("20.4 GB/s", "PixStor storage solution with high-demand metadata module, Figure 16", True),
        ("20.4 GB/s", "Table 4", False),
        ("5.65 kop/s", "Table 4, row 'Metadata Read 4KiB files', peak", False),
        ("512 GB/s", "PixStor storage solution with high-demand metadata module, Figure 16", False),
    ],
)
def test_a_number_at_its_place_alone(number, place, there):
    ((_, printed),) = printed_at("dell-pixstor-6", place)
    assert is_printed(number, printed) is there


@pytest.mark.parametrize("document", index.outline())
def test_the_index_is_that_of_the_document(document):
    """Run with PIXSIZE_DOCUMENTS set to a folder with the texts, or with some of them."""
    folder = os.environ.get("PIXSIZE_DOCUMENTS")
    if not folder:
        pytest.skip("PIXSIZE_DOCUMENTS names no folder with the documents' texts")
    made = index.index_of(index.text_of(document, Path(folder)), index.outline()[document])
    assert yaml.safe_load(yaml.safe_dump(made)) == places(document)
