"""The rosters part of the API, one module per resource. Reads call selectors, writes call services."""
