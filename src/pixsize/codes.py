"""The registry of findings: one entry a code, from which the reference pages are generated."""

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
    "PX001": Code(
        "error",
        "The file cannot be read",
        "The path is missing, a folder, or not readable.",
        "Give the path of a request, or the name of a shipped example; `pixsize init` writes a starter.",
    ),
    "PX002": Code(
        "error",
        "The file is too large",
        "A request is a page of text; more than 1 MiB is a mistake or an attack.",
        "Check that the path is the request's.",
    ),
    "PX003": Code(
        "error",
        "The file is not UTF-8 text",
        "Binary data or another encoding would be misread.",
        "Save the file as UTF-8 without control characters.",
    ),
    "PX004": Code(
        "error",
        "The YAML cannot be parsed",
        "The text is no YAML: a tab as indentation, an open bracket or quote.",
        "Mend the place that is shown.",
    ),
    "PX005": Code(
        "error",
        "The file is empty, or holds no mapping",
        "A request is a mapping of words to values.",
        "Start from `pixsize init large+hdmd`.",
    ),
    "PX006": Code(
        "error",
        "The file holds a second document",
        "Everything behind `---` would be ignored in silence.",
        "One document a file.",
    ),
    "PX007": Code("error", "A key stands twice", "YAML lets the later value win in silence.", "Remove one of the two."),
    "PX008": Code(
        "error",
        "Anchors, aliases and tags are not accepted",
        "They can explode, recurse or build objects; a request has no use for them.",
        "Write the value out.",
    ),
    "PX009": Code(
        "error",
        "A bare value that YAML readers understand in different ways",
        "`yes`, `010`, `1_000`, `1:30`, dates and the like change their meaning between YAML versions.",
        "Write true or false, a plain decimal number, or put quotes around a text.",
    ),
    "PX010": Code(
        "error", "The nesting is too deep", "No request nests deeper than a few levels.", "Remove the brackets."
    ),
}

REQUEST_CODES: dict[str, Code] = {
    "PX101": Code(
        "error", "Unknown word", "A misspelt word would silently fall back to a default.", "Use a word of the schema."
    ),
    "PX102": Code(
        "error", "Unknown value", "The value is none of those that the word takes.", "Use one of the values named."
    ),
    "PX103": Code("error", "A word is missing", "The plan cannot be made without it.", "Add the word."),
    "PX104": Code("error", "Wrong kind of value", "The value has the wrong type.", "Use the type named."),
    "PX105": Code(
        "error", "A number without a unit", "12 could be TB or TiB: a difference of a tenth.", "Write the unit."
    ),
    "PX106": Code(
        "error",
        "Wrong unit",
        "The unit does not measure this, or is not one that pixsize knows.",
        "Use the unit named.",
    ),
    "PX107": Code(
        "error",
        "A name that something could misread",
        "Names reach a shell, an array's command line, GPFS and file names; each reads some characters as more than a name.",
        "Letters, digits and, where allowed, `_`, `-` and `.`; begin with a letter.",
    ),
    "PX108": Code(
        "error",
        "A number out of range",
        "Counts are whole numbers within the limits of the design.",
        "Use a number in range.",
    ),
    "PX109": Code(
        "error",
        "A drive that does not fit",
        "The slot takes another kind of drive, or no such drive is in the catalog.",
        "Use a drive that the finding names; `pixsize catalog list drive` shows all.",
    ),
    "PX110": Code("error", "A name stands twice", "Two servers with one name cannot both be reached.", "Rename one."),
    "PX111": Code(
        "error",
        "One ME484 at the most behind an ME4084",
        "The array itself takes three, the design allows one, for performance and reliability "
        "(Dell PixStor 6 white paper, System Design, Capacity expansion storage).",
        "`expansion: true`, and further modules for more.",
    ),
    "PX112": Code(
        "error",
        "The wrong number of host names",
        "Every module is a pair of servers.",
        "Two names a module, module by module.",
    ),
    "PX113": Code(
        "error",
        "An accepted code is unknown, or no warning",
        "Only warnings can be taken on.",
        "Use the code of a warning.",
    ),
    "PX114": Code(
        "error",
        "More modules than pixsize plans",
        "A guard against a slip of the finger, not a limit of the file system.",
        "Check the counts.",
    ),
}

CATALOG_CODES: dict[str, Code] = {
    "PX201": Code(
        "error",
        "Two catalog records with one id",
        "Which one holds would depend on the order of files.",
        "Write `replaces: ID` to replace a record, or use another id.",
    ),
    "PX202": Code(
        "error",
        "A catalog record that is not there",
        "The record named is neither shipped nor in `--catalog`.",
        "`pixsize catalog list` shows what there is.",
    ),
    "PX203": Code(
        "error",
        "A catalog record that does not hold what its kind needs",
        "Each kind of record has a schema.",
        "`pixsize catalog show ID` prints a record of the kind to start from.",
    ),
}

OBSERVED_CODES: dict[str, Code] = {
    "PX301": Code(
        "error",
        "A reply of an array that cannot be read",
        "The file is no JSON or XML reply, or an unsafe one.",
        "Collect the reply again, as the run book in the `me4` folder says.",
    ),
    "PX302": Code(
        "error",
        "A reply of an array that the plan does not have",
        "The file name begins with the array's id.",
        "Rename the file; `pixsize plan` lists the ids.",
    ),
    "PX303": Code(
        "error",
        "A field is missing in a reply",
        "The size or name that is needed is not in the reply.",
        "Collect the reply again.",
    ),
    "PX304": Code(
        "error",
        "The array does not hold what is planned",
        "The reply contradicts the plan.",
        "Correct the request, or the array, before any command is run.",
    ),
    "PX305": Code(
        "error",
        "A command on the array had failed",
        "The reply's own status says that the command did not succeed.",
        "Run the command again and keep the reply of the run that succeeds.",
    ),
    "PX306": Code(
        "warning",
        "Something on the array differs from the plan",
        "The system works, but not quite as planned.",
        "Compare before going on.",
    ),
    "PX307": Code(
        "warning",
        "Two replies give different values for one thing",
        "The later file name was read last.",
        "Keep only the newest reply.",
    ),
    "PX308": Code(
        "note",
        "Nothing was observed of an array",
        "Sizes and WWIDs of this array are planned, not reported.",
        "Collect the replies that the run book names.",
    ),
}

DESIGN_CODES: dict[str, Code] = {
    "PX401": Code(
        "warning",
        "An expansion behind a module it is not sold for",
        "The white paper sells the expansion as an option of Large (Dell PixStor 6 white paper, Solution overview), "
        "while its component list describes it for any storage module (System Design). It works; nobody measured it "
        "and the vendor may not quote it.",
        "Ask the vendor, then take the warning on with `accept`; or `expansion: false`, or a Large.",
    ),
    "PX402": Code(
        "warning",
        "As many ME4024 as Table 1 names for Large only, without a Large",
        "Table 1 of the Dell PixStor 6 white paper names four ME4024 for the Large configuration only; its metadata "
        "section allows up to four without that condition. Servers of a smaller system may not keep four arrays busy.",
        "Fewer `hdmd.arrays`, or a Large storage module; or ask the vendor and accept it.",
    ),
    "PX403": Code(
        "warning",
        "A further HDMD module before the first has all its arrays",
        "The Dell PixStor 6 white paper (metadata performance) suggests to go to four ME4024 before adding another "
        "metadata module: a pair of servers costs more than an array and brings no capacity.",
        "`hdmd.modules: 1` with more `hdmd.arrays`, and a second module only when the first is full.",
    ),
    "PX404": Code(
        "note",
        "No source confirms that the arrays support this drive",
        "The documents name some capacities and refer to the ME4 support matrix for the rest, which was not available "
        "to this project (Dell PixStor 6 white paper, Solution components).",
        "Check the ME4 support matrix before quoting.",
    ),
    "PX405": Code(
        "note",
        "No metadata rates for the standard variant",
        "The documents measure metadata with the high-demand metadata module only; for SSDs inside the ME4084 no rate "
        "was ever published, and scaling one from other arrays would be a guess.",
        "Measure, and add a measurement to the catalog.",
    ),
    "PX406": Code(
        "note",
        "The switches cover the access layer only",
        "Servers and arrays need more ports than the switches of the design have (Dell PixStor 6 white paper, Table 1 "
        "and High-Speed, Management and SAS Connections). The plan counts enough access switches; what joins them is "
        "not planned.",
        "Plan the uplinks or the spine separately, or use the cluster's own fabric.",
    ),
    "PX407": Code(
        "note",
        "No power figure",
        "No document at hand gives the draw of the parts, and the rating of a power supply is no draw.",
        "Use the vendor's planner.",
    ),
    "PX408": Code(
        "warning",
        "Unlike NSDs share a pool",
        "GPFS stripes over all NSDs of a pool alike (IBM Storage Scale documentation, storage pools and block "
        "allocation): the slowest NSD paces the rest, and once the smallest are full, new blocks go to fewer NSDs.",
        "Equal modules, or one file system for each kind.",
    ),
    "PX409": Code(
        "warning",
        "Metadata capacity is lost to unequal failure groups",
        "The copies of a block lie in different failure groups (IBM Storage Scale documentation, mmcrfs -m), so with "
        "two copies usable is min(sum/2, sum - largest): what the largest group has beyond all others together stays "
        "empty.",
        "Failure groups of equal size: `filesystem.failure_groups: per_array`, or equal SSDs and modules.",
    ),
    "PX410": Code(
        "note",
        "The volumes are planned under nominal size",
        "The real size of a disk group is known only once it exists, and `create volume` has no `size max`. The "
        "margin is the catalog's constant `me4.volume_margin`. An NSD does not grow afterwards.",
        "Create the groups, collect `show disk-groups` into `--observed`, and render again; or expand every volume "
        "(`expand volume size max`) before mmcrnsd.",
    ),
    "PX411": Code(
        "note",
        "No evidence for a throughput",
        "Nothing measured or specified lies close enough to scale from.",
        "Measure, and add a measurement to the catalog.",
    ),
}

PLAN_CODES: dict[str, Code] = {
    "PX501": Code(
        "error",
        "A slot is used twice",
        "A drive belongs to one disk group, or is a spare: the array refuses a drive that is in use.",
        "Mend the layout record; with the shipped records, report this as a bug.",
    ),
    "PX502": Code(
        "error",
        "A slot outside the enclosure, or one left over",
        "Every slot of an enclosure has exactly one use (Dell PixStor 6 white paper, Figures 12 to 14); a drive that "
        "was bought and not planned would be paid for and do nothing.",
        "Mend the layout record; with the shipped records, report this as a bug.",
    ),
    "PX503": Code(
        "error",
        "A disk group with an illegal number of drives",
        "RAID 1 takes exactly two drives, linear RAID 6 four to sixteen (Dell PowerVault ME4 Administrator's Guide, "
        "RAID levels).",
        "Mend the layout record, or the limit if the vendor's document says otherwise.",
    ),
    "PX504": Code(
        "error",
        "A disk group that does not lie in one enclosure of its array",
        "An expansion is lost as a whole, with its cable or its power: a group that straddles it and the controllers' "
        "own enclosure would lose too many drives at once. In this design a group stays within one (Dell PixStor 6 "
        "white paper, Storage Configuration on ME4 Arrays).",
        "Mend the layout record; with the shipped records, report this as a bug.",
    ),
    "PX505": Code(
        "error",
        "A drive of the wrong kind in a group, or a spare that fits none",
        "All drives of a group are of one type; a global spare must be of the type, and at least of the size, of the "
        "drives that it stands in for (Dell PowerVault ME4 Administrator's Guide, Spares).",
        "Mend the layout record, or choose drives that fit.",
    ),
    "PX506": Code(
        "error",
        "A disk group without one volume, a volume without one target, or a target without its volume",
        "A volume spans the whole group and one NSD stands on one volume. A device that is used twice loses data; one "
        "that is used by nobody is lost capacity.",
        "Report this as a bug.",
    ),
    "PX507": Code(
        "error",
        "Names collide, or are illegal",
        "One name serves the NSD, the multipath alias and the array's volume: letters, digits and `_` only, at most "
        "31 characters, never beginning with gpfs (IBM Storage Scale, message 6027-1945), and unique even where upper "
        "and lower case are the same.",
        "Rename; with generated names, report this as a bug.",
    ),
    "PX508": Code(
        "error",
        "A LUN is used twice on an array, or is out of range",
        "All volumes of an array are mapped to all of its ports, so each needs a LUN of its own. 0 and 1 may be taken "
        "by the enclosure's own devices; 254 is the last that the array takes.",
        "Report this as a bug.",
    ),
    "PX509": Code(
        "error",
        "Too many NSDs for one file system",
        "IBM Storage Scale allows 2,048 NSDs in a file system, and enforces it (IBM Storage Scale 5.2.3 "
        "documentation, Disk considerations).",
        "Fewer modules, or a second file system.",
    ),
    "PX510": Code(
        "error",
        "Replicas without failure groups to hold them",
        "mmcrfs refuses more metadata replicas than there are failure groups with disks that can store metadata (IBM "
        "Storage Scale documentation, mmcrfs -m).",
        "Fewer `filesystem.metadata_replicas`, or more metadata arrays.",
    ),
    "PX511": Code(
        "error",
        "Two metadata replicas could lie on one array",
        "The metadata LUNs of an array lie in two failure groups although another array exists. GPFS only knows "
        "failure groups, so both copies of a block may land on that array and be lost with it. The white paper keeps "
        "them on separate arrays (Dell PixStor 6 white paper, Storage Configuration on ME4 Arrays).",
        "One failure group an array, or `filesystem.failure_groups: sides`.",
    ),
    "PX512": Code(
        "warning",
        "Fewer than three fault domains hold the file-system descriptor",
        "GPFS keeps three copies of the file-system descriptor on NSDs of the system pool and needs a majority of "
        "them (IBM Storage Scale documentation, file system descriptor quorum). With two fault domains one of them "
        "holds two of the three: its loss stops the file system, mirrored metadata or not.",
        "`filesystem.descriptor` (a small descOnly NSD on a third server), or a third metadata array. With one "
        "metadata array neither helps alone: the metadata goes with it.",
    ),
    "PX513": Code(
        "error",
        "A failure-group number out of range, or shared by data and metadata arrays",
        "GPFS takes simple numbers from -1 to 4,000 (IBM Storage Scale, message 6027-387). A number that a data array "
        "shares with another array's metadata would declare two fault domains to be one; -1 declares every NSD to be "
        "one of its own.",
        "Fewer arrays; with the shipped design, report this as a bug.",
    ),
    "PX514": Code(
        "warning",
        "Failure-group numbers of data arrays repeat",
        "There are more data arrays than numbers (GPFS ends at 4,000), so some arrays share one. With one copy of the "
        "data it changes nothing.",
        "Mind it before raising the data replicas.",
    ),
    "PX515": Code(
        "error",
        "Unbalanced paths",
        "Each volume has a controller that owns it and a server that clients ask first. Every server × controller "
        "combination must serve the same number of volumes of an array and pool, or one more, and so over all arrays "
        "of a module; otherwise one path carries what others could.",
        "Report this as a bug.",
    ),
    "PX516": Code(
        "warning",
        "A volume over 128 TiB",
        "128 TiB is the largest volume of the ME5, the next generation; for linear disk groups of the ME4 no source "
        "at hand gives a limit. Eight data drives of 18 TB make 131 TiB.",
        "Ask the vendor, and accept it; or use drives up to 16 TB.",
    ),
    "PX517": Code(
        "error",
        "An NSD in the wrong pool or use",
        "Metadata and descriptors live in the pool `system` only, every other pool is dataOnly (IBM Storage Scale, "
        "messages 6027-2636 and 6027-1339); data in `system` would fill the SSDs.",
        "Report this as a bug.",
    ),
    "PX518": Code(
        "error",
        "A block or inode size that GPFS does not know",
        "Blocks are 64 KiB to 16 MiB, inodes 512 B to 4 KiB, both powers of two (IBM Storage Scale documentation, "
        "mmcrfs -B and -i).",
        "8 MiB, the white paper's block, with 4 KiB inodes.",
    ),
    "PX519": Code(
        "warning",
        "One copy of the metadata",
        "A RAID 1 survives one drive. With a single copy the loss of both drives of any pair, or of one metadata "
        "array, loses the file system; the white paper replicates all metadata (Storage Configuration on ME4 Arrays).",
        "`filesystem.metadata_replicas: 2`.",
    ),
    "PX520": Code(
        "error",
        "A volume larger than its disk group",
        "The array refuses a volume that its group cannot hold.",
        "Report this as a bug.",
    ),
    "PX521": Code(
        "error",
        "More servers on an array than ports, or more on an NSD than GPFS takes",
        "Every server has a port of its own on each controller (Dell PixStor 6 white paper, Figures 5 and 7: A0 to A3 "
        "and B0 to B3), and an NSD takes at most eight servers (IBM Storage Scale documentation, Disk "
        "considerations).",
        "Mend the design record.",
    ),
    "PX522": Code(
        "warning",
        "A RAID stripe does not divide the file-system block",
        "A stripe holds the chunk size times the data drives. When it does not divide the block, a full block ends "
        "inside a stripe, and the array must read before it can write the parity (Dell PowerVault ME4 Administrator's "
        "Guide: powers of two of data drives, for the same reason).",
        "`chunk_size: 512 KiB` with 8+2 drives and a block of 8 MiB, or any chunk that divides.",
    ),
    "PX523": Code(
        "warning",
        "The descriptor's server also serves metadata",
        "The descOnly NSD is there to outlive the metadata arrays; on one of their own servers it falls with whatever "
        "takes that module down.",
        "A server of no metadata module, such as a management server.",
    ),
    "PX524": Code(
        "error",
        "A disk group, volume and target disagree",
        "They describe one thing: array, controller, purpose, size, chunk size, device and servers must follow from "
        "one another, or the files that are rendered build something else than the plan says.",
        "Report this as a bug.",
    ),
    "PX525": Code(
        "error",
        "The plan is not what was asked for",
        "Modules, arrays, drives, servers, slots and settings of the plan are compared with the request and the "
        "design's records, without asking how the plan was made.",
        "Report this as a bug.",
    ),
}

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

CODES: dict[str, Code] = (
    FILE_CODES | REQUEST_CODES | CATALOG_CODES | OBSERVED_CODES | DESIGN_CODES | PLAN_CODES | RENDER_CODES
)
"""Every code and what it means."""
