"""What of a reader's device a page may use: nothing, unless its view says so."""

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
    """Every page is denied camera, microphone and place; what a view has set stands."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOTHING)
        return response


def with_camera(view: Callable[Given, HttpResponse]) -> Callable[Given, HttpResponse]:
    """The view's own pages may ask for the camera; none that they frame may."""

    @wraps(view)
    def inner(*args: Given.args, **kwargs: Given.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response.headers[HEADER] = CAMERA
        return response

    return inner
