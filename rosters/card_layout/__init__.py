"""Lay out blocks as positioned boxes: the place of each line of text and stroke of a card, in mm from its top left.

Text is measured here, so rendering has nothing left to decide. The one invariant: no box leaves the card's safe area
and no two overlap; what does not fit at the smallest size continues on another card.
"""

from rosters.card_layout.page import A6
from rosters.card_layout.page import A7
from rosters.card_layout.page import POKER
from rosters.card_layout.page import SIZES
from rosters.card_layout.page import TAROT
from rosters.card_layout.page import CardPage
from rosters.card_layout.page import CardSize
from rosters.card_layout.page import Picture
from rosters.card_layout.page import TextBox
from rosters.card_layout.sides import ROUNDING
from rosters.card_layout.sides import fits
from rosters.card_layout.sides import height_of
from rosters.card_layout.sides import lay_out
from rosters.card_layout.sides import lay_out_whole
from rosters.card_layout.sides import room_left


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
