"""Forms of what exists already, which notice that somebody changed it after they were opened.

The page keeps, hidden, a mark of what each field held. When the form comes back its row is looked at again: fields that
hold something else by now are told, nothing is saved, and what was typed stays. Sent again, the form is saved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms

from rosters.models import Design, Scenario
from rosters.site.refusals import OvertakenError

READ = "as_read"
TOLD = 200  # characters of a text that a note quotes
OVERTAKEN = (
    "This was changed after you opened the page, so nothing is saved yet. Look at what is marked, and save again "
    "if it shall be as it stands here."
)


class Reread(forms.BaseForm):
    """Mixed into a form whose `initial` is the row as it stands; for a form that is sent, as it stands locked."""

    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_overtaken = False  # of a form that was sent, once it was looked at
        self.fields[READ] = forms.CharField(
            required=False,
            widget=forms.HiddenInput(attrs={"id": False}),  # a page has several of these
            initial=lambda: json.dumps(self._marks()),
        )

    def full_clean(self) -> None:
        """As of any form; then what was changed meanwhile becomes errors of its fields."""
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
        """The fields that were changed to something else than was sent, what to say, and whether they were typed in."""
        for name, mark in now.items():
            if read.get(name, mark) == mark:
                continue
            sent = mark_of(self._sent(name))
            if sent == mark:
                continue
            theirs = _describe(self.fields[name], self._held(name))
            if sent == read[name]:
                yield name, (f"By now it is {theirs}, which stands here.", False)
            else:
                yield (
                    name,
                    (f"By now it is {theirs}. What you wrote stands here; saved again, it takes its place.", True),
                )

    def _marks(self) -> dict[str, str]:
        """A mark of what each field holds that can be changed."""
        names = [name for name, field in self.fields.items() if name != READ and not field.disabled]
        return {name: mark_of(self._held(name)) for name in names}

    def _held(self, name: str) -> object:
        return _plain(self.fields[name], self.get_initial_for_field(self.fields[name], name))

    def _sent(self, name: str) -> object:
        field = self.fields[name]
        raw = field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
        try:
            return _plain(field, field.clean(raw))
        except forms.ValidationError:
            return _plain(field, raw)

    def _take_over(self, name: str) -> None:
        """Puts what the field holds by now in the place of what was sent."""
        held, at = self._held(name), self.add_prefix(name)
        if isinstance(held, bool):
            self.data.pop(at, None)
            if held:
                self.data[at] = "on"
        elif isinstance(held, list):
            self.data.setlist(at, held)
        else:
            self.data[at] = held


def _plain(field: forms.Field, value: object) -> object:
    """A value as the page would show it: truth, a text, or texts in their order."""
    if isinstance(field, forms.BooleanField):
        return bool(value)
    if isinstance(value, float | Decimal):
        return f"{value:g}"
    shown = field.widget.format_value(field.prepare_value(value))
    if isinstance(field, forms.MultipleChoiceField):
        return sorted(str(each) for each in shown or [])
    if isinstance(shown, list):
        shown = shown[0] if shown else ""
    return "" if shown is None else str(shown).replace("\r\n", "\n").strip()


def row_mark(row: Design | Scenario) -> str:
    """Tells whether what somebody made reads as it did."""
    return mark_of([row.name, row.spec])


def refuse_overtaken(row: Design | Scenario, read: str, name: str, spec: dict[str, object]) -> None:
    """Refuses to overwrite a row that reads otherwise than by that mark; names what would become another."""
    if not read or read == row_mark(row):
        return
    theirs, mine = {"name": row.name, **row.spec}, {"name": name, **spec}
    parts = [
        f"{part.replace('_', ' ')}{_in_short(theirs.get(part))}" for part in mine if theirs.get(part) != mine[part]
    ]
    if parts:
        raise OvertakenError(
            "scenario" if isinstance(row, Scenario) else "design",
            f"It was changed after you opened it, and by now has another {', '.join(parts)} than stands here. "
            "Nothing is saved yet; save again if yours shall take its place.",
        )


def _in_short(held: object) -> str:
    """A text or a number in brackets; nothing of what takes more words."""
    return f" (“{str(held)[:60]}”)" if isinstance(held, str | int) and not isinstance(held, bool) and held != "" else ""


def mark_of(plain: object) -> str:
    """A short text that tells whether something reads as it did; of whatever JSON can say."""
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]


def _read(text: str) -> dict[str, str]:
    """The marks that the page had; none where they can't be read."""
    try:
        marks = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in marks.items()} if isinstance(marks, dict) else {}


def _describe(field: forms.Field, plain: object) -> str:
    """What a field holds, for the reader."""
    if isinstance(plain, bool):
        return "ticked" if plain else "not ticked"
    choices = {str(value): str(label) for value, label in getattr(field, "choices", ())}
    texts = [choices.get(text, text) for text in (plain if isinstance(plain, list) else [str(plain)])]
    text = ", ".join(filter(None, texts))
    return f"“{text[:TOLD]}{'…' if len(text) > TOLD else ''}”" if text else "empty"
