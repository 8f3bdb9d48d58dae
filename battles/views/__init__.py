"""Pages of battles and odds."""
