"""The reference for page times: a visitor's page of the same size and base template, without database queries."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

from config.urls import urlpatterns as site

LINE = '<tr><td data-label="Unit"><a href="/companies/1/">Ghost</a></td><td class="num">12</td></tr>\n'
TEMPLATE = """{% extends "base.html" %}{% block content %}{{ filler|safe }}{% endblock %}"""
_template = None


def bare(request: HttpRequest, size: int) -> HttpResponse:
    """Return a page of about `size` bytes."""
    global _template
    _template = _template or engines["django"].from_string(TEMPLATE)
    return HttpResponse(_template.render({"filler": LINE * (size // len(LINE))}, request))


urlpatterns = [path("bare/<int:size>/", bare), *site]
