"""Routes of the table of a match."""

from django.urls import URLPattern, path

from . import views

live_table_patterns: list[URLPattern] = [path("matches/<uuid:key>/table/", views.live_table, name="match_table")]
