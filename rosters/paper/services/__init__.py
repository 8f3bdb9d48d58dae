"""Every change to prints and to what a player keeps in the print shop."""
