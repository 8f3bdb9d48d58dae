"""Forms of seasons. They parse text into values; services decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from campaigns.models import PairingMethod, Season, SeasonState, SettleRule
from campaigns.scoring import SEASON_SCORING, form_fields
from campaigns.seasons.rounds import MAX_BOARDS, MIN_BOARDS
from campaigns.seasons.selectors import SeasonPlayerRow
from campaigns.seasons.services import BOUNDS, CUP_FIELDS, FIXED_ONCE_RUNNING, MAX_ABOUT_LENGTH
from campaigns.standings.table import SEASON_TIE_BREAKERS, TIE_BREAKERS
from rosters.site.forms import EditConflictMixin

FormData = Mapping[str, object] | None  # the data sent to a form
TIES = ("tie_1", "tie_2", "tie_3")
CUP_CHOICES = [("0", "no cup"), *((str(n), f"a cup of the top {n}") for n in (2, 3, 4, 6, 8, 12, 16, 32))]


def _number(field: str, label: str, help_text: str = "", initial: int | None = None) -> forms.IntegerField:
    least, most = BOUNDS[field]
    return forms.IntegerField(min_value=least, max_value=most, label=label, help_text=help_text, initial=initial)


def _tie(label: str) -> forms.ChoiceField:
    choices = [("", "–"), *((slug, TIE_BREAKERS[slug]) for slug in SEASON_TIE_BREAKERS)]
    return forms.ChoiceField(choices=choices, required=False, label=label)


class SeasonForm(forms.Form):
    """How a season is played."""

    name = forms.CharField(max_length=60)
    about = forms.CharField(
        max_length=MAX_ABOUT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For example the story, or when and where you meet.",
    )
    vars().update(form_fields(SEASON_SCORING))
    tie_1 = _tie("First tie-breaker")
    tie_2 = _tie("Then")
    tie_3 = _tie("Then")
    agree_days = _number("agree_days", "Days to agree on a game", "Counted from the start of a round.", initial=3)
    settle_rule = forms.ChoiceField(
        choices=SettleRule.choices,
        label="No agreement",
        help_text="How the game is chosen if the two don’t agree in time.",
    )
    pace_days = _number("pace_days", "Days per round", "From the start of a round to its deadline.", initial=14)
    cup_size = forms.TypedChoiceField(choices=CUP_CHOICES, coerce=int, initial="4", label="Final stage")
    has_third_place = forms.BooleanField(required=False, label="Match for third place")
    points_may_differ = forms.BooleanField(
        required=False,
        label="Campaigns can have different points per company",
        help_text="If this is off, every campaign in the season must use the same points limit.",
    )

    def settings(self) -> dict[str, Any]:
        """Return the values for the service. Valid forms only."""
        given = {name: value for name, value in self.cleaned_data.items() if name not in TIES}
        if TIES[0] in self.fields:
            given["tie_breakers"] = [slug for name in TIES if (slug := self.cleaned_data[name])]
        return given


class SeasonSettingsForm(EditConflictMixin, SeasonForm):
    """The settings of an existing season, without those that are fixed by now."""

    def __init__(self, data: FormData, *, season: Season, has_cup_begun: bool) -> None:
        super().__init__(data, initial=season_initial(season))
        fixed: list[str] = []
        if season.state != SeasonState.GATHERING:
            fixed += [*(name for name in FIXED_ONCE_RUNNING if name in self.fields), *TIES]
        if has_cup_begun:
            fixed += CUP_FIELDS
        for name in fixed:
            del self.fields[name]
        size = self.fields.get("cup_size")
        known = {value for value, _ in CUP_CHOICES}
        if isinstance(size, forms.TypedChoiceField) and str(season.cup_size) not in known:
            size.choices = [*CUP_CHOICES, (str(season.cup_size), f"a cup of the top {season.cup_size}")]


def season_initial(season: Season) -> dict[str, object]:
    """Return the form's initial values."""
    ties = dict(zip(TIES, [*season.tie_breakers, "", "", ""], strict=False))
    named = [name for name in SeasonForm.base_fields if name not in TIES]
    return {**{name: getattr(season, name) for name in named}, "cup_size": str(season.cup_size), **ties}


class GameForm(forms.Form):
    """A campaign to be added."""

    campaign = forms.TypedChoiceField(coerce=int, label="Campaign")

    def __init__(self, data: FormData = None, *, campaigns: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        self.fields["campaign"].choices = [(str(pk), name) for pk, name in campaigns]  # type: ignore[attr-defined]


class EnterForm(forms.Form):
    """A player to be entered."""

    player = forms.TypedChoiceField(coerce=int, label="Player")

    def __init__(self, data: FormData = None, *, players: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        self.fields["player"].choices = [(str(pk), name) for pk, name in players]  # type: ignore[attr-defined]


class LineUpForm(EditConflictMixin, forms.Form):
    """The team of each player."""

    def __init__(
        self, data: FormData = None, *, entrants: Sequence[SeasonPlayerRow], teams: Sequence[tuple[int, str]]
    ) -> None:
        super().__init__(data, initial={f"team-{each.id}": str(each.team or "") for each in entrants})
        self.entrants = entrants
        for each in entrants:
            self.fields[f"team-{each.id}"] = forms.ChoiceField(
                choices=[("", "no team"), *((str(pk), name) for pk, name in teams)], required=False, label=each.name
            )

    @property
    def rows(self) -> list[forms.BoundField]:
        return [self[f"team-{each.id}"] for each in self.entrants]

    def teams(self) -> dict[int, int | None]:
        """Return the values for the service. Valid forms only."""
        chosen = {each.id: self.cleaned_data[f"team-{each.id}"] for each in self.entrants}
        return {pk: int(team) if team else None for pk, team in chosen.items()}


class DrawForm(forms.Form):
    """The next round."""

    way = forms.ChoiceField(choices=PairingMethod.choices, label="Pairing")
    boards = forms.IntegerField(
        required=False,
        min_value=MIN_BOARDS,
        max_value=MAX_BOARDS,
        initial=MIN_BOARDS,
        label="Boards",
        help_text="For team rounds: players per team.",
    )


class PairForm(forms.Form):
    """Two players to be paired."""

    one = forms.TypedChoiceField(coerce=int, label="Who")
    two = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Against")

    def __init__(self, data: FormData = None, *, free: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        choices = [(str(pk), name) for pk, name in free]
        self.fields["one"].choices = choices  # type: ignore[attr-defined]
        self.fields["two"].choices = [("", "bye"), *choices]  # type: ignore[attr-defined]


class AwardForm(forms.Form):
    """How a pairing without a match ends."""

    verdict = forms.ChoiceField(label="Result")
    reason = forms.CharField(max_length=300, help_text="Everybody can read it.")

    def __init__(
        self, data: FormData = None, *, names: Sequence[str], allowed: Sequence[int | None], bye_worth: str
    ) -> None:
        super().__init__(data)
        sides = [(str(at), f"{name} wins") for at, name in enumerate(names)]
        if not names[1:]:
            sides = [("0", f"{names[0]} has a bye, worth {bye_worth}")]
        choices = [*sides, ("off", "cancelled: doesn’t count")]
        slugs = {"off" if side is None else str(side) for side in allowed}
        self.fields["verdict"].choices = [each for each in choices if each[0] in slugs]  # type: ignore[attr-defined]

    @property
    def side(self) -> int | None:
        """Return the side that it is awarded to. Valid forms only."""
        verdict = self.cleaned_data["verdict"]
        return None if verdict == "off" else int(verdict)
