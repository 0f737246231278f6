"""The benchmarks of a plan as scripts: points, host files, commands of the tools, and what is set around a run."""
