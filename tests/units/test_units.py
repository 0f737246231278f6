"""Text with a unit against exact numbers, and the table of common units against pint."""

from fractions import Fraction

import pint
import pytest

from pixsize import units
from pixsize.units import UnitError

# Spellings that pint does not have (a capital K for kilo), or reads as another unit (a small b), and what it calls them.
IN_PINT = {"KB": "kilobyte", "KB/s": "kilobyte/second"} | {
    f"{prefix}b/s": f"{name}bit/second"
    for prefix, name in {
        "": "",
        "k": "kilo",
        "K": "kilo",
        "M": "mega",
        "G": "giga",
        "T": "tera",
        "P": "peta",
        "E": "exa",
    }.items()
}
BASES = {"capacity": "byte", "rate": "byte/second", "power": "watt", "share": "dimensionless"}


@pytest.fixture(scope="module")
def registry():
    return pint.UnitRegistry(non_int_type=Fraction)


@pytest.mark.parametrize("unit", [u for u, (d, _) in units.TABLE.items() if d in BASES])
def test_the_table_agrees_with_pint(registry, unit):
    dimension, factor = units.TABLE[unit]
    quantity = registry.Quantity(Fraction(1), IN_PINT.get(unit, unit))
    assert quantity.to(BASES[dimension]).magnitude == factor
    assert isinstance(factor, Fraction)


def test_units_that_pint_lacks_are_few():
    assert {u for u, (d, _) in units.TABLE.items() if d not in BASES} == {
        "U",
        "op/s",
        "kop/s",
        "Kop/s",
        "Mop/s",
        "Gop/s",
        "Top/s",
        "Pop/s",
        "Eop/s",
    }
    assert units.TABLE["Mop/s"] == ("operations", Fraction(10**6))


@pytest.mark.parametrize(
    ("text", "dimension", "number"),
    [
        ("12 TB", "capacity", 12 * 10**12),
        ("12TB", "capacity", 12 * 10**12),
        (" 960 GB ", "capacity", 960 * 10**9),
        ("1.92 TB", "capacity", 1_920_000_000_000),
        ("8 MiB", "capacity", 8 * 2**20),
        ("512 B", "capacity", 512),
        ("20.96 GB/s", "rate", 20_960_000_000),
        ("200 Gb/s", "rate", 25 * 10**9),
        ("12.4 kop/s", "operations", 12_400),
        ("2.2 %", "share", Fraction(22, 1000)),
        ("2.2%", "share", Fraction(22, 1000)),
        ("5 U", "length", 5),
        ("1.5 kW", "power", 1500),
        ("12 terabyte", "capacity", 12 * 10**12),
        ("60 GB/min", "rate", 10**9),
        ("8 Mbit", "capacity", 10**6),
        ("2 megawatt", "power", 2 * 10**6),
        ("0.1 TB", "capacity", 10**11),
    ],
)
def test_text_becomes_an_exact_number(text, dimension, number):
    assert units.parse(text, dimension) == number


@pytest.mark.parametrize(
    ("text", "dimension", "code"),
    [
        (12, "capacity", "PX105"),
        (2.5, "capacity", "PX105"),
        ("12", "capacity", "PX105"),
        ("2.50", "rate", "PX105"),
        ("-12", "capacity", "PX105"),
        (True, "capacity", "PX104"),
        (None, "capacity", "PX104"),
        ([], "capacity", "PX104"),
        ("", "capacity", "PX104"),
        ("TB", "capacity", "PX104"),
        ("-12 TB", "capacity", "PX104"),
        ("1e3 TB", "capacity", "PX104"),
        ("12  TB", "capacity", "PX104"),
        ("12 TB 3", "capacity", "PX104"),
        ("1,2 TB", "capacity", "PX104"),
        ("12 TB\n", "capacity", "PX104"),
        ("१२ TB", "capacity", "PX104"),
        ("12 __class__", "capacity", "PX104"),
        ("12 W", "capacity", "PX106"),
        ("12 TB", "rate", "PX106"),
        ("12 GB/s", "capacity", "PX106"),
        ("3 %", "capacity", "PX106"),
        ("12 parsec", "capacity", "PX106"),
        ("12 blobs", "capacity", "PX106"),
        ("12 TB/", "capacity", "PX106"),
        ("12 tb", "capacity", "PX106"),
        ("12 Tb", "capacity", "PX106"),
        ("12 mB", "capacity", "PX106"),
        ("1 degC", "power", "PX106"),
    ],
)
def test_other_text_is_refused_with_its_code(text, dimension, code):
    with pytest.raises(UnitError) as caught:
        units.parse(text, dimension)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("12 rad", "capacity"),
        ("1 dB", "capacity"),
        ("12 Hz", "rate"),
        ("12 rpm", "rate"),
        ("5 ppm", "capacity"),
        ("1 Bq", "rate"),
    ],
)
def test_what_pint_calls_dimensionless_is_no_number_of_bytes(text, dimension):
    with pytest.raises(UnitError, match="does not measure"):
        units.parse(text, dimension)


def test_a_unit_in_the_wrong_case_names_the_right_one():
    with pytest.raises(UnitError, match="TB"):
        units.parse("12 tb", "capacity")


@pytest.mark.parametrize(
    ("dimension", "named", "example"),
    [
        ("capacity", "a capacity", "12 TB"),
        ("rate", "a rate", "5.5 GB/s"),
        ("operations", "a rate of operations", "12.4 kop/s"),
        ("power", "a power", "205 W"),
        ("length", "a height", "5 U"),
        ("share", "a share", "3 %"),
    ],
)
def test_messages_name_the_quantity_and_an_example(dimension, named, example):
    unit = example.partition(" ")[2]
    wrong = "5 W" if dimension != "power" else "5 TB"
    for text, said in (
        (8, f"a number without a unit; {named} needs one, such as {example}"),
        ("x", f"'x' is not {named}, such as {example}"),
        (None, f"{named} is written as a number and a unit, such as {example}"),
        (wrong, f"{wrong[2:]} does not measure {named}; use {unit} or the like"),
    ):
        with pytest.raises(UnitError) as caught:
            units.parse(text, dimension)
        assert str(caught.value) == said


def test_a_message_shows_the_example_that_it_is_given():
    with pytest.raises(UnitError, match="a capacity needs one, such as 8 MiB"):
        units.parse_whole(8, "capacity", "8 MiB")
    with pytest.raises(UnitError, match="W does not measure a capacity; use MiB or the like"):
        units.parse_whole("8 W", "capacity", "8 MiB")


def test_whole_numbers_only_where_half_a_byte_makes_no_sense():
    assert units.parse_whole("1.5 kB", "capacity") == 1500
    with pytest.raises(UnitError, match="whole number of B"):
        units.parse_whole("1.5 B", "capacity")


@pytest.mark.parametrize(
    ("text", "dimension", "half"),
    [
        ("20.96 GB/s", "rate", 5_000_000),
        ("12.4 kop/s", "operations", 50),
        ("16 GB/s", "rate", 500_000_000),
        ("85.4 TiB", "capacity", 54_975_581_388),
    ],
)
def test_half_of_the_last_digit(text, dimension, half):
    assert units.half_last_digit(text, dimension) == half


def test_half_of_the_last_digit_needs_a_quantity():
    with pytest.raises(UnitError):
        units.half_last_digit("about 20 GB/s", "rate")


@pytest.mark.parametrize(
    ("value", "decimal", "binary"),
    [
        (4032 * 10**12, "4032 TB", "3667.08 TiB"),
        (3072 * 10**12, "3072 TB", "2793.97 TiB"),
        (960 * 10**9, "960 GB", "894.07 GiB"),
        (0, "0 B", "0 B"),
        (512, "512 B", "512 B"),
        (8 * 2**20, "8.39 MB", "8 MiB"),
        (5_760_000_000_000, "5.76 TB", "5.24 TiB"),
    ],
)
def test_bytes_as_text(value, decimal, binary):
    assert (units.decimal_bytes(value), units.binary_bytes(value)) == (decimal, binary)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (12_400, "op/s", "12.4 kop/s"),
        (2_730_000, "op/s", "2.73 Mop/s"),
        (7, "op/s", "7 op/s"),
        (20_960_000_000, "B/s", "20.96 GB/s"),
        (5, "U", "5 U"),
        (1_234_567, "1", "1,234,567"),
        (1500, "W", "1,500 W"),
        (4032 * 10**12, "B", "4032 TB"),
    ],
)
def test_a_figure_as_text(value, unit, text):
    assert units.show(value, unit) == text
