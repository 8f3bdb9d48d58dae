"""Forms with a button that rolls a name: instead of being saved, they are shown again with the name filled in."""

from __future__ import annotations

from django.http import HttpRequest, QueryDict

BUTTON = "roll"


def wants_random_name(request: HttpRequest) -> bool:
    """Return whether the button that rolls a name was pressed; then the form does nothing else."""
    return request.method == "POST" and BUTTON in request.POST


def with_names(sent: QueryDict, prefix: str = "", **rolled: str) -> QueryDict:
    """Return the submitted fields with these names filled in."""
    fields = sent.copy()
    for name, value in rolled.items():
        fields[f"{prefix}-{name}" if prefix else name] = value
    return fields
