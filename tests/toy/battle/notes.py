"""What the toy's rules note."""

ROUND_BEGAN, MOVED, STRUCK, ENDED = 0, 1, 2, 3
