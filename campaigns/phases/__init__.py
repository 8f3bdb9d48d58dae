"""The phases of a campaign: rounds that belong together, under a name and a few words."""
