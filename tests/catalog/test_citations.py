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
from tests.support import written
from tests.support.citations import Citation, NoSuchPlaceError, citations, is_printed, places, printed_at

CALCULATED = re.compile(r"\ba (?:sum|product), not printed")
"""Readings that pixsize made of printed numbers say so."""

PAGES_NOT_AT_HAND = {"dell-pixstor-5": {13, 14, 21, 25, 26, 27, 35}}
"""Of this guide two pages are at hand, 24 and 30. Nobody opened what is cited of the others."""

AT_HAND = [c for c in citations() if c.document in index.outline()]


def pages_of(citation: Citation) -> set[int]:
    """The pages that a place names, in a document cited by page, such as `Page 35; pages 21 and 25 to 27`."""
    named = re.findall(r"\b[Pp]ages? (\d+(?:(?:, | and | to )\d+)*)", citation.place)
    assert named, f"{citation.record}: '{citation.place}' names no page"
    spans = [span.split(" to ") for pages in named for span in re.split(r", | and ", pages)]
    return {page for span in spans for page in range(int(span[0]), int(span[-1]) + 1)}


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


@pytest.mark.parametrize("document", sorted({c.document for c in OPENED}))
def test_every_citation_opens(document):
    for citation in (c for c in OPENED if c.document == document):
        found = printed_at(citation.document, citation.place)
        for words, printed in found:
            missing = [n for n in index.numbers_of(words) if not is_printed(n, printed)]
            assert not missing, f"{citation}: {missing} not among {sorted(printed)}"
        if citation.value:
            everywhere = {number for _, printed in found for number in printed}
            is_calculated = CALCULATED.search(citation.why.lower()) is not None
            assert is_printed(citation.value, everywhere) is not is_calculated, (citation, sorted(everywhere))


NOT_PRINTED = {
    "lustre.mdtest_surplus": "0 takes the printed rates as they are",
    "powerflex.spare_seen": "other documents print it",
    "powerflex.mirror_copies": "two, by the ratio of 32 to 64 TB",
    "lustre.mgt_volume": "GiB, where the document prints GB",
    "me4.enclosures_5u": "three expansions in words, and the array itself",
    "pixstor-6.expansions": "one, in words",
    "arrays.size_weight": "an assumption between two things that were seen; the document prints these",
    "scale.setting.pagepool-servers": "G, where the document prints GiB",
    "scale.setting.pagepool-gateways": "G, where the document prints GiB",
    "scale.setting.pagepool-clients": "G, where the document prints GiB",
    "arrays.drives_weight": "calculated from the printed rates with and without expansions",
}
"""Values of constants and limits that no document at hand prints as a number, and why they cite one all the same."""


def values() -> list[tuple[str, str]]:
    """Constants, limits and tunings that cite a document at hand: their ids and values, those that are counted left out."""
    at_hand = {c.record for c in OPENED}
    valued = ((r["id"], str(r["value"])) for _, r in written.records() if "value" in r and r["id"] in at_hand)
    return [(record, value) for record, value in valued if "{" not in value]


@pytest.mark.parametrize("record, value", values())
def test_a_value_is_printed_where_its_record_says(record, value):
    places_of_it = [printed_at(c.document, c.place) for c in OPENED if c.record == record]
    printed = {number for found in places_of_it for _, numbers in found for number in numbers}
    assert is_printed(value, printed) is (record not in NOT_PRINTED), sorted(printed)


WORDS = ("threads", "threads_at_peak", "course")


def conditions() -> list[tuple[str, str, str]]:
    """What measurements say of threads and of the course of the curve, where this has numbers to look up."""
    from_at_hand = {c.record for c in AT_HAND}
    measured = [r for _, r in written.records() if r["kind"] == "measurement" and r["id"] in from_at_hand]
    told = [(r["id"], word, r["conditions"].get(word, "")) for r in measured for word in WORDS]
    return [(record, word, text) for record, word, text in told if index.numbers_of(text)]


def pages_missing(record: str, word: str) -> set[int]:
    """Pages not at hand that may print a condition.

    The threads of a test stand beside its command, so one opened page is enough. What the test showed, that is the threads of
    a peak or of one point and the course, stands beside the results: another page with the same number proves nothing.
    """
    is_of_test = word == "threads" and ".threads_" not in record
    if is_of_test and any(c.record == record for c in OPENED):
        return set()
    (sources,) = (r["sources"] for _, r in written.records() if r["id"] == record)
    places_of_it = {(source["document"], source["place"]) for source in sources}
    cited = [c for c in AT_HAND if c.record == record and (c.document, c.place) in places_of_it]
    return {page for c in cited if not is_at_hand(c) for page in pages_of(c)}


CONDITIONS_NOT_AT_HAND: dict[str, dict[str, set[str]]] = {
    "21, 35": {
        "threads": {
            "throughput.sequential.n_n.read.peak",
            "throughput.sequential.n_n.read.sustained",
            "throughput.sequential.n_n.write.peak",
            "throughput.sequential.n_n.write.sustained",
        },
        "threads_at_peak": {"throughput.sequential.n_n.read.peak", "throughput.sequential.n_n.write.peak"},
        "course": {"throughput.sequential.n_n.read.peak", "throughput.sequential.n_n.read.sustained"},
    },
    "25, 26, 27": {
        "threads": {
            "metadata.4k.create.threads_1",
            "metadata.4k.create.threads_2",
            "metadata.4k.create.threads_4",
            "metadata.4k.create.threads_8",
            "metadata.4k.create.threads_16",
            "metadata.4k.create.threads_32",
            "metadata.4k.create.threads_64",
            "metadata.4k.create.threads_128",
            "metadata.4k.create.threads_256",
        },
        "threads_at_peak": {
            "metadata.3k.create.peak",
            "metadata.3k.read.peak",
            "metadata.3k.remove.peak",
            "metadata.3k.stat.peak",
        },
    },
    "25, 26, 27, 35": {
        "threads_at_peak": {
            "metadata.4k.create.peak",
            "metadata.4k.read.peak",
            "metadata.4k.remove.peak",
            "metadata.empty.create.peak",
            "metadata.empty.read.peak",
            "metadata.empty.remove.peak",
            "metadata.empty.stat.peak",
        },
        "course": {
            "metadata.4k.read.peak",
            "metadata.4k.read.sustained",
            "metadata.4k.stat.peak",
            "metadata.4k.stat.sustained",
        },
    },
    "35": {
        "threads_at_peak": {"throughput.random_4k.read.peak"},
    },
}
"""Conditions that nobody looked up, by the pages not at hand that their records cite: the word, and the measurements."""


def test_conditions_on_pages_not_at_hand_are_listed():
    """By pages and word. When a page comes to hand, its conditions leave the list and are looked up."""
    found: dict[str, dict[str, set[str]]] = {}
    for record, word, _ in conditions():
        if missing := sorted(pages_missing(record, word)):
            by_word = found.setdefault(", ".join(map(str, missing)), {})
            by_word.setdefault(word, set()).add(record.removeprefix("pixstor-5.large."))
    assert found == CONDITIONS_NOT_AT_HAND


def test_every_condition_has_the_numbers_of_the_places_cited():
    at_hand = [c for c in conditions() if not pages_missing(*c[:2])]
    assert len(at_hand) > 100
    for record, word, told in at_hand:
        places_of_it = [printed_at(c.document, c.place) for c in OPENED if c.record == record]
        printed = {number for found in places_of_it for _, numbers in found for number in numbers}
        assert [n for n in index.numbers_of(told) if not is_printed(n, printed)] == [], (record, word)


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
