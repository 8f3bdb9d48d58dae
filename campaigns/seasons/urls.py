"""Routes of seasons over several games."""

from django.urls import URLPattern, path

from campaigns.seasons import views

urlpatterns: list[URLPattern] = [
    path("seasons/<int:pk>/", views.season, name="season"),
    path("seasons/<int:pk>/part/", views.season_part, name="season_part"),
    path("seasons/<int:pk>/run/", views.season_run, name="season_run"),
    path("seasons/<int:pk>/act/", views.season_act, name="season_act"),
    path("seasons/<int:pk>/settings/", views.season_settings, name="season_settings"),
    path("seasons/pairings/<uuid:key>/", views.season_pairing, name="season_pairing"),
]
