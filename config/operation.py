"""Requests from machines, answered before any page: health and metrics.

A load balancer or a container uses an address of its own, in plain HTTP. So these answers come before the host check
and the redirect to HTTPS. They need no session; health says nothing that a stranger may not know, and metrics check
access themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from config import health
from config.metrics import metrics_view

VIEWS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": health.live,
    "/readyz": health.ready,
    "/metrics": metrics_view,
}


class OperationMiddleware:
    """Answers health and metrics; the first middleware of all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = VIEWS.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        response = answer(request) if request.method in ("GET", "HEAD") else HttpResponseNotAllowed(["GET", "HEAD"])
        response["Cache-Control"] = "no-store"
        return response
