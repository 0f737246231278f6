"""Files and steps of NVMesh."""
