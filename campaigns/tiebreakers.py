"""What can break a tie in the standings, in the words of the page. The sums are in `standings`."""

TIE_BREAKERS = {
    "direct": "the match they played against each other",
    "buchholz": "points of the opponents met (Buchholz)",
    "destroyed": "units destroyed less units lost",
    "destroyed-count": "units destroyed",
    "destroyed-points": "points of the units destroyed",
    "wins": "matches won",
    "away": "matches won as attacker",
}
