"""Results of benchmarks against a plan: which figure each is of, whether it counts, and the verdict."""
