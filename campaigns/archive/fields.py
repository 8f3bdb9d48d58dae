"""Which fields of a table an archive holds, and their values as JSON and back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from .tables import KEPT


def model_of(label: str) -> type[models.Model]:
    return apps.get_model(label)


@cache
def fields_of(label: str) -> tuple[models.Field[Any, Any], ...]:
    """The fields that come along, in their order; the number of the row is none of them."""
    word = KEPT[label]
    return tuple(each for each in all_fields(label) if each.name not in (*word.anew, *word.without))


@cache
def all_fields(label: str) -> tuple[models.Field[Any, Any], ...]:
    """Every field of a table that can be written, but its own number."""
    concrete = model_of(label)._meta.concrete_fields
    return tuple(each for each in concrete if not each.primary_key and not getattr(each, "generated", False))


@cache
def target_of(field: models.Field[Any, Any]) -> str | None:
    """The table that the field names a row of."""
    related = field.related_model
    return related._meta.label if isinstance(related, type) and issubclass(related, models.Model) else None


def json_value(field: models.Field[Any, Any], row: models.Model) -> object:
    value = field.value_from_object(row)
    if value is None or isinstance(field, models.JSONField) or isinstance(value, bool | int | float | str):
        return value
    return field.value_to_string(row)


def python_value(field: models.Field[Any, Any], told: object) -> object:
    """The value of such a field; raises ValidationError for one that it can't hold."""
    if told is None:
        if not field.null:
            raise ValidationError("must not be empty")
        return None
    value = told if isinstance(field, models.JSONField) else field.to_python(_fitting(field, told))
    choices = _choices(field)
    if choices is not None and value not in field.empty_values and value not in choices:
        raise ValidationError("is none of the values that there are")
    field.run_validators(value)
    return value


@cache
def _choices(field: models.Field[Any, Any]) -> frozenset[object] | None:
    return frozenset(value for value, _ in field.flatchoices) if field.choices else None


def _fitting(field: models.Field[Any, Any], told: object) -> object:
    """The same, if JSON of this kind may stand for such a field."""
    if isinstance(told, list | dict):
        raise ValidationError("must be a text or a number")
    if isinstance(field, models.BooleanField) != isinstance(told, bool):
        raise ValidationError("must be true or false" if not isinstance(told, bool) else "must not be true or false")
    if isinstance(field, models.CharField | models.TextField) and not isinstance(told, str):
        raise ValidationError("must be a text")
    if isinstance(field, models.UUIDField):
        return uuid.UUID(str(told))
    return told


def line_of(row: Mapping[str, object]) -> str:
    """A row as a line of its file."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
