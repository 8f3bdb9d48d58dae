"""Forms of battles: set-ups with their terms, results from a table, random forces."""
