"""Routes of guests: through their link, and for organisers."""

from django.urls import URLPattern, path

from . import views

urlpatterns: list[URLPattern] = [
    path("guest/", views.guest, name="guest"),
    path("guest/claim/", views.guest_claim, name="guest_claim"),
    path("guest/<str:key>/", views.guest_link, name="guest_link"),
    path("clubs/<slug:slug>/guests/", views.guests, name="guests"),
    path("clubs/<slug:slug>/guests/<int:guest_pk>/", views.guest_page, name="guest_page"),
    path("clubs/<slug:slug>/guests/<int:guest_pk>/change/", views.guest_change, name="guest_change"),
    path("clubs/<slug:slug>/guests/<int:guest_pk>/remove/", views.guest_remove, name="guest_remove"),
]
