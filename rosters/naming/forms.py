"""A form on which a name was rolled instead of sending it: what it held, with the name in its place."""

from __future__ import annotations

from django.http import HttpRequest, QueryDict

BUTTON = "roll"


def asks_for_a_name(request: HttpRequest) -> bool:
    """Whether the button was pressed that rolls a name; nothing else of the form is done then."""
    return request.method == "POST" and BUTTON in request.POST


def with_names(sent: QueryDict, prefix: str = "", **rolled: str) -> QueryDict:
    """What was sent, with these names in their fields."""
    fields = sent.copy()
    for name, value in rolled.items():
        fields[f"{prefix}-{name}" if prefix else name] = value
    return fields
