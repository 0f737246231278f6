"""Files of the gateways."""
