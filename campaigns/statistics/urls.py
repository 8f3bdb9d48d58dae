"""Statistics of a club's matches.

URLs of the balance of a game.

Routes of the ratings of a club's players.
"""

from django.urls import URLPattern, path

from campaigns.statistics import views

statistics_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/insights/", views.club_insights, name="club_insights"),
    path("clubs/<slug:slug>/insights.csv", views.club_insights_csv, name="club_insights_csv"),
]


balance_patterns: list[URLPattern] = [
    path("balance/", views.balance, name="balance"),
    path("balance/<slug:system>/", views.balance, name="balance"),
    path("balance/<slug:system>.csv", views.balance_csv, name="balance_csv"),
]


rating_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/ratings/", views.club_ratings, name="club_ratings"),
    path("clubs/<slug:slug>/ratings/<str:username>/", views.player_rating, name="player_rating"),
]
