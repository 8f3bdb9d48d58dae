"""Routes of the API of clubs and campaigns."""

from django.urls import URLPattern

from campaigns import api_past

urlpatterns: list[URLPattern] = [
    *api_past.urls,
]
