"""The page for what is not there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters.keeping import NotKeptError


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, or 410 for what was kept only for a while; with the reason where there is one to tell."""
    code, kept = (exception.status, exception.sentence) if isinstance(exception, NotKeptError) else (404, "")
    return render(request, "404.html", {"code": code, "kept": kept}, status=code)
