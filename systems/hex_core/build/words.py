"""The words of Hex Core for things that other games call differently."""

from systems.words import SystemWords

WORDS = SystemWords(
    hits="DP",
    boxes="DP",
    season_points="league points",  # HX-183
)
