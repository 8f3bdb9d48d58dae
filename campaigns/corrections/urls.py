"""Routes of rulings on a company."""

from django.urls import URLPattern, path

from campaigns.corrections import views

urlpatterns: list[URLPattern] = [
    path("campaigns/<int:pk>/companies/<int:enrolment_pk>/adjust/", views.adjust, name="company_adjust"),
]
