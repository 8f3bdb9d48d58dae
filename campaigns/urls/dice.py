"""Provably fair dice."""

from django.urls import URLPattern, path

from campaigns.dice import views

dice_patterns: list[URLPattern] = [
    path("dice/check/", views.check_dice, name="dice_check"),
    path("dice/<uuid:key>/", views.dice, name="dice"),
]
