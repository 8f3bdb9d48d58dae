"""Balance: the results of all clubs' open matches compared with their odds, for authors of rules."""
