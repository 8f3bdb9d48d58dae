"""Helpers for correction tests: matches with fixed dice, and reports by a unit's place."""

from __future__ import annotations

from typing import Any

from battles.services.dice import dice_secret
from campaigns.army_lists.services import lists_reveal
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import Campaign, CorrectionMode, DecidedBy, Enrolment, Match, MatchState
from campaigns.results import aftermath
from campaigns.results.decisions import match_differences, match_settle_report
from campaigns.results.reports import MatchReport, parse_report
from rosters.ledger.records import differences
from rosters.models import Company
from systems.engine.dice import ScriptedDice, sealed_seed
from tests.campaigns.builders import a_match, a_round

COMPENSATE, CASCADE, FLAG = CorrectionMode.COMPENSATE, CorrectionMode.CASCADE, CorrectionMode.FLAG
LOST = {"destroyed": True, "hits_lost": 2}


class Faces:
    """Fixed aftermath dice for each match, the same on every roll."""

    def __init__(self, monkeypatch: Any) -> None:
        self.faces: dict[int, list[int]] = {}
        monkeypatch.setattr(aftermath, "SeededDice", self._dice)

    def _dice(self, seed: int) -> ScriptedDice:
        return ScriptedDice([*self.faces.get(seed, [1] * 12), *([1] * 12)])

    def fix(self, match: Match, *faces: int) -> None:
        self.faces[sealed_seed(dice_secret(match.dice), "aftermath", [])] = list(faces)


def report(match: Match, winner: str = "attacker", attacker: Any = None, defender: Any = None) -> MatchReport:
    """Build a report by the units' places: `attacker={0: {"kills": 1}}`."""
    units = {}
    for side, fates in enumerate((attacker or {}, defender or {})):
        keys = list(match.forces[side])
        units |= {keys[place]: what for place, what in fates.items()}
    return parse_report({"muster": "report/1", "winner": winner, "units": units})


def play_match(
    campaign: Campaign,
    one: Enrolment,
    other: Enrolment,
    winner: str = "attacker",
    *,
    faces: Faces | None = None,
    dice: tuple[int, ...] = (),
    **units: Any,
) -> Match:
    """Create a match in a round of its own, and confirm it with this winner."""
    match = lists_reveal(match=a_match(a_round(campaign), one, other))
    if faces is not None:
        faces.fix(match, *dice)
    return confirm_match(match, report(match, winner, **units))


def confirm_match(match: Match, content: MatchReport) -> Match:
    """Confirm the match with this report."""
    return match_settle_report(
        match=match, report=content, state=MatchState.CONFIRMED, decided_by=DecidedBy.AGREEMENT, by=None
    )


def correct_match(match: Match, after: Any, mode: CorrectionMode, by: Any) -> Any:
    """Apply a correction, and return its preview and its result."""
    preview = correction_preview(match=match, after=after, mode=mode, by=None)
    assert not preview.refusal
    done = correction_apply(
        match=match, after=after, mode=mode, reason="The photo shows it.", by=by, token=preview.token
    )
    match.refresh_from_db()
    return preview, done


def check_consistency() -> None:
    """Check that rows, ledgers and matches agree."""
    for company in Company.objects.all():
        assert list(differences(company)) == [], company
    assert list(match_differences()) == []
