"""Reports, disputes, rulings, corrections."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
