"""The rosters half of the API, a module per resource. Reads call selectors, writes call services."""
