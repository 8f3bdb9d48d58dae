"""Reports, disputes, rulings, corrections."""

from django.urls import URLPattern, path

from campaigns.views import past

urlpatterns: list[URLPattern] = [
    path("matches/<uuid:key>/correct/", past.correct, name="correct"),
]
