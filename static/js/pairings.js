// The board above the pairings of a planned round: drag one company onto another, or press one and then the other, to
// swap them. Each swap is saved through the form below, which can do the same with its selects.
"use strict";
(() => {
  const SEAT = /^m\d+-(attacker|defender)$/;
  let picked = null; // place of the chosen company: the name of its select, or "unpaired-" and the company
  let returns = ""; // place to focus after the swap

  const create = (tag, name, text = "") => {
    const found = document.createElement(tag);
    found.className = name;
    found.textContent = text;
    return found;
  };
  const seats = (form) => [...form.querySelectorAll("select")].filter((each) => SEAT.test(each.name));
  const chosenText = (select) => select.selectedOptions[0]?.textContent || "";
  const chips = (board) => [...board.querySelectorAll("[data-chip]")];

  const hold = (board, chip) => {
    picked = chip && chip.dataset.chip;
    for (const each of chips(board)) each.setAttribute("aria-pressed", String(each === chip));
    board.classList.toggle("is-held", Boolean(chip));
    const status = board.querySelector("[role=status]");
    status.textContent = chip ? `${chip.textContent}: choose a company to swap it with, or press Escape.` : "";
  };

  // Swap the companies of two places. Two unpaired companies can't be swapped.
  const change = (board, one, two) => {
    const form = board.closest("form");
    const list = (place) => seats(form).find((each) => each.name === place);
    const company = (place) => (list(place) ? list(place).value : place.slice("unpaired-".length));
    const [here, there] = [company(one), company(two)];
    if (here === there || (!list(one) && !list(two))) return hold(board, null);
    const ends = [[list(one), there], [list(two), here]].filter(([each]) => each);
    // Every table needs a company, and only the second place of a table may be a bye.
    if (ends.some(([each, value]) => ![...each.options].some((option) => option.value === value))) {
      hold(board, null);
      board.querySelector("[role=status]").textContent =
        "Every table needs at least one company. Remove the table instead.";
      return;
    }
    for (const [each, value] of ends) each.value = value;
    picked = null;
    returns = list(two) ? two : one;
    board.setAttribute("aria-busy", "true");
    form.requestSubmit(form.querySelector('button[value="save"]'));
  };

  const chip = (place, text) => {
    const found = create("button", "chip", text);
    found.type = "button";
    found.draggable = true;
    found.dataset.chip = place;
    found.setAttribute("aria-pressed", "false");
    return found;
  };
  const copyOfNote = (note) => {
    const copy = note.cloneNode(true);
    copy.className = "swap__note";
    copy.dataset.of = note.id;
    copy.removeAttribute("id");
    return copy;
  };
  const row = (table) => {
    const found = create("li", "swap__row");
    const [one, two] = [...table.querySelectorAll("select")].filter((each) => SEAT.test(each.name));
    found.append(create("span", "swap__table", table.querySelector("legend").textContent.trim()));
    found.append(
      chip(one.name, chosenText(one)),
      create("span", "swap__against", "against"),
      chip(two.name, chosenText(two)),
    );
    const note = table.querySelector(".pairing__note");
    if (note) found.append(copyOfNote(note));
    return found;
  };

  const buildBoard = (board) => {
    const form = board.closest("form");
    const tables = [...form.querySelectorAll("fieldset")].filter((each) =>
      seats(form).some((one) => each.contains(one))
    );
    const list = create("ol", "swap__rows");
    list.append(...tables.map(row));
    const sits = new Set(seats(form).map((each) => each.value));
    const free = [...(seats(form)[0]?.options || [])].filter((each) => !sits.has(each.value));
    board.querySelector("[data-swap-rows]").replaceChildren(list);
    if (free.length) {
      const unpaired = create("p", "swap__unpaired", "Not paired: ");
      unpaired.append(...free.map((each) => chip(`unpaired-${each.value}`, each.textContent)));
      board.querySelector("[data-swap-rows]").append(unpaired);
    }
    board.hidden = false;
    if (returns) board.querySelector(`[data-chip="${returns}"]`)?.focus();
    returns = "";
  };

  const boardOf = (event) => event.target.closest?.("[data-swap]");
  const chipOf = (event) => event.target.closest?.("[data-chip]");
  document.addEventListener("click", (event) => {
    const [board, found] = [boardOf(event), chipOf(event)];
    if (!board || !found || board.hasAttribute("aria-busy")) return;
    if (picked === null) hold(board, found);
    else if (picked === found.dataset.chip) hold(board, null);
    else change(board, picked, found.dataset.chip);
  });
  document.addEventListener("keydown", (event) => {
    const board = boardOf(event);
    if (!board) return;
    if (event.key === "Escape" && picked !== null) hold(board, null);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const all = chips(board);
    const at = all.indexOf(chipOf(event));
    if (!step || at < 0) return;
    event.preventDefault();
    const wide = event.key.endsWith("Up") || event.key.endsWith("Down") ? 2 : 1; // two chips in each row
    all[Math.min(all.length - 1, Math.max(0, at + step * wide))].focus();
  });
  document.addEventListener("dragstart", (event) => {
    const [board, found] = [boardOf(event), chipOf(event)];
    if (!board || !found || board.hasAttribute("aria-busy")) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", found.textContent);
    hold(board, found);
  });
  document.addEventListener("dragover", (event) => {
    if (picked === null || !boardOf(event) || !chipOf(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
  });
  document.addEventListener("drop", (event) => {
    const [board, found] = [boardOf(event), chipOf(event)];
    if (picked === null || !board || !found) return;
    event.preventDefault();
    change(board, picked, found.dataset.chip);
  });
  document.addEventListener("dragend", (event) => {
    const board = boardOf(event);
    if (board && picked !== null) hold(board, null);
  });

  const begin = () => {
    for (const board of document.querySelectorAll("[data-swap][hidden]")) {
      picked = null;
      buildBoard(board);
    }
  };
  // New odds are swapped into the form's tables; the board copies them.
  const updateNotes = () => {
    for (const copy of document.querySelectorAll("[data-swap] .swap__note")) {
      const note = document.getElementById(copy.dataset.of);
      if (note && note.innerHTML !== copy.innerHTML) copy.replaceWith(copyOfNote(note));
    }
  };
  document.addEventListener("htmx:load", begin);
  document.addEventListener("htmx:afterSettle", updateNotes);
  begin();
})();
