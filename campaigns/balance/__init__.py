"""Balance: what the open matches of all clubs came to beside their odds, for authors of rules."""
