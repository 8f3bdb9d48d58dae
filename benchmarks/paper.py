"""The speed of printing new, cached and changed cards, compared with a bare WeasyPrint page and with reportlab.

The WeasyPrint page has the same text; reportlab draws the same boxes. Also measures 900 cards on two workers, and
whether a worker's memory grows.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from html import escape
from statistics import median

from django.test import override_settings

from rosters.card_layout.card_fronts import Side
from rosters.paper.drawing import trace
from rosters.paper.themes import THEMES
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, read_order
from rosters.printing.rendering import draw_cards, sides_of
from rosters.products import is_card
from systems import roster_rules
from systems.paper.metrics import FILES, FONT_DIR, MM_PER_PT

SYSTEM = "meks-and-mercs"
ROUNDS = 5
MANY = 900
WORKERS = 2
BATCH = 40
JOBS = 50
PRINTED_JOBS = (1, 10, 25, 50)  # jobs after which a worker's memory is printed
PT_PER_MM = 1 / MM_PER_PT


def units(count: int, mark: str) -> list[dict[str, object]]:
    """Return `count` published Meks, each with a unique name."""
    system = roster_rules(SYSTEM)
    designs = list(system.published.values())
    return [
        {
            "system": SYSTEM,
            "name": f"{designs[at % len(designs)].name} {mark} {at}",
            "design_name": designs[at % len(designs)].name,
            "spec": system.spec_json(designs[at % len(designs)].spec),
            "pilot": {"name": f"Bench {at}", "experience": "regular"},
        }
        for at in range(count)
    ]


def order(count: int, mark: str, backs: str = "none", what: str = "unit-card") -> PrintOrder:
    items = [{"what": what, "unit": unit} for unit in units(count, mark)]
    return read_order({"title": "Bench", "settings": {"backs": backs}, "items": items})


def sides(wanted: PrintOrder) -> Iterator[Side]:
    for item in wanted.items:
        yield from sides_of(item, wanted.settings)


def bare_page(mark: str) -> bytes:
    """Return a PDF with the text of nine cards, a plain paragraph for each."""
    from weasyprint import HTML

    paragraphs = "".join(f"<p>{escape(side.front.text_content())}</p>" for side in sides(order(9, mark)))
    pdf = HTML(string=f"<html lang=en><body>{paragraphs}</body></html>").write_pdf()
    assert isinstance(pdf, bytes)
    return pdf


def reportlab_sheet(mark: str) -> bytes:
    """Return a PDF of the same nine cards, drawn by reportlab from the same boxes."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    for font, files in FILES.items():
        if font not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(font, str(FONT_DIR / files[0])))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    theme = THEMES["colour"]
    for slot, side in enumerate(sides(order(9, mark))):
        page = side.front
        canvas.saveState()
        row, column = divmod(slot, 3)
        left, top = 10.5 + column * page.size.width, 16.5 + row * page.size.height
        canvas.translate(left * PT_PER_MM, A4[1] - top * PT_PER_MM)
        for kind, paths in page.art.items():
            stroke = theme.strokes[kind]
            canvas.setStrokeColorRGB(*stroke.colour)
            canvas.setLineWidth(stroke.width * PT_PER_MM)
            canvas.setDash([length * PT_PER_MM for length in stroke.dash])
            path = _ReportlabPath(canvas.beginPath())
            trace(path, "".join(paths))
            canvas.drawPath(path.path)
        for text in page.texts:
            canvas.setFont(text.font, text.size)
            canvas.setFillColorRGB(*theme.tones[text.tone])
            for at, line in enumerate(text.lines):
                y = -(text.y + (at + 0.5) * text.leading) * PT_PER_MM - 0.35 * text.size
                draw = {"left": canvas.drawString, "center": canvas.drawCentredString, "right": canvas.drawRightString}
                share = {"left": 0.0, "center": 0.5, "right": 1.0}[text.align]
                draw[text.align]((text.x + share * text.width) * PT_PER_MM, y, line)
        canvas.restoreState()
    canvas.showPage()
    canvas.save()
    return out.getvalue()


class _ReportlabPath:
    """A reportlab path with the methods of a WeasyPrint PDF stream."""

    def __init__(self, path: object) -> None:
        self.path: object = path
        self._call = path.__getattribute__

    def move_to(self, x: float, y: float) -> None:
        self._call("moveTo")(x * PT_PER_MM, -y * PT_PER_MM)

    def line_to(self, x: float, y: float) -> None:
        self._call("lineTo")(x * PT_PER_MM, -y * PT_PER_MM)

    def close(self) -> None:
        self._call("close")()


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(products: dict[str, Callable[[str], object]]) -> dict[str, float]:
    """Return the median seconds of each product, measured in turns, so that load on the machine affects all of them."""
    spent: dict[str, list[float]] = {name: [] for name in products}
    for name, work in products.items():
        work(f"warm {name}")
    for _ in range(ROUNDS):
        for name, work in products.items():
            mark = uuid.uuid4().hex[:8]
            spent[name].append(seconds(lambda work=work, mark=mark: work(mark)))  # type: ignore[misc]
    return {name: median(times) for name, times in spent.items()}


def run() -> list[str]:
    """Return the lines of the report: the seconds of each product, and their ratio to the bare page."""
    with tempfile.TemporaryDirectory(prefix="muster-bench-") as var, override_settings(VAR_DIR=var):
        known = order(9, "known")
        render_order(known)
        medians = in_turns(
            {
                "bare WeasyPrint page": bare_page,
                "sheet of 9 new cards": lambda mark: render_order(order(9, mark)),
                "the same 9 by reportlab": reportlab_sheet,
                "sheet of 9 known cards": lambda _mark: render_order(known),
                "90 new cards": lambda mark: render_order(order(90, mark)),
                "datasheet": lambda mark: render_order(order(1, mark, what="datasheet")),
            }
        )
        return [*_lines(medians, medians["bare WeasyPrint page"]), *_many(medians["bare WeasyPrint page"]), *_memory()]


def _lines(medians: dict[str, float], bare: float) -> list[str]:
    return [f"{name:42} {value:7.3f} s  ratio {value / bare:6.2f}" for name, value in medians.items()]


# --- many cards, many jobs --------------------------------------------------------------------------------------------


def _many(bare: float) -> list[str]:
    """Measure 900 cards with backs: new ones on two workers, then from the cache, then with a few changed."""
    whole = order(MANY, uuid.uuid4().hex[:8], "long-edge")
    found: dict[str, float] = {}
    with _pool(WORKERS) as pool:
        list(pool.map(warm_up, range(2 * WORKERS)))
        start = time.perf_counter()
        cuts = [whole.model_copy(update={"items": whole.items[at : at + BATCH]}) for at in range(0, MANY, BATCH)]
        memory = list(pool.map(draw_batch, [cut.model_dump_json() for cut in cuts]))
        render_order(whole)
        found[f"{MANY} new cards and backs, {WORKERS} workers"] = time.perf_counter() - start
    found[f"{MANY} known cards and backs"] = median(seconds(lambda: render_order(whole)) for _ in range(3))
    for changed in (1, 3):
        times = []
        for _ in range(3):
            fresh = order(changed, uuid.uuid4().hex[:8]).items
            other = whole.model_copy(update={"items": (*fresh, *whole.items[changed:])})
            times.append(seconds(lambda other=other: render_order(other)))  # type: ignore[misc]
        found[f"{MANY} cards, {changed} of them changed"] = median(times)
    return [*_lines(found, bare), f"{'memory of a worker that draws them':42} {max(memory):7.0f} MB at most"]


def _memory() -> list[str]:
    """Measure the memory of one worker that does many jobs of nine new cards each."""
    with _pool(1) as pool:
        memory_after = {
            job: memory for job, memory in enumerate(pool.map(draw_job, range(JOBS)), start=1) if job in PRINTED_JOBS
        }
    memory_by_job = ", ".join(f"{memory:.0f} after {job}" for job, memory in memory_after.items())
    return [f"{'memory of a worker, MB':42} {memory_by_job} jobs of 9 new cards"]


def _pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of new processes, like those of a print worker."""
    from django.conf import settings

    return ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=use_folder, initargs=(str(settings.VAR_DIR),)
    )


def use_folder(var: str) -> None:
    from django.conf import settings

    settings.VAR_DIR = var


def warm_up(_number: int) -> None:
    render_order(order(9, uuid.uuid4().hex[:8]))
    time.sleep(0.5)  # so that the other worker takes the next job


def draw_batch(document: str) -> float:
    wanted = read_order(document)
    draw_cards([item for item in wanted.items if is_card(item)], wanted.settings)
    return peak()


def draw_job(number: int) -> float:
    render_order(order(9, f"{os.getpid()} job {number}", "long-edge"))
    return peak()


def peak() -> float:
    """Return the peak memory of this process in MB."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmHWM"))
