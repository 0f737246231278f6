"""CTDB with Samba and NFS: gateways to the file system for clients without its own client."""
