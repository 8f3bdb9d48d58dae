"""What forms share on every page: how they look, that they act once, and that they show what was changed meanwhile."""
