"""The description of the API, the same for everybody: generated once per process and format."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, get_urlconf
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


@dataclass(frozen=True, slots=True)
class Written:
    """A description as it is sent."""

    text: bytes
    headers: tuple[tuple[str, str], ...]
    tag: str


_written: dict[tuple[object, ...], Written] = {}


class SchemaView(SpectacularAPIView):
    """drf-spectacular's own view, cached: generating the text takes a hundred times as long as sending it."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponseBase:
        media = request.accepted_renderer.media_type
        if request.query_params.keys() - {"format"} or request.accepted_media_type != media:
            return super().get(request, *args, **kwargs)
        form = (media, request.accepted_renderer.format, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())
        written = _written.get(form)
        if written is None:
            response = self.finalize_response(request, super().get(request, *args, **kwargs), *args, **kwargs).render()
            tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            written = _written[form] = Written(response.content, tuple(response.items()), tag)
        answer = HttpResponse(written.text, headers=dict(written.headers) | {"ETag": written.tag})
        return get_conditional_response(request, etag=written.tag, response=answer) or answer
