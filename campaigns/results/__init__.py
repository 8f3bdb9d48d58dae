"""How a match ends: reported, compared, ruled on, settled. Also the import of past results."""
