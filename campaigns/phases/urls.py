"""Routes of the phases of a campaign."""

from django.urls import URLPattern, path

from campaigns.phases import views

phase_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/phases/", views.phases, name="phases"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/", views.phase, name="phase"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/remove/", views.phase_remove, name="phase_remove"),
]
