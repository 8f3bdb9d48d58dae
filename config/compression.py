"""Presses what is text on its way out; prints, pictures and what is sent piece by piece go as they are."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

PRESSED = ("text/", "application/json", "application/jsonl", "application/vnd.oai.openapi", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Django's own, which also pads each answer by a random length, for texts alone.

    So nobody can tell from lengths what stands in a page beside what he made it repeat (BREACH); and the CSRF token in
    it is another text each time.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(PRESSED):
            return response
        return super().process_response(request, response)
