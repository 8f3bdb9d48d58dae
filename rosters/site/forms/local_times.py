"""Days and hours in the reader's time zone, also on nights when the clocks change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.forms.renderers import BaseRenderer
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString

TWICE = "ambiguous_timezone"  # Django's error code for an hour that comes twice or never
WHICH = (("first", "the first"), ("second", "the second"))


def days_later(moment: datetime, days: int, zone_name: str = "") -> datetime:
    """Return the moment that many days later at the same hour, in that time zone, else the reader's."""
    zone = zone_of(zone_name) or timezone.get_current_timezone()
    return (moment.astimezone(zone) + timedelta(days=days)).astimezone(UTC)


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone with that name; None for an empty or unknown name."""
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return None


class LocalText(str):
    """The typed text, and which of two equal hours was chosen."""

    which = ""


class LocalTimeInput(forms.DateTimeInput):
    """Input for a day and an hour; for an hour that comes twice, with a choice which."""

    input_type = "datetime-local"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%dT%H:%M")

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> LocalText | None:
        value = super().value_from_datadict(data, files, name)
        if value is None:
            return None
        typed = LocalText(value)
        typed.which = str(data.get(f"{name}-which", ""))
        return typed

    def render(
        self, name: str, value: object, attrs: dict[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        drawn = super().render(name, value, attrs, renderer)
        naive = _naive(value)
        if naive is None or _moments(naive) is None:
            return drawn
        second = value.which == "second" if isinstance(value, LocalText) else naive.fold == 1
        chosen = getattr(value, "which", "") in ("first", "second") or not isinstance(value, str)
        options = format_html(
            '<option value="first"{}>{}</option><option value="second"{}>{}</option>',
            SafeString(" selected" if chosen and not second else ""), _label(naive, 0),
            SafeString(" selected" if chosen and second else ""), _label(naive, 1),
        )  # fmt: skip
        ask = "" if chosen else format_html('<option value="">{}</option>', "Choose which")
        select = format_html('<select name="{}-which" aria-label="Which of the two">{}{}</select>', name, ask, options)
        return format_html("{}{}", drawn, select)


class LocalTimeField(forms.DateTimeField):
    """A day and an hour in the reader's time zone."""

    widget = LocalTimeInput

    def to_python(self, value: Any) -> datetime | None:
        try:
            return super().to_python(value)
        except forms.ValidationError as error:
            naive = _naive(value)
            if naive is None or getattr(error, "code", "") != TWICE:
                raise
        day, hour = f"{naive:%a} {naive.day} {naive:%b}", f"{naive:%H:%M}"
        moments = _moments(naive)
        if moments is None:
            raise forms.ValidationError(
                f"On {day} the clocks go forward and there is no {hour}. Choose another time.", code="skipped"
            )
        which = getattr(value, "which", "")
        if which not in ("first", "second"):
            raise forms.ValidationError(
                f"On {day} the clocks go back and {hour} comes twice. Choose the first or the second.", code="twice"
            )
        return moments[which == "second"]


def _naive(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    try:
        found = parse_datetime(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.replace(tzinfo=None) if found else None


def _moments(naive: datetime) -> tuple[datetime, datetime] | None:
    """Return both moments at which the reader's clock shows this time; None if there is only one, or none."""
    zone = timezone.get_current_timezone()
    first, second = (naive.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    before, after = first.utcoffset(), second.utcoffset()
    return (first, second) if before is not None and after is not None and before > after else None


def _label(naive: datetime, fold: int) -> str:
    zone = timezone.get_current_timezone()
    name = naive.replace(tzinfo=zone, fold=fold).tzname() or ""
    return f"{WHICH[fold][1]} {naive:%H:%M} ({name})"
