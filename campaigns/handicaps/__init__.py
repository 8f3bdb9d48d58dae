"""Handicaps for uneven matches: proposed by the odds, shown before both sides agree, stored with the match."""
