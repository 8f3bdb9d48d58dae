"""Routes of the statistics of a club, of its ratings, and of the balance of a game."""

from django.urls import path

from campaigns.statistics import views

urlpatterns = [
    path("clubs/<slug:slug>/insights/", views.club_statistics, name="club_statistics"),
    path("clubs/<slug:slug>/insights.csv", views.club_statistics_csv, name="club_statistics_csv"),
    path("balance/", views.balance, name="balance"),
    path("balance/<slug:system>/", views.balance, name="balance"),
    path("balance/<slug:system>.csv", views.balance_csv, name="balance_csv"),
    path("clubs/<slug:slug>/ratings/", views.club_ratings, name="club_ratings"),
    path("clubs/<slug:slug>/ratings/<str:username>/", views.player_rating, name="player_rating"),
]
