"""Forms of a correction: what the match shall be, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from battles.documents import read_setup
from battles.forms_by_hand import HandRow
from battles.selectors import SideLine, sides_of
from campaigns.models import CorrectionMode, Match, MatchState, Outcome
from campaigns.reads.past import MODES
from campaigns.reports import MatchReport, read_report
from campaigns.services.correcting import REASON_LONGEST
from campaigns.services.past_plan import After, Unfought

UNFOUGHT = {
    "attacker-wins": Unfought(state=MatchState.FORFEITED, outcome=Outcome.ATTACKER),
    "defender-wins": Unfought(state=MatchState.FORFEITED, outcome=Outcome.DEFENDER),
    "refused": Unfought(state=MatchState.REFUSED, outcome=Outcome.NONE),
}


class ResultForm(forms.Form):
    """How it ended."""

    winner = forms.ChoiceField(widget=forms.RadioSelect)
    rounds = forms.IntegerField(required=False, min_value=0, max_value=999, label="Rounds (if you counted)")

    def __init__(self, *args: Any, names: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("attacker", names[0]), ("defender", names[1]), ("draw", "Nobody: a draw")]
        self.fields["winner"].choices = choices  # type: ignore[attr-defined]


class ConfirmForm(forms.Form):
    """Which way, and why; the token names the preview that was read."""

    mode = forms.ChoiceField(
        widget=forms.RadioSelect, choices=[(mode, name) for mode, (name, _) in MODES.items()], label="How"
    )
    reason = forms.CharField(
        max_length=REASON_LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Everybody who sees the campaign reads it, on the match and among the rulings.",
    )

    def mode_chosen(self) -> CorrectionMode:
        """The mode, once the form is valid."""
        return CorrectionMode(self.cleaned_data["mode"])


class EditForms:
    """The grid of a match's result, filled in with what stands now."""

    def __init__(self, match: Match, data: Mapping[str, Any] | None) -> None:
        setup = read_setup(match.setup or {})
        result: Mapping[str, Any] = (match.battle.result if match.battle else None) or {}
        lines = sides_of(setup, result if result else None)
        names = [side.name for side in setup.sides]
        self.result = ResultForm(data, names=names, initial=_result_initial(match, result))
        self.sides: list[tuple[SideLine, list[HandRow]]] = [
            (
                side,
                [
                    HandRow(data, prefix=unit.key, unit=unit, initial=_unit_initial(unit.hits, unit.fate))
                    for unit in side.units
                ],
            )
            for side in lines
        ]

    @property
    def rows(self) -> list[HandRow]:
        """Every unit's row."""
        return [row for _, rows in self.sides for row in rows]

    def report(self) -> MatchReport | None:
        """What the forms say; None if they can't be read."""
        if not all([self.result.is_valid(), *(row.is_valid() for row in self.rows)]):
            return None
        units = {row.unit.key: _said(row.cleaned_data) for row in self.rows}
        return read_report(
            {
                "muster": "report/1",
                "winner": self.result.cleaned_data["winner"],
                "rounds": self.result.cleaned_data["rounds"],
                "units": {key: said for key, said in units.items() if said},
            }
        )

    def errors(self) -> list[tuple[str, str, str]]:
        """Field, label and reason of all that can't be read."""
        found = [
            (self.result[name].auto_id, str(self.result[name].label), str(reason))
            for name, reasons in self.result.errors.items()
            for reason in reasons
        ]
        for row in self.rows:
            for name, reasons in row.errors.items():
                found += [(row[name].auto_id, f"{row.unit.name}, {row[name].label}", str(reason)) for reason in reasons]
        return found


def after_of(choice: str, forms_: EditForms | None) -> tuple[bool, After]:
    """Whether the choice says what the match shall be, and what."""
    if choice == "undo":
        return True, None
    if choice in UNFOUGHT:
        return True, UNFOUGHT[choice]
    if choice == "edit" and forms_ is not None:
        report = forms_.report()
        return report is not None, report
    return False, None


def _result_initial(match: Match, result: Mapping[str, Any]) -> dict[str, Any]:
    winner = "draw" if match.outcome == Outcome.DRAW else match.outcome
    return {"winner": winner, "rounds": result.get("rounds") or None}


def _unit_initial(hits: int, fate: Mapping[str, Any] | None) -> dict[str, Any]:
    if fate is None:
        return {}
    return {
        "hits_lost": hits - fate["hits"],
        "destroyed": fate["lost"],
        "exploded": fate["lost_by"] == "explosion",
        "withdrew": fate["withdrew"],
        "wounded": fate["wounded"],
        "kills": fate["kills"],
    }


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
