"""From requirements to the best system: what a design offers, a search with bounds, and its proof."""
