"""The words of Blazing Steel."""

from systems.words import SystemWords

WORDS = SystemWords(
    hits="Structure",
    boxes="Structure",
    season_points="league points",  # BS-C07
)
