"""Routes of the ratings of a club's players."""

from django.urls import URLPattern, path

from campaigns.ratings import views

rating_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/ratings/", views.club_ratings, name="club_ratings"),
    path("clubs/<slug:slug>/ratings/<str:username>/", views.player_rating, name="player_rating"),
]
