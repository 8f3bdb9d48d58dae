"""The gazette, feed and calendar."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
