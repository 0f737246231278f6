"""Typed records of what can be bought, what was measured, and how a design is put together."""
