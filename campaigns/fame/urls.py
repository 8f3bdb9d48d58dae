"""A club's hall of fame, its medals and its dead."""

from django.urls import URLPattern, path

from campaigns.fame import views

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/fame/", views.club_fame, name="club_fame"),
    path("clubs/<slug:slug>/fame/medals/", views.club_medals, name="club_medals"),
    path("clubs/<slug:slug>/fame/fallen/", views.club_fallen, name="club_fallen"),
]
