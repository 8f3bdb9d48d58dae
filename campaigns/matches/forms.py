"""Forms of the lists for a match and of friendly games. They parse text into values; services decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms

from battles.choices import doctrine_choices
from battles.forms.orders import OrderFields, order_values
from rosters.documents.snapshots import unit_key
from rosters.site.forms import EditConflictMixin

FormData = Mapping[str, object] | None  # the submitted data of a form


class ListForm(forms.Form):
    """A side's list for a match: units, AI style, and the player's words for the dice."""

    units = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, label="Units")
    doctrine = forms.ChoiceField(label="Doctrine", help_text="How they fight if the match is resolved by orders.")
    words = forms.CharField(
        max_length=100,
        required=False,
        label="Words for the dice",
        help_text="Anything. They go into the sealed dice beside the server's secret, so that nobody can choose the rolls. "
        "They stay as you first seal them.",
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


class FriendlyForm(ListForm):
    """A friendly game to announce: the company's units, the ground, and the ready-made force to play against."""

    ground = forms.ChoiceField(label="Where")
    opponent = forms.ChoiceField(label="Against")

    def __init__(
        self,
        data: FormData,
        *,
        grounds: list[str],
        opponents: list[tuple[str, str]],
        system: str,
        units: list[tuple[str, str]],
        initial: dict[str, object],
    ) -> None:
        super().__init__(data, system=system, units=units, initial=initial)
        self.fields["ground"].choices = [(str(at), each) for at, each in enumerate(grounds)]  # type: ignore[attr-defined]
        self.fields["opponent"].choices = opponents  # type: ignore[attr-defined]
        self.fields["doctrine"].help_text = "How they fight."
