"""Forms of battles: set-ups with their terms, what was fought at the table, the first visit."""
