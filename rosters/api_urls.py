"""Routes of the rosters half of the API."""

from django.urls import path

from rosters.api import companies, designs, pilots, units

urlpatterns = [
    path("designs/check/", designs.DesignCheck.as_view(), name="api-designs-check"),
    path("designs/published/", designs.PublishedDesigns.as_view(), name="api-designs-published"),
    path("designs/", designs.Designs.as_view(), name="api-designs"),
    path("designs/<int:pk>/", designs.DesignDetail.as_view(), name="api-design"),
    path("companies/", companies.Companies.as_view(), name="api-companies"),
    path("companies/<int:pk>/", companies.CompanyDetail.as_view(), name="api-company"),
    path("companies/<int:pk>/export/", companies.CompanyExport.as_view(), name="api-company-export"),
    path("companies/<int:pk>/undo/", companies.CompanyUndo.as_view(), name="api-company-undo"),
    path("companies/<int:pk>/units/", units.Units.as_view(), name="api-units"),
    path("companies/<int:pk>/units/<int:unit_pk>/", units.UnitDetail.as_view(), name="api-unit"),
    path("companies/<int:pk>/units/<int:unit_pk>/sell/", units.UnitSell.as_view(), name="api-unit-sell"),
    path("companies/<int:pk>/units/<int:unit_pk>/repair/", units.UnitRepair.as_view(), name="api-unit-repair"),
    path("companies/<int:pk>/units/<int:unit_pk>/assign/", units.UnitAssign.as_view(), name="api-unit-assign"),
    path("companies/<int:pk>/pilots/", pilots.Pilots.as_view(), name="api-pilots"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/", pilots.PilotDetail.as_view(), name="api-pilot"),
    path(
        "companies/<int:pk>/pilots/<int:pilot_pk>/service-record/",
        pilots.PilotServiceRecord.as_view(),
        name="api-pilot-service-record",
    ),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/retire/", pilots.PilotRetire.as_view(), name="api-pilot-retire"),
]
