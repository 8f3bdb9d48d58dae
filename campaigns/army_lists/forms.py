"""Forms of the list for a match. They parse text into values; services decide.

If units are bought for the match: the pilots who come, then the units to buy and their pilots.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms

from battles.choices import GroupedChoices, doctrine_choices
from battles.forms.orders import WHOLE_SIDE, OrderFields, order_values, standing_form, standing_offered
from campaigns.army_lists.purchases import BuyingSide
from rosters.documents.snapshots import unit_key
from rosters.models import Design
from rosters.services import RefusedError
from rosters.site.forms import EditConflictMixin
from systems import battle_rules
from systems.setups import SIDE_LETTERS

MIN_ROWS_SHOWN = 4
OWN, KEPT, PILOT, HIRE = "own", "kept", "pilot", "hire"
Given = Mapping[str, object]
FormData = Mapping[str, object] | None  # the submitted data of a form


class ListForm(forms.Form):
    """A side's list for a match: units, AI style, and the player's words for the dice."""

    units = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, label="Units")
    doctrine = forms.ChoiceField(label="AI style", help_text="How your side plays if the match is simulated.")
    words = forms.CharField(
        max_length=100,
        required=False,
        label="Contribution to the dice seed",
        help_text="Any text. It is mixed with the server's secret so that nobody can choose the rolls, and "
        "can't be changed later.",
    )

    def __init__(
        self, data: FormData, *, system: str, units: list[tuple[str, str]], initial: dict[str, object]
    ) -> None:
        super().__init__(data, initial=initial)
        self.fields["units"].choices = units  # type: ignore[attr-defined]
        self.fields["doctrine"].choices = doctrine_choices(system)  # type: ignore[attr-defined]

    def unit_ids(self) -> list[int]:
        """Return the chosen unit IDs. Only for valid forms."""
        return [int(pk) for pk in self.cleaned_data["units"]]


class SubmitListForm(EditConflictMixin, ListForm):
    """The list a side submits.

    Changes are compared with the submitted list, if there is one; a list that is only proposed doesn't count.
    """

    def __init__(
        self,
        data: FormData,
        *,
        sealed: Mapping[str, Any] | None,
        system: str,
        units: list[tuple[str, str]],
        support: Collection[str],
        initial: dict[str, object],
    ) -> None:
        ordered = order_values(sealed.get("orders", {}) if sealed else {}, lambda key: key[1:])
        self.sealed = {**(sealed or {}), **ordered}
        super().__init__(data, system=system, units=units, initial={**initial, **ordered})
        self.support = OrderFields(self, system=system, results=support, units=units)

    def orders(self) -> dict[str, dict[str, object]]:
        """Return the orders for support, in the format of setups. Only for valid forms."""
        return self.support.given(lambda pk: unit_key(int(pk)))

    def _current_value(self, name: str) -> object:
        held = self.sealed.get(name, [] if name == "units" else "")
        return sorted(map(str, held)) if isinstance(held, list) else held


class RollForm(forms.Form):
    """The pilots who come, and words for the dice of the support rolls."""

    pilots = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple, label="Pilots")
    words = forms.CharField(
        max_length=100,
        required=False,
        label="Contribution to the dice seed",
        help_text="Any text. It is mixed with the server’s secret so that nobody can choose the rolls.",
    )

    def __init__(self, data: Any, *, pilots: list[tuple[str, str]], initial: dict[str, object]) -> None:
        super().__init__(data, initial=initial)
        self.fields["pilots"].choices = pilots  # type: ignore[attr-defined]

    def pilot_ids(self) -> list[int]:
        """Return the ids chosen. Valid forms only."""
        return [int(pk) for pk in self.cleaned_data["pilots"]]


class PurchaseRow:
    """The fields of one unit."""

    def __init__(self, form: forms.BaseForm, number: int) -> None:
        self.number = number
        self.design, self.seat, self.called = (form[f"{name}_{number}"] for name in ("design", "seat", "called"))

    @property
    def is_used(self) -> bool:
        return bool(self.design.value())


class PurchaseForm(EditConflictMixin, forms.Form):
    """A side's purchase and submission. Concurrent changes are compared with its submitted list, if there is one."""

    doctrine = forms.ChoiceField(label="AI style", help_text="How your side plays if the match is simulated.")
    words = forms.CharField(
        max_length=100,
        required=False,
        label="Contribution to the dice seed",
        help_text="Any text. It is mixed with the server’s secret and can’t be changed later.",
    )
    keep_as = forms.CharField(
        max_length=60,
        required=False,
        label="Save list as",
        help_text="Lets you start from these designs in another match.",
    )

    def __init__(
        self,
        data: Any,
        *,
        buyer: BuyingSide,
        designs: GroupedChoices,
        own: Mapping[int, Design],
        start: Sequence[Given],
        sealed: Mapping[str, Any] | None,
        doctrine: str,
    ) -> None:
        self.buyer, self.own = buyer, own
        self.most = battle_rules(buyer.rules.slug).max_units
        self.start = list(start)
        ordered = order_values(sealed.get("orders", {}), lambda key: key[1:]) if sealed else {}  # by unit number
        self.held = field_values(sealed["buys"]) | {"doctrine": sealed["doctrine"]} | ordered if sealed else {}
        super().__init__(data, initial={**field_values(self.start), **ordered, "doctrine": doctrine})
        self.fields["doctrine"].choices = doctrine_choices(buyer.rules.slug)  # type: ignore[attr-defined]
        kept = [(f"{KEPT}:{at}", str(each["name"])) for at, each in enumerate(self.start) if _is_spec(each)]
        offered = [*designs, *([("This list", kept)] if kept else [])]
        seats, hired = self._seats(), f"{HIRE}:{next(iter(buyer.rules.hire_points), '')}"
        for number in range(1, self.most + 1):
            self.fields[f"design_{number}"] = forms.ChoiceField(
                choices=offered, required=False, label=f"{buyer.rules.unit_words[0]} {number}"
            )
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                choices=seats, required=False, label="Pilot", initial=hired
            )
            self.fields[f"called_{number}"] = forms.CharField(required=False, max_length=60, label="Name, if hired")

        word = buyer.rules.unit_words[0]
        self.support = OrderFields(
            self,
            system=buyer.rules.slug,
            results=buyer.preparation.support if buyer.preparation else (),
            units=[(str(number), f"{word} {number}") for number in range(1, self.most + 1)],
        )
        left = {whom: given for whom, given in buyer.enrolment.orders.get("standing", {}).items() if whom == WHOLE_SIDE}
        self.standing = standing_form(
            data,
            what=standing_offered(buyer.rules.slug, buyer.match.scenario, buyer.side),
            who=[(str(number), f"{buyer.rules.unit_words[0]} {number}") for number in range(1, self.most + 1)],
            kept=sealed.get("standing", {}) if sealed else left,
        )

    def is_valid(self) -> bool:
        """Return whether the form and its autoplay orders are valid."""
        return super().is_valid() and self.standing.is_valid()

    def orders(self) -> dict[str, dict[str, object]]:
        """Return the orders for the support that the side rolled, as set-ups take them. Valid forms only."""
        used, letter = self._used(), SIDE_LETTERS[self.buyer.side]

        def key_of(value: str) -> str:
            number = int(value)
            return f"{letter}{used.index(number) + 1}" if number in used else f"no {number}"

        return self.support.given(key_of)

    def autoplay_orders(self) -> dict[str, dict[str, str | int]]:
        """Return the autoplay orders by unit, as services take them; units are named by number. Valid forms only.

        Raise RefusedError for orders to an empty row.
        """
        used = [str(number) for number in self._used()]
        found: dict[str, dict[str, str | int]] = {}
        for whom, given in self.standing.given().items():
            if whom != WHOLE_SIDE and whom not in used:
                name = f"{self.buyer.rules.unit_words[0].capitalize()} {whom}"
                raise RefusedError(
                    "standing", f"{name} has autoplay orders but isn't chosen. Choose it, or remove its orders."
                )
            found[whom if whom == WHOLE_SIDE else str(used.index(whom) + 1)] = given
        return found

    def _used(self) -> list[int]:
        return [number for number in range(1, self.most + 1) if self.cleaned_data.get(f"design_{number}")]

    def _seats(self) -> GroupedChoices:
        """Return the pilots who came, then those for hire, with their cost from the match's points."""
        rules, record = self.buyer.rules, self.buyer.record
        came = self.buyer.preparation.pilots if self.buyer.preparation else []
        own = [
            (f"{PILOT}:{pk}", f"{record.pilots[pk].name}, {rules.level_names[record.pilots[pk].experience]}")
            for pk in came
            if pk in record.pilots
        ]
        hired = [
            (f"{HIRE}:{level}", f"{rules.level_names[level]}, hired{f', {points} pt' if points else ''}")
            for level, points in rules.hire_points.items()
        ]
        groups: GroupedChoices = [("Your pilots", own), ("Hired for this match", hired)]
        return [(title, group) for title, group in groups if group]

    @property
    def rows(self) -> list[PurchaseRow]:
        return [PurchaseRow(self, number) for number in range(1, self.most + 1)]

    @property
    def visible_rows(self) -> list[PurchaseRow]:
        """Return the rows in use and one more, at least four."""
        return self.rows[: self._row_count()]

    @property
    def hidden_rows(self) -> list[PurchaseRow]:
        """Return the other rows, which the page folds away."""
        return self.rows[self._row_count() :]

    def _row_count(self) -> int:
        used = [row.number for row in self.rows if row.is_used]
        return min(self.most, max(MIN_ROWS_SHOWN, max(used, default=0) + 1))

    def given(self) -> list[dict[str, object]]:
        """Return the purchases as services take them, without those that can't be read. Call it after validation."""
        found = []
        for number in range(1, self.most + 1):
            design = self._design(str(self.cleaned_data.get(f"design_{number}", "")))
            kind, _, ref = str(self.cleaned_data.get(f"seat_{number}", "")).partition(":")
            if design is None:
                continue
            seat: dict[str, object] = {PILOT: int(ref)} if kind == PILOT else {HIRE: ref}
            found.append({**design, **seat, "called": self.cleaned_data.get(f"called_{number}", "")})
        return found

    def _design(self, value: str) -> dict[str, object] | None:
        kind, _, ref = value.partition(":")
        if kind == OWN and int(ref) in self.own:
            row = self.own[int(ref)]
            return {"design": row.spec, "name": row.name}
        if kind == KEPT:
            each = self.start[int(ref)]
            return {"design": each["design"], "name": each["name"]}
        return {"design": value} if value else None

    def _current_value(self, name: str) -> object:
        return self.held.get(name, "")


def _is_spec(given: Given) -> bool:
    return not isinstance(given["design"], str)


def field_values(buys: Sequence[Given]) -> dict[str, object]:
    """Return the field values for these purchases."""
    found: dict[str, object] = {}
    for number, each in enumerate(buys, start=1):
        found[f"design_{number}"] = f"{KEPT}:{number - 1}" if _is_spec(each) else each["design"]
        pilot = each.get("pilot")
        found[f"seat_{number}"] = f"{HIRE}:{each['hire']}" if pilot is None else f"{PILOT}:{pilot}"
        found[f"called_{number}"] = each.get("called", "")
    return found
