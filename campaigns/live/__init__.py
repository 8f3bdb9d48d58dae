"""The table of a match: the sheet on both phones, and the report it fills in."""
