"""The map of a campaign, its territories, and what they yield to the companies that hold them."""
