"""Pages of battles and set-ups."""
