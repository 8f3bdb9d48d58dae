"""Guests: players without an account who come in by a personal link. An account can take over everything of theirs."""
