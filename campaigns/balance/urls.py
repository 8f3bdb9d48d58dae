"""URLs of the balance of a game."""

from django.urls import URLPattern, path

from campaigns.balance import views

balance_patterns: list[URLPattern] = [
    path("balance/", views.balance, name="balance"),
    path("balance/<slug:system>/", views.balance, name="balance"),
    path("balance/<slug:system>.csv", views.balance_csv, name="balance_csv"),
]
