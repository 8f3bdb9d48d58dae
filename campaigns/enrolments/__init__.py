"""Companies in a campaign: asking in, mustering, and the books it keeps of them."""
