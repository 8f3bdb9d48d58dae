"""Routes of the rosters half of the API."""

from django.urls import path

from rosters import api, api_scenarios

urlpatterns = [
    path("designs/check/", api.DesignCheck.as_view(), name="api-designs-check"),
    path("designs/published/", api.PublishedDesigns.as_view(), name="api-designs-published"),
    path("designs/", api.Designs.as_view(), name="api-designs"),
    path("designs/<int:pk>/", api.DesignDetail.as_view(), name="api-design"),
    path("scenarios/check/", api_scenarios.ScenarioCheck.as_view(), name="api-scenarios-check"),
    path("scenarios/published/", api_scenarios.PublishedScenarios.as_view(), name="api-scenarios-published"),
    path("scenarios/published/clone/", api_scenarios.PublishedScenarioClone.as_view(), name="api-scenarios-copy"),
    path("scenarios/", api_scenarios.Scenarios.as_view(), name="api-scenarios"),
    path("scenarios/<int:pk>/", api_scenarios.ScenarioDetail.as_view(), name="api-scenario"),
    path("scenarios/<int:pk>/clone/", api_scenarios.ScenarioClone.as_view(), name="api-scenario-clone"),
    path("companies/", api.Companies.as_view(), name="api-companies"),
    path("companies/<int:pk>/", api.CompanyDetail.as_view(), name="api-company"),
    path("companies/<int:pk>/export/", api.CompanyExport.as_view(), name="api-company-export"),
    path("companies/<int:pk>/undo/", api.CompanyUndo.as_view(), name="api-company-undo"),
    path("companies/<int:pk>/units/", api.Units.as_view(), name="api-units"),
    path("companies/<int:pk>/units/<int:unit_pk>/", api.UnitDetail.as_view(), name="api-unit"),
    path("companies/<int:pk>/units/<int:unit_pk>/sell/", api.UnitSell.as_view(), name="api-unit-sell"),
    path("companies/<int:pk>/units/<int:unit_pk>/repair/", api.UnitRepair.as_view(), name="api-unit-repair"),
    path("companies/<int:pk>/units/<int:unit_pk>/assign/", api.UnitAssign.as_view(), name="api-unit-assign"),
    path("companies/<int:pk>/pilots/", api.Pilots.as_view(), name="api-pilots"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/", api.PilotDetail.as_view(), name="api-pilot"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/retire/", api.PilotRetire.as_view(), name="api-pilot-retire"),
]
