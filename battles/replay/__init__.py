"""The drawn replay: a record read once into frames, then drawn by the painter of its space."""
