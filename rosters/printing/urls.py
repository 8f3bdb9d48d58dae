"""URLs of the print pages, below /print/; part of the rosters namespace."""

from django.urls import path

from rosters.printing import preset_views
from rosters.printing import views as printing

urlpatterns = [
    path("company/<int:pk>/", printing.company_prints, name="print-company"),
    path("presets/", preset_views.presets, name="print-presets"),
    path("presets/<int:pk>/", preset_views.preset, name="print-preset"),
    path("printers/", preset_views.printers, name="print-printers"),
    path("printers/<int:pk>/", preset_views.printer, name="print-printer"),
    path("printers/<int:pk>/test-sheet/", preset_views.test_sheet, name="print-test-sheet"),
    path("job/<uuid:key>/", printing.print_job, name="print-job"),
    path("job/<uuid:key>/file.pdf", printing.print_job_file, name="print-file"),
    path("job/<uuid:key>/page-<int:number>.webp", printing.print_job_preview, name="print-preview"),
    path("job/<uuid:key>/call-off/", printing.print_job_cancel, name="print-cancel"),
    path("job/<uuid:key>/again/", printing.print_job_repeat, name="print-repeat"),
    path("job/<uuid:key>/screen/", printing.print_job_accessible, name="print-accessible"),
]
