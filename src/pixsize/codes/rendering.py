"""Kinds of finding about files that are written."""

from __future__ import annotations

from pixsize.codes.code import Code

RENDER_CODES: dict[str, Code] = {
    "PX601": Code(
        "warning",
        "WWIDs are unknown",
        "Aliases can be written only after the volumes exist.",
        "Collect `show volumes` of every array into `--observed` and render again.",
    ),
    "PX602": Code(
        "error",
        "A file was edited since it was written",
        "Writing over it would lose the edit.",
        "Keep a copy, then `--force`.",
    ),
    "PX603": Code(
        "error",
        "The output folder cannot be written",
        "A part of the path is no folder, a link, or not writable.",
        "Choose another folder with `-o`.",
    ),
    "PX604": Code(
        "error",
        "The manifest in the output folder cannot be read",
        "Without it, what is ours there is unknown.",
        "Choose an empty folder.",
    ),
    "PX605": Code(
        "note",
        "A file that is no longer made was edited, and stays",
        "Removing it would lose the edit.",
        "Remove it by hand.",
    ),
    "PX606": Code(
        "note",
        "The output folder holds targets of another request",
        "Their files need not fit the new ones.",
        "Render them again.",
    ),
}
