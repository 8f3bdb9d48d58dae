"""Routes of a ruling, and of rulings on a company."""

from django.urls import URLPattern, path

from campaigns.corrections import views

urlpatterns: list[URLPattern] = [
    path("campaigns/<int:pk>/companies/<int:enrolment_pk>/adjust/", views.adjust, name="company_adjust"),
    path("campaigns/<int:pk>/rulings/<int:ruling_pk>/", views.ruling, name="ruling"),
    path("campaigns/<int:pk>/rulings/<int:ruling_pk>/undo/", views.undo_adjustment, name="adjustment_undo"),
]
