"""The campaigns part of the API, a module per area. Reads call selectors and reads, writes call services."""
