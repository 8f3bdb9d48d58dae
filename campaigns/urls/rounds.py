"""Rounds, pairings, standings, map."""

from django.urls import URLPattern, path

from campaigns.views import plates
from campaigns.views import rounds as views

round_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/", views.rounds, name="rounds"),
    path("campaigns/<int:pk>/rounds/<int:number>/", views.round_page, name="round"),
    path("campaigns/<int:pk>/rounds/<int:number>/act/", views.round_act, name="round_act"),
    path("campaigns/<int:pk>/standings/", views.standings, name="standings"),
    path("campaigns/<int:pk>/standings/picture.png", plates.standings_picture, name="standings_picture"),
    path("campaigns/<int:pk>/standings/badge.svg", plates.standings_badge, name="standings_badge"),
    path("campaigns/<int:pk>/standings/embed/", plates.standings_embed, name="standings_embed"),
    path("campaigns/<int:pk>/gazette/<int:number>/picture.png", plates.gazette_picture, name="gazette_picture"),
    path("campaigns/<int:pk>/map/", views.campaign_map, name="campaign_map"),
]
