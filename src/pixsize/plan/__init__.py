"""The Plan as plain frozen records: every slot, group, volume, target and path, with no choice left open."""
