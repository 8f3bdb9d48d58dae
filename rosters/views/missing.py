"""The page for what is not there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters.site.keeping import NotKeptError


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, or 410 for what was kept only for a while; with the reason where there is one to tell."""
    gone = exception if isinstance(exception, NotKeptError) else NotKeptError("")
    context = {"code": gone.status, "kept": gone.sentence, "page": gone.page}
    return render(request, "404.html", context, status=gone.status)
