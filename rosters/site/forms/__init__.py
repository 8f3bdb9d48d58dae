"""Features of all forms: rendering, acting only once, and showing what was changed in the meantime."""
