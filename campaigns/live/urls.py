"""Routes of the table of a match."""

from django.urls import URLPattern, path

from . import views

urlpatterns: list[URLPattern] = [path("matches/<uuid:key>/table/", views.table, name="match_table")]
