"""Where the rules of Lustre's figures come from: documents, and places in them."""

from pixsize.figures import Source

ARRAYS = Source(
    "dell-lustre-me4", "3. Meta data targets; 4. Object storage targets: groups, hot spares, one volume a group"
)
RAW_ON_ARRAYS = Source("dell-lustre-me4", "Table 1, Object Storage Enclosure: raw counts all 84 drives of an enclosure")
GROWS = Source("dell-lustre-me4", "Introduction: easy to scale in capacity, performance, or both")
CHAIN = Source("dell-lustre-me4", "1. Solution Reference Architecture, Figure 1; Table 1: adapters and arrays")
USES_OSTS = Source("dell-lustre-me4", "9. Metadata Performance Study, Figure 4: create and remove involve the OSTs")
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
