"""Routes of the notifications and their settings."""

from django.urls import URLPattern, path

from campaigns.occasions import views
from campaigns.pushes import views as pushes

notification_patterns: list[URLPattern] = [
    path("inbox/", views.inbox, name="inbox"),
    path("inbox/read/", views.inbox_read, name="inbox_read"),
    path("inbox/wishes/", views.wishes, name="wishes"),
    path("inbox/devices/", pushes.device_add, name="device_add"),
    path("inbox/devices/key/", pushes.device_key, name="device_key"),
    path("inbox/devices/<uuid:key>/drop/", pushes.device_drop, name="device_drop"),
    path("inbox/off/<uuid:key>/", views.mail_off, name="mail_off"),
    path("inbox/<int:pk>/", views.inbox_open, name="inbox_open"),
    path("inbox/<int:pk>/mark/", views.inbox_mark, name="inbox_mark"),
]
