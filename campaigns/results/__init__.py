"""How a match ends: reported, compared, ruled, settled; and results of before, taken over."""
