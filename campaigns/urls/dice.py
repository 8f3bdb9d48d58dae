"""Provably fair dice."""

from django.urls import URLPattern, path

from campaigns.dice import views

urlpatterns: list[URLPattern] = [
    path("dice/check/", views.check, name="dice_check"),
    path("dice/<uuid:key>/", views.dice, name="dice"),
]
