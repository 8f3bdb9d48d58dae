"""A club's webhooks."""

from django.urls import URLPattern, path

from campaigns.webhooks import views

OF_ONE = "clubs/<slug:slug>/webhooks/<uuid:webhook>/"

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/webhooks/", views.webhooks, name="webhooks"),
    path(OF_ONE, views.webhook, name="webhook"),
    path(f"{OF_ONE}test/", views.webhook_test, name="webhook_test"),
    path(f"{OF_ONE}secret/", views.webhook_secret, name="webhook_secret"),
    path(f"{OF_ONE}drop/", views.webhook_drop, name="webhook_drop"),
    path(f"{OF_ONE}sendings/<uuid:delivery>/again/", views.delivery_again, name="delivery_again"),
]
