"""A club's webhooks."""

from django.urls import URLPattern, path

from campaigns.webhooks import views

WEBHOOK_PATH = "clubs/<slug:slug>/webhooks/<uuid:webhook>/"

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/webhooks/", views.webhooks, name="webhooks"),
    path(WEBHOOK_PATH, views.webhook, name="webhook"),
    path(f"{WEBHOOK_PATH}test/", views.webhook_test, name="webhook_test"),
    path(f"{WEBHOOK_PATH}secret/", views.webhook_secret, name="webhook_secret"),
    path(f"{WEBHOOK_PATH}drop/", views.webhook_drop, name="webhook_delete"),
    path(f"{WEBHOOK_PATH}sendings/<uuid:delivery>/again/", views.delivery_retry, name="delivery_retry"),
]
