"""What a browser would send of a form as it is shown."""

from __future__ import annotations

from typing import Any

from django import forms


def form_fields(form: forms.Form, **changed: Any) -> dict[str, Any]:
    """Name and value of every field; those that are empty or unticked are not sent."""
    fields = {name: form[name].value() for name in form.fields} | changed
    return {name: value for name, value in fields.items() if value is not False and value not in (None, "", [])}
