"""Fields and forms for all apps: detection of conflicting edits, local times, house rules, choice of a game.

To detect conflicting edits, the page has a hidden mark of each field's value. When the form is submitted, its row is
read again. If a field was changed in the meantime, the form shows it, saves nothing and keeps the user's input; if it
is then submitted again, it is saved. Local times are in the reader's time zone, also in nights when clocks change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.forms.renderers import BaseRenderer
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rosters.models import Design, Scenario
from rosters.site.exceptions import StaleEditError
from systems import ROSTERS, roster_rules
from systems.rulebook import HouseRule

READ = "as_read"
MAX_QUOTED_LENGTH = 200  # max number of characters of a text that a note quotes
OVERTAKEN = (
    "This changed after you opened the page, so nothing is saved yet. Check the marked fields and save again "
    "to keep what you see here."
)


class EditConflictMixin(forms.BaseForm):
    """Mixin for a form that detects conflicting edits. Its `initial` is the current row, locked if submitted."""

    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_overtaken = False  # set when a submitted form is checked
        self.fields[READ] = forms.CharField(
            required=False,
            widget=forms.HiddenInput(attrs={"id": False}),  # a page may have several of these fields
            initial=lambda: json.dumps(self._marks()),
        )

    def full_clean(self) -> None:
        """Clean the form as usual, then add an error to each field that was changed in the meantime."""
        super().full_clean()
        if not self.is_bound:
            return
        self.cleaned_data.pop(READ, None)
        read, now = _read(self.data.get(self.add_prefix(READ), "")), self._marks()
        notes = dict(self._notes(read, now))
        if not notes:
            return
        self.is_overtaken = True
        self.data = self.data.copy()
        self.data[self.add_prefix(READ)] = json.dumps(now)
        self.add_error(None, OVERTAKEN)
        for name, (note, is_mine) in notes.items():
            self.add_error(name, note)
            if not is_mine:
                self._take_over(name)

    def _notes(self, read: dict[str, str], now: dict[str, str]) -> Iterator[tuple[str, tuple[str, bool]]]:
        """Yield each field changed in the meantime, with a note and whether the user has changed the field too."""
        for name, mark in now.items():
            if read.get(name, mark) == mark:
                continue
            sent = mark_of(self._sent(name))
            if sent == mark:
                continue
            theirs = _describe(self.fields[name], self._current_value(name))
            if sent == read[name]:
                yield name, (f"Changed meanwhile to {theirs}, as shown here.", False)
            else:
                yield (
                    name,
                    (f"Changed meanwhile to {theirs}. Save again to replace that with what you entered.", True),
                )

    def _marks(self) -> dict[str, str]:
        """Return a mark of the current value of each field that can be changed."""
        names = [name for name, field in self.fields.items() if name != READ and not field.disabled]
        return {name: mark_of(self._current_value(name)) for name in names}

    def _current_value(self, name: str) -> object:
        return _plain(self.fields[name], self.get_initial_for_field(self.fields[name], name))

    def _sent(self, name: str) -> object:
        field = self.fields[name]
        raw = field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
        try:
            return _plain(field, field.clean(raw))
        except forms.ValidationError:
            return _plain(field, raw)

    def _take_over(self, name: str) -> None:
        """Replace the submitted value by the field's current value."""
        current, at = self._current_value(name), self.add_prefix(name)
        if isinstance(current, bool):
            self.data.pop(at, None)
            if current:
                self.data[at] = "on"
        elif isinstance(current, list):
            self.data.setlist(at, current)
        else:
            self.data[at] = current


def _plain(field: forms.Field, value: object) -> object:
    """Return the value as a page would show it: a boolean, a text, or a sorted list of texts."""
    if isinstance(field, forms.BooleanField):
        return bool(value)
    if isinstance(value, float | Decimal):
        return f"{value:g}"
    formatted = field.widget.format_value(field.prepare_value(value))
    if isinstance(field, forms.MultipleChoiceField):
        return sorted(str(each) for each in formatted or [])
    if isinstance(formatted, list):
        formatted = formatted[0] if formatted else ""
    return "" if formatted is None else str(formatted).replace("\r\n", "\n").strip()


def row_version(row: Design | Scenario) -> str:
    """Return a hash of the row's name and spec, to detect changes."""
    return mark_of([row.name, row.spec])


def refuse_stale_edit(row: Design | Scenario, read: str, name: str, spec: dict[str, object]) -> None:
    """Raise StaleEditError if the row is no longer the version `read`; the error names the parts that differ."""
    if not read or read == row_version(row):
        return
    theirs, mine = {"name": row.name, **row.spec}, {"name": name, **spec}
    parts = [
        f"{part.replace('_', ' ')}{_in_short(theirs.get(part))}" for part in mine if theirs.get(part) != mine[part]
    ]
    if parts:
        raise StaleEditError(
            "scenario" if isinstance(row, Scenario) else "design",
            f"This changed after you opened it: {', '.join(parts)}. "
            "Nothing is saved yet. Save again to replace it with yours.",
        )


def _in_short(value: object) -> str:
    """Return a space and the text or number in brackets; empty for anything longer."""
    return (
        f" (“{str(value)[:60]}”)"
        if isinstance(value, str | int) and not isinstance(value, bool) and value != ""
        else ""
    )


def mark_of(plain: object) -> str:
    """Return a short mark of a JSON value, to detect changes."""
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]


def _read(text: str) -> dict[str, str]:
    """Return the marks submitted by the page, by field; empty if they can't be read."""
    try:
        marks = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in marks.items()} if isinstance(marks, dict) else {}


def _describe(field: forms.Field, plain: object) -> str:
    """Return a field's value as text for the reader."""
    if isinstance(plain, bool):
        return "ticked" if plain else "not ticked"
    choices = {str(value): str(label) for value, label in getattr(field, "choices", ())}
    texts = [choices.get(text, text) for text in (plain if isinstance(plain, list) else [str(plain)])]
    text = ", ".join(filter(None, texts))
    return f"“{text[:MAX_QUOTED_LENGTH]}{'…' if len(text) > MAX_QUOTED_LENGTH else ''}”" if text else "empty"


TWICE = "ambiguous_timezone"  # Django's error code for a time that occurs twice or never
WHICH = (("first", "the first"), ("second", "the second"))


def days_later(moment: datetime, days: int, zone_name: str = "") -> datetime:
    """Return the same time of day so many days later, in the named time zone or else in the reader's."""
    zone = zone_of(zone_name) or timezone.get_current_timezone()
    return (moment.astimezone(zone) + timedelta(days=days)).astimezone(UTC)


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone with that name; None for an empty or unknown name."""
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return None


class LocalText(str):
    """The text that was typed, and which of two equal times was chosen."""

    which = ""


class LocalTimeInput(forms.DateTimeInput):
    """Input for a date and time; for a time that occurs twice, it also offers a choice between the two."""

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
        ask = "" if chosen else format_html('<option value="">{}</option>', "Choose one")
        select = format_html('<select name="{}-which" aria-label="First or second">{}{}</select>', name, ask, options)
        return format_html("{}{}", drawn, select)


class LocalTimeField(forms.DateTimeField):
    """A date and time in the reader's time zone."""

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
                f"On {day} the clocks go back and {hour} happens twice. Choose the first or the second.", code="twice"
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
    """Return both moments at which the reader's clock shows this time; None unless there are two."""
    zone = timezone.get_current_timezone()
    first, second = (naive.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    before, after = first.utcoffset(), second.utcoffset()
    return (first, second) if before is not None and after is not None and before > after else None


def _label(naive: datetime, fold: int) -> str:
    zone = timezone.get_current_timezone()
    name = naive.replace(tzinfo=zone, fold=fold).tzname() or ""
    return f"{WHICH[fold][1]} {naive:%H:%M} ({name})"


MAX_HOUSE_RULE = 999  # for house rules without a maximum of their own


def house_rule_fields(system: str) -> dict[str, forms.Field]:
    """Return a form field for each house rule of the game, by slug; initially, it has the default."""
    return {slug: _field(rule) for slug, rule in roster_rules(system).house_rules.items()}


def chosen_options(system: str, values: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a set-up document for these cleaned values: all values that are not the default."""
    rules = roster_rules(system).house_rules
    chosen = {slug: values.get(slug) for slug in rules}
    return {
        slug: value
        for slug, value in chosen.items()
        if value is not None and value != "" and value != rules[slug].default
    }


def _field(rule: HouseRule) -> forms.Field:
    field: forms.Field
    if rule.kind == "flag":
        field = forms.BooleanField(required=False)
    elif rule.kind == "choice":
        field = forms.ChoiceField(choices=_mark_default(rule.choices, rule.default), required=False)
    else:
        most = MAX_HOUSE_RULE if rule.maximum is None else rule.maximum
        field = forms.IntegerField(min_value=rule.minimum, max_value=most, required=False)
        field.widget.attrs["inputmode"] = "numeric"
    field.label, field.initial = rule.name, rule.default
    field.help_text = rule.effect + ("" if rule.kind == "choice" else f" Default: {rule.label_of(rule.default)}.")
    return field


def _mark_default(choices: tuple[tuple[str, str], ...], default: object) -> list[tuple[str, str]]:
    return [(value, f"{label} (default)" if value == default else label) for value, label in choices]


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """A game that can be chosen on a page."""

    slug: str
    name: str
    is_here: bool


def system_choices(slugs: Iterable[str], here: str) -> tuple[SystemChoice, ...]:
    """Return these games as choices; empty if there is only one."""
    found = tuple(SystemChoice(slug, roster_rules(slug).name, slug == here) for slug in slugs)
    return found if len(found) > 1 else ()


def systems_offered(here: str, part: str = "") -> tuple[SystemChoice, ...]:
    """Return as choices all games, or all that have this part; empty if there is only one."""
    return system_choices(systems_with(part), here)


def systems_with(part: str = "") -> list[str]:
    """Return the slugs of all games, or of those that have this part (`RosterSystem.has`)."""
    return [slug for slug, system in ROSTERS.items() if not part or system.has(part)]
