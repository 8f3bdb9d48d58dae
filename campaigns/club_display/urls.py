"""The club display."""

from django.urls import URLPattern, path

from campaigns.club_display import views

urlpatterns: list[URLPattern] = [
    path("wall/<uuid:key>/", views.club_display, name="club_display"),
    path("wall/<uuid:key>/now/", views.club_display_part, name="club_display_part"),
    path("clubs/<slug:slug>/wall/", views.club_display_link, name="club_display_link"),
]
