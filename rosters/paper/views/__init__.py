"""Pages of the print shop."""
