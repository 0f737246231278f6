"""Systems side by side: which cell is marked as the best, and what the page and the JSON hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.estimate.ids import by_threads
from pixsize.figures import Figure
from pixsize.report import plan_json, text
from pixsize.report.side_by_side import System, best, document, name_of, page, system
from pixsize.report.sized_plan import SizedPlan
from tests.support.running import catalog, make

HDMD = {"drive": "960 GB"}
ENDS = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)).map(sorted)


def figure(low: int, value: int, high: int, name: str = "capacity.usable") -> Figure:
    unit: Any = "U" if name.startswith("hardware") else "B"
    return Figure(id=name, value=value, low=low, high=high, unit=unit, basis="exact", rule="")


@given(st.lists(st.none() | ENDS, min_size=2, max_size=5))
def test_a_cell_is_marked_only_where_its_range_is_above_all_others(ends: list[list[int] | None]) -> None:
    cells = [None if e is None else figure(*e) for e in ends]
    place = best("capacity.usable", cells)
    clear = [
        n
        for n, own in enumerate(ends)
        if own
        and all(own[0] > e[2] for k, e in enumerate(ends) if e and k != n)
        and sum(e is not None for e in ends) > 1
    ]
    assert [place] == clear if clear else place is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("throughput.sequential.n_n.write.peak", 1),
        ("metadata.4k.create.peak", 1),
        ("files.max", 1),
        ("nvme.capacity.usable", 1),
        ("nvme.throughput.fabric.read", 1),
        ("hardware.rack_units", 0),
        ("hardware.power", 0),
        ("capacity.parity", None),
        ("volumes.data", None),
    ],
)
def test_more_is_better_but_for_space_and_power(name: str, expected: int | None) -> None:
    assert best(name, [figure(1, 2, 3), figure(4, 5, 6)]) == expected
    assert best(name, [figure(1, 2, 4), figure(4, 5, 6)]) is None


def of(words: dict[str, Any], config: str) -> System:
    made = make(words)
    sized = SizedPlan(made.plan, made.figures, (), made.loaded.words, made.loaded.defaults, catalog())
    return system(plan_json.document(sized), config)


def words(size: str, name: str = "x", **more: Any) -> dict[str, Any]:
    modules = [{"size": size, "data_drive": "12 TB"}]
    more = {word: value for word, value in more.items() if value is not None}
    return {"name": name, "design": "pixstor-6", "storage_modules": modules, "filesystem": {"name": "fs"}} | more


def test_the_page_has_a_column_a_system_and_a_dash_for_what_one_has_not() -> None:
    systems = [of(words("small"), "a.yaml"), of(words("large", hdmd={"drive": "960 GB"}), "b.yaml")]
    drawn = text.draw(page(systems), 100)
    head = next(line for line in drawn.splitlines() if line.startswith("  figure"))
    assert head.split() == ["figure", "a.yaml", "b.yaml"]  # as the user named them, whatever the requests say
    assert [line.split() for line in drawn.splitlines()[2:4]] == [["a.yaml", "x"], ["b.yaml", "x"]]
    usable = next(line for line in drawn.splitlines() if line.startswith("  usable"))
    assert "* 3" in usable
    create = next(line for line in drawn.splitlines() if line.startswith("  create, peak"))
    assert create.split()[2] == "-"
    assert " threads_" not in drawn
    assert "parity" not in drawn


def test_the_json_has_every_figure_once_and_null_for_what_one_has_not() -> None:
    systems = [of(words("small"), "a.yaml"), of(words("large", hdmd={"drive": "960 GB"}), "b.yaml")]
    found = document(systems)
    assert found["schema"] == "pixsize.compare/1"
    assert found["systems"] == [{"name": "x", "config": "a.yaml"}, {"name": "x", "config": "b.yaml"}]
    rows = {row["figure"]: row for row in found["rows"]}
    assert len(rows) == len(found["rows"])
    assert set(rows) == {i for s in systems for i in s.figures}
    assert rows["metadata.4k.create.peak"]["cells"][0] is None
    usable = rows["capacity.usable"]
    assert usable["best"] == 1
    assert usable["unit"] == "B"
    own = systems[1].figures["capacity.usable"]
    assert usable["cells"][1] == {"value": own.value, "low": own.low, "high": own.high, "basis": own.basis}
    assert by_threads("throughput.sequential.n_n.write", 1) not in rows  # these figures were not asked for


def test_systems_are_named_as_the_user_named_them() -> None:
    same = [of(words("small", "one"), "/far/away/a.yaml"), of(words("small", "two"), "a.yaml"), of(words("small"), "-")]
    assert page(same).overview == (("a.yaml (1)", "one, /far/away/a.yaml"), ("a.yaml (2)", "two, a.yaml"), ("-", "x"))


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_no_line_is_too_wide_and_no_word_is_broken(columns: int, count: int) -> None:
    known = [of(words(size, hdmd=hdmd), "campus-system.yaml") for size in ("small", "large") for hdmd in (None, HDMD)]
    systems = (known * 2)[:count]
    drawn = text.draw(page(systems, columns), columns)
    assert max(map(len, drawn.splitlines())) <= columns
    whole = page(systems)
    cells = [cell for section in whole.sections[:-1] for table in section.blocks for row in table.rows for cell in row]  # type: ignore[union-attr]
    assert {word for cell in cells for word in cell.split()} <= set(drawn.split())
    marked = text.draw(whole, 1000).count("* ")
    assert drawn.count("* ") == marked


@given(st.integers(1, 9), st.integers(20, 200))
def test_every_system_stands_in_one_of_the_tables(count: int, columns: int) -> None:
    systems = [System("x", f"s{n}", {"capacity.usable": figure(n, n + 1, 10**15 + n)}) for n in range(count)]
    (tables, _) = (section.blocks for section in page(systems, columns).sections)
    heads = [column.title for table in tables for column in table.columns[1:]]  # type: ignore[union-attr]
    assert heads == [f"s{n}" for n in range(count)]


@pytest.mark.parametrize(
    ("figure_id", "expected"),
    [
        ("files.max", "files"),
        ("capacity.osts", "OST volumes"),
        ("capacity.usable", "capacity, usable"),
        ("capacity.filesystem_overhead", "capacity, filesystem overhead"),
    ],
)
def test_a_figure_has_one_name_in_all_file_systems(figure_id: str, expected: str) -> None:
    assert name_of(figure_id) == expected


def test_the_legend_says_what_a_dash_is_and_when_nothing_is_marked() -> None:
    systems = [of(words("small"), "a"), of(words("large", hdmd=HDMD), "b")]
    drawn = " ".join(text.draw(page(systems), 80).split())
    assert "better than those of all others that have the figure" in drawn
    assert "or only one has the figure" in drawn
    assert "- is no value" in drawn
