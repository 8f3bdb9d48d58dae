"""The gallery of units of all public companies, with their results."""
