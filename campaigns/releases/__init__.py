"""A campaign goes over to a newer release of its game's catalogue, and its companies with it."""
