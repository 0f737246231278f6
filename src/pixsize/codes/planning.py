"""Kinds of finding about a finished plan."""

from __future__ import annotations

from pixsize.codes.code import Code

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
        "A volume spans the whole group and one target stands on one volume; an MGT of its own lies beside the first MDT. "
        "A device that is used twice loses data; one that is used by nobody is lost capacity.",
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
        "The loss of one array may take the majority of the file-system descriptor",
        "GPFS keeps three copies of the file-system descriptor, or five where the NSDs lie in five failure groups, and "
        "needs a majority of them (IBM Storage Scale documentation, file system descriptor quorum). They lie on NSDs of "
        "any pool, in different failure groups as far as there are enough. With two groups one of them holds two of "
        "three copies; an array that has NSDs in two groups may hold two as well. Its loss then stops the file system, "
        "mirrored metadata or not.",
        "`filesystem.descriptor` (a small descOnly NSD on a server of its own), or more arrays.",
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
        "of a module, and the servers of a PowerFlex pool likewise; otherwise one path carries what others could.",
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
        "messages 6027-2636 and 6027-1339); data in `system` would fill the SSDs. A file system has at most eight pools.",
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
        "The descriptor's server also serves metadata, or has two names",
        "The descOnly NSD is there to outlive the metadata arrays; on one of their own servers it falls with whatever "
        "takes that module down. A name that is written differently from the planned server's (in case, or with a domain) "
        "may be no node of the cluster.",
        "A server that serves no NSDs (PX574), such as a management server, under its name in the plan.",
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
    "PX526": Code(
        "error",
        "An array or pool beyond what its vendor allows",
        "An array takes a number of enclosures and drives behind its controllers (Dell PowerVault ME4 Deployment Guide, "
        "Supported configurations: four enclosures and 336 drives for an ME4084, ten enclosures for an ME4024). The "
        "finding names the limit record of the catalog.",
        "Smaller layouts, or a limit record with the vendor's word for more.",
    ),
    "PX527": Code(
        "warning",
        "An array or pool beyond a bound that was seen for a sibling or another release only",
        "How many linear disk groups and global spares an ME4 takes, and how long its names may be, is known from older "
        "siblings and from code that drives them (HP MSA 2040 SMU Reference Guide, System configuration limits; Seagate "
        "Exos X API); how many devices and servers a PowerFlex pool takes, for release 4 only. Such limit records say "
        "`confirmed: false`.",
        "Ask the vendor; then replace the limit record, or take the warning on with `accept`.",
    ),
    "PX528": Code(
        "error",
        "Fewer SAS ports in a server than controllers to reach",
        "Each server has one port of its SAS adapters connected to each controller of each array of its module (Dell "
        "PixStor 6 white paper, Storage Configuration on ME4 Arrays). A Large needs eight, the two HBA355e have eight.",
        "Fewer arrays in the module size, or more adapters, or some with more ports, in the design record.",
    ),
    "PX529": Code(
        "error",
        "One device in two NSDs, or two targets",
        "The device of the descriptor's NSD is one that the plan already uses: a volume of an array, by its alias or "
        "WWID, or a device of another NSD on the same server. The second mmcrnsd would write over the first (IBM "
        "Storage Scale documentation, mmcrnsd); so would a second mkfs.lustre.",
        "A small disk or partition of the server's own in `filesystem.descriptor.device`; for Lustre, collect the replies "
        "about the volumes again.",
    ),
    "PX573": Code(
        "warning",
        "All metadata lies on one array",
        "Two copies of the metadata in two failure groups survive the loss of a volume. Where both groups are of one "
        "array, nothing survives the loss of that array: the data on all others cannot be found without the metadata. "
        "That the descriptor outlives it (PX512) does not help. The white paper keeps the copies on separate arrays "
        "(Dell PixStor 6 white paper, Storage Configuration on ME4 Arrays).",
        "A second array that holds metadata: `hdmd.arrays: 2`, or in the standard variant a second storage array.",
    ),
    "PX574": Code(
        "warning",
        "The descriptor's server also serves NSDs",
        "A server with a descOnly NSD is set to unmountOnDiskFail=yes, so that it gives up its own mount when it loses the "
        "NSDs, and does not panic the file system for everybody (IBM Storage Scale documentation, mmchconfig and file "
        "system descriptor quorum). On a server that serves NSDs of arrays, one failed disk then takes the mount of a "
        "production server away.",
        "A server that serves no NSDs, such as a management server.",
    ),
    "PX575": Code(
        "error",
        "A part of the plan that no rule judges",
        "Each design has rules for the kinds of target, volume, server and array that it is made of. A part of another "
        "kind would pass all of them unseen, and files would be rendered that nobody has judged.",
        "Report this as a bug; who adds a product adds the rules that judge its parts.",
    ),
}
