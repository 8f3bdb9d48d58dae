"""The drawn replay: a record folded once into frames, then drawn by the painter of its space."""
