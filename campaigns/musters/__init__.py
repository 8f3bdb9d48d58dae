"""Mustering for a match by the book: who comes, the roll for support, and what is bought for it alone."""
