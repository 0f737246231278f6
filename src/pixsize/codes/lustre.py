"""Kinds of finding about a finished plan of Lustre: its targets, servers and files, and the pool below them."""

from __future__ import annotations

from pixsize.codes.code import Code

LUSTRE_CODES: dict[str, Code] = {
    "PX530": Code(
        "error",
        "Too many OSTs or MDTs for one file system",
        "Lustre takes 8,150 OSTs and 256 MDTs in a file system (Lustre Operations Manual, File and File System Limits). 254 "
        "Large modules and a Medium have 8,144 OSTs, 255 Large have 8,160.",
        "Fewer modules, servers or pairs, or a second file system.",
    ),
    "PX531": Code(
        "error",
        "A name that mkfs.lustre refuses",
        "The name of a Lustre file system has one to eight characters out of A-Z, a-z, 0-9, _ and - (Lustre Operations "
        "Manual, mkfs.lustre, --fsname).",
        "A shorter `filesystem.name`; the mount point may have any name.",
    ),
    "PX532": Code(
        "error",
        "Indexes or labels of targets that do not fit together",
        "A target's index is its own among those of its kind, below 65535, and never changes. MDT0000 holds the root "
        "directory and must exist. The label is made of name, kind and index; a target that is started under another "
        "one is refused (Lustre Operations Manual, mkfs.lustre, --index).",
        "Report this as a bug.",
    ),
    "PX533": Code(
        "error",
        "No MGS, or several",
        "One MGS holds the configuration of the file system: on an MGT of its own, or on MDT0000. Servers and clients ask "
        "there first (Lustre Operations Manual, Lustre Components).",
        "Report this as a bug.",
    ),
    "PX534": Code(
        "error",
        "An OST larger than ldiskfs takes",
        "1 PiB is the largest OST on ldiskfs (Lustre Operations Manual, File and File System Limits).",
        "Smaller drives, or smaller `powerflex.ost`.",
    ),
    "PX535": Code(
        "warning",
        "An OST larger than any in use",
        "The manual calls OSTs of up to 256 TB usual, and 24 to 48 TB typical (Lustre Operations Manual, File and File System "
        "Limits). A check of a larger one takes days, and nobody is known to have done it.",
        "More and smaller OSTs; or accept it.",
    ),
    "PX536": Code(
        "error",
        "An MDT of which more than its inodes can use",
        "ldiskfs counts inodes with 32 bits, and mke2fs stops at 4,293,918,720. At 2,560 bytes an inode they fill just under "
        "10 TiB: Whamcloud's mke2fs adds no more and says nothing, the stock one refuses (Lustre Operations Manual, File and "
        "File System Limits; e2fsprogs).",
        "`metadata.drive: 1.92 TB` at most, and more `metadata.pairs` for more inodes; on PowerFlex a smaller `powerflex.mdt`.",
    ),
    "PX561": Code(
        "error",
        "An address on the second link of a cluster that is none",
        "Corosync sends its messages over both links, to the address that each server has on each. An address that two servers "
        "share, or that belongs to a controller or to another server, splits the cluster (corosync.conf(5), nodelist).",
        "Mend `fencing.ring.addresses`.",
    ),
    "PX562": Code(
        "error",
        "A second level of fencing that hits something else",
        "An outlet that feeds another server switches that one off; a device of SBD is overwritten from its first block on "
        "(Pacemaker Explained, Fencing Topologies; sbd(8)).",
        "Mend `fencing.second`.",
    ),
    "PX563": Code(
        "warning",
        "Devices of SBD that no file here makes",
        "The volumes of a plan take whole disk groups, or the pool, and all of them are targets. The devices of SBD have to come from "
        "another storage, and each server of a cluster has to see them under the same path (sbd(8)).",
        "A small LUN of a further array, or local iSCSI, by its path below /dev/disk/by-id; accept the warning once it is "
        "there. Or `agent: fence_apc_snmp` with the outlets of PDUs.",
    ),
    "PX560": Code(
        "warning",
        "An MGT far larger than it can use",
        "An MGS keeps the configuration of its file systems, less than 100 MB (Lustre Operations Manual, Determining MGT Space "
        "Requirements). What its volume takes beyond that is lost for OSTs and MDTs.",
        "A smaller `powerflex.mgt`; was GiB meant?",
    ),
    "PX537": Code(
        "error",
        "A device that no target can be made on",
        "mkfs.lustre refuses devices below 32,384 KiB. For an OST of nearly 16 TiB it asks mke2fs for room to grow to as many "
        "blocks as the device has already, which mke2fs refuses. An MDT of 10 TiB to the byte would have one inode more than "
        "32 bits count, and the stock mke2fs refuses it. An MGT of 16 TiB would need extents, which it is made without (Lustre source, lustre/utils; e2fsprogs).",
        "Another size of drive or volume: 32,384 KiB at least; an OST of 16 TiB or more, or of less than 4,290,772,992 blocks of "
        "4 KiB; an MDT of less than 10 TiB.",
    ),
    "PX538": Code(
        "error",
        "Service nodes, MMP and failover disagree",
        "With failover each target names the two nodes that may serve it (`--servicenode`), they are a pair that takes over "
        "for each other, and MMP guards the target against being mounted by both. Without, one node serves it and nothing "
        "guards it (Lustre Operations Manual, mkfs.lustre, --servicenode; Multiple-Mount Protection).",
        "Report this as a bug.",
    ),
    "PX539": Code(
        "error",
        "MDTs or the MGS are not spread over the MDS",
        "With DNE each MDS of a pair serves one MDT, on a controller of its own: this is what a second MDT is for (Dell EMC "
        "Ready Solution for HPC Lustre Storage using PowerVault ME4, 1. Solution Reference Architecture). The MGS prefers "
        "the MDS that does not serve MDT0000, so that it can say where MDT0000 has gone; without failover it lies beside "
        "it, as in the PowerFlex paper.",
        "Report this as a bug.",
    ),
    "PX540": Code(
        "error",
        "A server without an address of its own on a network",
        "Every target is told the addresses of the nodes that may serve it and of the MGS. A comma between them would name "
        "one node, a colon two, and without `@` and the network Lustre would take an address for one on tcp (Lustre Operations "
        "Manual, mkfs.lustre; Configuring LNet). The servers of a PowerFlex pool are told from each other by address too.",
        "Mend `network.addresses`, or `powerflex.network.addresses`.",
    ),
    "PX541": Code(
        "error",
        "A server that nobody else can switch off",
        "Before a partner takes targets over, the lost server must be off, or both write (Pacemaker Explained, Fencing). Each "
        "has a management controller with an address of its own: one that two servers share would switch off the wrong one, "
        "and one of the server's other interfaces does not answer when it hangs.",
        "Mend `fencing.addresses`.",
    ),
    "PX542": Code(
        "warning",
        "Less memory than the targets of a server want",
        "An OSS wants 24 GB and 4 GB for each OST, twice as much for each of its own where a partner's may come to it; an MDS "
        "about 60 GB, 96 GB in a pair with two MDTs (Lustre Operations Manual, Determining Memory Requirements). An SDS on the "
        "same server takes memory beside it.",
        "More memory in the server record, or fewer targets a server.",
    ),
    "PX543": Code(
        "error",
        "A format that does not follow from the target's size",
        "The scripts compare what dumpe2fs and tunefs.lustre show with the plan and stop where it differs. Blocks, inodes, "
        "journal, reserve and flags are worked out roughly a second time (Lustre source, lustre/utils; mke2fs(8)).",
        "Report this as a bug.",
    ),
    "PX544": Code(
        "error",
        "Stride or stripe width are not those of the disk group",
        "The stride is a chunk, the stripe width a chunk on each data drive, in blocks of 4 KiB. mke2fs takes any two numbers, "
        "and wrong ones make the array read before it writes; the text may have 511 characters (Lustre Operations Manual, "
        "Setting mkfs options for RAID devices; Lustre source, mkfs_lustre.c).",
        "Report this as a bug.",
    ),
    "PX545": Code(
        "warning",
        "Full stripes do not fill an RPC",
        "Clients send data in RPCs of 4 MiB. Where full stripes of the RAID group do not fill one, its end is a part of a stripe, "
        "and the array reads before it can write the parity. The manual asks for full stripes of 1 MiB or less, that is 128 KiB "
        "a chunk over eight data drives; 512 KiB fill 4 MiB (Lustre Operations Manual, Configuring Storage, RAID).",
        "A `chunk_size`, or a layout, with a power of two of data drives.",
    ),
    "PX546": Code(
        "note",
        "The objects of the OSTs are what ends the number of files",
        "A file takes an inode of an MDT and an object of each OST that it is striped over; each target is formatted with a "
        "fixed number. Inodes of several MDTs add up where directories are spread over them: from 2.14.54 on Lustre does so by "
        "itself, before that a directory stays on its parent's MDT (Lustre Operations Manual, Determining Space Requirements; "
        "Lustre source, mdd_device.c).",
        "Nothing, where files are larger than the finding says. Where they are smaller: a record of your own for the release, with "
        "fewer bytes an inode for OSTs (`pixsize catalog show`, then `replaces` in `--catalog`). An `-i` that is added to a "
        "rendered script makes the script stop: what it reads back is not the plan's.",
    ),
    "PX547": Code(
        "warning",
        "The inodes of the MDTs end before the objects of the OSTs",
        "An MDT should have as many inodes as the OSTs hold objects, divided by the stripe count (Lustre Operations Manual, "
        "Determining MDT Space Requirements). Here files end with the inodes: OSTs full of files smaller than the finding says "
        "cannot be reached.",
        "DNE, more pairs or larger SSDs; or accept it where files are larger.",
    ),
    "PX548": Code(
        "error",
        "More stripes than the release gives a file",
        "2,000 stripes need `ea_inode` on the MDT, which the default format of 2.15 has; before, 160 are the most (Lustre "
        "Operations Manual, File and File System Limits).",
        "A smaller `filesystem.stripe_count`, or a newer release.",
    ),
    "PX549": Code(
        "warning",
        "A default layout of more stripes than files get",
        "Lustre gives a file as many stripes as there are OSTs, or as the release allows, and says nothing (Lustre Operations "
        "Manual, lfs setstripe, -c).",
        "The number that files get, or -1 for all OSTs.",
    ),
    "PX550": Code(
        "note",
        "The default layout does not fit the MDT's inode",
        "A plain layout takes 32 bytes and 24 for each stripe; an inode of 1,024 B is made for 16 stripes, one of 2,048 B for 59. "
        "A wider one takes a block of its own for every file (mkfs.lustre, --stripe-count-hint).",
        "Wide layouts on the directories that need them.",
    ),
    "PX551": Code(
        "error",
        "A word, agent or value that the release lacks",
        "The resource agent of Lustre came with 2.11.56, Data on MDT with 2.11, overstriping with 2.13, round robin over MDTs "
        "with 2.14; long options of lfs mkdir differ, and so does the largest RPC (Lustre source, tags 2.10.8, v2_12_9, "
        "v2_15_8; manual pages of lfs). Files of another release would fail on the servers.",
        "Mend the record of the release; with the shipped records, report this as a bug.",
    ),
    "PX552": Code(
        "warning",
        "IML is to watch a release that it does not know",
        "Integrated Manager for Lustre 4 manages Lustre 2.10, and nothing was added to it after December 2020 (its public source). "
        "Whether it can watch a newer release no source says.",
        "`management: none`, and another monitor.",
    ),
    "PX553": Code(
        "error",
        "Volumes beyond the capacity of the pool",
        "What is left of the drives without the spare share is mirrored: each byte lies on two servers (Dell and Intel, Lustre on "
        "PowerFlex, Installation Details). The MDM refuses the volume that no longer fits.",
        "Smaller volumes, a smaller `powerflex.spare` (PX554 says what that costs), or more servers.",
    ),
    "PX554": Code(
        "warning",
        "A lost server cannot be rebuilt",
        "When a server is lost, the pool copies what it held to the others, into the spare share: that takes one server's worth, "
        "100/N %. Without the room, every byte that the server held has one copy until it is back. The paper's own sizes fill "
        "such a pool.",
        "Leave `powerflex.spare` and `powerflex.ost` out; or accept it.",
    ),
    "PX555": Code(
        "error",
        "A volume that is no whole number of steps",
        "The MDM makes volumes in steps of 8 GiB and rounds any other size up, so that the device is larger than planned and "
        "mkfs stops at it (Ansible modules for Dell PowerFlex, volume).",
        "The next multiple of 8 GiB.",
    ),
    "PX556": Code(
        "error",
        "Too few servers for a pool or its managers",
        "Two copies and a third server to rebuild on make three; two managers and a tie breaker are on three servers, or the loss "
        "of one stops the management of the pool (scripts for ScaleIO 3.0, cluster mode 3_node). From five servers on the cluster "
        "has five members, three of them managers, and survives the loss of two (Puppet module for ScaleIO, 5_node).",
        "At least three servers.",
    ),
    "PX557": Code(
        "note",
        "The document's size of an OST has two readings",
        "The PowerFlex paper says 1.6 TB. PowerFlex counts in units of 1,024, and 1,600 of its GB are a multiple of 8; in decimal "
        "units 1.6 TB are 1,496 GiB once rounded up. 16 of either and the metadata leave no room for a lost server of four.",
        "Leave `powerflex.ost` out for the largest size that does.",
    ),
    "PX558": Code(
        "warning",
        "Nothing takes over a dead server",
        "The PowerFlex paper maps each volume to one client. The pool survives the loss of a server, the OSTs that it served do "
        "not: every file with a stripe there waits until it is back.",
        "`failover: true`, with `fencing`; or accept it.",
    ),
    "PX559": Code(
        "note",
        "Files end before their OSTs are full",
        "An object on ldiskfs has at most 16 TiB (Lustre Operations Manual, File and File System Limits). A file of one stripe ends "
        "there, however much room its OST has.",
        "More stripes for larger files, by default or on the directories that need them.",
    ),
    "PX566": Code(
        "warning",
        "Volumes that leave nothing of the pool free",
        "A drive in the pool holds a little less than as sold, and PowerFlex keeps a part of it for itself: a pool that is planned "
        "to the last step of 8 GiB refuses the last volumes. The default size of an OST leaves 1 % of the pool free beside the "
        "spare share (`powerflex.pool_free`).",
        "Leave `powerflex.ost` out, or give a smaller one; or accept it, and let 08-volumes.sh read what the pool has.",
    ),
    "PX567": Code(
        "error",
        "Two managers of the MDM cluster take over from each other",
        "A server that has taken its partner's targets over carries twice the load, and may be fenced next. Where both manage the "
        "pool, the managers are lost with them, and a pool without a manager serves nobody.",
        "Report this as a bug.",
    ),
}
