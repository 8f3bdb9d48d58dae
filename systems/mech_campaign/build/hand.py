"""The questions of a battle report for a game of Mech Campaign on a real table."""

from systems.fates import DESTROYED, HITS_LOST, KILLS, WITHDREW, CountField
from systems.hand import HandTerms

from .words import WORDS

HAND = HandTerms(
    asks=(
        KILLS.called("units eliminated"),
        CountField(name="specials", label="special actions"),
        HITS_LOST.called("damage taken"),
        DESTROYED.called("eliminated"),
        WITHDREW.called("retreated"),
    ),
    hits=WORDS.hits,
    too_many="{name} can take only {hits} more damage.",
    all_lost="{name} has taken {hits} damage, all that it could, so it is eliminated.",
)
