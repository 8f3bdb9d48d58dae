"""The fields of a table that an archive holds, and their values as JSON and back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from systems import names

from .tables import KEPT

FIRST_YEAR, LAST_YEAR = 1970, 2200  # times within these years can be shown in every time zone
SIDE_FIELDS = ("side", "refusing_side")
MAY_BE_EMPTY = ("campaigns.SubmittedList.salt",)  # empty while the match of the list is undecided


def model_of(label: str) -> type[models.Model]:
    return apps.get_model(label)


@cache
def archived_fields(label: str) -> tuple[models.Field[Any, Any], ...]:
    """Return the fields that the archive holds, in order, without the primary key."""
    word = KEPT[label]
    return tuple(each for each in all_fields(label) if each.name not in (*word.anew, *word.without))


@cache
def all_fields(label: str) -> tuple[models.Field[Any, Any], ...]:
    """Return every field of a table that can be written, except the primary key."""
    concrete = model_of(label)._meta.concrete_fields
    return tuple(each for each in concrete if not each.primary_key and not getattr(each, "generated", False))


@cache
def related_label(field: models.Field[Any, Any]) -> str | None:
    """Return the table that the field refers to, or None."""
    related = field.related_model
    return related._meta.label if isinstance(related, type) and issubclass(related, models.Model) else None


@cache
def json_columns(label: str) -> tuple[str, ...]:
    """Return the names of the archived fields that hold JSON."""
    return tuple(each.name for each in archived_fields(label) if isinstance(each, models.JSONField))


def json_value(field: models.Field[Any, Any], row: models.Model) -> object:
    value = field.value_from_object(row)
    if value is None or isinstance(field, models.JSONField) or isinstance(value, bool | int | float | str):
        return value
    return field.value_to_string(row)


def python_value(field: models.Field[Any, Any], told: object) -> object:
    """Return the value of the field for its JSON. Raise ValidationError for a value it can't hold."""
    if told is None:
        if not field.null:
            raise ValidationError("must not be empty")
        return None
    value = told if isinstance(field, models.JSONField) else field.to_python(_check_json_type(field, told))
    choices = _choices(field)
    if choices is not None and value not in field.empty_values and value not in choices:
        raise ValidationError("is none of the values that there are")
    is_text = isinstance(field, models.CharField | models.TextField)
    if is_text and told == "" and not field.blank and str(field) not in MAY_BE_EMPTY:
        raise ValidationError("must not be empty")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValidationError("must say its time zone")
    if isinstance(value, date) and not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValidationError(f"must be between {FIRST_YEAR} and {LAST_YEAR}")
    if field.name in SIDE_FIELDS and value not in (None, 0, 1):
        raise ValidationError("must be 0 or 1")
    field.run_validators(value)
    return value


def clean_json(value: object) -> object:
    """Return the JSON value with its texts cleaned as by forms: no invisible or direction-changing characters."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else _clean_text(value)
    if isinstance(value, dict):
        return {name: clean_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [clean_json(each) for each in value]
    return value


def _clean_text(text: str) -> str:
    if not names.text_problem(text, lines=True, may_be_empty=True):
        return text
    lines = text.replace("\t", " ").replace("\r", "").split("\n")
    return "\n".join(names.shorten_name(line, longest=len(line), nothing="") for line in lines)


@cache
def _choices(field: models.Field[Any, Any]) -> frozenset[object] | None:
    return frozenset(value for value, _ in field.flatchoices) if field.choices else None


def _check_json_type(field: models.Field[Any, Any], told: object) -> object:
    """Return the value if JSON of its type is allowed for the field. Raise ValidationError otherwise."""
    if isinstance(told, list | dict):
        raise ValidationError("must be a text or a number")
    if isinstance(field, models.BooleanField) != isinstance(told, bool):
        raise ValidationError("must be true or false" if not isinstance(told, bool) else "must not be true or false")
    if isinstance(field, models.CharField | models.TextField) and not isinstance(told, str):
        raise ValidationError("must be a text")
    if isinstance(field, models.IntegerField) and not isinstance(told, int):
        raise ValidationError("must be a whole number")
    if isinstance(field, models.FloatField) and not isinstance(told, int | float):
        raise ValidationError("must be a number")
    if isinstance(field, models.UUIDField):
        return uuid.UUID(str(told))
    return told


def line_of(row: Mapping[str, object]) -> str:
    """Return a row as a line of its file."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
