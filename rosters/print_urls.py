"""Routes of the print shop, below /print/; part of the rosters' namespace."""

from django.urls import path

from rosters.views import printing

urlpatterns = [
    path("company/<int:pk>/", printing.company, name="print-company"),
    path("lab/", printing.lab, name="print-lab"),
    path("design/<int:pk>/", printing.design, name="print-design"),
    path("design/<slug:system>/<slug:slug>/", printing.design_published, name="print-published"),
    path("job/<uuid:key>/", printing.job, name="print-job"),
    path("job/<uuid:key>/file.pdf", printing.file, name="print-file"),
    path("job/<uuid:key>/page/", printing.page, name="print-page"),
]
