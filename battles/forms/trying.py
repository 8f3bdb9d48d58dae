"""The form of the home page: two forces, a terrain, fight."""

from collections.abc import Iterable
from typing import Any

from django import forms

from battles.choices import doctrine_choices, first_doctrines, terrain_choices
from battles.forms.setups import LETTERS, GroupedChoices
from battles.published_forces import published_forces
from rosters.models import Company


class TryForm(forms.Form):
    """Two forces, a terrain, two doctrines: the battle of the home page."""

    a = forms.ChoiceField(label="Attacker")
    b = forms.ChoiceField(label="Defender")
    a_doctrine = forms.ChoiceField(label="Attacker's doctrine")
    b_doctrine = forms.ChoiceField(label="Defender's doctrine")
    terrain = forms.ChoiceField()

    def __init__(self, *args: Any, system: str, companies: Iterable[Company] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.system = system
        forces: GroupedChoices = [
            (
                "Published forces",
                [
                    (f"force:{force.slug}", f"{force.name} · {force.points} pt")
                    for force in published_forces(system).values()
                ],
            )
        ]
        public = [(f"company:{company.pk}", company.name) for company in companies]
        if public:
            forces.insert(0, ("Companies", public))
        for name, initial in zip(LETTERS, self.first_two(forces), strict=True):
            self.fields[name].choices = forces  # type: ignore[attr-defined]
            self.fields[name].initial = initial
            self.fields[f"{name}_doctrine"].choices = doctrine_choices(system)  # type: ignore[attr-defined]
        self.fields["b_doctrine"].initial = first_doctrines(system)[1]
        terrains = terrain_choices(system)
        if terrains:
            self.fields["terrain"].choices = terrains  # type: ignore[attr-defined]
        else:
            del self.fields["terrain"]

    @staticmethod
    def first_two(forces: GroupedChoices) -> tuple[str, str]:
        """Two different ones to begin with: two companies if there are, else two published forces."""
        groups = [group for _, group in forces if isinstance(group, list)]
        first, second = [value for group in groups for value, _ in group][:2]
        return first, second
