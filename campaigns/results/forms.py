"""The form of a report: one grid of all units of both sides, which makes a report/1 document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from battles.forms.results import OUT_OF_BOUNDS, FateForm, FateGrid
from battles.selectors.records import SideRow, sides_of
from battles.services.results import outcome_choices
from campaigns.models import Match
from campaigns.results.reports import NO_WINNER, ComparisonRow, MatchReport, parse_report
from campaigns.results.selectors import TABLE_ROLL, support_names
from campaigns.results.services import PaperLists, chosen_text, paper_lists
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import stored_setup
from systems.report_fields import MAX_ROUNDS, CountField, FateField, HandTerms
from systems.scenarios import SIDES

FormData = Mapping[str, object] | None  # the data sent to a form


class NumberField(forms.IntegerField):
    """A whole number field, 0 if left empty. It has a plain box, so that the arrow keys can leave it."""

    default_error_messages = {**OUT_OF_BOUNDS}

    def __init__(self, *, max_value: int, required: bool, label: str) -> None:
        size = max(3, len(str(max_value)))
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": size})
        super().__init__(min_value=0, max_value=max_value, widget=widget, required=required, label=label)

    def clean(self, value: object) -> int:
        return int(super().clean(value) or 0)


class UnitForm(FateForm):
    """One row of the grid: the fields that the match's game has for a unit."""

    undecided = "roll for it"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in self.asked.values():
            field = self.fields[each.name] = self.answer(each)
            field.widget.attrs["aria-label"] = f"{self.unit.name}: {each.label}"

    def number(self, each: CountField, **about: Any) -> NumberField:
        return NumberField(max_value=each.most, **about)

    def given(self, name: str) -> int:
        """Return a number that was sent, or else the form's initial one; 0 if there is none."""
        return int((self.cleaned_data if self.is_bound else self.initial).get(name) or 0)

    def mark(self, name: str, reason: str) -> None:
        """Mark the cell of a sent form. An unbound form has no cell to mark."""
        if self.is_bound:
            self.add_error(name, reason)

    @property
    def hits_left(self) -> int:
        """Return the hits left by the form's current values; invalid numbers count as 0."""
        value = str(self["hits_lost"].value() or "0") if "hits_lost" in self.fields else "0"
        lost = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 0
        is_mended = "mended" in self.fields and self["mended"].value()
        return 0 if self["destroyed"].value() else max(0, (self.unit.max_hits if is_mended else self.unit.hits) - lost)


class SupportForm(forms.Form):
    """The support that a side used, entry by entry."""

    def __init__(
        self, data: FormData, *, prefix: str, had: Sequence[str], names: Mapping[str, str], used: Sequence[str]
    ) -> None:
        super().__init__(data, prefix=prefix)
        self.had, used = had, list(used)
        for at, slug in enumerate(had):
            if slug == TABLE_ROLL:
                choices = [("", "nothing used"), *names.items()]
                self.fields[str(at)] = forms.ChoiceField(required=False, choices=choices, label="Support roll")
            else:
                self.fields[str(at)] = forms.BooleanField(required=False, label=f"{names.get(slug, slug)} used")
                if slug in used:
                    used.remove(slug)
                    self.initial[str(at)] = True
        rolled = [at for at, slug in enumerate(had) if slug == TABLE_ROLL]
        self.initial.update({str(at): slug for at, slug in zip(rolled, used, strict=False)})

    def used(self) -> list[str]:
        answers = [(slug, self.cleaned_data.get(str(at))) for at, slug in enumerate(self.had)]
        return [str(value) if slug == TABLE_ROLL else slug for slug, value in answers if value]


class EndForm(forms.Form):
    """How the match ended."""

    winner = forms.ChoiceField(
        widget=forms.RadioSelect,
        label="Winner",
        error_messages={"invalid_choice": NO_WINNER},
    )
    rounds = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_ROUNDS,
        label="Rounds played",
        error_messages=OUT_OF_BOUNDS,
    )

    def __init__(self, data: FormData, *, prefix: str, names: Sequence[str], initial: dict[str, object]) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        words = [label for _, label in outcome_choices(names)]
        self.fields["winner"].choices = list(zip((*SIDES, "draw"), words, strict=True))  # type: ignore[attr-defined]
        self.fields["rounds"].widget.attrs["inputmode"] = "numeric"


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
    """One field of the grid, with both reports' values where they differ."""

    field: forms.BoundField
    is_number: bool
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    form: UnitForm
    pilot: str
    cells: tuple[GridCell, ...]
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSide:
    line: SideRow
    rows: tuple[GridRow, ...]
    support: SupportForm
    terms: HandTerms
    asked: Mapping[str, FateField]  # of each unit

    @property
    def columns(self) -> tuple[tuple[str, str, bool], ...]:
        """Return name and heading of each column, and whether it holds numbers."""
        return tuple((each.name, each.label, isinstance(each, CountField)) for each in self.asked.values())


class ReportForms(FateGrid):
    """The whole form of a match: its lists are revealed, or it was played on paper."""

    def __init__(
        self,
        match: Match,
        data: FormData = None,
        *,
        report: Mapping[str, Any] | None = None,
        pilots: Mapping[str, str],
        rows: Sequence[ComparisonRow] = (),
        prefix: str = "",
        paper: PaperLists | None = None,
    ) -> None:
        """`report` is a report/1 document to start from; `prefix` keeps forms on one page apart.

        `paper` are the lists of a match that has none yet.
        """
        super().__init__()
        self.prefix = prefix
        self.system = match.round.campaign.system
        self.sides: list[GridSide] = []
        self.paper, self.has_other_units = paper, False
        companies = _names(match)
        self.unit_choices = [
            (companies[side], f"{prefix}units-{side}", choices)
            for side, choices in enumerate(paper.choices if paper else ())
        ]
        report = dict(report or {})
        setup = paper.setup if paper else stored_setup(match.setup or {})
        if setup is None:  # units are bought once the match is entered
            self.end = EndForm(data, prefix=f"{prefix}r", names=companies, initial=report)
            return
        names, support = support_names(setup.system), report.get("support", {})
        terms = battle_rules(setup.system).hand
        self.end = EndForm(data, prefix=f"{prefix}r", names=[side.name for side in setup.sides], initial=report)
        hints = {row.path: f"{row.attacker} / {row.defender}" for row in rows if row.differs}
        for place, line, side in zip(SIDES, sides_of(setup), setup.sides, strict=True):
            units = [
                UnitForm(
                    data,
                    prefix=f"{prefix}{unit.key}",
                    unit=unit,
                    terms=terms,
                    support=side.support,
                    initial=report.get("units", {}).get(unit.key),
                )
                for unit in line.units
            ]
            form = SupportForm(
                data, prefix=f"{prefix}support-{place}", had=side.support, names=names, used=support.get(place, ())
            )
            grid = tuple(_row(unit, pilots.get(unit.unit.key, ""), hints) for unit in units)
            asked = terms.asked(side.support)
            self.sides.append(GridSide(line=line, rows=grid, support=form, terms=terms, asked=asked))

    def parts(self) -> list[tuple[str, forms.Form]]:
        named: list[tuple[str, forms.Form]] = [("", self.end)]
        for side in self.sides:
            named += [(f"{row.form.unit.name}, ", row.form) for row in side.rows]
            named += [(f"{side.line.name}, ", side.support)]
        return named

    def document(self) -> dict[str, object]:
        """Return the form's values; it must be valid."""
        return {
            "muster": "report/1",
            **self.end.cleaned_data,
            "units": {row.form.unit.key: row.form.cleaned_data for side in self.sides for row in side.rows},
            "support": {place: side.support.used() for place, side in zip(SIDES, self.sides, strict=False)},
        }

    def report(self) -> MatchReport:
        """Return the form's values as a parsed document of its game; it must be valid. Raises DocumentError."""
        return parse_report(self.document(), self.system)

    def refuse(self, error: RefusedError | DocumentError) -> None:
        """Add a refusal to the field that it is about."""
        path = error.path if isinstance(error, DocumentError) else error.field
        for side in self.sides:
            for row in side.rows:
                prefix = f"units.{row.form.unit.key}."
                name = path.removeprefix(prefix)
                if path.startswith(prefix) and name in row.form.fields:
                    label = f"{row.form.unit.name}, {row.form.terms.fields[name]}"
                    self.errors.append((row.form[name].auto_id, label, error.reason))
                    row.form.mark(name, error.reason)
                    return
        label = path.partition(".")[0].capitalize()
        at = self._mark_kills(error.reason) if path == "kills" else ""
        if path == "winner":
            at = self.end["winner"].auto_id
        self.errors.append((at, label, error.reason))

    def _mark_kills(self, reason: str) -> str:
        """Mark the kills of a side that exceed the other's losses. Return the id of the first marked field."""
        found = ""
        for side, other in zip(self.sides, reversed(self.sides), strict=True):
            rows = [row for row in side.rows if row.form.given("kills")]
            lost = sum(row.form.given("destroyed") for row in other.rows)
            if sum(row.form.given("kills") for row in rows) > lost:
                found = found or rows[0].form["kills"].auto_id
                for row in rows:
                    row.form.mark("kills", reason)
        return found


OTHER_UNITS = "You changed the units. Fill in their results, then enter the match again."


def paper_form(match: Match, data: QueryDict | None, *, prefix: str = "") -> ReportForms:
    """Return the form of a match that was played on paper. Data for other units than those shown isn't valid.

    Raises RefusedError if Muster finds no lists for the match.
    """
    shown_units = data.get(f"{prefix}shown") if data is not None else None
    chosen = (
        {side: _ticked(data, f"{prefix}units-{side}") for side in (0, 1)} if data is not None and shown_units else {}
    )
    problem = ""
    try:
        lists = paper_lists(match, chosen)
    except RefusedError as error:
        if not any(chosen.values()):
            raise
        lists, problem = paper_lists(match), error.reason
    if shown_units and not problem and shown_units != chosen_text([chosen[side] for side in (0, 1)]):
        problem = OTHER_UNITS
    form = ReportForms(match, data, pilots=lists.pilots, prefix=prefix, paper=lists)
    if problem:
        form.has_other_units = True
        form.errors.append((f"{prefix}units", "Units that played", problem))
    return form


def _ticked(data: QueryDict, name: str) -> list[int]:
    return [int(pk) for pk in data.getlist(name) if pk.isascii() and pk.isdigit() and len(pk) < 10]


def _names(match: Match) -> list[str]:
    return [enrolment.company.name for enrolment in (match.attacker, match.defender) if enrolment]


def _row(form: UnitForm, pilot: str, hints: Mapping[str, str]) -> GridRow:
    paths = {name: f"units.{form.unit.key}.{name}" for name in form.fields}
    cells = tuple(
        GridCell(field=form[name], is_number=isinstance(form.asked[name], CountField), hint=hints.get(path, ""))
        for name, path in paths.items()
    )
    return GridRow(form=form, pilot=pilot, cells=cells, differs=any(cell.hint for cell in cells))


class ReasonForm(forms.Form):
    """Why somebody won't play."""

    reason = forms.CharField(max_length=300, label="Reason", help_text="Your opponent and the arbiters can read it.")


class ImportForm(forms.Form):
    """Past results, as a file or as text."""

    file = forms.FileField(required=False, label="A file", help_text="A spreadsheet (.xlsx, .ods) or a CSV file.")
    text = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Or paste the text",
    )
