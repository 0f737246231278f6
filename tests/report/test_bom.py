"""The bill of materials: rows against the plan, arithmetic against Decimal by hand, CSV and XLSX read back."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import openpyxl
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pixsize import bills, workflow
from pixsize.catalog.prices import Part, PartsFile
from pixsize.report import bill_csv, bill_json, bill_page, bill_tables, bill_xlsx, markdown, plan_json, serialize, text
from pixsize.report.bill import rows
from pixsize.report.priced_bill import Bill
from pixsize.report.printable import width
from pixsize.resources import folder
from tests.support.planned import facts

EXAMPLES = sorted(p.stem for p in folder("examples").glob("*.yaml"))
INVENTED = folder("examples") / "parts" / "invented.yaml"

NUMBER = {"type": "number", "minimum": 0}
COUNT = {"type": "integer", "minimum": 0}
TEXT = {"type": "string", "minLength": 1}


def closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties,
    }


SCHEMA = closed(
    "schema name design rows totals ports missing not_included",
    schema={"const": "pixsize.bom/1"},
    name=TEXT,
    design=TEXT,
    currency={"type": "string", "pattern": "^[A-Z]{3}$"},
    discount_percent=NUMBER,
    rows={
        "type": "array",
        "items": closed(
            "item title for purpose included",
            item=TEXT,
            title=TEXT,
            count={"type": "integer", "minimum": 1},
            **{"for": TEXT},
            purpose=TEXT,
            rack_units={"type": "integer", "minimum": 1},
            part_number=TEXT,
            list_price=NUMBER,
            discount_percent=NUMBER,
            unit_price=NUMBER,
            price=NUMBER,
            power_w=NUMBER,
            power_is={"enum": ["draw", "nameplate"]},
            weight_kg=NUMBER,
            lead_days=COUNT,
            included={"type": "boolean"},
        ),
    },
    totals=closed(
        "rack_units at_least",
        rack_units=COUNT,
        racks=COUNT,
        price=NUMBER,
        power_w=NUMBER,
        nameplate_w=NUMBER,
        heat_btu_per_h=COUNT,
        weight_kg=NUMBER,
        lead_days=COUNT,
        at_least={"type": "array", "items": {"enum": ["price", "power_w", "weight_kg"]}},
    ),
    ports={
        "type": "array",
        "items": closed(
            "item title for ports kept",
            item=TEXT,
            title=TEXT,
            **{"for": TEXT},
            ports=COUNT,
            used=COUNT,
            kept=COUNT,
            free={"type": "integer"},
        ),
    },
    missing={"type": "array", "items": closed("item what", item=TEXT, what=TEXT)},
    not_included={"type": "array", "items": TEXT},
)


@cache
def billed(name: str, parts: str | None = None) -> Bill:
    found = bills.bom(workflow.Given(name), parts).bill
    assert found is not None
    return found


def priced(tmp_path: Path, words: dict[str, Any] | str, name: str = "large+hdmd") -> Bill:
    path = tmp_path / "parts.yaml"
    path.write_text(words if isinstance(words, str) else yaml.safe_dump(words))
    made = bills.bom(workflow.Given(name), str(path))
    assert made.bill is not None, made.findings
    return made.bill


def document(bill: Bill) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(serialize.to_json(bill_json.document(bill)))
    jsonschema.validate(held, SCHEMA)
    return held


@cache
def plan_words(name: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(serialize.to_json(plan_json.document(facts(name))))
    return held


# Counts


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_plan_counts_what_the_bill_counts(name: str) -> None:
    """One source: the bill has the parts of the plan's JSON, in its order; cables may stand in several rows."""
    held = document(billed(name))
    found: dict[str, int] = {}
    for row in held["rows"]:
        if row["included"]:
            found[row["title"]] = found.get(row["title"], 0) + row["count"]
    expected: dict[str, int] = {}
    for part in plan_words(name)["parts"]:
        expected[part["item"]] = expected.get(part["item"], 0) + part["count"]
    assert found == expected
    assert list(found) == list(expected)
    assert held["not_included"] == plan_words(name)["not_included"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_rows_agree_with_the_parts_of_the_plan_counted_one_by_one(name: str) -> None:
    """Servers, enclosures, switches, drives and cables from the other keys of the plan's JSON."""
    plan, held = plan_words(name), document(billed(name))
    count = Counter[str]()
    for row in held["rows"]:
        if row["included"]:
            count[row["title"]] += row["count"]
    for model, number in Counter(s["model"] for s in (*plan["servers"], *plan["switches"])).items():
        assert count[model] == number
    for model, number in Counter(e["model"] for a in plan["arrays"] for e in a["enclosures"]).items():
        assert count[model] == number
    adapters = Counter[str]()
    for server in plan["servers"]:
        for card in server.get("adapters", ()):
            adapters[card["model"]] += card["count"]
    assert all(count[model] == number for model, number in adapters.items())
    by_id = Counter[str]()
    for row in held["rows"]:
        by_id[row["item"]] += row.get("count", 0)
    drives = Counter[str]()
    for group in (*plan["disk_groups"], *plan["spares"]):
        drives[group["drive"]] += len(group["slots"])
    for pool in plan.get("pools", ()):
        drives[pool["drive"]] += pool["drives"]
    assert all(by_id[drive] >= number for drive, number in drives.items())
    if "nvme" not in plan["request"]:
        assert all(by_id[drive] == number for drive, number in drives.items())
    ends = {(k["network"], k["end"]["device"], k["end"]["slot"], k["end"]["port"].split("/")[0]) if k["network"] == "data"
            else (k["network"], k["end"]["device"], k["end"]["slot"], k["end"]["port"]) for k in plan.get("links", ())}  # fmt: skip
    cables = sum(r["count"] for r in held["rows"] if r["purpose"] == "cables")
    assert cables == len(ends)


@pytest.mark.parametrize("name", EXAMPLES)
def test_rack_units_are_those_of_the_figure(name: str) -> None:
    held = document(billed(name))
    assert held["totals"]["rack_units"] == facts(name).figures["hardware.rack_units"].value
    assert held["totals"]["rack_units"] == sum(r.get("rack_units", 0) for r in held["rows"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_part_has_an_id_and_those_of_the_catalog_are_records(name: str) -> None:
    catalog = facts(name).catalog
    for row in rows(facts(name).plan, catalog):
        assert row.item.isascii()
        assert " " not in row.item
        if row.purpose in ("arrays and drives", "network") or row.rack_units or row.item in catalog:
            assert catalog.record(row.item).title == row.title


def test_licences_are_those_of_mmchlicense() -> None:
    """As the plan says of each server, and a client's for each client."""
    for name in ("full-pixstor", "clients", "large"):
        plan = plan_words(name)
        needed = Counter(s["licence"] for s in plan["servers"])
        needed["client"] += len(plan["filesystem"].get("clients", ()))
        found = {r["item"]: r["count"] for r in document(billed(name))["rows"] if r["purpose"] == "licences"}
        assert found == {f"scale.licence.{kind}": count for kind, count in needed.items() if count}
    assert not billed("lustre-me4").of("licences")


# Ports


@pytest.mark.parametrize("name", ["large+hdmd", "full-pixstor", "ethernet", "gateways", "mix"])
def test_ports_used_are_the_ends_of_the_links(name: str) -> None:
    plan, held = plan_words(name), document(billed(name))
    titles = {s["id"]: s["model"] for s in plan["switches"]}
    own = {"power": (), "management": ("end",)}  # supplies of a switch and its own management take none of its ports
    both = [k[side] for k in plan["links"] for side in own.get(k["network"], ("start", "end"))]
    ends = Counter(
        titles[device] for device, _ in {(e["device"], e["port"].split("/")[0]) for e in both if e["device"] in titles}
    )
    used = {p["title"]: p for p in held["ports"]}
    for title, number in ends.items():
        assert used[title]["used"] == number
    for port in held["ports"]:
        assert port["ports"] == port["used"] + port["kept"] + port["free"]
    starts = {(k["start"]["device"], k["start"]["slot"], k["start"]["port"]) for k in plan["links"]
              if k["network"] in ("sas", "data", "outward") and k["start"]["device"] in {s["id"] for s in plan["servers"]}}  # fmt: skip
    cards = [p for p in held["ports"] if p["title"] not in titles.values()]
    assert sum(p["used"] for p in cards) == len(starts)


def test_ports_of_switches_are_those_of_the_whole_system() -> None:
    """28 data cables and both ends of 4 joints in QM8700, 32 clients of 80 ports; 50 cables and 2 uplinks in N2248X-ON."""
    held = {p["item"]: (p["ports"], p["used"], p["kept"], p["free"]) for p in document(billed("full-pixstor"))["ports"]}
    assert held["qm8700"] == (80, 36, 32, 12)
    assert held["n2248x-on"] == (96, 52, 0, 44)


def test_ports_of_clients_are_kept() -> None:
    kept = {p["item"]: p["kept"] for p in document(billed("full-pixstor"))["ports"]}
    assert kept["qm8700"] == plan_words("full-pixstor")["request"]["network"]["client_ports"] > 0
    assert kept["n2248x-on"] == 0


def test_adapters_of_a_design_without_cables_have_no_used_ports() -> None:
    ports = document(billed("lustre-me4"))["ports"]
    assert {p["item"]: "used" in p for p in ports} == {p["item"]: p["item"] in ("sb7800", "n2248x-on") for p in ports}


# Prices


def independent(words: dict[str, Any], held: dict[str, Any], word: str) -> Decimal:
    """The sum of a word over all rows, from the file and the counts alone."""
    total = Decimal(0)
    for row in held["rows"]:
        part = words["parts"].get(row["item"], {})
        if word in part and row["included"]:
            total += Decimal(str(part[word])) * row["count"]
    return total


def test_the_totals_of_the_invented_parts() -> None:
    words, held = yaml.safe_load(INVENTED.read_text()), document(billed("large+hdmd", str(INVENTED)))
    assert held["currency"] == "EUR"
    cents = 0
    for row in held["rows"]:
        part = words["parts"].get(row["item"])
        if part and row["included"]:
            tenths = int(part["price"] * 100) * (100 - part.get("discount_percent", 10))
            cents += (tenths + 50) // 100 * row["count"]
    assert Decimal(str(held["totals"]["price"])) == Decimal(cents) / 100
    assert "price" not in held["totals"]["at_least"]
    assert not [m for m in held["missing"] if m["what"] == "price"]
    assert held["totals"]["power_w"] == independent(words, held, "power_w") + independent(words, held, "nameplate_w")
    assert held["totals"]["nameplate_w"] == independent(words, held, "nameplate_w")
    assert Decimal(str(held["totals"]["weight_kg"])) == independent(words, held, "weight_kg")
    assert held["totals"]["lead_days"] == 45
    assert held["totals"]["racks"] == 1
    assert set(held["totals"]["at_least"]) == {"power_w", "weight_kg"}


@settings(max_examples=60, deadline=None)
@given(
    price=st.decimals("0", "1000000", places=2),
    discount=st.decimals("0", "100", places=2),
    count=st.integers(1, 10_000),
)
@example(price=Decimal("0.05"), discount=Decimal(50), count=1)
def test_a_price_is_rounded_once_half_up(price: Decimal, discount: Decimal, count: int) -> None:
    words = PartsFile(currency="EUR", discount_percent=discount)
    unit = words.unit_price(Part(price=price, title="x", count=count))
    hundredths = int(price * 100) * (10_000 - int(discount * 100))
    assert unit == Decimal((hundredths + 5000) // 10_000) / 100


def test_currencies_have_their_own_digits(tmp_path: Path) -> None:
    bill = priced(tmp_path, "currency: JPY\ndiscount_percent: 0.5\nparts: {nl-sas-12tb: {price: 41001}}\n")
    (row,) = [r for r in bill.rows if r.row.item == "nl-sas-12tb"]
    assert (row.unit_price, row.price, row.list_price) == (Decimal(40796), Decimal(40796 * 336), Decimal(41001))


def test_decimals_are_exact(tmp_path: Path) -> None:
    bill = priced(tmp_path, "currency: EUR\nparts: {nl-sas-12tb: {price: 0.10}, ssd-960gb: {price: 0.20}}\n")
    assert bill.totals.price == Decimal("0.10") * 336 + Decimal("0.20") * 24
    assert '"price": 33.6,' in serialize.to_json(bill_json.document(bill))


def test_a_part_of_ones_own_is_on_the_bill(tmp_path: Path) -> None:
    words = {"currency": "EUR", "parts": {"install": {"title": "Installation", "count": 2, "price": 1500}}}
    held = document(priced(tmp_path, words))
    assert held["rows"][-1] == {
        "item": "install",
        "title": "Installation",
        "count": 2,
        "for": "by the parts file",
        "purpose": "others",
        "unit_price": 1500,
        "price": 3000,
        "included": True,
    }
    assert held["totals"]["price"] == 3000
    assert "price" in held["totals"]["at_least"]


def test_a_part_that_is_not_included_may_be_counted(tmp_path: Path) -> None:
    held = document(priced(tmp_path, {"currency": "EUR", "parts": {"serial-card": {"count": 4, "price": 20}}}))
    (row,) = [r for r in held["rows"] if r["item"] == "serial-card"]
    assert (row["included"], row["count"], row["price"]) == (True, 4, 80)
    (row,) = [r for r in document(billed("large+hdmd"))["rows"] if r["item"] == "serial-card"]
    assert (row["included"], "count" in row) == (False, False)


# What is missing


@pytest.mark.parametrize("name", EXAMPLES)
def test_everything_that_is_absent_is_missing_and_nothing_else(name: str) -> None:
    """Without a parts file, and with one that has half of the words of half of the parts."""
    held = document(billed(name))
    assert "price" not in held["totals"]
    assert "power_w" not in held["totals"]
    assert "currency" not in held
    missing = {(m["item"], m["what"]) for m in held["missing"]}
    assert len(missing) == len(held["missing"])
    for row in held["rows"]:
        if not row["included"]:
            assert (row["item"], "count") in missing
            continue
        for word in ("price", "part_number", "lead_days"):
            assert word not in row
            assert (row["item"], word) in missing
        plugged = row["purpose"] not in ("cables", "licences")
        assert ((row["item"], "power_w") in missing) == plugged
        assert ((row["item"], "weight_kg") in missing) == (row["purpose"] != "licences")
    ids = {r["item"] for r in held["rows"]} | {"cables"}
    assert {item for item, _ in missing} <= ids


def test_what_is_in_servers_and_how_long_cables_are_is_missing() -> None:
    missing = {(m.item, m.what) for m in billed("full-pixstor").missing}
    assert {m for m in missing if m[1] in ("parts", "length", "count")} == {
        ("r650-nvme", "parts"),
        ("openmanage", "count"),
        ("serial-card", "count"),
        *((r.row.item, "length") for r in billed("full-pixstor").of("cables")),
    }
    assert {("cables", "count"), ("r740-lustre-me4", "parts")} <= {
        (m.item, m.what) for m in billed("lustre-me4").missing
    }
    assert billed("lustre-me4").totals.at_least == ("price", "power_w", "weight_kg")


def test_what_is_given_is_not_missing(tmp_path: Path) -> None:
    words = {"currency": "EUR", "parts": {"nl-sas-12tb": {"price": 1}, "me4084": {"power_w": 5}, "r750": {"price": 0}}}
    held = document(priced(tmp_path, words))
    missing = {(m["item"], m["what"]) for m in held["missing"]}
    assert not missing & {("nl-sas-12tb", "price"), ("me4084", "power_w"), ("r750", "price")}
    assert missing >= {("nl-sas-12tb", "power_w"), ("me4084", "price"), ("r750", "weight_kg")}
    for row in held["rows"]:
        if row["included"]:
            assert ("price" in row) == ((row["item"], "price") not in missing)


def test_a_total_over_what_is_not_complete_says_at_least(tmp_path: Path) -> None:
    words = {"currency": "EUR", "parts": {"nl-sas-12tb": {"price": 410}}}
    shown = text.draw(bill_page.page(priced(tmp_path, words)), 160)
    assert "at least EUR 137,760; " in shown.replace(".00", "")
    complete = text.draw(bill_page.page(billed("large+hdmd", str(INVENTED))), 160)
    assert "price       EUR " in complete
    assert "W of it are nameplate ratings: upper limits, not what the parts draw" in complete


def test_the_total_of_the_workbook_names_the_sums_that_lack_parts(tmp_path: Path) -> None:
    """A whole price is no `at least` because a weight is missing; and it has its currency."""
    whole = bill_tables.by_purpose(billed("large+hdmd", str(INVENTED)))
    assert whole[-1][0] == "total; at least: power_w, weight_kg"
    assert [row[whole[0].index("currency")] for row in whole[1:]] == ["EUR"] * (len(whole) - 1)
    lacking = bill_tables.by_purpose(priced(tmp_path, {"currency": "EUR", "parts": {"nl-sas-12tb": {"price": 410}}}))
    assert lacking[-1][0] == "total; at least: price"
    assert bill_tables.by_purpose(billed("large+hdmd", None))[-1][0] == "total"


# Forms


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("parts", [None, str(INVENTED)])
def test_the_page_fits(columns: int, parts: str | None) -> None:
    for name in ("large+hdmd", "full-pixstor", "lustre-powerflex"):
        shown = text.draw(bill_page.page(billed(name, parts)), columns)
        assert max(map(width, shown.splitlines())) <= max(columns, 80)
        for row in billed(name, parts).rows:
            assert row.row.item in shown.replace("\n", "") or not row.included


@pytest.mark.parametrize("name", EXAMPLES)
def test_markdown_has_every_part(name: str) -> None:
    shown = markdown.draw(bill_page.page(billed(name)))
    for row in billed(name).rows:
        if row.included:
            assert f"| {row.count:,} | {row.row.item} | {markdown.escape(row.row.title)} |" in shown


def read_csv(bill: Bill) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bill_csv.draw(bill), newline="")))


@pytest.mark.parametrize("name", EXAMPLES)
def test_csv_is_the_rows(name: str) -> None:
    held = document(billed(name))
    found = read_csv(billed(name))
    assert bill_csv.draw(billed(name)).endswith("\r\n")
    assert [(r["item"], r["count"], r["included"]) for r in found] == [
        (r["item"], str(r.get("count", "")), "yes" if r["included"] else "no") for r in held["rows"]
    ]


def test_csv_has_numbers_as_numbers() -> None:
    found = read_csv(billed("large+hdmd", str(INVENTED)))
    (drive,) = [r for r in found if r["item"] == "nl-sas-12tb"]
    assert (drive["list_price"], drive["unit_price"], drive["price"], drive["power_w"]) == (
        "410",
        "369",
        "123984",
        "3192",
    )
    assert Decimal(drive["weight_kg"]) == Decimal("0.7") * 336
    assert {r["currency"] for r in found if r["price"]} == {"EUR"}


def sheets(bill: Bill) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(bill_xlsx.draw(bill)))
    return {sheet.title: [tuple(cell.value for cell in row) for row in sheet.iter_rows()] for sheet in book}


@pytest.mark.parametrize("name", ["large+hdmd", "full-pixstor", "lustre-powerflex"])
def test_a_workbook_has_a_sheet_a_view(name: str) -> None:
    bill = billed(name, str(INVENTED))
    found = sheets(bill)
    assert list(found) == ["bill", "by purpose", "ports", "missing"]
    assert found["bill"] == [tuple(row) for row in bill_tables.rows(bill)]
    held = document(bill)
    assert [r[2] for r in found["bill"][1:]] == [r.get("count") for r in held["rows"]]
    head = found["bill"][0]
    prices = [r[head.index("price")] for r in found["bill"][1:]]
    assert all(p is None or type(p) in (int, float) for p in prices)
    assert sum(Decimal(str(p)) for p in prices if p is not None) == Decimal(str(held["totals"]["price"]))
    assert found["by purpose"][-1][3] == held["totals"]["price"]
    assert sum(r[1] for r in found["by purpose"][1:-1]) == found["by purpose"][-1][1]
    assert len(found["ports"]) == len(held["ports"]) + 1
    assert len(found["missing"]) == len(held["missing"]) + len(held["not_included"]) + 1


def test_equal_bills_have_equal_bytes() -> None:
    bill = billed("large+hdmd", str(INVENTED))
    assert bill_xlsx.draw(bill) == bill_xlsx.draw(bill)
    book = openpyxl.load_workbook(io.BytesIO(bill_xlsx.draw(bill)))
    assert book.properties.created.year == 2000


HOSTILE = st.text(
    st.sampled_from("=+-@\t\r\n＝＋－＠ '\"|!;,:/h\u202e\x00\x1bA1(){}&<>"), min_size=1, max_size=20
) | st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)


def with_texts(title: str, number: str) -> Bill:
    """A bill with any text, as if no loader had refused it."""
    bill = billed("small")
    row = bill.rows[0]
    return bill._replace(
        name=title, rows=(row._replace(row=row.row._replace(title=title, use=title), part_number=number),)
    )


@settings(max_examples=150, deadline=None)
@given(HOSTILE, HOSTILE)
@example("=1+1", "http://evil.example/x")
@example("  =cmd|' /C calc'!A0", "-1+1")
@example("\t=1", "\r=1")
@example("＝1+1", "mailto:x@y.example")
def test_no_text_is_a_formula_or_a_link(title: str, number: str) -> None:
    bill = with_texts(title, number)
    (row,) = read_csv(bill)
    for cell in (row["title"], row["for"], row["part_number"]):
        assert not cell.lstrip(" \t\r\n").startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
        assert not cell.startswith(("\t", "\r", "\n"))
    book = openpyxl.load_workbook(io.BytesIO(bill_xlsx.draw(bill)))
    for cells in book["bill"].iter_rows(min_row=2):
        for cell in cells:
            assert cell.data_type != "f"
            assert cell.hyperlink is None
    assert book["bill"].cell(2, 2).data_type in ("s", "inlineStr", "n")


def test_numbers_and_dates_in_texts_stay_text() -> None:
    book = openpyxl.load_workbook(io.BytesIO(bill_xlsx.draw(with_texts("00123", "1e5"))))
    assert (book["bill"].cell(2, 2).value, book["bill"].cell(2, 6).value) == ("00123", "1e5")


def test_prices_are_shown_with_the_digits_of_their_currency(tmp_path: Path) -> None:
    for currency, shown in (("JPY", "#,##0"), ("EUR", "#,##0.00"), ("KWD", "#,##0.000")):
        bill = priced(tmp_path, {"currency": currency, "parts": {"r750": {"price": 9}}})
        book = openpyxl.load_workbook(io.BytesIO(bill_xlsx.draw(bill)))
        assert book["bill"].cell(2, bill_tables.COLUMNS.index("price") + 1).number_format == shown


def of_text(tmp_path: Path, words: str, parts: str | None = None, catalog: Path | None = None) -> bills.Billed:
    path = tmp_path / "request.yaml"
    path.write_text(words)
    return bills.bom(workflow.Given(str(path), catalog), parts)


def test_cables_to_switches_of_the_customer_are_missing(tmp_path: Path) -> None:
    """Neither these nor the ports that they take are known; no sum counts them as nothing."""
    words = (folder("examples") / "large+hdmd.yaml").read_text() + "network: {switches: customer}\n"
    bill = of_text(tmp_path, words, str(INVENTED)).bill
    assert bill is not None
    held = document(bill)
    missing = {(m["item"], m["what"]) for m in held["missing"]}
    assert missing >= {("cable.data", "count"), ("cable.management", "count")}
    assert "price" in held["totals"]["at_least"]
    assert any("customer's switches" in text for text in held["not_included"])
    assert {p["item"]: p.get("used") for p in held["ports"]} == {"connectx-6-hdr": None, "hba355e": 20}


def test_a_part_that_an_overlay_replaces_has_the_id_of_the_new_record(tmp_path: Path) -> None:
    """Prices by the old id count for it; by both ids they are an error."""
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    record = workflow.catalog(None)[0]
    assert record is not None
    server = dict(record.raw["r750"]) | {"id": "my-r750", "title": "My R750", "replaces": "r750"}
    (overlay / "own.yaml").write_text(yaml.safe_dump([server]))
    parts = tmp_path / "parts.yaml"
    parts.write_text("currency: EUR\nparts: {r750: {price: 10}}\n")
    words = (folder("examples") / "large+hdmd.yaml").read_text()
    made = of_text(tmp_path, words, str(parts), overlay)
    assert made.bill is not None, made.findings
    rows_of_it = [r for r in document(made.bill)["rows"] if r["title"] == "My R750"]
    assert [(r["item"], r["price"]) for r in rows_of_it] == [("my-r750", 20), ("my-r750", 20)]
    parts.write_text("currency: EUR\nparts: {r750: {price: 10}, my-r750: {price: 11}}\n")
    made = of_text(tmp_path, words, str(parts), overlay)
    assert made.bill is None
    assert "PX651" in {f.code for f in made.findings}
