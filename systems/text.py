"""Names, numbers and words on pages and paper, and the characters allowed in a player's text. Pure.

Displayed numbers are rounded to the nearest, halves up; averages have at most two decimals. Players' names and texts
are kept in Unicode's composed form (NFC), and contain only what can be shown, read aloud, printed and written to XML.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemWords:
    """Words for use within a sentence, all but the first in the plural."""

    hits: str = "Hits"  # what a unit loses until it is destroyed
    boxes: str = "Hits"  # what is crossed off for a hit: "3 of 4 ... left"
    money: str = "points"  # what games bring and companies pay with
    founding_money: str = "points"  # the same before a company's first game
    season_points: str = "season points"  # what a game is worth in the standings

    def money_after(self, games: int) -> str:
        """Return the word for the money of a company that has played that many games."""
        return self.money if games else self.founding_money


VOWELS = "aeiou"
PLAIN_WORDS = SystemWords()  # the default


def pluralize(count: int, words: str) -> str:
    """Return the count with its word, given in the plural: "1 point", "2 points", "1 match", "1 company", "1 ore"."""
    return f"{count} {_singular(words) if count in (1, -1) else words}"


def _singular(words: str) -> str:
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words[:-2] if words.endswith(("ches", "shes", "xes", "sses")) else words.removesuffix("s")


def count_names(names: Iterable[str]) -> str:
    """Return the names in their order, equal ones counted: "Cannon, 2 × CIWS"."""
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in Counter(names).items())


def end_sentence(text: str) -> str:
    """Return the text with a full stop, unless it ends with a mark that ends a sentence: names may end with one."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def full_name(name: str, callsign: str) -> str:
    """Return a pilot's name with their callsign, if they have one: "Ana “Ace”"."""
    return f"{name} “{callsign}”" if callsign else name


def with_article(name: str) -> str:
    """Return the name with its indefinite article: "a Demon", "an Argonaut"."""
    return f"{'an' if name[:1].casefold() in VOWELS else 'a'} {name}"


MINUS = "\u2212"


def round_half_up(number: Fraction | float, digits: int = 0) -> Fraction:
    """Return the number rounded to `digits` decimals, halves up."""
    scale: int = 10**digits
    return Fraction(math.floor(Fraction(number) * scale + Fraction(1, 2)), scale)


def format_decimal(number: Fraction | float, digits: int = 2) -> str:
    """Return a number in decimals, at most `digits`: 7/2 is 3.5, 21/4 is 5.25, 7/6 is 1.17, 3 is 3."""
    return f"{float(round_half_up(number, digits)):.2f}".rstrip("0").rstrip(".").replace("-", MINUS)


def format_signed(number: int) -> str:
    """Return the number with its sign: `+1`, `−2`, `±0`."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "±0"


JOINERS = "\u200c\u200d"
DIRECTION_MARKS = "\u200e\u200f\u061c"  # Unicode marks of text direction; they affect adjacent characters
DIRECTION_OPENERS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
DIRECTION_CLOSERS = frozenset(DIRECTION_OPENERS.values())
DIRECTION_OVERRIDES = "\u202d\u202e"
# Invisible, and needed by no script: soft hyphens, zero-width spaces, invisible operators, notation controls, blank
# letters and marks (Hangul fillers, an empty Braille cell), and code points that Unicode reserves for more of them.
UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
)
FLAG_PATTERN = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
)  # flag of a part of a country
TAGS = re.compile("[\U000e0000-\U000e007f]")
SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # variation selectors
TEXT_OR_EMOJI = "\ufe0e\ufe0f"
EMOJI_OF_OTHER_KINDS = "\u203c\u2049\u2139\u3030\u303d"  # punctuation, and the letter of "information"
KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
UNJOINED = (
    "LATIN",
    "GREEK",
    "CYRILLIC",
    "HANGUL",
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "COMBINING",
)  # scripts whose letters are never joined
LINE_BREAKS = "\n\r\t"
VISIBLE_CATEGORIES = "LNPS"  # first letters of the Unicode categories of visible characters
UNFIT_CATEGORIES = ("Cc", "Cs", "Co", "Zl", "Zp")
RIGHT_TO_LEFT = ("R", "AL", "AN")

UNNAMED = "Unnamed"

CANNOT_BE_SHOWN = "contains an unprintable character (U+{:04X}). Please remove it."
UNBALANCED = "contains an invisible text-direction character (U+{:04X}). Please remove it."
INVISIBLE = "must contain visible characters."


def normalize_text(text: str) -> str:
    """Return the text in composed form."""
    return unicodedata.normalize("NFC", text)


def text_problem(text: str, *, lines: bool = False, may_be_empty: bool = False) -> str:
    """Return why the text isn't allowed, as part of a sentence; empty if it is. `lines`: line breaks are allowed."""
    for char in FLAG_PATTERN.sub("", text):
        if _is_unfit(char) and not (lines and char in LINE_BREAKS):
            return (UNBALANCED if char in DIRECTION_OVERRIDES else CANNOT_BE_SHOWN).format(ord(char))
    if char := _stray_selector(text) or _stray_joiner(text):
        return CANNOT_BE_SHOWN.format(ord(char))
    for line in text.split("\n"):
        if char := _stray_direction(line):
            return UNBALANCED.format(ord(char))
    is_seen = any(unicodedata.category(char)[0] in VISIBLE_CATEGORIES for char in text)
    return "" if is_seen or (may_be_empty and not text.strip()) else INVISIBLE


def printable_text(text: str) -> str:
    """Return the text without unprintable characters, which older texts may contain; for feeds, calendars and paper."""
    if text.isascii() and text.isprintable():
        return text
    kept = "".join(
        part
        if FLAG_PATTERN.fullmatch(part)
        else "".join(char for char in part if not _is_unfit(char) or char in "\n\t")
        for part in re.split(f"({FLAG_PATTERN.pattern})", text)
    )
    return "\n".join(map(_balanced, kept.split("\n")))


def shorten_name(text: str, longest: int, *, nothing: str = UNNAMED) -> str:
    """Return the allowed part of a text, for names derived from other names; `nothing` if nothing is left."""
    cut = normalize_text(text)[:longest].strip()
    if text_problem(cut):
        cut = "".join(char for char in printable_text(cut) if char not in JOINERS and not SELECTORS.match(char)).strip()
    return nothing if text_problem(cut) else cut


def _is_unfit(char: str) -> bool:
    code = ord(char)
    if unicodedata.category(char) in UNFIT_CATEGORIES or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return True
    return char in DIRECTION_OVERRIDES or bool(UNSEEN.match(char) or TAGS.match(char))


def _stray_selector(text: str) -> str:
    """Return a variation selector after a character that has no variants; "" if there is none."""
    bare = KEYCAP.sub("", text)
    for at, char in enumerate(bare):
        if SELECTORS.match(char) and not (at and _has_variant(bare[at - 1], char)):
            return char
    return ""


def _has_variant(char: str, selector: str) -> bool:
    category, name = unicodedata.category(char), unicodedata.name(char, "")
    if selector in TEXT_OR_EMOJI:
        return category in ("So", "Sm") or char in EMOJI_OF_OTHER_KINDS
    if name.startswith("MONGOLIAN"):
        return category == "Lo" and selector < "\ufe00"
    if name.startswith("CJK"):
        return category == "Lo" and selector >= "\ufe00"
    return category == "Sm" and selector == "\ufe00"


def _stray_joiner(text: str) -> str:
    """Return a joiner that joins nothing; "" if there is none.

    It is at an end, or next to a space or a letter that is never joined.
    """
    for at, char in enumerate(text):
        if char in JOINERS:
            beside = text[at - 1 : at] + text[at + 1 : at + 2]
            if len(beside) < 2 or any(map(_joins_nothing, beside)):
                return char
    return ""


def _joins_nothing(char: str) -> bool:
    return char.isascii() or char.isspace() or char in JOINERS or unicodedata.name(char, "").startswith(UNJOINED)


def _stray_direction(line: str) -> str:
    """Return a direction mark without text in its direction or not closed on its line; "" if there is none."""
    open_ones: list[str] = []
    turns = any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT and char not in DIRECTION_MARKS for char in line)
    for char in line:
        if char in DIRECTION_MARKS and not turns:
            return char
        if char in DIRECTION_OPENERS:
            open_ones.append(char)
        elif char in DIRECTION_CLOSERS and (not open_ones or DIRECTION_OPENERS[open_ones.pop()] != char):
            return char
    return open_ones[-1] if open_ones else ""


def _balanced(line: str) -> str:
    """Return the line, without direction marks if any of them is stray."""
    if not _stray_direction(line):
        return line
    return "".join(
        char
        for char in line
        if char not in DIRECTION_MARKS and char not in DIRECTION_OPENERS and char not in DIRECTION_CLOSERS
    )
