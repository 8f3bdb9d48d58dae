"""A match between its opening and its result: its page, its words, its packet."""
