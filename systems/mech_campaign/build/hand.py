"""What players of Mech Campaign say of a battle at the table."""

from systems.hand import HandTerms

from .words import WORDS

HAND = HandTerms(
    fields={
        "kills": "units eliminated",
        "specials": "special actions",
        "hits_lost": "damage taken",
        "destroyed": "eliminated",
        "withdrew": "retreated",
    },
    hits=WORDS.hits,
    too_many="{name} can take only {hits} more damage.",
    all_lost="{name} has taken {hits} damage, all that it could, so it is eliminated.",
)
