"""The rule systems that rosters can be kept for."""
