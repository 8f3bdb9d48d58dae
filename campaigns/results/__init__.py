"""How a match ends: reported, compared, ruled on, decided. Also the import of past results."""
