"""Compresses text responses; PDFs, pictures and streams are sent as they are."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED_TYPES = ("text/", "application/json", "application/jsonl", "application/vnd.oai.openapi", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Django's own middleware, which also pads each response by a random length, for text only.

    So lengths don't reveal what is in a page beside text that an attacker made it repeat (BREACH); and the CSRF token
    is different each time.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED_TYPES):
            return response
        return super().process_response(request, response)
