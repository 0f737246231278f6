"""Ngenea: nodes that move files between the file system and other storage."""
