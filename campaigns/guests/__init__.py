"""Guests: sides without an account, let in by one personal link, until somebody takes them over with all that was theirs."""
