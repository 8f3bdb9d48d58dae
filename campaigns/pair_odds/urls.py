"""Routes of the odds of pairs."""

from django.urls import URLPattern, path

from . import views

pairing_odds_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/<int:number>/odds/", views.pairing_odds, name="round_odds"),
]
