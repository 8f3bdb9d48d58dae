"""The data that a browser would send of a form as shown."""

from __future__ import annotations

from typing import Any

from django import forms


def form_fields(form: forms.Form, **changed: Any) -> dict[str, Any]:
    """Return name and value of every field, without those that are empty or unticked."""
    fields = {name: form[name].value() for name in form.fields} | changed
    return {name: value for name, value in fields.items() if value is not False and value not in (None, "", [])}
