"""Routes of the catalogue version that a campaign is played with."""

from django.urls import URLPattern, path

from campaigns.catalogue_upgrades import views

urlpatterns: list[URLPattern] = [
    path("campaigns/<int:pk>/release/", views.campaign_release, name="campaign_release"),
    path("campaigns/<int:pk>/release/choose/", views.release_choose, name="release_choose"),
    path("campaigns/<int:pk>/release/call-off/", views.release_cancel, name="release_cancel"),
    path("campaigns/<int:pk>/release/undo/", views.release_undo, name="release_undo"),
]
