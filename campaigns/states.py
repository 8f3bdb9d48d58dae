"""The states of matches and enrolments, the outcomes of matches, and the sets of states that the app uses.

No rows here, so that code that works on states alone needn't import the models. `tests/campaigns/test_states.py` places
every state in every set.
"""

from __future__ import annotations

from django.db.models import TextChoices


class MatchState(TextChoices):
    """The state of a match."""

    SCHEDULED = "scheduled", "scheduled"
    REPORTED = "reported", "reported"  # by one side
    DISPUTED = "disputed", "disputed"  # the reports differ; locked until an arbiter rules
    CONFIRMED = "confirmed", "confirmed"
    RULED = "ruled", "ruled"
    AUTO_RESOLVED = "auto-resolved", "simulated"
    FORFEITED = "forfeited", "forfeited"
    REFUSED = "refused", "refused"  # a side won't play it
    VOID = "void", "void"  # as if it had never been
    BYE = "bye", "bye"  # no opponent

    @classmethod
    def undecided(cls) -> tuple[MatchState, ...]:
        """Return the states of a match that is still to be played, reported or ruled on."""
        return (cls.SCHEDULED, cls.REPORTED, cls.DISPUTED)

    @classmethod
    def awaiting_reports(cls) -> tuple[MatchState, ...]:
        """Return the undecided states that a deadline, orders or a watch party may still decide: no dispute."""
        return (cls.SCHEDULED, cls.REPORTED)

    @classmethod
    def decided(cls) -> tuple[MatchState, ...]:
        """Return the states that only a correction changes."""
        return (cls.CONFIRMED, cls.RULED, cls.AUTO_RESOLVED, cls.FORFEITED, cls.REFUSED, cls.VOID, cls.BYE)

    @classmethod
    def fought(cls) -> tuple[MatchState, ...]:
        """Return the decided states of a match that was fought: its result stands in the companies' ledgers."""
        return (cls.CONFIRMED, cls.RULED, cls.AUTO_RESOLVED)

    @classmethod
    def unfought(cls) -> tuple[MatchState, ...]:
        """Return the decided states of a match of two sides that was not fought."""
        return (cls.FORFEITED, cls.REFUSED, cls.VOID)

    @classmethod
    def counting(cls) -> tuple[MatchState, ...]:
        """Return the states that count in the standings if the match has a result; byes are among them."""
        return (cls.CONFIRMED, cls.RULED, cls.AUTO_RESOLVED, cls.FORFEITED, cls.BYE)

    @classmethod
    def meetings(cls) -> tuple[MatchState, ...]:
        """Return the states of a match whose sides count as having met, when later rounds are paired."""
        return tuple(state for state in cls if state not in (cls.VOID, cls.BYE))

    @classmethod
    def unplayed(cls) -> tuple[MatchState, ...]:
        """Return the states in which neither side has played, reported or refused anything."""
        return (cls.SCHEDULED, cls.VOID, cls.BYE)


class Outcome(TextChoices):
    """How a match ended. Unknown is not a draw."""

    UNKNOWN = "", "not decided yet"
    ATTACKER = "attacker", "attacker won"
    DEFENDER = "defender", "defender won"
    DRAW = "draw", "draw"
    NONE = "none", "no result"

    @classmethod
    def won(cls) -> tuple[Outcome, ...]:
        """Return the outcomes with a winner."""
        return (cls.ATTACKER, cls.DEFENDER)

    @classmethod
    def results(cls) -> tuple[Outcome, ...]:
        """Return the outcomes that are results: won or drawn."""
        return (cls.ATTACKER, cls.DEFENDER, cls.DRAW)


class EnrolmentState(TextChoices):
    """Whether a company takes part in a campaign."""

    ASKED = "asked", "asked to join"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    WITHDRAWN = "withdrawn", "withdrawn"

    @classmethod
    def in_play(cls) -> tuple[EnrolmentState, ...]:
        """Return the states in which the company is, or may yet be, in the campaign."""
        return (cls.ASKED, cls.ACCEPTED)

    @classmethod
    def took_part(cls) -> tuple[EnrolmentState, ...]:
        """Return the states of a company that is in the campaign or has been."""
        return (cls.ACCEPTED, cls.WITHDRAWN)
