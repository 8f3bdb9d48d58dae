// The grids of reports: arrow keys move, the first row fills a column, and Hits left and totals are kept up to date.
"use strict";
for (const grid of document.querySelectorAll("[data-grid]")) {
  const numeric = (text) => (/^\d{1,8}$/.test(text.trim()) ? Number(text) : 0);
  const input = (cell) => cell.querySelector("input, select");

  // Return the Hits that the lost ones are subtracted from: those at the start, or all if the unit was mended.
  const startHits = (row) => {
    const mended = row.querySelector('[data-column="mended"] input');
    return Number(mended && mended.checked ? row.dataset.full : row.dataset.hits);
  };

  const showHitsLeft = (row) => {
    const value = (name) => input(row.querySelector(`[data-column="${name}"]`));
    const [lost, destroyed] = [value("hits_lost"), value("destroyed")];
    const hits = startHits(row);
    row.querySelector("[data-left]").textContent = destroyed.checked ? 0 : Math.max(0, hits - numeric(lost.value));
  };
  const changed = (field) => {
    const row = field.closest("tr[data-hits]");
    if (!row) return;
    const column = field.closest("[data-column]").dataset.column;
    // A unit is destroyed if its last Hit is lost or one of the game's other ends is ticked.
    const lost = column === "hits_lost" && numeric(field.value) >= startHits(row);
    const ends = row.closest("[data-ends]").dataset.ends.split(" ");
    if (lost || (ends.includes(column) && field.checked)) {
      input(row.querySelector('[data-column="destroyed"]')).checked = true;
    }
    // A unit that isn't destroyed can't have lost all its Hits.
    const hits = input(row.querySelector('[data-column="hits_lost"]'));
    if (column === "destroyed" && !field.checked && numeric(hits.value) >= startHits(row)) hits.value = "0";
    showHitsLeft(row);
    if (column === "destroyed" && !field.checked) withdrawKill(row);
    showTotals();
  };

  // Each side's totals: units destroyed, and kills, which can't exceed the other side's destroyed units.
  const sides = [...grid.querySelectorAll("[data-side]")].map((side) => ({
    fields: (column) => [...side.querySelectorAll(`tr[data-hits] [data-column="${column}"]`)].map(input),
    contains: (row) => side.contains(row),
    sums: side.querySelector("[data-sums]"),
  }));
  const destroyed = (side) => side.fields("destroyed").filter((field) => field.checked).length;
  const kills = (side) => side.fields("kills").reduce((all, field) => all + numeric(field.value), 0);
  const showTotals = () => {
    for (const side of sides) {
      const other = sides.find((each) => each !== side);
      if (!other || !side.sums) continue;
      const [made, fallen] = [kills(side), destroyed(other)];
      const tooMany = made > fallen;
      side.sums.hidden = false;
      side.sums.querySelector("[data-destroyed]").textContent = destroyed(side);
      side.sums.querySelector("[data-kills]").textContent = made;
      side.sums.querySelector("[data-fallen]").textContent = fallen;
      side.sums.classList.toggle("is-wrong", tooMany);
      side.sums.querySelector("[data-wrong]").hidden = !tooMany;
      for (const field of side.fields("kills")) {
        const wrong = tooMany && numeric(field.value) > 0;
        field.closest("td").classList.toggle("has-errors", wrong);
        if (wrong) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      }
    }
  };
  // If a unit isn't destroyed after all and only one enemy unit has kills, take one kill from it.
  const withdrawKill = (row) => {
    const side = sides.find((each) => !each.contains(row));
    if (!side || kills(side) <= destroyed(sides.find((each) => each !== side))) return;
    const killers = side.fields("kills").filter((field) => numeric(field.value) > 0);
    if (killers.length === 1) killers[0].value = numeric(killers[0].value) - 1;
  };
  const fill = (field) => {
    const column = field.dataset.column;
    for (const row of field.closest("tbody").querySelectorAll("tr[data-hits]")) {
      const target = input(row.querySelector(`[data-column="${column}"]`));
      if (field.type === "checkbox") target.checked = field.checked;
      else target.value = field.value;
      changed(target);
    }
  };

  for (const row of grid.querySelectorAll("tr[data-fill]")) row.hidden = false;
  const refused = grid.querySelector("[aria-invalid]"); // keep the errors of the last submit
  if (!refused) showTotals();
  grid.addEventListener("input", (event) => {
    if (event.target.closest("tr[data-fill]")) fill(event.target);
    else changed(event.target);
  });

  const rows = () =>
    [...grid.querySelectorAll("tbody tr:not([hidden])")].map((row) => [...row.querySelectorAll("input, select")]);
  const focus = (field) => {
    field.focus();
    if (field.type === "text") field.select();
  };
  const step = (field, down, right) => {
    const cells = rows();
    const y = cells.findIndex((row) => row.includes(field));
    const target = cells[y + down]?.[cells[y].indexOf(field) + right];
    if (target) focus(target);
    return Boolean(target);
  };
  // Left and right first move within a text field.
  const atEdge = (field, right) => {
    if (field.type !== "text") return true;
    if (field.selectionStart !== field.selectionEnd) {
      return field.selectionEnd - field.selectionStart === field.value.length;
    }
    return field.selectionStart === (right > 0 ? field.value.length : 0);
  };
  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  grid.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!field.closest("tbody") || event.altKey || event.shiftKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) field.form.requestSubmit();
      else step(field, 1, 0);
      return;
    }
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || (move[1] && !atEdge(field, move[1]))) return;
    if (move[0] && field.tagName === "SELECT") return;
    event.preventDefault();
    step(field, ...move);
  });
}
