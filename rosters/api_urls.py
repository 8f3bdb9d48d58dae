"""API URLs of rosters."""

from django.urls import path

from rosters.api import companies, units_and_pilots
from rosters.designs import api as designs
from rosters.printing import api as prints
from rosters.releases import api as releases
from rosters.scenarios import api as scenarios

urlpatterns = [
    path("designs/check/", designs.DesignCheck.as_view(), name="api-designs-check"),
    path("designs/published/", designs.PublishedDesigns.as_view(), name="api-designs-published"),
    path("designs/", designs.Designs.as_view(), name="api-designs"),
    path("designs/<int:pk>/", designs.DesignDetail.as_view(), name="api-design"),
    path("scenarios/check/", scenarios.ScenarioCheck.as_view(), name="api-scenarios-check"),
    path("scenarios/published/", scenarios.PublishedScenarios.as_view(), name="api-scenarios-published"),
    path("scenarios/published/clone/", scenarios.PublishedScenarioClone.as_view(), name="api-scenarios-copy"),
    path("scenarios/", scenarios.Scenarios.as_view(), name="api-scenarios"),
    path("scenarios/<int:pk>/", scenarios.ScenarioDetail.as_view(), name="api-scenario"),
    path("scenarios/<int:pk>/clone/", scenarios.ScenarioClone.as_view(), name="api-scenario-clone"),
    path("prints/", prints.Prints.as_view(), name="api-prints"),
    path("prints/<uuid:key>/", prints.PrintDetail.as_view(), name="api-print"),
    path("prints/<uuid:key>/file/", prints.PrintFile.as_view(), name="api-print-file"),
    path("companies/", companies.Companies.as_view(), name="api-companies"),
    path("companies/import/", companies.CompanyImport.as_view(), name="api-company-import"),
    path("companies/<int:pk>/", companies.CompanyDetail.as_view(), name="api-company"),
    path("companies/<int:pk>/export/", companies.CompanyExport.as_view(), name="api-company-export"),
    path("companies/<int:pk>/undo/", companies.CompanyUndo.as_view(), name="api-company-undo"),
    path("companies/<int:pk>/units/", units_and_pilots.Units.as_view(), name="api-units"),
    path("companies/<int:pk>/units/<int:unit_pk>/", units_and_pilots.UnitDetail.as_view(), name="api-unit"),
    path("companies/<int:pk>/units/<int:unit_pk>/sell/", units_and_pilots.UnitSell.as_view(), name="api-unit-sell"),
    path(
        "companies/<int:pk>/units/<int:unit_pk>/repair/", units_and_pilots.UnitRepair.as_view(), name="api-unit-repair"
    ),
    path("companies/<int:pk>/units/<int:unit_pk>/refit/", units_and_pilots.UnitRefit.as_view(), name="api-unit-refit"),
    path(
        "companies/<int:pk>/units/<int:unit_pk>/assign/", units_and_pilots.UnitAssign.as_view(), name="api-unit-assign"
    ),
    path("companies/<int:pk>/pilots/", units_and_pilots.Pilots.as_view(), name="api-pilots"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/", units_and_pilots.PilotDetail.as_view(), name="api-pilot"),
    path(
        "companies/<int:pk>/pilots/<int:pilot_pk>/service-record/",
        units_and_pilots.PilotServiceRecord.as_view(),
        name="api-pilot-service-record",
    ),
    path(
        "companies/<int:pk>/pilots/<int:pilot_pk>/retire/",
        units_and_pilots.PilotRetire.as_view(),
        name="api-pilot-retire",
    ),
    *units_and_pilots.urls,
    *releases.urls,
]
