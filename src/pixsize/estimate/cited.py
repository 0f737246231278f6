"""Where the rules of this room come from. What numbers rest on is in the catalog; these are the places of the rules."""

from __future__ import annotations

from pixsize.figures import Source

RAW = Source("dell-pixstor-6", "Table 1, Capacity: raw counts all 84 slots of an enclosure, the spares among them")
FORMATTED = Source("dell-pixstor-6", "Table 1, Capacity: formatted (printed as GB where TB is meant)")
LAYOUT = Source("dell-pixstor-6", "Storage Configuration on ME4 Arrays, Figures 12 to 14")
REPLICAS = Source("ibm-scale", "Using replication in a storage pool: copies of a block lie in different failure groups")
INODES = Source("ibm-scale", "mmcrfs -i, --inode-limit: how many inodes the metadata space holds")
STRIPING = Source("ibm-scale", "Creating storage pools: blocks are striped over all disks of a pool")
MODULES_ADD = Source(
    "dell-pixstor-6",
    "PixStor storage solution with high-demand metadata module, Summary: scales linearly as storage modules are added",
)
CONTROLLERS = Source(
    "dell-pixstor-6", "PixStor solution with capacity expansion, Sequential IOzone: limited by controllers"
)
CHAIN = Source("dell-pixstor-6", "High-Speed, Management and SAS Connections, Figures 4 to 7")
ARRAYS_ADD = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using Empty Files: linear, except maybe stat and read"
)
NOT_4K = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using 4 KiB Files: no linear increase can be assumed"
)
INSIDE = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using 4 KiB Files: unless the whole file fits inside the inode"
)
EXPANSION = Source("dell-pixstor-6", "PixStor solution with capacity expansion, Metadata Performance: almost the same")
TWO_MDTS = Source("dell-lustre-me4", "Metadata Performance Study, Figures 6 to 8: one MDT and two MDTs")
LUSTRE_ARRAYS = Source(
    "dell-lustre-me4", "3. Meta data targets; 4. Object storage targets: groups, hot spares, one volume a group"
)
LUSTRE_RAW = Source("dell-lustre-me4", "Table 1, Object Storage Enclosure: raw counts all 84 drives of an enclosure")
LUSTRE_GROWS = Source("dell-lustre-me4", "Introduction: easy to scale in capacity, performance, or both")
LUSTRE_CHAIN = Source("dell-lustre-me4", "1. Solution Reference Architecture, Figure 1; Table 1: adapters and arrays")
LUSTRE_OSTS = Source("dell-lustre-me4", "9. Metadata Performance Study, Figure 4: create and remove involve the OSTs")
STRIPES_BY_TURNS = Source("lustre-manual", "Managing Free Space, Stripe Allocation Methods: OSTs are taken by turns")
LFS_DF = Source(
    "lustre-manual", "Managing Free Space, Checking File System Free Space: lfs df, and lfs df -i for inodes"
)
OBJECTS = Source(
    "lustre-manual",
    "Determining Space Requirements, MDT and OST: a file takes an inode of an MDT, and an object for each stripe",
)
ONE_MDT = Source("lustre-manual", "Creating a sub-directory on a specific MDT: a directory stays on its parent's MDT")
SPREAD = Source(
    "lustre-source", "Tag v2_15_8, lustre/mdd/mdd_device.c: default layout of the root directory (LU-13417)"
)
DESCRIPTORS = Source("e2fsprogs", "lib/ext2fs/initialize.c: inode tables, descriptors, bitmaps, journal")
POOL = Source("dell-lustre-powerflex", "Installation Details: one shared pool, 64 TB of raw storage, mirrored volumes")
POOL_NETWORK = Source(
    "dell-lustre-powerflex",
    "Test Environment, Figure 1: SDS on every OSS, SDC on every server, 100 Gb Ethernet between",
)
POOL_GROWS = Source(
    "dell-lustre-powerflex", "The Lustre PowerFlex Storage Solution: more OSS with their SSDs bring more throughput"
)
MANY_FILES = Source(
    "dell-lustre-powerflex", "MDtest Performance Evaluation: 113,246,208 files, and the inodes of the MDTs as the limit"
)
OST_OBJECTS = Source("lustre-tools", "mkfs.lustre 2.10.8 and 2.15.8 on 1600 GiB: 6,553,600 inodes an OST")
SECOND_MDS = Source("dell-lustre-powerflex", "MDtest Performance Evaluation, Figure 8: one and two MDS")
OBSERVED = Source("dell-me4-cli", "show disk-groups: size-numeric, in blocks of 512 bytes")
OBSERVED_VOLUME = Source("dell-me4-cli", "show volumes: size-numeric or blocks, in blocks of 512 bytes")
JUDGEMENT = Source("pixsize", "docs/explanation/how-each-number-is-made.md")
