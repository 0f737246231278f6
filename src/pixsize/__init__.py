"""pixsize: from a short request for a parallel file system to its plan, its numbers and its files."""

__version__ = "0.1.0"
