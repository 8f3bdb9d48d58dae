"""Origins of companies that were not founded here: what this site has signed, and what is only claimed."""
