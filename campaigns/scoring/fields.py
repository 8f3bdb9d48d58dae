"""Fields of forms and serializers for settings about results.

A form or serializer adds them to its class with `vars().update(...)`, so that they stand where that line is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from rest_framework import serializers

from campaigns.scoring.settings import NumberSetting, Setting
from rosters.api.base import StrictIntegerField

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
