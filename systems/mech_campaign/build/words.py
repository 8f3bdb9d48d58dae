"""The words of Mech Campaign for things that other games call differently."""

from systems.words import SystemWords

WORDS = SystemWords(
    hits="damage",
    boxes="damage boxes",
    money="ore",  # MC-211
    season_points="league points",  # MC-212
)
