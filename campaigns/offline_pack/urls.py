"""Route of the offline pack."""

from django.urls import path

from campaigns.offline_pack import views

urlpatterns = [path("tonight/", views.offline_pack_page, name="offline_pack")]
