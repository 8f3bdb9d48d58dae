"""The club display."""

from django.urls import URLPattern, path

from campaigns.club_display import views

urlpatterns: list[URLPattern] = [
    path("wall/<uuid:key>/", views.wall, name="wall"),
    path("wall/<uuid:key>/now/", views.wall_now, name="wall_now"),
    path("clubs/<slug:slug>/wall/", views.wall_link, name="wall_link"),
]
