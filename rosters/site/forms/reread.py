"""Forms of existing rows that notice changes made after they were opened.

The page has a hidden mark of each field's value. When the form is submitted, its row is read again: fields with another
value by now are reported, nothing is saved, and the user's input stays. Submitted again, the form is saved.
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
TOLD = 200  # characters of a text quoted in a note
OVERTAKEN = (
    "This was changed after you opened the page, so nothing is saved yet. Look at what is marked, and save again "
    "if it shall be as it stands here."
)


class Reread(forms.BaseForm):
    """Mixin for a form whose `initial` is the current row; for a submitted form, the locked row."""

    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_overtaken = False  # set once a submitted form was checked
        self.fields[READ] = forms.CharField(
            required=False,
            widget=forms.HiddenInput(attrs={"id": False}),  # a page has several of these
            initial=lambda: json.dumps(self._marks()),
        )

    def full_clean(self) -> None:
        """Clean as usual, then add an error to each field that was changed in the meantime."""
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
        """Yield the fields with another value than submitted, the note, and whether the user had changed them too."""
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
        """Return a mark of the value of each field that can be changed."""
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
        """Replace the submitted value by the field's current one."""
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
    """Return a value as the page would show it: a boolean, a text, or sorted texts."""
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
    """Return a mark of the row's name and spec, to detect changes."""
    return mark_of([row.name, row.spec])


def refuse_overtaken(row: Design | Scenario, read: str, name: str, spec: dict[str, object]) -> None:
    """Refuse to overwrite a row that no longer has that mark; the error names the parts that differ."""
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
    """Return a text or number in brackets; empty for anything longer."""
    return f" (“{str(held)[:60]}”)" if isinstance(held, str | int) and not isinstance(held, bool) and held != "" else ""


def mark_of(plain: object) -> str:
    """Return a short mark of a JSON value, to detect changes."""
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]


def _read(text: str) -> dict[str, str]:
    """Return the marks that the page had; empty if they can't be read."""
    try:
        marks = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in marks.items()} if isinstance(marks, dict) else {}


def _describe(field: forms.Field, plain: object) -> str:
    """Describe a field's value for the reader."""
    if isinstance(plain, bool):
        return "ticked" if plain else "not ticked"
    choices = {str(value): str(label) for value, label in getattr(field, "choices", ())}
    texts = [choices.get(text, text) for text in (plain if isinstance(plain, list) else [str(plain)])]
    text = ", ".join(filter(None, texts))
    return f"“{text[:TOLD]}{'…' if len(text) > TOLD else ''}”" if text else "empty"
