"""Routes of battles played online."""

from django.urls import URLPattern, path

from . import views

urlpatterns: list[URLPattern] = [
    path("by-hand/", views.own, name="solo-own"),
    path("by-hand/<uuid:key>/", views.solo, name="solo"),
    path("by-hand/<uuid:key>/answer/", views.answer, name="solo-answer"),
    path("battles/<uuid:key>/by-hand/", views.take_up, name="solo-take-up"),
]
