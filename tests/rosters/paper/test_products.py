"""Each printed product is defined in one file, and named elsewhere only in the list of products."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rosters import products
from rosters.products import PRODUCTS

ROOT = Path(__file__).resolve().parents[3]
PAPER = ROOT / "rosters" / "paper"
PRODUCTS_FOLDER = ROOT / "rosters" / "products"
LIST = PRODUCTS_FOLDER / "__init__.py"
PARTS_OF_ORDERS = {"blank", "break"}  # no products: items that every order can hold
FOLDERS = (
    "rosters/card_layout",
    "rosters/paper",
    "rosters/printing",
    "rosters/api",
    "battles/management",
    "campaigns/matches",
)
SHARED = [
    *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
    *(ROOT / "templates" / "rosters").glob("*print*.html"),
    ROOT / "battles" / "paper.py",
    ROOT / "systems" / "paper" / "__init__.py",
    LIST,
]


def naming(slug: str) -> set[Path]:
    """Return shared files that name the product's slug, or use its file."""
    module = type(PRODUCTS[slug]).__module__.rpartition(".")[2]
    named = re.compile(rf"[\"']{slug}[\"']|rosters\.products\.{module}\b")
    return {path for path in SHARED if named.search(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("slug", [slug for slug in PRODUCTS if slug not in PARTS_OF_ORDERS])
def test_only_the_list_of_products_names_a_product(slug: str):
    assert naming(slug) == {LIST}


def test_every_product_file_is_in_the_list():
    files = {path.stem for path in PRODUCTS_FOLDER.glob("*.py")} - {"__init__"}
    assert files == {
        type(product).__module__.rpartition(".")[2] for slug, product in PRODUCTS.items() if slug != "break"
    }


def test_offered_products_exist():
    for slug in (*products.OFFERED, *products.BLANKS, *products.PACKET):
        assert PRODUCTS[slug].slug == slug
