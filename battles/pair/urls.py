"""Routes of dice of two phones."""

from django.urls import URLPattern, path

from battles.live import views

urlpatterns: list[URLPattern] = [
    path("dice/pair/", views.paired_dice_start, name="pair"),
    path("dice/pair/<uuid:key>/", views.paired_dice_page, name="pair_told"),
]
