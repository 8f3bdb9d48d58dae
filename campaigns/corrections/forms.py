"""Forms of corrections: the corrected result of a match, and a ruling on a company."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django import forms
from django.core import signing

from battles.services.results import fates_from_result
from campaigns.corrections.adjustment_plan import MAX_POINTS, Adjustment
from campaigns.corrections.plan import CorrectedResult, VerdictWithoutBattle
from campaigns.corrections.selectors import MODES
from campaigns.corrections.services import MAX_REASON, MAX_REASON_LENGTH
from campaigns.models import CorrectionMode, Match, MatchState, Outcome
from campaigns.results.forms import ReportForms
from campaigns.results.reports import MatchReport, parse_report
from campaigns.results.selectors import pilot_names
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.ledger import ACTIVE, DEAD, DESTROYED, READY, RETIRED, WOUNDED, CompanyRecord, PilotRecord, UnitRecord
from systems.reading import stored_setup
from systems.roster import AnyRoster
from systems.scenarios import SIDES

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
        help_text="Shown on the match page and among the rulings.",
    )

    def mode_chosen(self) -> CorrectionMode:
        """Return the mode. Call it only on a valid form."""
        return CorrectionMode(self.cleaned_data["mode"])


def edit_form(
    match: Match, data: Mapping[str, object] | None = None, *, report: MatchReport | None = None
) -> ReportForms:
    """Return the grid of a match's result, filled in with `report` or else with the present result."""
    document = report_to_dict(match) if report is None else report.model_dump(mode="json")
    return ReportForms(match, data, report=document, pilots=pilot_names(match))


def pack_report(match: Match, report: MatchReport) -> str:
    """Return the report as part of a URL: short enough for two full lists, and valid only for this match."""
    return signing.dumps(report.model_dump(mode="json", exclude_defaults=True), salt=_salt(match), compress=True)


def unpack_report(match: Match, packed: str) -> MatchReport | None:
    """Return the report that was packed; None if it can't be read."""
    try:
        return parse_report(signing.loads(packed, salt=_salt(match)), match.round.campaign.system)
    except (signing.BadSignature, DocumentError):
        return None


def parse_choice(choice: str, report: MatchReport | None) -> tuple[bool, CorrectedResult]:
    """Return whether the choice gives a corrected result, and that result (None: the match is undone)."""
    if choice == "undo":
        return True, None
    if choice in VERDICTS_WITHOUT_BATTLE | BYE:
        return True, (VERDICTS_WITHOUT_BATTLE | BYE)[choice]
    if choice == "edit" and report is not None:
        return True, report
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


FormData = Mapping[str, object] | None  # the data of a form
Choices = list[tuple[str, str | list[tuple[str, str]]]]
UNCHANGED = ("", "no change")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRow:
    """A unit or pilot in the form: its name, a description of its present state, and its fields."""

    name: str
    about: str
    fields: tuple[forms.BoundField, ...]


class AdjustForm(forms.Form):
    """Turns the choices on the page into adjustments, in the order of the page."""

    points = forms.IntegerField(
        required=False,
        min_value=-MAX_POINTS,
        max_value=MAX_POINTS,
        label="Points given or taken",
        help_text="A negative number takes unspent points away.",
    )
    design = forms.ChoiceField(required=False, label="Grant a unit")
    unit_name = forms.CharField(
        required=False, max_length=60, label="Name", help_text="Leave blank to use the design's name."
    )
    pilot_name = forms.CharField(required=False, max_length=60, label="Grant a pilot", help_text="A name.")
    pilot_callsign = forms.CharField(required=False, max_length=30, label="Callsign")
    pilot_level = forms.ChoiceField(required=False, label="Level")
    reason = forms.CharField(
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Reason",
        help_text="Shown in the activity log, in the gazette and with the rulings.",
    )

    def __init__(self, data: FormData, *, system: str, record: CompanyRecord) -> None:
        super().__init__(data, auto_id="adjust_%s")
        self.rules: AnyRoster = roster_rules(system)
        designs = [(design.slug, design.name) for design in self.rules.published.values()]
        self.fields["design"].choices = [("", "none"), *designs]  # type: ignore[attr-defined]
        levels = [(slug, self.rules.level_names.get(slug, slug)) for slug in self.rules.hire_points]
        self.fields["pilot_level"].choices = levels  # type: ignore[attr-defined]
        if not levels:
            for name in ("pilot_name", "pilot_callsign", "pilot_level"):
                del self.fields[name]
        self.units = [row for row in record.units.values() if row.status in (READY, DESTROYED) and not row.lent]
        seen = (ACTIVE, WOUNDED, DEAD, RETIRED)
        self.pilots = [row for row in record.pilots.values() if row.status in seen and not row.lent]
        for unit in self.units:
            self._add_unit_fields(unit)
        for pilot in self.pilots:
            self._add_pilot_fields(pilot)
        for name, field in self.fields.items():
            if name[0] in "up" and name[1:2].isdigit():
                field.widget.attrs["aria-label"] = field.label
        self.asked_by: list[str] = []  # the field that each adjustment comes from

    def _add_unit_fields(self, unit: UnitRecord) -> None:
        harm = self.rules.harm(self.rules.parse_spec(unit.spec), unit.condition)
        choices: Choices = [UNCHANGED]
        if unit.status == DESTROYED:
            choices.append(("restore-unit", "returned and repaired"))
        else:
            choices += [("repair-unit", "repaired")] if self.rules.describe_condition(unit.condition) else []
            choices += [("harm-unit", harm.words)] if harm is not None else []
            choices += [("destroy-unit", "destroyed"), ("take-unit", "removed")]
        self.fields[f"u{unit.id}"] = forms.ChoiceField(required=False, choices=choices, label=f"{unit.name}: change")
        if harm is not None and harm.most > 1 and unit.status == READY:
            self.fields[f"u{unit.id}-count"] = forms.IntegerField(
                required=False, min_value=1, max_value=harm.most, label=f"{unit.name}: {harm.words}"
            )

    def _add_pilot_fields(self, pilot: PilotRecord) -> None:
        choices: Choices = [UNCHANGED]
        if pilot.status in (DEAD, RETIRED):
            choices.append(("return-pilot", "returned"))
        else:
            hurt = [("wound-pilot", "wounded: misses a game")] if pilot.status == ACTIVE else [("heal-pilot", "healed")]
            choices += [*hurt, ("kill-pilot", "dead")]
            levels = [
                (f"promote {slug}", name) for slug, name in self.rules.level_names.items() if slug != pilot.experience
            ]
            skills = [
                (f"skill {slug}", name) for slug, name in self.rules.skill_names.items() if slug not in pilot.skills
            ]
            choices += [("Level", levels)] if levels else []
            choices += [("Skill", skills)] if skills else []
        self.fields[f"p{pilot.id}"] = forms.ChoiceField(required=False, choices=choices, label=f"{pilot.name}: change")
        if self.rules.counts_experience and pilot.status in (ACTIVE, WOUNDED):
            self.fields[f"p{pilot.id}-experience"] = forms.IntegerField(
                required=False, min_value=-pilot.points, max_value=MAX_POINTS, label=f"{pilot.name}: experience"
            )

    @property
    def unit_lines(self) -> list[SubjectRow]:
        return [
            SubjectRow(
                name=unit.name, about=self._describe_unit(unit), fields=tuple(self._fields(f"u{unit.id}", "count"))
            )
            for unit in self.units
        ]

    @property
    def pilot_lines(self) -> list[SubjectRow]:
        return [
            SubjectRow(
                name=pilot.name,
                about=self._describe_pilot(pilot),
                fields=tuple(self._fields(f"p{pilot.id}", "experience")),
            )
            for pilot in self.pilots
        ]

    @property
    def harm_head(self) -> str:
        """The heading of the column for the amount of damage; empty if no unit can take more than one."""
        return "How much" if any(f"u{unit.id}-count" in self.fields for unit in self.units) else ""

    @property
    def experience_head(self) -> str:
        return "Experience" if any(f"p{pilot.id}-experience" in self.fields for pilot in self.pilots) else ""

    def _fields(self, name: str, more: str) -> Iterator[forms.BoundField]:
        return (self[each] for each in (name, f"{name}-{more}") if each in self.fields)

    def _describe_unit(self, unit: UnitRecord) -> str:
        condition = self.rules.describe_condition(unit.condition)
        details = [unit.design_name] if unit.design_name.casefold() != unit.name.casefold() else []
        return ", ".join([*details, *([unit.status] if unit.status != READY else [condition] if condition else [])])

    def _describe_pilot(self, pilot: PilotRecord) -> str:
        level = self.rules.level_names.get(pilot.experience, pilot.experience)
        points = [f"{pilot.points} experience"] if self.rules.counts_experience else []
        return ", ".join([level, *points, *([pilot.status] if pilot.status != ACTIVE else [])])

    def asked(self) -> tuple[Adjustment, ...]:
        """Return the adjustments that the form asks for. Call it only on a valid form."""
        found = list(self._adjustments())
        self.asked_by = [name for name, _ in found]
        return tuple(each for _, each in found)

    def _adjustments(self) -> Iterator[tuple[str, Adjustment]]:
        clean = self.cleaned_data
        if clean.get("points"):
            yield "points", Adjustment(what="points", count=clean["points"])
        for unit in self.units:
            name = f"u{unit.id}"
            if what := clean.get(name):
                count = clean.get(f"{name}-count") or 1
                yield name, Adjustment(what=what, unit=unit.id, count=count if what == "harm-unit" else None)
        for pilot in self.pilots:
            name = f"p{pilot.id}"
            what, _, value = (clean.get(name) or "").partition(" ")
            if what == "promote":
                yield name, Adjustment(what="promote", pilot=pilot.id, level=value)
            elif what == "skill":
                yield name, Adjustment(what="skill", pilot=pilot.id, skill=value)
            elif what:
                yield name, Adjustment(what=what, pilot=pilot.id)  # type: ignore[arg-type]
            if count := clean.get(f"{name}-experience"):
                yield f"{name}-experience", Adjustment(what="experience", pilot=pilot.id, count=count)
        if clean.get("design"):
            yield "design", Adjustment(what="grant-unit", design=clean["design"], name=clean["unit_name"] or None)
        if clean.get("pilot_name"):
            yield (
                "pilot_name",
                Adjustment(
                    what="grant-pilot",
                    name=clean["pilot_name"],
                    callsign=clean["pilot_callsign"] or None,
                    level=clean["pilot_level"] or None,
                ),
            )

    def refuse(self, error: RefusedError | DocumentError) -> None:
        """Add the error to the field it is about, or to the form if there is no such field."""
        path = error.path if isinstance(error, DocumentError) else error.field
        place, _, _ = path.removeprefix("adjustments[").partition("]")
        at = int(place) if path.startswith("adjustments[") and place.isdecimal() else -1
        field = self.asked_by[at] if 0 <= at < len(self.asked_by) else path
        if isinstance(error, DocumentError) and not self.asked_by:
            self.add_error(None, "Choose at least one change.")
        else:
            self.add_error(field if field in self.fields else None, error.reason)


class UndoForm(forms.Form):
    reason = forms.CharField(
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Reason",
        help_text="Shown in the activity log and among the rulings.",
    )
