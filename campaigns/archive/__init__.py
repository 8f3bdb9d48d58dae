"""Club archives: pack a whole club with everything it owns, and restore it on this site or another."""
