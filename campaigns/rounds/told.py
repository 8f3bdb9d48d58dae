"""A match's status as a word, a sentence and a look: draw, void and not yet known each have their own."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.models import DecidedBy, Match, MatchState, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatus:
    """The status of a match.

    `look` is one of won, draw, forfeit, refused, void, bye, disputed, reported, unknown; `mark` is a sign for it.
    """

    look: str
    mark: str
    word: str
    sentence: str


MARKS = {
    "won": "★",
    "draw": "=",
    "forfeit": "⚑",
    "refused": "⊘",
    "void": "∅",
    "bye": "–",
    "disputed": "≠",
    "reported": "½",
    "unknown": "?",
}
DECIDED_BY_TEXTS = {
    DecidedBy.AGREEMENT: "Both reports agree.",
    DecidedBy.OTHER_SIDE: "The other side confirmed the report.",
    DecidedBy.DEADLINE: "The only report stood at the deadline.",
    DecidedBy.RULING: "An arbiter has ruled.",
    DecidedBy.ORDERS: "Fought by both sides' standing orders.",
    DecidedBy.ORGANISER: "The organiser decided it.",
    DecidedBy.IMPORT: "Taken over from before the club came here.",
}


def match_status(match: Match, reported: tuple[int, ...] = ()) -> MatchStatus:
    """Return the status of the match; `reported` are the sides with a report of their own."""
    sides = (match.attacker.company.name, match.defender.company.name if match.defender else "")
    return describe_status(sides, match.state, match.outcome, match.decided_by, match.refusing_side, reported)


def describe_status(
    sides: tuple[str, str],
    state: str,
    outcome: str,
    decided_by: str,
    refusing_side: int | None,
    reported: tuple[int, ...] = (),
) -> MatchStatus:
    """Return the status from a match's columns; `sides` are the names of its companies."""
    how = DECIDED_BY_TEXTS.get(DecidedBy(decided_by), "") if decided_by else ""
    winner = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}.get(Outcome(outcome))
    match state:
        case MatchState.SCHEDULED | MatchState.REPORTED if refusing_side is not None:
            return _status("unknown", "Not yet known", f"{sides[refusing_side]} will not play; an arbiter decides.")
        case MatchState.SCHEDULED:
            return _status("unknown", "Not yet known", "Nobody has reported this match.")
        case MatchState.REPORTED:
            who = " and ".join(sides[side] for side in reported) or "One side"
            return _status(
                "reported", "Not yet known", f"{who} has reported; the other side has not said its word yet."
            )
        case MatchState.DISPUTED:
            return _status(
                "disputed", "In dispute", "The two reports differ; an arbiter rules. Nothing else is held up."
            )
        case MatchState.BYE:
            return _status("bye", "Bye", f"{sides[0]} has no opponent in this round.")
        case MatchState.VOID:
            return _status("void", "Void", f"This match counts for nothing. {how}")
        case MatchState.REFUSED:
            return _status("refused", "Refused", f"A side would not play; it counts for nothing. {how}")
        case MatchState.FORFEITED if winner is not None:
            gone = sides[1 - winner]
            return _status("forfeit", f"{sides[winner]} wins by forfeit", f"{gone} did not play. {how}")
        case MatchState.FORFEITED:
            return _status("draw", "Draw, not fought", f"Nobody fought; it stands as a draw. {how}")
    if winner is None:
        return _status("draw", "Draw", how)
    return _status("won", f"{sides[winner]} won", how)


def _status(look: str, word: str, sentence: str) -> MatchStatus:
    return MatchStatus(look=look, mark=MARKS[look], word=word, sentence=sentence.strip())
