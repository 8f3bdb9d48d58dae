"""Forms for a game's terms: a side's support results, house rules."""

from collections.abc import Mapping
from functools import cached_property

from django import forms

from battles.choices import support_choices
from rosters.site.forms.house_rules import chosen_options, house_rule_fields

FormData = Mapping[str, object] | None  # the data a form was sent
SUPPORT_ROLL = "roll"  # one support roll with the battle's own dice
NO_SUPPORT = "none"


class SupportForm(forms.Form):
    """The support results of one side, a field for each roll it has."""

    def __init__(
        self, data: FormData, *, prefix: str, system: str, rolls: int, is_log: bool, initial: dict[str, object] | None
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        self.known = {SUPPORT_ROLL} | {value for _, group in support_choices(system) for value, _ in group}
        self.default = NO_SUPPORT if is_log else SUPPORT_ROLL
        first = [(NO_SUPPORT, "nothing")] if is_log else [(SUPPORT_ROLL, "roll on sealed dice"), (NO_SUPPORT, "nothing")]
        for number in range(1, rolls + 1):
            self.fields[str(number)] = forms.ChoiceField(
                choices=[*first, *support_choices(system)],
                required=False,
                initial=self.default,
                label="Support roll" if rolls == 1 else f"Support roll {number}",
            )

    def picked(self) -> tuple[str, ...]:
        """Return the known results for the set-up document; a field that wasn't sent has its default."""
        values = [self[name].value() or self.default for name in self.fields]
        return tuple(value for value in values if value in self.known)


class HouseRulesForm(forms.Form):
    """The house rules that a system declares, each at its default."""

    def __init__(
        self, data: FormData, *, prefix: str | None, system: str, initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        self.system = system
        self.rules = house_rule_fields(system)
        self.fields.update(self.rules)

    def options(self) -> dict[str, object]:
        """Return the options of a set-up document: those not at their default. Only for valid forms."""
        return chosen_options(self.system, self.cleaned_data)

    @cached_property
    def options_so_far(self) -> dict[str, object]:
        """The options of a form that may still be invalid, without wrong values."""
        probe = HouseRulesForm(
            {self.add_prefix(slug): value for slug in self.rules if (value := self[slug].value()) not in (None, False)},
            prefix=self.prefix,
            system=self.system,
        )
        probe.is_valid()
        return probe.options()

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields in the fold of house rules."""
        return list(self)

    @property
    def changed_count(self) -> int:
        """The number of rules not at their defaults."""
        return len(self.options_so_far)
