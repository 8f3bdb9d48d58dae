"""The layout of cards: the position of each line of text and each stroke, in mm from the card's top left corner.

Text is measured here, so rendering makes no decisions. No box leaves the card's safe area, and no two boxes overlap.
Content that doesn't fit at the smallest size continues on another card.
"""

from rosters.card_layout.page import A6, A7, POKER, SIZES, TAROT, CardPage, CardSize, Picture, TextBox
from rosters.card_layout.sides import ROUNDING, fits, free_height, height_of, lay_out, lay_out_whole

__all__ = [
    "A6",
    "A7",
    "POKER",
    "ROUNDING",
    "SIZES",
    "TAROT",
    "CardPage",
    "CardSize",
    "Picture",
    "TextBox",
    "fits",
    "height_of",
    "lay_out",
    "lay_out_whole",
    "free_height",
]
