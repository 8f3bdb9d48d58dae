"""Pages at the doors: who was wrong too often is told when to come back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

LONGEST_WAIT = 60  # seconds; of the limits that do not say, which are all by the minute


def too_many(request: HttpRequest, wait: int = LONGEST_WAIT) -> HttpResponse:
    """429: what to do, and when."""
    minutes = -(-wait // 60)
    answer = render(request, "429.html", {"minutes": minutes}, status=429)
    answer["Retry-After"] = str(wait)
    return answer
