"""Pages of clubs and campaigns, and of everything between games."""
