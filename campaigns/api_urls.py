"""Routes of the API of clubs and campaigns."""

from django.urls import URLPattern

from campaigns import api_results

urlpatterns: list[URLPattern] = [
    *api_results.urls,
]
