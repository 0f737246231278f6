"""Reads the file of a target of Ngenea as Python's configparser does, which is strict about keys that stand twice."""

from __future__ import annotations

from configparser import ConfigParser, Error


def read_target(text: str) -> dict[str, str]:
    """The keys of the one section, [General], with their values. ValueError for any other section, or none, and for what is no INI file."""
    parser = ConfigParser(interpolation=None, strict=True, empty_lines_in_values=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their capitals
    try:
        parser.read_string(text)
    except Error as error:
        raise ValueError(str(error)) from error
    if parser.sections() != ["General"] or parser.defaults():
        raise ValueError(f"sections {parser.sections()} and defaults {dict(parser.defaults())}")
    return dict(parser["General"])
