"""A match between its opening and its result: its page, its packet, its live table, friendly games."""
