"""Export and import: companies as documents, their units for battles, and the archive of a player's data."""
