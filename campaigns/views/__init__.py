"""Pages of clubs and campaigns, and of what happens between games."""
