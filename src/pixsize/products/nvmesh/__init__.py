"""NVMesh: pairs of servers whose NVMe drives mirror each other over the network."""
