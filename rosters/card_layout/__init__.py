"""Lay out blocks as positioned boxes: the place of each line of text and stroke of a card, in mm from its top left.

Text is measured here, so rendering has nothing left to decide. The one invariant: no box leaves the card's safe area
and no two overlap; what does not fit at the smallest size continues on another card.
"""

from rosters.card_layout.page import A6, A7, POKER, SIZES, TAROT, CardPage, CardSize, Picture, TextBox
from rosters.card_layout.sides import ROUNDING, fits, height_of, lay_out, lay_out_whole, room_left

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
    "room_left",
]
