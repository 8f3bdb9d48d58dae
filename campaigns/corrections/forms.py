"""Forms of a correction: the corrected result, and the reason."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.core import signing

from battles.services.by_hand import fates_from_result
from campaigns.corrections.plan import CorrectedResult, VerdictWithoutBattle
from campaigns.corrections.selectors import MODES
from campaigns.corrections.services import MAX_REASON_LENGTH
from campaigns.models import CorrectionMode, Match, MatchState, Outcome
from campaigns.results.forms import ReportForms
from campaigns.results.report import MatchReport, parse_report
from campaigns.results.selectors import pilot_names
from systems import battle_rules
from systems.documents import DocumentError
from systems.force_limits import SIDES
from systems.reading import stored_setup

VERDICTS_WITHOUT_BATTLE = {
    "attacker-wins": VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=Outcome.ATTACKER),
    "defender-wins": VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=Outcome.DEFENDER),
    "refused": VerdictWithoutBattle(state=MatchState.REFUSED, outcome=Outcome.NONE),
}
BYE = {"bye": VerdictWithoutBattle(state=MatchState.BYE, outcome=Outcome.ATTACKER)}


class ConfirmForm(forms.Form):
    """The mode and the reason. The token identifies the preview that was read."""

    mode = forms.ChoiceField(
        widget=forms.RadioSelect, choices=[(mode, name) for mode, (name, _) in MODES.items()], label="How"
    )
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Everybody who sees the campaign reads it, on the match and among the rulings.",
    )

    def mode_chosen(self) -> CorrectionMode:
        """Return the mode. Call it only on a valid form."""
        return CorrectionMode(self.cleaned_data["mode"])


def edit_form(
    match: Match, data: Mapping[str, object] | None = None, *, said: MatchReport | None = None
) -> ReportForms:
    """Return the grid of a match's result, filled in with `said` or else with the present result."""
    document = report_to_dict(match) if said is None else said.model_dump(mode="json")
    return ReportForms(match, data, said=document, pilots=pilot_names(match))


def pack_report(match: Match, report: MatchReport) -> str:
    """Return the report as part of a URL: short enough for two full lists, and valid only for this match."""
    return signing.dumps(report.model_dump(mode="json", exclude_defaults=True), salt=_salt(match), compress=True)


def unpack_report(match: Match, packed: str) -> MatchReport | None:
    """Return the report that was packed; None if it can't be read."""
    try:
        return parse_report(signing.loads(packed, salt=_salt(match)), match.round.campaign.system)
    except (signing.BadSignature, DocumentError):
        return None


def parse_choice(choice: str, said: MatchReport | None) -> tuple[bool, CorrectedResult]:
    """Return whether the choice gives a corrected result, and that result (None: the match is undone)."""
    if choice == "undo":
        return True, None
    if choice in VERDICTS_WITHOUT_BATTLE | BYE:
        return True, (VERDICTS_WITHOUT_BATTLE | BYE)[choice]
    if choice == "edit" and said is not None:
        return True, said
    return False, None


def _salt(match: Match) -> str:
    return f"campaigns.correction {match.key}"


def report_to_dict(match: Match) -> dict[str, object]:
    """Return the present result of a match as the JSON of a report."""
    result = (match.battle.result if match.battle else None) or {}
    setup = stored_setup(match.setup or {})
    used = result.get("support") or [[], []]
    asks = battle_rules(setup.system).hand.asks
    fates = fates_from_result(setup, result)
    return {
        "winner": "draw" if match.outcome == Outcome.DRAW else match.outcome,
        "rounds": result.get("rounds") or None,
        "units": {key: {each.name: fate.get(each.name, each.nothing) for each in asks} for key, fate in fates.items()},
        "support": {side: list(slugs) for side, slugs in zip(SIDES, used, strict=True)},
    }
