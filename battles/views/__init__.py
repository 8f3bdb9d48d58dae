"""The pages of battles and odds."""
