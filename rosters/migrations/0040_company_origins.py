"""Where companies come from that were not founded here."""

from datetime import timedelta

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AT_ONCE = timedelta(minutes=1)  # between a company's row and the first line of its ledger


def known_by_their_ledger(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """A company whose ledger is older than its row was imported; what it came with by then, nobody noted down."""
    entries = apps.get_model("rosters", "LedgerEntry").objects.filter(company=models.OuterRef("pk"))
    before = entries.filter(at__lt=models.OuterRef("founded_at")).order_by("-pk")
    rows = apps.get_model("rosters", "Company").objects.annotate(
        first=models.Subquery(entries.order_by("pk").values("at")[:1]),
        last=models.Subquery(before.values("pk")[:1]),
    )
    origin = apps.get_model("rosters", "CompanyOrigin")
    for row in rows.filter(first__lt=models.F("founded_at") - AT_ONCE):
        origin.objects.create(
            company=row, kind="unsigned", by_id=row.owner_id, at=row.founded_at, last_entry=row.last
        )


class Migration(migrations.Migration):
    dependencies = [("rosters", "0031_guests")]

    operations = [
        migrations.CreateModel(
            name="CompanyOrigin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("signed", "exported and signed by this site, and unchanged since"),
                            ("unsigned", "a document that this site has not signed"),
                            ("archive", "the archive of a club"),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("stood_at", models.DateTimeField(blank=True, null=True)),
                ("last_entry", models.PositiveBigIntegerField()),
                ("claims", models.JSONField(default=dict)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "company",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="origin", to="rosters.company"
                    ),
                ),
            ],
        ),
        migrations.RunPython(known_by_their_ledger, migrations.RunPython.noop),
    ]
