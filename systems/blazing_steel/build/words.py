"""The words of Blazing Steel for things that other games call differently."""

from systems.words import SystemWords

WORDS = SystemWords(
    hits="Structure",
    boxes="Structure",
    season_points="league points",  # BS-C07
)
