"""A club's news sent elsewhere: addresses, sendings, and a log of what was answered."""
