"""The lists of a match: choose pilots, roll for support, choose or buy units, submit and reveal."""
