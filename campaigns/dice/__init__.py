"""The sealed dice of matches: their page, their check, and sealing them again."""
