"""Figures and findings from a plan and the measurements of the catalog; `make` has the steps."""
