"""The form of the home page: two forces, a terrain, a button."""

from collections.abc import Iterable

from django import forms

from battles.choices import GroupedChoices, doctrine_choices, first_doctrines, set_choices, terrain_choices
from battles.forms.setups import LETTERS
from battles.forms.terms import FormData
from battles.published_forces import published_forces
from rosters.models import Company


class TryForm(forms.Form):
    """Two forces, a terrain, two AI styles: the battle of the home page."""

    a = forms.ChoiceField(label="Attacker")
    b = forms.ChoiceField(label="Defender")
    a_doctrine = forms.ChoiceField(label="Attacker's doctrine")
    b_doctrine = forms.ChoiceField(label="Defender's doctrine")
    terrain = forms.ChoiceField()

    def __init__(self, data: FormData = None, *, system: str, companies: Iterable[Company] = ()) -> None:
        super().__init__(data)
        self.system = system
        published = [
            (f"force:{each.slug}", f"{each.name} · {each.points} pt") for each in published_forces(system).values()
        ]
        public = [(f"company:{company.pk}", company.name) for company in companies]
        groups = (("Companies", public), ("Published forces", published))
        forces: GroupedChoices = [(title, group) for title, group in groups if group]
        for name, initial in zip(LETTERS, self.first_two(forces), strict=True):
            set_choices(self, name, forces)
            self.fields[name].initial = initial
            set_choices(self, f"{name}_doctrine", doctrine_choices(system))
        self.fields["b_doctrine"].initial = first_doctrines(system)[1]
        set_choices(self, "terrain", terrain_choices(system))

    @staticmethod
    def first_two(forces: GroupedChoices) -> tuple[str, str]:
        """Return two different forces to begin with: two companies if there are any, else two published forces."""
        groups = [group for _, group in forces if isinstance(group, list)]
        first, second = [value for group in groups for value, _ in group][:2]
        return first, second
