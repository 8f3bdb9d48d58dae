"""Companies in a campaign: how they enter and leave it, and whether they are battle-ready."""
