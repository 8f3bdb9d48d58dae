"""Handicaps of uneven matches: proposed by the odds, shown before both agree, kept with the match."""
