"""Forms of the print pages. Their data becomes the choice or the settings of an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django import forms
from django.forms.boundfield import BoundWidget
from django.http import QueryDict

from rosters.models import PaperSize, PrinterProfile
from rosters.paper.documents import MAX_BLEED_MM, MAX_OFFSET_MM, PrintSettings
from rosters.paper.themes import THEMES
from rosters.printing.orders import MAX_BLANKS, CompanyChoice
from rosters.printing.selectors import printer_settings, with_printer
from rosters.printing.services import OFFSETS, TOO_FAR_OFF
from rosters.products import BLANKS, OFFERED, PRODUCTS
from rosters.selectors import CompanySheet
from rosters.site.forms import EditConflictMixin, chosen_options, house_rule_fields
from systems import roster_rules

CARD_SIZES = [
    ("poker", "Poker, 63 × 88 mm"),
    ("tarot", "Tarot, 70 × 120 mm"),
    ("a7", "A7, 74 × 105 mm"),
    ("a6", "A6, 105 × 148 mm"),
]
SHEETS = [("full", "one page each"), ("half", "half a page, one per page"), ("two-up", "half a page, two per page")]
BACKS = [
    ("long-edge", "double-sided, flip on long edge"),
    ("short-edge", "double-sided, flip on short edge"),
    ("fold-over", "single-sided, to fold and glue"),
    ("none", "no backs"),
]
MEDIA = [("paper", "Paper"), ("screen", "Screen (accessible)")]
# Settings that have a form field with the same name.
AS_THEY_ARE = {"medium", "paper", "backs", "card", "sheet", "theme", "marks"}
MAX_COPIES = 100
RULE = "rule_"  # prefix of the names of house rules' fields, followed by the slug


class SettingsForm(forms.Form):
    """The print settings. `printers` are the user's own printers."""

    medium = forms.ChoiceField(label="Print for", choices=MEDIA, initial="paper")
    paper = forms.ChoiceField(label="Paper", choices=PaperSize, initial=PaperSize.A4)
    printer = forms.ChoiceField(label="Printer", required=False)
    backs = forms.ChoiceField(label="Card backs", choices=BACKS, initial="long-edge")
    card = forms.ChoiceField(label="Card size", choices=CARD_SIZES, initial="poker")
    sheet = forms.ChoiceField(label="Datasheets", choices=SHEETS, initial="full")
    theme = forms.ChoiceField(
        label="Ink", choices=[(slug, theme.label) for slug, theme in THEMES.items()], initial="colour"
    )
    bleed = forms.DecimalField(
        label="Bleed, mm", min_value=Decimal(0), max_value=Decimal(str(MAX_BLEED_MM)), max_digits=3, decimal_places=1,
        initial=Decimal(0), help_text="Extra colour past the cut line, for cutting cards one by one.",
    )  # fmt: skip
    marks = forms.BooleanField(label="Cut marks", required=False, initial=True)
    copies = forms.IntegerField(label="Copies", min_value=1, max_value=MAX_COPIES, initial=1)

    support: Mapping[str, str] = {}  # support that a company has rolled

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        initial: Mapping[str, object],
        system: str = "",
        printers: Sequence[PrinterProfile] = (),
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.system = system
        rules = house_rule_fields(system) if system else {}
        self.fields.update({RULE + slug: field for slug, field in rules.items()})
        self.printers = {str(printer.pk): printer for printer in printers}
        _choose(self, "printer", [("", "no offsets"), *((pk, printer.name) for pk, printer in self.printers.items())])

    def products_with_notes(self) -> list[tuple[BoundWidget, str]]:
        """Return the products' checkboxes, each with its note."""
        return [(box, PRODUCTS[box.data["value"].partition(":")[0]].note(self.support)) for box in self["products"]]

    def rule_fields(self) -> list[forms.BoundField]:
        """Return the fields of house rules; none if house rules can't be chosen here."""
        return [self[name] for name in self.fields if name.startswith(RULE)]

    @property
    def has_rules(self) -> bool:
        """Whether any house rule differs from its default, or is invalid."""
        values = {field.name.removeprefix(RULE): field.value() for field in self.rule_fields()}
        rules = roster_rules(self.system).house_rules if values else {}
        return any(str(values[slug] or "") != str(rule.default or "") for slug, rule in rules.items())

    def options(self) -> dict[str, object]:
        """Return the house rules that differ from their defaults; only for valid forms."""
        if not self.system:
            return {}
        values = {name.removeprefix(RULE): value for name, value in self.cleaned_data.items() if name.startswith(RULE)}
        return chosen_options(self.system, values)

    def settings(self) -> PrintSettings:
        """Return the settings with the printer's offsets; only for valid forms."""
        fields = self.cleaned_data
        settings = PrintSettings(bleed_mm=float(fields["bleed"]), **{name: fields[name] for name in AS_THEY_ARE})
        return with_printer(settings, self.printers.get(fields["printer"]))


def settings_initial(settings: PrintSettings, printers: Iterable[PrinterProfile]) -> dict[str, object]:
    """Return the initial field values for these settings; the printer is one with the same offsets."""
    return {
        **settings.model_dump(include=AS_THEY_ARE),
        "bleed": Decimal(str(settings.bleed_mm)),
        "printer": _printer(settings, printers),
    }


def options_initial(options: Mapping[str, object]) -> dict[str, object]:
    """Return the initial field values for these house rules."""
    return {RULE + slug: value for slug, value in options.items()}


def _printer(settings: PrintSettings, printers: Iterable[PrinterProfile]) -> str:
    is_shifted = settings != with_printer(settings, None)
    found = [each for each in printers if with_printer(settings, each) == settings and (is_shifted or each.is_default)]
    found.sort(key=lambda each: not each.is_default)
    return str(found[0].pk) if found else ""


def settings_of(paper: str, printers: Iterable[PrinterProfile]) -> PrintSettings:
    """Return a player's default settings: those of their default printer, or else for the given paper."""
    for printer in printers:
        if printer.is_default:
            return printer_settings(printer)
    return PrintSettings(paper=paper)  # type: ignore[arg-type]


class CompanyPrintForm(SettingsForm):
    """The form for printing a company. The repeated field `order` contains the order of the units."""

    products = forms.MultipleChoiceField(
        label="What", choices=list(OFFERED.items()), widget=forms.CheckboxSelectMultiple, required=False
    )
    units = forms.MultipleChoiceField(label="Units", widget=forms.CheckboxSelectMultiple, required=False)
    breaks = forms.MultipleChoiceField(label="New sheet after", widget=forms.CheckboxSelectMultiple, required=False)
    pilots = forms.MultipleChoiceField(
        label="Pilots without a unit", widget=forms.CheckboxSelectMultiple, required=False
    )
    damage = forms.BooleanField(
        label="Print current damage", required=False, initial=True, help_text="Off: cards show undamaged units."
    )
    preset_name = forms.CharField(
        label="Preset name", max_length=60, required=False, widget=forms.TextInput(attrs={"size": 24})
    )
    with_units = forms.BooleanField(label="Include the chosen units and their order", required=False, initial=True)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        company: CompanySheet,
        support: Mapping[str, str],
        pilots: Sequence[tuple[int, str]],
        printers: Sequence[PrinterProfile],
        initial: Mapping[str, object],
    ) -> None:
        super().__init__(data, initial=initial, system=company.system, printers=printers)
        self.all_units = tuple(unit.id for unit in company.units)
        self.all_pilots = tuple(pk for pk, _ in pilots)
        units = [(str(unit.id), unit.name) for unit in company.units]
        for name in ("units", "breaks"):
            _choose(self, name, units)
        _choose(self, "pilots", [(str(pk), name) for pk, name in pilots])
        self.support = support
        made = {slug: PRODUCTS[slug] for slug in OFFERED if PRODUCTS[slug].is_made(company.system)}
        _choose(self, "products", [(slug, OFFERED[slug]) for slug in made if made[slug].is_offered(self.support)])
        self.blanks = [of for of in BLANKS if PRODUCTS[of].is_made_blank(company.system)]
        for of in self.blanks:
            self.fields[f"blank_{of}"] = forms.IntegerField(
                label=BLANKS[of], min_value=0, max_value=MAX_BLANKS, required=False, initial=0
            )

    def blank_fields(self) -> list[forms.BoundField]:
        return [self[f"blank_{of}"] for of in self.blanks]

    @property
    def has_blanks(self) -> bool:
        return any(str(field.value() or "0") != "0" or field.errors for field in self.blank_fields())

    def choice(self, order: Sequence[int]) -> CompanyChoice:
        """Return the choice; only for valid forms. `order` is the order of all units.

        If all units are chosen in the roster's order, they are stored as None, not as a list.
        """
        fields = self.cleaned_data
        chosen, called = {int(pk) for pk in fields["units"]}, {int(pk) for pk in fields["pilots"]}
        units, pilots = (tuple(pk for pk in order if pk in chosen), tuple(pk for pk in self.all_pilots if pk in called))
        return CompanyChoice(
            products=tuple(fields["products"]),
            units=None if units == self.all_units else units,
            pilots=None if pilots == self.all_pilots else pilots,
            breaks=tuple(int(pk) for pk in fields["breaks"]),
            blanks={of: fields[f"blank_{of}"] for of in self.blanks if fields[f"blank_{of}"]},
            copies=fields["copies"],
            options=self.options(),
            damage=fields["damage"],
            settings=self.settings(),
        )


def choice_initial(
    choice: CompanyChoice, units: Sequence[int], pilots: Sequence[int], printers: Sequence[PrinterProfile]
) -> dict[str, object]:
    """Return the initial field values for this choice; `pilots` are the company's pilots without a unit."""
    return {
        **settings_initial(choice.settings, printers),
        "products": list(choice.products),
        "units": [str(pk) for pk in (units if choice.units is None else choice.units)],
        "breaks": [str(pk) for pk in choice.breaks],
        "pilots": [str(pk) for pk in (pilots if choice.pilots is None else choice.pilots)],
        "copies": choice.copies,
        "damage": choice.damage,
        **options_initial(choice.options or {}),
        **{f"blank_{of}": choice.blanks.get(of, 0) for of in BLANKS},
    }


class ProductsForm(SettingsForm):
    """The form for printing one thing, such as a design or a scenario."""

    products = forms.MultipleChoiceField(label="What", widget=forms.CheckboxSelectMultiple, required=False)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        products: Sequence[tuple[str, str]],
        system: str,
        printers: Sequence[PrinterProfile],
        initial: Mapping[str, object],
    ) -> None:
        super().__init__(data, initial=initial, system=system, printers=printers)
        _choose(self, "products", list(products))
        self.fields["products"].initial = [products[0][0]]
        if len(products) == 1:
            self.fields["products"].widget = forms.MultipleHiddenInput()

    def products_chosen(self) -> list[str]:
        return list(self.cleaned_data["products"])


class OffsetField(forms.DecimalField):
    """A field for a positive or negative offset in mm, to a tenth."""

    def __init__(self, label: str) -> None:
        most = Decimal(str(MAX_OFFSET_MM))
        super().__init__(min_value=-most, max_value=most, decimal_places=1, initial=Decimal(0), label=label)
        for validator in self.validators:
            if getattr(validator, "code", "") in ("min_value", "max_value"):
                validator.message = TOO_FAR_OFF  # type: ignore[attr-defined]


class PrinterForm(forms.Form):
    """The form for a new printer; offsets are in mm, to a tenth."""

    name = forms.CharField(label="Name", max_length=60, widget=forms.TextInput(attrs={"placeholder": "Kitchen laser"}))
    paper = forms.ChoiceField(label="Paper", choices=PaperSize, initial=PaperSize.A4)
    flip = forms.ChoiceField(label="Flips the paper", choices=PrinterProfile.Flip, initial=PrinterProfile.Flip.LONG)
    is_default = forms.BooleanField(label="Default printer", required=False)
    front_x = OffsetField("Front, right")
    front_y = OffsetField("Front, down")
    back_x = OffsetField("Back, right")
    back_y = OffsetField("Back, down")

    def offset_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in OFFSETS]


class PrinterSettingsForm(EditConflictMixin, PrinterForm):
    """The form for an existing printer."""


def _choose(form: forms.Form, name: str, choices: Sequence[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
