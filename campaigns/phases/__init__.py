"""The phases of a campaign: rounds that belong together, with a name and a short text."""
