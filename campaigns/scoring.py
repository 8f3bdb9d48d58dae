"""Scoring: the standings points of results, the settings of organisers about them, and their fields in forms and the API.

Each setting is declared once. Forms, API, services and copies of campaigns read it here; the column is in `models`, and
archives hold every column. `campaign_scoring` and `season_scoring` are the only places where settings become points.
A form or serializer adds the fields to its class with `vars().update(...)`, so that they stand where that line is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import TextChoices
from rest_framework import serializers

from campaigns.models import AbsentRule, Campaign, Season
from rosters.api.base import StrictIntegerField
from rosters.services import RefusedError
from systems import season_rules
from systems.text import pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Standings points of each result."""

    win: int
    draw: int
    loss: int
    bye: int | None = None  # None: as a win
    walkover: int | None = None  # for the side that came; None: as a win


def describe_bye(scoring: Scoring, *, win: str = "a win") -> str:
    """Return what a bye is worth, for a sentence: "a win", or "2 points"."""
    return win if scoring.bye is None else pluralize(scoring.bye, "points")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSetting:
    """A setting that is a whole number. Without a default it may be left empty."""

    name: str  # of the column, the fields of form and API, and the argument of the services
    label: str
    api_help: str
    group: str = ""  # of fields on the page of a campaign's settings; a season's has none
    minimum: int
    maximum: int
    default: int | None
    help_text: str = ""
    changes_between_rounds: bool = False  # of a campaign that runs; a season's settings are fixed then

    def clean(self, value: object) -> int | None:
        """Return the value; raise RefusedError if it isn't allowed."""
        if value is None and self.default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not self.minimum <= value <= self.maximum:
            raise RefusedError(self.name, f"must be a whole number from {self.minimum} to {self.maximum}.")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSetting:
    """A setting that is one of several choices."""

    name: str
    label: str
    api_help: str
    group: str = ""
    choices: type[TextChoices]
    default: str
    help_text: str = ""
    changes_between_rounds: bool = False

    def clean(self, value: object) -> str:
        """Return the value; raise RefusedError if it isn't allowed."""
        if value not in self.choices.values:
            raise RefusedError(self.name, "This isn't one of the choices.")
        return str(value)


Setting = NumberSetting | ChoiceSetting


def _by_name(*settings: Setting) -> Mapping[str, Setting]:
    return {each.name: each for each in settings}


CAMPAIGN_SCORING = _by_name(
    ChoiceSetting(
        name="absent_rule",
        label="If nobody has reported by the deadline",
        api_help="what happens to matches nobody has reported",
        group="Missed deadlines",
        choices=AbsentRule,
        default=AbsentRule.FORFEIT,
        changes_between_rounds=True,
    ),
)
SEASON_SCORING = _by_name(
    NumberSetting(
        name="win_points", label="Points for a win", api_help="points for a win", minimum=0, maximum=20, default=3
    ),
    NumberSetting(
        name="draw_points", label="Points for a draw", api_help="points for a draw", minimum=0, maximum=20, default=1
    ),
    NumberSetting(
        name="loss_points", label="Points for a loss", api_help="points for a loss", minimum=0, maximum=20, default=0
    ),
)


def campaign_scoring(campaign: Campaign) -> Scoring:
    """Return the points of the campaign's game."""
    points = season_rules(campaign.system).season_points
    return Scoring(win=points["won"], draw=points["drawn"], loss=points["lost"])


def season_scoring(season: Season) -> Scoring:
    """Return the points that the season's organiser has set."""
    return Scoring(win=season.win_points, draw=season.draw_points, loss=season.loss_points)


ApiField = serializers.Field[Any, Any, Any, Any]


def form_fields(settings: Mapping[str, Setting]) -> dict[str, forms.Field]:
    """Return the fields of a form, by name."""
    return {name: _form_field(each) for name, each in settings.items()}


def input_fields(settings: Mapping[str, Setting]) -> dict[str, ApiField]:
    """Return the fields of an API request, by name. None is required."""
    return {name: _input_field(each) for name, each in settings.items()}


def output_fields(settings: Mapping[str, Setting], *, row: str = "") -> dict[str, ApiField]:
    """Return the fields of an API answer, by name. `row`: where the answer's object keeps the row, if it isn't one."""
    return {name: _output_field(each, f"{row}.{name}" if row else None) for name, each in settings.items()}


def _form_field(setting: Setting) -> forms.Field:
    if isinstance(setting, NumberSetting):
        return forms.IntegerField(
            min_value=setting.minimum,
            max_value=setting.maximum,
            required=setting.default is not None,
            initial=setting.default,
            label=setting.label,
            help_text=setting.help_text,
        )
    return forms.ChoiceField(
        choices=setting.choices.choices, initial=setting.default, label=setting.label, help_text=setting.help_text
    )


def _input_field(setting: Setting) -> ApiField:
    if isinstance(setting, NumberSetting):
        return StrictIntegerField(
            min_value=setting.minimum,
            max_value=setting.maximum,
            required=False,
            allow_null=setting.default is None,
            help_text=setting.api_help,
        )
    return serializers.ChoiceField(choices=setting.choices.choices, required=False, help_text=setting.api_help)


def _output_field(setting: Setting, source: str | None) -> ApiField:
    if isinstance(setting, NumberSetting):
        return serializers.IntegerField(source=source, allow_null=setting.default is None)
    return serializers.CharField(source=source)
