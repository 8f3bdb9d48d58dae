"""The page for anything that doesn't exist."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters.site.keeping import NotKeptError


def render_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show a 404, or a 410 for something that was kept only for a while, with the reason if there is one."""
    gone = exception if isinstance(exception, NotKeptError) else NotKeptError("")
    context = {"code": gone.status, "kept": gone.sentence, "page": gone.page}
    return render(request, "404.html", context, status=gone.status)
