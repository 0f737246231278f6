"""Kinds of finding about a design: what the documents advise, and what no evidence says."""

from __future__ import annotations

from pixsize.codes.code import Code

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
        "section allows up to four without that condition. Servers of a smaller system may not keep four arrays busy. "
        "The arrays of all HDMD modules count together.",
        "Fewer `hdmd.arrays` or `hdmd.modules`, or a Large storage module; or ask the vendor and accept it.",
    ),
    "PX403": Code(
        "warning",
        "A further HDMD module before the first has all its arrays",
        "The Dell PixStor 6 white paper (metadata performance) suggests to go to four ME4024 before adding another "
        "metadata module: a pair of servers costs more than an array and brings no capacity.",
        "`hdmd.modules: 1` with more `hdmd.arrays`, and a second module only when the first is full. Without a Large, "
        "three arrays are as many as Table 1 has (PX402).",
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
        "allocation): the slowest NSD paces the rest, and once the smallest are full, new blocks go to fewer NSDs. Sizes "
        "that the arrays report count as unlike from 0.5 % on.",
        "Equal modules, and groups of equal size; or one file system for each kind, from a request and in a cluster "
        "of its own. Names of NSDs are unique in a cluster, and every request numbers its modules from 1: the stanzas of "
        "two requests name the same NSDs (`sm01a1_data01`), and no word of a request sets the first number.",
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
        "margin is the catalog's constant `me4.volume_margin`. An NSD does not grow afterwards. Beside volumes of exact size in the same pool such "
        "NSDs are also unlike (PX408) unless they are expanded.",
        "Create the groups, collect `show disk-groups` into `--observed`, and render again; or expand every volume "
        "(`expand volume size max`) before it is mapped, and in any case before mmcrnsd.",
    ),
    "PX411": Code(
        "note",
        "No evidence for a throughput",
        "Nothing measured or specified lies close enough to scale from.",
        "Measure, and add a measurement to the catalog.",
    ),
    "PX415": Code(
        "note",
        "A size of OSS module that is pixsize's own",
        "The document has one pair of OSS with four arrays (Dell EMC Ready Solution for HPC Lustre Storage using PowerVault ME4, 1. "
        "Solution Reference Architecture). One or two arrays a pair are built alike, and nobody measured them.",
        "`size: large`; or take figures for what they are, estimates.",
    ),
    "PX416": Code(
        "note",
        "IML only watches",
        "IML scans a file system that was made on the command line under its monitored server profile, and does not manage its "
        "high availability then. Under the managed profile it owns Pacemaker and LNet, and the rendered files would be a second "
        "owner (documentation of Integrated Manager for Lustre).",
        "Add the servers under the monitored profile only.",
    ),
    "PX417": Code(
        "note",
        "The request gives no addresses for a network",
        "Without them the plan is complete but for the addresses; files that name servers cannot be written.",
        "Add the word that the finding names.",
    ),
    "PX418": Code(
        "note",
        "Sizes of a neighbouring release",
        "What mkfs.lustre asks of mke2fs was read for 2.10.8 and 2.15.8; other versions take the sizes of the nearer one. A script "
        "that makes a target stops where dumpe2fs shows others.",
        "Nothing; or one of the two versions.",
    ),
    "PX419": Code(
        "note",
        "Fencing an OSS stops a storage server of the pool",
        "OSS and SDS are one server. While the pool rebuilds what a lost one held, many bytes have one copy, and the loss of a second "
        "server stops every target. With three members the MDM cluster stops when two of them are lost, with five when three are.",
        "Look at the pool before a server is stopped, and wait for a rebuild to end.",
    ),
    "PX420": Code(
        "warning",
        "A fence agent that the catalog does not know",
        "A misspelt agent, or one that lacks an option, is noticed when a server is lost and nobody can switch it off; pcs takes "
        "any address without asking (pcs(8), stonith create).",
        "Name one that the catalog has, or add a record of the kind `fence_agent` with its options.",
    ),
    "PX421": Code(
        "note",
        "Fencing is given, and nothing fails over",
        "A lost server is switched off before another one takes its targets over. With `failover: false` none does: no files for high "
        "availability are rendered, and neither agent nor addresses stand anywhere.",
        "Leave `fencing` out, or `failover: true`.",
    ),
}
