"""Statistics of a club's matches."""

from django.urls import URLPattern, path

from campaigns.insights import views

statistics_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/insights/", views.club_insights, name="club_insights"),
    path("clubs/<slug:slug>/insights.csv", views.club_insights_csv, name="club_insights_csv"),
]
