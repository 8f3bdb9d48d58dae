"""The questions of a battle report for a game of Blazing Steel on a real table."""

from systems.fates import DESTROYED, HITS_LOST, KILLS, CountField
from systems.hand import HandTerms

from .words import WORDS

HELD = CountField(  # BS-C05, BS-C08
    name="objectives", label="objective points", told="{answer} objective points", is_recorded=True
)

HAND = HandTerms(
    asks=(
        KILLS,
        HELD,
        HITS_LOST.called("Structure lost"),
        DESTROYED.called("destroyed or disabled"),
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} Structure to lose.",
    all_lost="{name} lost all of its Structure, so it is destroyed.",
)
