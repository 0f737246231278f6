"""The registry of findings: one entry a code, from which the reference pages are generated.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Code(NamedTuple):
    """A kind of finding: what it means, why it matters (with its document, where one stands behind it), what to do."""

    severity: Severity
    title: str
    why: str
    cure: str


FILE_CODES: dict[str, Code] = {
    "PX001": Code("error", "The file cannot be read", "The path is missing, a folder, or not readable.",
                  "Give the path of a request, or the name of a shipped example; `pixsize init` writes a starter."),
    "PX002": Code("error", "The file is too large", "A request is a page of text; more than 1 MiB is a mistake or an attack.",
                  "Check that the path is the request's."),
    "PX003": Code("error", "The file is not UTF-8 text", "Binary data or another encoding would be misread.",
                  "Save the file as UTF-8 without control characters."),
    "PX004": Code("error", "The YAML cannot be parsed", "The text is no YAML: a tab as indentation, an open bracket or quote.",
                  "Mend the place that is shown."),
    "PX005": Code("error", "The file is empty, or holds no mapping", "A request is a mapping of words to values.",
                  "Start from `pixsize init large+hdmd`."),
    "PX006": Code("error", "The file holds a second document", "Everything behind `---` would be ignored in silence.",
                  "One document a file."),
    "PX007": Code("error", "A key stands twice", "YAML lets the later value win in silence.", "Remove one of the two."),
    "PX008": Code("error", "Anchors, aliases and tags are not accepted",
                  "They can explode, recurse or build objects; a request has no use for them.", "Write the value out."),
    "PX009": Code("error", "A bare value that YAML readers understand in different ways",
                  "`yes`, `010`, `1_000`, `1:30`, dates and the like change their meaning between YAML versions.",
                  "Write true or false, a plain decimal number, or put quotes around a text."),
    "PX010": Code("error", "The nesting is too deep", "No request nests deeper than a few levels.", "Remove the brackets."),
}

REQUEST_CODES: dict[str, Code] = {
    "PX101": Code("error", "Unknown word", "A misspelt word would silently fall back to a default.", "Use a word of the schema."),
    "PX102": Code("error", "Unknown value", "The value is none of those that the word takes.", "Use one of the values named."),
    "PX103": Code("error", "A word is missing", "The plan cannot be made without it.", "Add the word."),
    "PX104": Code("error", "Wrong kind of value", "The value has the wrong type.", "Use the type named."),
    "PX105": Code("error", "A number without a unit", "12 could be TB or TiB: a difference of a tenth.", "Write the unit."),
    "PX106": Code("error", "Wrong unit", "The unit does not measure this, or is not one that pixsize knows.", "Use the unit named."),
    "PX107": Code("error", "A name that something could misread",
                  "Names reach a shell, an array's command line, GPFS and file names; each reads some characters as more than a name.",
                  "Letters, digits and, where allowed, `_`, `-` and `.`; begin with a letter."),
    "PX108": Code("error", "A number out of range", "Counts are whole numbers within the limits of the design.", "Use a number in range."),
    "PX109": Code("error", "A drive that does not fit", "The slot takes another kind of drive, or no such drive is in the catalog.",
                  "Use a drive that the finding names; `pixsize catalog list drive` shows all."),
    "PX110": Code("error", "A name stands twice", "Two servers with one name cannot both be reached.", "Rename one."),
    "PX111": Code("error", "One ME484 at the most behind an ME4084",
                  "The array itself takes three, the design allows one, for performance and reliability "
                  "(Dell PixStor 6 white paper, System Design, Capacity expansion storage).", "`expansion: true`, and further modules for more."),
    "PX112": Code("error", "The wrong number of host names", "Every module is a pair of servers.", "Two names a module, module by module."),
    "PX113": Code("error", "An accepted code is unknown, or no warning", "Only warnings can be taken on.", "Use the code of a warning."),
    "PX114": Code("error", "More modules than pixsize plans", "A guard against a slip of the finger, not a limit of the file system.",
                  "Check the counts."),
}

CATALOG_CODES: dict[str, Code] = {
    "PX201": Code("error", "Two catalog records with one id", "Which one holds would depend on the order of files.",
                  "Write `replaces: ID` to replace a record, or use another id."),
    "PX202": Code("error", "A catalog record that is not there", "The record named is neither shipped nor in `--catalog`.",
                  "`pixsize catalog list` shows what there is."),
    "PX203": Code("error", "A catalog record that does not hold what its kind needs", "Each kind of record has a schema.",
                  "`pixsize catalog show ID` prints a record of the kind to start from."),
}

OBSERVED_CODES: dict[str, Code] = {
    "PX301": Code("error", "A reply of an array that cannot be read", "The file is no JSON or XML reply, or an unsafe one.",
                  "Collect the reply again, as the run book in the `me4` folder says."),
    "PX302": Code("error", "A reply of an array that the plan does not have", "The file name begins with the array's id.",
                  "Rename the file; `pixsize plan` lists the ids."),
    "PX303": Code("error", "A field is missing in a reply", "The size or name that is needed is not in the reply.",
                  "Collect the reply again."),
    "PX304": Code("error", "The array does not hold what is planned", "The reply contradicts the plan.",
                  "Correct the request, or the array, before any command is run."),
    "PX305": Code("error", "A command on the array had failed", "The reply's own status says that the command did not succeed.",
                  "Run the command again and keep the reply of the run that succeeds."),
    "PX306": Code("warning", "Something on the array differs from the plan", "The system works, but not quite as planned.",
                  "Compare before going on."),
    "PX307": Code("warning", "Two replies give different values for one thing", "The later file name was read last.",
                  "Keep only the newest reply."),
    "PX308": Code("note", "Nothing was observed of an array", "Sizes and WWIDs of this array are planned, not reported.",
                  "Collect the replies that the run book names."),
}

DESIGN_CODES: dict[str, Code] = {
    "PX401": Code("warning", "An expansion behind a module it is not sold for",
                  "The white paper names the expansion as an option of Large and describes it for any module.", "Ask the vendor, then accept it."),
    "PX402": Code("warning", "Four ME4024 without a Large module", "Table 1 names four ME4024 for the Large configuration only.",
                  "Fewer metadata arrays, or a Large module."),
    "PX403": Code("warning", "A second HDMD module before the first has four arrays",
                  "The document suggests to go to four arrays before adding a module.", "`modules: 1` with more `arrays`."),
    "PX404": Code("note", "No source confirms that the arrays support this drive",
                  "The documents name some capacities; the vendor's support matrix was not available.", "Check the ME4 support matrix."),
    "PX405": Code("note", "No metadata rates for the standard variant", "They were never published.", "Measure, and add a measurement to the catalog."),
    "PX406": Code("note", "The switches cover the access layer only", "More servers than a switch has ports need a fabric that is not planned here.",
                  "Plan the spine separately."),
    "PX407": Code("note", "No power figure", "No document gives the draw of the parts, and supply ratings are no draw.",
                  "Use the vendor's planner."),
    "PX408": Code("warning", "Unlike NSDs share a pool",
                  "GPFS stripes over all NSDs of a pool alike: the slowest paces the rest, the largest fills last.",
                  "Equal modules, or one file system for each kind."),
    "PX409": Code("warning", "Metadata capacity is lost to unequal failure groups",
                  "Two copies must lie in different groups, so usable is min(sum/2, sum - largest).", "Equal groups."),
    "PX410": Code("note", "The volumes are planned 3 % under nominal",
                  "A group's size is known only once it exists; `create volume` has no `size max`.",
                  "Create the groups, collect `show disk-groups`, and render again with `--observed`; or expand before mmcrnsd."),
    "PX411": Code("note", "No evidence for a throughput", "Nothing measured or specified lies close enough to scale from.",
                  "Measure, and add a measurement to the catalog."),
}

PLAN_CODES: dict[str, Code] = {
    "PX501": Code("error", "A slot is used twice", "A drive belongs to one group, or is a spare.", "Report this as a bug, or mend the layout record."),
    "PX502": Code("error", "A slot outside the enclosure, or one left over", "Every slot has exactly one use.", "Mend the layout record."),
    "PX503": Code("error", "A disk group with an illegal number of drives",
                  "RAID 1 takes exactly two, linear RAID 6 four to sixteen (ME4 Administrator's Guide, RAID levels).", "Mend the layout record."),
    "PX504": Code("error", "A disk group across enclosures", "A group stays within one enclosure in this design.", "Mend the layout record."),
    "PX505": Code("error", "Mixed drives in a group, or a spare that fits none",
                  "A group has one kind of drive, a global spare must be of the type and at least the size of what it covers.", "Mend the layout record."),
    "PX506": Code("error", "A volume without exactly one target, or a target without its volume", "One NSD stands on one volume.", "Report this as a bug."),
    "PX507": Code("error", "Names collide, or are illegal", "Names are unique after case folding, at most 31 characters, and never begin with gpfs.", "Rename."),
    "PX508": Code("error", "A LUN is used twice on an array, or is not in 2 to 254", "Each volume has a LUN of its own.", "Report this as a bug."),
    "PX509": Code("error", "Too many NSDs for one file system", "IBM Storage Scale allows 2,048 NSDs in a file system.", "Fewer modules, or a second file system."),
    "PX510": Code("error", "Replicas without failure groups to hold them",
                  "mmcrfs refuses more replicas than failure groups with disks that can store them.", "Fewer replicas, or more arrays."),
    "PX511": Code("error", "Two metadata replicas could lie on one array", "A failure group of metadata spans only part of an array although another array exists.",
                  "One group an array, or sides."),
    "PX512": Code("warning", "Fewer than three fault domains hold the file-system descriptor",
                  "Of three descriptor copies a majority must live: with two groups the loss of one array can stop the file system.",
                  "`filesystem.descriptor` (a small descOnly NSD on a third server), or a third metadata array."),
    "PX513": Code("error", "A failure-group number out of range", "GPFS takes -1 to 4,000; data and metadata arrays never share a number.", "Fewer arrays."),
    "PX514": Code("warning", "Failure-group numbers of data arrays repeat", "More arrays than numbers: some data arrays share one. Harmless with one data replica.",
                  "Mind it before raising the data replicas."),
    "PX515": Code("error", "Unbalanced paths", "Server and controller combinations serve numbers of volumes that differ by more than one.", "Report this as a bug."),
    "PX516": Code("warning", "A volume over 128 TiB", "ME5 documents 128 TiB a volume; for linear groups of the ME4 it is unconfirmed.", "Ask the vendor, or use drives up to 16 TB."),
    "PX517": Code("error", "An NSD in the wrong pool or use", "Metadata lives in `system`; every other pool is dataOnly.", "Report this as a bug."),
    "PX518": Code("error", "A block size that GPFS does not know", "64 KiB to 16 MiB, powers of two.", "Use 8 MiB, the documents' value."),
    "PX519": Code("warning", "One copy of the metadata", "The loss of one RAID 1 loses the file system.", "`metadata_replicas: 2`."),
    "PX520": Code("error", "A volume larger than its disk group", "An array cannot make it.", "Report this as a bug."),
    "PX521": Code("error", "More servers on an array than it has ports", "An ME4 has four SAS ports a controller.", "Mend the design record."),
    "PX522": Code("warning", "The chunk size does not divide the file-system block", "A full block then ends inside a RAID stripe, and each write reads first.", "512 KiB with 8 MiB."),
    "PX523": Code("warning", "The descriptor's server also serves metadata", "It falls together with the NSDs it should outlive.", "A management server."),
    "PX524": Code("error", "A disk group, volume and target disagree on their size, owner or purpose", "They describe one thing.", "Report this as a bug."),
}

RENDER_CODES: dict[str, Code] = {
    "PX601": Code("warning", "WWIDs are unknown", "Aliases can be written only after the volumes exist.",
                  "Collect `show volumes` of every array into `--observed` and render again."),
    "PX602": Code("error", "A file was edited since it was written", "Writing over it would lose the edit.", "Keep a copy, then `--force`."),
    "PX603": Code("error", "The output folder cannot be written", "A part of the path is no folder, a link, or not writable.", "Choose another folder with `-o`."),
    "PX604": Code("error", "The manifest in the output folder cannot be read", "Without it, what is ours there is unknown.", "Choose an empty folder."),
}

CODES: dict[str, Code] = (
    FILE_CODES | REQUEST_CODES | CATALOG_CODES | OBSERVED_CODES | DESIGN_CODES | PLAN_CODES | RENDER_CODES
)
"""Every code and what it means."""
