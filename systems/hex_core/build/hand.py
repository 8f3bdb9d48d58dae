"""The questions of a battle report for a game of Hex Core on a real table."""

from systems.fates import DESTROYED, HITS_LOST, KILLS, CountField, TickField
from systems.hand import HandTerms

from .words import WORDS

PREY = CountField(  # HX-176
    name="prey", label="Classes destroyed", told="Classes destroyed: {answer}"
)
PARTS = CountField(  # HX-119, HX-175
    name="parts",
    label="equipment destroyed",
    told="weapons, shields and drones destroyed: {answer}",
    is_recorded=True,
)
OBJECTS = CountField(name="objects", label="objects brought home", told="objects brought home: {answer}", most=3)  # HX-165
MARK = TickField(name="mark", label="destroyed the marked unit", told="destroyed the marked unit")  # HX-169
INOPERATIVE = TickField(  # HX-115
    name="withdrew", label="inoperative", bars=("destroyed", "{name} can't be destroyed and inoperative.")
)

HAND = HandTerms(
    asks=(
        KILLS.called("units destroyed"),
        PREY,
        PARTS,
        OBJECTS,
        MARK,
        HITS_LOST.called("DP lost"),
        DESTROYED,
        INOPERATIVE,
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} DP to lose.",
    all_lost="{name} lost all of its DP, so it is destroyed.",
)
