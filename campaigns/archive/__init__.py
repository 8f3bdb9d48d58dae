"""A whole club in one archive: packed with all that is its own, and made a club again on this site or another."""
