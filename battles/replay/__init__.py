"""The drawn replay: a record becomes frames, drawn by the module for its space."""
