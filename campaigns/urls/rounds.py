"""Rounds, pairings, standings, map."""

from django.urls import URLPattern, path

from campaigns.views import rounds as views

urlpatterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/", views.rounds, name="rounds"),
    path("campaigns/<int:pk>/rounds/<int:number>/", views.round_page, name="round"),
    path("campaigns/<int:pk>/rounds/<int:number>/act/", views.round_act, name="round_act"),
    path("campaigns/<int:pk>/standings/", views.standings, name="standings"),
    path("campaigns/<int:pk>/map/", views.campaign_map, name="campaign_map"),
]
