"""Files about cables."""
