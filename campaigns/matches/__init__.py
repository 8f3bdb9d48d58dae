"""A match between its opening and its result: its page, its terms in words, its packet."""
