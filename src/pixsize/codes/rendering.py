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
        "The output folder holds files of an earlier run that need not fit the new ones",
        "Targets that came from another request or other replies, or a run book of `render all` after which other files were rendered: its steps need not be those of the new files.",
        "Render them again; for the run book, `render all`.",
    ),
    "PX607": Code(
        "warning",
        "A target is left out of `all`",
        "The request or the catalog does not give what its files need.",
        "Add what the finding names, or name the targets that are wanted.",
    ),
    "PX608": Code(
        "error",
        "The design has nothing for this target",
        "Stanzas are for GPFS, mkfs for Lustre, and so on; high availability is for targets that have a second server.",
        "`pixsize render all` makes every target that fits.",
    ),
    "PX609": Code(
        "error",
        "The disk does not take the file",
        "A file of `-o` is written whole or not at all; one that was there before is as it was.",
        "Make room, or name a file on another disk.",
    ),
    "PX610": Code(
        "error",
        "Lustre's addresses are unknown",
        "Every target is told where the MGS is, and which nodes may serve it, when it is made. Without `network` in the request nobody knows (Lustre Operations Manual, mkfs.lustre).",
        "Add `network` to the request.",
    ),
    "PX611": Code(
        "error",
        "The devices of volumes are unknown",
        "A volume of PowerFlex keeps one name on its servers, made of the ids of the system and of the volume. They are known once it exists.",
        "Collect what `scli --login` and `scli --query_all_volumes` print into `--observed`, as powerflex.login.txt and powerflex.volumes.txt, and render again.",
    ),
    "PX612": Code(
        "warning",
        "A script destroys a target",
        "It was asked for with `--reformat`. Such a script stops at any other content, but not at this target.",
        "Use it once, then render again without `--reformat`.",
    ),
    "PX613": Code(
        "error",
        "A size that mkfs.lustre refuses",
        "mke2fs counts inodes and blocks in 32 bits where 64bit is not asked for, and takes no room to grow on a device that has "
        "as many blocks already (e2fsprogs, misc/mke2fs.c). A script would stop half way through a server.",
        "Make the volume somewhat smaller or larger.",
    ),
    "PX620": Code(
        "error",
        "Nobody can fence a server",
        "Without fencing a server that hangs may still write while its partner mounts the same target, and both destroy it. Pacemaker starts nothing before the lost server is off (Pacemaker Explained, fencing).",
        "Add `fencing` to the request, with the address of each server's management controller.",
    ),
    "PX621": Code(
        "error",
        "The fence agent is not in the catalog",
        "Agents differ in the options that they need, and a wrong one is noticed when a server is lost.",
        "Name one of the catalog, or add a record of the kind `fence_agent` with `--catalog`.",
    ),
    "PX622": Code(
        "error",
        "The SCSI vendor and product of an array are unknown",
        "multipath.conf blacklists every device but those that it names by vendor and product. Of an array whose record "
        "names none, the servers would have no alias and no second path, without a word.",
        "`scsi_vendor` and `scsi_product` in the array's record, as the array's volumes give them on a server, or `show "
        "system` on the array.",
    ),
    "PX626": Code(
        "note",
        "A run that was killed is undone",
        "It was killed while it moved files into the output folder. Its moves are undone before anything else is done there: the folder is then as it was before that run.",
        "Nothing. What this run was asked for is done behind it; where it is refused, the folder holds the older files.",
    ),
    "PX630": Code(
        "error",
        "No addresses on the network of PowerFlex",
        "MDM, SDS and SDC are named by their addresses there; no command could be written.",
        "Add `powerflex: {network: {interface: ..., subnet: ...}}` to the request.",
    ),
}
