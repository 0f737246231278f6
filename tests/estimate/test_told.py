"""The sentences that say where a range comes from."""

from __future__ import annotations

from fractions import Fraction

from pixsize.estimate.ranges import Step, told

AGAIN = Step("again", "the same benchmark elsewhere", Fraction(6, 5), Fraction(6, 5))
DRIVES = Step("drive", "other drives", Fraction(3, 2), Fraction(3, 2))
DOUBT = Step("doubt", "The clocks were off.", Fraction(2), Fraction(1))


def test_nothing_is_said_of_no_step() -> None:
    assert told(()) == ""


def test_one_reason_stands_alone() -> None:
    assert told([AGAIN]) == (
        "The range, for nine of ten measurements, allows for the same benchmark elsewhere, a factor of 1.20 up or down."
    )


def test_several_reasons_are_numbered_and_added() -> None:
    """exp(sqrt(ln 1.2 ** 2 + ln 1.5 ** 2)) = 1.56."""
    assert told([AGAIN, DRIVES]) == (
        "The range, for nine of ten measurements, allows for (1) the same benchmark elsewhere, a factor of 1.20 up or "
        "down; (2) other drives, a factor of 1.50 up or down. They are independent of each other: together a factor of "
        "1.56 up or down."
    )


def test_a_doubt_goes_one_way_and_is_told_in_full_elsewhere() -> None:
    said = told([AGAIN, DOUBT])
    assert "(2) the doubt about the measurement, a factor of 2.00 down." in said
    assert "clocks" not in said
    assert said.endswith("together a factor of 1.20 up and 2.05 down.")


def test_a_step_that_brings_nothing_is_not_told() -> None:
    nothing = Step("expansion", "expansions behind the same controllers", Fraction(1001, 1000), Fraction(1))
    assert told([nothing]) == ""
    assert told([AGAIN, nothing]) == told([AGAIN])
    assert told([AGAIN, nothing, DRIVES]) == told([AGAIN, DRIVES])
