"""A system's words for the things that every system has, used by pages, ledgers and refusals alike."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemWords:
    """Words as used within a sentence, all but the first in the plural."""

    hits: str = "Hits"  # what a unit loses until it is destroyed
    boxes: str = "Hits"  # what is crossed off for it: "3 of 4 ... left"
    money: str = "points"  # what games bring and companies pay with
    founding_money: str = "points"  # the same before a company's first game
    season_points: str = "season points"  # what a game is worth in the standings

    def money_after(self, games: int) -> str:
        """Return the word for the money of a company with that many games."""
        return self.money if games else self.founding_money


VOWELS = "aeiou"
PLAIN_WORDS = SystemWords()  # the default


def pluralize(count: int, words: str) -> str:
    """Return the count with its word: "1 point", "2 points", "1 ore"."""
    return f"{count} {words.removesuffix('s') if count in (1, -1) else words}"


def full_name(name: str, callsign: str) -> str:
    """Return a pilot's name with their callsign, if they have one: "Ana “Ace”"."""
    return f"{name} “{callsign}”" if callsign else name


def with_article(name: str) -> str:
    """Return the name with its article: "a Demon", "an Argonaut"."""
    return f"{'an' if name[:1].casefold() in VOWELS else 'a'} {name}"


def format_fraction(number: Fraction) -> str:
    """Return a number that is not rounded: "2", "2 1/3", "1/3"."""
    whole, rest = divmod(number.numerator, number.denominator)
    if not rest:
        return str(whole)
    return f"{whole} {rest}/{number.denominator}" if whole else f"{rest}/{number.denominator}"
