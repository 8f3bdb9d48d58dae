"""URLs of scenarios, below /scenarios/."""

from django.urls import path

from rosters.scenarios import views as scenarios

urlpatterns = [
    path("", scenarios.scenarios, name="scenarios"),
    path("new/", scenarios.scenario_new, name="scenario_new"),
    path("preview/", scenarios.scenario_preview, name="scenario_preview"),
    path("upload/", scenarios.scenario_upload, name="scenario_upload"),
    path("<int:pk>/", scenarios.scenario, name="scenario"),
    path("<int:pk>/edit/", scenarios.scenario_edit, name="scenario_edit"),
    path("<int:pk>/json/", scenarios.scenario_json, name="scenario_json"),
    path("<int:pk>/clone/", scenarios.scenario_clone, name="scenario_clone"),
    path("<int:pk>/share/", scenarios.scenario_share, name="scenario_share"),
    path("<int:pk>/delete/", scenarios.scenario_delete, name="scenario_delete"),
    path("<slug:system>/<slug:slug>/", scenarios.scenario_published, name="scenario_published"),
    path("<slug:system>/<slug:slug>/json/", scenarios.scenario_published_json, name="scenario_published_json"),
    path("<slug:system>/<slug:slug>/clone/", scenarios.scenario_published_clone, name="scenario_published_clone"),
]
