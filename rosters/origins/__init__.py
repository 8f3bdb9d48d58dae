"""Where companies come from that were not founded here: what this site signed, and what it is only told."""
