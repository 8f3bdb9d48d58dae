"""A club's hall of fame, medals and fallen pilots."""

from django.urls import URLPattern, path

from campaigns.hall_of_fame import views

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/fame/", views.club_hall_of_fame, name="club_hall_of_fame"),
    path("clubs/<slug:slug>/fame/medals/", views.club_medals, name="club_medals"),
    path("clubs/<slug:slug>/fame/fallen/", views.club_fallen, name="club_fallen"),
]
