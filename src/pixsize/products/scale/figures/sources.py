"""Where the rules of IBM Storage Scale's figures come from: documents, and places in them."""

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
