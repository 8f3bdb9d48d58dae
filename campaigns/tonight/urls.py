"""Routes of the offline pack."""

from django.urls import URLPattern, path

from . import views

offline_pack_patterns: list[URLPattern] = [path("tonight/", views.offline_pack_page, name="tonight")]
