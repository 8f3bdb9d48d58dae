"""The words of Hex Core."""

from systems.words import SystemWords

WORDS = SystemWords(
    hits="DP",
    boxes="DP",
    season_points="league points",  # HX-183
)
