"""Files and steps of Ngenea."""
