"""Kinds of finding about what is read: files, requests, catalogs and replies of arrays."""

from __future__ import annotations

from pixsize.codes.code import Code

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
        "A request is a page of text; more than 1 MiB, or more than a hundred thousand values, is a mistake or an attack.",
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
        "Names reach a shell, an array's command line, the file system, Pacemaker and file names; each reads some characters, and "
        "some words, as more than a name.",
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
    "PX110": Code(
        "error",
        "A name stands twice",
        "Two servers with one name cannot both be reached; Lustre's scripts know a host with its domain or without.",
        "Rename one.",
    ),
    "PX111": Code(
        "error",
        "More expansions behind an array than the design allows",
        "An ME4084 itself takes three ME484, the design allows one, for performance and reliability "
        "(Dell PixStor 6 white paper, System Design, Capacity expansion storage). The number is the catalog's limit "
        "`pixstor-6.expansions`.",
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
        "An accepted code is unknown, no warning, or stands twice",
        "Only warnings can be taken on. Of two reasons for one code only one would be shown.",
        "Use the code of a warning, once, with all that there is to say.",
    ),
    "PX114": Code(
        "error",
        "More modules than pixsize plans",
        "A guard against a slip of the finger, not a limit of the file system.",
        "Check the counts.",
    ),
}


CATALOG_CODES: dict[str, Code] = {
    "PX115": Code(
        "error",
        "No IPv4 address, or no subnet",
        "LNet and the fence agents need the address of each server.",
        "Write it as 10.10.0.7, or 10.10.0.0/24.",
    ),
    "PX116": Code(
        "error",
        "Addresses and servers do not go together",
        "Each server has one address, and each address one server.",
        "Give every server an address of the subnet, or leave `addresses` out.",
    ),
    "PX117": Code(
        "error",
        "A size that PowerFlex does not make",
        "A volume is a multiple of 8 GiB; the MDM would round the size up and take more of the pool than planned.",
        "Use the size named.",
    ),
    "PX118": Code(
        "error",
        "A release of Lustre that pixsize does not know",
        "Sizes and words of the rendered files are known for some releases only.",
        "Use one of those named.",
    ),
    "PX119": Code(
        "error",
        "A stripe size that Lustre does not take",
        "A stripe is a multiple of 64 KiB, less than 4 GiB (Lustre Operations Manual, lfs setstripe).",
        "Use a size such as 1 MiB.",
    ),
    "PX120": Code(
        "error",
        "More parts than pixsize plans",
        "Modules, servers, arrays, drives and switches multiply: a slip of the pen in a request or a record of "
        "`--catalog` would ask for millions, and fill the memory before anybody could be told.",
        "Fewer modules, or smaller counts in the records named; several requests for several file systems.",
    ),
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
    "PX204": Code(
        "warning",
        "Something in the folder of `--catalog` is passed over",
        "A file whose name ends neither in .yaml nor in .yml, a pipe, a link that leads nowhere or to a folder, or a "
        "folder without records adds nothing to the catalog. Hidden files and a README are passed over in silence.",
        "Put the record's own file there, name it .yaml, or take the entry out.",
    ),
    "PX205": Code(
        "error",
        "A design of a file system and volumes that pixsize does not plan together",
        "The words `filesystem` and `volumes` of a design name products; a plan is made for known pairs alone, and the "
        "kind of the record is that of its volumes.",
        "Use one of the pairs named.",
    ),
    "PX206": Code(
        "error",
        "A default of a design that no request can take",
        "The default would be refused in every request that leaves its word out, at a place where nobody wrote it.",
        "Correct the word or its value in the record of the design.",
    ),
    "PX207": Code(
        "error",
        "The folder of `--catalog` holds more than a catalog",
        "All its files together are at most 1 MiB, 1,000 files and 2,000 records, several times what is shipped: as much "
        "as is read and judged in about a second.",
        "Check that the folder is that of your records.",
    ),
}


OBSERVED_CODES: dict[str, Code] = {
    "PX301": Code(
        "error",
        "A reply that cannot be read",
        "The file is no JSON or XML reply of an array, no reply of `scli`, or an unsafe one.",
        "Collect the reply again, as the run book in the `me4` or `powerflex` folder says.",
    ),
    "PX302": Code(
        "error",
        "No reply of an array, or one of an array that the plan does not have",
        "A file is a reply when its name begins with the array's id and ends in .json or .xml, such as "
        "`sm01a1.volumes.json`; those of PowerFlex are `powerflex.login.txt` and `powerflex.volumes.txt`. A folder without "
        "any would plan as if nothing had been given.",
        "Rename the file, or name the right folder; `pixsize plan` lists the ids.",
    ),
    "PX303": Code(
        "error",
        "A field of a reply is missing, or cannot be right",
        "The size, name or WWID that is needed is not in the reply, or two of its fields contradict each other. A volume "
        "whose `wwn` and `serial-number` are not of one volume, or whose `wwn` is of no such array (600c0ff...), would "
        "give an alias to another device.",
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
    "PX309": Code(
        "error",
        "Replies give two identities for one volume",
        "Two WWIDs on an array, or two ids on PowerFlex, are two volumes. One of them is gone, or of another system: the name of "
        "a device that is made of it names the wrong one, or none, and scripts format what is named.",
        "Keep only the newest reply; where that lists both, find out which volume is meant.",
    ),
    "PX310": Code(
        "warning",
        "A reply under the name of another command",
        "Every file is read for what it holds, whatever it is called; but the name says what was meant, and the reply "
        "that should have it is not there.",
        "Rename the file, and collect the reply that its name says.",
    ),
    "PX311": Code(
        "error",
        "The folder of `--observed` holds more than replies",
        "All replies together have bounds, above those of the largest plan as JSON, 126 arrays with an expansion each: 5,000 "
        "files, 128 MiB, 50,000 objects, and about six million values, of which an element of XML counts for seven. As "
        "much is read in a second or two.",
        "Name the folder that holds the replies of this system's arrays alone, and collect them as JSON.",
    ),
}
