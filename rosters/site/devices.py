"""Device permissions of pages: none, unless a view allows some."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.http import HttpRequest, HttpResponse

from .middleware import Middleware

HEADER = "Permissions-Policy"
NOTHING = "camera=(), microphone=(), geolocation=()"
CAMERA = "camera=(self), microphone=(), geolocation=()"
Given = ParamSpec("Given")


class DevicesMiddleware(Middleware):
    """Denies every page camera, microphone and location, unless its view has set the header."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOTHING)
        return response


def with_camera(view: Callable[Given, HttpResponse]) -> Callable[Given, HttpResponse]:
    """Allow the view's own pages to use the camera; pages framed in them may not."""

    @wraps(view)
    def inner(*args: Given.args, **kwargs: Given.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response.headers[HEADER] = CAMERA
        return response

    return inner
